/* Stores written compact, and added up. */
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/bytes.h"
#include "book/store/score_store_internal.h"

struct store_use score_store_use(const struct score_store *store)
{
    size_t graph = store->has_graph ? store->graph_count + 2 : 0;
    return (struct store_use){.records = store->table.count,
                              .live = store->answers + store->chosen + store->games + graph};
}

static bool is_tombstone(const uint8_t *record)
{
    return record_kind(record) == RECORD_CHOSEN &&
           bytes_get_u16le(record + CHOSEN_MOVE_AT) == MOVE_NONE;
}

static int compare_places(const void *a, const void *b)
{
    const uint8_t *const *x = a;
    const uint8_t *const *y = b;
    return record_compare(*x, *y);
}

/* The records that count, but those of the graph, sorted; to be freed. NULL: out of memory. */
static const uint8_t **sort_records(const struct score_store *store, size_t *count)
{
    const uint8_t **places = calloc(store->table.indexed + 1, sizeof *places);
    *count = 0;
    if (!places)
        return NULL;
    for (size_t i = 0; i < store->table.slot_count; i++) {
        uint32_t slot = store->table.slots[i];
        if (slot && !is_tombstone(record_at(&store->table, slot - 1)))
            places[(*count)++] = record_at(&store->table, slot - 1);
    }
    qsort(places, *count, sizeof *places, compare_places);
    return places;
}

static void write_record(const struct score_store *store, const uint8_t *record, FILE *out)
{
    uint8_t copy[STORE_RECORD_SIZE];
    memcpy(copy, record, sizeof copy);
    record_put_sum(store->header_sum, copy);
    (void)fwrite(copy, sizeof copy, 1, out);
}

/* The graph gets the run number 1. */
static void write_graph(const struct score_store *store, FILE *out)
{
    uint8_t record[STORE_RECORD_SIZE];
    record_make(NULL, RECORD_GRAPH_BEGIN, record);
    bytes_put_le(record + GRAPH_RUN_AT, 1, 4);
    write_record(store, record, out);
    for (size_t i = 0; i < store->graph_count; i++)
        write_record(store, record_at(&store->table, store->graph_first + i), out);
    record_make(NULL, RECORD_GRAPH_END, record);
    bytes_put_le(record + GRAPH_RUN_AT, 1, 4);
    bytes_put_le(record + GRAPH_COUNT_AT, store->graph_count, 4);
    write_record(store, record, out);
}

enum caxton_status score_store_write(const struct score_store *store, FILE *out, struct diag *diag)
{
    uint8_t header[STORE_HEADER_SIZE];
    size_t count;
    const uint8_t **places = sort_records(store, &count);
    diag_set(diag, 0, 0, "out of memory");
    if (!places)
        return STATUS_NO_MEMORY;
    store_header_put(&store->identity, header);
    (void)fwrite(header, sizeof header, 1, out);
    if (store->has_graph)
        write_graph(store, out);
    for (size_t i = 0; i < count; i++)
        write_record(store, places[i], out);
    free(places);
    if (ferror(out))
        return diag_fail(STATUS_IO, diag, "cannot write");
    return STATUS_OK;
}

enum caxton_status store_rewrite(const struct score_store *store, struct diag *diag)
{
    struct atomic_file *file = NULL;
    enum caxton_status status = atomic_file_create(store->path, &file, diag);
    if (status != STATUS_OK)
        return status;
    status = score_store_write(store, atomic_file_stream(file), diag);
    if (status == STATUS_OK)
        return atomic_file_commit(file, diag);
    (void)atomic_file_has_failed(file, diag);
    atomic_file_abort(file);
    return status;
}

/* Adding up. ---------------------------------------------------------------------------------- */

/* Does the chosen move of `from` stay behind the one that is there? */
static bool has_better_choice(const struct score_store *into, const uint8_t *record)
{
    size_t found = record_table_find(&into->table, record);
    const uint8_t *ours = found == RECORD_NONE ? NULL : record_at(&into->table, found);
    return ours && !is_tombstone(ours) &&
           bytes_get_u32le(ours + CHOSEN_GAMES_AT) >= bytes_get_u32le(record + CHOSEN_GAMES_AT);
}

static bool differs(const struct score_store *into, const uint8_t *record)
{
    size_t found = record_table_find(&into->table, record);
    return found != RECORD_NONE && record_compare(record_at(&into->table, found), record) != 0;
}

static enum caxton_status merge_record(struct score_store *into, const uint8_t *from,
                                       struct store_merge *report, struct diag *diag)
{
    uint8_t record[STORE_RECORD_SIZE];
    memcpy(record, from, sizeof record);
    if (record_kind(record) == RECORD_CHOSEN && has_better_choice(into, record))
        return STATUS_OK;
    report->differing += record_is_answer(record) && differs(into, record);
    return store_append(into, record, NULL, diag);
}

static enum caxton_status merge_graph(struct score_store *into, const struct score_store *from,
                                      struct diag *diag)
{
    struct store_node *node = malloc(sizeof *node);
    size_t cursor = 0;
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = node ? score_store_begin_graph(into, diag) : STATUS_NO_MEMORY;
    while (status == STATUS_OK && score_store_next_node(from, &cursor, node))
        status = score_store_add_node(into, node, diag);
    if (status == STATUS_OK)
        status = score_store_end_graph(into, diag);
    free(node);
    return status;
}

enum caxton_status score_store_merge(struct score_store *into, const struct score_store *from,
                                     struct store_merge *report, struct diag *diag)
{
    size_t count;
    enum caxton_status status = store_identity_check(&from->identity, &into->identity, diag);
    if (status != STATUS_OK)
        return status;
    const uint8_t **places = sort_records(from, &count);
    diag_set(diag, 0, 0, "out of memory");
    if (!places)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = merge_record(into, places[i], report, diag);
    free(places);
    if (status == STATUS_OK && from->has_graph && !into->has_graph)
        status = merge_graph(into, from, diag);
    return status;
}
