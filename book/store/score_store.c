#include "book/store/score_store.h"
#include "book/store/score_store_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/append_file.h"
#include "base/clock.h"
#include "base/text.h"

enum { SYNC_MS = 1000 };

_Static_assert((int)SCORE_STORE_HEADER == (int)STORE_HEADER_SIZE &&
                   (int)SCORE_STORE_RECORD == (int)STORE_RECORD_SIZE,
               "the sizes that are public");

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
    status = store_load(store, store_header_sum(bytes));
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
        status = store_load(store, store_header_sum(header));
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
    enum caxton_status status = store_rewrite(store, diag);
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
                   store_rewrite(store, NULL) == STATUS_OK;
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

enum caxton_status store_write_bytes(struct score_store *store, const uint8_t *bytes, size_t size,
                                     struct diag *diag)
{
    if (!store->file)
        return STATUS_OK;
    enum caxton_status status = append_file_add(store->file, bytes, size, diag);
    store->dirty = true;
    if (status == STATUS_OK && clock_ms() - store->synced_ms >= SYNC_MS) {
        status = append_file_sync(store->file, diag);
        store->synced_ms = clock_ms();
        store->dirty = status != STATUS_OK;
    }
    store->failed = store->failed || status != STATUS_OK;
    return status;
}

enum caxton_status store_append(struct score_store *store, uint8_t record[STORE_RECORD_SIZE],
                                bool *added, struct diag *diag)
{
    bool kept = false;
    record_put_sum(store->header_sum, record);
    enum caxton_status status = record_table_add(&store->table, record, 1);
    if (status == STATUS_OK)
        status = store_take(store, store->table.count - 1, &kept);
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
    return store_append(store, record, NULL, diag);
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
