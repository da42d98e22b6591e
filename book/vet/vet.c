#include "book/vet/vet.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/vet/vet_internal.h"

enum caxton_status vet_create(const struct vet_options *options, struct scorer *scorer,
                              struct vet **out)
{
    struct vet *vet = calloc(1, sizeof *vet);
    if (!vet)
        return STATUS_NO_MEMORY;
    const struct book_graph *graph = options->graph;
    vet->options = *options;
    vet->scorer = scorer;
    vet->found = calloc(graph->edge_count + 1, sizeof *vet->found);
    enum caxton_status status = vet->found ? vet_map_create(graph, &vet->map) : STATUS_NO_MEMORY;
    if (status != STATUS_OK) {
        vet_destroy(vet);
        return status;
    }
    vet->leaf_end = vet->map.count;
    vet->map.progress = options->progress;
    vet->map.context = options->context;
    vet->counts.stage = "";
    vet->counts.positions = graph->node_count;
    vet->counts.leaves = vet->leaf_end - graph->node_count;
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t e = 0; e < graph->nodes[i].count; e++)
            vet->counts.moves += vet_is_looked_at(vet, i, graph->nodes[i].first + e);
    *out = vet;
    return STATUS_OK;
}

void vet_destroy(struct vet *vet)
{
    if (!vet)
        return;
    vet_map_destroy(&vet->map);
    free(vet->findings);
    free(vet->found);
    free(vet);
}

struct vet_counts vet_counts(const struct vet *vet)
{
    struct vet_counts counts = vet->counts;
    counts.done = vet->map.finished + vet->map.answered;
    return counts;
}

const struct vet_finding *vet_findings(const struct vet *vet, size_t *count)
{
    *count = vet->count;
    return vet->findings;
}

int vet_turn(const struct vet *vet, uint32_t node)
{
    const struct book_graph *graph = vet->options.graph;
    const struct book_node *at = &graph->nodes[node];
    return graph->roots[at->root].turn ^ (int)(at->ply & 1);
}

bool vet_is_looked_at(const struct vet *vet, uint32_t node, uint32_t edge)
{
    static const int turns[] = {[VET_WHITE] = WHITE, [VET_BLACK] = BLACK};
    if (vet->options.graph->edges[edge].weight == 0 || vet->found[edge])
        return false;
    return vet->options.side == VET_BOTH || vet_turn(vet, node) == turns[vet->options.side];
}

enum caxton_status vet_search(struct vet *vet, const char *stage, struct search_limit limit,
                              struct diag *diag)
{
    vet->counts.stage = stage;
    vet->counts.total = vet->map.wanted_count;
    return vet_map_search(&vet->map, vet->scorer, limit, diag);
}

enum caxton_status vet_add_suspect(struct vet_suspects *suspects, const struct vet_suspect *suspect)
{
    if (!ARRAY_GROW(suspects->list, suspects->capacity, suspects->count + 1))
        return STATUS_NO_MEMORY;
    suspects->list[suspects->count] = *suspect;
    suspects->list[suspects->count++].open = true;
    return STATUS_OK;
}

enum caxton_status vet_add_finding(struct vet *vet, enum vet_kind kind,
                                   const struct vet_suspect *suspect, uint64_t effort)
{
    if (!ARRAY_GROW(vet->findings, vet->capacity, vet->count + 1))
        return STATUS_NO_MEMORY;
    int mate = -vet->map.places[vet->map.behind[suspect->edge]].mate;
    int better = vet->map.places[suspect->node].mate;
    vet->findings[vet->count++] =
        (struct vet_finding){.kind = kind,
                             .mate = suspect->score_cp == -VET_CP_MAX ? mate : 0,
                             .better_mate = suspect->better_cp == VET_CP_MAX ? better : 0,
                             .node = suspect->node,
                             .edge = suspect->edge,
                             .better = suspect->better,
                             .score_cp = suspect->score_cp,
                             .better_cp = suspect->better_cp,
                             .effort = effort};
    vet->found[suspect->edge] = true;
    return STATUS_OK;
}

static int compare_findings(const void *left, const void *right)
{
    const struct vet_finding *a = left;
    const struct vet_finding *b = right;
    double cost_a = a->reach * vet_loss(a->better_cp, a->score_cp);
    double cost_b = b->reach * vet_loss(b->better_cp, b->score_cp);
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (cost_a != cost_b)
        return cost_a > cost_b ? -1 : 1;
    return a->edge < b->edge ? -1 : a->edge > b->edge;
}

enum caxton_status vet_run(struct vet *vet, struct diag *diag)
{
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = vet_find_blunders(vet, diag);
    if (status == STATUS_OK && !vet->options.at_once)
        status = vet_find_lines(vet, diag);
    if (status == STATUS_OK && !vet->options.at_once)
        status = vet_blame(vet);
    bool usable = status == STATUS_OK || status == STATUS_END; /* stopped: what is found so far */
    if (usable && vet_weigh_findings(vet) != STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (usable && vet->count > 0)
        qsort(vet->findings, vet->count, sizeof *vet->findings, compare_findings);
    for (size_t i = 0; i < vet->count; i++) {
        vet->counts.blunders += vet->findings[i].kind == VET_BLUNDER;
        vet->counts.lines += vet->findings[i].kind == VET_LINE;
    }
    return status;
}
