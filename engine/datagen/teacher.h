/* Who scores positions: Caxton's own search, or another UCI engine in a process of its own. */
#ifndef CAXTON_ENGINE_DATAGEN_TEACHER_H
#define CAXTON_ENGINE_DATAGEN_TEACHER_H

#include "chess/game.h"

/* A position's score and best move. Mates score TEACHER_MATE, nearer or farther alike. */
struct lesson {
    int score; /* centipawns as the teacher counts them, side to move's view */
    move best;
};

enum { TEACHER_MATE = 30000 };

struct teacher;

/* command: an engine's program and its arguments, parted by blanks; NULL for Caxton itself. nodes:
 * how many each lesson may take. The caller destroys it.
 * Errors: STATUS_IO (no such program, or it does not speak UCI), STATUS_NO_MEMORY; see `diag`. */
MUST_CHECK enum caxton_status teacher_create(const char *command, uint64_t nodes,
                                             struct teacher **out, struct diag *diag);
void teacher_destroy(struct teacher *teacher); /* NULL is allowed */

/* How many questions may be open at once. */
int teacher_lanes(const struct teacher *teacher);

/* A new game begins, unrelated to those before. */
void teacher_new_game(struct teacher *teacher);

/* Asks for the position that a game has reached, which is not at its end; the answers come in the
 * order of the questions. Errors: STATUS_IO (the engine is gone, or answers nonsense). */
MUST_CHECK enum caxton_status teacher_ask(struct teacher *teacher, const struct game *game,
                                          struct diag *diag);
MUST_CHECK enum caxton_status teacher_answer(struct teacher *teacher, const struct game *game,
                                             struct lesson *out, struct diag *diag);

#endif
