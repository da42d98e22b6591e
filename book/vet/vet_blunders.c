/* Moves that lose at once: suspects by a cheap search of everything, confirmed by deeper ones. */
#include <stdlib.h>

#include "book/vet/vet_internal.h"

/* Half of the margin makes a suspect, or keeps it. */
enum { SUSPECT_PART = 2 };

static enum caxton_status scan(struct vet *vet, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < vet->leaf_end && status == STATUS_OK; i++)
        status = vet_map_want(&vet->map, i, vet->options.scan);
    return status == STATUS_OK ? vet_search(vet, "a first look", vet->options.scan, diag) : status;
}

/* What the position is worth by the search of it, or by that of the best move of the book. */
static int best_score(const struct vet *vet, uint32_t node)
{
    const struct book_node *at = &vet->options.graph->nodes[node];
    int best = vet->map.places[node].score_cp;
    for (uint32_t e = at->first; e < at->first + at->count; e++) {
        int score = vet_map_edge_score(&vet->map, e);
        best = score > best ? score : best;
    }
    return best;
}

static enum caxton_status suspect(struct vet *vet, struct vet_suspects *suspects)
{
    const struct book_graph *graph = vet->options.graph;
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < graph->node_count && status == STATUS_OK; i++) {
        const struct book_node *node = &graph->nodes[i];
        int best = best_score(vet, i);
        for (uint32_t e = node->first; e < node->first + node->count && status == STATUS_OK; e++)
            if (vet_is_looked_at(vet, i, e) &&
                vet_loss(best, vet_map_edge_score(&vet->map, e)) * SUSPECT_PART >=
                    vet->options.margin_cp)
                status = vet_add_suspect(suspects, &(struct vet_suspect){.node = i, .edge = e});
    }
    return status;
}

/* The positions of the suspects, then what is behind each and behind the best move. */
static enum caxton_status search_suspects(struct vet *vet, struct vet_suspects *suspects,
                                          struct search_limit limit, struct diag *diag)
{
    struct vet_map *map = &vet->map;
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < suspects->count && status == STATUS_OK; i++)
        if (suspects->list[i].open)
            status = vet_map_want(map, suspects->list[i].node, limit);
    if (status == STATUS_OK)
        status = vet_search(vet, "suspects", limit, diag);
    for (size_t i = 0; i < suspects->count && status == STATUS_OK; i++) {
        const struct vet_suspect *at = &suspects->list[i];
        uint32_t better;
        if (!at->open)
            continue;
        status = vet_map_behind(map, at->node, map->places[at->node].best, &better);
        if (status == STATUS_OK)
            status = vet_map_want(map, better, limit);
        if (status == STATUS_OK)
            status = vet_map_want(map, map->behind[at->edge], limit);
    }
    return status == STATUS_OK ? vet_search(vet, "suspects", limit, diag) : status;
}

/* What the searches say of one: the loss. The better move counts what the lower of two searches
 * says, that of the position and that of what is behind the move. */
static enum caxton_status judge(struct vet *vet, struct vet_suspect *suspect, int *loss_cp)
{
    const struct vet_place *place = &vet->map.places[suspect->node];
    int before = place->score_cp;
    uint32_t better;
    suspect->better = place->best;
    enum caxton_status status = vet_map_behind(&vet->map, suspect->node, suspect->better, &better);
    if (status != STATUS_OK)
        return status;
    int behind = -vet->map.places[better].score_cp;
    suspect->score_cp = vet_map_edge_score(&vet->map, suspect->edge);
    suspect->better_cp = behind < before ? behind : before;
    *loss_cp = vet_loss(suspect->better_cp, suspect->score_cp);
    return STATUS_OK;
}

/* The last search confirms what loses the margin: before it sacrifices look like blunders. The
 * others only clear what loses less than half. */
static enum caxton_status decide(struct vet *vet, struct vet_suspect *suspect, int rung)
{
    bool is_last = rung == vet->options.confirms - 1;
    int margin = vet->options.margin_cp;
    int loss;
    enum caxton_status status = judge(vet, suspect, &loss);
    if (status != STATUS_OK)
        return status;
    bool is_same = suspect->better == vet->options.graph->edges[suspect->edge].move;
    suspect->open = !is_same && !is_last && loss * SUSPECT_PART >= margin;
    if (is_last && !is_same && loss >= margin)
        status = vet_add_finding(vet, VET_BLUNDER, suspect, vet->options.confirm[rung].value);
    return status;
}

enum caxton_status vet_find_blunders(struct vet *vet, struct diag *diag)
{
    struct vet_suspects suspects = {.count = 0};
    enum caxton_status status = scan(vet, diag);
    if (status == STATUS_OK)
        status = suspect(vet, &suspects);
    vet->counts.suspects = suspects.count;
    for (int rung = 0; rung < vet->options.confirms && status == STATUS_OK; rung++) {
        status = search_suspects(vet, &suspects, vet->options.confirm[rung], diag);
        for (size_t i = 0; i < suspects.count && status == STATUS_OK; i++)
            if (suspects.list[i].open)
                status = decide(vet, &suspects.list[i], rung);
    }
    free(suspects.list);
    return status;
}
