#include "book/vet/vet.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/polyglot_entry.h"

struct vet {
    struct vet_options options;
    struct scorer *scorer;
    struct vet_map map;
    size_t leaf_end; /* places from the last node to here are leaves */
    struct vet_finding *findings;
    size_t count;
    size_t capacity;
    bool *found; /* by edge: a finding */
    struct vet_counts counts;
};

/* A move that may be a blunder, and what the deepest searches so far say. */
struct vet_suspect {
    uint32_t node;
    uint32_t edge;
    move better;
    int score_cp;
    int better_cp;
    bool open; /* neither confirmed nor cleared */
};

struct vet_suspects {
    struct vet_suspect *list;
    size_t count;
    size_t capacity;
};

/* Moves that lose at once: suspects by a cheap search of everything, confirmed by deeper ones. */

/* Half of the margin makes a suspect, or keeps it. */
enum { SUSPECT_PART = 2 };

/* Searches what is wanted, with that name for the stage. */
static enum caxton_status vet_search(struct vet *vet, const char *stage, struct search_limit limit,
                                     struct diag *diag)
{
    vet->counts.stage = stage;
    vet->counts.total = vet->map.wanted_count;
    return vet_map_search(&vet->map, vet->scorer, limit, diag);
}

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

/* Is it a move that the book plays, of a side that is looked at, and not found yet? */
static bool vet_is_looked_at(const struct vet *vet, uint32_t node, uint32_t edge)
{
    static const int turns[] = {[VET_WHITE] = WHITE, [VET_BLACK] = BLACK};
    if (vet->options.graph->edges[edge].weight == 0 || vet->found[edge])
        return false;
    return vet->options.side == VET_BOTH ||
           book_graph_turn(vet->options.graph, node) == turns[vet->options.side];
}

static enum caxton_status vet_add_suspect(struct vet_suspects *suspects,
                                          const struct vet_suspect *suspect)
{
    if (!ARRAY_GROW(suspects->list, suspects->capacity, suspects->count + 1))
        return STATUS_NO_MEMORY;
    suspects->list[suspects->count] = *suspect;
    suspects->list[suspects->count++].open = true;
    return STATUS_OK;
}

static enum caxton_status suspect_blunders(struct vet *vet, struct vet_suspects *suspects)
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

