/* The graph of a grown book as records: sorted, in one piece between a begin and an end. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "book/scoring/score_store_internal.h"

enum { FLAG_ALIKE = 1, FLAG_CERTAIN = 2, WEIGHT_ONE = 65535 };

/* The kinds of a side's records. */
static enum record_kind node_kind(int side)
{
    return side == WHITE ? RECORD_NODE_WHITE : RECORD_NODE_BLACK;
}

static int side_of(const uint8_t *record)
{
    return record_kind(record) == RECORD_NODE_WHITE ? WHITE : BLACK;
}

static bool is_node(const uint8_t *record)
{
    return record_kind(record) == RECORD_NODE_WHITE || record_kind(record) == RECORD_NODE_BLACK;
}

bool store_node_is_own(const struct store_node *node)
{
    return packed_position_turn(&node->pos) == node->side;
}

uint32_t store_weight(double probability)
{
    uint32_t weight = probability > 0 && probability <= 1
                          ? (uint32_t)(probability * WEIGHT_ONE + 0.5)
                          : (probability > 1 ? WEIGHT_ONE : 1);
    return weight ? weight : 1;
}

/* Writing. ------------------------------------------------------------------------------------ */

static enum caxton_status add_pending(struct score_store *store, const uint8_t *record,
                                      struct diag *diag)
{
    size_t size = store->pending_count * STORE_RECORD_SIZE;
    diag_set(diag, 0, 0, "out of memory");
    if (store->pending_count >= UINT32_MAX - 2 ||
        !ARRAY_GROW(store->pending, store->pending_capacity, size + STORE_RECORD_SIZE))
        return STATUS_NO_MEMORY;
    memcpy(store->pending + size, record, STORE_RECORD_SIZE);
    store->pending_count++;
    return STATUS_OK;
}

enum caxton_status score_store_begin_graph(struct score_store *store, struct diag *diag)
{
    uint8_t record[STORE_RECORD_SIZE];
    store->pending_count = 0;
    record_make(NULL, RECORD_GRAPH_BEGIN, record);
    return add_pending(store, record, diag);
}

/* Are the moves all legal ones, in the order of the generator, and as probable as each other? */
static bool all_alike(const struct store_node *node)
{
    move legal[MOVES_MAX];
    struct position pos;
    if (node->count < 2 || !position_unpack(&node->pos, &pos) ||
        movegen_legal(&pos, legal) != node->count)
        return false;
    for (int i = 0; i < node->count; i++)
        if (node->moves[i].move != legal[i] ||
            node->moves[i].probability != 1 / (double)node->count) /* the same bits */
            return false;
    return true;
}

static void put_node(const struct store_node *node, unsigned flags, uint8_t *out)
{
    record_make(&node->pos, node_kind(node->side), out);
    out[NODE_STATE_AT] = (uint8_t)node->state;
    out[NODE_FLAGS_AT] = (uint8_t)flags;
    bytes_put_le(out + NODE_PLY_AT, (uint64_t)node->ply, 2);
    out[NODE_DEPTH_AT] = (uint8_t)node->depth;
    bytes_put_le(out + NODE_SCORE_AT, (uint16_t)(int16_t)node->score, 2);
    record_put_double(out + NODE_PROBABILITY_AT, node->probability);
    if (flags & FLAG_CERTAIN)
        bytes_put_le(out + NODE_MOVE_AT, node->moves[0].move, 2);
    out[NODE_COUNT_AT] = (uint8_t)node->count;
}

