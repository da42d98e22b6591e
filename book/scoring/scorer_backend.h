/* Who answers the questions of a scorer: threads of this program, or workers on other machines.
 * What both sides of that line need from each other. */
#pragma once

#include <stdint.h>

#include "book/scoring/job_table.h"

struct scorer;

/* A kind of them, as a table of functions. */
struct scorer_backend {
    /* Starts what takes jobs from `scorer` and answers them; `scorer` outlives it. settings: what
     * its kind needs. Errors: `diag` says why; nothing runs then. */
    enum caxton_status (*start)(const void *settings, struct scorer *scorer, void **out,
                                struct diag *diag);
    /* Ends the searches that run, and all that follow, at once. Any thread, more than once. */
    void (*stop)(void *backend);
    /* After stop(): waits until nothing runs, and frees it. */
    void (*destroy)(void *backend);
    /* How many questions that are not asked yet are worth having; 0: none. Always the same. */
    size_t (*ahead)(const void *backend);
};

/* The next question to be answered: the one that the asking thread waits for (*urgent), or, unless
 * urgent_only, what it will probably ask. It is in the caller's hands until scorer_answer() or the
 * end. Without one, waits until clock_ms() reaches deadline_ms, or something has changed: then
 * false. Any thread. */
bool scorer_next(struct scorer *scorer, bool urgent_only, int64_t deadline_ms,
                 struct scorer_question *out, bool *urgent);

/* Is nothing wanted any more: has somebody said stop, or has something failed? Any thread. */
bool scorer_is_over(struct scorer *scorer);

/* Did the run end before all was answered: by scorer_stop() or a fault? Any thread. */
bool scorer_is_broken_off(struct scorer *scorer);

/* Puts an answer into the store, unless there is one. *kept: the one that stands there now. A store
 * that fails ends the run. Any thread; the question may come from elsewhere than scorer_next(). */
void scorer_answer(struct scorer *scorer, const struct scorer_question *question,
                   const struct search_answer *answer, struct search_answer *kept);

/* Ends the run with that fault; the first one counts. STATUS_END: it was stopped. Any thread. */
void scorer_fail(struct scorer *scorer, enum caxton_status status, const struct diag *why);

/* Keeps a line for the user until the asking thread looks. When there are too many, the rest is
 * counted only. Any thread. */
void scorer_tell(struct scorer *scorer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Wakes who waits in scorer_next(). Any thread. */
void scorer_wake(struct scorer *scorer);

/* How many searches can run at a time now. Any thread. */
void scorer_set_threads(struct scorer *scorer, size_t threads);
