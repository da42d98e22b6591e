/* What is behind the moves that were found: leaves that are bad, and how probable all of it is. */
#include <stdlib.h>

#include "book/vet/vet_internal.h"

enum { DRIFT_PART = 2 };

/* The edge of a move of the book, BOOK_GRAPH_NONE for others. */
static uint32_t edge_of(const struct book_graph *graph, uint32_t node, move m)
{
    const struct book_node *at = &graph->nodes[node];
    for (uint32_t e = at->first; e < at->first + at->count; e++)
        if (graph->edges[e].move == m)
            return e;
    return BOOK_GRAPH_NONE;
}

/* Where `side` lost most on the shortest line to the leaf, the earliest of such moves; nowhere if
 * it lost less than half of the margin. */
static struct vet_suspect find_culprit(const struct vet *vet, uint32_t leaf, int side)
{
    const struct book_graph *graph = vet->options.graph;
    struct vet_suspect worst = {.edge = BOOK_GRAPH_NONE};
    move via = vet->map.places[leaf].via;
    int most = (vet->options.margin_cp + DRIFT_PART - 1) / DRIFT_PART;
    for (uint32_t at = vet->map.places[leaf].parent; at != BOOK_GRAPH_NONE;) {
        uint32_t edge = edge_of(graph, at, via);
        const struct vet_place *place = &vet->map.places[at];
        if (vet_turn(vet, at) == side && edge != BOOK_GRAPH_NONE && graph->edges[edge].weight) {
            int value = vet_map_edge_value(&vet->map, edge);
            int loss = vet_loss(place->value_cp, value);
            if (loss >= most) {
                most = loss;
                worst = (struct vet_suspect){.node = at,
                                             .edge = edge,
                                             .better = place->line == MOVE_NONE ? place->best
                                                                                : place->line,
                                             .score_cp = value,
                                             .better_cp = place->value_cp};
            }
        }
        via = graph->nodes[at].via;
        at = graph->nodes[at].parent;
    }
    return worst;
}

/* By place: does a move that the book plays lead there? The caller frees it. */
static bool *find_played(const struct vet *vet)
{
    const struct book_graph *graph = vet->options.graph;
    bool *played = calloc(vet->leaf_end + 1, sizeof *played);
    for (size_t e = 0; played && e < graph->edge_count; e++)
        if (graph->edges[e].weight > 0)
            played[vet->map.behind[e]] = true;
    return played;
}

enum caxton_status vet_blame(struct vet *vet)
{
    const struct book_graph *graph = vet->options.graph;
    static const enum vet_sides sides[] = {[WHITE] = VET_WHITE, [BLACK] = VET_BLACK};
    uint32_t *bad = calloc(graph->edge_count + 1, sizeof *bad);
    bool *played = find_played(vet);
    enum caxton_status status = bad && played ? STATUS_OK : STATUS_NO_MEMORY;
    for (uint32_t i = (uint32_t)graph->node_count; i < vet->leaf_end && status == STATUS_OK; i++) {
        const struct vet_place *leaf = &vet->map.places[i];
        int turn = !vet_turn(vet, leaf->parent);
        int side = leaf->score_cp < 0 ? turn : !turn;
        if (!played[i] || abs(leaf->score_cp) < vet->options.margin_cp ||
            (vet->options.side != VET_BOTH && vet->options.side != sides[side]))
            continue;
        vet->counts.bad_leaves++;
        const struct vet_suspect culprit = find_culprit(vet, i, side);
        vet->counts.unblamed += culprit.edge == BOOK_GRAPH_NONE;
        if (culprit.edge == BOOK_GRAPH_NONE)
            continue;
        bad[culprit.edge]++;
        if (!vet->found[culprit.edge])
            status = vet_add_finding(vet, VET_DRIFT, &culprit, vet->options.leaves.value);
    }
    for (size_t i = 0; i < vet->count && status == STATUS_OK; i++)
        vet->findings[i].bad = bad[vet->findings[i].edge];
    free(bad);
    free(played);
    return status;
}