enum caxton_status score_store_add_node(struct score_store *store, const struct store_node *node,
                                        struct diag *diag)
{
    uint8_t record[STORE_RECORD_SIZE];
    bool certain = node->count == 1 && node->moves[0].probability >= 1;
    unsigned flags = certain ? FLAG_CERTAIN : all_alike(node) ? FLAG_ALIKE : 0;
    put_node(node, flags, record);
    enum caxton_status status = add_pending(store, record, diag);
    for (int i = 0; i < node->count && status == STATUS_OK && flags == 0; i += MOVES_EACH) {
        record_make(&node->pos, (enum record_kind)(node_kind(node->side) + 1), record);
        record[MOVES_NUMBER_AT] = (uint8_t)(i / MOVES_EACH);
        for (int j = 0; j < MOVES_EACH && i + j < node->count; j++) {
            uint8_t *to = record + MOVES_AT + j * MOVES_SIZE;
            bytes_put_le(to, node->moves[i + j].move, 2);
            record_put_double(to + 2, node->moves[i + j].probability);
        }
        status = add_pending(store, record, diag);
    }
    return status;
}

/* Is the graph that is pending the one that is there? */
static bool is_known_graph(const struct score_store *store)
{
    if (!store->has_graph || store->graph_count != store->pending_count - 1)
        return false;
    for (size_t i = 0; i < store->graph_count; i++)
        if (record_compare(record_at(&store->table, store->graph_first + i),
                           store->pending + (i + 1) * STORE_RECORD_SIZE) != 0)
            return false;
    return true;
}

static bool has_double(const struct score_store *store)
{
    for (size_t i = 2; i < store->pending_count; i++)
        if (record_is_same(store->pending + (i - 1) * STORE_RECORD_SIZE,
                           store->pending + i * STORE_RECORD_SIZE))
            return true;
    return false;
}

/* Puts number, count and checksums into what is pending, its end included. */
static void number_graph(struct score_store *store, uint8_t *records, size_t count)
{
    uint8_t *end = records + (count - 1) * STORE_RECORD_SIZE;
    store->run++;
    bytes_put_le(records + GRAPH_RUN_AT, store->run, 4);
    bytes_put_le(end + GRAPH_RUN_AT, store->run, 4);
    bytes_put_le(end + GRAPH_COUNT_AT, count - 2, 4);
    for (size_t i = 0; i < count; i++)
        record_put_sum(store->header_sum, records + i * STORE_RECORD_SIZE);
}

enum caxton_status score_store_end_graph(struct score_store *store, struct diag *diag)
{
    uint8_t end[STORE_RECORD_SIZE];
    qsort(store->pending + STORE_RECORD_SIZE, store->pending_count - 1, STORE_RECORD_SIZE,
          record_compare);
    enum caxton_status status = STATUS_OK;
    if (has_double(store))
        status = diag_fail(STATUS_RANGE, diag, "a position is twice in the graph");
    else if (!is_known_graph(store)) {
        record_make(NULL, RECORD_GRAPH_END, end);
        status = add_pending(store, end, diag);
        if (status == STATUS_OK) {
            number_graph(store, store->pending, store->pending_count);
            status = record_table_add(&store->table, store->pending, store->pending_count);
        }
        if (status == STATUS_OK)
            status = store_write_bytes(store, store->pending,
                                       store->pending_count * STORE_RECORD_SIZE, diag);
        if (status == STATUS_OK) {
            store->has_graph = true;
            store->graph_count = store->pending_count - 2;
            store->graph_first = store->table.count - 1 - store->graph_count;
        }
    }
    free(store->pending);
    store->pending = NULL;
    store->pending_count = store->pending_capacity = 0;
    return status;
}

/* Reading. ------------------------------------------------------------------------------------ */

bool score_store_has_graph(const struct score_store *store)
{
    return store->has_graph;
}

static void add_move(struct store_node *node, move m, double probability)
{
    if (m == MOVE_NONE || node->count >= MOVES_MAX || !(probability >= 0 && probability <= 1))
        return;
    node->moves[node->count++] = (struct store_move){.probability = probability, .move = m};
}

static void add_all_alike(struct store_node *node)
{
    move legal[MOVES_MAX];
    struct position pos;
    int count = position_unpack(&node->pos, &pos) ? movegen_legal(&pos, legal) : 0;
    for (int i = 0; i < count; i++)
        add_move(node, legal[i], 1 / (double)count);
}

