/* Answers to "what is the best move here?": from a store of scores, or from a back end that
 * searches: threads of this program, or workers on other machines. What is found goes into the
 * store.
 *
 * One thread asks. While it waits, searchers that have nothing to do search what it will probably
 * ask next. What they find changes when an answer comes, never which. */
#pragma once

#include "book/scoring/job_table.h"
#include "book/scoring/score_store.h"
#include "book/scoring/scorer_backend.h"
#include "book/scoring/searcher.h"

struct scorer;

enum { SCORER_THREADS_MAX = 1024 };

struct scorer_counts {
    size_t searched; /* by the searchers */
    size_t known;    /* answers that the store had already at the start */
    uint64_t nodes;  /* of `searched` */
    size_t threads;  /* searches that can run at a time */
};

/* `threads` searchers of that kind, each on its own thread; with one nothing is searched ahead.
 * `store` is borrowed until scorer_destroy(), and nobody else uses it. Errors: those of
 * kind->create(), STATUS_THREAD, STATUS_NO_MEMORY; `diag` says why. */
MUST_CHECK enum caxton_status scorer_create(const struct searcher_kind *kind, const void *settings,
                                            int threads, struct score_store *store,
                                            struct scorer **out, struct diag *diag);

/* The same with a back end and its settings. Errors: STATUS_THREAD, STATUS_NO_MEMORY, those of
 * backend->start(); `diag` says why. */
MUST_CHECK enum caxton_status scorer_create_on(const struct scorer_backend *backend,
                                               const void *settings, struct score_store *store,
                                               struct scorer **out, struct diag *diag);

/* Stops what is searched and ends the threads. NULL is allowed. */
void scorer_destroy(struct scorer *scorer);

/* Several times a second during a long wait of scorer_ask(), wait(context) is called on the asking
 * thread. */
void scorer_on_wait(struct scorer *scorer, void (*wait)(void *context), void *context);

/* Lines for the user (a worker was refused, a connection was lost) go to tell(context, line), on
 * the asking thread: during a wait of scorer_ask(), and in scorer_destroy(). */
void scorer_on_tell(struct scorer *scorer, void (*tell)(void *context, const char *line),
                    void *context);

/* Is the answer there already? For the asking thread. */
bool scorer_knows(struct scorer *scorer, const struct scorer_question *question);

/* The answer, if it is there already and is a legal move. Nothing is searched; *out stays untouched
 * when false. For the asking thread. */
bool scorer_find(struct scorer *scorer, const struct scorer_question *question,
                 struct search_answer *out);

/* The move that the store says our side shall play there, whatever a search says
 * (score_store_chosen()); MOVE_NONE: none, or none that is legal. For the asking thread. */
move scorer_chosen(struct scorer *scorer, const struct position *pos);

/* How many questions scorer_suggest() takes; 0: searching ahead is no use. */
size_t scorer_suggestions(const struct scorer *scorer);

/* What will probably be asked next, the likeliest first, instead of what was suggested before. */
void scorer_suggest(struct scorer *scorer, const struct scorer_question *questions, size_t count);

/* From now on refill(context) is called on the asking thread during the wait of scorer_ask() when
 * all that was suggested has been taken, to suggest more: what is behind answers that came
 * meanwhile. NULL: no more. */
void scorer_on_refill(struct scorer *scorer, void (*refill)(void *context), void *context);

/* Waits for the answer. Errors: STATUS_END (scorer_stop()), those of the searchers and of the store
 * with a reason in `diag`, STATUS_ILLEGAL (the answer is no legal move). */
MUST_CHECK enum caxton_status scorer_ask(struct scorer *scorer,
                                         const struct scorer_question *question,
                                         struct search_answer *out, struct diag *diag);

/* Asks all of them, as many at a time as can be searched. answers[0 .. *done) are there, also
 * when it fails; *done grows meanwhile. Errors: as scorer_ask(). */
MUST_CHECK enum caxton_status scorer_ask_all(struct scorer *scorer,
                                             const struct scorer_question *questions, size_t count,
                                             struct search_answer *answers, size_t *done,
                                             struct diag *diag);

/* Ends the search at hand and all that follow at once. Any thread. */
void scorer_stop(struct scorer *scorer);

/* Any thread. */
struct scorer_counts scorer_counts(struct scorer *scorer);
