#include "book/scoring/score_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/append_file.h"
#include "base/atomic_file.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/text.h"
#include "book/scoring/score_store_internal.h"

/* Reading the records of a store: which of them count. */

/* A graph that is being read. */
struct graph_reader {
    size_t begin; /* its first record, RECORD_NONE: there is none */
    bool whole;   /* nothing else was among its records */
};

/* Is it a chosen move that stands for none? */
static bool is_tombstone(const uint8_t *record)
{
    return record_kind(record) == RECORD_CHOSEN &&
           bytes_get_u16le(record + CHOSEN_MOVE_AT) == MOVE_NONE;
}

/* The last one stands. One that changes nothing is not kept. */
static enum caxton_status take_chosen(struct score_store *store, size_t number, bool *kept)
{
    const uint8_t *record = record_at(&store->table, number);
    size_t before = record_table_find(&store->table, record);
    bool had = before != RECORD_NONE && !is_tombstone(record_at(&store->table, before));
    bool has = !is_tombstone(record);
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

/* Makes a record of any kind but those of a graph one that counts, when it is to be: *kept. */
static enum caxton_status take(struct score_store *store, size_t number, bool *kept)
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
        enum caxton_status status = take(store, number, &kept);
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

/* Reads what the table has. */
static enum caxton_status load(struct score_store *store, uint64_t header_sum)
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

/* Stores written compact, and added up. */

struct store_use score_store_use(const struct score_store *store)
{
    size_t graph = store->has_graph ? store->graph_count + 2 : 0;
    return (struct store_use){.records = store->table.count,
                              .live = store->answers + store->chosen + store->games + graph};
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

/* Writes the file of the store anew, compact. The store can only be closed then. */
static enum caxton_status rewrite(const struct score_store *store, struct diag *diag)
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

/* Adds a record of any kind but those of a graph to memory and file. *added (NULL: nobody asks):
 * does it say anything new? Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says "PATH: why". */
static enum caxton_status append(struct score_store *store, uint8_t record[STORE_RECORD_SIZE],
                                 bool *added, struct diag *diag)
{
    bool kept = false;
    record_put_sum(store->header_sum, record);
    enum caxton_status status = record_table_add(&store->table, record, 1);
    if (status == STATUS_OK)
        status = take(store, store->table.count - 1, &kept);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "out of memory");
    if (status == STATUS_OK && kept)
        status = store_write_bytes(store, record, STORE_RECORD_SIZE, diag);
    else if (status == STATUS_OK)
        store->table.count--; /* it is known */
    if (status == STATUS_OK && added)
        *added = kept;
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
    return append(into, record, NULL, diag);
}

static enum caxton_status merge_graph(struct score_store *into, const struct score_store *from,
                                      struct diag *diag)
{
    struct store_node node;
    size_t cursor = 0;
    enum caxton_status status = score_store_begin_graph(into, diag);
    while (status == STATUS_OK && score_store_next_node(from, &cursor, &node))
        status = score_store_add_node(into, &node, diag);
    return status == STATUS_OK ? score_store_end_graph(into, diag) : status;
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

static void store_free(struct score_store *store)
{
    if (!store)
        return;
    append_file_close(store->file);
    record_table_free(&store->table);
    record_table_free(&store->played);
    free(store->pending);
    free(store->path);
    free(store);
}

static struct score_store *store_new(const struct searcher_identity *identity)
{
    uint8_t header[STORE_HEADER_SIZE];
    struct score_store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    store->identity = *identity;
    store->synced_ms = clock_ms();
    store_header_put(identity, header);
    store->header_sum = store_header_sum(header);
    return store;
}

static void make_remark(struct score_store *store)
{
    struct text_buffer text = text_buffer_on(store->remark, sizeof store->remark);
    if (store->bad)
        text_append(&text, "%zu damaged record%s left out: run again what made %s", store->bad,
                    text_plural(store->bad), store->bad == 1 ? "it" : "them");
    else if (store->cut)
        text_append(&text, "the last record is cut: run again what made it");
    else if (store->broken_graph)
        text_append(&text, "the last graph is not whole: run again what made it");
}

/* The header of a store for `identity`, NULL: for anybody. */
static enum caxton_status check_header(const uint8_t *bytes, size_t size,
                                       const struct searcher_identity *identity,
                                       struct searcher_identity *found, struct diag *diag)
{
    enum caxton_status status = store_header_check(bytes, size, diag);
    if (status != STATUS_OK)
        return status;
    store_header_get(bytes, found);
    return identity ? store_identity_check(found, identity, diag) : STATUS_OK;
}

enum caxton_status score_store_parse(const uint8_t *bytes, size_t size,
                                     const struct searcher_identity *identity,
                                     struct score_store **out, struct diag *diag)
{
    struct searcher_identity found;
    enum caxton_status status = check_header(bytes, size, identity, &found, diag);
    if (status != STATUS_OK)
        return status;
    struct score_store *store = store_new(&found);
    diag_set(diag, 0, 0, "out of memory");
    if (!store)
        return STATUS_NO_MEMORY;
    store->table.records = bytes + STORE_HEADER_SIZE;
    store->table.count = (size - STORE_HEADER_SIZE) / STORE_RECORD_SIZE;
    store->cut = (size - STORE_HEADER_SIZE) % STORE_RECORD_SIZE;
    status = load(store, store_header_sum(bytes));
    make_remark(store);
    if (status == STATUS_OK)
        *out = store;
    else
        store_free(store);
    return status;
}

/* Opening files. ------------------------------------------------------------------------------ */

/* Reads the header; an empty file, or one that was killed while its header was written, gets it. */
static enum caxton_status read_header(struct append_file *file,
                                      const struct searcher_identity *identity,
                                      uint8_t header[STORE_HEADER_SIZE], size_t *size,
                                      struct diag *diag)
{
    uint8_t wanted[STORE_HEADER_SIZE];
    uint64_t all = append_file_size(file);
    *size = all < STORE_HEADER_SIZE ? (size_t)all : STORE_HEADER_SIZE;
    store_header_put(identity, wanted);
    enum caxton_status status = append_file_read(file, 0, header, *size, diag);
    if (status != STATUS_OK || *size == STORE_HEADER_SIZE || memcmp(header, wanted, *size) != 0)
        return status;
    status = append_file_add(file, wanted + *size, STORE_HEADER_SIZE - *size, diag);
    memcpy(header, wanted, STORE_HEADER_SIZE);
    *size = STORE_HEADER_SIZE;
    return status;
}

static enum caxton_status read_records(struct score_store *store, struct append_file *file,
                                       struct diag *diag)
{
    uint64_t size = append_file_size(file) - STORE_HEADER_SIZE;
    struct record_table *table = &store->table;
    store->cut = size % STORE_RECORD_SIZE;
    table->count = table->capacity = (size_t)(size / STORE_RECORD_SIZE);
    table->records = table->owned = malloc(size > 0 ? (size_t)size : 1);
    diag_set(diag, 0, 0, "%s: out of memory", store->path);
    if (!table->owned)
        return STATUS_NO_MEMORY;
    return append_file_read(file, STORE_HEADER_SIZE, table->owned, table->count * STORE_RECORD_SIZE,
                            diag);
}

static enum caxton_status load_file(struct append_file *file, const char *path,
                                    const struct searcher_identity *identity, bool *old,
                                    struct score_store **out, struct diag *diag)
{
    uint8_t header[STORE_HEADER_SIZE];
    size_t size;
    struct diag why = {.text = ""};
    struct searcher_identity found;
    enum caxton_status status = read_header(file, identity, header, &size, diag);
    if (status != STATUS_OK)
        return status;
    status = check_header(header, size, identity, &found, &why);
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "%s: %s", path, why.text);
        return status;
    }
    struct score_store *store = store_new(identity);
    diag_set(diag, 0, 0, "%s: out of memory", path);
    if (!store || !(store->path = strdup(path))) {
        store_free(store);
        return STATUS_NO_MEMORY;
    }
    status = read_records(store, file, diag);
    if (status == STATUS_OK)
        status = load(store, store_header_sum(header));
    if (status == STATUS_OK && store->cut)
        status = append_file_cut(file, append_file_size(file) - store->cut, diag);
    make_remark(store);
    *old = store_header_sum(header) != store->header_sum;
    if (status == STATUS_OK)
        *out = store;
    else
        store_free(store);
    return status;
}

