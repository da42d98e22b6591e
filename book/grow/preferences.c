#include "book/grow/preferences.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/polyglot_entry.h"

/* Counts of several units add up exactly when all are in parts of a game. */
struct result_row {
    uint64_t key;
    uint64_t games;       /* in TALLY_UNIT parts */
    uint64_t half_points; /* likewise */
    uint16_t move;        /* as book/polyglot_entry.h stores it */
};

void results_free(struct results *results)
{
    free(results->rows);
    *results = (struct results){.rows = NULL};
}

enum caxton_status results_add(struct results *results, const struct tally *tally, uint64_t unit)
{
    uint64_t parts = unit == TALLY_UNIT ? 1 : TALLY_UNIT;
    uint64_t most = (UINT64_C(1) << 56) / parts; /* nobody has more: sums of a few fit 64 bits */
    uint64_t games = tally_games(tally);
    uint64_t half_points = 2 * tally->counts[OUTCOME_WIN] + tally->counts[OUTCOME_DRAW];
    if (!ARRAY_GROW(results->rows, results->capacity, results->count + 1))
        return STATUS_NO_MEMORY;
    if (games > most) {
        half_points = (uint64_t)((double)half_points / (double)games * (double)most);
        games = most;
    }
    results->rows[results->count++] = (struct result_row){
        .key = tally->key,
        .games = games * parts,
        .half_points = half_points * parts,
        .move = tally->move,
    };
    results->sorted = false;
    return STATUS_OK;
}

static int compare(const void *a, const void *b)
{
    const struct result_row *x = a;
    const struct result_row *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->move < y->move ? -1 : x->move > y->move;
}

void results_finish(struct results *results)
{
    size_t kept = 0;
    if (results->count > 0)
        qsort(results->rows, results->count, sizeof *results->rows, compare);
    for (size_t i = 0; i < results->count; i++) {
        const struct result_row row = results->rows[i];
        if (kept > 0 && compare(&results->rows[kept - 1], &row) == 0) {
            results->rows[kept - 1].games += row.games;
            results->rows[kept - 1].half_points += row.half_points;
        } else {
            results->rows[kept++] = row;
        }
    }
    results->count = kept;
    results->sorted = true;
}

/* The first row of the key, or results->count. */
static size_t find(const struct results *results, uint64_t key)
{
    size_t at;
    ARRAY_SEARCH(at, 0, results->count, results->rows[at].key < key);
    return at;
}

int results_moves(const struct results *results, const struct position *pos, move *moves,
                  struct result *out)
{
    int count = 0;
    for (size_t i = find(results, pos->key); i < results->count && count < MOVES_MAX; i++) {
        const struct result_row *row = &results->rows[i];
        if (row->key != pos->key)
            break;
        move m = polyglot_to_move(pos, row->move);
        if (m == MOVE_NONE)
            continue;
        moves[count] = m;
        out[count++] = (struct result){.games = (double)row->games / TALLY_UNIT,
                                       .points = (double)row->half_points / TALLY_UNIT / 2};
    }
    return count;
}

/* The choice by them. ------------------------------------------------------------------------- */

int practical_candidates(const void *context, const struct position *pos, move *out)
{
    const struct practical *practical = context;
    move moves[MOVES_MAX];
    struct result found[MOVES_MAX];
    int count = results_moves(practical->results, pos, moves, found);
    int given = 0;
    for (int i = 0; i < count; i++)
        if (found[i].games >= practical->least)
            out[given++] = moves[i];
    return given;
}

double practical_value(const void *context, const struct position *pos, move m, int score)
{
    const struct practical *practical = context;
    move moves[MOVES_MAX];
    struct result found[MOVES_MAX];
    struct result played = {.games = 0};
    double engine = expected_points(score);
    int count = results_moves(practical->results, pos, moves, found);
    for (int i = 0; i < count; i++)
        if (moves[i] == m)
            played = found[i];
    double weight = played.games + practical->prior;
    double people = weight > 0 ? (played.points + practical->prior * engine) / weight : engine;
    return (1 - practical->share) * engine + practical->share * people;
}

struct own_preference preference_practical(const struct practical *practical)
{
    return (struct own_preference){
        .candidates = practical_candidates, .value = practical_value, .context = practical};
}

static double value_leave(const void *context, const struct position *pos, move m, int score)
{
    const struct position behind = position_after(pos, m);
    (void)score;
    return -opponent_knows(context, &behind);
}

struct own_preference preference_leave(const struct opponent *opponent)
{
    return (struct own_preference){.value = value_leave, .context = opponent};
}
