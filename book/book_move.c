#include "book/book_move.h"

static bool goes_before(const struct book_move *a, const struct book_move *b)
{
    if (a->weight != b->weight)
        return a->weight > b->weight;
    return a->place != b->place ? a->place < b->place : a->move < b->move;
}

void book_moves_sort(struct book_move *moves, int count)
{
    for (int i = 1; i < count; i++) {
        struct book_move current = moves[i];
        int j = i;
        for (; j > 0 && goes_before(&current, &moves[j - 1]); j--)
            moves[j] = moves[j - 1];
        moves[j] = current;
    }
}

static uint64_t sum_weights(const struct book_move *moves, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += moves[i].weight;
    return sum;
}

int book_share_permille(const struct book_move *moves, int count, int index)
{
    uint64_t sum = sum_weights(moves, count);
    return sum ? (int)((moves[index].weight * UINT64_C(1000) + sum / 2) / sum) : 0;
}

void book_prefer(struct book_move *moves, int count, uint8_t styles)
{
    bool suits = false;
    for (int i = 0; i < count; i++)
        suits |= moves[i].weight > 0 && (moves[i].styles & styles);
    for (int i = 0; i < count && suits; i++)
        if (!(moves[i].styles & styles))
            moves[i].weight = 0;
}

static bool is_playable(const struct book_move *m, uint64_t sum, int threshold_permille)
{
    return m->weight > 0 && m->weight * UINT64_C(1000) >= sum * (uint64_t)threshold_permille;
}

int book_choose(const struct book_move *moves, int count, enum book_selection selection,
                int threshold_permille, struct rng *rng)
{
    uint64_t sum = sum_weights(moves, count);
    uint64_t tickets = 0;
    int first = -1;
    for (int i = 0; i < count; i++) {
        if (!is_playable(&moves[i], sum, threshold_permille))
            continue;
        if (first < 0)
            first = i;
        tickets += selection == BOOK_UNIFORM ? 1 : moves[i].weight;
    }
    if (first < 0 || selection == BOOK_BEST)
        return first; /* heaviest first */
    uint64_t drawn = rng_below(rng, tickets);
    for (int i = first; i < count; i++) {
        if (!is_playable(&moves[i], sum, threshold_permille))
            continue;
        uint64_t share = selection == BOOK_UNIFORM ? 1 : moves[i].weight;
        if (drawn < share)
            return i;
        drawn -= share;
    }
    return first;
}
