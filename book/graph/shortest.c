#include "book/graph/shortest.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/polyglot_entry.h"
#include "chess/movegen.h"

struct walk {
    struct book_graph *graph;
    const struct entry_table *table;
};

static bool has_key(const struct walk *walk, uint64_t key)
{
    size_t at = entry_table_find(walk->table, key);
    return at < walk->table->count && entry_table_at(walk->table, at).key == key;
}

static void make(const struct position *pos, move m, struct position *after)
{
    *after = *pos;
    position_play(after, m);
}

/* Is the position in the table, and not in the graph yet? */
static bool is_new(const struct walk *walk, const struct position *pos)
{
    return has_key(walk, pos->key) && book_graph_find(walk->graph, pos->key) == BOOK_GRAPH_NONE;
}

/* Does one move lead from here to a position that is in the table and not in the graph yet? */
static bool leads_on(const struct walk *walk, const struct position *pos)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        struct position after;
        make(pos, moves[i], &after);
        if (is_new(walk, &after))
            return true;
    }
    return false;
}

static int compare_moves(const void *left, const void *right)
{
    const struct book_move *a = left;
    const struct book_move *b = right;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return (int)polyglot_from_move(a->move) - (int)polyglot_from_move(b->move);
}

/* The moves of the table, and the positions behind them: also those that it does not have, but
 * whose replies lead back into it. */
static enum caxton_status follow_book(struct walk *walk, uint32_t at, const struct position *pos)
{
    struct book_graph *graph = walk->graph;
    struct book_move moves[MOVES_MAX];
    int count = entry_table_probe(walk->table, pos, moves);
    qsort(moves, (size_t)count, sizeof *moves, compare_moves);
    uint32_t first = (uint32_t)graph->edge_count;
    enum caxton_status status = graph_add_edges(graph, moves, count);
    if (status != STATUS_OK)
        return status;
    graph->nodes[at].first = first;
    graph->nodes[at].count = (uint32_t)count;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct position after;
        make(pos, moves[i].move, &after);
        bool known = has_key(walk, after.key);
        uint32_t to = book_graph_find(graph, after.key);
        if (to == BOOK_GRAPH_NONE && (known || leads_on(walk, &after)))
            status = graph_add_child(graph, at, moves[i].move, after.key, known, &to);
        graph->edges[first + (uint32_t)i].to = to;
    }
    return status;
}

/* All other moves that lead into the table. */
static enum caxton_status follow_others(struct walk *walk, uint32_t at, const struct position *pos)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct position after;
        uint32_t to;
        make(pos, moves[i], &after);
        if (is_new(walk, &after))
            status = graph_add_child(walk->graph, at, moves[i], after.key, true, &to);
    }
    return status;
}

static enum caxton_status walk_all(struct walk *walk, const struct position *root)
{
    struct book_graph *graph = walk->graph;
    uint32_t at;
    if (!ARRAY_GROW(graph->roots, graph->root_capacity, 1))
        return STATUS_NO_MEMORY;
    graph->roots[graph->root_count++] = *root;
    enum caxton_status status = graph_add_node(
        graph,
        (struct book_node){
            .key = root->key, .parent = BOOK_GRAPH_NONE, .known = has_key(walk, root->key)},
        &at);
    for (at = 0; status == STATUS_OK && at < graph->node_count; at++) {
        struct position pos;
        if (graph->nodes[at].ply >= BOOK_GRAPH_PLIES_MAX)
            break; /* nodes are in the order of their plies */
        book_graph_position(graph, at, &pos, NULL);
        status = follow_book(walk, at, &pos);
        if (status == STATUS_OK)
            status = follow_others(walk, at, &pos);
    }
    return status;
}

enum caxton_status book_graph_create_shortest(const struct entry_table *table,
                                              const struct position *root, struct book_graph *out)
{
    struct book_graph graph = {0};
    struct walk walk = {.graph = &graph, .table = table};
    enum caxton_status status = graph_grow(&graph);
    if (status == STATUS_OK)
        status = walk_all(&walk, root);
    for (size_t i = 0; i < table->count; i++)
        graph.positions +=
            i == 0 || entry_table_at(table, i).key != entry_table_at(table, i - 1).key;
    if (status == STATUS_OK)
        *out = graph;
    else
        book_graph_destroy(&graph);
    return status;
}

enum caxton_status book_graph_visit(const struct book_graph *graph, book_graph_visitor visitor,
                                    void *context)
{
    /* By node: its first child and its next sibling. Children are in the order of their numbers. */
    uint32_t *children = malloc((graph->node_count + 1) * sizeof *children);
    uint32_t *siblings = malloc((graph->node_count + 1) * sizeof *siblings);
    bool enough = children && siblings;
    for (size_t i = 0; enough && i < graph->node_count; i++)
        children[i] = BOOK_GRAPH_NONE;
    uint32_t at = BOOK_GRAPH_NONE; /* the first root */
    for (size_t i = graph->node_count; enough && i-- > 0;) {
        uint32_t parent = graph->nodes[i].parent;
        uint32_t *first = parent == BOOK_GRAPH_NONE ? &at : &children[parent];
        siblings[i] = *first;
        *first = (uint32_t)i;
    }
    while (enough && at != BOOK_GRAPH_NONE) {
        move line[BOOK_GRAPH_PLIES_MAX];
        struct position pos;
        if (graph->nodes[at].known) {
            book_graph_position(graph, at, &pos, line);
            visitor(context, &graph->nodes[at], &pos, line);
        }
        uint32_t to = children[at];
        while (to == BOOK_GRAPH_NONE && at != BOOK_GRAPH_NONE) {
            to = siblings[at];
            at = graph->nodes[at].parent;
        }
        at = to;
    }
    free(children);
    free(siblings);
    return enough ? STATUS_OK : STATUS_NO_MEMORY;
}
