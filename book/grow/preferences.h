/* Reasons to play another move than the best one, for own_choice.h. */
#pragma once

#include "book/grow/opponent.h"
#include "book/grow/own_choice.h"
#include "book/statistics/tally.h"
#include "chess/movegen.h"

/* What games say of moves: how many there were and how many points they brought, in memory. */

/* Games of a move and the points of the side that made it. */
struct result {
    double games;
    double points; /* a win is one, a draw a half */
};

/* Begins as {0}. */
struct results {
    struct result_row *rows; /* private; by key, then move */
    size_t count;
    size_t capacity;
    bool sorted;
};

void results_free(struct results *results);

/* Adds what was counted, of which `unit` make one game (struct wld_info); what is there of the same
 * move is added up. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status results_add(struct results *results, const struct tally *tally,
                                          uint64_t unit);

/* Sorts what was added: before results_moves(). */
void results_finish(struct results *results);

/* The legal moves of the position that were played, at most MOVES_MAX, with their results; returns
 * how many. */
int results_moves(const struct results *results, const struct position *pos, move *moves,
                  struct result *out);

/* The choice by them. */

struct practical {
    const struct results *results; /* borrowed */
    double share;                  /* of what people scored, 0 to 1 */
    double prior;                  /* games, at least 0 */
    double least;                  /* games */
};

/* practical: a struct practical. The moves that were played often enough, at most MOVES_MAX;
 * returns how many. */
int practical_candidates(const void *practical, const struct position *pos, move *out);

/* The value of a move of `score` (search/score.h, our view). */
double practical_value(const void *practical, const struct position *pos, move m, int score);

/* By what the engine thinks and people score. Borrowed. */
struct own_preference preference_practical(const struct practical *practical);

/* By leaving the opponent's book early: the less probable it is that he still knows the position
 * behind the move (opponent_knows()), the better; for moves within the margin. Borrowed. */
struct own_preference preference_leave(const struct opponent *opponent);
