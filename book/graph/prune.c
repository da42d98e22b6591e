#include "book/graph/prune.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/format.h"
#include "book/graph/graph.h"
#include "book/graph/rules.h"
#include "book/polyglot_entry.h"
#include "book/weigh/override.h"
#include "book/weigh/threshold.h"

/* The overrides of the position with that key, `*count` of them. */
static const struct override *override_find(const struct prune_options *options, uint64_t key,
                                            size_t *count)
{
    size_t low;
    ARRAY_SEARCH(low, 0, options->override_count, options->overrides[low].key < key);
    size_t end = low;
    while (end < options->override_count && options->overrides[end].key == key)
        end++;
    *count = end - low;
    return *count > 0 ? options->overrides + low : NULL;
}

static const struct override *find_move(const struct override *list, size_t count, uint16_t stored)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].move == stored || list[i].journey == stored)
            return &list[i];
    return NULL;
}

/* Is the move, as book/polyglot_entry.h stores it, to be left out of the position by these? */
static bool override_falls(const struct override *list, size_t count, uint16_t stored)
{
    const struct override *own = find_move(list, count, stored);
    for (size_t i = 0; i < count; i++)
        if (list[i].kind == OVERRIDE_ALWAYS && (!own || own->kind != OVERRIDE_ALWAYS))
            return true;
    return own && own->kind == OVERRIDE_NEVER;
}

/* Does one of these give the move its weight? */
static bool override_stays(const struct override *list, size_t count, uint16_t stored)
{
    const struct override *own = find_move(list, count, stored);
    return own && own->kind != OVERRIDE_NEVER;
}

/* Is the move of the position with that key never to be played, which the book may not know? */
static bool override_is_never(const struct prune_options *options, uint64_t key, uint16_t stored)
{
    size_t count;
    const struct override *list = override_find(options, key, &count);
    const struct override *own = find_move(list, count, stored);
    return own && own->kind == OVERRIDE_NEVER;
}

/* Does any override leave moves out? */
static bool override_any_falls(const struct prune_options *options)
{
    for (size_t i = 0; i < options->override_count; i++)
        if (options->overrides[i].kind != OVERRIDE_WEIGHT)
            return true;
    return false;
}

/* Which positions of a book lines still reach, how soon, and with which probability, when some of
 * its moves have fallen. */

/* Which position a game can come to from which: the moves of a book and, where it knows none, all
 * legal moves. */

/* From one node to another by a move of the book, by such a move and any reply where the book knows
 * none, or by any move of a node that lines only pass through. */
struct arc {
    uint32_t to;
    uint32_t edge;    /* the move of the book, BOOK_GRAPH_NONE: none */
    uint32_t replies; /* one of so many legal moves comes behind it; 0: none is needed */
    uint32_t plies;   /* 1 or 2 */
};

struct arcs {
    struct arc *list;
    size_t count;
    size_t capacity;
    size_t *first; /* by node, one more than there are nodes */
};

/* What arcs are made of. */
struct maker {
    struct arcs *arcs;
    const struct book_graph *graph;
    const struct prune_options *options;
    bool known_only; /* no move that the graph has no edge for */
};

static bool is_never(const struct maker *maker, uint64_t key, move m)
{
    return maker->options->override_count > 0 &&
           override_is_never(maker->options, key, polyglot_from_move(m));
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
        uint32_t to = book_graph_find(graph, position_after(pos, moves[i]).key);
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
        return maker->known_only ? STATUS_OK : add_replies(maker, &pos, BOOK_GRAPH_NONE);
    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        uint32_t edge = node->first + i;
        uint32_t to = graph->edges[edge].to;
        struct position after = position_after(&pos, graph->edges[edge].move);
        if (to != BOOK_GRAPH_NONE)
            status = add(arcs, (struct arc){.to = to, .edge = edge, .plies = 1});
        else if (!maker->known_only)
            status = add_replies(maker, &after, edge);
    }
    /* Moves that the book does not know, to positions that it knows: nobody plays them by it. */
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE && status == STATUS_OK;
         to = graph->nodes[to].next)
        if (!is_never(maker, node->key, graph->nodes[to].via))
            status = add(arcs, (struct arc){.to = to, .edge = BOOK_GRAPH_NONE, .plies = 1});
    return status;
}

