/* One searching thread's world, shared by the files of search/ only. */
#ifndef CAXTON_SEARCH_WORKER_H
#define CAXTON_SEARCH_WORKER_H

#include <pthread.h>
#include <stdatomic.h>

#include "eval/eval.h"
#include "search/history.h"
#include "search/timeman.h"
#include "search/tt.h"

struct pool;

/* What the node at one ply shares with its neighbours. */
struct frame {
    struct undo undo;
    struct piece_to *continuation; /* of the move played here */
    uint64_t threats;              /* squares the enemy attacks with pawns and lesser pieces */
    move played;                   /* MOVE_NULL and MOVE_NONE included */
    move excluded;                 /* left out while testing whether it is singular */
    move killers[2];
    int static_eval; /* SCORE_NONE in check */
    int reach;       /* plies back to the last capture, pawn move or null move */
    int cutoffs;     /* beta cutoffs among the children */
    int pv_length;
    move pv[SEARCH_PLY_MAX];
};

struct root_move {
    move move;
    int score; /* of the last completed search of this move; -SCORE_INFINITE when failed low */
    int previous_score;
    int seldepth;
    enum score_bound bound;
    uint64_t nodes;
    int pv_length;
    move pv[SEARCH_PLY_MAX];
};

enum { FRAMES_BEFORE = 6 }; /* frames in front of the root, so that looking back needs no test */

struct worker {
    struct search *search; /* shared, see search.c */
    struct eval *eval;
    struct history history;

    struct position pos;
    uint64_t keys[SEARCH_KEYS_MAX + SEARCH_PLY_MAX + 8]; /* of the positions before pos */
    int key_count;
    int root_key_count;
    int ply;

    _Atomic uint64_t nodes; /* atomic, relaxed, single writer */
    uint64_t next_poll;     /* look at the clock when nodes reach this */
    int index;              /* 0 = the thread of search_run() */
    int seldepth;
    int root_depth;
    int completed_depth;
    int null_floor;  /* no null move above this ply while one is being verified */
    bool full_width; /* prune and reduce nothing: `go mate` wants proof */
    int line;        /* index of the MultiPV line being searched */

    struct root_move root_moves[MOVES_MAX];
    int root_count;

    struct frame frames[FRAMES_BEFORE + SEARCH_PLY_MAX + 4];
};

/* The state that all workers share. */
struct search {
    struct tt tt;
    struct pool *pool;
    const struct network *network; /* borrowed */
    struct search_request request; /* written before workers start, constant while they run */
    struct search_reporter reporter;
    struct time_budget budget;
    int64_t start_ms;
    atomic_bool stop; /* atomic, relaxed in the search, and set under signal_lock from outside */
    atomic_bool pondering; /* likewise */
    bool released;         /* stopped from outside, not by a limit; guarded by signal_lock */
    atomic_bool stop_on_ponderhit; /* atomic, relaxed, single writer: worker 0 */
    pthread_mutex_t signal_lock;
    pthread_cond_t signalled; /* released or pondering changed */
};

static inline struct frame *worker_frame(struct worker *worker)
{
    return &worker->frames[FRAMES_BEFORE + worker->ply];
}

static inline uint64_t worker_nodes(const struct worker *worker)
{
    return atomic_load_explicit(&worker->nodes, memory_order_relaxed);
}

static inline void worker_count_node(struct worker *worker)
{
    atomic_store_explicit(&worker->nodes, worker_nodes(worker) + 1, memory_order_relaxed);
}

/* Worker 0 finishes its first iteration whatever happens: there must be a move worth playing. */
static inline bool worker_stopped(const struct worker *worker)
{
    if (worker->index == 0 && worker->completed_depth == 0)
        return false;
    return atomic_load_explicit(&worker->search->stop, memory_order_relaxed);
}

/* Looks at node and time limits now and then, on worker 0 only; true when the search must end. */
bool worker_must_stop(struct worker *worker);

/* Plays and takes back on the worker's board. */
void worker_make(struct worker *worker, move m);
void worker_unmake(struct worker *worker, move m);
void worker_make_null(struct worker *worker);
void worker_unmake_null(struct worker *worker);

/* Is the current position a draw by repetition, the fifty-move rule or material? */
bool worker_is_draw(const struct worker *worker);

/* root.c: iterative deepening on this worker until a limit or a stop. */
void root_iterate(struct worker *worker);

/* node.c: score of the position in (alpha, beta), the line in the frame's pv. */
int node_search(struct worker *worker, int alpha, int beta, int depth, bool cut_node);

/* quiesce.c: the same with noisy moves and evasions only. */
int quiesce(struct worker *worker, int alpha, int beta, int depth);

/* Static evaluation with what the search has learnt to correct. */
int worker_corrected_eval(struct worker *worker, int raw);

#endif
