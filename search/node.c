/* Principal variation search: the way of one node, from top to bottom. Numbers: params.h.
 *
 * node_search()
 *   1. Before anything is known
 *      repetition_cuts()        upcoming repetition: alpha is at least a draw
 *      quiesce()                no depth left: captures only (quiesce.c)
 *      worker_must_stop()       limits and signals (worker.c)
 *      ends_at_once()           draw, longest line, mate distance pruning
 *   2. What is known
 *      node_init()              window, check, TT entry and its move
 *      node_evaluate()          static evaluation, corrected by what was learnt (correction.c), or
 *                               the TT score; improving; hindsight: depth one more or less
 *      node_tt_cuts()           TT cutoff
 *      node_tb_cuts()           endgame tables answer (tb_search.c)
 *      update_from_evaluation() how good the last move was (update_histories.c)
 *   3. Pruning of the whole node: node_is_pruned(); not at the root, nor for `go mate`
 *      evaluation_cuts()        not in check: razoring, reverse futility (pruning.c), null move,
 *                               internal iterative reduction, ProbCut
 *      small_probcut_cuts()     by the TT score (pruning.c)
 *   4. The moves: search_moves(), move_loop(); picker_next() gives them best first (movepick.c)
 *      move_is_pruned()         late move, futility, history and SEE pruning (pruning.c)
 *      singular_extension()     the TT move is searched deeper, or multicut ends the node
 *      make_and_search()        each with a zero window: search_reduced() by late_move_reduction()
 *                               (pruning.c), else search_zero_window(); then, in the principal
 *                               variation, with the whole window
 *      take_score()             best, alpha, cutoff; later moves less deep once alpha was raised
 *   5. The end: node_finish()
 *      update_histories()       of the best move and those before it (update_histories.c)
 *      tt_store()               score, bound, depth, move (tt.c)
 *      correction_learn()       how wrong the static evaluation was (correction.c)
 *
 * `struct node` is in pruning.h. What the node shares with its neighbours is `struct stack`
 * (worker.h): ss[-1] is the parent, ss[1] the child.
 *
 * Source: https://www.chessprogramming.org/Principal_Variation_Search, and for each heuristic the
 * page named beside it; the form and the numbers of most: Stockfish (August 2026). */
#include "search/node.h"

#include <assert.h>

#include "search/correction.h"
#include "search/movepick.h"
#include "search/moves.h"
#include "search/params.h"
#include "search/pruning.h"
#include "search/quiesce.h"
#include "search/see.h"
#include "search/tb_search.h"

/* 1. Before anything is known ------------------------------------------------------------------ */

/* Draw score with one centipawn of noise, so that the search does not settle on a repetition.
 * Idea: Stockfish, value_draw(). */
static int draw_score(const struct worker *worker)
{
    return worker_draw_score(worker) + 1 - (int)(worker_nodes(worker) & 2);
}

/* Who can repeat a position has a draw at least. True when the window is empty then.
 * Source: https://www.chessprogramming.org/Repetitions */
static bool repetition_cuts(const struct worker *worker, int *alpha, int beta)
{
    if (*alpha >= worker_draw_score(worker) || !worker_upcoming_repetition(worker))
        return false;
    int score = draw_score(worker);
    *alpha = *alpha > score ? *alpha : score;
    return *alpha >= beta;
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
                     : correction_apply(worker, eval_score(worker->eval, &worker->pos), 0);
        return true;
    }
    if (!mate_distance_cuts(worker, alpha, beta))
        return false;
    *score = *alpha;
    return true;
}

/* 2. What is known ----------------------------------------------------------------------------- */

/* Fills what is known of the worker's current position: the arguments, check and the TT entry.
 * The evaluation follows in node_evaluate(), best and best_move when moves are searched. */
