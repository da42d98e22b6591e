/* The book that drop-out expansion leads to: a walk along its own moves and all scored replies. */
#include <stdlib.h>

#include "book/grow/dropout.h"
#include "book/scoring/score_store.h"

/* The graph of a book by drop-out expansion, kept in the store beside the answers. */

/* A walk in topological order: a node comes when all that lead to it have come. */
struct keep_walk {
    const struct dropout *dropout;
    const struct dropout_graph *graph;
    double *probabilities; /* by node, as all that follows */
    uint32_t *waits;       /* moves that lead there and have not come yet */
    uint32_t *order;       /* the nodes that are reached */
    size_t count;
};

/* What is played in a node, with probabilities: own moves of the book, scored replies. Returns how
 * many. */
static int played_moves(const struct keep_walk *walk, uint32_t node, struct own_move *out)
{
    const struct dag_node *from = &walk->graph->dag.nodes[node];
    double sum = 0;
    int count = 0;
    if (from->turn == walk->graph->side)
        return dropout_own_moves(walk->dropout, node, out);
    for (uint32_t i = 0; i < from->count; i++) {
        struct own_move reply = {.move = walk->graph->dag.moves[from->first + i].move};
        if (!dropout_graph_move_score(walk->graph, node, i, &reply.score))
            continue;
        reply.probability = dropout_reply_weight(walk->graph->nodes[node].score - reply.score);
        sum += reply.probability;
        out[count++] = reply;
    }
    for (int i = 0; i < count; i++)
        out[i].probability /= sum;
    return count;
}

/* The node behind a move of `node`; DAG_NONE: the graph has none. */
static uint32_t node_behind(const struct keep_walk *walk, uint32_t node, move m)
{
    const struct dag *dag = &walk->graph->dag;
    const struct dag_node *from = &dag->nodes[node];
    for (uint32_t i = from->first; i < from->first + from->count; i++)
        if (dag->moves[i].move == m)
            return dag->moves[i].to;
    return DAG_NONE;
}

/* Counts for each node that is reached the moves that lead there. */
static void count_ways(struct keep_walk *walk)
{
    walk->order[walk->count++] = DAG_ROOT;
    for (size_t at = 0; at < walk->count; at++) {
        struct own_move moves[MOVES_MAX];
        int count = played_moves(walk, walk->order[at], moves);
        for (int i = 0; i < count; i++) {
            uint32_t to = node_behind(walk, walk->order[at], moves[i].move);
            if (to != DAG_NONE && walk->waits[to]++ == 0)
                walk->order[walk->count++] = to;
        }
    }
}

/* Puts the nodes in order and gives them their probabilities. */
static void find_probabilities(struct keep_walk *walk)
{
    walk->count = 0;
    walk->order[walk->count++] = DAG_ROOT;
    walk->probabilities[DAG_ROOT] = 1;
    for (size_t at = 0; at < walk->count; at++) {
        struct own_move moves[MOVES_MAX];
        uint32_t node = walk->order[at];
        int count = played_moves(walk, node, moves);
        for (int i = 0; i < count; i++) {
            uint32_t to = node_behind(walk, node, moves[i].move);
            if (to == DAG_NONE)
                continue;
            walk->probabilities[to] += walk->probabilities[node] * moves[i].probability;
            if (--walk->waits[to] == 0)
                walk->order[walk->count++] = to;
        }
    }
}

static void make_node(const struct keep_walk *walk, uint32_t index, struct store_node *out)
{
    const struct dag_node *node = &walk->graph->dag.nodes[index];
    uint8_t state = walk->graph->nodes[index].state;
    struct own_move moves[MOVES_MAX];
    struct position pos;
    dag_position(&walk->graph->dag, index, &pos, NULL);
    position_pack(&pos, &out->pos);
    out->side = walk->graph->side;
    out->probability = walk->probabilities[index];
    out->ply = node->ply;
    out->depth = node->depth;
    out->score = walk->graph->nodes[index].score;
    out->count = played_moves(walk, index, moves);
    for (int i = 0; i < out->count; i++)
        out->moves[i] = (struct store_move){moves[i].probability, moves[i].move};
    out->state = state == DROPOUT_ENDED ? STORE_ENDED
                 : out->count > 0       ? STORE_EXPANDED
                                        : STORE_SEARCHED;
}

static enum caxton_status keep_one(const struct dropout *dropout, struct score_store *store,
                                   struct store_node *node, struct diag *diag)
{
    const struct dropout_graph *graph = dropout_graph(dropout);
    struct keep_walk walk = {.dropout = dropout, .graph = graph};
    size_t room = graph->dag.node_count;
    walk.probabilities = calloc(room, sizeof *walk.probabilities);
    walk.waits = calloc(room, sizeof *walk.waits);
    walk.order = calloc(room, sizeof *walk.order);
    enum caxton_status status =
        walk.probabilities && walk.waits && walk.order ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        count_ways(&walk);
        find_probabilities(&walk);
    }
    for (size_t i = 0; i < walk.count && status == STATUS_OK; i++) {
        make_node(&walk, walk.order[i], node);
        status = score_store_add_node(store, node, diag);
    }
    free(walk.probabilities);
    free(walk.waits);
    free(walk.order);
    return status;
}

enum caxton_status dropout_keep(const struct dropout *const *grown, size_t count,
                                struct score_store *store, struct diag *diag)
{
    struct store_node *node = malloc(sizeof *node);
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = node ? score_store_begin_graph(store, diag) : STATUS_NO_MEMORY;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = keep_one(grown[i], store, node, diag);
    if (status == STATUS_OK)
        status = score_store_end_graph(store, diag);
    free(node);
    return status;
}

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
        uint32_t next = dag_find(&walk->graph->dag, position_after(pos, moves[i].move).key);
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
