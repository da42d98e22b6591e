#include "chess/perft.h"

#include "chess/movegen.h"

static uint64_t count_leaves(struct position *pos, int depth)
{
    if (depth <= 1)
        return (uint64_t)movegen_count(pos);
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    uint64_t leaves = 0;
    for (int i = 0; i < count; i++) {
        struct undo undo;
        position_make(pos, moves[i], &undo);
        leaves += count_leaves(pos, depth - 1);
        position_unmake(pos, moves[i], &undo);
    }
    return leaves;
}

uint64_t perft(const struct position *pos, int depth)
{
    struct position copy = *pos;
    return depth <= 0 ? 1 : count_leaves(&copy, depth);
}
