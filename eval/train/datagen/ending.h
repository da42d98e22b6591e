/* Random positions with few pieces as starts of games. Games between good players seldom reach most
 * endings, and a network that has not seen them plays them badly. */
#ifndef CAXTON_EVAL_TRAIN_DATAGEN_ENDING_H
#define CAXTON_EVAL_TRAIN_DATAGEN_ENDING_H

#include "base/rng.h"
#include "chess/position.h"

enum { ENDING_PIECES_MIN = 3, ENDING_PIECES_MAX = 8 };

/* Sets up a legal position of ENDING_PIECES_MIN..ENDING_PIECES_MAX pieces, kings included. */
void ending_random(struct rng *rng, struct position *pos);

#endif
