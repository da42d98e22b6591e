#include "book/grow/dropout_graph.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/heap.h"
#include "search/score.h"

/* The cheapest leaves of a graph, by a best-first walk: the cost of the cheapest leaf below a node
 * is known, so hardly more nodes are looked at than lie on the lines to these leaves. */

/* A way to a node, and the cost of the cheapest leaf by it. */
struct way {
    int64_t cost;
    uint32_t node;
};

struct ways {
    struct way *list; /* all that were added */
    size_t count;
    size_t capacity;
    struct number_heap heap; /* of them: the cheapest first, of equal ones the older */
    size_t heap_capacity;
};

static bool is_cheaper(const void *context, uint32_t a, uint32_t b)
{
    const struct ways *ways = context;
    int64_t x = ways->list[a].cost;
    int64_t y = ways->list[b].cost;
    return x != y ? x < y : a < b;
}

static const struct number_order by_cost = {.before = is_cheaper};

/* False without memory. */
static bool add_way(struct ways *ways, int64_t cost, uint32_t node)
{
    if (!ARRAY_GROW(ways->list, ways->capacity, ways->count + 1) ||
        !ARRAY_GROW(ways->heap.items, ways->heap_capacity, ways->heap.count + 1))
        return false;
    ways->list[ways->count] = (struct way){cost, node};
    number_heap_add(&ways->heap, (uint32_t)ways->count++, &by_cost, ways);
    return true;
}

/* A node that several ways lead to is looked at once, by the cheapest. */
static bool was_seen(uint8_t *seen, uint32_t node)
{
    bool before = seen[node / 8] >> node % 8 & 1;
    seen[node / 8] |= (uint8_t)(1 << node % 8);
    return before;
}

size_t dropout_graph_leaves(const struct dropout_graph *graph, uint32_t *out, size_t capacity)
{
    struct ways ways = {.count = 0};
    uint8_t *seen = calloc(graph->dag.node_count / 8 + 1, 1);
    size_t count = 0;
    bool room = seen && graph->nodes[DAG_ROOT].cost < DROPOUT_NONE_LEFT &&
                add_way(&ways, graph->nodes[DAG_ROOT].cost, DAG_ROOT);
    while (room && count < capacity && ways.heap.count > 0) {
        const struct way way = ways.list[number_heap_take(&ways.heap, 0, &by_cost, &ways)];
        const struct dag_node *node = &graph->dag.nodes[way.node];
        if (was_seen(seen, way.node))
            continue;
        if (graph->nodes[way.node].state != DROPOUT_EXPANDED)
            out[count++] = way.node;
        int64_t before = way.cost - graph->nodes[way.node].cost;
        for (uint32_t i = 0; i < node->count && room; i++) {
            int cost = dropout_graph_move_cost(graph, way.node, i);
            if (cost < DROPOUT_NONE_LEFT)
                room = add_way(&ways, before + cost, graph->dag.moves[node->first + i].to);
        }
    }
    free(ways.list);
    free(ways.heap.items);
    free(seen);
    return count;
}

/* Room for a node, a move and what leads to it. */
static enum caxton_status make_room(struct dropout_graph *graph)
{
    if (!ARRAY_GROW(graph->nodes, graph->node_capacity, graph->dag.node_count + 1) ||
        !ARRAY_GROW(graph->guesses, graph->guess_capacity, graph->dag.move_count + 1) ||
        !ARRAY_GROW(graph->ins, graph->in_capacity, graph->in_count + 1))
        return STATUS_NO_MEMORY;
    return STATUS_OK;
}

enum caxton_status dropout_graph_create(const struct position *root, int side,
                                        const struct dropout_costs *costs,
                                        struct dropout_graph *out)
{
    struct dropout_graph graph = {.side = side, .costs = *costs};
    const struct dag_root start = {.pos = *root, .probability = 1};
    enum caxton_status status = make_room(&graph);
    if (status == STATUS_OK)
        status = dag_create(&start, 1, &graph.dag);
    if (status != STATUS_OK) {
        dropout_graph_destroy(&graph);
        return status;
    }
    graph.nodes[DAG_ROOT] = (struct dropout_node){.state = DROPOUT_GUESSED};
    *out = graph;
    return STATUS_OK;
}

