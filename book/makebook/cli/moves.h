/* Lines of moves as text. */
#pragma once

#include "book/makebook/cli/report.h"
#include "chess/position.h"

/* Writes the moves from `root` in SAN with their numbers: "1. e4 e5 2. Nf3", "3... Nf6". */
void moves_print(FILE *out, const struct position *root, const move *line, size_t plies);

/* Writes them as texts of the JSON array that is open, one for each move, without numbers. */
void moves_json(struct json *json, const struct position *root, const move *line, size_t plies);

/* The same in a report: text, "the start" without moves, or a JSON array "line". */
void moves_report(struct report *report, const struct position *root, const move *line,
                  size_t plies);
