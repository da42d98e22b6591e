/* All commands of makebook. A new one is a file that defines command_NAME and a row here. */
#pragma once

#include "book/makebook/cli/command.h"

/* In the order of the help. */
/* clang-format off */
#define COMMANDS(ROW) \
    ROW(build) \
    ROW(grow) \
    ROW(dropout) \
    ROW(plan) \
    ROW(vet) \
    ROW(learn) \
    ROW(worker) \
    ROW(merge) \
    ROW(convert) \
    ROW(prune) \
    ROW(add) \
    ROW(show) \
    ROW(stats) \
    ROW(diff) \
    ROW(dump) \
    ROW(explore) \
    ROW(verify)
/* clang-format on */

#define COMMAND_DECLARATION(name) extern const struct command command_##name;
COMMANDS(COMMAND_DECLARATION)
