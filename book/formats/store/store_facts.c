#include "book/formats/store/store_facts.h"

#include <stdlib.h>
#include <string.h>

#include "book/formats/store/store_moves.h"
#include "search/score.h"

/* A position whose deepest answer is wanted. */
struct wanted {
    struct packed_position pos;
    int move; /* index of the move that leads to it, -1: the position itself */
    bool found;
    struct search_limit limit;
    struct search_answer answer;
};

static int compare_wanted(const void *a, const void *b)
{
    const struct wanted *x = a;
    const struct wanted *y = b;
    return memcmp(&x->pos, &y->pos, sizeof x->pos);
}

/* Looks at all answers once. `list` is sorted. */
static void find_deepest(const struct score_store *store, struct wanted *list, size_t count)
{
    struct wanted answer;
    size_t cursor = 0;
    while (score_store_next_answer(store, &cursor, &answer.pos, &answer.limit, &answer.answer)) {
        struct wanted *found = bsearch(&answer, list, count, sizeof *list, compare_wanted);
        if (!found || (found->found && !store_is_deeper(answer.limit, &answer.answer, found->limit,
                                                        &found->answer)))
            continue;
        found->found = true;
        found->limit = answer.limit;
        found->answer = answer.answer;
    }
}

/* A score one ply before it, for the other side. */
static int score_before(int score)
{
    if (!score_is_mate(score))
        return -score;
    return score > 0 ? -(score - 1) : -(score + 1);
}

static void take_answer(const struct wanted *wanted, const move *moves, int count,
                        struct book_facts *out)
{
    const struct search_answer *answer = &wanted->answer;
    int index = wanted->move;
    for (int i = 0; index < 0 && i < count; i++)
        if (moves[i] == answer->best)
            index = i;
    if (!wanted->found || index < 0)
        return;
    struct book_move_facts *facts = &out->moves[index];
    bool behind = wanted->move >= 0;
    facts->searched = true;
    facts->score = behind ? score_before(answer->score) : answer->score;
    facts->depth = answer->depth + behind;
    facts->nodes = answer->nodes;
}

static void take_searches(const struct score_store *store, struct wanted *list, const move *moves,
                          int count, struct book_facts *out)
{
    qsort(list, (size_t)count + 1, sizeof *list, compare_wanted);
    find_deepest(store, list, (size_t)count + 1);
    for (int i = 0; i <= count; i++)
        if (list[i].move >= 0)
            take_answer(&list[i], moves, count, out);
    for (int i = 0; i <= count; i++)
        if (list[i].move < 0)
            take_answer(&list[i], moves, count, out); /* this one goes before */
}

/* What the graph says, of the own side's book where there is one. */
static void take_graph(const struct score_store *store, const struct packed_position *pos, int turn,
                       struct store_node *node, const move *moves, int count,
                       struct book_facts *out)
{
    static const char *const states[] = {"queued", "searched", "expanded", "ended"};
    out->own = score_store_find_node(store, pos, turn, node);
    if (!out->own && !score_store_find_node(store, pos, !turn, node))
        return;
    out->state = states[node->state];
    out->probability = node->probability;
    out->ply = (unsigned)node->ply;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < node->count; j++)
            if (node->moves[j].move == moves[i])
                out->moves[i].probability = node->moves[j].probability;
}

static void take_games(const struct score_store *store, const struct packed_position *pos,
                       const move *moves, int count, struct book_facts *out)
{
    struct chosen_move chosen = {.move = MOVE_NONE};
    (void)score_store_chosen(store, pos, &chosen);
    for (int i = 0; i < count; i++) {
        struct played_games games;
        (void)score_store_played(store, pos, moves[i], &games);
        out->moves[i].chosen = moves[i] == chosen.move;
        out->moves[i].wins = games.wins;
        out->moves[i].draws = games.draws;
        out->moves[i].losses = games.losses;
    }
}

enum caxton_status store_facts(const struct score_store *store, const struct position *pos,
                               const move *moves, int count, struct book_facts *out)
{
    struct store_node *node = malloc(sizeof *node);
    struct wanted *list = calloc((size_t)count + 1, sizeof *list);
    if (node && list) {
        struct packed_position packed;
        memset(out, 0, sizeof *out);
        position_pack(pos, &packed);
        list[count] = (struct wanted){.pos = packed, .move = -1};
        for (int i = 0; i < count; i++) {
            const struct position behind = position_behind(pos, moves[i]);
            out->moves[i].probability = -1;
            list[i].move = i;
            position_pack(&behind, &list[i].pos);
        }
        take_searches(store, list, moves, count, out);
        take_graph(store, &packed, pos->turn, node, moves, count, out);
        take_games(store, &packed, moves, count, out);
    }
    enum caxton_status status = node && list ? STATUS_OK : STATUS_NO_MEMORY;
    free(node);
    free(list);
    return status;
}