/* By node: how many leaves hang below it by their shortest lines. */
static void count_leaves(const struct vet *vet, uint32_t *leaves)
{
    const struct book_graph *graph = vet->options.graph;
    for (size_t i = graph->node_count; i < vet->leaf_end; i++)
        leaves[vet->map.places[i].parent]++;
    for (size_t i = graph->node_count; i-- > 0;)
        if (graph->nodes[i].parent != BOOK_GRAPH_NONE)
            leaves[graph->nodes[i].parent] += leaves[i];
}

static uint64_t weight_of(const struct book_graph *graph, const struct book_node *node)
{
    uint64_t sum = 0;
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        sum += graph->edges[e].weight;
    return sum;
}

/* Hands the probability of a node on to what is behind its moves: by weight, or where the book has
 * none to play, alike to where non-book moves lead. */
static void hand_on(const struct vet *vet, uint32_t at, double *reach)
{
    const struct book_graph *graph = vet->options.graph;
    const struct book_node *node = &graph->nodes[at];
    uint64_t sum = weight_of(graph, node);
    size_t others = 0;
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        if (graph->edges[e].to != BOOK_GRAPH_NONE && !vet->map.closes[e] && sum)
            reach[graph->edges[e].to] += reach[at] * (double)graph->edges[e].weight / (double)sum;
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE; to = graph->nodes[to].next)
        others += !vet->map.returns[to];
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE && !sum; to = graph->nodes[to].next)
        if (!vet->map.returns[to])
            reach[to] += reach[at] / (double)others;
}

static bool is_live_root(const struct book_node *node)
{
    return node->parent == BOOK_GRAPH_NONE && (node->count > 0 || node->child != BOOK_GRAPH_NONE);
}

/* By node: how probably a game comes to it. Roots from which lines lead are alike. */
static void find_reach(const struct vet *vet, double *reach)
{
    const struct book_graph *graph = vet->options.graph;
    size_t roots = 0;
    for (size_t i = 0; i < graph->node_count; i++)
        roots += is_live_root(&graph->nodes[i]);
    for (size_t i = 0; i < graph->node_count; i++)
        if (is_live_root(&graph->nodes[i]))
            reach[i] = 1 / (double)roots;
    for (size_t i = graph->node_count; i-- > 0;)
        hand_on(vet, vet->map.order[i], reach);
}

static void weigh(const struct vet *vet, struct vet_finding *finding, const uint32_t *leaves,
                  const double *reach)
{
    const struct book_graph *graph = vet->options.graph;
    const struct book_edge *edge = &graph->edges[finding->edge];
    const struct book_node *node = &graph->nodes[finding->node];
    uint64_t sum = weight_of(graph, node);
    finding->share_permille = (int)(((uint64_t)edge->weight * 1000 + sum / 2) / sum);
    finding->reach = reach[finding->node] * (double)edge->weight / (double)sum;
    if (edge->to == BOOK_GRAPH_NONE)
        finding->leaves = vet->map.places[vet->map.behind[finding->edge]].parent == finding->node;
    else if (graph->nodes[edge->to].parent == finding->node &&
             graph->nodes[edge->to].via == edge->move)
        finding->leaves = leaves[edge->to];
}

enum caxton_status vet_weigh_findings(struct vet *vet)
{
    size_t nodes = vet->options.graph->node_count;
    uint32_t *leaves = calloc(nodes + 1, sizeof *leaves);
    double *reach = calloc(nodes + 1, sizeof *reach);
    bool enough = leaves && reach;
    if (enough) {
        count_leaves(vet, leaves);
        find_reach(vet, reach);
        for (size_t i = 0; i < vet->count; i++)
            weigh(vet, &vet->findings[i], leaves, reach);
    }
    free(leaves);
    free(reach);
    return enough ? STATUS_OK : STATUS_NO_MEMORY;
}
