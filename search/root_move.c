#include "search/root_move.h"

#include <stddef.h>

void root_move_init(struct root_move *root, move m)
{
    root->move = m;
    root->score = root->previous_score = -SCORE_INFINITE;
    root->bound = SCORE_EXACT;
    root->seldepth = 0;
    root->nodes = 0;
    root_move_set_pv(root, NULL, 0);
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

void root_move_set_pv(struct root_move *root, const move *child, int length)
{
    root->pv[0] = root->move;
    root->pv_length = 1;
    for (int i = 0; i < length && root->pv_length < SEARCH_PLY_MAX; i++)
        root->pv[root->pv_length++] = child[i];
}

void root_moves_sort(struct root_move *moves, int first, int last)
{
    for (int i = first + 1; i < last; i++) {
        struct root_move current = moves[i];
        int j = i;
        for (; j > first && moves[j - 1].score < current.score; j--)
            moves[j] = moves[j - 1];
        if (j != i)
            moves[j] = current;
    }
}
