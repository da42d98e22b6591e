/* Finding the best move: the interface of search/.
 *
 * One `struct search` owns the transposition table and the helper threads. A search runs on the
 * caller's thread inside search_run(); helpers are woken for it and parked again.
 *
 * Threads: search_arm(), search_run() and the settings belong to one owner at a time;
 * search_stop() and search_ponderhit() may be called from any thread at any time after
 * search_arm(). */
#pragma once

#include "base/status.h"
#include "chess/game.h"
#include "eval/eval.h"
#include "search/info.h"
#include "search/limits.h"

struct network;
struct search;
struct tb;

/* With one thread and a 16 MB transposition table. NULL when there is no memory. Destroyed by the
 * caller. */
struct search *search_create(void);
void search_destroy(struct search *search); /* NULL is allowed; not during a search */

/* Settings, not during a search. On failure the old setting stays. Clears the TT. */
MUST_CHECK enum caxton_status search_set_hash(struct search *search, int megabytes);
MUST_CHECK enum caxton_status search_set_threads(struct search *search, int count);
/* Evaluates with `network`, borrowed for as long as it is in use. At first it is the built-in one.
 * Forgets everything learnt. */
void search_set_network(struct search *search, const struct network *network);
/* Asks `tables`, borrowed for as long as they are in use; NULL, and at first: none. Forgets
 * everything learnt. */
void search_set_tb(struct search *search, const struct tb *tb);
/* Calls `watch` with each position that the first thread evaluates: see eval_set_watch(). It ends
 * with search_set_threads(). */
void search_set_watch(struct search *search, eval_watch *watch, void *context);
/* Forgets everything learnt: TT and histories (a new game). */
void search_clear(struct search *search);

/* Sets the root of `request`, and the positions before it, to those of the game. */
void search_request_set_game(struct search_request *request, const struct game *game);

/* Prepares the next search_run(): forgets earlier stop and ponderhit signals, once the helpers of
 * the last search have seen them. Called by the thread that receives commands, before it hands the
 * request to the searching thread, so that a stop which arrives in between is not lost.
 * start_ms: clock_ms() when the command came; the time limits count from there. */
void search_arm(struct search *search, bool ponder, int64_t start_ms);

/* Searches a copy of `request` and returns when done. Under `infinite` and `ponder` that is not
 * before search_stop() (or ponderhit): with nothing left to search it sleeps. Always fills
 * `result`. A search for a mate clears the TT first. */
void search_run(struct search *search, const struct search_request *request,
                const struct search_reporter *reporter, struct search_result *result);

/* Asks the running (or armed) search to return at once. */
void search_stop(struct search *search);
/* The opponent played the expected move: the clock runs from the start of the search. A search
 * without any limit returns. */
void search_ponderhit(struct search *search);

/* Sleeps until search_stop(), or, when armed for ponder, search_ponderhit(): for a book move that
 * must wait. Returns at once if either has come since search_arm(). */
void search_wait(struct search *search);
