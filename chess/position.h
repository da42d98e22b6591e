/* A chess position, Chess960 included, and what can be asked of it without generating moves. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "chess/bitboard.h"

/* Castling rights: bit n stands for right n of zobrist_castling(), two bits a side. */
enum { CASTLING_WHITE = 3, CASTLING_ALL = 15 };

/* A plain value: copying it copies the position. Read the fields freely, change them only through
 * chess/ functions. Every position has one king a side and at most sixteen pieces a side. */
struct position {
    uint64_t types[PIECE_TYPES]; /* squares of each piece type, both colours */
    uint64_t colors[2];
    uint64_t key;      /* the Polyglot key */
    uint64_t checkers; /* enemy pieces that give check to the side to move */
    uint8_t board[64]; /* piece codes, NO_PIECE where empty */
    uint8_t turn;
    uint8_t castling;
    uint8_t ep;           /* square behind a pawn that just advanced two squares when an enemy pawn
                             stands beside that pawn, as in the key; else NO_SQUARE */
    uint8_t rook_home[4]; /* the rook's square of each castling right; NO_SQUARE if never had */
    uint16_t rule50;      /* plies since the last capture or pawn move */
    uint16_t fullmove;    /* from 1 */
};

/* What position_make() overwrites and position_unmake() restores. */
struct undo {
    uint64_t key;
    uint64_t checkers;
    uint16_t rule50;
    uint8_t castling;
    uint8_t ep;
    uint8_t captured;
};

/* The standard starting position. */
void position_start(struct position *pos);

/* The start position with these piece types on the back ranks, from file a on, and all castling
 * rights. Each side must have one king between two rooks. */
void position_start_with(struct position *pos, const uint8_t white[8], const uint8_t black[8]);

/* A board without pieces, White to move: position_put() fills it. */
void position_clear(struct position *pos);

/* Puts a piece on an empty square and takes it off again. Key and checkers stay as they are. */
static inline void position_put(struct position *pos, int piece, int square)
{
    uint64_t bit = bb_square(square);
    pos->types[piece_type(piece)] ^= bit;
    pos->colors[piece_color(piece)] ^= bit;
    pos->board[square] = (uint8_t)piece;
}

static inline void position_lift(struct position *pos, int piece, int square)
{
    uint64_t bit = bb_square(square);
    pos->types[piece_type(piece)] ^= bit;
    pos->colors[piece_color(piece)] ^= bit;
    pos->board[square] = NO_PIECE;
}

static inline uint64_t position_pieces(const struct position *pos, int color, int type)
{
    return pos->types[type] & pos->colors[color];
}

static inline uint64_t position_occupied(const struct position *pos)
{
    return pos->colors[WHITE] | pos->colors[BLACK];
}

static inline int position_king(const struct position *pos, int color)
{
    return bb_first(position_pieces(pos, color, KING));
}

static inline bool position_in_check(const struct position *pos)
{
    return pos->checkers != 0;
}

/* A capture or en passant; castling (king "takes" rook) is none. */
static inline bool position_is_capture(const struct position *pos, move m)
{
    return (pos->board[move_to(m)] != NO_PIECE && move_kind(m) != MOVE_CASTLING) ||
           move_kind(m) == MOVE_EN_PASSANT;
}

/* Pieces of both colours that attack `square` when the board is occupied as given. */
uint64_t position_attackers(const struct position *pos, int square, uint64_t occupied);

/* Enemy sliders that would attack `color`'s king on an empty board. */
uint64_t position_snipers(const struct position *pos, int color);

/* Pieces of either colour that stand alone between `color`'s king and an enemy slider. */
uint64_t position_blockers(const struct position *pos, int color);

/* The key computed from the pieces: equals pos->key; for building and checking positions. */
uint64_t position_compute_key(const struct position *pos);

/* Neither side can mate by any sequence of moves with bare minor pieces as the rules of FIDE list
 * them: K-K, KN-K, KB-K, and bishops all on one colour. */
bool position_insufficient_material(const struct position *pos);

/* The squares where king and rook land when castling with `rook_from` (right of king = short). */
static inline int castling_king_to(int color, bool is_short)
{
    return square_relative(color, is_short ? G1 : C1);
}

static inline int castling_rook_to(int color, bool is_short)
{
    return square_relative(color, is_short ? F1 : D1);
}

/* Plays a legal move. `undo` is filled for position_unmake. */
void position_make(struct position *pos, move m, struct undo *undo);
void position_unmake(struct position *pos, move m, const struct undo *undo);

/* Plays a legal move that is never taken back. */
static inline void position_play(struct position *pos, move m)
{
    struct undo undo;
    position_make(pos, m, &undo);
}

/* The same for who follows a game and seldom asks for `checkers`: they stay as they were until
 * position_find_checkers(). */
void position_follow(struct position *pos, move m);
void position_find_checkers(struct position *pos);

/* The position after a legal move. */
static inline struct position position_after(const struct position *pos, move m)
{
    struct position after = *pos;
    position_play(&after, m);
    return after;
}

/* Passes the turn; not while in check. */
void position_make_null(struct position *pos, struct undo *undo);
void position_unmake_null(struct position *pos, const struct undo *undo);

/* The key after `m` without castling-right or en-passant changes: good enough for a prefetch. */
uint64_t position_key_after(const struct position *pos, move m);

/* Can the side to move reach the position with the key `earlier` by a move of one piece that is no
 * pawn, no capture and no castling? Answered from the two keys. Such a move is legal when `earlier`
 * is the key of a legal position with the other side to move.
 * Source: https://www.chessprogramming.org/Repetitions, upcoming repetition by Marcel van Kervinck
 */
bool position_upcoming_repetition(const struct position *pos, uint64_t earlier);
