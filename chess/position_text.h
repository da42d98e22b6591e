/* A position as people name it. */
#pragma once

#include "base/text.h"
#include "chess/position.h"

/* Reads "startpos", a FEN (four to six fields), or moves, as SAN or UCI, with or without move
 * numbers: "1. e4 e5 2.Nf3". Moves, also after the word "moves", may follow the first two; without
 * them they begin at the usual start, which no text at all means. On failure `pos` is untouched and
 * `diag`, which may be NULL, says where and why: "FEN, column 3: ..", "ply 2: Nf3 is not legal
 * here". Errors: STATUS_SYNTAX, STATUS_ILLEGAL, STATUS_AMBIGUOUS. */
MUST_CHECK enum caxton_status position_from_text(struct span text, struct position *pos,
                                                 struct diag *diag);

/* As position_from_text(), and tells the line: where it begins, and its moves, at most `capacity`;
 * *count: how many. Outputs are untouched on failure, but for `moves`. Errors: also STATUS_RANGE
 * (more moves). */
MUST_CHECK enum caxton_status line_from_text(struct span text, struct position *root, move *moves,
                                             size_t capacity, size_t *count, struct diag *diag);
