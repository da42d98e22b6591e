#include "book/makebook/explore/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "book/format.h"
#include "book/formats/store/store_format.h"
#include "book/makebook/explore/explore_data.h"
#include "book/polyglot_entry.h"
#include "book/weigh/threshold.h"
#include "chess/movegen.h"

/* The moves that the book knows in `pos` and that are not too rare. */
static enum caxton_status find_moves(const struct explore_lookup *lookup,
                                     const struct position *pos, struct book_facts *out,
                                     struct diag *diag)
{
    enum caxton_status status = book_look_up_moves(lookup->book, pos, out, diag);
    int kept = 0;
    if (lookup->scores && status == STATUS_OK)
        store_format_scores(lookup->scores, pos, out);
    for (int i = 0; i < out->count; i++)
        if (!threshold_is_rare(book_move_games(&out->moves[i]), lookup->min_games, out->unit))
            out->moves[kept++] = out->moves[i];
    out->count = kept;
    return status;
}

/* Where a block is damaged nothing is known. */
static bool is_known(const struct explore_lookup *lookup, const struct position *pos)
{
    struct book_facts facts;
    return find_moves(lookup, pos, &facts, NULL) == STATUS_OK && facts.count > 0;
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
                    const struct position *pos, const struct book_move_facts *facts, uint64_t unit)
{
    struct position after = position_after(pos, facts->move);
    json_array(json, NULL);
    json_unsigned(json, NULL, facts->move);
    if (lookup->book->counts) {
        put_games(json, facts->wins, unit);
        put_games(json, facts->draws, unit);
        put_games(json, facts->losses, unit);
        json_unsigned(json, NULL, book_move_rating(facts, 0));
    } else {
        json_unsigned(json, NULL, facts->weight);
    }
    if (lookup->scores)
        json_unsigned(json, NULL, explore_score(facts));
    json_unsigned(json, NULL, !is_known(lookup, &after));
    json_end(json);
}

/* Other moves that lead into the book. */
static void put_into(struct json *json, const struct explore_lookup *lookup,
                     const struct position *pos, const struct book_facts *facts)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    json_array(json, "into");
    for (int i = 0; i < count; i++) {
        struct position after = position_after(pos, moves[i]);
        int at = 0;
        while (at < facts->count && facts->moves[at].move != moves[i])
            at++;
        if (at == facts->count && is_known(lookup, &after))
            json_unsigned(json, NULL, moves[i]);
    }
    json_end(json);
}

enum caxton_status explore_lookup_moves(const struct explore_lookup *lookup,
                                        const struct position *pos, move *out, int *count,
                                        struct diag *diag)
{
    struct book_facts facts;
    enum caxton_status status = find_moves(lookup, pos, &facts, diag);
    for (int i = 0; i < facts.count; i++)
        out[i] = facts.moves[i].move;
    *count = facts.count;
    return status;
}

enum caxton_status explore_lookup_json(const struct explore_lookup *lookup,
                                       const struct position *pos, FILE *out, struct diag *diag)
{
    struct book_facts facts;
    enum caxton_status status = find_moves(lookup, pos, &facts, diag);
    if (status != STATUS_OK)
        return status;
    struct json json = json_start(out);
    json_object(&json, NULL);
    json_array(&json, "moves");
    for (int i = 0; i < facts.count; i++)
        put_row(&json, lookup, pos, &facts.moves[i], facts.unit);
    json_end(&json);
    put_into(&json, lookup, pos, &facts);
    json_end(&json);
    return STATUS_OK;
}

/* By year and rating group ------------------------------------------------------------------- */

/* What the games of a move are, by rating group and by year. */
struct move_facets {
    uint16_t stored;
    uint64_t groups[RATING_GROUPS][OUTCOMES];
    struct year_games {
        uint32_t year;
        uint64_t games;
    } * years; /* ascending */
    size_t count;
    size_t capacity;
};

struct facets_reading {
    const struct facet_filter *filter;
    size_t count;
    struct move_facets moves[MOVES_MAX];
};

/* The games of the year, in its place; NULL when there is no memory. Mostly it is the last. */
static uint64_t *games_of_year(struct move_facets *facets, uint32_t year)
{
    size_t at = facets->count;
    while (at > 0 && facets->years[at - 1].year > year)
        at--;
    if (at > 0 && facets->years[at - 1].year == year)
        return &facets->years[at - 1].games;
    if (!ARRAY_GROW(facets->years, facets->capacity, facets->count + 1))
        return NULL;
    struct year_games *place = &facets->years[at];
    memmove(place + 1, place, (facets->count++ - at) * sizeof *place);
    *place = (struct year_games){.year = year};
    return &place->games;
}

/* A tally_sink. */
static enum caxton_status take_facet(void *context, const struct tally *tally)
{
    struct facets_reading *reading = context;
    uint32_t year = facet_month(tally->facet) / MONTHS_A_YEAR;
    size_t i = reading->count; /* the tallies of a move follow each other */
    while (i > 0 && reading->moves[i - 1].stored != tally->move)
        i--;
    if (!facet_passes(reading->filter, tally->facet) || (i == 0 && reading->count == MOVES_MAX))
        return STATUS_OK;
    struct move_facets *facets = &reading->moves[i > 0 ? i - 1 : reading->count++];
    facets->stored = tally->move;
    for (int k = 0; k < OUTCOMES; k++)
        facets->groups[facet_group(tally->facet)][k] += tally->counts[k];
    uint64_t *games = games_of_year(facets, year);
    if (!games)
        return STATUS_NO_MEMORY;
    *games += tally_games(tally);
    return STATUS_OK;
}

/* [head, counts ..] */
static void put_counts(struct json *json, uint64_t head, const uint64_t *counts, int count,
                       uint64_t unit)
{
    json_array(json, NULL);
    json_unsigned(json, NULL, head);
    for (int i = 0; i < count; i++)
        put_games(json, counts[i], unit);
    json_end(json);
}

static void put_facets(struct json *json, move m, const struct move_facets *facets, uint64_t unit)
{
    json_object(json, NULL);
    json_unsigned(json, "move", m);
    json_array(json, "years");
    for (size_t i = 0; i < facets->count; i++)
        if (facets->years[i].year)
            put_counts(json, facets->years[i].year, &facets->years[i].games, 1, unit);
    json_end(json);
    json_array(json, "groups");
    for (int i = 1; i < RATING_GROUPS; i++) {
        const uint64_t *counts = facets->groups[i];
        if (counts[OUTCOME_WIN] | counts[OUTCOME_DRAW] | counts[OUTCOME_LOSS])
            put_counts(json, rating_group_starts[i], counts, OUTCOMES, unit);
    }
    json_end(json);
    json_end(json);
}

enum caxton_status explore_facets_json(const struct explore_lookup *lookup,
                                       const struct position *pos, FILE *out, struct diag *diag)
{
    uint64_t unit = wld_file_header(lookup->file)->info.unit;
    struct facets_reading *reading = calloc(1, sizeof *reading);
    if (!reading)
        return STATUS_NO_MEMORY;
    reading->filter = &lookup->query->filter;
    enum caxton_status status = wld_file_find(lookup->file, pos, take_facet, reading, diag);
    struct json json = json_start(out);
    json_object(&json, NULL);
    json_array(&json, "moves");
    for (size_t i = 0; i < reading->count; i++) {
        move m = polyglot_to_move(pos, reading->moves[i].stored);
        if (m != MOVE_NONE)
            put_facets(&json, m, &reading->moves[i], unit);
        free(reading->moves[i].years);
    }
    json_end(&json);
    json_end(&json);
    free(reading);
    return status;
}
