/* The counts of one move in one position. Adds up sorted sequences of them; several threads can
 * make a sequence in parts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "book/statistics/facets.h"

/* Results from the view of the side that makes the move. */
enum outcome { OUTCOME_WIN, OUTCOME_DRAW, OUTCOME_LOSS, OUTCOMES };

/* Counts are in games, or, where games count in parts, in units: so many make one game. */
enum { TALLY_UNIT_BITS = 16, TALLY_UNIT = 1 << TALLY_UNIT_BITS };

struct tally {
    uint64_t key;
    uint64_t counts[OUTCOMES]; /* games or units, by enum outcome */
    uint64_t ratings[2];       /* of who makes the move, of the opponent: sums over the games of
                                  which both are known, each as often as the game counts */
    uint32_t facet;            /* as facet_make() gives it; 0: nothing is known of the games */
    uint16_t move;             /* as polyglot_from_move() gives it */
};

static inline uint64_t tally_games(const struct tally *tally)
{
    return tally->counts[OUTCOME_WIN] + tally->counts[OUTCOME_DRAW] + tally->counts[OUTCOME_LOSS];
}

/* Games or units of one move at most, so that sums and scores of a few fit 64 bits. */
#define TALLY_GAMES_MAX (UINT64_C(1) << 60)

static inline bool tally_is_countable(const struct tally *tally)
{
    uint64_t sum = 0;
    for (int i = 0; i < OUTCOMES; i++) {
        if (tally->counts[i] > TALLY_GAMES_MAX)
            return false;
        sum += tally->counts[i];
    }
    return sum > 0 && sum <= TALLY_GAMES_MAX;
}

/* The games among them of which both ratings are known. */
static inline uint64_t tally_rated(const struct tally *tally)
{
    return facet_group(tally->facet) > 0 ? tally_games(tally) : 0;
}

/* Half points: two for a win. */
static inline uint64_t tally_points(const struct tally *tally)
{
    return 2 * tally->counts[OUTCOME_WIN] + tally->counts[OUTCOME_DRAW];
}

/* Receives tallies in the order of tally_compare(), each (key, move, facet) once. */
typedef enum caxton_status (*tally_sink)(void *context, const struct tally *tally);

/* The order of everything that is written: by key, then by move, then by facet. */
static inline int tally_compare(const struct tally *a, const struct tally *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->move != b->move)
        return a->move < b->move ? -1 : 1;
    return a->facet < b->facet ? -1 : a->facet > b->facet;
}

static inline bool tally_is_same_move(const struct tally *a, const struct tally *b)
{
    return a->key == b->key && a->move == b->move;
}

/* Merging ---------------------------------------------------------------------------------- */

/* Gives the next tally of a sequence, in the order of tally_compare(); STATUS_END at its end. */
typedef enum caxton_status (*tally_source)(void *context, struct tally *out, struct diag *diag);

/* Adds the counts of the same move. Errors: STATUS_RANGE (more than TALLY_GAMES_MAX, or ratings
 * beyond 64 bits), `diag` says so. */
MUST_CHECK enum caxton_status tally_add(struct tally *sum, const struct tally *more,
                                        struct diag *diag);

struct tally_input {
    tally_source next;
    void *context;
    struct tally head; /* private */
};

/* Gives the sums of inputs[0..count), which are used up, to `sink`. Errors: STATUS_RANGE (a sum
 * above TALLY_GAMES_MAX), STATUS_NO_MEMORY, those of the sources, those of the sink (`diag`
 * untouched). */
MUST_CHECK enum caxton_status tally_merge(struct tally_input *inputs, size_t count, tally_sink sink,
                                          void *context, struct diag *diag);

/* The tallies of one move, of which statistics with facets have several, as one. Initialise with
 * the first five. */
struct tally_group {
    tally_sink sink;
    void *context;
    uint64_t least;     /* what a move of fewer games or units has is left out, and counted */
    bool are_moves;     /* there are no facets: each tally is a move */
    bool adds_up;       /* the sink gets one sum of each move, whose facet is 0 */
    uint64_t left_out;  /* moves */
    struct tally sum;   /* private: of the move, without counts where none has come yet; */
    struct tally *list; /* its tallies, where they are not added up */
    size_t count;
    size_t capacity;
};

/* A tally_sink. Errors: STATUS_NO_MEMORY, STATUS_RANGE (more than can be counted), the sink's. */
MUST_CHECK enum caxton_status tally_group_take(void *group, const struct tally *tally);

/* Gives the last move; then the group is as at the beginning. Also after a failure. Errors: as
 * above. */
MUST_CHECK enum caxton_status tally_group_end(struct tally_group *group);

/* In parts --------------------------------------------------------------------------------- */

/* Gives the tallies of part number `part` to `sink`. Called once for each part, by any thread; what
 * the sink returns has to be returned. */
typedef enum caxton_status (*tally_part)(void *context, uint64_t part, tally_sink sink,
                                         void *sink_context, struct diag *diag);

/* Gives parts 0..parts, one after the other, to `sink` on the calling thread, while up to `jobs`
 * others make them; with one job, or where there are no more threads, it makes them itself. A
 * thread holds some 1.3 MB. Errors: those of the first part that failed, STATUS_NO_MEMORY, what the
 * sink returns (`diag` untouched). */
MUST_CHECK enum caxton_status tally_parts(uint64_t parts, int jobs, tally_part make, void *context,
                                          tally_sink sink, void *sink_context, struct diag *diag);
