/* Principal variation search. The steps at a node:
 *
 * 1. draws, mate distance, the transposition table (node_state.c), endgame tables (tables.c);
 * 2. the static evaluation (node_state.c);
 * 3. pruning of the whole node: razoring, reverse futility (pruning.c), null move, ProbCut;
 * 4. the moves, each perhaps pruned (pruning.c), extended or reduced, with a zero window first;
 * 5. updates of the histories, the correction and the table (node_state.c).
 *
 * Source: https://www.chessprogramming.org/Principal_Variation_Search, and for each heuristic the
 * page named beside it. */
#include "search/node.h"

#include <assert.h>

#include "search/movepick.h"
#include "search/moves.h"
#include "search/params.h"
#include "search/pruning.h"
#include "search/quiesce.h"
#include "search/see.h"
#include "search/worker_report.h"

/* Draw score with one centipawn of noise, so that the search does not settle on a repetition.
 * Idea: Stockfish, value_draw(). */
static int draw_score(const struct worker *worker)
{
    return worker_draw_score(worker) + 1 - (int)(worker_nodes(worker) & 2);
}

/* Mate distance pruning: no line from here is better than a mate already found nearer to the root.
 * True when the window is empty then. Source:
 * https://www.chessprogramming.org/Mate_Distance_Pruning */
static bool mate_distance_cuts(const struct worker *worker, int *alpha, int *beta)
{
    int lowest = score_mated_in(worker->ply);
    int highest = score_mate_in(worker->ply + 1);
    *alpha = *alpha > lowest ? *alpha : lowest;
    *beta = *beta < highest ? *beta : highest;
    return *alpha >= *beta;
}

/* Who can repeat a position has a draw at least. True when the window is empty then.
 * Source: https://www.chessprogramming.org/Repetitions */
static bool repetition_cuts(const struct worker *worker, int *alpha, int beta)
{
    if (*alpha >= worker_draw_score(worker) || !worker_can_repeat(worker))
        return false;
    int score = draw_score(worker);
    *alpha = *alpha > score ? *alpha : score;
    return *alpha >= beta;
}

/* Null move pruning: let the opponent move twice; if a reduced search still fails high, prune. Not
 * twice in a row, not after a move that had been very good before, not without pieces (zugzwang).
 * Deep in the tree, where a wrong cut costs much, a search without null moves verifies it.
 * Source: https://www.chessprogramming.org/Null_Move_Pruning, with "Verification Search". */
static bool null_move_cuts(struct worker *worker, const struct node *node, struct stack *ss,
                           int *score)
{
    if (node->excluded != MOVE_NONE || node->eval < node->beta || node->eval < ss->static_eval ||
        ss->static_eval < node->beta - NULL_STATIC_SLOPE * node->depth -
                              node->improvement / NULL_IMPROVEMENT_DIVISOR + NULL_STATIC_MARGIN ||
        ss[-1].current_move == MOVE_NULL || ss[-1].move_history >= NULL_HISTORY_MAX ||
        worker->ply < worker->null_min_ply || !position_has_pieces(&worker->pos, worker->pos.turn))
        return false;
    int surplus = (node->eval - node->beta) / NULL_EVAL_DIVISOR;
    int reduction = (NULL_DEPTH_BASE + NULL_DEPTH_SLOPE * node->depth) / 1024 +
                    (surplus < NULL_EVAL_MAX ? surplus : NULL_EVAL_MAX);
    worker_make_null(worker);
    int found =
        -node_search(worker, -node->beta, -node->beta + 1, node->depth - reduction, !node->cut);
    worker_unmake_null(worker);
    if (worker_stopped(worker) || found < node->beta)
        return false;
    if (found >= SCORE_TABLE_WIN_IN_MAX)
        found = node->beta; /* not proven */
    *score = found;
    if (worker->null_min_ply > 0 ||
        (node->depth < NULL_VERIFY_DEPTH && !score_is_decided(node->beta)))
        return true;

    worker->null_min_ply = worker->ply + 3 * (node->depth - reduction) / 4;
    int verified = node_search(worker, node->beta - 1, node->beta, node->depth - reduction, false);
    worker->null_min_ply = 0;
    return verified >= node->beta;
}

/* ProbCut: a capture that beats beta by a margin in a reduced search beats it in a full one.
 * Source: https://www.chessprogramming.org/ProbCut */
