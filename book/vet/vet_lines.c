/* Moves that lose by what lies behind them: scores of leaves, backed up. */
#include <stdlib.h>

#include "book/vet/vet_internal.h"

/* How often a line is looked for anew at one limit: searches change which it is. */
enum { ROUNDS = 4 };

static enum caxton_status search_all(struct vet *vet, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < vet->leaf_end && status == STATUS_OK; i++)
        status = vet_map_want(&vet->map, i, vet->options.leaves);
    if (status == STATUS_OK)
        status = vet_search(vet, "leaves", vet->options.leaves, diag);
    vet_map_back_up(&vet->map);
    return status;
}

static int loss_of(const struct vet *vet, uint32_t node, uint32_t edge)
{
    return vet_loss(vet->map.places[node].value_cp, vet_map_edge_value(&vet->map, edge));
}

static enum caxton_status suspect(struct vet *vet, struct vet_suspects *suspects)
{
    const struct book_graph *graph = vet->options.graph;
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < graph->node_count && status == STATUS_OK; i++) {
        const struct book_node *node = &graph->nodes[i];
        for (uint32_t e = node->first; e < node->first + node->count && status == STATUS_OK; e++)
            if (vet_is_looked_at(vet, i, e) && loss_of(vet, i, e) >= vet->options.margin_cp)
                status = vet_add_suspect(suspects, &(struct vet_suspect){.node = i, .edge = e});
    }
    return status;
}

/* The place behind the move that a node's value comes from, VET_NONE where the line ends. */
static uint32_t next_of_line(const struct vet *vet, uint32_t at)
{
    const struct book_graph *graph = vet->options.graph;
    if (at >= graph->node_count || vet->map.places[at].line == MOVE_NONE)
        return VET_NONE;
    move line = vet->map.places[at].line;
    const struct book_node *node = &graph->nodes[at];
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        if (graph->edges[e].move == line)
            return vet->map.closes[e] ? VET_NONE : vet->map.behind[e];
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE; to = graph->nodes[to].next)
        if (graph->nodes[to].via == line)
            return vet->map.returns[to] ? VET_NONE : to;
    return VET_NONE;
}

static enum caxton_status want_line(struct vet *vet, uint32_t at, struct search_limit limit)
{
    enum caxton_status status = STATUS_OK;
    for (; at != VET_NONE && status == STATUS_OK; at = next_of_line(vet, at))
        status = vet_map_want(&vet->map, at, limit);
    return status;
}

/* Searches the lines that the values come from, of the suspects and of what is better. */
static enum caxton_status search_lines(struct vet *vet, const struct vet_suspects *suspects,
                                       struct search_limit limit, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int round = 0; round < ROUNDS && status == STATUS_OK; round++) {
        for (size_t i = 0; i < suspects->count && status == STATUS_OK; i++) {
            const struct vet_suspect *at = &suspects->list[i];
            if (at->open)
                status = want_line(vet, at->node, limit);
            if (at->open && status == STATUS_OK)
                status = want_line(vet, vet->map.behind[at->edge], limit);
        }
        if (vet->map.wanted_count == 0)
            break;
        if (status == STATUS_OK)
            status = vet_search(vet, "losing lines", limit, diag);
        vet_map_back_up(&vet->map);
    }
    return status;
}

static enum caxton_status confirm(struct vet *vet, struct vet_suspect *suspect)
{
    const struct vet_place *place = &vet->map.places[suspect->node];
    suspect->better = place->line == MOVE_NONE ? place->best : place->line;
    suspect->better_cp = place->value_cp;
    suspect->score_cp = vet_map_edge_value(&vet->map, suspect->edge);
    return vet_add_finding(vet, VET_LINE, suspect,
                           vet->options.confirm[vet->options.confirms - 1].value);
}

enum caxton_status vet_find_lines(struct vet *vet, struct diag *diag)
{
    struct vet_suspects suspects = {.count = 0};
    enum caxton_status status = search_all(vet, diag);
    if (status == STATUS_OK)
        status = suspect(vet, &suspects);
    vet->counts.suspects += suspects.count;
    for (int rung = 0; rung < vet->options.confirms && status == STATUS_OK; rung++) {
        status = search_lines(vet, &suspects, vet->options.confirm[rung], diag);
        for (size_t i = 0; i < suspects.count && status == STATUS_OK; i++) {
            struct vet_suspect *at = &suspects.list[i];
            at->open &= loss_of(vet, at->node, at->edge) >= vet->options.margin_cp;
        }
    }
    for (size_t i = 0; i < suspects.count && status == STATUS_OK; i++)
        if (suspects.list[i].open)
            status = confirm(vet, &suspects.list[i]);
    free(suspects.list);
    return status;
}
