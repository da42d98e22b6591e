#include "book/prune/prune.h"

#include <stdlib.h>
#include <string.h>

#include "book/format.h"
#include "book/polyglot_entry.h"
#include "book/prune/by_hand.h"
#include "book/prune/lines.h"
#include "book/weigh/threshold.h"

/* A move of a position, for the rules that look at one position. */
struct candidate {
    uint32_t weight;
    uint16_t stored;
    uint8_t *reason;
};

/* The moves of one position, the heaviest first. */
struct candidates {
    uint64_t key;
    const struct position *pos; /* NULL: not known */
    struct candidate moves[MOVES_MAX];
    struct prune_facts facts[MOVES_MAX];
    uint64_t games, points; /* of all moves that are not too rare */
    uint32_t count;
};

static bool is_rare(const struct prune_options *options, const struct prune_facts *facts)
{
    uint64_t unit = options->unit ? options->unit : 1;
    return facts->has_games && threshold_is_rare(facts->games, options->min_games, unit);
}

static void ask_facts(const struct prune_options *options, struct candidates *position)
{
    position->games = position->points = 0;
    for (uint32_t i = 0; i < position->count; i++) {
        struct prune_facts *facts = &position->facts[i];
        *facts = (struct prune_facts){.games = 0};
        if (options->facts)
            options->facts(options->context, position->key, position->pos,
                           position->moves[i].stored, facts);
        if (is_rare(options, facts))
            continue;
        position->games += facts->games;
        position->points += facts->points;
    }
}

/* Does the move fall for what is known of it beside its weight? */
static enum prune_reason judge_facts(const struct prune_options *options,
                                     const struct candidates *position, uint32_t at)
{
    const struct prune_facts *facts = &position->facts[at];
    if (is_rare(options, facts))
        return PRUNE_GAMES;
    if (facts->has_games && threshold_score_is_below(facts->points, facts->games, position->points,
                                                     position->games, options->min_score))
        return PRUNE_SCORE;
    return options->has_min_eval && facts->has_eval && facts->eval_cp < options->min_eval_cp
               ? PRUNE_EVAL
               : PRUNE_KEPT;
}

static void judge_position(const struct prune_options *options, struct candidates *position)
{
    threshold_sum sum = 0;
    uint32_t kept = 0;
    size_t count;
    const struct override *overrides = by_hand_find(options, position->key, &count);
    ask_facts(options, position);
    for (uint32_t i = 0; i < position->count; i++) {
        const struct candidate *m = &position->moves[i];
        if (by_hand_falls(overrides, count, m->stored))
            *m->reason = PRUNE_BY_HAND;
        else if (!by_hand_stays(overrides, count, m->stored))
            *m->reason = (uint8_t)judge_facts(options, position, i);
        sum += *m->reason == PRUNE_KEPT ? m->weight : 0;
    }
    for (uint32_t i = 0; i < position->count; i++) {
        const struct candidate *m = &position->moves[i];
        if (*m->reason != PRUNE_KEPT)
            continue;
        if (by_hand_stays(overrides, count, m->stored))
            kept++;
        else if (threshold_share_is_below(m->weight, sum, options->min_share_ppm))
            *m->reason = PRUNE_SHARE;
        else if (options->best > 0 && kept == options->best)
            *m->reason = PRUNE_BEST;
        else
            kept++;
    }
}

static void judge_nodes(const struct prune_options *options, struct pruning *pruning)
{
    const struct book_graph *graph = &pruning->graph;
    for (size_t n = 0; n < graph->node_count; n++) {
        const struct book_node *node = &graph->nodes[n];
        struct position pos;
        struct candidates position = {.key = node->key, .pos = &pos, .count = node->count};
        if (options->facts && node->count > 0)
            book_graph_position(graph, (uint32_t)n, &pos, NULL);
        for (uint32_t i = 0; i < node->count; i++) {
            const struct book_edge *edge = &graph->edges[node->first + i];
            position.moves[i] = (struct candidate){edge->weight, polyglot_from_move(edge->move),
                                                   &pruning->reasons[node->first + i]};
        }
        judge_position(options, &position);
    }
}

/* Gathers what stays, and lets the moves of positions without a line fall. */
static enum caxton_status take_nodes(const struct prune_options *options, const bool *reached,
                                     struct pruning *pruning)
{
    const struct book_graph *graph = &pruning->graph;
    bool keep_unreached = options->keep_unreached && !by_hand_any_falls(options);
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
    enum caxton_status status = STATUS_OK;
    size_t before = pruning->counts[PRUNE_KEPT];
    position.count = gather_moves(table, first, count, entries, &surplus);
    pruning->counts[PRUNE_UNREACHED] += surplus; /* no position has so many moves */
    for (uint32_t i = 0; i < position.count; i++)
        position.moves[i] = (struct candidate){entries[i].weight, entries[i].move, &reasons[i]};
    judge_position(options, &position);
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
    if (status == STATUS_OK) {
        judge_nodes(options, pruning);
        status = prune_lines(&pruning->graph, options, pruning->reasons, reached);
    }
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
        [PRUNE_UNREACHED] = "in a position that no line reaches",
    };
    return texts[reason];
}