static bool probcut_cuts(struct worker *worker, const struct node *node, const struct stack *ss,
                         int *score)
{
    enum { LESS = 4 };
    int goal = node->beta + PROBCUT_MARGIN - (node_improves(node) ? PROBCUT_IMPROVING : 0);
    if (node->depth < PROBCUT_DEPTH || score_is_decided(node->beta) ||
        (node->tt_hit && node->entry.depth > node->depth - LESS && node->entry.score < goal))
        return false;
    struct picker picker;
    picker_init(&picker, worker, node->tt_move_noisy ? node->tt_move : MOVE_NONE, false);
    for (move m; (m = picker_next(&picker, true)) != MOVE_NONE;) {
        if (m == node->excluded || !see_at_least(&worker->pos, m, goal - ss->static_eval))
            continue;
        worker_make(worker, m);
        *score = -quiesce(worker, -goal, -goal + 1);
        if (*score >= goal)
            *score = -node_search(worker, -goal, -goal + 1, node->depth - LESS, !node->cut);
        worker_unmake(worker, m);
        if (worker_stopped(worker))
            return false;
        if (*score < goal)
            continue;
        if (node->excluded == MOVE_NONE)
            tt_store(&worker->shared->tt, worker->pos.key, worker->ply,
                     &(struct tt_entry){m, *score, node->raw_eval, node->depth - LESS + 1,
                                        SCORE_LOWER, ss->tt_pv});
        return true;
    }
    return false;
}

/* Can the node be left without looking at its moves? */
static bool node_is_pruned(struct worker *worker, const struct node *node, struct stack *ss,
                           int *score)
{
    if (node->root || node->in_check || worker->full_width)
        return false;
    /* Razoring: the estimate is so far below alpha that only captures may help; quiescence says
     * whether they do. Source: https://www.chessprogramming.org/Razoring */
    if (node->eval < node->alpha - RAZOR_BASE - RAZOR_SLOPE * node->depth * node->depth) {
        *score = quiesce(worker, node->alpha - 1, node->alpha);
        if (*score < node->alpha)
            return true;
    }
    if (reverse_futility_cuts(node, ss)) {
        *score = node->eval;
        return true;
    }
    return !node->pv && (null_move_cuts(worker, node, ss, score) ||
                         (!worker_stopped(worker) && probcut_cuts(worker, node, ss, score)));
}

/* Singular extension: if a reduced search without the table's move stays well below the table's
 * score, that move is the only good one and is searched a ply or two deeper. Multicut: if that
 * search fails high over beta, a second move beats beta, too, and the node's score is node->best.
 * Source: https://www.chessprogramming.org/Singular_Extensions, .../Multi-Cut */
static int singular_extension(struct worker *worker, struct node *node, struct stack *ss, move m)
{
    const struct tt_entry *entry = &node->entry;
    int margin = SINGULAR_MARGIN + (ss->tt_pv && !node->pv ? SINGULAR_PV_MARGIN : 0);
    int goal = entry->score - margin * node->depth / 16;
    ss->excluded = m;
    int score = node_search(worker, goal - 1, goal, (node->depth - 1) / 2, node->cut);
    ss->excluded = MOVE_NONE;
    if (worker_stopped(worker))
        return 0;
    if (score < goal) {
        node->quiet_singular = !node->tt_move_noisy;
        return !node->pv && score < goal - SINGULAR_DOUBLE_MARGIN &&
                       ss->double_extensions < SINGULAR_DOUBLE_MAX
                   ? 2
                   : 1;
    }
    if (goal >= node->beta) {
        node->multicut = true;
        node->best = goal;
        return 0;
    }
    if (entry->score >= node->beta)
        return -2;
    return entry->score <= node->alpha && entry->score <= score ? -1 : 0;
}

static bool may_be_singular(const struct node *node, move m)
{
    const struct tt_entry *entry = &node->entry;
    return !node->root && node->excluded == MOVE_NONE && m == node->tt_move && node->tt_hit &&
           node->depth >= SINGULAR_DEPTH + (node->pv && entry->pv ? SINGULAR_PV_DEPTH : 0) &&
           (entry->bound == SCORE_LOWER || entry->bound == SCORE_EXACT) &&
           entry->depth >= node->depth - SINGULAR_TT_PLIES && !score_is_decided(entry->score);
}

/* How many plies deeper the move is searched, before it is made. */
static int find_extension(struct worker *worker, struct node *node, struct stack *ss,
                          const struct candidate *candidate)
{
    if (worker->full_width || worker->ply >= 2 * worker->root_depth)
        return 0;
    if (may_be_singular(node, candidate->move))
        return singular_extension(worker, node, ss, candidate->move);
    return candidate->checks && node->depth >= CHECK_DEPTH &&
           (ss->static_eval > CHECK_EVAL || ss->static_eval < -CHECK_EVAL);
}

