#include "book/prune/lines.h"

#include <stdlib.h>
#include <string.h>

enum visit { NEW, OPEN, DONE };
enum { LEVELS = 3 }; /* this ply, and the two that an arc can lead to */

struct lines {
    const struct book_graph *graph;
    const struct prune_options *options;
    uint8_t *reasons;
    bool *reached;
    struct arcs arcs;
    uint32_t *plies;     /* of each node that is reached: moves of the shortest line */
    uint32_t *links;     /* two places of each node in lists: the next place */
    uint32_t *order;     /* of nodes */
    size_t *next;        /* of each node: the arc to be looked at */
    uint8_t *visits;     /* enum visit */
    double *probability; /* that a game gets there */
    bool *turn;          /* is Black to move? */
    bool changed;        /* a move has fallen */
};

static bool keeps_moves(const struct lines *lines, uint32_t node)
{
    const struct book_node *at = &lines->graph->nodes[node];
    for (uint32_t e = at->first; e < at->first + at->count; e++)
        if (lines->reasons[e] == PRUNE_KEPT)
            return true;
    return at->count == 0;
}

/* Moves that the book does not know lead on from positions that it knows, or never knew; not from
 * one that has lost all its moves. */
static bool is_open(const struct lines *lines, uint32_t from, const struct arc *arc)
{
    const struct book_graph *graph = lines->graph;
    bool own_only = lines->options->reachable;
    if (arc->edge == BOOK_GRAPH_NONE)
        return own_only ? graph->nodes[from].count == 0 : keeps_moves(lines, from);
    return lines->reasons[arc->edge] == PRUNE_KEPT &&
           (!own_only || graph->edges[arc->edge].weight > 0);
}

/* Do lines begin at this node? */
static bool is_start(const struct lines *lines, uint32_t at)
{
    const struct book_node *node = &lines->graph->nodes[at];
    size_t starts = lines->options->root ? 1 : lines->graph->start_count;
    return node->parent == BOOK_GRAPH_NONE && (!lines->options->reachable || node->root < starts);
}

static void drop(struct lines *lines, uint32_t node, enum prune_reason reason)
{
    const struct book_node *at = &lines->graph->nodes[node];
    for (uint32_t e = at->first; e < at->first + at->count; e++) {
        if (lines->reasons[e] != PRUNE_KEPT)
            continue;
        lines->reasons[e] = (uint8_t)reason;
        lines->changed = true;
    }
}

/* Puts the node into the list of those that lie so many plies from the start of their line. It may
 * be in a list already, of a ply more. */
static void put(struct lines *lines, uint32_t heads[LEVELS], uint32_t node, uint32_t plies)
{
    uint32_t place = 2 * node + (lines->plies[node] != UINT32_MAX);
    if (lines->plies[node] <= plies)
        return;
    lines->plies[node] = plies;
    lines->links[place] = heads[plies % LEVELS];
    heads[plies % LEVELS] = place;
}

/* A reply that the book does not know makes an arc of two plies, so nodes are taken by plies. */
static void find_plies(struct lines *lines)
{
    const struct book_graph *graph = lines->graph;
    const struct prune_options *options = lines->options;
    uint32_t heads[LEVELS] = {BOOK_GRAPH_NONE, BOOK_GRAPH_NONE, BOOK_GRAPH_NONE};
    for (uint32_t i = 0; i < graph->node_count; i++) {
        lines->reached[i] = false;
        lines->plies[i] = UINT32_MAX;
        if (is_start(lines, i))
            put(lines, heads, i, 0);
    }
    for (uint32_t ply = 0, idle = 0; idle < LEVELS; ply++) {
        uint32_t place = heads[ply % LEVELS];
        heads[ply % LEVELS] = BOOK_GRAPH_NONE;
        idle = place == BOOK_GRAPH_NONE ? idle + 1 : 0;
        for (; place != BOOK_GRAPH_NONE; place = lines->links[place]) {
            uint32_t at = place / 2;
            if (lines->reached[at])
                continue;
            lines->reached[at] = true;
            if (options->max_plies > 0 && ply >= options->max_plies)
                drop(lines, at, PRUNE_DEPTH);
            for (size_t a = lines->arcs.first[at]; a < lines->arcs.first[at + 1]; a++) {
                const struct arc *arc = &lines->arcs.list[a];
                if (is_open(lines, at, arc))
                    put(lines, heads, arc->to, ply + arc->plies);
            }
        }
    }
}

/* The share of games that take the arc from its node. sum: of the weights that stay there. */
static double arc_share(const struct lines *lines, uint32_t node, const struct arc *arc, double sum)
{
    if (arc->edge == BOOK_GRAPH_NONE)
        return arc->replies ? 1 / (double)arc->replies : 0;
    double weight = lines->graph->edges[arc->edge].weight;
    double share = weight > 0 ? weight / sum : 0;
    if (weight > 0 && lines->options->own[lines->turn[node]])
        share = 1;
    return arc->replies ? share / (double)arc->replies : share;
}

