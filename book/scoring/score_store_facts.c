/* What games taught: chosen moves, and games that were played. */
#include <string.h>

#include "base/bytes.h"
#include "book/scoring/score_store_internal.h"

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
    return store_append(store, record, NULL, diag);
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
    return store_append(store, record, added, diag);
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
