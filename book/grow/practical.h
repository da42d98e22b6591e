/* Our move for practice: what the engine thinks of it, and what people scored with it, in a stated
 * proportion.
 *
 * Let E be the points that the engine expects of a move (expected_points()), and let people have
 * scored P points in n games with it. What they scored counts as S = (P + prior * E) / (n + prior):
 * as if `prior` games more had been played, with the engine's result, so that few games say little.
 * The value of the move is (1 - share) * E + share * S. Candidates are the engine's best move and
 * the moves that were played in at least `least` games; the most valuable is played.
 * Source: the posterior mean of a beta distribution whose prior has that weight, as usual for rates
 * of few trials. */
#pragma once

#include "book/grow/results.h"

struct practical {
    const struct results *results; /* borrowed */
    double share;                  /* of what people scored, 0 to 1 */
    double prior;                  /* games, at least 0 */
    double least;                  /* games */
};

/* The moves that were played often enough, at most MOVES_MAX; returns how many. */
int practical_candidates(const struct practical *practical, const struct position *pos, move *out);

/* The value of a move of `score` (search/score.h, our view). */
double practical_value(const struct practical *practical, const struct position *pos, move m,
                       int score);
