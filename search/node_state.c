#include "search/node_state.h"

#include "chess/attacks.h"
#include "search/moves.h"
#include "search/params.h"

/* Squares that the enemy attacks with pawns, knights and bishops: quiet moves that leave or enter
 * them have histories of their own. Idea: Stockfish's threat history. */
static uint64_t find_minor_threats(const struct position *pos)
{
    int them = !pos->turn;
    uint64_t occupied = position_occupied(pos);
    uint64_t set = attacks_pawns(them, position_pieces(pos, them, PAWN));
    for (uint64_t knights = position_pieces(pos, them, KNIGHT); knights;)
        set |= attacks_knight(bb_pop(&knights));
    for (uint64_t bishops = position_pieces(pos, them, BISHOP); bishops;)
        set |= attacks_bishop(bb_pop(&bishops), occupied);
    return set;
}

void node_find_threats(const struct node *node, struct worker *worker)
{
    if (node->excluded == MOVE_NONE)
        worker_stack(worker)->minor_threats = find_minor_threats(&worker->pos);
}

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
    node->in_check = position_in_check(pos);
    node->multicut = false;
    node->move_count = 0;
    node->quiets_left = QUIETS_ALL;
    node->table_min = -SCORE_INFINITE;
    node->table_max = SCORE_INFINITE;
    node->quiets.count = node->noisies.count = 0;
    node->tt_hit = node->excluded == MOVE_NONE &&
                   tt_probe(&worker->shared->tt, pos->key, worker->ply, pos->rule50, &node->entry);
    node->tt_move = node->tt_hit ? node->entry.move : MOVE_NONE;
    if (node->root && worker->root_depth > 1)
        node->tt_move = worker->root_moves[worker->pv_index].move;
    node->tt_move_noisy = node->tt_move != MOVE_NONE && !move_is_quiet(pos, node->tt_move);
    ss[1].killers[0] = ss[1].killers[1] = MOVE_NONE;
    ss[2].cutoff_count = 0;
    ss[1].excluded = MOVE_NONE;
}

/* Does the table's entry answer the search? Not where the 50-move counter, which the table does not
 * know, is high. Source: https://www.chessprogramming.org/Transposition_Table */
bool node_table_answers(const struct node *node, const struct worker *worker)
{
    return node->tt_hit && !node->pv && node->excluded == MOVE_NONE &&
           node->entry.depth >= node->depth && worker->pos.rule50 < TT_CUT_RULE50 &&
           tt_cuts(&node->entry, node->alpha, node->beta);
}

/* The static evaluation, and whether it improves on that of our last move (or the one before).
 * Source: https://www.chessprogramming.org/Improving */
void node_evaluate(struct node *node, struct worker *worker)
{
    struct stack *ss = worker_stack(worker);
    node->raw_eval = SCORE_NONE;
    node->improving = false;
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
            tt_store_eval(&worker->shared->tt, worker->pos.key, node->raw_eval, node->pv);
        if (node->tt_hit && tt_improves(&node->entry, node->eval))
            node->eval = node->entry.score;
    }
    if (ss[-2].static_eval != SCORE_NONE)
        node->improving = ss->static_eval > ss[-2].static_eval;
    else if (ss[-4].static_eval != SCORE_NONE)
        node->improving = ss->static_eval > ss[-4].static_eval;
    else
        node->improving = true;
}

void node_finish(const struct node *node, struct worker *worker, int first_alpha, int depth)
{
    struct stack *ss = worker_stack(worker);
    struct position *pos = &worker->pos;
    if (node->best >= node->beta && node->best_move != MOVE_NONE)
        update_histories(worker, ss, node->depth, node->best_move, &node->quiets, &node->noisies);
    /* Nothing is learnt from nodes where moves were left out. */
    bool is_partial =
        node->root && (worker->pv_index > 0 || worker->shared->request.move_count > 0);
    if (node->excluded != MOVE_NONE || is_partial)
        return;
    enum score_bound bound = node->best >= node->beta   ? SCORE_LOWER
                             : node->best > first_alpha ? SCORE_EXACT
                                                        : SCORE_UPPER;
    struct tt_entry store = {node->best_move, node->best,
                             node->raw_eval,  depth,
                             bound,           node->pv || (node->tt_hit && node->entry.pv)};
    tt_store(&worker->shared->tt, pos->key, worker->ply, &store);

    /* Correction history: the search says how wrong the static evaluation is in such positions. Not
     * after a capture, a mate or a table's score, nor where a bound lies on the side of the
     * evaluation. Source: https://www.chessprogramming.org/Static_Evaluation_Correction_History */
    if (!node->in_check && (node->best_move == MOVE_NONE || move_is_quiet(pos, node->best_move)) &&
        !score_is_decided(node->best) && !(bound == SCORE_LOWER && node->best <= ss->static_eval) &&
        !(bound == SCORE_UPPER && node->best >= ss->static_eval))
        history_correct(&worker->history, pos, depth, node->best - ss->static_eval);
}
