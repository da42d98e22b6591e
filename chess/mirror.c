#include "chess/mirror.h"

#include "chess/zobrist.h"

/* Rights 0 and 1 are White's, 2 and 3 Black's, the short one first. */
static unsigned mirror_castling(unsigned castling)
{
    return (castling & 3) << 2 | castling >> 2;
}

static int mirror_square(int square)
{
    return square == NO_SQUARE ? NO_SQUARE : square_flip(square);
}

void position_mirror(const struct position *pos, struct position *out)
{
    position_clear(out);
    out->turn = pos->turn ^ 1;
    out->castling = (uint8_t)mirror_castling(pos->castling);
    out->ep = (uint8_t)mirror_square(pos->ep);
    out->rule50 = pos->rule50;
    out->fullmove = pos->fullmove;
    for (uint64_t left = position_occupied(pos); left;) {
        int square = bb_pop(&left);
        position_put(out, pos->board[square] ^ 1, square_flip(square));
    }
    for (uint64_t left = pos->checkers; left;)
        out->checkers |= bb_square(square_flip(bb_pop(&left)));
    for (int right = 0; right < 4; right++)
        out->rook_home[right ^ 2] = (uint8_t)mirror_square(pos->rook_home[right]);
    out->key = position_compute_key(out);
}

uint64_t position_mirror_key(const struct position *pos)
{
    uint64_t key = pos->turn == BLACK ? zobrist_turn() : 0;
    for (uint64_t left = position_occupied(pos); left;) {
        int square = bb_pop(&left);
        key ^= zobrist_piece(pos->board[square] ^ 1, square_flip(square));
    }
    unsigned castling = mirror_castling(pos->castling);
    for (int right = 0; right < 4; right++)
        if (castling & 1u << right)
            key ^= zobrist_castling(right);
    if (pos->ep != NO_SQUARE)
        key ^= zobrist_en_passant(square_file(pos->ep));
    return key;
}
