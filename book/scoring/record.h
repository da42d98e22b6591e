/* The bytes of a store: a header, which names who searched, and records of one size, each about one
 * position and with its own checksum. All numbers are little-endian.
 *
 * Header: 0 magic, 8 version, 12 hash MB, 16 network, 24 signature, 32 name, 96 zeros, 104 checksum
 * of what stands before. Record: 0 position, 38 kind, 39 what the kind has (21 bytes), 60 checksum
 * of the header's and what stands before. Unused bytes are 0. By kind:
 *   to depth, nodes (an answer): 39 depth, 40 value of the limit, 48 best move, 50 score, 52 nodes
 *   chosen: 39 move, 41 reason, 42 games
 *   played: 39 source, 47 move, 49 wins, 52 draws, 55 losses, of 3 bytes each
 *   graph begin: 39 run; graph end: 39 run, 43 records between the two; no position
 *   node (of White's or Black's graph): 39 state, 40 flags, 41 plies, 43 depth, 44 score,
 *     46 probability, 54 move, 56 number of moves
 *   moves (behind their node): 39 number from 0, then twice move and probability
 * Scores are as search/score.h has them; those of a store without a hash size, which `makebook
 * import` makes, are centipawns where they are no mates: what a version of this program shows as a
 * centipawn does not change them. Probabilities are IEEE 754 doubles. Version 1 had answers only.
 */
#pragma once

#include <stdbool.h>

#include "base/checksum.h"
#include "book/scoring/packed_position.h"
#include "book/scoring/searcher.h"

enum { STORE_HEADER_SIZE = 112, STORE_RECORD_SIZE = 68, STORE_VERSION = 2 };

enum record_kind {
    RECORD_TO_DEPTH = SEARCH_TO_DEPTH,
    RECORD_NODES = SEARCH_NODES,
    RECORD_CHOSEN,
    RECORD_PLAYED,
    RECORD_GRAPH_BEGIN,
    RECORD_NODE_WHITE,
    RECORD_MOVES_WHITE,
    RECORD_NODE_BLACK,
    RECORD_MOVES_BLACK,
    RECORD_GRAPH_END,
    RECORD_KINDS,
    RECORD_PLAYED_SUM = RECORD_KINDS, /* in memory only: 39 move, then three numbers of 6 bytes */
};

enum {
    RECORD_KIND_AT = PACKED_POSITION_SIZE,
    RECORD_DATA_AT,
    RECORD_DATA_SIZE = 21,
    RECORD_SUM_AT = RECORD_DATA_AT + RECORD_DATA_SIZE,

    ANSWER_DEPTH_AT = RECORD_DATA_AT,
    ANSWER_VALUE_AT = 40,
    ANSWER_MOVE_AT = 48,
    ANSWER_SCORE_AT = 50,
    ANSWER_NODES_AT = 52,

    CHOSEN_MOVE_AT = RECORD_DATA_AT,
    CHOSEN_REASON_AT = 41,
    CHOSEN_GAMES_AT = 42,

    PLAYED_SOURCE_AT = RECORD_DATA_AT,
    PLAYED_MOVE_AT = 47,
    PLAYED_COUNTS_AT = 49,
    PLAYED_COUNT_SIZE = 3,
    SUM_MOVE_AT = RECORD_DATA_AT,
    SUM_COUNTS_AT = 41,
    SUM_COUNT_SIZE = 6,

    GRAPH_RUN_AT = RECORD_DATA_AT,
    GRAPH_COUNT_AT = 43,

    NODE_STATE_AT = RECORD_DATA_AT,
    NODE_FLAGS_AT = 40,
    NODE_PLY_AT = 41,
    NODE_DEPTH_AT = 43,
    NODE_SCORE_AT = 44,
    NODE_PROBABILITY_AT = 46,
    NODE_MOVE_AT = 54,
    NODE_COUNT_AT = 56,
    MOVES_NUMBER_AT = RECORD_DATA_AT,
    MOVES_AT = 40,
    MOVES_SIZE = 10, /* of each */
    MOVES_EACH = 2,
};

static inline enum record_kind record_kind(const uint8_t *record)
{
    return (enum record_kind)record[RECORD_KIND_AT];
}