/* Replies that overrides say are never played make no arc. Errors: STATUS_NO_MEMORY; free it then,
 * too. */
static enum caxton_status arcs_make(const struct book_graph *graph,
                                    const struct prune_options *options, bool known_only,
                                    struct arcs *out)
{
    const struct maker maker = {out, graph, options, known_only};
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

static void arcs_free(struct arcs *arcs)
{
    free(arcs->list);
    free(arcs->first);
    *arcs = (struct arcs){0};
}

enum visit { NEW, OPEN, DONE };

enum { LEVELS = 3 }; /* this ply, and the two that an arc can lead to */

struct line_rule {
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

static bool keeps_moves(const struct line_rule *lines, uint32_t node)
{
    const struct book_node *at = &lines->graph->nodes[node];
    for (uint32_t e = at->first; e < at->first + at->count; e++)
        if (lines->reasons[e] == PRUNE_KEPT)
            return true;
    return at->count == 0;
}

/* Moves that the book does not know lead on from positions that it knows, or never knew; not from
 * one that has lost all its moves. */
static bool is_open(const struct line_rule *lines, uint32_t from, const struct arc *arc)
{
    const struct book_graph *graph = lines->graph;
    bool own_only = lines->options->reachable;
    if (arc->edge == BOOK_GRAPH_NONE)
        return own_only ? graph->nodes[from].count == 0 : keeps_moves(lines, from);
    return lines->reasons[arc->edge] == PRUNE_KEPT &&
           (!own_only || graph->edges[arc->edge].weight > 0);
}

/* Do lines begin at this node? */
static bool is_start(const struct line_rule *lines, uint32_t at)
{
    const struct book_node *node = &lines->graph->nodes[at];
    size_t starts = lines->options->root ? 1 : lines->graph->start_count;
    return node->parent == BOOK_GRAPH_NONE && (!lines->options->reachable || node->root < starts);
}

static void drop(struct line_rule *lines, uint32_t node, enum prune_reason reason)
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
static void put(struct line_rule *lines, uint32_t heads[LEVELS], uint32_t node, uint32_t plies)
{
    uint32_t place = 2 * node + (lines->plies[node] != UINT32_MAX);
    if (lines->plies[node] <= plies)
        return;
    lines->plies[node] = plies;
    lines->links[place] = heads[plies % LEVELS];
    heads[plies % LEVELS] = place;
}

/* A reply that the book does not know makes an arc of two plies, so nodes are taken by plies. */
static void find_plies(struct line_rule *lines)
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
static double arc_share(const struct line_rule *lines, uint32_t node, const struct arc *arc,
                        double sum)
{
    if (arc->edge == BOOK_GRAPH_NONE)
        return arc->replies ? 1 / (double)arc->replies : 0;
    double weight = lines->graph->edges[arc->edge].weight;
    double share = weight > 0 ? weight / sum : 0;
    if (weight > 0 && lines->options->own[lines->turn[node]])
        share = 1;
    return arc->replies ? share / (double)arc->replies : share;
}

static double weight_sum(const struct line_rule *lines, uint32_t node)
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
static size_t order_from(struct line_rule *lines, uint32_t root, uint32_t *stack, size_t begin)
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
static void spread(struct line_rule *lines, size_t begin, uint32_t *place)
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
static enum caxton_status drop_improbable(struct line_rule *lines)
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

static enum caxton_status prepare(struct line_rule *lines, bool known_only)
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
        lines->turn[i] = book_graph_turn(lines->graph, i);
    }
    return arcs_make(lines->graph, lines->options, known_only, &lines->arcs);
}

static void free_lines(struct line_rule *lines)
{
    arcs_free(&lines->arcs);
    free(lines->plies);
    free(lines->links);
    free(lines->order);
    free(lines->next);
    free(lines->visits);
    free(lines->probability);
    free(lines->turn);
}

enum caxton_status book_graph_reach(const struct book_graph *graph, double *reach)
{
    const struct prune_options options = {.reachable = true, .root = graph->roots};
    struct line_rule lines = {.graph = graph, .options = &options};
    lines.reasons = calloc(graph->edge_count + 1, 1); /* all are kept */
    enum caxton_status status = lines.reasons ? prepare(&lines, true) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = drop_improbable(&lines);
    if (status == STATUS_OK)
        memcpy(reach, lines.probability, graph->node_count * sizeof *reach);
    free(lines.reasons);
    free_lines(&lines);
    return status;
}

