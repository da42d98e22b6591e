#include "book/scoring/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/rng.h"

enum {
    VERSION_AT = 8,
    HASH_AT = 12,
    NETWORK_AT = 16,
    SIGNATURE_AT = 24,
    NAME_AT = 32,
    HEADER_SUM_AT = 104,
    WORD = 8,
};

static const char magic[] = "CXTNSCOR";

_Static_assert((int)HEADER_SUM_AT + 8 == (int)STORE_HEADER_SIZE, "the header as described");
_Static_assert((int)RECORD_SUM_AT + 8 == (int)STORE_RECORD_SIZE, "a record as described");
_Static_assert((int)NAME_AT + (int)SEARCHER_NAME_MAX <= (int)HEADER_SUM_AT, "the name fits");
_Static_assert((int)ANSWER_NODES_AT + 8 == (int)RECORD_SUM_AT, "an answer fits");
_Static_assert((int)MOVES_AT + (int)MOVES_EACH * (int)MOVES_SIZE == (int)RECORD_SUM_AT,
               "moves fit");

/* Records. ------------------------------------------------------------------------------------ */

/* The bytes that tell records of a kind in one position apart: [from, to). */
static const struct {
    uint8_t from;
    uint8_t to;
} apart[] = {
    [RECORD_TO_DEPTH] = {ANSWER_VALUE_AT, ANSWER_MOVE_AT},
    [RECORD_NODES] = {ANSWER_VALUE_AT, ANSWER_MOVE_AT},
    [RECORD_CHOSEN] = {RECORD_DATA_AT, RECORD_DATA_AT},
    [RECORD_PLAYED] = {PLAYED_SOURCE_AT, PLAYED_COUNTS_AT},
    [RECORD_GRAPH_BEGIN] = {RECORD_DATA_AT, RECORD_DATA_AT},
    [RECORD_NODE_WHITE] = {RECORD_DATA_AT, RECORD_DATA_AT},
    [RECORD_MOVES_WHITE] = {MOVES_NUMBER_AT, MOVES_AT},
    [RECORD_NODE_BLACK] = {RECORD_DATA_AT, RECORD_DATA_AT},
    [RECORD_MOVES_BLACK] = {MOVES_NUMBER_AT, MOVES_AT},
    [RECORD_GRAPH_END] = {RECORD_DATA_AT, RECORD_DATA_AT},
    [RECORD_PLAYED_SUM] = {SUM_MOVE_AT, SUM_COUNTS_AT},
};

void record_make(const struct packed_position *pos, enum record_kind kind,
                 uint8_t out[STORE_RECORD_SIZE])
{
    memset(out, 0, STORE_RECORD_SIZE);
    if (pos)
        memcpy(out, pos->bytes, sizeof pos->bytes);
    out[RECORD_KIND_AT] = (uint8_t)kind;
}

/* The checksum of the record under a header with that checksum. */
static uint64_t record_sum(uint64_t header_sum, const uint8_t *record)
{
    uint8_t header[WORD];
    bytes_put_le(header, header_sum, WORD);
    return checksum_add(checksum_add(CHECKSUM_EMPTY, header, WORD), record, RECORD_SUM_AT);
}

void record_put_sum(uint64_t header_sum, uint8_t *record)
{
    bytes_put_le(record + RECORD_SUM_AT, record_sum(header_sum, record), WORD);
}

bool record_is_sound(uint64_t header_sum, const uint8_t *record)
{
    return record[RECORD_KIND_AT] < RECORD_KINDS &&
           record_sum(header_sum, record) == bytes_get_u64le(record + RECORD_SUM_AT);
}

bool record_is_same(const uint8_t *a, const uint8_t *b)
{
    size_t from = apart[record_kind(a)].from;
    return memcmp(a, b, RECORD_KIND_AT + 1) == 0 &&
           memcmp(a + from, b + from, apart[record_kind(a)].to - from) == 0;
}

/* Equal for records that are about the same. */
static uint64_t record_hash(const uint8_t *record, uint64_t seed)
{
    size_t from = apart[record_kind(record)].from;
    size_t to = apart[record_kind(record)].to;
    uint64_t hash = seed;
    for (size_t at = 0; at < RECORD_KIND_AT + 1; at += WORD) {
        uint64_t word = 0;
        size_t left = RECORD_KIND_AT + 1 - at;
        memcpy(&word, record + at, left < WORD ? left : WORD);
        hash = rng_mix(hash ^ word);
    }
    for (size_t at = from; at < to; at += WORD) {
        uint64_t word = 0;
        memcpy(&word, record + at, to - at < WORD ? to - at : WORD);
        hash = rng_mix(hash ^ word);
    }
    return hash;
}

int record_compare(const void *a, const void *b)
{
    return memcmp(a, b, RECORD_SUM_AT);
}

