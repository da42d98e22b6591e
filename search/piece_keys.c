#include "search/piece_keys.h"

#include "chess/zobrist.h"

enum { MINORS = 1 << KNIGHT | 1 << BISHOP | 1 << KING };

/* A piece that comes or goes. Masks instead of branches: which types move cannot be foreseen. */
static inline void toggle(struct piece_keys *keys, int piece, int square)
{
    uint64_t key = zobrist_piece(piece, square);
    unsigned type = 1u << piece_type(piece);
    uint64_t pawn = key & (0 - (uint64_t)(type >> PAWN & 1));
    keys->pawn ^= pawn;
    keys->non_pawn[piece_color(piece)] ^= key ^ pawn;
    keys->minor ^= key & (0 - (uint64_t)((MINORS & type) != 0));
}

struct piece_keys piece_keys_of(const struct position *pos)
{
    struct piece_keys keys = {0};
    for (uint64_t occupied = position_occupied(pos); occupied;) {
        int square = bb_pop(&occupied);
        toggle(&keys, pos->board[square], square);
    }
    return keys;
}

static void castle(struct piece_keys *keys, int color, int king_from, int rook_from)
{
    bool is_short = rook_from > king_from;
    toggle(keys, piece_make(color, KING), king_from);
    toggle(keys, piece_make(color, KING), castling_king_to(color, is_short));
    toggle(keys, piece_make(color, ROOK), rook_from);
    toggle(keys, piece_make(color, ROOK), castling_rook_to(color, is_short));
}

struct piece_keys piece_keys_after(const struct piece_keys *before, const struct position *pos,
                                   move m)
{
    struct piece_keys after = *before;
    int from = move_from(m);
    int to = move_to(m);
    enum move_kind kind = move_kind(m);
    if (kind == MOVE_CASTLING) {
        castle(&after, pos->turn, from, to);
        return after;
    }
    if (kind == MOVE_EN_PASSANT)
        toggle(&after, piece_make(!pos->turn, PAWN), to ^ 8);
    else if (pos->board[to] != NO_PIECE)
        toggle(&after, pos->board[to], to);
    toggle(&after, pos->board[from], from);
    toggle(&after,
           kind == MOVE_PROMOTION ? piece_make(pos->turn, move_promotion(m)) : pos->board[from],
           to);
    return after;
}
