#include "search/node_state.h"

#include "search/moves.h"
#include "search/params.h"
#include "search/tables.h"

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
    node->multicut = node->quiet_singular = node->skip_quiets = false;
    node->move_count = 0;
    node->table_min = -SCORE_INFINITE;
    node->table_max = SCORE_INFINITE;
    node->quiets.count = node->noisies.count = 0;
    node->tt_hit = node->excluded == MOVE_NONE &&
                   tt_probe(&worker->shared->tt, pos->key, worker->ply, pos->rule50, &node->entry);
    node->tt_move = node->tt_hit ? node->entry.move : MOVE_NONE;
    if (node->root && worker->root_depth > 1)
        node->tt_move = worker->root_moves[worker->pv_index].move;
    if (node->excluded == MOVE_NONE)
        ss->tt_pv = node->pv || (node->tt_hit && node->entry.pv);
    if (node->root)
        worker->root_window = beta - alpha;
    node->tt_move_noisy = node->tt_move != MOVE_NONE && !move_is_quiet(pos, node->tt_move);
    ss->move_count = 0;
    ss->double_extensions = ss[-1].double_extensions;
    ss[1].excluded = MOVE_NONE;
    ss[2].killers[0] = ss[2].killers[1] = MOVE_NONE;
    ss[2].cutoff_count = 0;
    if (!node->root)
        ss[2].move_history = 0;
}

/* Does the table's entry answer the search? A bound must be of a deeper one: what a search of the
 * same depth would find may be exact. Not where the 50-move counter, which the table does not know,
 * is high. Source: https://www.chessprogramming.org/Transposition_Table */
bool node_table_answers(const struct node *node, const struct worker *worker)
{
    return node->tt_hit && !node->pv && node->excluded == MOVE_NONE &&
           node->entry.depth > node->depth - (node->entry.bound == SCORE_EXACT) &&
           worker->pos.rule50 < TT_CUT_RULE50 && tt_cuts(&node->entry, node->alpha, node->beta);
}

bool node_endgame_answers(struct node *node, struct worker *worker, int *score)
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

/* How much the static evaluation rose since our last move, or the one before.
 * Source: https://www.chessprogramming.org/Improving */
static int find_improvement(const struct stack *ss)
{
    if (ss[-2].static_eval != SCORE_NONE)
        return ss->static_eval - ss[-2].static_eval;
    if (ss[-4].static_eval != SCORE_NONE)
        return ss->static_eval - ss[-4].static_eval;
    return IMPROVEMENT_UNKNOWN;
}

void node_evaluate(struct node *node, struct worker *worker)
{
    struct stack *ss = worker_stack(worker);
    node->raw_eval = SCORE_NONE;
    node->improvement = 0;
    if (node->in_check) {
        ss->static_eval = node->eval = SCORE_NONE;
        return;
    }
    if (node->excluded != MOVE_NONE) {
        node->eval = ss->static_eval;
    } else {
        node->raw_eval = node->tt_hit && node->entry.eval != SCORE_NONE
                             ? node->entry.eval
                             : eval_score(worker->eval, &worker->pos);
        ss->static_eval = node->eval = worker_corrected_eval(worker, node->raw_eval);
        if (!node->tt_hit)
            tt_store_eval(&worker->shared->tt, worker->pos.key, node->raw_eval, ss->tt_pv);
        if (node->tt_hit && tt_improves(&node->entry, node->eval))
            node->eval = node->entry.score;
        if (ss[-1].static_eval != SCORE_NONE)
            update_from_evaluation(worker, ss, ss[-1].static_eval + ss->static_eval);
    }
    node->improvement = find_improvement(ss);
}

bool node_is_root_move(struct worker *worker, move m)
{
    const struct root_move *found =
        root_move_find(worker->root_moves, worker->pv_index, worker->root_count, m);
    return found && found->table_rank == worker->root_moves[worker->pv_index].table_rank;
}

void node_record_root_move(struct worker *worker, const struct node *node, move m, int score,
                           uint64_t nodes)
{
    struct root_move *root =
        root_move_find(worker->root_moves, worker->pv_index, worker->root_count, m);
    root->nodes += nodes;
    root->average = root->average == -SCORE_INFINITE ? score : (2 * score + root->average) / 3;
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
    if (node->best_move != MOVE_NONE) {
        update_histories(worker, ss, node->depth, node->best_move, node->best - node->beta,
                         &node->quiets, &node->noisies);
    } else if (node->depth >= FAIL_LOW_DEPTH || node->pv) {
        bool surely =
            node->pv || node->cut || node->best < node->alpha - FAIL_LOW_MARGIN * node->depth;
        update_after_fail_low(worker, ss, node->depth, surely ? 2 : 1);
    }
}

/* Correction history: the search says how wrong the static evaluation is in such positions. Not
 * after a capture, a mate or a table's score, nor where a bound lies on the side of the evaluation.
 * Source: https://www.chessprogramming.org/Static_Evaluation_Correction_History */
static void learn_correction(const struct node *node, struct worker *worker, enum score_bound bound)
{
    const struct stack *ss = worker_stack(worker);
    const struct position *pos = &worker->pos;
    if (!node->in_check && (node->best_move == MOVE_NONE || move_is_quiet(pos, node->best_move)) &&
        !score_is_decided(node->best) && !(bound == SCORE_LOWER && node->best <= ss->static_eval) &&
        !(bound == SCORE_UPPER && node->best >= ss->static_eval))
        history_correct(&worker->history, pos, node->depth, node->best - ss->static_eval);
}

void node_finish(const struct node *node, struct worker *worker, int first_alpha)
{
    enum { MARK_DEPTH = 4 };
    struct stack *ss = worker_stack(worker);
    update_move_scores(node, worker);
    enum score_bound bound = node->best >= node->beta   ? SCORE_LOWER
                             : node->best > first_alpha ? SCORE_EXACT
                                                        : SCORE_UPPER;
    /* No move helps: the one that led here from the principal variation may be good. */
    if (bound == SCORE_UPPER && ss[-1].tt_pv && node->depth >= MARK_DEPTH)
        ss->tt_pv = true;
    /* Nothing more is learnt from nodes where moves were left out. */
    bool is_partial =
        node->root && (worker->pv_index > 0 || worker->shared->request.move_count > 0);
    if (node->excluded != MOVE_NONE || is_partial)
        return;
    struct tt_entry store = {node->best_move, node->best, node->raw_eval,
                             node->depth,     bound,      ss->tt_pv};
    tt_store(&worker->shared->tt, worker->pos.key, worker->ply, &store);
    learn_correction(node, worker, bound);
}