void record_put_answer(const struct packed_position *pos, struct search_limit limit,
                       const struct search_answer *answer, uint8_t out[STORE_RECORD_SIZE])
{
    record_make(pos, (enum record_kind)limit.kind, out);
    out[ANSWER_DEPTH_AT] = (uint8_t)answer->depth;
    bytes_put_le(out + ANSWER_VALUE_AT, limit.value, 8);
    bytes_put_le(out + ANSWER_MOVE_AT, answer->best, 2);
    bytes_put_le(out + ANSWER_SCORE_AT, (uint16_t)(int16_t)answer->score, 2);
    bytes_put_le(out + ANSWER_NODES_AT, answer->nodes, 8);
}

void record_get_answer(const uint8_t *record, struct search_limit *limit,
                       struct search_answer *answer)
{
    *limit = (struct search_limit){.kind = (enum search_limit_kind)record[RECORD_KIND_AT],
                                   .value = bytes_get_u64le(record + ANSWER_VALUE_AT)};
    *answer = (struct search_answer){.best = bytes_get_u16le(record + ANSWER_MOVE_AT),
                                     .score = (int16_t)bytes_get_u16le(record + ANSWER_SCORE_AT),
                                     .depth = record[ANSWER_DEPTH_AT],
                                     .nodes = bytes_get_u64le(record + ANSWER_NODES_AT)};
}

_Static_assert(sizeof(double) == sizeof(uint64_t), "a probability has 64 bits");

double record_get_double(const uint8_t *from)
{
    uint64_t bits = bytes_get_u64le(from);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void record_put_double(uint8_t *to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put_le(to, bits, WORD);
}

/* The header. --------------------------------------------------------------------------------- */

void store_header_put(const struct searcher_identity *identity, uint8_t out[STORE_HEADER_SIZE])
{
    memset(out, 0, STORE_HEADER_SIZE);
    memcpy(out, magic, sizeof magic - 1);
    bytes_put_le(out + VERSION_AT, STORE_VERSION, 4);
    bytes_put_le(out + HASH_AT, identity->hash_mb, 4);
    bytes_put_le(out + NETWORK_AT, identity->network, 8);
    bytes_put_le(out + SIGNATURE_AT, identity->signature, 8);
    memcpy(out + NAME_AT, identity->name, strnlen(identity->name, SEARCHER_NAME_MAX - 1));
    bytes_put_le(out + HEADER_SUM_AT, checksum_add(CHECKSUM_EMPTY, out, HEADER_SUM_AT), 8);
}

void store_header_get(const uint8_t header[STORE_HEADER_SIZE], struct searcher_identity *out)
{
    *out = (struct searcher_identity){.network = bytes_get_u64le(header + NETWORK_AT),
                                      .signature = bytes_get_u64le(header + SIGNATURE_AT),
                                      .hash_mb = bytes_get_u32le(header + HASH_AT)};
    memcpy(out->name, header + NAME_AT, SEARCHER_NAME_MAX - 1);
}

uint64_t store_header_sum(const uint8_t header[STORE_HEADER_SIZE])
{
    return bytes_get_u64le(header + HEADER_SUM_AT);
}

bool store_is_magic(const uint8_t *bytes, size_t size)
{
    return size >= sizeof magic - 1 && memcmp(bytes, magic, sizeof magic - 1) == 0;
}

enum caxton_status store_header_check(const uint8_t *bytes, size_t size, struct diag *diag)
{
    size_t same = size < sizeof magic - 1 ? size : sizeof magic - 1;
    if (memcmp(bytes, magic, same) != 0)
        diag_set(diag, 0, 0, "is no store of scores");
    else if (size < STORE_HEADER_SIZE)
        diag_set(diag, 0, 0, "a store of scores that ends in its header");
    else if (bytes_get_u32le(bytes + VERSION_AT) < 1 ||
             bytes_get_u32le(bytes + VERSION_AT) > STORE_VERSION)
        diag_set(diag, 0, 0, "a store of scores of version %lu, known are 1 to %d",
                 (unsigned long)bytes_get_u32le(bytes + VERSION_AT), STORE_VERSION);
    else if (checksum_add(CHECKSUM_EMPTY, bytes, HEADER_SUM_AT) !=
             bytes_get_u64le(bytes + HEADER_SUM_AT))
        diag_set(diag, 0, 0, "a store of scores with a damaged header");
    else
        return STATUS_OK;
    return STATUS_FORMAT;
}

const char *searcher_text(const struct searcher_identity *identity, char out[SEARCHER_TEXT_MAX])
{
    if (searcher_is_imported(identity)) {
        (void)snprintf(out, SEARCHER_TEXT_MAX, "%.*s", SEARCHER_NAME_MAX - 1, identity->name);
        return out;
    }
    (void)snprintf(out, SEARCHER_TEXT_MAX,
                   "%.*s (network %08" PRIx32 ", signature %" PRIu64 ", %lu MB)",
                   SEARCHER_NAME_MAX - 1, identity->name, (uint32_t)(identity->network >> 32),
                   identity->signature, (unsigned long)identity->hash_mb);
    return out;
}

bool searcher_is_same(const struct searcher_identity *a, const struct searcher_identity *b)
{
    return strncmp(a->name, b->name, SEARCHER_NAME_MAX) == 0 && a->network == b->network &&
           a->signature == b->signature && a->hash_mb == b->hash_mb;
}

enum caxton_status store_identity_check(const struct searcher_identity *found,
                                        const struct searcher_identity *wanted, struct diag *diag)
{
    char theirs[SEARCHER_TEXT_MAX];
    char ours[SEARCHER_TEXT_MAX];
    if (searcher_is_same(found, wanted))
        return STATUS_OK;
    return diag_fail(STATUS_FORMAT, diag, "scores of %s, not of %s", searcher_text(found, theirs),
                     searcher_text(wanted, ours));
}

/* A table of them. ---------------------------------------------------------------------------- */

enum { SLOTS_MIN = 1024 };

/* The slot of the record that is about the same, or the free one where it belongs. */
static size_t slot_of(const struct record_table *table, const uint8_t *record)
{
    size_t mask = table->slot_count - 1;
    size_t at = (size_t)record_hash(record, table->seed) & mask;
    while (table->slots[at] && !record_is_same(record_at(table, table->slots[at] - 1), record))
        at = (at + 1) & mask;
    return at;
}

enum caxton_status record_table_reserve(struct record_table *table, size_t records)
{
    size_t count = table->slot_count ? table->slot_count : SLOTS_MIN;
    if (records >= UINT32_MAX)
        return STATUS_NO_MEMORY;
    while (count < 2 * records)
        count *= 2;
    if (count == table->slot_count)
        return STATUS_OK;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots)
        return STATUS_NO_MEMORY;
    struct record_table larger = *table;
    if (!table->slot_count)
        larger.seed = clock_seed();
    larger.slots = slots;
    larger.slot_count = count;
    for (size_t i = 0; i < table->slot_count; i++)
        if (table->slots[i])
            slots[slot_of(&larger, record_at(table, table->slots[i] - 1))] = table->slots[i];
    free(table->slots);
    *table = larger;
    return STATUS_OK;
}

