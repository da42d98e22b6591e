/* Iterative deepening with aspiration windows.
 * Source: https://www.chessprogramming.org/Iterative_Deepening, .../Aspiration_Windows */
#include "search/root.h"

#include <string.h>

#include "search/node.h"
#include "search/params.h"

/* Searches the best move of the current line at root_depth. Aspiration window: it begins small
 * around the mean of the last scores, and is widened until the score fits; after each fail high one
 * ply less deep. */
static void search_aspiration(struct worker *worker)
{
    const struct root_move *root = &worker->root_moves[worker->pv_index];
    worker->last_pv_length = root->pv_length;
    memcpy(worker->last_pv, root->pv, (size_t)root->pv_length * sizeof *root->pv);
    worker->seldepth = 0;
    int alpha = -SCORE_INFINITE;
    int beta = SCORE_INFINITE;
    int window = ASPIRATION_WINDOW;
    int expected = root->average;
    int depth = worker->root_depth;
    if (depth >= ASPIRATION_DEPTH && !score_is_decisive(expected)) {
        int square = root->mean_square;
        int more = (square < 0 ? -square : square) / ASPIRATION_SCORE_DIVISOR;
        window += more < ASPIRATION_MORE_MAX ? more : ASPIRATION_MORE_MAX;
        alpha = expected - window;
        beta = expected + window;
    }
    for (;;) {
        alpha = alpha > -SCORE_INFINITE ? alpha : -SCORE_INFINITE;
        beta = beta < SCORE_INFINITE ? beta : SCORE_INFINITE;
        int score = node_search(worker, alpha, beta, depth > 1 ? depth : 1, false);
        root_moves_sort(worker->root_moves, worker->pv_index, worker->root_count);
        if (worker_stopped(worker) || (score > alpha && score < beta))
            return;
        if (worker->index == 0 && worker_report_is_slow(worker) &&
            worker->shared->request.multipv == 1 && !worker->shared->request.minimal)
            worker_report(worker, worker->pv_index, worker->pv_index + 1);
        if (score <= alpha) {
            beta = alpha;
            alpha = score - window;
            depth = worker->root_depth;
        } else {
            alpha = beta - window > alpha ? beta - window : alpha;
            beta = score + window;
            if (score < SCORE_TB_WIN_IN_MAX && !worker->full_width)
                depth--;
        }
        window += window * ASPIRATION_GROWTH / 1024 + 1;
    }
}

/* Before an iteration: what the moves are worth is that of the one before. */
static void begin_iteration(struct worker *worker, int depth)
{
    worker->root_depth = depth;
    for (int i = 0; i < worker->root_count; i++) {
        struct root_move *root = &worker->root_moves[i];
        root->previous_score = root_move_score(root);
        root->score = -SCORE_INFINITE;
    }
}

/* Is `go mate N` done? It has found a mate within N moves, or searched all of them. */
static bool mate_is_decided(const struct worker *worker)
{
    int moves = worker->shared->request.mate;
    int score = root_move_score(&worker->root_moves[0]);
    return moves > 0 && (score >= SCORE_MATE - 2 * moves || worker->completed_depth >= 2 * moves);
}

/* Only one move can be the answer: the only one, or the only one of the best rank. */
static bool is_forced(const struct worker *worker)
{
    const struct root_move *moves = worker->root_moves;
    return worker->root_count == 1 ||
           (worker_report_lines(worker) == 1 && moves[0].tb_rank > moves[1].tb_rank);
}

static bool time_is_up(struct worker *worker)
{
    struct shared *shared = worker->shared;
    const struct root_move *best = &worker->root_moves[0];
    if (!shared->budget.timed || shared->budget.fixed)
        return false;
    if (is_forced(worker) && worker->completed_depth >= 5)
        return true;
    /* A mate that deeper iterations will hardly shorten. */
    int score = best->score < 0 ? -best->score : best->score;
    if (score >= SCORE_MATE_IN_MAX && worker->completed_depth >= 2 * (SCORE_MATE - score) + 4)
        return true;
    return worker_spent_ms(worker) >= timeman_soft_limit(&shared->budget, &worker->time_signals);
}

/* After an iteration of worker 0: decides whether to go on. */
static void end_iteration(struct worker *worker)
{
    const struct root_move *best = &worker->root_moves[0];
    struct shared *shared = worker->shared;
    timeman_take_iteration(&worker->time_signals, best->move, best->score, best->nodes,
                           worker_nodes(worker));
    bool is_over = mate_is_decided(worker);
    if (!is_over && !time_is_up(worker))
        return;
    if (!is_over && signals_pondering(&shared->signals))
        atomic_store_explicit(&shared->stop_on_ponderhit, true, memory_order_relaxed);
    else
        signals_end_search(&shared->signals);
}

static void copy_moves(struct root_move *to, const struct root_move *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
}

void root_iterate(struct worker *worker)
{
    const struct search_request *request = &worker->shared->request;
    const int lines = worker_report_lines(worker);
    int depth_limit =
        request->depth > 0 && request->depth < SEARCH_DEPTH_MAX ? request->depth : SEARCH_DEPTH_MAX;
    for (int depth = 1; depth <= depth_limit && worker->root_count > 0; depth++) {
        begin_iteration(worker, depth);
        bool is_stopped = false;
        for (worker->pv_index = 0; worker->pv_index < lines && !is_stopped; worker->pv_index++) {
            search_aspiration(worker);
            is_stopped = worker_stopped(worker);
        }
        worker->pv_index = 0;
        root_moves_sort(worker->root_moves, 0, lines);
        if (!is_stopped)
            worker->completed_depth = depth;
        /* Stopped in the middle of an iteration, with one line: half an iteration may have found a
         * better move. With several: those of the last finished iteration stand, for some of this
         * one's are searched deeper than others. */
        if (lines > 1 && !is_stopped)
            copy_moves(worker->completed_moves, worker->root_moves, worker->root_count);
        else if (lines > 1 && worker->index == 0) {
            copy_moves(worker->root_moves, worker->completed_moves, worker->root_count);
            worker->root_depth = worker->completed_depth;
        }
        /* What is answered is shown, and all that was searched. */
        if (worker->index == 0 && !request->minimal)
            worker_report(worker, 0, lines);
        if (worker->index == 0 && !is_stopped)
            end_iteration(worker);
        if (worker_stopped(worker))
            return;
    }
}