/* Lets moves fall by the rules about lines until no more do. reasons: of each edge of the graph,
 * changed. reached: of each node, filled: a line comes to it. Errors: STATUS_NO_MEMORY. */
static enum caxton_status prune_lines(const struct book_graph *graph,
                                      const struct prune_options *options, uint8_t *reasons,
                                      bool *reached)
{
    struct line_rule lines = {
        .graph = graph, .options = options, .reasons = reasons, .reached = reached};
    enum caxton_status status = prepare(&lines, false);
    do {
        lines.changed = false;
        if (status != STATUS_OK)
            break;
        find_plies(&lines);
        if (options->min_reach > 0)
            status = drop_improbable(&lines);
    } while (lines.changed);
    free_lines(&lines);
    return status;
}

/* A move of a position, for the rules that look at one position. */
struct prune_candidate {
    uint32_t weight;
    uint16_t stored;
    uint8_t *reason;
};

/* The moves of one position, the heaviest first. */
struct candidates {
    uint64_t key;
    const struct position *pos; /* NULL: not known */
    struct prune_candidate moves[MOVES_MAX];
    const struct book_move_facts *known[MOVES_MAX]; /* NULL: nothing is */
    uint64_t games, points;                         /* of all moves that are not too rare */
    uint32_t count;
};

static bool is_rare(const struct prune_options *options, const struct book_facts *facts,
                    const struct book_move_facts *known)
{
    return known && book_move_games(known) &&
           threshold_is_rare(book_move_games(known), options->min_games, facts->unit);
}

/* Fills facts, which position->known points into. */
static enum caxton_status ask_facts(const struct prune_options *options,
                                    struct candidates *position, struct book_facts *facts)
{
    enum caxton_status status = STATUS_OK;
    book_facts_clear(facts);
    for (uint32_t i = 0; i < position->count && options->facts; i++) {
        uint16_t stored = position->moves[i].stored;
        (void)book_facts_add(facts, stored,
                             position->pos ? polyglot_to_move(position->pos, stored) : MOVE_NONE);
    }
    if (options->facts)
        status = options->facts(options->known, position->key, position->pos, facts, NULL);
    position->games = position->points = 0;
    for (uint32_t i = 0; i < position->count; i++) {
        const struct book_move_facts *known = book_facts_find(facts, position->moves[i].stored);
        position->known[i] = known;
        if (!known || is_rare(options, facts, known))
            continue;
        position->games += book_move_games(known);
        position->points += book_move_points(known);
    }
    return status;
}

/* Does the move fall for what is known of it beside its weight? */
static enum prune_reason judge_facts(const struct prune_options *options,
                                     const struct candidates *position,
                                     const struct book_facts *facts, uint32_t at)
{
    const struct book_move_facts *known = position->known[at];
    if (is_rare(options, facts, known))
        return PRUNE_GAMES;
    if (known && book_move_games(known) &&
        threshold_score_is_below(book_move_points(known), book_move_games(known), position->points,
                                 position->games, options->min_score))
        return PRUNE_SCORE;
    return options->has_min_eval && known && known->searched && known->score < options->min_eval
               ? PRUNE_EVAL
               : PRUNE_KEPT;
}

static enum caxton_status judge_position(const struct prune_options *options,
                                         struct candidates *position)
{
    struct book_facts facts;
    threshold_sum sum = 0;
    uint32_t kept = 0;
    size_t count;
    const struct override *overrides = override_find(options, position->key, &count);
    enum caxton_status status = ask_facts(options, position, &facts);
    for (uint32_t i = 0; i < position->count; i++) {
        const struct prune_candidate *m = &position->moves[i];
        if (override_falls(overrides, count, m->stored))
            *m->reason = PRUNE_BY_HAND;
        else if (!override_stays(overrides, count, m->stored))
            *m->reason = (uint8_t)judge_facts(options, position, &facts, i);
        sum += *m->reason == PRUNE_KEPT ? m->weight : 0;
    }
    for (uint32_t i = 0; i < position->count; i++) {
        const struct prune_candidate *m = &position->moves[i];
        if (*m->reason != PRUNE_KEPT)
            continue;
        if (override_stays(overrides, count, m->stored))
            kept++;
        else if (threshold_share_is_below(m->weight, sum, options->min_share_ppm))
            *m->reason = PRUNE_SHARE;
        else if (options->best > 0 && kept == options->best)
            *m->reason = PRUNE_BEST;
        else
            kept++;
    }
    return status;
}

