#include "book/makebook/explore/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "book/format.h"
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

/* An answer on its way. Facets come move by move, and of a move year by year. */
struct facets_writing {
    struct json json;
    const struct position *pos;
    const struct facet_filter *filter;
    uint64_t unit;
    uint16_t stored; /* the move that is being written; 0: none */
    uint32_t year;   /* 0: none is known */
    uint64_t games;  /* of it */
    uint64_t groups[RATING_GROUPS][OUTCOMES];
};

/* [head, counts ..] */
static void put_counts(struct facets_writing *writing, uint64_t head, const uint64_t *counts,
                       int count)
{
    json_array(&writing->json, NULL);
    json_unsigned(&writing->json, NULL, head);
    for (int i = 0; i < count; i++)
        put_games(&writing->json, counts[i], writing->unit);
    json_end(&writing->json);
}

static void end_year(struct facets_writing *writing)
{
    if (writing->year)
        put_counts(writing, writing->year, &writing->games, 1);
    writing->games = 0;
}

static void end_move(struct facets_writing *writing)
{
    struct json *json = &writing->json;
    if (!writing->stored)
        return;
    end_year(writing);
    json_end(json);
    json_array(json, "groups");
    for (int i = 1; i < RATING_GROUPS; i++) {
        const uint64_t *counts = writing->groups[i];
        if (counts[OUTCOME_WIN] | counts[OUTCOME_DRAW] | counts[OUTCOME_LOSS])
            put_counts(writing, rating_group_starts[i], counts, OUTCOMES);
    }
    json_end(json);
    json_end(json);
}

/* A tally_sink. */
static enum caxton_status take_facet(void *context, const struct tally *tally)
{
    struct facets_writing *writing = context;
    uint32_t year = facet_month(tally->facet) / MONTHS_A_YEAR;
    move m = polyglot_to_move(writing->pos, tally->move);
    if (m == MOVE_NONE || !facet_passes(writing->filter, tally->facet))
        return STATUS_OK;
    if (tally->move != writing->stored) {
        end_move(writing);
        json_object(&writing->json, NULL);
        json_unsigned(&writing->json, "move", m);
        json_array(&writing->json, "years");
        memset(writing->groups, 0, sizeof writing->groups);
        writing->stored = tally->move;
        writing->year = year;
    } else if (year != writing->year) {
        end_year(writing);
        writing->year = year;
    }
    writing->games += tally_games(tally);
    for (int i = 0; i < OUTCOMES; i++)
        writing->groups[facet_group(tally->facet)][i] += tally->counts[i];
    return STATUS_OK;
}

/* A tally_sink: keeps those of a position with two keys, which come one key after the other. */
struct facets_list {
    struct tally *list;
    size_t count;
    size_t capacity;
};

static enum caxton_status keep_facet(void *context, const struct tally *tally)
{
    struct facets_list *kept = context;
    if (!ARRAY_GROW(kept->list, kept->capacity, kept->count + 1))
        return STATUS_NO_MEMORY;
    kept->list[kept->count] = *tally;
    kept->list[kept->count++].key = 0;
    return STATUS_OK;
}

static int compare_facets(const void *a, const void *b)
{
    return tally_compare(a, b);
}

enum caxton_status explore_facets_json(const struct explore_lookup *lookup,
                                       const struct position *pos, FILE *out, struct diag *diag)
{
    struct facets_list kept = {.list = NULL};
    uint64_t keys[2];
    bool is_plain = movegen_keys(pos, keys) == 1;
    struct facets_writing writing = {.json = json_start(out),
                                     .pos = pos,
                                     .filter = &lookup->query->filter,
                                     .unit = wld_file_header(lookup->file)->info.unit};
    json_object(&writing.json, NULL);
    json_array(&writing.json, "moves");
    enum caxton_status status = wld_file_find(lookup->file, pos, is_plain ? take_facet : keep_facet,
                                              is_plain ? (void *)&writing : &kept, diag);
    if (kept.count)
        qsort(kept.list, kept.count, sizeof *kept.list, compare_facets);
    for (size_t i = 0; i < kept.count && status == STATUS_OK; i++)
        status = take_facet(&writing, &kept.list[i]);
    free(kept.list);
    end_move(&writing);
    json_end(&writing.json);
    json_end(&writing.json);
    return status;
}
