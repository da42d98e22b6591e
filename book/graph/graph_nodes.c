#include "book/graph/graph_nodes.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/book_move.h"
#include "book/format.h"
#include "book/polyglot_entry.h"

uint32_t book_graph_find(const struct book_graph *graph, uint64_t key)
{
    uint32_t index = *key_table_slot(&graph->table, graph->nodes, key);
    return index ? index - 1 : BOOK_GRAPH_NONE;
}

/* In a table that is at most half full. */
enum caxton_status graph_grow(struct book_graph *graph)
{
    size_t capacity = graph->node_capacity ? 2 * graph->node_capacity : 256;
    struct book_node *nodes = realloc(graph->nodes, capacity * sizeof *nodes);
    if (!nodes)
        return STATUS_NO_MEMORY;
    graph->nodes = nodes;
    graph->node_capacity = capacity;
    graph->table.item_size = sizeof *nodes;
    return key_table_reserve(&graph->table, capacity, nodes, 0, graph->node_count);
}

enum caxton_status graph_add_node(struct book_graph *graph, struct book_node node, uint32_t *index)
{
    if (graph->node_count == graph->node_capacity) {
        enum caxton_status status = graph_grow(graph);
        if (status != STATUS_OK)
            return status;
    }
    *index = (uint32_t)graph->node_count++;
    node.child = BOOK_GRAPH_NONE;
    node.next = BOOK_GRAPH_NONE;
    graph->nodes[*index] = node;
    *key_table_slot(&graph->table, graph->nodes, node.key) = *index + 1;
    graph->known += node.known;
    if (node.known && node.ply > graph->deepest)
        graph->deepest = node.ply;
    return STATUS_OK;
}

enum caxton_status graph_add_child(struct book_graph *graph, uint32_t parent, move via,
                                   uint64_t key, bool known, uint32_t *index)
{
    const struct book_node *node = &graph->nodes[parent];
    return graph_add_node(graph,
                          (struct book_node){.key = key,
                                             .parent = parent,
                                             .root = node->root,
                                             .ply = node->ply + 1,
                                             .via = via,
                                             .known = known},
                          index);
}

enum caxton_status graph_add_edges(struct book_graph *graph, const struct book_move *moves,
                                   int count)
{
    size_t needed = graph->edge_count + (size_t)count;
    if (needed > BOOK_GRAPH_EDGES_MAX)
        return STATUS_RANGE;
    if (!ARRAY_GROW(graph->edges, graph->edge_capacity, needed + 1))
        return STATUS_NO_MEMORY;
    for (int i = 0; i < count; i++)
        graph->edges[graph->edge_count++] = (struct book_edge){.weight = moves[i].weight,
                                                               .learn = moves[i].learn,
                                                               .to = BOOK_GRAPH_NONE,
                                                               .move = moves[i].move};
    return STATUS_OK;
}

uint32_t book_graph_edge(const struct book_graph *graph, uint32_t node, move m)
{
    const struct book_node *at = &graph->nodes[node];
    for (uint32_t e = at->first; e < at->first + at->count; e++)
        if (graph->edges[e].move == m)
            return e;
    return BOOK_GRAPH_NONE;
}

int book_graph_turn(const struct book_graph *graph, uint32_t node)
{
    const struct book_node *at = &graph->nodes[node];
    return graph->roots[at->root].turn ^ (int)(at->ply & 1);
}

void book_graph_position(const struct book_graph *graph, uint32_t node, struct position *pos,
                         move *line)
{
    move own[BOOK_GRAPH_PLIES_MAX];
    move *moves = line ? line : own;
    size_t plies = graph->nodes[node].ply;
    *pos = graph->roots[graph->nodes[node].root];
    for (size_t i = plies; i > 0; i--) {
        moves[i - 1] = graph->nodes[node].via;
        node = graph->nodes[node].parent;
    }
    for (size_t i = 0; i < plies; i++)
        position_play(pos, moves[i]);
}

void book_graph_destroy(struct book_graph *graph)
{
    free(graph->nodes);
    free(graph->edges);
    free(graph->roots);
    free(graph->table.slots);
    free(graph->reached);
    *graph = (struct book_graph){0};
}

/* A position for each move, and one behind it that the book does not know; arrays that are up to
 * twice as large as what is in them; marks of keys. */
uint64_t book_graph_memory(size_t moves)
{
    const uint64_t node = sizeof(struct book_node) + 2 * sizeof(uint32_t);
    return moves * (uint64_t)(2 * (2 * node + sizeof(struct book_edge)) + 8) + (1 << 16);
}

uint16_t book_graph_stored_move(const struct book_graph *graph, uint32_t node, uint16_t stored)
{
    struct position pos;
    const struct book_edge *edges = &graph->edges[graph->nodes[node].first];
    for (uint32_t i = 0; i < graph->nodes[node].count; i++)
        if (polyglot_from_move(edges[i].move) == stored)
            return stored;
    book_graph_position(graph, node, &pos, NULL);
    move m = polyglot_to_move(&pos, stored);
    return m == MOVE_NONE ? 0 : polyglot_from_move(m);
}

size_t book_graph_illegal_moves(const struct book_graph *graph)
{
    const struct entry_table *table = book_table(graph->book);
    size_t count = 0;
    for (size_t i = 0; table && table->unchecked && i < table->count; i++) {
        const struct book_entry entry = entry_table_at(table, i);
        uint32_t at = book_graph_find(graph, entry.key);
        count += at != BOOK_GRAPH_NONE && !book_graph_stored_move(graph, at, entry.move);
    }
    return count;
}

bool book_graph_is_one_sided(const struct book_graph *graph)
{
    for (size_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].to != BOOK_GRAPH_NONE && graph->nodes[graph->edges[i].to].known)
            return false;
    return graph->edge_count > 0;
}