static void node_init(struct node *node, struct worker *worker, int alpha, int beta, int depth,
                      bool cut)
{
    struct stack *ss = worker_stack(worker);
    struct position *pos = &worker->pos;
    node->alpha = alpha;
    node->beta = beta;
    node->depth = depth;
    node->pv = beta - alpha > 1;
    node->cut = cut;
    node->root = worker->ply == 0;
    node->excluded = ss->excluded;
    node->in_check = ss->in_check = position_in_check(pos);
    node->multicut = node->skip_quiets = false;
    node->move_count = 0;
    node->reduction = ss[-1].reduction;
    ss[-1].reduction = 0;
    ss->follows_pv = node->root || (ss[-1].follows_pv && worker->ply <= worker->last_pv_length &&
                                    ss[-1].current_move == worker->last_pv[worker->ply - 1]);
    node->tb_min = -SCORE_INFINITE;
    node->tb_max = SCORE_INFINITE;
    node->quiets.count = node->noisies.count = 0;
    node->tt_hit = tt_probe(&worker->shared->tt, pos->key, worker->ply, pos->rule50, &node->entry);
    node->tt_move = node->tt_hit ? node->entry.move : MOVE_NONE;
    if (node->root && worker->root_depth > 1)
        node->tt_move = worker->root_moves[worker->pv_index].move;
    if (node->excluded == MOVE_NONE)
        ss->tt_pv = node->pv || (node->tt_hit && node->entry.pv);
    if (node->root)
        worker->root_window = beta - alpha;
    if (node->tt_move != MOVE_NONE && !movegen_is_legal(pos, node->tt_move))
        node->tt_move = MOVE_NONE;
    node->tt_move_noisy = node->tt_move != MOVE_NONE && !move_is_quiet(pos, node->tt_move);
    ss->move_count = 0;
    ss->move_history = 0;
    ss[1].excluded = MOVE_NONE;
    ss[2].cutoff_count = 0;
}

/* Hindsight: the move before was reduced, and the evaluation says how good it was. */
static void adjust_depth(struct node *node, const struct worker *worker, const struct stack *ss)
{
    if (node->reduction >= HINDSIGHT_DEEPER && !node->worsening && worker_may_extend(worker))
        node->depth++;
    if (node->reduction >= HINDSIGHT_SHALLOWER && node->depth >= 2 &&
        ss->static_eval + ss[-1].static_eval > HINDSIGHT_MARGIN)
        node->depth--;
}

/* Fills raw_eval, eval, improving, worsening and the stack's static_eval, and changes the depth
 * where the evaluation says that the move before was reduced too much or too little. */
static void node_evaluate(struct node *node, struct worker *worker)
{
    struct stack *ss = worker_stack(worker);
    node->raw_eval = SCORE_NONE;
    node->correction = correction_find(worker);
    if (node->in_check) {
        ss->static_eval = node->eval = ss[-2].static_eval;
    } else if (node->excluded != MOVE_NONE) {
        node->eval = ss->static_eval;
    } else {
        node->raw_eval = node->tt_hit && node->entry.eval != SCORE_NONE
                             ? node->entry.eval
                             : eval_score(worker->eval, &worker->pos);
        ss->static_eval = node->eval = correction_apply(worker, node->raw_eval, node->correction);
        if (!node->tt_hit)
            tt_store_eval(&worker->shared->tt, worker->pos.key, node->raw_eval, ss->tt_pv);
        if (node->tt_hit && tt_improves(&node->entry, node->eval))
            node->eval = node->entry.score;
    }
    /* Source: https://www.chessprogramming.org/Improving */
    node->improving = ss->static_eval > ss[-2].static_eval;
    node->worsening = ss->static_eval > -ss[-1].static_eval;
    if (!worker->full_width)
        adjust_depth(node, worker, ss);
}

/* Is what the TT says of the position after its move no contradiction? */
static bool is_confirmed(const struct node *node, struct worker *worker)
{
    struct position after = position_after(&worker->pos, node->tt_move);
    struct tt_entry entry;
    if (!tt_probe(&worker->shared->tt, after.key, worker->ply + 1, after.rule50, &entry) ||
        entry.depth == TT_DEPTH_EVAL)
        return true;
    return (node->entry.score >= node->beta) == (-entry.score >= node->beta);
}

/* TT cutoff: a bound above beta must be of a deeper search. At low depth only where a cutoff was
 * expected, or none. Not where the 50-move counter, which the TT does not know, is high. Source:
 * https://www.chessprogramming.org/Transposition_Table; the conditions: Stockfish */