static double weight_sum(const struct lines *lines, uint32_t node)
{
    const struct book_node *at = &lines->graph->nodes[node];
    double sum = 0; /* of whole numbers: exact */
    for (uint32_t e = at->first; e < at->first + at->count; e++)
        if (lines->reasons[e] == PRUNE_KEPT)
            sum += lines->graph->edges[e].weight;
    return sum;
}

/* Depth first from `root`; nodes go into order[] when all behind them is there, from the end.
 * Returns where the order begins. */
static size_t order_from(struct lines *lines, uint32_t root, uint32_t *stack, size_t begin)
{
    size_t depth = 0;
    stack[depth++] = root;
    lines->visits[root] = OPEN;
    lines->next[root] = lines->arcs.first[root];
    while (depth > 0) {
        uint32_t at = stack[depth - 1];
        if (lines->next[at] == lines->arcs.first[at + 1]) {
            lines->visits[at] = DONE;
            lines->order[--begin] = at;
            depth--;
            continue;
        }
        const struct arc *arc = &lines->arcs.list[lines->next[at]++];
        if (is_open(lines, at, arc) && lines->visits[arc->to] == NEW) {
            lines->visits[arc->to] = OPEN;
            lines->next[arc->to] = lines->arcs.first[arc->to];
            stack[depth++] = arc->to;
        }
    }
    return begin;
}

/* What comes later in the order is behind; a move that leads back closes a cycle, and counts
 * nothing: engines do not repeat positions from a book. place: room for a number a node. */
static void spread(struct lines *lines, size_t begin, uint32_t *place)
{
    size_t count = lines->graph->node_count;
    for (size_t i = begin; i < count; i++) {
        place[lines->order[i]] = (uint32_t)i;
        lines->visits[lines->order[i]] = is_start(lines, lines->order[i]) ? OPEN : NEW;
    }
    for (size_t i = begin; i < count; i++) {
        uint32_t at = lines->order[i];
        double probability = lines->probability[at];
        if (lines->visits[at] == NEW)
            continue; /* all lines to it have just been cut */
        if (probability < lines->options->min_reach) {
            drop(lines, at, PRUNE_REACH);
            continue;
        }
        double sum = weight_sum(lines, at);
        for (size_t a = lines->arcs.first[at]; a < lines->arcs.first[at + 1]; a++) {
            const struct arc *arc = &lines->arcs.list[a];
            if (!is_open(lines, at, arc) || place[arc->to] <= i)
                continue;
            lines->visits[arc->to] = OPEN;
            lines->probability[arc->to] += probability * arc_share(lines, at, arc, sum);
        }
    }
}

/* Each position comes behind all that lead to it, so what it gets is complete when its turn comes,
 * and those that are too improbable give nothing on. */
static enum caxton_status drop_improbable(struct lines *lines)
{
    const struct book_graph *graph = lines->graph;
    uint32_t *stack = malloc((graph->node_count + 1) * sizeof *stack);
    if (!stack)
        return STATUS_NO_MEMORY;
    size_t begin = graph->node_count;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        lines->visits[i] = NEW;
        lines->probability[i] = is_start(lines, i);
    }
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (is_start(lines, i) && lines->visits[i] == NEW)
            begin = order_from(lines, i, stack, begin);
    spread(lines, begin, stack);
    free(stack);
    return STATUS_OK;
}

static enum caxton_status prepare(struct lines *lines)
{
    size_t count = lines->graph->node_count + 1;
    lines->plies = malloc(count * sizeof *lines->plies);
    lines->links = malloc(2 * count * sizeof *lines->links);
    lines->order = malloc(count * sizeof *lines->order);
    lines->next = malloc(count * sizeof *lines->next);
    lines->visits = malloc(count);
    lines->probability = malloc(count * sizeof *lines->probability);
    lines->turn = malloc(count * sizeof *lines->turn);
    if (!lines->plies || !lines->links || !lines->order || !lines->next || !lines->visits ||
        !lines->probability || !lines->turn)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < lines->graph->node_count; i++) {
        const struct book_node *node = &lines->graph->nodes[i];
        lines->turn[i] = lines->graph->roots[node->root].turn ^ (node->ply & 1);
    }
    return arcs_make(lines->graph, lines->options, &lines->arcs);
}

enum caxton_status prune_lines(const struct book_graph *graph, const struct prune_options *options,
                               uint8_t *reasons, bool *reached)
{
    struct lines lines = {
        .graph = graph, .options = options, .reasons = reasons, .reached = reached};
    enum caxton_status status = prepare(&lines);
    do {
        lines.changed = false;
        if (status != STATUS_OK)
            break;
        find_plies(&lines);
        if (options->min_reach > 0)
            status = drop_improbable(&lines);
    } while (lines.changed);
    arcs_free(&lines.arcs);
    free(lines.plies);
    free(lines.links);
    free(lines.order);
    free(lines.next);
    free(lines.visits);
    free(lines.probability);
    free(lines.turn);
    return status;
}
