/* Colours, pieces, squares and moves, which every other header uses. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { WHITE, BLACK };
enum piece_type { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, PIECE_TYPES };

/* A piece on the board: 2 * type + colour; the empty square is NO_PIECE. */
enum { NO_PIECE = 12 };

/* Squares a1 = 0, b1 = 1, .. h8 = 63. */
enum { A1, B1, C1, D1, E1, F1, G1, H1, A8 = 56, B8, C8, D8, E8, F8, G8, H8, NO_SQUARE = 64 };

static inline int piece_make(int color, int type)
{
    return 2 * type + color;
}

static inline int piece_type(int piece)
{
    return piece >> 1;
}

static inline int piece_color(int piece)
{
    return piece & 1;
}

static inline int square_make(int file, int rank)
{
    return rank * 8 + file;
}

static inline int square_file(int square)
{
    return square & 7;
}

static inline int square_rank(int square)
{
    return square >> 3;
}

/* The square mirrored from White's to Black's side: a1 to a8. */
static inline int square_flip(int square)
{
    return square ^ 56;
}

/* The square as `color` sees it: rank 0 is that side's back rank. */
static inline int square_relative(int color, int square)
{
    return color == WHITE ? square : square_flip(square);
}

/* A move in 16 bits: bits 0..5 from, 6..11 to, 12..13 kind, 14..15 promotion piece - KNIGHT.
 * Castling is written as the king taking its own rook, in standard chess too. MOVE_NONE is never
 * legal; MOVE_NULL passes the turn (search only). */
typedef uint16_t move;

enum move_kind { MOVE_NORMAL, MOVE_PROMOTION, MOVE_EN_PASSANT, MOVE_CASTLING };
enum { MOVE_NONE = 0, MOVE_NULL = 65 };

static inline move move_make(int from, int to)
{
    return (move)(from | to << 6);
}

static inline move move_make_kind(int from, int to, enum move_kind kind)
{
    return (move)(from | to << 6 | (int)kind << 12);
}

static inline move move_make_promotion(int from, int to, int type)
{
    return (move)(from | to << 6 | MOVE_PROMOTION << 12 | (type - KNIGHT) << 14);
}

static inline int move_from(move m)
{
    return m & 63;
}

static inline int move_to(move m)
{
    return m >> 6 & 63;
}

static inline enum move_kind move_kind(move m)
{
    return (enum move_kind)(m >> 12 & 3);
}

/* Meaningful for promotions only. */
static inline int move_promotion(move m)
{
    return (m >> 14) + KNIGHT;
}
