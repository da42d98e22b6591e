#include "search/node_state.h"

#include "search/correction.h"
#include "search/moves.h"
#include "search/params.h"
#include "search/tb_search.h"

void node_init(struct node *node, struct worker *worker, int alpha, int beta, int depth, bool cut)
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
bool node_tt_cuts(const struct node *node, struct worker *worker)
{
    enum { CERTAIN_DEPTH = 5, CONFIRMED_DEPTH = 7 };
    const struct tt_entry *entry = &node->entry;
    if (!node->tt_hit || node->pv || node->excluded != MOVE_NONE ||
        entry->depth <= node->depth - (entry->score <= node->beta) ||
        !tt_cuts(entry, node->alpha, node->beta) ||
        (node->cut != (entry->score >= node->beta) && node->depth < CERTAIN_DEPTH))
        return false;
    if (node->tt_move != MOVE_NONE && entry->score >= node->beta)
        update_from_tt(worker, worker_stack(worker), node->tt_move, node->depth);
    if (worker->pos.rule50 >= TT_CUT_RULE50)
        return false;
    return node->depth < CONFIRMED_DEPTH || node->tt_move == MOVE_NONE ||
           score_is_decisive(entry->score) || is_confirmed(node, worker);
}

bool node_tb_cuts(struct node *node, struct worker *worker, int *score)
{
    enum { MORE_PLIES = 6 }; /* as good as a deeper search */
    enum score_bound bound;
    if (node->root || node->excluded != MOVE_NONE ||
        !tb_probe_node(worker, node->depth, score, &bound))
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
        node->tb_min = *score;
        node->alpha = *score > node->alpha ? *score : node->alpha;
    } else if (node->pv) {
        node->tb_max = *score;
    }
    return false;
}

/* Hindsight: the move before was reduced, and the evaluation says how good it was. */
static void adjust_depth(struct node *node, const struct worker *worker, const struct stack *ss)
{
    if (node->reduction >= 3 && !node->worsening && worker_may_extend(worker))
        node->depth++;
    if (node->reduction >= 2 && node->depth >= 2 &&
        ss->static_eval + ss[-1].static_eval > HINDSIGHT_MARGIN)
        node->depth--;
}

void node_evaluate(struct node *node, struct worker *worker)
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

bool node_is_root_move(struct worker *worker, move m)
{
    const struct root_move *found =
        root_move_find(worker->root_moves, worker->pv_index, worker->root_count, m);
    return found && found->tb_rank == worker->root_moves[worker->pv_index].tb_rank;
}

void node_record_root_move(struct worker *worker, const struct node *node, move m, int score,
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

void node_finish(const struct node *node, struct worker *worker, int first_alpha)
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
