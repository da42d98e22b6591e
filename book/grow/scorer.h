/* Answers to "what is the best move here?": from a store of scores, or by searchers on threads of
 * their own, which put what they find into the store.
 *
 * One thread asks. While it waits, threads that have nothing to do search what it will probably ask
 * next. What they find changes when an answer comes, never which. */
#pragma once

#include "book/grow/score_store.h"
#include "book/grow/searcher.h"

struct scorer;

enum { SCORER_THREADS_MAX = 1024 };

struct scorer_question {
    struct position pos; /* legal, with legal moves */
    struct search_limit limit;
};

struct scorer_counts {
    size_t searched; /* by the searchers */
    size_t known;    /* answers that the store had already at the start */
    uint64_t nodes;  /* of `searched` */
    size_t threads;
};

/* `threads` searchers of that kind, each on its own thread; with one nothing is searched ahead.
 * `store` is borrowed until scorer_destroy(), and nobody else uses it. Errors: those of
 * kind->create(), STATUS_THREAD, STATUS_NO_MEMORY; `diag` says why. */
MUST_CHECK enum caxton_status scorer_create(const struct searcher_kind *kind, const void *settings,
                                            int threads, struct score_store *store,
                                            struct scorer **out, struct diag *diag);

/* Stops what is searched and ends the threads. NULL is allowed. */
void scorer_destroy(struct scorer *scorer);

/* Several times a second during a long wait of scorer_ask(), wait(context) is called on the asking
 * thread. */
void scorer_on_wait(struct scorer *scorer, void (*wait)(void *context), void *context);

/* Is the answer there already? For the asking thread. */
bool scorer_knows(struct scorer *scorer, const struct scorer_question *question);

/* How many questions scorer_suggest() takes; 0: searching ahead is no use. */
size_t scorer_suggestions(const struct scorer *scorer);

/* What will probably be asked next, the likeliest first, instead of what was suggested before. */
void scorer_suggest(struct scorer *scorer, const struct scorer_question *questions, size_t count);

/* Waits for the answer. Errors: STATUS_END (scorer_stop()), those of the searchers and of the store
 * with a reason in `diag`, STATUS_ILLEGAL (the answer is no legal move). */
MUST_CHECK enum caxton_status scorer_ask(struct scorer *scorer,
                                         const struct scorer_question *question,
                                         struct search_answer *out, struct diag *diag);

/* Ends the search at hand and all that follow at once. Any thread. */
void scorer_stop(struct scorer *scorer);

/* Any thread. */
struct scorer_counts scorer_counts(struct scorer *scorer);
