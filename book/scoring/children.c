#include "book/scoring/children.h"

#include "book/scoring/packed_position.h"
#include "search/score.h"

enum {
    PLIES_SHALLOW = 6,
    PARTS_BEHIND = 2,
    PARTS_SHALLOW = 32,
    NODES_LEAST = 500, /* fewer are no search */
};

int children_of(const struct position *pos, struct child *out)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        struct child *child = &out[i];
        *child = (struct child){.pos = position_after(pos, moves[i]), .move = moves[i]};
        position_forget_clocks(&child->pos);
        child->ended = movegen_count(&child->pos) == 0;
        if (child->ended && position_in_check(&child->pos))
            child->score = score_mate_in(1);
    }
    return count;
}

static struct search_limit smaller(struct search_limit limit, uint64_t plies, uint64_t parts)
{
    uint64_t value = limit.value / parts;
    uint64_t least = NODES_LEAST;
    if (limit.kind == SEARCH_TO_DEPTH) {
        value = limit.value > plies ? limit.value - plies : 1;
        least = 1;
    }
    return (struct search_limit){limit.kind, value > least ? value : least};
}

struct search_limit limit_behind(struct search_limit limit)
{
    return smaller(limit, 1, PARTS_BEHIND);
}

struct search_limit limit_shallow(struct search_limit limit)
{
    return smaller(limit, PLIES_SHALLOW, PARTS_SHALLOW);
}
