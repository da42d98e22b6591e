/* convert --suite: openings for tournaments out of a book. */
#pragma once

#include "book/book.h"
#include "book/makebook/cli/command.h"

/* Writes the positions after exactly `plies` moves of the book, each once: as games when as_games,
 * else as EPD. The report, unless quiet, counts them. Returns the exit status after naming a fault.
 */
int convert_suite(const struct command_line *line, const struct book *book, uint32_t plies,
                  bool as_games, const char *output, bool quiet);
