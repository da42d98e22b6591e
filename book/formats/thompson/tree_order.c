#include "book/formats/thompson/tree_order.h"

static uint32_t order_of(const struct position *pos, move m)
{
    uint32_t promotion = move_kind(m) == MOVE_PROMOTION ? (uint32_t)move_promotion(m) : 0;
    return (uint32_t)piece_type(pos->board[move_from(m)]) << 16 | (uint32_t)move_from(m) << 10 |
           (uint32_t)move_to(m) << 4 | promotion;
}

int tree_order(const struct position *pos, move out[MOVES_MAX])
{
    uint32_t orders[MOVES_MAX];
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        uint32_t order = order_of(pos, moves[i]);
        int j = i;
        for (; j > 0 && orders[j - 1] > order; j--) {
            orders[j] = orders[j - 1];
            out[j] = out[j - 1];
        }
        orders[j] = order;
        out[j] = moves[i];
    }
    return count;
}

int tree_place(const struct position *pos, move m)
{
    move moves[MOVES_MAX];
    uint32_t order = order_of(pos, m);
    int count = movegen_legal(pos, moves);
    int place = 0;
    for (int i = 0; i < count; i++)
        place += order_of(pos, moves[i]) < order;
    return place;
}