/* Searches the position after a late move at a reduced depth and, if it beats alpha, at its own: a
 * ply deeper where it is much better, a ply less deep where it is hardly better than the best score
 * so far (as Stockfish does). *depth becomes the last one. piece: the one that moved. */
static int search_reduced(struct worker *worker, const struct node *node, struct stack *ss,
                          const struct candidate *candidate, int piece, int *depth)
{
    int reduction = late_move_reduction(node, ss, candidate, worker->root_window);
    int reduced = reduction > 0 ? *depth - reduction : *depth;
    reduced = reduced < 1 ? 1 : reduced;
    int score = -node_search(worker, -node->alpha - 1, -node->alpha, reduced, true);
    if (score <= node->alpha || reduced >= *depth || worker_stopped(worker))
        return score;
    bool deeper = score > node->alpha + DEEPER_MARGIN + DEEPER_SLOPE * (*depth - reduced);
    bool shallower = score < node->best + *depth / SHALLOWER_DIVISOR;
    *depth += deeper - shallower;
    if (*depth > reduced)
        score = -node_search(worker, -node->alpha - 1, -node->alpha, *depth, !node->cut);
    if (!worker_stopped(worker))
        update_after_reduction(ss, piece, move_to(candidate->move), *depth, score > node->alpha,
                               !candidate->quiet);
    return score;
}

/* Makes the move, searches it and takes it back: a late one reduced first, one in a node of the
 * principal variation with the whole window if it is the first or beats alpha. */
static int make_and_search(struct worker *worker, const struct node *node, struct stack *ss,
                           const struct candidate *candidate, int extension)
{
    move m = candidate->move;
    int piece = worker->pos.board[move_from(m)];
    int depth = node->depth - 1 + extension;
    int least = 1 + (node->pv && worker->ply <= 1);
    ss->move_count = node->move_count;
    ss->tt_hit = node->tt_hit;
    ss->double_extensions = ss[-1].double_extensions + (extension == 2);
    worker_make(worker, m);
    ss[1].pv_length = 0;
    int score = -SCORE_INFINITE;
    if (node->depth >= LMR_DEPTH && node->move_count > least && !worker->full_width &&
        (!ss->tt_pv || candidate->quiet || (node->cut && ss[-1].move_count > 1)))
        score = search_reduced(worker, node, ss, candidate, piece, &depth);
    else if (!node->pv || node->move_count > 1)
        score = -node_search(worker, -node->alpha - 1, -node->alpha, depth, !node->cut);
    if (node->pv && !worker_stopped(worker) &&
        (node->move_count == 1 || (score > node->alpha && (node->root || score < node->beta)))) {
        int most = node->root ? node->depth : node->depth + 1;
        ss[1].pv_length = 0;
        score = -node_search(worker, -node->beta, -node->alpha, depth < most ? depth : most, false);
    }
    worker_unmake(worker, m);
    return score;
}

/* Takes over the score of a searched move; false when it ends the node by a cutoff. */
static bool take_score(struct worker *worker, struct node *node, struct stack *ss,
                       const struct candidate *candidate, int score)
{
    if (score > node->best)
        node->best = score;
    if (score > node->alpha) {
        node->best_move = candidate->move;
        if (node->root && node->move_count > 1 && worker->pv_index == 0)
            timeman_take_change(&worker->time_signals);
        if (node->pv)
            worker_keep_pv(worker, candidate->move);
        if (score >= node->beta) {
            ss->cutoff_count++;
            return false;
        }
        node->alpha = score;
        /* The other moves must beat a good one, and seldom do: search them a ply less deep.
         * Idea: Stockfish, "Reduce other moves if we have found at least one score improvement". */
        if (node->depth >= ALPHA_RAISED_DEPTH_MIN && node->depth <= ALPHA_RAISED_DEPTH_MAX &&
            !score_is_decided(score) && !worker->full_width)
            node->depth--;
    }
    struct searched_moves *searched = candidate->quiet ? &node->quiets : &node->noisies;
    if (candidate->move != node->best_move && searched->count < SEARCHED_MAX)
        searched->moves[searched->count++] = candidate->move;
    return true;
}

/* Searches a move; false when the node is finished (a cutoff, or the search was stopped). */
static bool search_move(struct worker *worker, struct node *node, struct stack *ss,
                        const struct candidate *candidate)
{
    move m = candidate->move;
    int extension = find_extension(worker, node, ss, candidate);
    if (worker_stopped(worker) || node->multicut)
        return false;
    if (node->root)
        worker_report_current(worker, worker->root_depth, m, node->move_count);
    uint64_t before = worker_nodes(worker);
    int score = make_and_search(worker, node, ss, candidate, extension);
    if (worker_stopped(worker))
        return false;
    if (node->root)
        node_record_root_move(worker, node, m, score, worker_nodes(worker) - before);
    return take_score(worker, node, ss, candidate, score);
}

