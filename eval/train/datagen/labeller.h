/* Who scores positions: Caxton's own search, or another UCI engine in a process of its own. */
#pragma once

#include "chess/game.h"
#include "eval/train/datagen/label.h"

struct labeller;

/* Starts an engine without waiting for it. One thread at a time. The caller destroys it.
 * Errors: STATUS_IO (no such program), STATUS_NO_MEMORY; see `diag`. */
MUST_CHECK enum caxton_status labeller_create(const struct labeller_setup *setup,
                                              struct labeller **out, struct diag *diag);
void labeller_destroy(struct labeller *labeller); /* NULL is allowed */

/* How many games it labels at once: one question of each may be open. */
int labeller_games(const struct labeller *labeller);

/* Waits until it is ready for questions; once, before the first. Errors, here and below: STATUS_END
 * (asked to stop), STATUS_IO (the engine has ended, is silent, or its answer is wrong). */
MUST_CHECK enum caxton_status labeller_wait_ready(struct labeller *labeller, struct diag *diag);

/* A new game begins, unrelated to those before. */
void labeller_new_game(struct labeller *labeller);

/* Asks for the label of a game's last position, where the game is not over. only: MOVE_NONE, or the
 * one legal move to search. Answers come in the order of the questions. */
MUST_CHECK enum caxton_status labeller_ask(struct labeller *labeller, const struct game *game,
                                           move only, struct diag *diag);
MUST_CHECK enum caxton_status labeller_answer(struct labeller *labeller, const struct game *game,
                                              move only, struct label *out, struct diag *diag);

/* From any thread, after `stop` became true: ends the search that is under way. */
void labeller_interrupt(struct labeller *labeller);
