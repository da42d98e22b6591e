#include "book/formats/store/store_facts.h"

#include <stdlib.h>
#include <string.h>

#include "book/store/deepest_answers.h"

static enum caxton_status take_searches(const struct score_store *store, const struct position *pos,
                                        const move *moves, int count, struct book_facts *out)
{
    struct packed_position wanted[MOVES_MAX + 1];
    struct deepest_answers answers;
    struct search_answer answer;
    position_pack(pos, &wanted[count]);
    for (int i = 0; i < count; i++) {
        const struct position behind = position_behind(pos, moves[i]);
        position_pack(&behind, &wanted[i]);
    }
    if (deepest_answers_take(store, wanted, (size_t)count + 1, &answers) != STATUS_OK)
        return STATUS_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        struct book_move_facts *facts = &out->moves[i];
        facts->searched = deepest_answers_of_move(&answers, pos, moves[i], &answer);
        if (!facts->searched)
            continue;
        facts->score = answer.score;
        facts->depth = answer.depth;
        facts->nodes = answer.nodes;
    }
    deepest_answers_free(&answers);
    return STATUS_OK;
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
    struct packed_position packed;
    struct store_node *node = malloc(sizeof *node);
    memset(out, 0, sizeof *out);
    position_pack(pos, &packed);
    for (int i = 0; i < count; i++)
        out->moves[i].probability = -1;
    enum caxton_status status =
        node ? take_searches(store, pos, moves, count, out) : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        take_graph(store, &packed, pos->turn, node, moves, count, out);
        take_games(store, &packed, moves, count, out);
    }
    free(node);
    return status;
}
