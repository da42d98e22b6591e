#include "chess/position.h"

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/zobrist.h"

void position_start(struct position *pos)
{
    if (fen_parse(span_of(fen_start), pos, NULL) != STATUS_OK)
        __builtin_unreachable();
}

uint64_t position_attackers(const struct position *pos, int square, uint64_t occupied)
{
    return (attacks_pawn(WHITE, square) & position_pieces(pos, BLACK, PAWN)) |
           (attacks_pawn(BLACK, square) & position_pieces(pos, WHITE, PAWN)) |
           (attacks_knight(square) & pos->types[KNIGHT]) |
           (attacks_bishop(square, occupied) & (pos->types[BISHOP] | pos->types[QUEEN])) |
           (attacks_rook(square, occupied) & (pos->types[ROOK] | pos->types[QUEEN])) |
           (attacks_king(square) & pos->types[KING]);
}

bool position_is_attacked(const struct position *pos, int square, int color)
{
    return (position_attackers(pos, square, position_occupied(pos)) & pos->colors[color]) != 0;
}

uint64_t position_blockers(const struct position *pos, int color)
{
    int king = position_king(pos, color);
    uint64_t occupied = position_occupied(pos);
    uint64_t snipers = ((attacks_straights(king) & (pos->types[ROOK] | pos->types[QUEEN])) |
                        (attacks_diagonals(king) & (pos->types[BISHOP] | pos->types[QUEEN]))) &
                       pos->colors[!color];
    uint64_t blockers = 0;
    while (snipers) {
        uint64_t between = attacks_between(king, bb_pop(&snipers)) & occupied;
        if (!bb_many(between))
            blockers |= between;
    }
    return blockers;
}

uint64_t position_compute_key(const struct position *pos)
{
    uint64_t key = pos->turn == WHITE ? zobrist_turn() : 0;
    for (int square = 0; square < 64; square++)
        if (pos->board[square] != NO_PIECE)
            key ^= zobrist_piece(pos->board[square], square);
    for (int right = 0; right < 4; right++)
        if (pos->castling & 1 << right)
            key ^= zobrist_castling(right);
    if (pos->ep != NO_SQUARE)
        key ^= zobrist_en_passant(square_file(pos->ep));
    return key;
}

bool position_is_dead(const struct position *pos)
{
    static const uint64_t dark = UINT64_C(0xAA55AA55AA55AA55);
    if (pos->types[PAWN] | pos->types[ROOK] | pos->types[QUEEN])
        return false;
    uint64_t minors = pos->types[KNIGHT] | pos->types[BISHOP];
    if (!bb_many(minors))
        return true;
    return !pos->types[KNIGHT] && (!(minors & dark) || !(minors & ~dark));
}

int castling_king_to(int color, bool is_short)
{
    return square_relative(color, is_short ? G1 : C1);
}

int castling_rook_to(int color, bool is_short)
{
    return square_relative(color, is_short ? F1 : D1);
}
