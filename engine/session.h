/* One conversation with an interface: the game, the options, the books, the search and its thread.
 * Commands arrive on the input thread, which never searches; the search thread answers each
 * session_go() with exactly one `bestmove`. It sleeps when it has nothing to do.
 *
 * All functions are for the input thread. Commands that change the game or a setting first end a
 * search in progress, whose bestmove is printed: they take effect in the order in which they came.
 */
#pragma once

#include "book/uci/go.h"
#include "engine/bench.h"
#include "engine/options.h"

struct game;
struct session;

/* The stream is borrowed. `seed` starts the random choice of book moves. NULL when there is no
 * memory or no thread. */
struct session *session_create(FILE *out, uint64_t seed);
/* Stops, waits, frees. NULL is allowed. */
void session_destroy(struct session *session);

struct output *session_out(struct session *session);
struct options *session_options(struct session *session);
struct report_style session_style(const struct session *session);
struct game *session_game(struct session *session); /* change it only while idle */
struct book_set *session_books(struct session *session);
const struct network *session_network(struct session *session); /* NULL: none in use */

/* Starts the search of the current position; returns at once. start_ms: clock_ms() when the command
 * came, from which the search's time counts: also while the last search ends. */
void session_go(struct session *session, const struct go *go, int64_t start_ms);
/* Runs the task with a search of its own, and the session's network; returns at once. Says so when
 * there is no memory. What the task owns belongs to the session from now on. */
void session_bench(struct session *session, const struct bench_task *task);
void session_stop(struct session *session); /* returns at once; nothing happens when idle */
void session_ponderhit(struct session *session);
/* A line that was read, for the log. */
void session_log_input(struct session *session, struct span line);
/* Stops the search in progress and waits for its answer. */
void session_finish(struct session *session);
/* Waits until the answer has been given, however long that takes. False: the last session_bench()
 * failed, and has said why. */
bool session_wait(struct session *session);
/* Will the search in progress, if there is one, end by itself? */
bool session_will_end(const struct session *session);
/* The same for a perft or a bench in progress only, which are asked for nothing but their end. */
void session_wait_for_count(struct session *session);

/* The start position, and nothing learnt before. Names the books that could not be opened, again:
 * no other book is played instead of them. */
void session_new_game(struct session *session);

/* Settings, while idle; false when it failed and all is as before. Each says why in an `info
 * string`. */
bool session_set_hash(struct session *session, int megabytes);
bool session_set_threads(struct session *session, int count);
bool session_set_network(struct session *session, const char *file); /* "": the built-in one */
/* Opens endgame tables; "": none. Always true: without those tables it plays on, and says so. */
bool session_set_tb(struct session *session, const char *folders);
bool session_set_book(struct session *session, const char *files);
/* Logs each line that is written from now on, and those of session_log_input(); "": none. When it
 * fails nothing is logged, also not as before. */
bool session_set_log(struct session *session, const char *file);
void session_clear_hash(struct session *session);
