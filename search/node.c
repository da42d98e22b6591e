/* Principal variation search. The steps at a node:
 *
 * 1. draws, mate distance, the transposition table (node_state.c), endgame tables (tables.c);
 * 2. the static evaluation (node_state.c);
 * 3. pruning of the whole node: by the table's score and reverse futility (pruning.c), razoring,
 *    null move;
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
#include "search/tables.h"
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
 * in check, not twice in a row, not without pieces (zugzwang). Deep in the tree, where a wrong cut
 * costs much, a search without null moves for our side verifies it.
 * Source: https://www.chessprogramming.org/Null_Move_Pruning, with "Verification Search". */
static bool null_move_cuts(struct worker *worker, const struct node *node, struct stack *ss,
                           int *score)
{
    if (node->depth < NULL_DEPTH || node->eval < node->beta ||
        ss->static_eval < node->beta - NULL_STATIC_SLOPE * node->depth + NULL_STATIC_MARGIN ||
        ss[-1].current_move == MOVE_NULL || worker->ply < worker->null_min_ply ||
        !position_has_pieces(&worker->pos, worker->pos.turn) ||
        node->beta <= -SCORE_TABLE_WIN_IN_MAX)
        return false;
    int surplus = (node->eval - node->beta) / NULL_EVAL_DIVISOR;
    int reduction = (NULL_BASE + NULL_SLOPE * node->depth) / 1024 +
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
    if (worker->null_min_ply > 0 || node->depth < NULL_VERIFY_DEPTH)
        return true;

    worker->null_min_ply = worker->ply + 3 * (node->depth - reduction) / 4;
    int verified = node_search(worker, node->beta - 1, node->beta, node->depth - reduction, false);
    worker->null_min_ply = 0;
    return verified >= node->beta;
}

/* Can the node be left without looking at its moves? */
static bool node_is_pruned(struct worker *worker, const struct node *node, struct stack *ss,
                           int *score)
{
    if (node->pv || node->in_check || node->excluded != MOVE_NONE || worker->full_width)
        return false;
    if (table_surplus_cuts(worker, node, score) || reverse_futility_cuts(node, score))
        return true;
    /* Razoring: the estimate is so far below alpha that only captures may help; quiescence says
     * whether they do. Source: https://www.chessprogramming.org/Razoring */
    if (node->depth <= RAZOR_DEPTH && node->eval + RAZOR_MARGIN * node->depth <= node->alpha) {
        *score = quiesce(worker, node->alpha, node->alpha + 1);
        if (*score <= node->alpha)
            return true;
    }
    return null_move_cuts(worker, node, ss, score);
}

/* Singular extension: if a reduced search without the table's move stays well below the table's
 * score, that move is the only good one and is searched a ply deeper. Multicut: if that search
 * fails high over beta, a second move beats beta, too, and *cut is the node's score (else
 * SCORE_NONE). Source: https://www.chessprogramming.org/Singular_Extensions, .../Multi-Cut */
static int singular_extension(struct worker *worker, const struct node *node, struct stack *ss,
                              move m, int *cut)
{
    const struct tt_entry *entry = &node->entry;
    *cut = SCORE_NONE;
    if (node->root || worker->full_width || node->excluded != MOVE_NONE || m != node->tt_move ||
        node->depth < SINGULAR_DEPTH || !node->tt_hit || entry->bound == SCORE_UPPER ||
        entry->depth < node->depth - SINGULAR_TT_PLIES || score_is_decided(entry->score) ||
        worker->ply >= 2 * worker->root_depth)
        return 0;
    int goal = entry->score - SINGULAR_MARGIN * node->depth / 16;
    ss->excluded = m;
    int score = node_search(worker, goal - 1, goal, (node->depth - 1) / 2, node->cut);
    ss->excluded = MOVE_NONE;
    if (worker_stopped(worker))
        return 0;
    if (score < goal)
        return !node->pv && score < goal - SINGULAR_DOUBLE_MARGIN ? 2 : 1;
    if (goal >= node->beta)
        *cut = goal;
    else if (entry->score >= node->beta)
        return -2 + node->pv;
    else if (node->cut)
        return -1;
    return 0;
}

/* Searches the position after a move: reduced, then with a zero window, then with the full window,
 * each only if the one before it beat alpha. A reduced search that is much better or hardly better
 * than the best score so far is repeated a ply deeper or less deep (as Stockfish does). */
static int search_child(struct worker *worker, const struct node *node, int new_depth,
                        int reduction)
{
    int score = -SCORE_INFINITE;
    bool full = !node->pv || node->move_count > 1;
    if (reduction > 0) {
        int depth = new_depth - reduction;
        if (depth < 1)
            depth = 1;
        score = -node_search(worker, -node->alpha - 1, -node->alpha, depth, true);
        full = score > node->alpha && depth < new_depth;
        if (full) {
            new_depth += score > node->best + DEEPER_MARGIN + DEEPER_SLOPE * new_depth;
            new_depth -= score < node->best + new_depth;
            full = depth < new_depth;
        }
    }
    if (full)
        score = -node_search(worker, -node->alpha - 1, -node->alpha, new_depth, !node->cut);
    if (node->pv && (node->move_count == 1 || score > node->alpha))
        score = -node_search(worker, -node->beta, -node->alpha, new_depth, false);
    return score;
}

