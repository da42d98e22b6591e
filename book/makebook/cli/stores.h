/* Stores of searches, added up and made compact: for makebook merge and makebook convert. */
#pragma once

#include <stdbool.h>

#include "book/makebook/cli/command.h"

/* Does the path end in .store? False for NULL. */
bool stores_is_name(const char *path);

/* Writes the first `count` operands, which are stores of one searcher, as one store, compact and
 * whole or not at all. Returns the exit status after naming a fault. */
enum exit_status stores_write(const struct command_line *line, int count, const char *output,
                              bool quiet);
