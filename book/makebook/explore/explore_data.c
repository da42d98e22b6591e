#include "book/makebook/explore/explore_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "book/format.h"
#include "book/formats/store/store_format.h"
#include "book/polyglot_entry.h"
#include "chess/eco.h"
#include "chess/zobrist.h"
#include "eval/eval.h"
#include "search/score.h"

struct explore_writer {
    const struct book_graph *graph;
    const struct expected_graph *expected; /* NULL: nobody asks */
    const struct deepest_answers *scores;  /* NULL: likewise */
    const struct book *counted;            /* who knows the games of the moves; NULL: nobody */
    struct book_facts facts;               /* of the position that is written */
    enum caxton_status status;
    uint32_t max_ply;
    explore_sink sink;
    void *context;
    uint32_t *numbers; /* of the graph's nodes, BOOK_GRAPH_NONE: not yet */
    uint32_t *queue;   /* nodes by number */
    uint32_t *plies;   /* by number: from the root */
    uint32_t numbered;
    struct explore_sizes sizes;
};

static void put(const struct explore_writer *writer, const uint8_t *bytes, const uint8_t *end)
{
    writer->sink(writer->context, bytes, (size_t)(end - bytes));
}

static void announce(struct explore_writer *writer, uint32_t node, uint32_t ply)
{
    writer->numbers[node] = writer->numbered;
    writer->plies[writer->numbered] = ply;
    writer->queue[writer->numbered++] = node;
}

uint64_t explore_score(const struct book_move_facts *facts)
{
    enum { MATE_SHOWN = 40000 };
    int score = facts->score;
    if (!facts->searched)
        return 0;
    int shown = score_is_mate(score) ? MATE_SHOWN - (SCORE_MATE - abs(score) + 1) / 2
                                     : eval_centipawns(abs(score));
    uint64_t packed = 2 * (uint64_t)shown - (score < 0 && shown > 0);
    return 1 + 2 * packed + facts->refuted;
}

static uint8_t *put_counts(const struct book_facts *facts, uint8_t *to, move m)
{
    const struct book_move_facts *known = book_facts_find(facts, polyglot_from_move(m));
    const uint64_t counts[] = {known ? known->wins : 0, known ? known->draws : 0,
                               known ? known->losses : 0};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint64_t count = counts[i];
        uint64_t unit = facts->unit;
        if (unit > 1) /* in parts that do not overflow */
            count = count / unit * EXPLORE_PARTS + (count % unit * EXPLORE_PARTS + unit / 2) / unit;
        to = bytes_put_varint(to, count);
    }
    return to;
}

/* edge: of the move; where it is EXPLORE_NON_BOOK there is none. */
static void write_move(struct explore_writer *writer, move m, uint64_t weight,
                       enum explore_kind kind, uint32_t to, uint32_t edge)
{
    uint8_t bytes[2 + 10 + 5 + 6 * 10];
    bytes_put_le(bytes, m, 2);
    uint8_t *end = bytes_put_varint(bytes + 2, weight * 4 + kind);
    if (kind == EXPLORE_KNOWN)
        end = bytes_put_varint(end, to);
    if (writer->counted && kind != EXPLORE_NON_BOOK)
        end = put_counts(&writer->facts, end, m);
    if (writer->expected && kind != EXPLORE_NON_BOOK) {
        const struct expected *scored = &writer->expected->moves[edge];
        end = bytes_put_varint(end, (uint64_t)lround(scored->score * EXPLORE_POINT));
        end = bytes_put_varint(end, (uint64_t)lround(expected_at_least(*scored) * EXPLORE_POINT));
    }
    if (writer->scores && kind != EXPLORE_NON_BOOK) {
        const struct book_move_facts *known =
            book_facts_find(&writer->facts, polyglot_from_move(m));
        end = bytes_put_varint(end, known ? explore_score(known) : 0);
    }
    writer->sizes.moves += kind != EXPLORE_NON_BOOK;
    writer->sizes.leaves += kind == EXPLORE_LEAF;
    put(writer, bytes, end);
}

/* What is behind a move of the book. A new position gets the next number. */
static enum explore_kind look_behind(struct explore_writer *writer, uint32_t node, uint32_t ply)
{
    if (node == BOOK_GRAPH_NONE)
        return EXPLORE_LEAF;
    if (writer->numbers[node] != BOOK_GRAPH_NONE)
        return EXPLORE_KNOWN;
    if (writer->max_ply && ply > writer->max_ply)
        return EXPLORE_LEAF;
    announce(writer, node, ply);
    return EXPLORE_NEW;
}

/* What is known of the moves of a position. */
static void find_facts(struct explore_writer *writer, uint32_t at)
{
    const struct book_graph *graph = writer->graph;
    const struct book_node *node = &graph->nodes[at];
    const struct book *counted = writer->counted;
    struct book_facts *facts = &writer->facts;
    struct position pos;
    book_facts_clear(facts);
    if (counted && writer->status == STATUS_OK)
        writer->status = counted->format->facts(counted->state, node->key, NULL, facts, NULL);
    if (!writer->scores)
        return;
    book_graph_position(graph, at, &pos, NULL);
    for (int i = 0; i < facts->count; i++)
        facts->moves[i].move = polyglot_to_move(&pos, facts->moves[i].stored);
    for (uint32_t e = node->first; e < node->first + node->count; e++) {
        uint16_t stored = polyglot_from_move(graph->edges[e].move);
        if (!book_facts_find(facts, stored) && facts->count < MOVES_MAX)
            (void)book_facts_add(facts, stored, graph->edges[e].move);
    }
    store_format_scores(writer->scores, &pos, facts);
}

