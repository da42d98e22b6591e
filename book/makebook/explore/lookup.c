#include "book/makebook/explore/lookup.h"

#include "base/json.h"
#include "book/format.h"
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
