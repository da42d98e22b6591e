/* The words of a line of the file: moves, weights, numbers, comments; and a move as it is written.
 */
#pragma once

#include "book/formats/white/lines.h"
#include "chess/notation.h"

/* Where the comment of a line begins; NULL for none. */
const char *lines_comment(struct span line);

/* Four characters that name two squares stand at the front. */
bool lines_has_coordinates(struct span text);

bool lines_is_blank(char c);
/* What follows the blanks at the front. */
struct span lines_after_blanks(struct span rest);
/* What follows a move number ("1.", "12...") and blanks; `rest` when it begins with no number. */
struct span lines_after_number(struct span rest);

/* Takes a move off the front of `rest`, which begins with no blank and no bracket. In brackets it
 * ends before the closing one. */
struct span lines_cut_move(const struct lines *lines, struct span *rest, bool bracketed);
/* Takes a `:` and what is meant as a weight off the front of `rest`; returns the weight. */
struct span lines_cut_weight(const struct lines *lines, struct span *rest);
/* Errors: STATUS_SYNTAX, STATUS_ILLEGAL, STATUS_AMBIGUOUS. */
MUST_CHECK enum caxton_status lines_read_move(const struct lines *lines, const struct position *pos,
                                              struct span text, move *out);
/* Why lines_read_move() refused. */
const char *lines_move_fault(const struct lines *lines, enum caxton_status status,
                             struct span text);

void lines_move_text(const struct lines *lines, const struct position *pos, move m,
                     char out[SAN_MAX]);
