/* Who scores positions: Caxton's own search, another UCI engine in a process of its own, or a
 * network of Stockfish in this process. */
#pragma once

#include <stdatomic.h>

#include "chess/game.h"
#include "eval/train/datagen/options.h"
#include "eval/train/datagen/searched.h"
#include "eval/train/datagen/teacher_search.h"

struct label {
    int score; /* centipawns as the labeller counts them, side to move's view */
    move best;
};

struct labeller {
    /* One of these, the others are NULL. */
    struct search *search;
    struct child *engine;
    struct teacher_search *teacher;
    struct searched *searched; /* beside our own search; NULL: its positions are not asked for */
    const struct teacher_scores *scores;   /* of the last position that the teacher scored */
    const struct datagen_options *options; /* borrowed */
    const atomic_bool *stop;               /* ends searches and waits once it is true; borrowed */
    uint64_t games;                        /* begun so far */
};

/* Starts an engine without waiting for it. One thread at a time. Must be freed in any case. net:
 * the teacher's, borrowed; NULL: there is none. seed: of the positions to keep. Errors: STATUS_IO
 * (no such program), STATUS_NO_MEMORY; see `diag`. */
MUST_CHECK enum caxton_status labeller_init(struct labeller *labeller,
                                            const struct datagen_options *options,
                                            const struct teacher_net *net, uint64_t seed,
                                            const atomic_bool *stop, struct diag *diag);
void labeller_free(struct labeller *labeller);

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