static void write_node(struct explore_writer *writer, uint32_t number)
{
    const struct book_graph *graph = writer->graph;
    const struct book_node *node = &graph->nodes[writer->queue[number]];
    uint32_t ply = writer->plies[number] + 1;
    enum explore_kind kinds[MOVES_MAX];
    uint8_t bytes[10];
    find_facts(writer, writer->queue[number]);
    for (uint32_t i = 0; i < node->count; i++)
        kinds[i] = look_behind(writer, graph->edges[node->first + i].to, ply);
    uint32_t first_non_book = writer->numbered;
    for (uint32_t at = node->child; at != BOOK_GRAPH_NONE; at = graph->nodes[at].next)
        (void)look_behind(writer, at, ply);
    uint32_t count = node->count + writer->numbered - first_non_book;
    put(writer, bytes, bytes_put_varint(bytes, count));
    writer->sizes.positions += node->known;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        uint32_t to = kinds[i] == EXPLORE_KNOWN ? writer->numbers[edge->to] : 0;
        write_move(writer, edge->move, edge->weight, kinds[i], to, node->first + i);
    }
    for (uint32_t at = first_non_book; at < first_non_book + count - node->count; at++) {
        const struct book_node *behind = &graph->nodes[writer->queue[at]];
        write_move(writer, behind->via, 0, EXPLORE_NON_BOOK, 0, 0);
    }
}

/* Each root and what is reached from it. */
static void write_all(struct explore_writer *writer, uint32_t *roots)
{
    const struct book_graph *graph = writer->graph;
    uint32_t written = 0;
    for (uint32_t node = 0; node < graph->node_count; node++) {
        if (graph->nodes[node].parent != BOOK_GRAPH_NONE ||
            writer->numbers[node] != BOOK_GRAPH_NONE)
            continue;
        roots[graph->nodes[node].root] = writer->numbered;
        announce(writer, node, 0);
        while (written < writer->numbered)
            write_node(writer, written++);
    }
    writer->sizes.cut = (uint32_t)graph->node_count - writer->numbered;
}

enum caxton_status explore_data_write(const struct book_graph *graph,
                                      const struct expected_graph *expected,
                                      const struct deepest_answers *scores, uint32_t max_ply,
                                      explore_sink sink, void *context, uint32_t *roots,
                                      struct explore_sizes *sizes)
{
    struct explore_writer writer = {.graph = graph,
                                    .expected = expected,
                                    .scores = scores,
                                    .counted = graph->book->counts ? graph->book : NULL,
                                    .max_ply = max_ply,
                                    .sink = sink,
                                    .context = context};
    size_t count = graph->node_count;
    writer.numbers = malloc(3 * count * sizeof *writer.numbers); /* all three */
    if (!writer.numbers)
        return STATUS_NO_MEMORY;
    writer.queue = writer.numbers + count;
    writer.plies = writer.queue + count;
    for (size_t i = 0; i < count; i++)
        writer.numbers[i] = BOOK_GRAPH_NONE;
    for (size_t i = 0; i < graph->root_count; i++)
        roots[i] = BOOK_GRAPH_NONE;
    write_all(&writer, roots);
    *sizes = writer.sizes;
    free(writer.numbers);
    return writer.status;
}

static int compare_names(const void *a, const void *b)
{
    const struct eco *x = *(const struct eco *const *)a;
    const struct eco *y = *(const struct eco *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->key > y->key) - (x->key < y->key);
}

enum caxton_status explore_names_write(explore_sink sink, void *context)
{
    const size_t count = eco_row_count;
    const struct eco **sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &eco_rows[i];
    qsort(sorted, count, sizeof *sorted, compare_names);
    const char *before = "";
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[8 + 3 + 4 * 10];
        const char *name = sorted[i]->name;
        size_t same = 0;
        while (name[same] && name[same] == before[same])
            same++;
        size_t rest = strlen(name + same);
        bytes_put_le(bytes, sorted[i]->key, 8);
        memcpy(bytes + 8, sorted[i]->code, 3);
        uint8_t *end = bytes_put_varint(bytes + 8 + 3, (uint64_t)sorted[i]->plies);
        end = bytes_put_varint(end, (uint64_t)sorted[i]->lines);
        end = bytes_put_varint(bytes_put_varint(end, same), rest);
        sink(context, bytes, (size_t)(end - bytes));
        sink(context, name + same, rest);
        before = name;
    }
    free(sorted);
    return STATUS_OK;
}

void explore_keys_write(explore_sink sink, void *context)
{
    for (int i = 0; i < ZOBRIST_COUNT; i++) {
        uint8_t bytes[8];
        bytes_put_le(bytes, zobrist_random[i], sizeof bytes);
        sink(context, bytes, sizeof bytes);
    }
}
