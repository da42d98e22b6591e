/* The book that drop-out expansion leads to: a walk along its own moves and all scored replies. */
#include <stdlib.h>

#include "book/grow/dropout.h"
#include "book/store/score_store.h"

enum { REPLY_WEIGHT = 100 };

struct walk {
    const struct dropout *dropout;
    const struct dropout_graph *graph;
    struct entry_list *list;
    bool replies;
    uint32_t *stack; /* room for all nodes: each comes once */
    size_t count;
    uint8_t *seen; /* by node */
};

int dropout_reply_weight(int loss)
{
    return loss < REPLY_WEIGHT ? REPLY_WEIGHT - loss : 1;
}

static void visit(struct walk *walk, uint32_t node)
{
    if (!walk->seen[node])
        walk->stack[walk->count++] = node;
    walk->seen[node] = 1;
}

static enum caxton_status add_own(struct walk *walk, uint32_t node, const struct position *pos)
{
    struct own_move moves[MOVES_MAX];
    int count = dropout_own_moves(walk->dropout, node, moves);
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const struct book_entry entry = {.weight =
                                             count == 1 ? 1 : store_weight(moves[i].probability)};
        uint32_t next = dag_find(&walk->graph->dag, position_behind(pos, moves[i].move).key);
        status = entry_list_add(walk->list, pos, moves[i].move, entry);
        if (next != DAG_NONE)
            visit(walk, next);
    }
    return status;
}

static enum caxton_status add_replies(struct walk *walk, uint32_t node, const struct position *pos)
{
    const struct dag_node *from = &walk->graph->dag.nodes[node];
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < from->count && status == STATUS_OK; i++) {
        const struct dag_move *reply = &walk->graph->dag.moves[from->first + i];
        struct own_move answers[MOVES_MAX];
        int score;
        if (!dropout_graph_move_score(walk->graph, node, i, &score))
            continue;
        int weight = dropout_reply_weight(walk->graph->nodes[node].score - score);
        if (walk->replies && dropout_own_moves(walk->dropout, reply->to, answers) > 0)
            status = entry_list_add(walk->list, pos, reply->move,
                                    (struct book_entry){.weight = (uint32_t)weight});
        visit(walk, reply->to);
    }
    return status;
}

enum caxton_status dropout_entries(const struct dropout *dropout, bool replies,
                                   struct entry_list *list)
{
    const struct dropout_graph *graph = dropout_graph(dropout);
    struct walk walk = {.dropout = dropout, .graph = graph, .list = list, .replies = replies};
    walk.stack = calloc(graph->dag.node_count, sizeof *walk.stack);
    walk.seen = calloc(graph->dag.node_count, 1);
    enum caxton_status status = walk.stack && walk.seen ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        visit(&walk, DAG_ROOT);
    while (walk.count > 0 && status == STATUS_OK) {
        uint32_t node = walk.stack[--walk.count];
        struct position pos;
        dag_position(&graph->dag, node, &pos, NULL);
        status = graph->dag.nodes[node].turn == graph->side ? add_own(&walk, node, &pos)
                                                            : add_replies(&walk, node, &pos);
    }
    free(walk.stack);
    free(walk.seen);
    return status;
}
