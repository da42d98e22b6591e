#include "book/grow/score_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/append_file.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/clock.h"
#include "base/rng.h"

/* Header: 0 magic, 8 version, 12 hash MB, 16 network, 24 signature, 32 name, 96 zeros, 104 checksum
 * of what stands before. Record: 0 position, 38 kind of limit, 39 depth, 40 value of the limit,
 * 48 best move, 50 score, 52 nodes, 60 checksum of the header's and what stands before. */
enum {
    VERSION = 1,
    VERSION_AT = 8,
    HASH_AT = 12,
    NETWORK_AT = 16,
    SIGNATURE_AT = 24,
    NAME_AT = 32,
    HEADER_SUM_AT = 104,
    LIMIT_AT = 38,
    DEPTH_AT = 39,
    VALUE_AT = 40,
    MOVE_AT = 48,
    SCORE_AT = 50,
    NODES_AT = 52,
    RECORD_SUM_AT = 60,
    SYNC_MS = 1000,
    SLOTS_MIN = 1024,
};

static const char magic[] = "CXTNSCOR";

_Static_assert((int)HEADER_SUM_AT + 8 == (int)SCORE_STORE_HEADER, "the header as above");
_Static_assert((int)RECORD_SUM_AT + 8 == (int)SCORE_STORE_RECORD, "a record as above");
_Static_assert((int)PACKED_POSITION_SIZE == (int)LIMIT_AT, "the position comes first");
_Static_assert((int)NAME_AT + (int)SEARCHER_NAME_MAX <= (int)HEADER_SUM_AT, "the name fits");

struct kept {
    struct packed_position pos;
    struct search_limit limit;
    struct search_answer answer;
};

struct score_store {
    struct append_file *file; /* NULL: in memory only */
    uint64_t header_sum;
    struct kept *kept;
    size_t count;
    size_t capacity;
    uint32_t *slots; /* index of kept[] + 1 by hash; 0: free; a power of two of them */
    size_t slot_count;
    size_t bad;   /* records that did not check */
    uint64_t cut; /* bytes of a last one that was not whole */
    int64_t synced_ms;
    bool dirty;
    char remark[120];
};

/* Writing and reading. ----------------------------------------------------------------------- */

static void header_put(const struct searcher_identity *identity, uint8_t *out)
{
    memset(out, 0, SCORE_STORE_HEADER);
    memcpy(out, magic, sizeof magic - 1);
    bytes_put_le(out + VERSION_AT, VERSION, 4);
    bytes_put_le(out + HASH_AT, identity->hash_mb, 4);
    bytes_put_le(out + NETWORK_AT, identity->network, 8);
    bytes_put_le(out + SIGNATURE_AT, identity->signature, 8);
    memcpy(out + NAME_AT, identity->name, strlen(identity->name));
    bytes_put_le(out + HEADER_SUM_AT, checksum_add(CHECKSUM_EMPTY, out, HEADER_SUM_AT), 8);
}

static void identity_text(const uint8_t *header, char *out, size_t capacity)
{
    (void)snprintf(out, capacity, "%.*s (network %08" PRIx32 ", signature %" PRIu64 ", %lu MB)",
                   SEARCHER_NAME_MAX - 1, (const char *)header + NAME_AT,
                   (uint32_t)(bytes_get_u64le(header + NETWORK_AT) >> 32),
                   bytes_get_u64le(header + SIGNATURE_AT),
                   (unsigned long)bytes_get_u32le(header + HASH_AT));
}

/* Is the header of the file the one that we would write? */
static enum caxton_status header_check(const uint8_t *found, size_t size, const uint8_t *wanted,
                                       struct diag *diag)
{
    char theirs[SEARCHER_NAME_MAX + 64];
    char ours[SEARCHER_NAME_MAX + 64];
    size_t same = size < sizeof magic - 1 ? size : sizeof magic - 1;
    if (memcmp(found, magic, same) != 0)
        diag_set(diag, 0, 0, "is no store of scores");
    else if (size < SCORE_STORE_HEADER)
        diag_set(diag, 0, 0, "a store of scores that ends in its header");
    else if (bytes_get_u32le(found + VERSION_AT) != VERSION)
        diag_set(diag, 0, 0, "a store of scores of version %lu, known is %d",
                 (unsigned long)bytes_get_u32le(found + VERSION_AT), VERSION);
    else if (checksum_add(CHECKSUM_EMPTY, found, HEADER_SUM_AT) !=
             bytes_get_u64le(found + HEADER_SUM_AT))
        diag_set(diag, 0, 0, "a store of scores with a damaged header");
    else if (memcmp(found, wanted, SCORE_STORE_HEADER) != 0) {
        identity_text(found, theirs, sizeof theirs);
        identity_text(wanted, ours, sizeof ours);
        diag_set(diag, 0, 0, "scores of %s, not of %s", theirs, ours);
    } else
        return STATUS_OK;
    return STATUS_FORMAT;
}