static bool node_tt_cuts(const struct node *node, struct worker *worker)
{
    const struct tt_entry *entry = &node->entry;
    if (!node->tt_hit || node->pv || node->excluded != MOVE_NONE ||
        entry->depth <= node->depth - (entry->score <= node->beta) ||
        !tt_cuts(entry, node->alpha, node->beta) ||
        (node->cut != (entry->score >= node->beta) && node->depth < TT_CUT_ANY_DEPTH))
        return false;
    if (node->tt_move != MOVE_NONE && entry->score >= node->beta)
        update_from_tt(worker, worker_stack(worker), node->tt_move, node->depth);
    if (worker->pos.rule50 >= TT_CUT_RULE50)
        return false;
    return node->depth < TT_CUT_VERIFY_DEPTH || node->tt_move == MOVE_NONE ||
           score_is_decisive(entry->score) || is_confirmed(node, worker);
}

/* Do endgame tables answer the node? *score: then its score. If not, the score of a PV node, where
 * the search goes on to find a mate, keeps within what they say. */
static bool node_tb_cuts(struct node *node, struct worker *worker, int *score)
{
    enum { TB_EXTRA_PLIES = 6 }; /* as good as a deeper search; not tuned: games lack tables */
    enum score_bound bound;
    if (node->root || node->excluded != MOVE_NONE ||
        !tb_probe_node(worker, node->depth, score, &bound))
        return false;
    struct tt_entry entry = {.score = *score,
                             .eval = SCORE_NONE,
                             .depth = node->depth + TB_EXTRA_PLIES,
                             .bound = bound,
                             .pv = node->pv};
    if (tt_cuts(&entry, node->alpha, node->beta)) {
        tt_store(&worker->shared->tt, worker->pos.key, worker->ply, &entry);
        return true;
    }
    if (node->pv && bound == SCORE_LOWER) {
        node->tb_min = *score;
        node->alpha = *score > node->alpha ? *score : node->alpha;
    } else if (node->pv) {
        node->tb_max = *score;
    }
    return false;
}

/* 3. Pruning of the whole node ----------------------------------------------------------------- */

/* Null move pruning: let the opponent move twice; if a reduced search still fails high, prune. Only
 * where a cutoff is expected, which a null move's child is not, and not without pieces (zugzwang).
 * Deep in the tree, where a wrong cut costs much, a search without null moves verifies it.
 * Source: https://www.chessprogramming.org/Null_Move_Pruning, with "Verification Search". */
static bool null_move_cuts(struct worker *worker, const struct node *node, struct stack *ss,
                           int *score)
{
    int goal = node->beta - NULL_STATIC_SLOPE * node->depth + NULL_STATIC_MARGIN -
               (node->improving ? NULL_IMPROVING : 0);
    if (!node->cut || node->excluded != MOVE_NONE || ss->static_eval < goal ||
        worker->ply < worker->null_min_ply || score_is_decisive(node->beta) ||
        !position_has_pieces(&worker->pos, worker->pos.turn))
        return false;
    int surplus = (ss->static_eval - node->beta) / NULL_EVAL_DIVISOR;
    int reduction =
        NULL_DEPTH_BASE + node->depth / NULL_DEPTH_DIVISOR + (surplus > 0 ? surplus : 0);
    worker_make_null(worker);
    *score = -node_search(worker, -node->beta, -node->beta + 1, node->depth - reduction, false);
    worker_unmake_null(worker);
    /* A mate is not proven. */
    if (worker_stopped(worker) || *score < node->beta || *score >= SCORE_TB_WIN_IN_MAX)
        return false;
    if (worker->null_min_ply > 0 || node->depth < NULL_VERIFY_DEPTH)
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
    int goal = node->beta + PROBCUT_MARGIN - (node->improving ? PROBCUT_IMPROVING : 0);
    int depth =
        node->depth - PROBCUT_REDUCTION - (node->improving ? PROBCUT_REDUCTION_IMPROVING : 0);
    bool is_known = node->tt_hit && node->entry.depth > TT_DEPTH_EVAL;
    if (node->depth < PROBCUT_DEPTH || score_is_decisive(node->beta) ||
        (is_known && node->entry.score < goal))
        return false;
    struct picker picker;
    picker_init(&picker, worker, node->tt_move_noisy ? node->tt_move : MOVE_NONE, false);
    for (move m; (m = picker_next(&picker, true)) != MOVE_NONE;) {
        if (m == node->excluded || !see_at_least(&worker->pos, m, goal - ss->static_eval))
            continue;
        worker_make(worker, m);
        *score = -quiesce(worker, -goal, -goal + 1);
        if (*score >= goal && depth > 0)
            *score = -node_search(worker, -goal, -goal + 1, depth, !node->cut);
        worker_unmake(worker, m);
        if (worker_stopped(worker))
            return false;
        if (*score < goal)
            continue;
        if (node->excluded == MOVE_NONE)
            tt_store(&worker->shared->tt, worker->pos.key, worker->ply,
                     &(struct tt_entry){m, *score, node->raw_eval, (depth > 0 ? depth : 0) + 1,
                                        SCORE_LOWER, ss->tt_pv});
        if (score_is_decisive(*score))
            continue;
        *score -= goal - node->beta;
        return true;
    }
    return false;
}

