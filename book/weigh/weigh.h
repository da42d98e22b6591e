/* From counts to a Polyglot book: which moves go in and how heavy they are.
 *
 * With w wins, d draws and l losses of the side that makes a move: n = w + d + l games, P = 2w + d
 * half points of N = 2n, and s = P / N, the share of the points that the move scored. The value of
 * a move, by its kind:
 *
 *     score        P. What PolyGlot does: moves that are played often and score well.
 *     games        n. What is played, however it scored.
 *     expectation  s. What scored, however rarely it was played; wants a good number of games.
 *     wilson       the lower end of the 95 % confidence interval of s, so that few games count for
 *                  less: (s + zz/2n - z sqrt(s(1-s)/n + zz/4nn)) / (1 + zz/n) with z = 1.96. A draw
 *                  is taken as half a success, by which the interval is rather too wide than too
 *                  narrow. Source: E. B. Wilson, "Probable inference, the law of succession, and
 *                  statistical inference", Journal of the American Statistical Association 22
 *                  (1927), p. 209.
 *     performance  the rating that the result stands for, against opponents as strong as the mover
 *                  (counts do not tell how strong they were): 400 log10(s / (1-s)) Elo, not beyond
 *                  800 either way, plus 800, so that s = 1/2 is worth 800 and all points 1600.
 *                  Source: A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978), with
 *                  the logistic curve.
 *
 * Where games count in parts (amount.h), n is the sum of what they count, so that ten games at half
 * their weight are as good as five; the counts are in units then, `unit` of them for a game.
 *
 * Steps, for each position: a move with less than min_games games is left out, then one with a
 * score below min_score, which may be relative to the score of all moves that are left; so is a
 * value of 0, for a weight of 0 is never played; then what has less than min_share_ppm of the sum
 * of the values that are left. A score and games are written as they are where a position's largest
 * fits 16 bits and the unit is a game; elsewhere, and other values always, a position is scaled so
 * that its largest is 65535, rounded, and nothing becomes 0. With `uniform` every weight is 1.
 * Overrides come last. What is known beside the games may lower a value, or leave a move out,
 * before shares are taken (struct weigh_options.factor).
 *
 * All of it is integer arithmetic: the same counts give the same bytes from every compiler. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "base/status.h"
#include "book/statistics/tally.h"
#include "book/weigh/override.h"
#include "book/weigh/threshold.h"
#include "chess/position.h"

/* One way to value moves: a row of a table. */
struct weight_kind {
    const char *name; /* as a command line wants it */
    const char *help; /* one or more lines for --help */
    /* Are values whole numbers of points or games, to be written as they are where they fit? */
    bool whole;
    /* The value of a move, in units of its own; 0 is not playable. Counts are at most
     * TALLY_GAMES_MAX together, `unit` of them for a game. */
    uint64_t (*value)(const struct tally *tally, uint64_t unit);
};

/* All kinds, *count of them; the first one is the usual one. Static storage. */
const struct weight_kind *weight_kinds(size_t *count);

/* A least score, a percent that is relative where it has a sign: "-5", "+2.5", "45"; NULL is 0.
 * False: it is none. */
bool weigh_read_score(const char *text, struct least_score *least);

struct weigh_options {
    const struct weight_kind *kind; /* NULL = the usual one */
    bool uniform;
    uint64_t unit; /* what a whole game counts, 1 or TALLY_UNIT; 0 = 1 */
    uint64_t min_games;
    uint32_t min_share_ppm; /* of a million */
    struct least_score min_score;
    const struct overrides *overrides; /* borrowed; NULL = none */
    /* How much of its value a move keeps, of WEIGH_WHOLE; 0: it is left out. NULL: all of it. */
    uint32_t (*factor)(const void *context, uint64_t key, uint16_t move);
    const void *factor_context;
};
enum { WEIGH_WHOLE = 1 << 16 };

/* A move that is left out although it is the most played one of its position, which is near the
 * start: WEIGH_NEAR_PLIES moves of the book lead there, and one game in a hundred, twenty games or
 * more. */
enum { WEIGH_NEAR_PLIES = 5, WEIGH_FALLEN_MAX = 8 };

struct weigh_fallen {
    move line[WEIGH_NEAR_PLIES + 1]; /* from the usual start, that move included */
    uint32_t plies;
    bool by_share;                  /* else by its score */
    uint64_t games, points;         /* of the move; in units, half units */
    uint64_t all_games, all_points; /* of all moves of the position that are not too rare */
};

struct weigh_report {
    uint64_t positions;  /* with at least one entry */
    uint64_t entries;    /* written */
    uint64_t rare;       /* moves left out: below min_games */
    uint64_t worthless;  /* value 0, or a score below min_score */
    uint64_t small;      /* below min_share_ppm */
    uint64_t overridden; /* moves whose weight an override decided, those left out included */
    struct weigh_fallen fallen[WEIGH_FALLEN_MAX];
    size_t fallen_count; /* may be more than are in the list: the shortest lines are */
};

/* The entries of one position, heaviest first, from its tallies in their order. out: room for
 * WEIGH_MOVES_MAX of them and of overrides. Returns how many there are; tallies beyond
 * WEIGH_MOVES_MAX are not looked at. */
enum { WEIGH_MOVES_MAX = 1 << 10 };

struct polyglot_entry;

size_t weigh_position(const struct weigh_options *options, const struct tally *tallies,
                      size_t count, struct polyglot_entry *out);

struct weigher;

/* Writes to `out`, which stays the caller's. NULL when there is no memory. */
struct weigher *weigher_create(FILE *out, const struct weigh_options *options);

void weigher_destroy(struct weigher *weigher); /* NULL is allowed */

/* A tally_sink: takes tallies in order, writes the entries of a position when it is complete.
 * Errors: STATUS_IO. */
MUST_CHECK enum caxton_status weigher_take(void *weigher, const struct tally *tally);

/* Writes what is left. */
MUST_CHECK enum caxton_status weigher_finish(struct weigher *weigher, struct weigh_report *report);
