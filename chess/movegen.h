/* Legal move generation, and questions about single moves: every move listed is legal. */
#pragma once

#include "chess/position.h"

/* No position with at most sixteen pieces a side and possible promotions has more than 218. */
enum { MOVES_MAX = 256 };

/* Each fills out[0..MOVES_MAX) and returns the count. */
int movegen_legal(const struct position *pos, move *out);
/* Captures, en passant and queen promotions; all evasions that capture when in check. */
int movegen_noisy(const struct position *pos, move *out);
/* The rest: noisy + quiet = legal. */
int movegen_quiet(const struct position *pos, move *out);
/* How many legal moves there are, without writing them. */
int movegen_count(const struct position *pos);

/* Is `m` (any 16 bits) a legal move here? Does not list the others. */
bool movegen_is_legal(const struct position *pos, move m);

/* Does a pawn take the one that has just passed `square`, legally, whether pos->ep says so or not?
 */
bool movegen_takes_en_passant(const struct position *pos, int square);

/* The keys that the position may have in a file: its own, and that without, or with, the file of a
 * capture en passant that would bare the king, which makes no other position. Returns how many; of
 * one both are the same. */
int movegen_keys(const struct position *pos, uint64_t out[2]);

/* Castling by this right (its bit number), of which the side to move has one: is it legal? Asks
 * nothing of pos->checkers. */
bool movegen_castles(const struct position *pos, int right);

/* Would the legal move `m` give check? */
bool movegen_gives_check(const struct position *pos, move m);

/* Leaves of the legal move tree `depth` plies deep (1 for depth 0), the last ply counted in bulk.
 * Source: https://www.chessprogramming.org/Perft */
uint64_t perft(const struct position *pos, int depth);