void dropout_graph_destroy(struct dropout_graph *graph)
{
    dag_destroy(&graph->dag);
    free(graph->nodes);
    free(graph->guesses);
    free(graph->ins);
    free(graph->waiting);
    *graph = (struct dropout_graph){.side = 0};
}

/* Scores. ------------------------------------------------------------------------------------- */

static bool is_own(const struct dropout_graph *graph, uint32_t node)
{
    return graph->dag.nodes[node].turn == graph->side;
}

bool dropout_graph_move_score(const struct dropout_graph *graph, uint32_t node, uint32_t index,
                              int *score)
{
    uint32_t place = graph->dag.nodes[node].first + index;
    const struct dag_move *played = &graph->dag.moves[place];
    const struct dropout_node *child = &graph->nodes[played->to];
    bool known = child->state != DROPOUT_GUESSED;
    *score = known ? score_of_child(child->score) : graph->guesses[place];
    if (child->state <= DROPOUT_SCORED && is_own(graph, node) &&
        played->move != graph->nodes[node].best && !score_is_mate(*score))
        *score -= graph->costs.doubt;
    return known;
}

int dropout_graph_move_cost(const struct dropout_graph *graph, uint32_t node, uint32_t index)
{
    const struct dag_node *from = &graph->dag.nodes[node];
    int below = graph->nodes[graph->dag.moves[from->first + index].to].cost;
    int score;
    (void)dropout_graph_move_score(graph, node, index, &score);
    int loss = graph->nodes[node].score - score;
    int64_t weight = is_own(graph, node) ? graph->costs.own : graph->costs.other;
    int64_t cost = graph->costs.ply + weight * (loss > 0 ? loss : 0) + below;
    return below < DROPOUT_NONE_LEFT && cost < DROPOUT_NONE_LEFT ? (int)cost : DROPOUT_NONE_LEFT;
}

/* The best of the moves that are scored; until one is, what the node's own search said. */
static int score_below(const struct dropout_graph *graph, uint32_t node)
{
    const struct dropout_node *at = &graph->nodes[node];
    int best = at->repeats ? 0 : -SCORE_INFINITE;
    for (uint32_t i = 0; i < graph->dag.nodes[node].count; i++) {
        int score;
        if (dropout_graph_move_score(graph, node, i, &score) && score > best)
            best = score;
    }
    return best > -SCORE_INFINITE ? best : at->searched;
}

static int cost_below(const struct dropout_graph *graph, uint32_t node)
{
    int cost = DROPOUT_NONE_LEFT;
    for (uint32_t i = 0; i < graph->dag.nodes[node].count; i++) {
        int found = dropout_graph_move_cost(graph, node, i);
        cost = found < cost ? found : cost;
    }
    return cost;
}

/* Returns whether the score or the cost changed. */
static bool renew(struct dropout_graph *graph, uint32_t node)
{
    struct dropout_node *at = &graph->nodes[node];
    const struct dropout_node before = *at;
    if (at->state == DROPOUT_EXPANDED) {
        at->score = (int16_t)score_below(graph, node);
        at->cost = cost_below(graph, node);
    } else {
        bool leaf = at->state != DROPOUT_ENDED && graph->dag.nodes[node].ply < DAG_PLIES_MAX;
        at->cost = leaf ? 0 : DROPOUT_NONE_LEFT;
    }
    return at->score != before.score || at->cost != before.cost;
}

/* Backing up. --------------------------------------------------------------------------------- */

/* Lets a node wait. A ring: those that wait longest come first. */
static enum caxton_status let_wait(struct dropout_graph *graph, uint32_t node)
{
    if (graph->nodes[node].waits)
        return STATUS_OK;
    if (graph->waiting_count == graph->waiting_capacity) {
        size_t before = graph->waiting_capacity;
        if (!ARRAY_GROW(graph->waiting, graph->waiting_capacity, before + 1))
            return STATUS_NO_MEMORY;
        /* The part that went round comes behind the other. */
        for (size_t i = 0; i < graph->waiting_first; i++)
            graph->waiting[(before + i) % graph->waiting_capacity] = graph->waiting[i];
    }
    size_t last = (graph->waiting_first + graph->waiting_count) % graph->waiting_capacity;
    graph->waiting[last] = node;
    graph->waiting_count++;
    graph->nodes[node].waits = true;
    return STATUS_OK;
}