/* Writes a file of an earlier version as one of the present version. *file is closed and open
 * again. */
static enum caxton_status renew(struct score_store *store, struct append_file **file,
                                struct diag *diag)
{
    enum caxton_status status = rewrite(store, diag);
    if (status != STATUS_OK)
        return status;
    append_file_close(*file);
    *file = NULL;
    return append_file_open(store->path, file, diag);
}

enum caxton_status score_store_open(const char *path, const struct searcher_identity *identity,
                                    struct score_store **out, struct diag *diag)
{
    struct score_store *store = NULL;
    struct append_file *file = NULL;
    bool old = false;
    if (!path) {
        *out = store_new(identity);
        diag_set(diag, 0, 0, "out of memory");
        return *out ? STATUS_OK : STATUS_NO_MEMORY;
    }
    enum caxton_status status = append_file_open(path, &file, diag);
    if (status == STATUS_OK)
        status = load_file(file, path, identity, &old, &store, diag);
    if (status == STATUS_OK && old)
        status = renew(store, &file, diag);
    if (status == STATUS_OK) {
        store->file = file;
        *out = store;
        return STATUS_OK;
    }
    append_file_close(file);
    store_free(store);
    return status;
}

enum caxton_status score_store_close(struct score_store *store, struct diag *diag)
{
    if (!store)
        return STATUS_OK;
    const struct store_use use = score_store_use(store);
    enum caxton_status status = STATUS_OK;
    bool compact = store->file && !store->failed && use.records > 2 * use.live &&
                   rewrite(store, NULL) == STATUS_OK;
    /* Where it cannot be written anew, the file is larger than it need be and as good. */
    if (!compact && store->file && store->dirty)
        status = append_file_sync(store->file, diag);
    store_free(store);
    return status;
}