size_t record_table_find(const struct record_table *table, const uint8_t *record)
{
    uint32_t slot = table->slot_count ? table->slots[slot_of(table, record)] : 0;
    return slot ? slot - 1 : RECORD_NONE;
}

enum caxton_status record_table_index(struct record_table *table, size_t number, size_t *before)
{
    enum caxton_status status = record_table_reserve(table, table->indexed + 1);
    if (status != STATUS_OK || number >= UINT32_MAX)
        return STATUS_NO_MEMORY;
    size_t slot = slot_of(table, record_at(table, number));
    *before = table->slots[slot] ? table->slots[slot] - 1 : RECORD_NONE;
    table->indexed += !table->slots[slot];
    table->slots[slot] = (uint32_t)number + 1;
    return STATUS_OK;
}

bool record_table_is_live(const struct record_table *table, size_t number)
{
    const uint8_t *record = record_at(table, number);
    return record[RECORD_KIND_AT] < RECORD_KINDS && record_table_find(table, record) == number;
}

/* An own copy of the records, with room for `needed`. */
static bool own_records(struct record_table *table, size_t needed)
{
    size_t capacity = table->owned ? table->capacity : 0;
    if (needed <= capacity)
        return true;
    capacity = needed > 2 * capacity ? needed : 2 * capacity;
    if (capacity > SIZE_MAX / STORE_RECORD_SIZE)
        return false;
    uint8_t *owned = realloc(table->owned, capacity * STORE_RECORD_SIZE);
    if (!owned)
        return false;
    if (!table->owned && table->count > 0)
        memcpy(owned, table->records, table->count * STORE_RECORD_SIZE);
    table->owned = owned;
    table->records = owned;
    table->capacity = capacity;
    return true;
}

enum caxton_status record_table_add(struct record_table *table, const uint8_t *records,
                                    size_t count)
{
    if (count >= UINT32_MAX - table->count || !own_records(table, table->count + count))
        return STATUS_NO_MEMORY;
    if (count > 0)
        memcpy(table->owned + table->count * STORE_RECORD_SIZE, records, count * STORE_RECORD_SIZE);
    table->count += count;
    return STATUS_OK;
}

void record_table_free(struct record_table *table)
{
    free(table->owned);
    free(table->slots);
    *table = (struct record_table){.count = 0};
}
