/* The cheapest leaves of a graph, by a best-first walk: the cost of the cheapest leaf below a node
 * is known, so hardly more nodes are looked at than lie on the lines to these leaves. */
#include <stdlib.h>

#include "base/array.h"
#include "book/grow/dropout_graph.h"

/* A way to a node. */
struct way {
    int64_t cost; /* of the cheapest leaf by this way */
    size_t order; /* of equal ones the older is first */
    uint32_t node;
};

struct ways {
    struct way *heap; /* the cheapest first */
    size_t count;
    size_t capacity;
    size_t added;
};

static bool is_before(const struct way *a, const struct way *b)
{
    return a->cost != b->cost ? a->cost < b->cost : a->order < b->order;
}

/* False without memory. */
static bool add_way(struct ways *ways, int64_t cost, uint32_t node)
{
    struct way added = {cost, ways->added++, node};
    if (!ARRAY_GROW(ways->heap, ways->capacity, ways->count + 1))
        return false;
    size_t at = ways->count++;
    for (; at > 0 && is_before(&added, &ways->heap[(at - 1) / 2]); at = (at - 1) / 2)
        ways->heap[at] = ways->heap[(at - 1) / 2];
    ways->heap[at] = added;
    return true;
}

static struct way take_way(struct ways *ways)
{
    const struct way first = ways->heap[0];
    const struct way moved = ways->heap[--ways->count];
    size_t at = 0;
    for (size_t next; (next = 2 * at + 1) < ways->count; at = next) {
        next += next + 1 < ways->count && is_before(&ways->heap[next + 1], &ways->heap[next]);
        if (!is_before(&ways->heap[next], &moved))
            break;
        ways->heap[at] = ways->heap[next];
    }
    ways->heap[at] = moved;
    return first;
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
    while (room && count < capacity && ways.count > 0) {
        const struct way way = take_way(&ways);
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
    free(ways.heap);
    free(seen);
    return count;
}
