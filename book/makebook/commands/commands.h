/* All commands of makebook. A new one is a file that defines command_NAME and a row here: its name,
 * and the heading under which the help lists it. */
#pragma once

#include "book/makebook/cli/command.h"

/* In the order of the help: by what people want. */
/* clang-format off */
#define COMMANDS(ROW) \
    ROW(build, "Make a book") \
    ROW(grow, "Make a book") \
    ROW(dropout, "Make a book") \
    ROW(plan, "Make a book") \
    ROW(worker, "Make a book") \
    ROW(suite, "Make a book") \
    ROW(merge, "Make a book") \
    ROW(convert, "Make a book") \
    ROW(import, "Make a book") \
    ROW(show, "Look into a book") \
    ROW(explore, "Look into a book") \
    ROW(serve, "Look into a book") \
    ROW(stats, "Look into a book") \
    ROW(dump, "Look into a book") \
    ROW(vet, "Judge a book") \
    ROW(match, "Judge a book") \
    ROW(diff, "Judge a book") \
    ROW(verify, "Judge a book") \
    ROW(review, "Judge a book") \
    ROW(coverage, "Judge a book") \
    ROW(prune, "Change a book") \
    ROW(add, "Change a book") \
    ROW(uci, "Play with a book") \
    ROW(learn, "Play with a book")
/* clang-format on */

#define COMMAND_DECLARATION(name, heading) extern const struct command command_##name;
COMMANDS(COMMAND_DECLARATION)