static enum caxton_status vet_add_finding(struct vet *vet, enum vet_kind kind,
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

/* The last search confirms what loses the margin: before it sacrifices look like blunders. The
 * others only clear what loses less than half. */
static enum caxton_status decide(struct vet *vet, struct vet_suspect *suspect, int step)
{
    bool is_last = step == vet->options.confirms - 1;
    int margin = vet->options.margin_cp;
    int loss;
    enum caxton_status status = judge(vet, suspect, &loss);
    if (status != STATUS_OK)
        return status;
    bool is_same = suspect->better == vet->options.graph->edges[suspect->edge].move;
    suspect->open = !is_same && !is_last && loss * SUSPECT_PART >= margin;
    if (is_last && !is_same && loss >= margin)
        status = vet_add_finding(vet, VET_BLUNDER, suspect, vet->options.confirm[step].value);
    return status;
}

/* The three parts. */
static enum caxton_status vet_find_blunders(struct vet *vet, struct diag *diag)
{
    struct vet_suspects suspects = {.count = 0};
    enum caxton_status status = scan(vet, diag);
    if (status == STATUS_OK)
        status = suspect_blunders(vet, &suspects);
    vet->counts.suspects = suspects.count;
    for (int step = 0; step < vet->options.confirms && status == STATUS_OK; step++) {
        status = search_suspects(vet, &suspects, vet->options.confirm[step], diag);
        for (size_t i = 0; i < suspects.count && status == STATUS_OK; i++)
            if (suspects.list[i].open)
                status = decide(vet, &suspects.list[i], step);
    }
    free(suspects.list);
    return status;
}

/* Moves that lose by what lies behind them: scores of leaves, backed up. */

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

static enum caxton_status suspect_lines(struct vet *vet, struct vet_suspects *suspects)
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
    uint32_t edge = book_graph_edge(graph, at, line);
    if (edge != BOOK_GRAPH_NONE)
        return vet->map.closes[edge] ? VET_NONE : vet->map.behind[edge];
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

static enum caxton_status vet_find_lines(struct vet *vet, struct diag *diag)
{
    struct vet_suspects suspects = {.count = 0};
    enum caxton_status status = search_all(vet, diag);
    if (status == STATUS_OK)
        status = suspect_lines(vet, &suspects);
    vet->counts.suspects += suspects.count;
    for (int step = 0; step < vet->options.confirms && status == STATUS_OK; step++) {
        status = search_lines(vet, &suspects, vet->options.confirm[step], diag);
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

/* What is behind the moves that were found: leaves that are bad, and how probable all of it is. */

enum { DRIFT_PART = 2 };

/* Where `side` lost most on the shortest line to the leaf, the earliest of such moves; nowhere if
 * it lost less than half of the margin. */
static struct vet_suspect find_culprit(const struct vet *vet, uint32_t leaf, int side)
{
    const struct book_graph *graph = vet->options.graph;
    struct vet_suspect worst = {.edge = BOOK_GRAPH_NONE};
    move via = vet->map.places[leaf].via;
    int most = (vet->options.margin_cp + DRIFT_PART - 1) / DRIFT_PART;
    for (uint32_t at = vet->map.places[leaf].parent; at != BOOK_GRAPH_NONE;) {
        uint32_t edge = book_graph_edge(graph, at, via);
        const struct vet_place *place = &vet->map.places[at];
        if (book_graph_turn(graph, at) == side && edge != BOOK_GRAPH_NONE &&
            graph->edges[edge].weight) {
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

static enum caxton_status vet_blame(struct vet *vet)
{
    const struct book_graph *graph = vet->options.graph;
    static const enum vet_sides sides[] = {[WHITE] = VET_WHITE, [BLACK] = VET_BLACK};
    uint32_t *bad = calloc(graph->edge_count + 1, sizeof *bad);
    bool *played = find_played(vet);
    enum caxton_status status = bad && played ? STATUS_OK : STATUS_NO_MEMORY;
    for (uint32_t i = (uint32_t)graph->node_count; i < vet->leaf_end && status == STATUS_OK; i++) {
        const struct vet_place *leaf = &vet->map.places[i];
        int turn = !book_graph_turn(graph, leaf->parent);
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

/* Fills in what a finding says of the book: leaves, share, reach. Errors: STATUS_NO_MEMORY. */
static enum caxton_status vet_weigh_findings(struct vet *vet)
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

/* What falls with moves that are taken out. ---------------------------------------------------- */

struct cut_walk {
    const struct vet_cut *cut;
    uint32_t *stack;
    size_t depth;
};

/* fallen[] is true until a walk comes to the node. */
static void come_to(struct cut_walk *walk, uint32_t node)
{
    if (node == BOOK_GRAPH_NONE || !walk->cut->fallen[node])
        return;
    walk->cut->fallen[node] = false;
    walk->stack[walk->depth++] = node;
}

/* Where the book has no moves any legal one leads on. */
static void come_to_replies(struct cut_walk *walk, const struct position *pos)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++)
        come_to(walk, book_graph_find(walk->cut->graph, position_after(pos, moves[i]).key));
}

static void go_on(struct cut_walk *walk, uint32_t at)
{
    const struct book_graph *graph = walk->cut->graph;
    const struct book_node *node = &graph->nodes[at];
    struct position pos;
    book_graph_position(graph, at, &pos, NULL);
    for (uint32_t e = node->first; e < node->first + node->count; e++) {
        const struct book_edge *edge = &graph->edges[e];
        if (walk->cut->named[e])
            continue;
        if (edge->to != BOOK_GRAPH_NONE) {
            come_to(walk, edge->to);
        } else {
            const struct position after = position_after(&pos, edge->move);
            come_to_replies(walk, &after);
        }
    }
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE; to = graph->nodes[to].next)
        come_to(walk, to);
    if (node->count == 0)
        come_to_replies(walk, &pos);
}

static enum caxton_status find_fallen(struct vet_cut *cut)
{
    size_t count = cut->graph->node_count;
    struct cut_walk walk = {.cut = cut, .stack = calloc(count + 1, sizeof *walk.stack)};
    if (!walk.stack)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        cut->fallen[i] = true;
    for (uint32_t i = 0; i < count; i++)
        if (cut->graph->nodes[i].parent == BOOK_GRAPH_NONE)
            come_to(&walk, i);
    while (walk.depth > 0)
        go_on(&walk, walk.stack[--walk.depth]);
    for (uint32_t i = 0; i < count; i++)
        cut->fallen_count += cut->fallen[i];
    free(walk.stack);
    return STATUS_OK;
}

enum caxton_status vet_cut_create(const struct book_graph *graph,
                                  const struct vet_finding *findings, size_t count,
                                  struct vet_cut *out)
{
    struct vet_cut cut = {.graph = graph,
                          .named = calloc(graph->edge_count + 1, sizeof *cut.named),
                          .fallen = calloc(graph->node_count + 1, sizeof *cut.fallen)};
    enum caxton_status status = cut.named && cut.fallen ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (findings[i].kind != VET_DRIFT) {
            cut.named[findings[i].edge] = true;
            cut.named_count++;
        }
    if (status == STATUS_OK)
        status = find_fallen(&cut);
    if (status == STATUS_OK)
        *out = cut;
    else
        vet_cut_destroy(&cut);
    return status;
}

void vet_cut_destroy(struct vet_cut *cut)
{
    free(cut->named);
    free(cut->fallen);
    *cut = (struct vet_cut){.graph = NULL};
}

static bool has_named(const struct vet_cut *cut, const struct book_node *node)
{
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        if (cut->named[e])
            return true;
    return false;
}

/* Entries may write castling in two ways, so that the move is looked at, not how it is stored. */
static bool is_named(const struct vet_cut *cut, uint32_t at, const struct book_entry *entry)
{
    const struct book_node *node = &cut->graph->nodes[at];
    struct position pos;
    if (!has_named(cut, node))
        return false;
    book_graph_position(cut->graph, at, &pos, NULL);
    move m = polyglot_to_move(&pos, entry->move);
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        if (cut->named[e] && cut->graph->edges[e].move == m)
            return true;
    return false;
}

size_t vet_cut_drop(const struct vet_cut *cut, struct entry_list *list)
{
    size_t kept = 0;
    size_t count = list->count;
    for (size_t i = 0; i < count; i++) {
        const struct book_entry *entry = &list->entries[i];
        uint32_t at = book_graph_find(cut->graph, entry->key);
        if (at == BOOK_GRAPH_NONE || !(cut->fallen[at] || is_named(cut, at, entry)))
            list->entries[kept++] = *entry;
    }
    list->count = kept;
    return count - kept;
}

size_t vet_cut_down_weight(const struct vet_cut *cut, struct entry_list *list, uint32_t divisor)
{
    size_t changed = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct book_entry *entry = &list->entries[i];
        uint32_t at = book_graph_find(cut->graph, entry->key);
        if (at == BOOK_GRAPH_NONE || entry->weight <= 1 || !is_named(cut, at, entry))
            continue;
        entry->weight = entry->weight > divisor ? entry->weight / divisor : 1;
        changed++;
    }
    return changed;
}