static void move_loop(struct worker *worker, struct node *node, struct stack *ss)
{
    struct picker picker;
    picker_init(&picker, worker, node->tt_move, true);
    for (move m; (m = picker_next(&picker, node->skip_quiets)) != MOVE_NONE;) {
        if (m == node->excluded || (node->root && !node_is_root_move(worker, m)))
            continue;
        node->move_count++;
        tt_prefetch(&worker->shared->tt, position_key_after(&worker->pos, m));
        struct candidate candidate = picker_candidate(&picker, m);
        if (move_is_pruned(worker, node, &candidate))
            continue;
        if (!search_move(worker, node, ss, &candidate))
            return;
    }
}

/* The part of a node after the cheap exits. */
static int search_moves(struct worker *worker, struct node *node, struct stack *ss)
{
    int first_alpha = node->alpha;
    node->best = -SCORE_INFINITE;
    node->best_move = MOVE_NONE;
    move_loop(worker, node, ss);
    if (worker_stopped(worker))
        return 0;
    if (node->multicut)
        return node->best; /* of half the depth: neither stored nor learnt from */
    if (node->best == -SCORE_INFINITE) {
        if (node->excluded != MOVE_NONE)
            return node->alpha;
        return node->in_check ? score_mated_in(worker->ply) : worker_draw_score(worker);
    }
    if (node->best < node->table_min)
        node->best = node->table_min;
    if (node->best > node->table_max)
        node->best = node->table_max;
    node_finish(node, worker, first_alpha);
    return node->best;
}

/* What ends the search of a position before anything is known of it: *score is then its score. */
static bool ends_at_once(struct worker *worker, int *alpha, int *beta, int *score)
{
    *score = *alpha;
    if (worker_is_draw(worker)) {
        *score = draw_score(worker);
        return true;
    }
    if (worker->ply >= SEARCH_PLY_MAX - 1) {
        *score = position_in_check(&worker->pos)
                     ? 0
                     : worker_corrected_eval(worker, eval_score(worker->eval, &worker->pos));
        return true;
    }
    if (!mate_distance_cuts(worker, alpha, beta))
        return false;
    *score = *alpha;
    return true;
}

/* Internal iterative reduction: without a move from the table, search less deep; the next iteration
 * will have one. Source: https://www.chessprogramming.org/Internal_Iterative_Reductions */
static int reduction_without_move(const struct worker *worker, const struct node *node)
{
    if (node->root || node->in_check || node->tt_move != MOVE_NONE || worker->full_width)
        return 0;
    return node->pv ? IIR_PV : node->cut && node->depth >= IIR_CUT_DEPTH ? IIR_CUT : 0;
}

int node_search(struct worker *worker, int alpha, int beta, int depth, bool cut_node)
{
    assert(worker->ply < SEARCH_PLY_MAX && alpha < beta);
    if (worker->ply > 0 && repetition_cuts(worker, &alpha, beta))
        return alpha;
    if (depth <= 0)
        return quiesce(worker, alpha, beta);
    struct stack *ss = worker_stack(worker);
    ss->pv_length = 0;
    if (worker_must_stop(worker))
        return 0;
    if (worker->ply > worker->seldepth)
        worker->seldepth = worker->ply;
    int score;
    if (worker->ply > 0 && ends_at_once(worker, &alpha, &beta, &score))
        return score;
    struct node node; /* not set to zero: its lists are long */
    node_init(&node, worker, alpha, beta, depth, cut_node);
    if (node_table_answers(&node, worker)) {
        if (node.tt_move != MOVE_NONE && movegen_is_legal(&worker->pos, node.tt_move))
            update_from_table(worker, ss, node.tt_move, depth, node.entry.score >= beta);
        return node.entry.score;
    }
    if (worker->shared->table_men && node_endgame_answers(&node, worker, &score))
        return score;
    node_evaluate(&node, worker);
    if (node_is_pruned(worker, &node, ss, &score))
        return worker_stopped(worker) ? 0 : score;
    if (worker_stopped(worker))
        return 0;
    node.depth -= reduction_without_move(worker, &node);
    return node.depth > 0 ? search_moves(worker, &node, ss)
                          : quiesce(worker, node.alpha, node.beta);
}