/* Use. --------------------------------------------------------------------------------------- */

const char *score_store_remark(const struct score_store *store)
{
    return store->remark;
}

void score_store_identity(const struct score_store *store, struct searcher_identity *out)
{
    *out = store->identity;
}

size_t score_store_count(const struct score_store *store)
{
    return store->answers;
}

bool score_store_find(const struct score_store *store, const struct packed_position *pos,
                      struct search_limit limit, struct search_answer *out)
{
    uint8_t wanted[STORE_RECORD_SIZE];
    record_put_answer(pos, limit, &(struct search_answer){.best = MOVE_NONE}, wanted);
    size_t found = record_table_find(&store->table, wanted);
    if (found != RECORD_NONE && out)
        record_get_answer(record_at(&store->table, found), &limit, out);
    return found != RECORD_NONE;
}

enum caxton_status score_store_add(struct score_store *store, const struct packed_position *pos,
                                   struct search_limit limit, const struct search_answer *answer,
                                   struct diag *diag)
{
    uint8_t record[STORE_RECORD_SIZE];
    record_put_answer(pos, limit, answer, record);
    return append(store, record, NULL, diag);
}

bool score_store_next_answer(const struct score_store *store, size_t *cursor,
                             struct packed_position *pos, struct search_limit *limit,
                             struct search_answer *answer)
{
    bool all_count = store->bad == 0 && !store->doubles;
    for (; *cursor < store->table.count; ++*cursor) {
        const uint8_t *record = record_at(&store->table, *cursor);
        if (!record_is_answer(record) ||
            !(all_count || record_table_is_live(&store->table, *cursor)))
            continue;
        memcpy(pos->bytes, record, sizeof pos->bytes);
        record_get_answer(record, limit, answer);
        ++*cursor;
        return true;
    }
    return false;
}

/* What games taught: chosen moves, and games that were played. -------------------------------- */

/* The next record of that kind that counts. */
static const uint8_t *next_record(const struct record_table *table, enum record_kind kind,
                                  size_t *cursor, struct packed_position *pos)
{
    for (; *cursor < table->count; ++*cursor) {
        const uint8_t *record = record_at(table, *cursor);
        if (record_kind(record) != kind || record_table_find(table, record) != *cursor)
            continue;
        memcpy(pos->bytes, record, sizeof pos->bytes);
        ++*cursor;
        return record;
    }
    return NULL;
}

/* Chosen moves. ------------------------------------------------------------------------------- */

static bool get_chosen(const uint8_t *record, struct chosen_move *out)
{
    const struct chosen_move found = {.move = bytes_get_u16le(record + CHOSEN_MOVE_AT),
                                      .reason = record[CHOSEN_REASON_AT],
                                      .games = bytes_get_u32le(record + CHOSEN_GAMES_AT)};
    if (found.move != MOVE_NONE && out)
        *out = found;
    return found.move != MOVE_NONE;
}