static enum caxton_status judge_nodes(const struct prune_options *options, struct pruning *pruning)
{
    const struct book_graph *graph = &pruning->graph;
    enum caxton_status status = STATUS_OK;
    for (size_t n = 0; n < graph->node_count && status == STATUS_OK; n++) {
        const struct book_node *node = &graph->nodes[n];
        struct position pos;
        struct candidates position = {.key = node->key, .pos = &pos, .count = node->count};
        if (options->facts && node->count > 0)
            book_graph_position(graph, (uint32_t)n, &pos, NULL);
        for (uint32_t i = 0; i < node->count; i++) {
            const struct book_edge *edge = &graph->edges[node->first + i];
            position.moves[i] = (struct prune_candidate){
                edge->weight, polyglot_from_move(edge->move), &pruning->reasons[node->first + i]};
        }
        status = judge_position(options, &position);
    }
    return status;
}

/* Gathers what stays, and lets the moves of positions without a line fall. */
static enum caxton_status take_nodes(const struct prune_options *options, const bool *reached,
                                     struct pruning *pruning)
{
    const struct book_graph *graph = &pruning->graph;
    bool keep_unreached = options->keep_unreached && !override_any_falls(options);
    enum caxton_status status = STATUS_OK;
    for (size_t n = 0; n < graph->node_count && status == STATUS_OK; n++) {
        const struct book_node *node = &graph->nodes[n];
        size_t before = pruning->counts[PRUNE_KEPT];
        for (uint32_t e = node->first; e < node->first + node->count && status == STATUS_OK; e++) {
            const struct book_edge *edge = &graph->edges[e];
            uint8_t *reason = &pruning->reasons[e];
            if (*reason == PRUNE_KEPT && !reached[n] && !keep_unreached)
                *reason = PRUNE_UNREACHED;
            pruning->counts[*reason]++;
            if (*reason == PRUNE_KEPT)
                status = entry_list_append(
                    &pruning->list, &(struct book_entry){.key = node->key,
                                                         .weight = edge->weight,
                                                         .learn = edge->learn,
                                                         .stated = true,
                                                         .move = polyglot_from_move(edge->move)});
        }
        pruning->positions += pruning->counts[PRUNE_KEPT] > before;
    }
    return status;
}

/* Gathers the moves of [first, first + count) of a table, the heaviest first, of equal ones the
 * first; entries of a move add up. Returns how many there are, MOVES_MAX at most; *surplus takes
 * the entries that found no place. */
static uint32_t gather_moves(const struct entry_table *table, size_t first, size_t count,
                             struct book_entry moves[MOVES_MAX], size_t *surplus)
{
    uint32_t found = 0;
    *surplus = 0;
    for (size_t i = 0; i < count; i++) {
        struct book_entry entry = entry_table_at(table, first + i);
        uint32_t at = 0;
        while (at < found && moves[at].move != entry.move)
            at++;
        if (at < found)
            entry_join(&moves[at], &entry);
        else if (found < MOVES_MAX)
            moves[found++] = entry;
        else
            ++*surplus;
    }
    for (uint32_t i = 1; i < found; i++) {
        struct book_entry entry = moves[i];
        uint32_t at = i;
        for (; at > 0 && moves[at - 1].weight < entry.weight; at--)
            moves[at] = moves[at - 1];
        moves[at] = entry;
    }
    return found;
}

