#include "book/graph/diff.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/book.h"
#include "book/book_move.h"
#include "book/format.h"
#include "book/graph/diff_side.h"
#include "chess/mirror.h"

/* Two books compared where no line leads: by keys. */

/* The entries of one key, [first, end). */
struct group {
    const struct entry_table *table;
    size_t first;
    size_t end;
    uint64_t sum;
};

static struct group group_at(const struct entry_table *table, size_t first)
{
    struct group group = {.table = table, .first = first, .end = first};
    uint64_t key = entry_table_at(table, first).key;
    for (; group.end < table->count && entry_table_at(table, group.end).key == key; group.end++)
        group.sum += entry_table_at(table, group.end).weight;
    return group;
}

/* Entries of a move add up. Returns where the first of them is, group->end without one. */
static size_t find_in_group(const struct group *group, uint16_t m, uint32_t *weight)
{
    size_t first = group->end;
    *weight = 0;
    for (size_t i = group->end; i-- > group->first;) {
        struct book_entry entry = entry_table_at(group->table, i);
        if (entry.move != m)
            continue;
        uint32_t room = UINT32_MAX - *weight;
        *weight += entry.weight < room ? entry.weight : room;
        first = i;
    }
    return first;
}

static size_t count_moves(const struct group *group)
{
    size_t count = 0;
    uint32_t ignored;
    for (size_t i = group->first; i < group->end; i++)
        count += find_in_group(group, entry_table_at(group->table, i).move, &ignored) == i;
    return count;
}

static void compare_groups(struct comparison *comparison, const struct group *a,
                           const struct group *b)
{
    struct book_diff *diff = &comparison->diff;
    uint64_t found = 0;
    uint64_t different = 0;
    diff->positions_both++;
    for (size_t i = a->first; i < a->end; i++) {
        uint16_t m = entry_table_at(a->table, i).move;
        uint32_t mine;
        uint32_t weight;
        if (find_in_group(a, m, &mine) != i)
            continue; /* it was compared */
        if (find_in_group(b, m, &weight) == b->end) {
            diff->moves_only[0]++;
            different++;
            continue;
        }
        bool changed = book_diff_differs(comparison, mine, a->sum, weight, b->sum);
        diff->moves_changed += changed;
        diff->moves_same += !changed;
        different += changed;
        found++;
    }
    uint64_t more = count_moves(b) - found;
    diff->moves_only[1] += more;
    diff->unreached[0] += different + more > 0;
    diff->unreached[1] += different + more > 0;
}

/* The other book's entries of the key, when nothing has been compared with them yet. */
static bool find_group(const struct side *side, uint64_t key, struct group *out)
{
    size_t first = entry_table_find(side->table, key);
    if (first == side->table->count || entry_table_at(side->table, first).key != key ||
        side->touched[first / 8] & 1 << first % 8)
        return false;
    *out = group_at(side->table, first);
    return true;
}

/* Counts the positions of sides[which] that were not touched: no line leads to them, nor do those
 * of the other book. Those that both have are compared for which = 0. */
static void book_diff_unreached(struct comparison *comparison, int which)
{
    const struct side *side = &comparison->sides[which];
    const struct side *other = &comparison->sides[!which];
    bool alike = other->table && other->mirrored == side->mirrored;
    struct group group;
    for (size_t at = 0; side->table && at < side->table->count; at = group.end) {
        struct group match;
        group = group_at(side->table, at);
        if (side->touched[at / 8] & 1 << at % 8)
            continue;
        if (!alike || !find_group(other, entry_table_at(side->table, at).key, &match)) {
            comparison->diff.positions_only[which]++;
            comparison->diff.moves_only[which] += count_moves(&group);
            comparison->diff.unreached[which]++;
        } else if (which == 0)
            compare_groups(comparison, &group, &match);
    }
}

/* The chance of a line is of so many. */
#define CERTAIN (UINT64_C(1) << 32)

/* The moves of one position in one book. */
struct answers {
    struct book_move moves[MOVES_MAX];
    int count;
    uint64_t sum;
    uint32_t node; /* BOOK_GRAPH_NONE: no line leads there */
};

