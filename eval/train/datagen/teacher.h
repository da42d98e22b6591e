/* Who scores positions: Caxton's own search, or another UCI engine in a process of its own. */
#ifndef CAXTON_EVAL_TRAIN_DATAGEN_TEACHER_H
#define CAXTON_EVAL_TRAIN_DATAGEN_TEACHER_H

#include <stdatomic.h>

#include "chess/game.h"
#include "chess/movegen.h"

/* A position's score and best move. Mates score TEACHER_MATE, nearer or farther alike. */
struct lesson {
    int score; /* centipawns as the teacher counts them, side to move's view */
    move best;
};

enum { TEACHER_MATE = 30000 };

struct teacher_setup {
    const char *command; /* an engine and its arguments, parted by blanks; NULL: Caxton itself */
    uint64_t nodes;      /* how many each lesson may take */
    int64_t start_ms;    /* how long an engine may take to say uciok */
    int64_t answer_ms;   /* and for an answer */
    const atomic_bool *stop; /* ends lessons and waits once it is true; borrowed */
};

struct teacher;

/* Starts an engine without waiting for it. One thread at a time. The caller destroys it.
 * Errors: STATUS_IO (no such program), STATUS_NO_MEMORY; see `diag`. */
MUST_CHECK enum caxton_status teacher_create(const struct teacher_setup *setup,
                                             struct teacher **out, struct diag *diag);
void teacher_destroy(struct teacher *teacher); /* NULL is allowed */

/* How many questions may be open at once. */
int teacher_lanes(const struct teacher *teacher);

/* Waits until it is ready for questions; once, before them. Errors, here and below: STATUS_END
 * (asked to stop), STATUS_IO (the engine is gone, silent, or answers nonsense). */
MUST_CHECK enum caxton_status teacher_greet(struct teacher *teacher, struct diag *diag);

/* A new game begins, unrelated to those before. */
void teacher_new_game(struct teacher *teacher);

/* Asks for the position that a game has reached, which is not at its end, or for a legal move
 * there: `only`, MOVE_NONE for the position. The answers come in the order of the questions. */
MUST_CHECK enum caxton_status teacher_ask(struct teacher *teacher, const struct game *game,
                                          move only, struct diag *diag);
MUST_CHECK enum caxton_status teacher_answer(struct teacher *teacher, const struct game *game,
                                             move only, struct lesson *out, struct diag *diag);

/* From any thread, after `stop` became true: ends a lesson that is under way. */
void teacher_hurry(struct teacher *teacher);

#endif
