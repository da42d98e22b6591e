/* Reading the records of a store: which of them count. */
#include <string.h>

#include "base/bytes.h"
#include "book/store/score_store_internal.h"

/* A graph that is being read. */
struct graph_reader {
    size_t begin; /* its first record, RECORD_NONE: there is none */
    bool whole;   /* nothing else was among its records */
};

static bool is_taken_back(const uint8_t *chosen)
{
    return bytes_get_u16le(chosen + CHOSEN_MOVE_AT) == MOVE_NONE;
}

/* The last one stands. One that changes nothing is not kept. */
static enum caxton_status take_chosen(struct score_store *store, size_t number, bool *kept)
{
    const uint8_t *record = record_at(&store->table, number);
    size_t before = record_table_find(&store->table, record);
    bool had = before != RECORD_NONE && !is_taken_back(record_at(&store->table, before));
    bool has = !is_taken_back(record);
    *kept = has || had;
    if (before != RECORD_NONE && record_compare(record, record_at(&store->table, before)) == 0)
        *kept = false;
    if (!*kept)
        return STATUS_OK;
    store->chosen = store->chosen + has - had;
    return record_table_index(&store->table, number, &before);
}

static enum caxton_status add_to_sum(struct score_store *store, const uint8_t *record)
{
    struct packed_position pos;
    uint8_t sum[STORE_RECORD_SIZE];
    size_t before;
    memcpy(pos.bytes, record, sizeof pos.bytes);
    record_make(&pos, RECORD_PLAYED_SUM, sum);
    memcpy(sum + SUM_MOVE_AT, record + PLAYED_MOVE_AT, sizeof(move));
    size_t found = record_table_find(&store->played, sum);
    enum caxton_status status = STATUS_OK;
    if (found == RECORD_NONE) {
        found = store->played.count;
        status = record_table_add(&store->played, sum, 1);
        if (status == STATUS_OK)
            status = record_table_index(&store->played, found, &before);
    }
    if (status != STATUS_OK)
        return status;
    uint8_t *to = store->played.owned + found * STORE_RECORD_SIZE + SUM_COUNTS_AT;
    const uint8_t *from = record + PLAYED_COUNTS_AT;
    for (int i = 0; i < 3; i++, to += SUM_COUNT_SIZE, from += PLAYED_COUNT_SIZE)
        bytes_put_le(to, bytes_get_le(to, SUM_COUNT_SIZE) + bytes_get_le(from, PLAYED_COUNT_SIZE),
                     SUM_COUNT_SIZE);
    return STATUS_OK;
}

enum caxton_status store_take(struct score_store *store, size_t number, bool *kept)
{
    const uint8_t *record = record_at(&store->table, number);
    size_t before;
    enum record_kind kind = record_kind(record);
    if (kind == RECORD_CHOSEN)
        return take_chosen(store, number, kept);
    *kept = record_table_find(&store->table, record) == RECORD_NONE;
    if (!*kept)
        return STATUS_OK;
    enum caxton_status status = record_table_index(&store->table, number, &before);
    if (status == STATUS_OK && kind == RECORD_PLAYED)
        status = add_to_sum(store, record);
    store->games += kind == RECORD_PLAYED;
    store->answers += record_is_answer(record);
    return status;
}

/* Takes over a graph whose end this is, if it is whole. */
static void end_graph(struct score_store *store, struct graph_reader *reader, size_t number)
{
    const uint8_t *end = record_at(&store->table, number);
    const uint8_t *begin =
        reader->begin == RECORD_NONE ? NULL : record_at(&store->table, reader->begin);
    store->broken_graph = true;
    if (!begin || !reader->whole ||
        memcmp(begin + GRAPH_RUN_AT, end + GRAPH_RUN_AT, sizeof(uint32_t)) != 0 ||
        bytes_get_u32le(end + GRAPH_COUNT_AT) != number - reader->begin - 1)
        return;
    store->broken_graph = false;
    store->has_graph = true;
    store->graph_first = reader->begin + 1;
    store->graph_count = number - reader->begin - 1;
}

static enum caxton_status load_record(struct score_store *store, struct graph_reader *reader,
                                      size_t number)
{
    const uint8_t *record = record_at(&store->table, number);
    enum record_kind kind = record_kind(record);
    bool kept = false;
    if (record_is_graph(record))
        return STATUS_OK;
    if (kind != RECORD_GRAPH_BEGIN && kind != RECORD_GRAPH_END) {
        reader->whole = false;
        enum caxton_status status = store_take(store, number, &kept);
        store->doubles = store->doubles || (status == STATUS_OK && !kept);
        return status;
    }
    uint32_t run = bytes_get_u32le(record + GRAPH_RUN_AT);
    store->run = run > store->run ? run : store->run;
    if (kind == RECORD_GRAPH_BEGIN) {
        *reader = (struct graph_reader){.begin = number, .whole = true};
        store->broken_graph = true;
    } else {
        end_graph(store, reader, number);
        reader->begin = RECORD_NONE;
    }
    return STATUS_OK;
}

enum caxton_status store_load(struct score_store *store, uint64_t header_sum)
{
    struct graph_reader reader = {.begin = RECORD_NONE};
    enum caxton_status status = record_table_reserve(&store->table, store->table.count);
    for (size_t i = 0; i < store->table.count && status == STATUS_OK; i++) {
        if (record_is_sound(header_sum, record_at(&store->table, i))) {
            status = load_record(store, &reader, i);
        } else {
            store->bad++;
            reader.whole = false;
        }
    }
    return status;
}
