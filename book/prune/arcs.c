#include "book/prune/arcs.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/polyglot_entry.h"
#include "book/prune/by_hand.h"

/* What arcs are made of. */
struct maker {
    struct arcs *arcs;
    const struct book_graph *graph;
    const struct prune_options *options;
};

static bool is_never(const struct maker *maker, uint64_t key, move m)
{
    return maker->options->override_count > 0 &&
           by_hand_is_never(maker->options, key, polyglot_from_move(m));
}

static enum caxton_status add(struct arcs *arcs, struct arc arc)
{
    if (!ARRAY_GROW(arcs->list, arcs->capacity, arcs->count + 1))
        return STATUS_NO_MEMORY;
    arcs->list[arcs->count++] = arc;
    return STATUS_OK;
}

/* All legal moves of `pos` that come to a position of the book. edge: the move of the book before
 * them. */
static enum caxton_status add_replies(const struct maker *maker, const struct position *pos,
                                      uint32_t edge)
{
    const struct book_graph *graph = maker->graph;
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        uint32_t to = book_graph_find(graph, position_behind(pos, moves[i]).key);
        if (to != BOOK_GRAPH_NONE && graph->nodes[to].count > 0 &&
            !is_never(maker, pos->key, moves[i]))
            status = add(maker->arcs, (struct arc){.to = to,
                                                   .edge = edge,
                                                   .replies = (uint32_t)count,
                                                   .plies = edge == BOOK_GRAPH_NONE ? 1 : 2});
    }
    return status;
}

static enum caxton_status add_node(const struct maker *maker, uint32_t at)
{
    struct arcs *arcs = maker->arcs;
    const struct book_graph *graph = maker->graph;
    const struct book_node *node = &graph->nodes[at];
    struct position pos;
    enum caxton_status status = STATUS_OK;
    book_graph_position(graph, at, &pos, NULL);
    if (node->count == 0)
        return add_replies(maker, &pos, BOOK_GRAPH_NONE);
    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        uint32_t edge = node->first + i;
        uint32_t to = graph->edges[edge].to;
        struct position after = position_behind(&pos, graph->edges[edge].move);
        if (to != BOOK_GRAPH_NONE)
            status = add(arcs, (struct arc){.to = to, .edge = edge, .plies = 1});
        else
            status = add_replies(maker, &after, edge);
    }
    /* Moves that the book does not know, to positions that it knows: nobody plays them by it. */
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE && status == STATUS_OK;
         to = graph->nodes[to].next)
        if (!is_never(maker, node->key, graph->nodes[to].via))
            status = add(arcs, (struct arc){.to = to, .edge = BOOK_GRAPH_NONE, .plies = 1});
    return status;
}

enum caxton_status arcs_make(const struct book_graph *graph, const struct prune_options *options,
                             struct arcs *out)
{
    const struct maker maker = {.arcs = out, .graph = graph, .options = options};
    *out = (struct arcs){.first = malloc((graph->node_count + 1) * sizeof *out->first)};
    enum caxton_status status = out->first ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < graph->node_count && status == STATUS_OK; i++) {
        out->first[i] = out->count;
        status = add_node(&maker, (uint32_t)i);
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