/* Can the node be left without looking at its moves, by its evaluation? The depth falls where the
 * TT has no move: internal iterative reduction.
 * Source: https://www.chessprogramming.org/Internal_Iterative_Reductions */
static bool evaluation_cuts(struct worker *worker, struct node *node, struct stack *ss, int *score)
{
    /* Razoring: the estimate is so far below alpha that only captures may help.
     * Source: https://www.chessprogramming.org/Razoring */
    if (!node->pv && !worker->analyse &&
        node->eval < node->alpha - RAZOR_BASE - RAZOR_SLOPE * node->depth * node->depth) {
        *score = quiesce(worker, node->alpha, node->beta);
        return true;
    }
    if (reverse_futility_cuts(node, ss, worker->analyse)) {
        *score = node->beta + (node->eval - node->beta) * RFP_RETURN / 1024;
        return true;
    }
    if (null_move_cuts(worker, node, ss, score))
        return true;
    if (worker_stopped(worker))
        return false;
    node->improving = node->improving || ss->static_eval >= node->beta;
    if (node->depth >= IIR_DEPTH && node->tt_move == MOVE_NONE && !node_is_all(node) &&
        !ss->follows_pv)
        node->depth--;
    return probcut_cuts(worker, node, ss, score);
}

/* Can the node be left without looking at its moves? */
static bool node_is_pruned(struct worker *worker, struct node *node, struct stack *ss, int *score)
{
    if (node->root || worker->full_width)
        return false;
    if (!node->in_check && evaluation_cuts(worker, node, ss, score))
        return true;
    return !worker_stopped(worker) && small_probcut_cuts(node, score);
}

/* 4. The moves --------------------------------------------------------------------------------- */

/* Do both sides move to and fro? */
static bool is_shuffling(const struct worker *worker, const struct stack *ss, move m)
{
    return worker->pos.rule50 >= SHUFFLE_RULE50 && worker->ply >= SHUFFLE_PLY &&
           move_is_quiet(&worker->pos, m) && move_from(m) == move_to(ss[-2].current_move) &&
           move_from(ss[-2].current_move) == move_to(ss[-4].current_move);
}

static bool may_be_singular(const struct worker *worker, const struct node *node,
                            const struct stack *ss, move m)
{
    const struct tt_entry *entry = &node->entry;
    return !node->root && node->excluded == MOVE_NONE && m == node->tt_move && node->tt_hit &&
           !worker->full_width && worker_may_extend(worker) &&
           node->depth >= SINGULAR_DEPTH + ss->tt_pv &&
           (entry->bound == SCORE_LOWER || entry->bound == SCORE_EXACT) &&
           entry->depth >= node->depth - SINGULAR_TT_PLIES && !score_is_decisive(entry->score) &&
           !is_shuffling(worker, ss, m);
}

/* By how many plies a move that is singular is extended: `score` of the others is below `goal`. */
static int singular_plies(const struct worker *worker, const struct node *node,
                          const struct stack *ss, int goal, int score)
{
    int unsure = node_uncertainty(node) / SINGULAR_CORRECTION;
    bool deep = worker->ply > worker->root_depth;
    bool quiet = !node->tt_move_noisy;
    int twice = SINGULAR_DOUBLE + (node->pv ? SINGULAR_DOUBLE_PV : 0) -
                (quiet ? SINGULAR_DOUBLE_QUIET : 0) - unsure -
                SINGULAR_DOUBLE_HISTORY * worker->history.tt_move / 65536 -
                (deep ? SINGULAR_DOUBLE_DEEP : 0);
    int thrice = SINGULAR_TRIPLE + (node->pv ? SINGULAR_TRIPLE_PV : 0) -
                 (quiet ? SINGULAR_TRIPLE_QUIET : 0) + (ss->tt_pv ? SINGULAR_TRIPLE_TT_PV : 0) -
                 unsure - (deep ? SINGULAR_TRIPLE_DEEP : 0);
    return 1 + (score < goal - twice) + (score < goal - thrice);
}

