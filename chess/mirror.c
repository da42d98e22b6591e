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
    *out = (struct position){.turn = pos->turn ^ 1,
                             .castling = (uint8_t)mirror_castling(pos->castling),
                             .ep = (uint8_t)mirror_square(pos->ep),
                             .rule50 = pos->rule50,
                             .fullmove = pos->fullmove};
    for (int square = 0; square < 64; square++) {
        int piece = pos->board[square_flip(square)];
        out->board[square] = (uint8_t)(piece == NO_PIECE ? NO_PIECE : piece ^ 1);
        if (piece == NO_PIECE)
            continue;
        out->types[piece_type(piece)] |= UINT64_C(1) << square;
        out->colors[piece_color(piece) ^ 1] |= UINT64_C(1) << square;
    }
    for (uint64_t left = pos->checkers; left; left &= left - 1)
        out->checkers |= UINT64_C(1) << square_flip(bb_first(left));
    for (int right = 0; right < 4; right++)
        out->rook_home[right ^ 2] = (uint8_t)mirror_square(pos->rook_home[right]);
    out->key = position_compute_key(out);
}

uint64_t position_mirror_key(const struct position *pos)
{
    uint64_t key = pos->turn == BLACK ? zobrist_turn() : 0;
    for (uint64_t left = position_occupied(pos); left; left &= left - 1) {
        int square = bb_first(left);
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