static enum caxton_status let_parents_wait(struct dropout_graph *graph, uint32_t node)
{
    enum caxton_status status = STATUS_OK;
    for (uint32_t in = graph->nodes[node].first_in; in && status == STATUS_OK;
         in = graph->ins[in - 1].next)
        status = let_wait(graph, graph->ins[in - 1].from);
    return status;
}

/* Renews a node and all above it that change. There is no cycle, so this ends, and the order does
 * not matter. */
static enum caxton_status back_up(struct dropout_graph *graph, uint32_t node)
{
    (void)renew(graph, node);
    enum caxton_status status = let_parents_wait(graph, node);
    while (graph->waiting_count > 0 && status == STATUS_OK) {
        uint32_t at = graph->waiting[graph->waiting_first];
        graph->waiting_first = (graph->waiting_first + 1) % graph->waiting_capacity;
        graph->waiting_count--;
        graph->nodes[at].waits = false;
        if (renew(graph, at))
            status = let_parents_wait(graph, at);
    }
    return status;
}

/* Changes. ------------------------------------------------------------------------------------ */

enum caxton_status dropout_graph_score(struct dropout_graph *graph, uint32_t node, int score,
                                       move best)
{
    struct dropout_node *at = &graph->nodes[node];
    at->score = at->searched = (int16_t)score;
    at->best = best;
    at->state = DROPOUT_SCORED;
    return back_up(graph, node);
}

enum caxton_status dropout_graph_end(struct dropout_graph *graph, uint32_t node, int score)
{
    graph->nodes[node].score = graph->nodes[node].searched = (int16_t)score;
    graph->nodes[node].state = DROPOUT_ENDED;
    return back_up(graph, node);
}

enum caxton_status dropout_graph_add_move(struct dropout_graph *graph, uint32_t node,
                                          const struct position *pos, move m, int guess,
                                          enum dag_outcome *outcome)
{
    enum caxton_status status = make_room(graph);
    if (status == STATUS_OK)
        status = dag_add_move(&graph->dag, node, pos, m, 0, outcome);
    if (status != STATUS_OK)
        return status;
    if (*outcome == DAG_REFUSED) {
        graph->nodes[node].repeats = true;
        return STATUS_OK;
    }
    size_t place = graph->dag.move_count - 1;
    uint32_t to = graph->dag.moves[place].to;
    if (*outcome == DAG_NEW) {
        bool leaf = graph->dag.nodes[to].ply < DAG_PLIES_MAX;
        graph->nodes[to] =
            (struct dropout_node){.state = DROPOUT_GUESSED, .cost = leaf ? 0 : DROPOUT_NONE_LEFT};
    }
    graph->guesses[place] = guess;
    graph->ins[graph->in_count] = (struct dropout_in){node, graph->nodes[to].first_in};
    graph->nodes[to].first_in = (uint32_t)++graph->in_count;
    return STATUS_OK;
}

enum caxton_status dropout_graph_expanded(struct dropout_graph *graph, uint32_t node)
{
    graph->nodes[node].state = DROPOUT_EXPANDED;
    return back_up(graph, node);
}

uint32_t dropout_graph_leaf(const struct dropout_graph *graph)
{
    uint32_t node = DAG_ROOT;
    if (graph->nodes[node].cost == DROPOUT_NONE_LEFT)
        return DAG_NONE;
    while (graph->nodes[node].state == DROPOUT_EXPANDED) {
        uint32_t at = 0;
        while (dropout_graph_move_cost(graph, node, at) != graph->nodes[node].cost)
            at++; /* one of them has the cost of the node */
        node = graph->dag.moves[graph->dag.nodes[node].first + at].to;
    }
    return node;
}
