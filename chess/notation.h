/* Moves as text: UCI coordinates and Standard Algebraic Notation, both ways. */
#pragma once

#include "base/text.h"
#include "chess/position.h"

enum { UCI_MAX = 8, SAN_MAX = 12 };

/* Writes e2e4, e7e8q; castling is e1g1, or king takes rook (e1h1) when `chess960`; 0000 for
 * MOVE_NONE and MOVE_NULL. */
void move_to_uci(move m, bool chess960, char out[UCI_MAX]);

/* Reads a legal move. Castling is understood as e1g1 and as e1h1, promotion letters in either
 * case. Errors: STATUS_SYNTAX, STATUS_ILLEGAL. */
MUST_CHECK enum caxton_status move_from_uci(const struct position *pos, struct span text,
                                            move *out);

/* Writes the shortest unambiguous SAN of a legal move, with + or #. */
void move_to_san(const struct position *pos, move m, char out[SAN_MAX]);

/* Reads SAN as people write it: missing or extra disambiguation, 0-0 for O-O, e8Q, e8=Q, e8(Q),
 * long algebraic e2-e4, figurines (UTF-8), trailing + # ! ? and "e.p." are understood.
 * Errors: STATUS_SYNTAX (not a move), STATUS_ILLEGAL (no such legal move), STATUS_AMBIGUOUS. */
MUST_CHECK enum caxton_status move_from_san(const struct position *pos, struct span text,
                                            move *out);

/* SAN or, where that makes no move, both squares (f1b5+, d8xd5, g1-f3, Ke1-g1). Errors: those of
 * move_from_san(). */
MUST_CHECK enum caxton_status move_from_text(const struct position *pos, struct span text,
                                             move *out);

/* The bytes of the chess piece (UTF-8) that `text` begins with; 0 for none. */
size_t figurine_size(struct span text);

/* `word`, which is not empty, with what belongs to its move and follows before `end` although words
 * end there: the brackets of e8(Q)+, the points of exd6e.p. */
struct span move_text_extend(struct span word, const char *end);

/* "e.p.", "e.p", "ep": a word of its own, after a move that is complete without it. */
bool move_is_en_passant_sign(struct span word);

/* "--", "Z0", "null", "pass": how programs write that a side passes. */
bool move_is_null_text(struct span text);

/* The bytes of the move number that `text` begins with: "1.", "12..." or, before a blank or the
 * end, "12"; 0 for none. The zeros of 0-0 are none. */
size_t move_number_size(struct span text);
