/* One searching thread: its board, stack, histories and counters. */
#pragma once

#include "eval/eval.h"
#include "search/history.h"
#include "search/piece_keys.h"
#include "search/shared.h"

/* A move of the root: its scores and line, kept in order between iterations. */
struct root_move {
    move move;
    int score; /* of the last completed search of this move; -SCORE_INFINITE when failed low */
    int previous_score; /* of the iteration before */
    int average;        /* of all its scores, the last ones weigh most; -SCORE_INFINITE: none */
    int mean_square;    /* likewise, of score times |score| */
    bool in_tb;         /* endgame tables know the move: */
    int tb_rank;        /* .. its rank among the moves; 0 when they do not */
    int tb_score;       /* .. its score */
    int seldepth;
    enum score_bound bound;
    uint64_t nodes;
    int pv_length; /* at least 1: the move itself */
    move pv[SEARCH_PLY_MAX];
};

/* What the node at one ply shares with its neighbours. */
struct stack {
    struct undo undo;
    struct piece_keys piece_keys;  /* of the position before the current move */
    struct piece_to *continuation; /* continuation history of the current move */
    struct piece_to *correction;   /* and its continuation correction */
    move current_move;             /* MOVE_NULL and MOVE_NONE included */
    bool was_capture;              /* the current move took something */
    int move_count;                /* its place among those searched; 0: a null move */
    int move_history;              /* how good the current move had been, by its histories */
    int reduction;                 /* of the current move, plies */
    bool follows_pv; /* the moves that led here are those of the last iteration's line */
    bool in_check;
    bool tt_hit;     /* the TT knew the node .. */
    bool tt_pv;      /* .. as one that was once in a principal variation, or it is now */
    move excluded;   /* left out while it is tested for being singular */
    int static_eval; /* in check that of two plies before; SCORE_NONE before the root */
    int plies_since_irreversible; /* back to the last capture, pawn move or null move */
    int cutoff_count;             /* beta cutoffs among the children */
    int pv_length;
    move pv[SEARCH_PLY_MAX];
};

/* STACK_BEFORE: entries in front of the root, so that looking back needs no test. */
enum { STACK_BEFORE = 6, KEYS_MAX = SEARCH_KEYS_MAX + SEARCH_PLY_MAX + 8 };

struct worker {
    struct shared *shared;
    struct eval *eval;
    struct history history;

    struct position pos;
    uint64_t keys[KEYS_MAX]; /* of the positions before pos */
    int key_count;
    int root_key_count;
    int ply;

    _Atomic uint64_t nodes;   /* atomic, relaxed, single writer */
    _Atomic uint64_t tb_hits; /* likewise */
    uint64_t next_poll;       /* look at the clock when nodes reach this */
    int index;                /* 0 = the thread of search_run() */
    int seldepth;
    int root_depth;
    int completed_depth;
    int root_window;                  /* beta less alpha at the root */
    int null_min_ply;                 /* no null move above this ply while one is being verified */
    bool full_width;                  /* no pruning and no reductions: `go mate` */
    bool analyse;                     /* less pruning: search_request.analyse */
    int draw_scores[2];               /* what a draw is worth to White and to Black */
    int pv_index;                     /* the MultiPV line being searched, from 0 */
    struct time_signals time_signals; /* of worker 0 */

    move last_pv[SEARCH_PLY_MAX]; /* the line of the iteration before, and its length */
    int last_pv_length;
    struct root_move root_moves[MOVES_MAX];
    struct root_move completed_moves[MOVES_MAX]; /* of the last iteration, with MultiPV > 1 */
    int root_count;

    struct stack stack[STACK_BEFORE + SEARCH_PLY_MAX + 4];
};

/* A worker with its own evaluation, in the state of a new game. NULL when there is no memory.
 * Destroyed by the caller. shared: borrowed. index: 0 for the thread of search_run(). */
struct worker *worker_create(struct shared *shared, int index);
void worker_destroy(struct worker *worker); /* NULL is allowed */