/* Singular extension: if a reduced search without the TT move stays well below the TT
 * score, that move is the only good one and is searched deeper. Multicut: if that search fails high
 * over beta, a second move beats beta, too, and the node's score is node->best.
 * Source: https://www.chessprogramming.org/Singular_Extensions, .../Multi-Cut */
static int singular_extension(struct worker *worker, struct node *node, struct stack *ss, move m)
{
    const struct tt_entry *entry = &node->entry;
    int margin = SINGULAR_MARGIN + (ss->tt_pv && !node->pv ? SINGULAR_PV_MARGIN : 0);
    int goal = entry->score - margin * node->depth / 64;
    int depth = (node->depth - 1) / 2;
    ss->excluded = m;
    int score = node_search(worker, goal - 1, goal, depth, node->cut);
    ss->excluded = MOVE_NONE;
    if (worker_stopped(worker))
        return 0;
    if (score < goal) {
        node->depth++;
        return singular_plies(worker, node, ss, goal, score);
    }
    if (score >= node->beta && !score_is_decisive(score)) {
        history_update(&worker->history.tt_move,
                       -MULTICUT_MALUS_BASE - MULTICUT_MALUS_SLOPE * node->depth, TT_MOVE_LIMIT);
        if (!node->in_check && score > ss->static_eval)
            correction_learn(worker, score - ss->static_eval, depth * CORRECTION_MULTICUT);
        node->multicut = true;
        node->best = score;
        return 0;
    }
    return entry->score >= node->beta || node->cut ? -SINGULAR_NEGATIVE : 0;
}

/* Searches the position after a late move at a reduced depth and, if it beats alpha, at its own: a
 * ply deeper where it is much better than the best score so far, a ply less deep where it is hardly
 * better. *depth becomes the last one. piece: the one that moved. */
static int search_reduced(struct worker *worker, const struct node *node, struct stack *ss,
                          const struct candidate *candidate, int piece, int *depth, int reduction)
{
    int most = *depth + (worker_may_extend(worker) ? 2 : 0);
    int reduced = *depth - reduction / 1024;
    reduced = reduced > most ? most : reduced;
    reduced = (reduced < 1 ? 1 : reduced) + node->pv;
    ss->reduction = *depth - reduced;
    int score = -node_search(worker, -node->alpha - 1, -node->alpha, reduced, true);
    ss->reduction = 0;
    if (score <= node->alpha || worker_stopped(worker))
        return score;
    *depth += reduced < *depth && score > node->best + DEEPER_MARGIN;
    *depth -= score < node->best + SHALLOWER_MARGIN;
    if (*depth > reduced)
        score = -node_search(worker, -node->alpha - 1, -node->alpha, *depth, !node->cut);
    if (!worker_stopped(worker))
        update_after_reduction(ss, piece, move_to(candidate->move));
    return score;
}

/* The move's own depth, less where the reduction would be large. */
static int search_zero_window(struct worker *worker, const struct node *node, int depth,
                              int reduction)
{
    if (node->tt_move == MOVE_NONE)
        reduction += LMR_FULL_UNKNOWN;
    if (!worker->full_width)
        depth -= (reduction > LMR_FULL_1) + (reduction > LMR_FULL_2 && depth > 2);
    return -node_search(worker, -node->alpha - 1, -node->alpha, depth, !node->cut);
}

/* Makes the move, searches it and takes it back: a late one reduced first, one in a node of the
 * principal variation with the whole window if it is the first or beats alpha. */