static uint64_t record_sum(const struct score_store *store, const uint8_t *record)
{
    uint8_t header[8];
    bytes_put_le(header, store->header_sum, 8);
    return checksum_add(checksum_add(CHECKSUM_EMPTY, header, sizeof header), record, RECORD_SUM_AT);
}

static void record_put(const struct score_store *store, const struct kept *kept, uint8_t *out)
{
    memcpy(out, kept->pos.bytes, PACKED_POSITION_SIZE);
    out[LIMIT_AT] = (uint8_t)kept->limit.kind;
    out[DEPTH_AT] = (uint8_t)kept->answer.depth;
    bytes_put_le(out + VALUE_AT, kept->limit.value, 8);
    bytes_put_le(out + MOVE_AT, kept->answer.best, 2);
    bytes_put_le(out + SCORE_AT, (uint16_t)(int16_t)kept->answer.score, 2);
    bytes_put_le(out + NODES_AT, kept->answer.nodes, 8);
    bytes_put_le(out + RECORD_SUM_AT, record_sum(store, out), 8);
}

static bool record_get(const struct score_store *store, const uint8_t *record, struct kept *out)
{
    if (record_sum(store, record) != bytes_get_u64le(record + RECORD_SUM_AT) ||
        record[LIMIT_AT] > SEARCH_NODES)
        return false;
    memcpy(out->pos.bytes, record, PACKED_POSITION_SIZE);
    out->limit = (struct search_limit){.kind = (enum search_limit_kind)record[LIMIT_AT],
                                       .value = bytes_get_u64le(record + VALUE_AT)};
    out->answer = (struct search_answer){.best = bytes_get_u16le(record + MOVE_AT),
                                         .score = (int16_t)bytes_get_u16le(record + SCORE_AT),
                                         .depth = record[DEPTH_AT],
                                         .nodes = bytes_get_u64le(record + NODES_AT)};
    return true;
}

/* In memory. --------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct packed_position *pos, struct search_limit limit)
{
    uint64_t sum = checksum_add(CHECKSUM_EMPTY, pos->bytes, sizeof pos->bytes);
    return rng_mix(sum ^ rng_mix(limit.value * 2 + (uint64_t)limit.kind));
}

/* The slot of the answer, or the free one where it belongs. */
static size_t slot_of(const struct score_store *store, const struct packed_position *pos,
                      struct search_limit limit)
{
    size_t mask = store->slot_count - 1;
    size_t at = (size_t)hash_of(pos, limit) & mask;
    for (; store->slots[at]; at = (at + 1) & mask) {
        const struct kept *kept = &store->kept[store->slots[at] - 1];
        if (kept->limit.kind == limit.kind && kept->limit.value == limit.value &&
            memcmp(&kept->pos, pos, sizeof *pos) == 0)
            break;
    }
    return at;
}

/* Makes room for one more. */
static enum caxton_status make_room(struct score_store *store)
{
    if (store->count >= UINT32_MAX - 1 ||
        !ARRAY_GROW(store->kept, store->capacity, store->count + 1))
        return STATUS_NO_MEMORY;
    if (store->slot_count > 2 * (store->count + 1))
        return STATUS_OK;
    size_t count = store->slot_count ? 2 * store->slot_count : SLOTS_MIN;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots)
        return STATUS_NO_MEMORY;
    free(store->slots);
    store->slots = slots;
    store->slot_count = count;
    for (size_t i = 0; i < store->count; i++)
        store->slots[slot_of(store, &store->kept[i].pos, store->kept[i].limit)] = (uint32_t)i + 1;
    return STATUS_OK;
}

/* Keeps it unless there is one; *added tells. */
static enum caxton_status keep(struct score_store *store, const struct kept *kept, bool *added)
{
    enum caxton_status status = make_room(store);
    if (status != STATUS_OK)
        return status;
    size_t slot = slot_of(store, &kept->pos, kept->limit);
    *added = !store->slots[slot];
    if (!*added)
        return STATUS_OK;
    store->kept[store->count++] = *kept;
    store->slots[slot] = (uint32_t)store->count;
    return STATUS_OK;
}

/* Opening. ----------------------------------------------------------------------------------- */

static void store_free(struct score_store *store)
{
    if (!store)
        return;
    append_file_close(store->file);
    free(store->kept);
    free(store->slots);
    free(store);
}

static enum caxton_status keep_records(struct score_store *store, const uint8_t *bytes, size_t size)
{
    enum caxton_status status = make_room(store);
    size_t at = SCORE_STORE_HEADER;
    for (; size - at >= SCORE_STORE_RECORD && status == STATUS_OK; at += SCORE_STORE_RECORD) {
        struct kept kept;
        bool added;
        if (record_get(store, bytes + at, &kept))
            status = keep(store, &kept, &added);
        else
            store->bad++;
    }
    store->cut = size - at;
    return status;
}

static void make_remark(struct score_store *store)
{
    if (store->bad)
        (void)snprintf(store->remark, sizeof store->remark,
                       "%zu damaged records left out: they are searched again", store->bad);
    else if (store->cut)
        (void)snprintf(store->remark, sizeof store->remark,
                       "the last record is cut: it is searched again");
}