/* Copies the request's position, keys and moves into the worker. */
void worker_prepare(struct worker *worker);

/* The stack entry of the current ply ("ss"); ss[-1] is the parent's, ss[1] the child's. */
static inline struct stack *worker_stack(struct worker *worker)
{
    return &worker->stack[STACK_BEFORE + worker->ply];
}

static inline uint64_t worker_nodes(const struct worker *worker)
{
    return atomic_load_explicit(&worker->nodes, memory_order_relaxed);
}

static inline uint64_t worker_tb_hits(const struct worker *worker)
{
    return atomic_load_explicit(&worker->tb_hits, memory_order_relaxed);
}

/* The nodes of all workers. */
uint64_t shared_nodes(const struct shared *shared);

/* Worker 0 finishes its first iteration whatever happens: there must be a move worth playing. */
static inline bool worker_stopped(const struct worker *worker)
{
    if (worker->index == 0 && worker->completed_depth == 0)
        return false;
    return signals_stopped(&worker->shared->signals);
}

/* Looks at the clock now and then, on worker 0 at the limit of nodes, too; true when the search
 * must end. */
bool worker_must_stop(struct worker *worker);

/* May depth be added? Not far below the iteration's depth, or lines would not end. */
static inline bool worker_may_extend(const struct worker *worker)
{
    return worker->ply < 2 * worker->root_depth;
}

/* Plays and takes back on the worker's board. */
void worker_make(struct worker *worker, move m);
void worker_unmake(struct worker *worker, move m);
void worker_make_null(struct worker *worker);
void worker_unmake_null(struct worker *worker);

/* The line of the current ply becomes `m`, which was just taken back, and the line after it. */
void worker_keep_pv(struct worker *worker, move m);

/* Is the current position a draw by repetition, the fifty-move rule or material? */
bool worker_is_draw(const struct worker *worker);

/* Can the side to move repeat a position that stood inside the search? Then it has a draw. */
bool worker_upcoming_repetition(const struct worker *worker);

/* What a draw is worth to the side to move: 0 without contempt.
 * Source: https://www.chessprogramming.org/Contempt_Factor */
static inline int worker_draw_score(const struct worker *worker)
{
    return worker->draw_scores[worker->pos.turn];
}

/* What time limits count: milliseconds since search_arm(), or what the nodes so far stand for
 * (nodestime). */
int64_t worker_spent_ms(const struct worker *worker);

/* The moves of the root --------------------------------------------------------------------- */

/* A move that was not searched yet. */
void root_move_init(struct root_move *root, move m);

/* `m` among moves[first..last), NULL when it is not there. */
struct root_move *root_move_find(struct root_move *moves, int first, int last, move m);

/* The score to show for a root move, whichever iteration it came from. */
int root_move_score(const struct root_move *root);

/* The same as users see it: a move that endgame tables know has their score, unless the search has
 * found a mate. *bound takes what that score says. */
int root_move_shown_score(const struct root_move *root, enum score_bound *bound);

/* Makes `pv` the move `m` and, as far as there is room, the `length` moves `after` it. Returns its
 * length. */
int pv_join(move pv[SEARCH_PLY_MAX], move m, const move *after, int length);

/* Sorts moves[first..last), best first: by the tables' rank, then by score. Equals keep their
 * order, so that moves that failed low stay as the last iteration ranked them. */
void root_moves_sort(struct root_move *moves, int first, int last);

/* What worker 0 tells the reporter ------------------------------------------------------------ */

/* Has the search lasted so long that a user wants to see how it goes on? */
bool worker_report_is_slow(const struct worker *worker);

/* How many lines the search reports: MultiPV, or all moves when there are fewer. */
int worker_report_lines(const struct worker *worker);

/* Reports the lines first .. last - 1, from 0, but those whose move was not searched yet. */
void worker_report(const struct worker *worker, int first, int last);

/* Reports, once the search is slow, that root move `m`, the number-th from 1, is being searched. */
void worker_report_current(const struct worker *worker, int depth, move m, int number);