static int make_and_search(struct worker *worker, const struct node *node, struct stack *ss,
                           const struct candidate *candidate, int depth)
{
    move m = candidate->move;
    const struct tt_entry *entry = &node->entry;
    int piece = worker->pos.board[move_from(m)];
    int reduction = late_move_reduction(worker, node, ss, candidate);
    ss->move_count = node->move_count;
    ss->tt_hit = node->tt_hit;
    worker_make(worker, m);
    ss[1].pv_length = 0;
    int score = -SCORE_INFINITE;
    if (node->depth >= 2 && node->move_count > 1 && !worker->full_width)
        score = search_reduced(worker, node, ss, candidate, piece, &depth, reduction);
    else if (!node->pv || node->move_count > 1)
        score = search_zero_window(worker, node, depth, reduction);
    if (node->pv && !worker_stopped(worker) && (node->move_count == 1 || score > node->alpha)) {
        /* The TT move is followed to the end. */
        if (m == node->tt_move && node->tt_hit && depth < 1 && entry->depth > 1 &&
            worker_may_extend(worker))
            depth = 1;
        ss[1].pv_length = 0;
        score = -node_search(worker, -node->beta, -node->alpha, depth, false);
    }
    worker_unmake(worker, m);
    return score;
}

/* Is `m` a move of the root to be searched? MultiPV: the moves of earlier lines are left out; so is
 * what searchmoves does not name, and what endgame tables rank below the best move left. */
static bool node_is_root_move(struct worker *worker, move m)
{
    const struct root_move *found =
        root_move_find(worker->root_moves, worker->pv_index, worker->root_count, m);
    return found && found->tb_rank == worker->root_moves[worker->pv_index].tb_rank;
}

/* Keeps what searching the root move `m` gave, and the nodes it took. */
static void node_record_root_move(struct worker *worker, const struct node *node, move m, int score,
                                  uint64_t nodes)
{
    struct root_move *root =
        root_move_find(worker->root_moves, worker->pv_index, worker->root_count, m);
    root->nodes += nodes;
    int64_t square = (int64_t)score * (score < 0 ? -score : score);
    if (root->average == -SCORE_INFINITE) {
        root->average = score;
        root->mean_square = (int)square;
    } else {
        root->average = (2 * score + root->average) / 3;
        root->mean_square = (int)((square + root->mean_square) / 2);
    }
    if (node->move_count > 1 && score <= node->alpha) {
        root->score = -SCORE_INFINITE; /* only the order of the others is known */
        return;
    }
    root->score = score;
    root->seldepth = worker->seldepth;
    root->bound = score <= node->alpha  ? SCORE_UPPER
                  : score >= node->beta ? SCORE_LOWER
                                        : SCORE_EXACT;
    const struct stack *child = worker_stack(worker) + 1;
    root->pv_length = pv_join(root->pv, root->move, child->pv, child->pv_length);
}

/* Takes over the score of a searched move; false when it ends the node by a cutoff. */
static bool take_score(struct worker *worker, struct node *node, struct stack *ss,
                       const struct candidate *candidate, int extension, int score)
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
            ss->cutoff_count += extension < 2 || node->pv;
            return false;
        }
        node->alpha = score;
        /* The other moves must beat a good one, and seldom do: search them less deep.
         * Idea: Stockfish, "Reduce other moves if we have found at least one score improvement". */
        if (node->depth >= ALPHA_RAISED_DEPTH_MIN && node->depth <= ALPHA_RAISED_DEPTH_MAX &&
            !score_is_decisive(score) && !worker->full_width)
            node->depth =
                node->depth > ALPHA_RAISED_REDUCTION ? node->depth - ALPHA_RAISED_REDUCTION : 1;
    }
    struct searched_moves *searched = candidate->quiet ? &node->quiets : &node->noisies;
    if (candidate->move != node->best_move && node->move_count <= SEARCHED_MAX)
        searched->moves[searched->count++] = candidate->move;
    return true;
}

/* Searches a move; false when the node is finished (a cutoff, or the search was stopped). */
static bool search_move(struct worker *worker, struct node *node, struct stack *ss,
                        const struct candidate *candidate)
{
    move m = candidate->move;
    int depth = node->depth - 1;
    int extension =
        may_be_singular(worker, node, ss, m) ? singular_extension(worker, node, ss, m) : 0;
    if (worker_stopped(worker) || node->multicut)
        return false;
    if (node->root)
        worker_report_current(worker, worker->root_depth, m, node->move_count);
    uint64_t before = worker_nodes(worker);
    int score = make_and_search(worker, node, ss, candidate, depth + extension);
    if (worker_stopped(worker))
        return false;
    if (node->root)
        node_record_root_move(worker, node, m, score, worker_nodes(worker) - before);
    return take_score(worker, node, ss, candidate, extension, score);
}

