#include "book/graph/visit.h"

#include <stdlib.h>

/* A node of the line at hand. */
struct step {
    struct undo undo; /* of the move that led here */
    uint32_t node;
    uint32_t edge;     /* the next of its moves to be looked at */
    uint32_t non_book; /* the next node behind a non-book move */
};

struct visit {
    const struct book_graph *graph;
    struct step steps[BOOK_GRAPH_PLIES_MAX + 1];
    move line[BOOK_GRAPH_PLIES_MAX];
    size_t plies;
    struct position pos;
};

/* The next node whose line goes on from the last step; BOOK_GRAPH_NONE: none is left. */
static uint32_t next_child(struct visit *visit)
{
    const struct book_graph *graph = visit->graph;
    struct step *step = &visit->steps[visit->plies];
    const struct book_node *node = &graph->nodes[step->node];
    while (step->edge < node->count) {
        const struct book_edge *edge = &graph->edges[node->first + step->edge++];
        if (edge->to != BOOK_GRAPH_NONE && graph->nodes[edge->to].parent == step->node &&
            graph->nodes[edge->to].via == edge->move)
            return edge->to;
    }
    uint32_t to = step->non_book;
    if (to != BOOK_GRAPH_NONE)
        step->non_book = graph->nodes[to].next;
    return to;
}

static void step_into(struct visit *visit, uint32_t to)
{
    const struct book_node *node = &visit->graph->nodes[to];
    visit->line[visit->plies++] = node->via;
    struct step *step = &visit->steps[visit->plies];
    *step = (struct step){.node = to, .non_book = node->child};
    position_make(&visit->pos, node->via, &step->undo);
}

static void step_back(struct visit *visit)
{
    struct step *step = &visit->steps[visit->plies];
    position_unmake(&visit->pos, visit->graph->nodes[step->node].via, &step->undo);
    visit->plies--;
}

static uint32_t find_root(const struct book_graph *graph, uint32_t root)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].parent == BOOK_GRAPH_NONE && graph->nodes[i].root == root)
            return i;
    return BOOK_GRAPH_NONE;
}

static void visit_from(struct visit *visit, uint32_t at, book_visitor visitor, void *context)
{
    visit->steps[0] = (struct step){.node = at, .non_book = visit->graph->nodes[at].child};
    while (at != BOOK_GRAPH_NONE) {
        visitor(context, &(struct book_stop){at, &visit->pos, visit->line, visit->plies});
        while ((at = next_child(visit)) == BOOK_GRAPH_NONE && visit->plies > 0)
            step_back(visit);
        if (at != BOOK_GRAPH_NONE)
            step_into(visit, at);
    }
}

enum caxton_status book_graph_visit(const struct book_graph *graph, uint32_t root,
                                    book_visitor visitor, void *context)
{
    uint32_t at = find_root(graph, root);
    struct visit *visit = malloc(sizeof *visit);
    if (!visit)
        return STATUS_NO_MEMORY;
    visit->graph = graph;
    visit->plies = 0;
    if (at != BOOK_GRAPH_NONE) {
        visit->pos = graph->roots[root];
        visit_from(visit, at, visitor, context);
    }
    free(visit);
    return STATUS_OK;
}

bool book_graph_next_unreached(const struct book_graph *graph, const struct entry_table *table,
                               size_t *first, size_t *count)
{
    for (size_t end; *first < table->count; *first = end) {
        uint64_t key = entry_table_at(table, *first).key;
        for (end = *first + 1; end < table->count; end++)
            if (entry_table_at(table, end).key != key)
                break;
        *count = end - *first;
        if (!(graph->reached[*first / 8] & 1 << *first % 8))
            return true;
    }
    return false;
}