/* A number from the file, as a probability. */
static double probability_of(const uint8_t *from)
{
    double value = record_get_double(from);
    return value >= 0 && value <= 1 ? value : value > 1 ? 1 : 0;
}

static void get_node(const struct score_store *store, size_t number, struct store_node *out)
{
    const uint8_t *record = record_at(&store->table, number);
    size_t end = store->graph_first + store->graph_count;
    unsigned flags = record[NODE_FLAGS_AT];
    memcpy(out->pos.bytes, record, sizeof out->pos.bytes);
    out->side = side_of(record);
    out->state = record[NODE_STATE_AT] <= STORE_ENDED ? (enum store_state)record[NODE_STATE_AT]
                                                      : STORE_ENDED;
    out->ply = bytes_get_u16le(record + NODE_PLY_AT);
    out->depth = record[NODE_DEPTH_AT];
    out->score = (int16_t)bytes_get_u16le(record + NODE_SCORE_AT);
    out->probability = probability_of(record + NODE_PROBABILITY_AT);
    out->count = 0;
    if (flags & FLAG_CERTAIN)
        add_move(out, bytes_get_u16le(record + NODE_MOVE_AT), 1);
    else if (flags & FLAG_ALIKE)
        add_all_alike(out);
    for (size_t i = number + 1; i < end; i++) {
        const uint8_t *moves = record_at(&store->table, i);
        if (record_kind(moves) != record_kind(record) + 1 ||
            memcmp(moves, record, sizeof out->pos.bytes) != 0)
            break;
        for (int j = 0; j < MOVES_EACH; j++, moves += MOVES_SIZE)
            add_move(out, bytes_get_u16le(moves + MOVES_AT),
                     record_get_double(moves + MOVES_AT + 2));
    }
}

/* The next node, RECORD_NONE: no more. */
static size_t next_node(const struct score_store *store, size_t *cursor)
{
    while (*cursor < store->graph_count) {
        size_t number = store->graph_first + (*cursor)++;
        if (is_node(record_at(&store->table, number)))
            return number;
    }
    return RECORD_NONE;
}

bool score_store_next_node(const struct score_store *store, size_t *cursor, struct store_node *out)
{
    size_t number = next_node(store, cursor);
    if (number != RECORD_NONE)
        get_node(store, number, out);
    return number != RECORD_NONE;
}

bool score_store_next_own(const struct score_store *store, size_t *cursor, struct store_node *out)
{
    size_t number;
    while ((number = next_node(store, cursor)) != RECORD_NONE) {
        const uint8_t *record = record_at(&store->table, number);
        memcpy(out->pos.bytes, record, sizeof out->pos.bytes);
        if (packed_position_turn(&out->pos) != side_of(record))
            continue;
        get_node(store, number, out);
        return true;
    }
    return false;
}

bool score_store_next_root(const struct score_store *store, size_t *cursor,
                           struct packed_position *out)
{
    size_t number;
    while ((number = next_node(store, cursor)) != RECORD_NONE) {
        const uint8_t *record = record_at(&store->table, number);
        if (bytes_get_u16le(record + NODE_PLY_AT) > 0)
            continue;
        memcpy(out->bytes, record, sizeof out->bytes);
        return true;
    }
    return false;
}

bool score_store_find_node(const struct score_store *store, const struct packed_position *pos,
                           int side, struct store_node *out)
{
    uint8_t wanted[STORE_RECORD_SIZE];
    size_t end = store->graph_first + store->graph_count;
    size_t at;
    record_make(pos, node_kind(side), wanted);
    ARRAY_SEARCH(at, store->graph_first, end,
                 record_compare(record_at(&store->table, at), wanted) < 0);
    if (at == end || !record_is_same(record_at(&store->table, at), wanted))
        return false;
    get_node(store, at, out);
    return true;
}
