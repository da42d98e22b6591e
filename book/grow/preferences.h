/* Reasons to play another move than the best one, for own_choice.h. */
#pragma once

#include "book/grow/expectation.h"
#include "book/grow/opponent.h"
#include "book/grow/own_choice.h"
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

/* By what the engine thinks and people score: practical.h. Borrowed. */
struct own_preference preference_practical(const struct practical *practical);

/* By leaving the opponent's book early: the less probable it is that he still knows the position
 * behind the move (opponent_knows()), the better; for moves within the margin. Borrowed. */
struct own_preference preference_leave(const struct opponent *opponent);