/* Keeps what searching the root move `m` gave, and the nodes it took. */
static void record_root_move(struct worker *worker, const struct node *node, move m, int score,
                             uint64_t nodes)
{
    struct root_move *root =
        root_move_find(worker->root_moves, worker->pv_index, worker->root_count, m);
    root->nodes += nodes;
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

/* Makes the move, searches it and takes it back. */
static int make_and_search(struct worker *worker, const struct node *node, struct stack *ss,
                           const struct candidate *candidate, int extension)
{
    move m = candidate->move;
    worker_make(worker, m);
    int new_depth = node->depth - 1 + extension;
    int reduction = 0;
    if (node->depth >= LMR_DEPTH && node->move_count > 1 + node->pv + node->root &&
        !worker->full_width)
        reduction = late_move_reduction(node, ss, candidate, position_in_check(&worker->pos));
    if (reduction > new_depth - 1)
        reduction = new_depth - 1;
    ss[1].pv_length = 0;
    int score = search_child(worker, node, new_depth, reduction);
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
    int cut;
    int extension = singular_extension(worker, node, ss, m, &cut);
    if (worker_stopped(worker))
        return false;
    if (cut != SCORE_NONE) {
        node->best = cut;
        node->multicut = true;
        return false;
    }
    node->move_count++;
    if (node->root)
        worker_report_current(worker, worker->root_depth, m, node->move_count);
    uint64_t before = worker_nodes(worker);
    int score = make_and_search(worker, node, ss, candidate, extension);
    if (worker_stopped(worker))
        return false;
    if (node->root)
        record_root_move(worker, node, m, score, worker_nodes(worker) - before);
    return take_score(worker, node, ss, candidate, score);
}

/* MultiPV: the moves of earlier lines are left out; so is what searchmoves does not name, and what
 * endgame tables rank below the best move left. */
static bool is_root_move(struct worker *worker, move m)
{
    const struct root_move *found =
        root_move_find(worker->root_moves, worker->pv_index, worker->root_count, m);
    return found && found->table_rank == worker->root_moves[worker->pv_index].table_rank;
}

static void move_loop(struct worker *worker, struct node *node, struct stack *ss)
{
    struct picker picker;
    picker_init(&picker, worker, node->tt_move, true, 0);
    for (move m; (m = picker_next(&picker, node->quiets_left == QUIETS_NONE)) != MOVE_NONE;) {
        if (m == node->excluded || (node->root && !is_root_move(worker, m)))
            continue;
        if (node->quiets_left == QUIETS_CHECKS && picker.stage == PICK_QUIET &&
            !movegen_gives_check(&worker->pos, m))
            continue;
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
    int depth = node->depth;
    node->best = -SCORE_INFINITE;
    node->best_move = MOVE_NONE;
    node_find_threats(node, worker);
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
    node_finish(node, worker, first_alpha, depth);
    return node->best;
}

/* Do endgame tables answer the node? If not, the score of a PV node, where the search goes on to
 * find a mate, keeps within what they say. */
static bool tables_answer(struct worker *worker, struct node *node, int *score)
{
    enum { MORE_PLIES = 6 }; /* as good as a deeper search */
    enum score_bound bound;
    if (node->root || node->excluded != MOVE_NONE ||
        !tables_probe(worker, node->depth, score, &bound))
        return false;
    struct tt_entry entry = {.score = *score,
                             .eval = SCORE_NONE,
                             .depth = node->depth + MORE_PLIES,
                             .bound = bound,
                             .pv = node->pv};
    if (tt_cuts(&entry, node->alpha, node->beta)) {
        tt_store(&worker->shared->tt, worker->pos.key, worker->ply, &entry);
        return true;
    }
    if (node->pv && bound == SCORE_LOWER) {
        node->table_min = *score;
        node->alpha = *score > node->alpha ? *score : node->alpha;
    } else if (node->pv) {
        node->table_max = *score;
    }
    return false;
}

int node_search(struct worker *worker, int alpha, int beta, int depth, bool cut_node)
{
    if (depth <= 0)
        return quiesce(worker, alpha, beta);
    assert(worker->ply < SEARCH_PLY_MAX && alpha < beta);
    struct stack *ss = worker_stack(worker);
    ss->pv_length = 0;
    if (worker_must_stop(worker))
        return 0;
    if (worker->ply > worker->seldepth)
        worker->seldepth = worker->ply;
    if (worker->ply > 0) {
        if (worker_is_draw(worker))
            return draw_score(worker);
        if (worker->ply >= SEARCH_PLY_MAX - 1)
            return position_in_check(&worker->pos)
                       ? 0
                       : worker_corrected_eval(worker, eval_score(worker->eval, &worker->pos));
        if (mate_distance_cuts(worker, &alpha, &beta) || repetition_cuts(worker, &alpha, beta))
            return alpha;
    }
    struct node node; /* not set to zero: its lists are long */
    node_init(&node, worker, alpha, beta, depth, cut_node);
    if (node_table_answers(&node, worker)) {
        if (node.entry.score >= beta && node.tt_move != MOVE_NONE && !node.tt_move_noisy &&
            movegen_is_legal(&worker->pos, node.tt_move)) {
            node_find_threats(&node, worker);
            update_quiet_histories(worker, ss, node.tt_move, depth);
        }
        return node.entry.score;
    }
    int score;
    if (worker->shared->table_men && tables_answer(worker, &node, &score))
        return score;
    node_evaluate(&node, worker);
    if (node_is_pruned(worker, &node, ss, &score))
        return worker_stopped(worker) ? 0 : score;
    if (worker_stopped(worker))
        return 0;
    /* Internal iterative reduction: without a move from the table, search less deep; the next
     * iteration will have one. Source:
     * https://www.chessprogramming.org/Internal_Iterative_Reductions */
    if (node.depth >= IIR_DEPTH && node.tt_move == MOVE_NONE && (node.pv || node.cut) &&
        node.excluded == MOVE_NONE && !worker->full_width)
        node.depth--;
    return search_moves(worker, &node, ss);
}
