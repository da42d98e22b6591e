/* The answer of the opening explorer's interface: what statistics say of a position, by the filter
 * of a query, as one line of JSON. Fields, order and rounding are those of Lichess's server; where
 * they differ, book/makebook/serve/README.md says so. */
#pragma once

#include <stdio.h>

#include "book/explorer/query.h"
#include "book/statistics/sample.h"
#include "book/statistics/wld_file.h"
#include "chess/movegen.h"
#include "chess/pgn.h"

/* Counts --------------------------------------------------------------------------------------- */

struct explorer_sum {
    move move;
    struct tally tally; /* of who makes the move */
    uint64_t rated;     /* of these games both ratings are known */
};

/* The results of a month, by colour: White's wins, draws, Black's wins. */
struct explorer_month {
    uint64_t counts[OUTCOMES];
};

struct explorer_sums {
    const struct explorer_query *query; /* borrowed */
    uint64_t unit;                      /* so many units of what is counted make one game */
    struct wld_moves found;
    int count; /* of legal moves, when they are sorted */
    struct explorer_sum moves[MOVES_MAX];
    struct explorer_month *months; /* by month_make(); NULL: not asked for */
};

/* Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status explorer_sums_begin(const struct explorer_query *query, uint64_t unit,
                                                  struct explorer_sums *out);
void explorer_sums_free(struct explorer_sums *sums);

/* A tally_sink: adds what passes the query's filter. Tallies of the query's position. */
enum caxton_status explorer_sums_take(void *sums, const struct tally *tally);

/* The most games first. To be called once, after the last tally. */
void explorer_sums_sort(struct explorer_sums *sums);

/* Games ---------------------------------------------------------------------------------------- */

enum { EXPLORER_ID_MAX = 9, EXPLORER_PLAYER_MAX = 64 };

/* Until it is read the sample, facet and ratings, of which the first is the sum, are known. */
struct explorer_game {
    struct sample sample; /* chosen: to be read, although its facet is not known */
    size_t source;        /* which file of samples has it: the caller's */
    move move;
    char id[EXPLORER_ID_MAX];
    enum pgn_result result;
    uint32_t facet; /* of game_facet() */
    unsigned day;   /* of the month; 0: unknown */
    bool is_casual;
    char names[2][EXPLORER_PLAYER_MAX]; /* by colour */
    unsigned ratings[2];                /* 0: unknown */
};

/* The id that a game has by its Site tag: the last part of https://lichess.org/ID. False: none. */
bool explorer_game_id(const struct pgn_game *game, char out[EXPLORER_ID_MAX]);

/* What the tags of `game` say. The move is the first that it makes in the query's position; sample,
 * source and id stay. False, *out untouched: it does not come there, or does not pass the filter.
 */
bool explorer_game_of(const struct explorer_query *query, const struct pgn_game *game,
                      struct explorer_game *out);

/* Is a game of the position of use for the answer? */
bool explorer_wants_games(const struct explorer_sums *sums);

/* Brings those to the front that pass the query's filter and may stand in the answer, by what their
 * samples say: the latest, the best, the only ones of their moves. Returns how many. */
size_t explorer_choose_games(const struct explorer_sums *sums, struct explorer_game *games,
                             size_t count);

/* The answer ----------------------------------------------------------------------------------- */

/* Writes one line. games[0..count): those that are known of the position, in any order, which
 * changes; never NULL. */
void explorer_answer_json(const struct explorer_sums *sums, struct explorer_game *games,
                          size_t count, FILE *out);
