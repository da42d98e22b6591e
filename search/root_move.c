#include "search/root_move.h"

#include <string.h>

void root_move_init(struct root_move *root, move m)
{
    *root = (struct root_move){.move = m, .bound = SCORE_EXACT, .pv_length = 1, .pv = {m}};
    root->score = root->previous_score = root->average = -SCORE_INFINITE;
}

struct root_move *root_move_find(struct root_move *moves, int first, int last, move m)
{
    for (int i = first; i < last; i++)
        if (moves[i].move == m)
            return &moves[i];
    return NULL;
}

int root_move_score(const struct root_move *root)
{
    return root->score != -SCORE_INFINITE ? root->score : root->previous_score;
}

int root_move_shown_score(const struct root_move *root, enum score_bound *bound)
{
    int score = root_move_score(root);
    bool is_of_tb = root->in_tb && !score_is_mate(score);
    *bound = is_of_tb ? SCORE_EXACT : root->bound;
    return is_of_tb ? root->tb_score : score;
}

/* Does `a` go before `b`? */
static bool is_better(const struct root_move *a, const struct root_move *b)
{
    return a->tb_rank != b->tb_rank ? a->tb_rank > b->tb_rank : a->score > b->score;
}

int pv_join(move pv[SEARCH_PLY_MAX], move m, const move *after, int length)
{
    if (length > SEARCH_PLY_MAX - 1)
        length = SEARCH_PLY_MAX - 1;
    pv[0] = m;
    memcpy(pv + 1, after, (size_t)length * sizeof *pv);
    return length + 1;
}

void root_moves_sort(struct root_move *moves, int first, int last)
{
    for (int i = first + 1; i < last; i++) {
        struct root_move current = moves[i];
        int j = i;
        for (; j > first && is_better(&current, &moves[j - 1]); j--)
            moves[j] = moves[j - 1];
        if (j != i)
            moves[j] = current;
    }
}