static void move_loop(struct worker *worker, struct node *node, struct stack *ss)
{
    struct picker picker;
    picker_init(&picker, worker, node->tt_move, true);
    for (move m; (m = picker_next(&picker, node->skip_quiets)) != MOVE_NONE;) {
        if (m == node->excluded || (node->root && !node_is_root_move(worker, m)))
            continue;
        node->move_count++;
        struct candidate candidate = picker_candidate(&picker, m);
        if (move_is_pruned(worker, node, &candidate))
            continue;
        tt_prefetch(&worker->shared->tt, position_key_after(&worker->pos, m));
        if (!search_move(worker, node, ss, &candidate))
            return;
    }
}

/* 5. The end ----------------------------------------------------------------------------------- */

static void update_move_scores(const struct node *node, struct worker *worker)
{
    struct stack *ss = worker_stack(worker);
    if (node->best_move == MOVE_NONE) {
        update_after_fail_low(worker, ss, node->depth, node->best);
        return;
    }
    update_histories(worker, ss, node->depth, node->best_move, node->tt_move, node->pv,
                     &node->quiets, &node->noisies);
    if (!node->pv)
        history_update(&worker->history.tt_move,
                       node->best_move == node->tt_move ? TT_MOVE_BONUS : -TT_MOVE_MALUS,
                       TT_MOVE_LIMIT);
}

/* The search says how wrong the static evaluation is. Not after a capture, nor where a bound lies
 * on the side of the evaluation. */
static void learn_correction(const struct node *node, struct worker *worker)
{
    const struct stack *ss = worker_stack(worker);
    bool raised = node->best_move != MOVE_NONE;
    if (!node->in_check && !(raised && !move_is_quiet(&worker->pos, node->best_move)) &&
        (node->best > ss->static_eval) == raised && !score_is_decisive(node->best))
        correction_learn(worker, node->best - ss->static_eval,
                         node->depth * (raised ? CORRECTION_RAISED : CORRECTION_FAILED));
}

/* After all moves: histories, the TT and the correction of the evaluation. first_alpha: that of
 * the node before its moves. */
static void node_finish(const struct node *node, struct worker *worker, int first_alpha)
{
    struct stack *ss = worker_stack(worker);
    update_move_scores(node, worker);
    enum score_bound bound = node->best >= node->beta   ? SCORE_LOWER
                             : node->best > first_alpha ? SCORE_EXACT
                                                        : SCORE_UPPER;
    /* No move helps: the one that led here from the principal variation may be good. */
    if (bound == SCORE_UPPER && ss[-1].tt_pv)
        ss->tt_pv = true;
    /* Nothing is kept of nodes where moves were left out. */
    bool is_partial =
        node->root && (worker->pv_index > 0 || worker->shared->request.move_count > 0);
    if (is_partial)
        return;
    if (node->excluded == MOVE_NONE) {
        struct tt_entry store = {node->best_move, node->best, node->raw_eval,
                                 node->depth,     bound,      ss->tt_pv};
        tt_store(&worker->shared->tt, worker->pos.key, worker->ply, &store);
    }
    learn_correction(node, worker);
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
    if (node->best >= node->beta && !score_is_decisive(node->best) && !worker->full_width)
        node->best = (node->best * node->depth + node->beta) / (node->depth + 1);
    if (node->best < node->tb_min)
        node->best = node->tb_min;
    if (node->best > node->tb_max)
        node->best = node->tb_max;
    node_finish(node, worker, first_alpha);
    return node->best;
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
    node_evaluate(&node, worker);
    if (node_tt_cuts(&node, worker))
        return node.entry.score;
    if (worker->shared->tb_pieces && node_tb_cuts(&node, worker, &score))
        return score;
    if (!node.in_check && node.excluded == MOVE_NONE)
        update_from_evaluation(worker, ss, ss[-1].static_eval + ss->static_eval, node.tt_hit);
    if (node_is_pruned(worker, &node, ss, &score))
        return worker_stopped(worker) ? 0 : score;
    return worker_stopped(worker) ? 0 : search_moves(worker, &node, ss);
}
