#include "book/prune/arcs.h"

#include <stdlib.h>

#include "base/array.h"

static enum caxton_status add(struct arcs *arcs, struct arc arc)
{
    if (!ARRAY_GROW(arcs->list, arcs->capacity, arcs->count + 1))
        return STATUS_NO_MEMORY;
    arcs->list[arcs->count++] = arc;
    return STATUS_OK;
}

/* All legal moves of `pos` that come to a position of the book. edge: the move of the book before
 * them. */
static enum caxton_status add_replies(struct arcs *arcs, const struct book_graph *graph,
                                      const struct position *pos, uint32_t edge)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        uint32_t to = book_graph_find(graph, position_behind(pos, moves[i]).key);
        if (to != BOOK_GRAPH_NONE && graph->nodes[to].count > 0)
            status = add(arcs, (struct arc){.to = to,
                                            .edge = edge,
                                            .replies = (uint32_t)count,
                                            .plies = edge == BOOK_GRAPH_NONE ? 1 : 2});
    }
    return status;
}

static enum caxton_status add_node(struct arcs *arcs, const struct book_graph *graph, uint32_t at)
{
    const struct book_node *node = &graph->nodes[at];
    struct position pos;
    enum caxton_status status = STATUS_OK;
    book_graph_position(graph, at, &pos, NULL);
    if (node->count == 0)
        return add_replies(arcs, graph, &pos, BOOK_GRAPH_NONE);
    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        uint32_t edge = node->first + i;
        uint32_t to = graph->edges[edge].to;
        struct position after = position_behind(&pos, graph->edges[edge].move);
        if (to != BOOK_GRAPH_NONE)
            status = add(arcs, (struct arc){.to = to, .edge = edge, .plies = 1});
        else
            status = add_replies(arcs, graph, &after, edge);
    }
    /* Moves that the book does not know, to positions that it knows: nobody plays them by it. */
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE && status == STATUS_OK;
         to = graph->nodes[to].next)
        status = add(arcs, (struct arc){.to = to, .edge = BOOK_GRAPH_NONE, .plies = 1});
    return status;
}

enum caxton_status arcs_make(const struct book_graph *graph, struct arcs *out)
{
    *out = (struct arcs){.first = malloc((graph->node_count + 1) * sizeof *out->first)};
    enum caxton_status status = out->first ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < graph->node_count && status == STATUS_OK; i++) {
        out->first[i] = out->count;
        status = add_node(out, graph, (uint32_t)i);
    }
    if (status == STATUS_OK)
        out->first[graph->node_count] = out->count;
    return status;
}

void arcs_free(struct arcs *arcs)
{
    free(arcs->list);
    free(arcs->first);
    *arcs = (struct arcs){0};
}