enum caxton_status score_store_parse(const uint8_t *bytes, size_t size,
                                     const struct searcher_identity *identity,
                                     struct score_store **out, struct diag *diag)
{
    uint8_t header[SCORE_STORE_HEADER];
    struct score_store *store = calloc(1, sizeof *store);
    enum caxton_status status = store ? STATUS_OK : STATUS_NO_MEMORY;
    diag_set(diag, 0, 0, "out of memory");
    header_put(identity, header);
    if (status == STATUS_OK)
        status = header_check(bytes, size, header, diag);
    if (status == STATUS_OK) {
        store->header_sum = bytes_get_u64le(header + HEADER_SUM_AT);
        status = keep_records(store, bytes, size);
        make_remark(store);
    }
    if (status == STATUS_OK)
        *out = store;
    else
        store_free(store);
    return status;
}

/* The bytes of the file; of an empty one, or of one that was killed while its header was written,
 * the header that it gets. The caller frees them. */
static enum caxton_status read_file(struct append_file *file,
                                    const struct searcher_identity *identity, uint8_t **bytes,
                                    size_t *size, struct diag *diag)
{
    uint8_t header[SCORE_STORE_HEADER];
    *size = (size_t)append_file_size(file);
    *bytes = malloc(*size > sizeof header ? *size : sizeof header);
    diag_set(diag, 0, 0, "out of memory");
    if (!*bytes)
        return STATUS_NO_MEMORY;
    enum caxton_status status = append_file_read(file, 0, *bytes, *size, diag);
    header_put(identity, header);
    if (status != STATUS_OK || *size >= sizeof header || memcmp(*bytes, header, *size) != 0)
        return status;
    memcpy(*bytes, header, sizeof header);
    status = append_file_add(file, header + *size, sizeof header - *size, diag);
    *size = sizeof header;
    return status;
}

static enum caxton_status open_file(struct append_file *file,
                                    const struct searcher_identity *identity, const char *path,
                                    struct score_store **out, struct diag *diag)
{
    uint8_t *bytes = NULL;
    size_t size;
    struct diag why = {.text = ""};
    struct score_store *store = NULL;
    enum caxton_status status = read_file(file, identity, &bytes, &size, diag);
    if (status == STATUS_OK) {
        status = score_store_parse(bytes, size, identity, &store, &why);
        diag_set(diag, 0, 0, "%s: %s", path, why.text);
    }
    if (status == STATUS_OK && store->cut)
        status = append_file_cut(file, size - store->cut, diag);
    free(bytes);
    if (status == STATUS_OK) {
        store->file = file;
        *out = store;
        return STATUS_OK;
    }
    store_free(store);
    return status;
}

enum caxton_status score_store_open(const char *path, const struct searcher_identity *identity,
                                    struct score_store **out, struct diag *diag)
{
    if (!path) {
        uint8_t header[SCORE_STORE_HEADER];
        header_put(identity, header);
        return score_store_parse(header, sizeof header, identity, out, diag);
    }
    struct append_file *file;
    enum caxton_status status = append_file_open(path, &file, diag);
    if (status != STATUS_OK)
        return status;
    status = open_file(file, identity, path, out, diag);
    if (status != STATUS_OK)
        append_file_close(file);
    return status;
}

enum caxton_status score_store_close(struct score_store *store, struct diag *diag)
{
    if (!store)
        return STATUS_OK;
    enum caxton_status status =
        store->file && store->dirty ? append_file_sync(store->file, diag) : STATUS_OK;
    store_free(store);
    return status;
}

/* Use. --------------------------------------------------------------------------------------- */

size_t score_store_count(const struct score_store *store)
{
    return store->count;
}

const char *score_store_remark(const struct score_store *store)
{
    return store->remark;
}

bool score_store_find(const struct score_store *store, const struct packed_position *pos,
                      struct search_limit limit, struct search_answer *out)
{
    uint32_t index = store->slots[slot_of(store, pos, limit)];
    if (index && out)
        *out = store->kept[index - 1].answer;
    return index != 0;
}

enum caxton_status score_store_add(struct score_store *store, const struct packed_position *pos,
                                   struct search_limit limit, const struct search_answer *answer,
                                   struct diag *diag)
{
    bool added;
    uint8_t record[SCORE_STORE_RECORD];
    const struct kept kept = {.pos = *pos, .limit = limit, .answer = *answer};
    enum caxton_status status = keep(store, &kept, &added);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "out of memory");
    if (status != STATUS_OK || !added || !store->file)
        return status;
    record_put(store, &kept, record);
    status = append_file_add(store->file, record, sizeof record, diag);
    store->dirty = true;
    if (status == STATUS_OK && clock_ms() - store->synced_ms >= SYNC_MS) {
        status = append_file_sync(store->file, diag);
        store->synced_ms = clock_ms();
        store->dirty = status != STATUS_OK;
    }
    return status;
}
