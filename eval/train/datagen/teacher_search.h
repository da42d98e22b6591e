/* A quiescence search over a teacher's network, and the scores of all moves of a position by it. */
#pragma once

#include "chess/game.h"
#include "chess/movegen.h"
#include "eval/train/teacher/teacher_eval.h"

/* Every mate scores LABEL_MATE, in however many moves. */
enum { LABEL_MATE = 30000 };

/* A value of the network in centipawns, within LABEL_MATE. */
int teacher_centipawns(int value);

/* Of one position: its score and those of its moves, centipawns, its side to move's view. Quiet
 * moves have the score of the position behind; those that leave something to be won may have less
 * than `score` says, but are then worse than the best. */
struct teacher_scores {
    int score;
    move best; /* a draw by repetition counts as one */
    int count;
    move moves[MOVES_MAX];
    int16_t scores[MOVES_MAX];
};

/* One thread's. */
struct teacher_search;

/* net: borrowed. NULL when there is no memory. */
struct teacher_search *teacher_search_create(const struct teacher_net *net);
void teacher_search_destroy(struct teacher_search *search); /* NULL is allowed */

/* Scores the last position of a game that is not over. Borrowed until the next call. */
const struct teacher_scores *teacher_search_run(struct teacher_search *search,
                                                const struct game *game);