enum caxton_status score_store_choose(struct score_store *store, const struct packed_position *pos,
                                      move m, uint8_t reason, uint32_t games, struct diag *diag)
{
    uint8_t record[STORE_RECORD_SIZE];
    record_make(pos, RECORD_CHOSEN, record);
    bytes_put_le(record + CHOSEN_MOVE_AT, m, 2);
    record[CHOSEN_REASON_AT] = reason;
    bytes_put_le(record + CHOSEN_GAMES_AT, games, 4);
    return append(store, record, NULL, diag);
}

bool score_store_chosen(const struct score_store *store, const struct packed_position *pos,
                        struct chosen_move *out)
{
    uint8_t wanted[STORE_RECORD_SIZE];
    record_make(pos, RECORD_CHOSEN, wanted);
    size_t found = record_table_find(&store->table, wanted);
    return found != RECORD_NONE && get_chosen(record_at(&store->table, found), out);
}

bool score_store_next_chosen(const struct score_store *store, size_t *cursor,
                             struct packed_position *pos, struct chosen_move *out)
{
    const uint8_t *record;
    while ((record = next_record(&store->table, RECORD_CHOSEN, cursor, pos)))
        if (get_chosen(record, out))
            return true;
    return false;
}

/* Games. -------------------------------------------------------------------------------------- */

enum caxton_status score_store_add_played(struct score_store *store,
                                          const struct packed_position *pos, move m,
                                          uint64_t source, const struct played_games *games,
                                          bool *added, struct diag *diag)
{
    uint8_t record[STORE_RECORD_SIZE];
    if (games->wins > PLAYED_MAX || games->draws > PLAYED_MAX || games->losses > PLAYED_MAX)
        return diag_fail(STATUS_RANGE, diag, "more than %d games of one source", PLAYED_MAX);
    record_make(pos, RECORD_PLAYED, record);
    bytes_put_le(record + PLAYED_SOURCE_AT, source, 8);
    bytes_put_le(record + PLAYED_MOVE_AT, m, 2);
    uint8_t *counts = record + PLAYED_COUNTS_AT;
    bytes_put_le(counts, games->wins, PLAYED_COUNT_SIZE);
    bytes_put_le(counts + PLAYED_COUNT_SIZE, games->draws, PLAYED_COUNT_SIZE);
    bytes_put_le(counts + 2 * PLAYED_COUNT_SIZE, games->losses, PLAYED_COUNT_SIZE);
    return append(store, record, added, diag);
}

bool score_store_has_played(const struct score_store *store, const struct packed_position *pos,
                            move m, uint64_t source)
{
    uint8_t wanted[STORE_RECORD_SIZE];
    record_make(pos, RECORD_PLAYED, wanted);
    bytes_put_le(wanted + PLAYED_SOURCE_AT, source, 8);
    bytes_put_le(wanted + PLAYED_MOVE_AT, m, 2);
    return record_table_find(&store->table, wanted) != RECORD_NONE;
}

static void get_sum(const uint8_t *record, struct played_games *out)
{
    const uint8_t *counts = record + SUM_COUNTS_AT;
    *out =
        (struct played_games){.wins = bytes_get_le(counts, SUM_COUNT_SIZE),
                              .draws = bytes_get_le(counts + SUM_COUNT_SIZE, SUM_COUNT_SIZE),
                              .losses = bytes_get_le(counts + 2 * SUM_COUNT_SIZE, SUM_COUNT_SIZE)};
}

bool score_store_played(const struct score_store *store, const struct packed_position *pos, move m,
                        struct played_games *out)
{
    uint8_t wanted[STORE_RECORD_SIZE];
    record_make(pos, RECORD_PLAYED_SUM, wanted);
    bytes_put_le(wanted + SUM_MOVE_AT, m, 2);
    size_t found = record_table_find(&store->played, wanted);
    *out = (struct played_games){.wins = 0};
    if (found != RECORD_NONE)
        get_sum(record_at(&store->played, found), out);
    return found != RECORD_NONE;
}

bool score_store_next_played(const struct score_store *store, size_t *cursor,
                             struct packed_position *pos, move *m, struct played_games *out)
{
    const uint8_t *record = next_record(&store->played, RECORD_PLAYED_SUM, cursor, pos);
    if (!record)
        return false;
    *m = bytes_get_u16le(record + SUM_MOVE_AT);
    get_sum(record, out);
    return true;
}
