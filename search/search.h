/* Finding the best move: the interface of search/.
 *
 * One `struct search` owns the transposition table and the helper threads. A search runs on the
 * caller's thread inside search_run(); helpers are woken for it and parked again.
 *
 * Threads: search_arm(), search_run() and the settings belong to one owner at a time;
 * search_stop() and search_ponderhit() may be called from any thread at any time after
 * search_arm(). */
#ifndef CAXTON_SEARCH_SEARCH_H
#define CAXTON_SEARCH_SEARCH_H

#include "base/status.h"
#include "chess/movegen.h"

enum {
    SEARCH_PLY_MAX = 128,   /* deepest ply from the root; also the longest line reported */
    SEARCH_DEPTH_MAX = 120, /* largest depth limit */
    SEARCH_KEYS_MAX = 128,  /* positions before the root that repetition detection can use */
    SEARCH_THREADS_MAX = 512,
    SEARCH_HASH_MB_MAX = 1 << 20,
    SCORE_INFINITE = 32001,
    SCORE_MATE = 32000, /* mate in n plies scores SCORE_MATE - n */
    SCORE_MATE_IN_MAX = SCORE_MATE - 256,
};

/* What to search and when to stop. Times are milliseconds, -1 or 0 = not given where it says so.
 * Copied by search_run(). */
struct search_request {
    struct position root;
    uint64_t
        keys[SEARCH_KEYS_MAX]; /* keys before the root, oldest first, the root's not included */
    int key_count;

    move moves[MOVES_MAX]; /* searchmoves: search only these; legal at the root */
    int move_count;        /* 0 = all */

    int64_t time_ms[2]; /* remaining clock by colour; -1 = no clock */
    int64_t increment_ms[2];
    int moves_to_go;     /* 0 = sudden death */
    int64_t movetime_ms; /* -1 = none */
    int64_t overhead_ms; /* Move Overhead: kept back for the interface on every move */
    int depth;           /* 0 = none */
    int mate;            /* find a mate in this many moves; 0 = none */
    uint64_t nodes;      /* 0 = none */
    bool infinite;       /* run until search_stop() */
    bool ponder;         /* run until search_ponderhit(), then by the clock; or search_stop() */

    int multipv; /* at least 1 */
};

enum score_bound { SCORE_EXACT, SCORE_LOWER, SCORE_UPPER };

/* One line of analysis. pv is borrowed for the call. */
struct search_info {
    int depth;
    int seldepth;
    int multipv; /* from 1 */
    int score;   /* centipawns or mate distance, side to move's view */
    enum score_bound bound;
    uint64_t nodes;
    uint64_t nps;
    int64_t time_ms;
    int hashfull; /* permille */
    uint64_t tbhits;
    const move *pv;
    int pv_length;
};

/* How a search reports; any member may be NULL. Called on the thread in search_run(). */
struct search_reporter {
    void *context;
    void (*info)(void *context, const struct search_info *info);
    /* Now searching root move `m`, the number-th; only after three seconds. */
    void (*current)(void *context, int depth, move m, int number);
};

struct search_result {
    move best;   /* MOVE_NONE only when there is no legal move */
    move ponder; /* MOVE_NONE when unknown; legal after best */
    int score;   /* of best, as in search_info */
    int depth;   /* last completed */
    uint64_t nodes;
};

struct network;
struct search;

/* With one thread and a 16 MB table. NULL when there is no memory. Destroyed by the caller. */
struct search *search_create(void);
void search_destroy(struct search *search); /* NULL is allowed; not during a search */

/* Settings, not during a search. On failure the old setting stays. Clears the table. */
MUST_CHECK enum caxton_status search_set_hash(struct search *search, int megabytes);
MUST_CHECK enum caxton_status search_set_threads(struct search *search, int count);
/* Evaluates with `network`, borrowed for as long as it is in use. At first it is the built-in one.
 * Forgets everything learnt. */
void search_set_network(struct search *search, const struct network *network);
/* Forgets everything learnt: table and histories (a new game). */
void search_clear(struct search *search);

/* Prepares the next search_run(): forgets earlier stop and ponderhit signals. Called by the thread
 * that receives commands, before it hands the request to the searching thread, so that a stop
 * which arrives in between is not lost. */
void search_arm(struct search *search, bool ponder);

/* Searches and returns when done. Under `infinite` and `ponder` that is not before search_stop()
 * (or ponderhit): with nothing left to search it sleeps. Always fills `result`. */
void search_run(struct search *search, const struct search_request *request,
                const struct search_reporter *reporter, struct search_result *result);

/* Asks the running (or armed) search to return at once. */
void search_stop(struct search *search);
/* The opponent played the expected move: the clock runs from the start of the search. */
void search_ponderhit(struct search *search);

/* Sleeps until search_stop(), or, when armed for ponder, search_ponderhit(): for a book move that
 * must wait. Returns at once if either has come since search_arm(). */
void search_wait(struct search *search);

/* The default request: standard start, no limits, multipv 1. */
void search_request_init(struct search_request *request);

#endif
