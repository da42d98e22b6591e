/* The 781 constants of the Polyglot key: the only position key in Caxton.
 * Source: the Polyglot book format (http://hgm.nubati.net/book_format.html). */
#pragma once

#include "chess/types.h"

enum { ZOBRIST_CASTLING = 768, ZOBRIST_EN_PASSANT = 772, ZOBRIST_TURN = 780, ZOBRIST_COUNT };

extern const uint64_t zobrist_random[ZOBRIST_COUNT];

/* Polyglot numbers the pieces black pawn, white pawn, black knight, ..: our code with the colour
 * bit flipped. */
static inline uint64_t zobrist_piece(int piece, int square)
{
    return zobrist_random[64 * (piece ^ 1) + square];
}

/* right: 0..3 = White short, White long, Black short, Black long. */
static inline uint64_t zobrist_castling(int right)
{
    return zobrist_random[ZOBRIST_CASTLING + right];
}

static inline uint64_t zobrist_en_passant(int file)
{
    return zobrist_random[ZOBRIST_EN_PASSANT + file];
}

/* XORed into the key when White is to move. */
static inline uint64_t zobrist_turn(void)
{
    return zobrist_random[ZOBRIST_TURN];
}
