#include "book/makebook/explore/lookup.h"

#include "base/json.h"
#include "book/polyglot_entry.h"
#include "book/statistics/wld_file.h"
#include "book/weigh/threshold.h"
#include "chess/mirror.h"
#include "chess/movegen.h"

/* What the book knows in one position. */
struct rows {
    struct book_move moves[MOVES_MAX];
    struct tally tallies[MOVES_MAX]; /* of statistics */
    int count;
};

/* A position to be found in statistics. */
struct search {
    const struct explore_lookup *lookup;
    struct position pos; /* as it stands there */
    bool turned;         /* with the colours exchanged */
    struct rows *rows;   /* NULL: the first move ends the search */
};

static const struct wld_info *info_of(const struct explore_lookup *lookup)
{
    return wld_reader_info(lookup->source->stats);
}

/* A tally_sink. */
static enum caxton_status take_tally(void *context, const struct tally *tally)
{
    struct search *search = context;
    struct rows *rows = search->rows;
    move m = polyglot_to_move(&search->pos, tally->move);
    if (m == MOVE_NONE || threshold_is_rare(tally_games(tally), search->lookup->min_games,
                                            info_of(search->lookup)->unit))
        return STATUS_OK;
    if (!rows)
        return STATUS_END;
    if (rows->count < MOVES_MAX) {
        rows->tallies[rows->count] = *tally;
        rows->moves[rows->count++].move = search->turned ? move_mirror(m) : m;
    }
    return STATUS_OK;
}

/* STATUS_END: there is a move, and `rows` is NULL. */
static enum caxton_status search_stats(const struct explore_lookup *lookup,
                                       const struct position *pos, struct rows *rows,
                                       struct diag *diag)
{
    struct search search = {.lookup = lookup, .pos = *pos, .rows = rows};
    search.turned = info_of(lookup)->mirrored && pos->turn == BLACK;
    if (search.turned)
        position_mirror(pos, &search.pos);
    return wld_file_find(lookup->source->file, search.pos.key, take_tally, &search, diag);
}

/* Where a block is damaged nothing is known. */
static bool is_known(const struct explore_lookup *lookup, const struct position *pos)
{
    struct book_move moves[MOVES_MAX];
    if (lookup->source->file)
        return search_stats(lookup, pos, NULL, NULL) == STATUS_END;
    return book_probe(lookup->source->book, pos, moves, MOVES_MAX) > 0;
}

static void put_games(struct json *json, uint64_t count, uint64_t unit)
{
    enum { DECIMALS = 2 };
    if (unit == 1)
        json_unsigned(json, NULL, count);
    else
        json_decimal(json, NULL, (double)count / (double)unit, DECIMALS);
}

static void put_row(struct json *json, const struct explore_lookup *lookup,
                    const struct position *pos, const struct rows *rows, int i)
{
    struct position after = position_after(pos, rows->moves[i].move);
    json_array(json, NULL);
    json_unsigned(json, NULL, rows->moves[i].move);
    for (int k = 0; lookup->source->file && k < OUTCOMES; k++)
        put_games(json, rows->tallies[i].counts[k], info_of(lookup)->unit);
    if (!lookup->source->file)
        json_unsigned(json, NULL, rows->moves[i].weight);
    json_unsigned(json, NULL, !is_known(lookup, &after));
    json_end(json);
}

static bool has_move(const struct rows *rows, move m)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->moves[i].move == m)
            return true;
    return false;
}

/* Other moves that lead into the book. */
static void put_into(struct json *json, const struct explore_lookup *lookup,
                     const struct position *pos, const struct rows *rows)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    json_array(json, "into");
    for (int i = 0; i < count; i++) {
        struct position after = position_after(pos, moves[i]);
        if (!has_move(rows, moves[i]) && is_known(lookup, &after))
            json_unsigned(json, NULL, moves[i]);
    }
    json_end(json);
}

/* What the book knows in `pos`. */
static enum caxton_status find_rows(const struct explore_lookup *lookup, const struct position *pos,
                                    struct rows *rows, struct diag *diag)
{
    rows->count = 0;
    if (lookup->source->file)
        return search_stats(lookup, pos, rows, diag);
    rows->count = book_probe(lookup->source->book, pos, rows->moves, MOVES_MAX);
    return STATUS_OK;
}

enum caxton_status explore_lookup_moves(const struct explore_lookup *lookup,
                                        const struct position *pos, move *out, int *count,
                                        struct diag *diag)
{
    struct rows rows;
    enum caxton_status status = find_rows(lookup, pos, &rows, diag);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < rows.count; i++)
        out[i] = rows.moves[i].move;
    *count = rows.count;
    return STATUS_OK;
}

uint64_t explore_lookup_key(const struct explore_lookup *lookup, const struct position *pos)
{
    bool turned = lookup->source->file && info_of(lookup)->mirrored && pos->turn == BLACK;
    return turned ? position_mirror_key(pos) : pos->key;
}

enum caxton_status explore_lookup_json(const struct explore_lookup *lookup,
                                       const struct position *pos, FILE *out, struct diag *diag)
{
    struct rows rows;
    enum caxton_status status = find_rows(lookup, pos, &rows, diag);
    if (status != STATUS_OK)
        return status;
    struct json json = json_start(out);
    json_object(&json, NULL);
    json_array(&json, "moves");
    for (int i = 0; i < rows.count; i++)
        put_row(&json, lookup, pos, &rows, i);
    json_end(&json);
    put_into(&json, lookup, pos, &rows);
    json_end(&json);
    return STATUS_OK;
}