static uint32_t share_of(uint32_t weight, uint64_t sum)
{
    return sum ? (uint32_t)(((wide)weight * BOOK_DIFF_ALL + sum / 2) / sum) : 0;
}

static void add_sum(struct answers *answers)
{
    answers->sum = 0;
    for (int i = 0; i < answers->count; i++)
        answers->sum += answers->moves[i].weight;
}

static void take_node(const struct side *side, uint32_t at, struct answers *out)
{
    const struct book_node *node = &side->graph->nodes[at];
    out->node = at;
    out->count = (int)node->count;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct book_edge *edge = &side->graph->edges[node->first + i];
        out->moves[i] =
            (struct book_move){.move = edge->move, .weight = edge->weight, .learn = edge->learn};
    }
    add_sum(out);
}

/* Does the table have the position? *first is its first entry then. */
static bool find_entries(const struct side *side, uint64_t key, size_t *first)
{
    *first = entry_table_find(side->table, key);
    return *first < side->table->count && entry_table_at(side->table, *first).key == key;
}

/* What the book knows in the position of a node of the other one's graph; false: nothing. The
 * moves of a line are played only where no key tells. */
static bool ask(struct side *side, const struct side *other, uint32_t node, struct answers *out)
{
    uint64_t key = other->graph->nodes[node].key;
    uint32_t at = book_graph_find(side->graph, key);
    struct position pos;
    size_t first;
    if (at != BOOK_GRAPH_NONE && side->graph->nodes[at].known) {
        take_node(side, at, out);
        return true;
    }
    if (!side->table)
        return false;
    bool is_played = side->mirrored;
    if (is_played)
        book_graph_position(other->graph, node, &pos, NULL);
    if (is_played && pos.turn == BLACK)
        key = position_mirror_key(&pos);
    if (!find_entries(side, key, &first))
        return false;
    if (!is_played)
        book_graph_position(other->graph, node, &pos, NULL);
    side->touched[first / 8] |= (uint8_t)(1 << first % 8);
    out->node = BOOK_GRAPH_NONE;
    out->count = book_probe(side->graph->book, &pos, out->moves, MOVES_MAX);
    add_sum(out);
    return true;
}

static const struct book_move *find_move(const struct answers *answers, move m)
{
    for (int i = 0; i < answers->count; i++)
        if (answers->moves[i].move == m)
            return &answers->moves[i];
    return NULL;
}

/* The list ----------------------------------------------------------------------------------- */

static enum caxton_status append(struct comparison *comparison, struct book_difference difference)
{
    struct book_diff *diff = &comparison->diff;
    if (!ARRAY_GROW(diff->list, comparison->capacity, diff->count + 1))
        return STATUS_NO_MEMORY;
    const struct side *side = &comparison->sides[difference.side];
    uint64_t a = difference.share[0];
    uint64_t b = difference.share[1];
    uint64_t change = a > b ? a - b : b - a;
    difference.rank = side->chance[difference.node] * (change ? change : 1);
    diff->list[diff->count++] = difference;
    return STATUS_OK;
}

/* The positions behind the move that only this book has; they count here and nowhere else. */
static uint64_t take_behind(struct side *side, uint32_t at, move m)
{
    const struct book_node *node = &side->graph->nodes[at];
    for (uint32_t i = 0; i < node->count; i++) {
        const struct book_edge *edge = &side->graph->edges[node->first + i];
        if (edge->move != m || edge->to == BOOK_GRAPH_NONE ||
            side->graph->nodes[edge->to].parent != at || side->graph->nodes[edge->to].via != m ||
            !side->missing[edge->to])
            continue;
        uint64_t behind = side->behind[edge->to];
        side->behind[edge->to] = 0;
        return behind;
    }
    return 0;
}

static enum caxton_status add_only(struct comparison *comparison, int which,
                                   const struct answers *mine, const struct answers *other,
                                   const struct book_move *m)
{
    struct book_difference difference = {.kind = DIFFERENCE_MOVE,
                                         .owner = which,
                                         .side = which,
                                         .node = mine->node,
                                         .move = m->move};
    comparison->diff.moves_only[which]++;
    difference.share[which] = share_of(m->weight, mine->sum);
    if (mine->node == BOOK_GRAPH_NONE) { /* named by the line of the other book */
        difference.side = !which;
        difference.node = other->node;
    } else
        difference.behind = take_behind(&comparison->sides[which], mine->node, m->move);
    return append(comparison, difference);
}