/* The entries of one position that never had a line: [first, first + count) of a table. */
static enum caxton_status take_unreached(const struct prune_options *options,
                                         const struct entry_table *table, size_t first,
                                         size_t count, struct pruning *pruning)
{
    struct candidates position = {.key = entry_table_at(table, first).key};
    uint8_t reasons[MOVES_MAX] = {0};
    struct book_entry entries[MOVES_MAX];
    size_t surplus;
    size_t before = pruning->counts[PRUNE_KEPT];
    position.count = gather_moves(table, first, count, entries, &surplus);
    pruning->counts[PRUNE_UNREACHED] += surplus; /* no position has so many moves */
    for (uint32_t i = 0; i < position.count; i++)
        position.moves[i] =
            (struct prune_candidate){entries[i].weight, entries[i].move, &reasons[i]};
    enum caxton_status status = judge_position(options, &position);
    for (uint32_t i = 0; i < position.count && status == STATUS_OK; i++) {
        if (reasons[i] == PRUNE_KEPT && !options->keep_unreached)
            reasons[i] = PRUNE_UNREACHED;
        pruning->counts[reasons[i]]++;
        entries[i].place = reasons[i];
        entries[i].stated = true;
        status = entry_list_append(reasons[i] == PRUNE_KEPT ? &pruning->list : &pruning->unreached,
                                   &entries[i]);
    }
    pruning->positions += pruning->counts[PRUNE_KEPT] > before;
    return status;
}

static enum caxton_status take_table(const struct prune_options *options,
                                     const struct entry_table *table, struct pruning *pruning)
{
    enum caxton_status status = STATUS_OK;
    size_t end;
    pruning->counts[PRUNE_ILLEGAL] = book_graph_illegal_moves(&pruning->graph);
    pruning->list.unchecked = table->unchecked && options->keep_unreached;
    for (size_t first = 0; first < table->count && status == STATUS_OK; first = end) {
        uint64_t key = entry_table_at(table, first).key;
        for (end = first + 1; end < table->count && entry_table_at(table, end).key == key;)
            end++;
        if (!(pruning->graph.reached[first / 8] & 1 << first % 8))
            status = take_unreached(options, table, first, end - first, pruning);
    }
    return status;
}

static enum caxton_status prune(const struct prune_options *options, struct pruning *pruning)
{
    const struct book *book = pruning->graph.book;
    bool *reached = malloc((pruning->graph.node_count + 1) * sizeof *reached);
    pruning->reasons = calloc(pruning->graph.edge_count + 1, 1);
    enum caxton_status status = reached && pruning->reasons ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = judge_nodes(options, pruning);
    if (status == STATUS_OK)
        status = prune_lines(&pruning->graph, options, pruning->reasons, reached);
    if (status == STATUS_OK)
        status = take_nodes(options, reached, pruning);
    if (status == STATUS_OK && book_table(book) && !book->format->mirrored)
        status = take_table(options, book_table(book), pruning);
    free(reached);
    return status;
}

enum caxton_status prune_book(const struct book *book, const struct prune_options *options,
                              struct pruning *out, struct diag *diag)
{
    struct pruning pruning = {.list = {.separate = true}, .unreached = {.separate = true}};
    enum caxton_status status = book_graph_create(book, options->root, &pruning.graph, diag);
    if (status != STATUS_OK)
        return status;
    status = prune(options, &pruning);
    if (status == STATUS_OK)
        *out = pruning;
    else
        pruning_free(&pruning);
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, 0, 0, "%s: out of memory", book_name(book));
    return status;
}

void pruning_free(struct pruning *pruning)
{
    book_graph_destroy(&pruning->graph);
    free(pruning->reasons);
    entry_list_free(&pruning->list);
    entry_list_free(&pruning->unreached);
    *pruning = (struct pruning){.reasons = NULL};
}

const char *prune_reason_text(enum prune_reason reason)
{
    static const char *const texts[PRUNE_REASONS] = {
        [PRUNE_KEPT] = "kept",
        [PRUNE_BY_HAND] = "taken out by hand",
        [PRUNE_GAMES] = "in too few games",
        [PRUNE_SCORE] = "scored too little",
        [PRUNE_EVAL] = "too bad by a search",
        [PRUNE_SHARE] = "too small a share",
        [PRUNE_BEST] = "not among the best",
        [PRUNE_DEPTH] = "too deep",
        [PRUNE_REACH] = "in a position that too few games reach",
        [PRUNE_ILLEGAL] = "illegal in its position",
        [PRUNE_UNREACHED] = "in a position that no line reaches",
    };
    return texts[reason];
}