static inline bool record_is_answer(const uint8_t *record)
{
    return record[RECORD_KIND_AT] <= RECORD_NODES;
}

static inline bool record_is_graph(const uint8_t *record)
{
    return record[RECORD_KIND_AT] > RECORD_GRAPH_BEGIN && record[RECORD_KIND_AT] < RECORD_GRAPH_END;
}

/* A record of that kind with nothing in it. pos: NULL for none. */
void record_make(const struct packed_position *pos, enum record_kind kind,
                 uint8_t out[STORE_RECORD_SIZE]);

void record_put_sum(uint64_t header_sum, uint8_t *record);

/* Does the record check, and is it of a known kind? */
bool record_is_sound(uint64_t header_sum, const uint8_t *record);

/* Are two records about the same: would one stand for both? */
bool record_is_same(const uint8_t *a, const uint8_t *b);
/* The order of a compact file: by position, kind and the rest. As memcmp(). */
int record_compare(const void *a, const void *b);

void record_put_answer(const struct packed_position *pos, struct search_limit limit,
                       const struct search_answer *answer, uint8_t out[STORE_RECORD_SIZE]);
void record_get_answer(const uint8_t *record, struct search_limit *limit,
                       struct search_answer *answer);

double record_get_double(const uint8_t *from);
void record_put_double(uint8_t *to, double value);

void store_header_put(const struct searcher_identity *identity, uint8_t out[STORE_HEADER_SIZE]);
void store_header_get(const uint8_t header[STORE_HEADER_SIZE], struct searcher_identity *out);

/* Do the bytes begin as a store does? */
bool store_is_magic(const uint8_t *bytes, size_t size);

/* Is it the header of a store, of any searcher and a version that is known? Errors: STATUS_FORMAT;
 * `diag` says what it is instead. */
MUST_CHECK enum caxton_status store_header_check(const uint8_t *bytes, size_t size,
                                                 struct diag *diag);

/* The checksum of a header, which the checksums of its records begin with. */
uint64_t store_header_sum(const uint8_t header[STORE_HEADER_SIZE]);

bool searcher_is_same(const struct searcher_identity *a, const struct searcher_identity *b);

/* Are both the same searcher? Errors: STATUS_FORMAT; `diag` names both. */
MUST_CHECK enum caxton_status store_identity_check(const struct searcher_identity *found,
                                                   const struct searcher_identity *wanted,
                                                   struct diag *diag);

enum { SEARCHER_TEXT_MAX = SEARCHER_NAME_MAX + 80 };

/* "Caxton 1.0 (network 12345678, signature 77, 16 MB)". Returns `out`. */
const char *searcher_text(const struct searcher_identity *identity, char out[SEARCHER_TEXT_MAX]);

/* Records in memory, in the order of their file, and the one of them that is about something. ----
 */

#define RECORD_NONE SIZE_MAX

struct record_table {
    const uint8_t *records; /* one behind the other */
    uint8_t *owned;         /* the same, NULL: borrowed */
    size_t count;
    size_t capacity; /* of `owned` */
    uint64_t seed;   /* of the hashes: nobody can write a file of records that fall together */
    uint32_t *slots; /* number of a record + 1 by hash; 0: free; a power of two of them */
    size_t slot_count;
    size_t indexed; /* records that can be found */
};

static inline const uint8_t *record_at(const struct record_table *table, size_t number)
{
    return table->records + number * STORE_RECORD_SIZE;
}

/* Room for `records` of them that can be found. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status record_table_reserve(struct record_table *table, size_t records);

/* The number of the record that is about the same as this one, or RECORD_NONE. */
size_t record_table_find(const struct record_table *table, const uint8_t *record);

/* Makes record `number` the one that is found. *before: the one that was found until now, or
 * RECORD_NONE. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status record_table_index(struct record_table *table, size_t number,
                                                 size_t *before);

/* Is this the one that is found? */
bool record_table_is_live(const struct record_table *table, size_t number);

/* Adds copies of the records at the end, none of them to be found. Borrowed ones are copied, too.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status record_table_add(struct record_table *table, const uint8_t *records,
                                               size_t count);

void record_table_free(struct record_table *table);