/* The moves of one position that both know; answers[which].node has a line. */
static enum caxton_status compare_moves(struct comparison *comparison, int which,
                                        const struct answers answers[2])
{
    enum caxton_status status = STATUS_OK;
    comparison->diff.positions_both++;
    for (int i = 0; i < answers[0].count && status == STATUS_OK; i++) {
        const struct book_move *a = &answers[0].moves[i];
        const struct book_move *b = find_move(&answers[1], a->move);
        if (!b)
            status = add_only(comparison, 0, &answers[0], &answers[1], a);
        else if (!book_diff_differs(comparison, a->weight, answers[0].sum, b->weight,
                                    answers[1].sum))
            comparison->diff.moves_same++;
        else {
            comparison->diff.moves_changed++;
            status =
                append(comparison,
                       (struct book_difference){.kind = DIFFERENCE_SHARE,
                                                .side = which,
                                                .node = answers[which].node,
                                                .move = a->move,
                                                .share = {share_of(a->weight, answers[0].sum),
                                                          share_of(b->weight, answers[1].sum)}});
        }
    }
    for (int i = 0; i < answers[1].count && status == STATUS_OK; i++)
        if (!find_move(&answers[0], answers[1].moves[i].move))
            status = add_only(comparison, 1, &answers[1], &answers[0], &answers[1].moves[i]);
    return status;
}

/* Lines -------------------------------------------------------------------------------------- */

static uint64_t chance_of(const struct side *side, uint32_t at)
{
    enum { PASSAGE = 8, BESIDE = 1024 };
    const struct book_graph *graph = side->graph;
    const struct book_node *node = &graph->nodes[at];
    if (node->parent == BOOK_GRAPH_NONE)
        return at == 0 ? CERTAIN : CERTAIN / PASSAGE;
    const struct book_node *parent = &graph->nodes[node->parent];
    uint64_t sum = 0;
    uint32_t weight = 0;
    for (uint32_t i = 0; i < parent->count; i++) {
        const struct book_edge *edge = &graph->edges[parent->first + i];
        sum += edge->weight;
        weight = edge->move == node->via ? edge->weight : weight;
    }
    uint64_t before = side->chance[node->parent];
    uint64_t chance = 0;
    if (sum == 0)
        chance = before / PASSAGE;
    else if (node->non_book)
        chance = before / BESIDE;
    else
        chance = (uint64_t)((wide)before * weight / sum);
    return chance ? chance : 1;
}

/* Which positions of one book the other does not have, and how likely each is. */
static void find_missing(struct comparison *comparison, int which)
{
    struct side *side = &comparison->sides[which];
    const struct book_graph *graph = side->graph;
    struct answers answers;
    for (uint32_t at = 0; at < graph->node_count; at++) {
        const struct book_node *node = &graph->nodes[at];
        side->chance[at] = chance_of(side, at);
        if (node->known) {
            side->missing[at] = !ask(&comparison->sides[!which], side, at, &answers);
            side->behind[at] = side->missing[at];
        } else /* lines only pass through */
            side->missing[at] = node->parent != BOOK_GRAPH_NONE && side->missing[node->parent];
        if (node->known && side->missing[at]) {
            comparison->diff.positions_only[which]++;
            comparison->diff.moves_only[which] += node->count;
        }
    }
    for (size_t at = graph->node_count; at-- > 0;) {
        uint32_t parent = graph->nodes[at].parent;
        if (side->missing[at] && parent != BOOK_GRAPH_NONE && side->missing[parent]) {
            side->behind[parent] += side->behind[at];
            side->behind[at] = 0;
        }
    }
}

/* Positions that both have: those of the first book's lines, then of the second's alone. */
static enum caxton_status compare_known(struct comparison *comparison, int which)
{
    const struct side *side = &comparison->sides[which];
    enum caxton_status status = STATUS_OK;
    for (uint32_t at = 0; at < side->graph->node_count && status == STATUS_OK; at++) {
        struct answers answers[2];
        if (!side->graph->nodes[at].known || side->missing[at])
            continue;
        take_node(side, at, &answers[which]);
        if (!ask(&comparison->sides[!which], side, at, &answers[!which]))
            continue;
        if (which == 0 || answers[0].node == BOOK_GRAPH_NONE)
            status = compare_moves(comparison, which, answers);
    }
    return status;
}

/* What no move in the list has taken along: both books play the move there. */
static enum caxton_status list_positions(struct comparison *comparison, int which)
{
    struct side *side = &comparison->sides[which];
    enum caxton_status status = STATUS_OK;
    for (uint32_t at = 0; at < side->graph->node_count && status == STATUS_OK; at++) {
        if (!side->missing[at] || !side->behind[at])
            continue;
        struct book_difference difference = {.kind = DIFFERENCE_POSITION,
                                             .owner = which,
                                             .side = which,
                                             .node = at,
                                             .behind = side->behind[at]};
        difference.share[which] = BOOK_DIFF_ALL;
        status = append(comparison, difference);
    }
    return status;
}

/* The whole ---------------------------------------------------------------------------------- */

static int compare_ranks(const void *a, const void *b)
{
    const struct book_difference *x = a;
    const struct book_difference *y = b;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    if (x->side != y->side)
        return x->side - y->side;
    if (x->node != y->node) /* found breadth first: shorter lines have lower numbers */
        return x->node < y->node ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}

static enum caxton_status open_side(const struct book_graph *graph, struct side *side)
{
    size_t nodes = graph->node_count ? graph->node_count : 1;
    *side = (struct side){.graph = graph};
    side->table = book_table(graph->book);
    side->mirrored = graph->book->format->mirrored;
    side->chance = calloc(nodes, sizeof *side->chance);
    side->behind = calloc(nodes, sizeof *side->behind);
    side->missing = calloc(nodes, 1);
    size_t bytes = side->table ? side->table->count / 8 + 1 : 1;
    side->touched = calloc(bytes, 1);
    if (!side->chance || !side->behind || !side->missing || !side->touched)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; side->table && i < bytes; i++)
        side->touched[i] = graph->reached[i];
    return STATUS_OK;
}

static void close_side(struct side *side)
{
    free(side->chance);
    free(side->behind);
    free(side->missing);
    free(side->touched);
}

static enum caxton_status compare(struct comparison *comparison)
{
    find_missing(comparison, 0);
    find_missing(comparison, 1);
    enum caxton_status status = compare_known(comparison, 0);
    if (status == STATUS_OK)
        status = compare_known(comparison, 1);
    for (int which = 0; which < 2 && status == STATUS_OK; which++)
        status = list_positions(comparison, which);
    book_diff_unreached(comparison, 0);
    book_diff_unreached(comparison, 1);
    return status;
}

enum caxton_status book_diff_create(const struct book_graph *a, const struct book_graph *b,
                                    uint32_t threshold_ppm, struct book_diff *out)
{
    struct comparison comparison = {.threshold_ppm = threshold_ppm};
    enum caxton_status status = open_side(a, &comparison.sides[0]);
    if (status == STATUS_OK)
        status = open_side(b, &comparison.sides[1]);
    if (status == STATUS_OK)
        status = compare(&comparison);
    close_side(&comparison.sides[0]);
    close_side(&comparison.sides[1]);
    if (status != STATUS_OK) {
        book_diff_destroy(&comparison.diff);
        return status;
    }
    if (comparison.diff.count > 1)
        qsort(comparison.diff.list, comparison.diff.count, sizeof *comparison.diff.list,
              compare_ranks);
    *out = comparison.diff;
    return STATUS_OK;
}

void book_diff_destroy(struct book_diff *diff)
{
    free(diff->list);
    *diff = (struct book_diff){0};
}

bool book_diff_is_empty(const struct book_diff *diff)
{
    return !diff->positions_only[0] && !diff->positions_only[1] && !diff->moves_changed &&
           !diff->moves_only[0] && !diff->moves_only[1];
}
