#include "search/pruning.h"

#include "chess/movegen.h"
#include "search/moves.h"
#include "search/params.h"
#include "search/see.h"

/* ln(n) * 1024, n = 1..63: late move reductions grow with the logarithms of depth and move number.
 * A table of integers, so that every compiler agrees. */
static const int log_table[64] = {
    0,    0,    710,  1125, 1420, 1648, 1835, 1993, 2129, 2250, 2358, 2455, 2545, 2627, 2702, 2773,
    2839, 2901, 2960, 3015, 3068, 3118, 3165, 3211, 3254, 3296, 3336, 3375, 3412, 3448, 3483, 3516,
    3549, 3580, 3611, 3641, 3670, 3698, 3725, 3751, 3777, 3803, 3827, 3851, 3875, 3898, 3921, 3943,
    3964, 3985, 4006, 4026, 4046, 4066, 4085, 4104, 4122, 4140, 4158, 4175, 4193, 4210, 4226, 4243,
};

/* Late move reduction in 1/1024 ply: it grows with the logarithms of depth and move number, is less
 * where the window is wide beside that of the root, and more where the evaluation does not improve.
 */
static int base_reduction(const struct node *node, int root_window)
{
    int d = log_table[node->depth < 63 ? node->depth : 63];
    int n = log_table[node->move_count < 63 ? node->move_count : 63];
    int product = (int)((int64_t)d * n * LMR_SCALE >> 20);
    int window = (int)((int64_t)(node->beta - node->alpha) * LMR_WINDOW / root_window);
    bool sinks = !node_improves(node) && product > LMR_NOT_IMPROVING_MIN;
    return product + LMR_BASE - window + (sinks ? LMR_NOT_IMPROVING : 0);
}

/* Reverse futility pruning: the estimate is so far above beta that a shallow search will not bring
 * it below, the sooner the better the move before had been.
 * Source: https://www.chessprogramming.org/Reverse_Futility_Pruning */
bool reverse_futility_cuts(const struct node *node, const struct stack *ss)
{
    int margin = RFP_MARGIN * (node->depth - node_improves(node)) +
                 ss[-1].move_history / RFP_HISTORY_DIVISOR;
    return !ss->tt_pv && node->depth <= RFP_DEPTH && node->eval >= node->beta &&
           node->eval - margin >= node->beta && !score_is_decided(node->eval) &&
           !score_is_decided(node->beta);
}

static bool quiet_is_pruned(const struct worker *worker, const struct node *node,
                            const struct candidate *candidate, int depth)
{
    const struct stack *ss = &worker->stack[STACK_BEFORE + worker->ply];
    /* History pruning: such moves were bad before.
     * Source: https://www.chessprogramming.org/History_Leaf_Pruning */
    if (depth <= HISTORY_PRUNE_DEPTH &&
        candidate->continuation < -HISTORY_PRUNE_MARGIN * (node->depth - 1))
        return true;
    /* Futility pruning: a quiet move will not lift the evaluation to alpha.
     * Source: https://www.chessprogramming.org/Futility_Pruning */
    if (!node->in_check && depth <= FUTILITY_DEPTH &&
        ss->static_eval + FUTILITY_BASE + FUTILITY_MARGIN * depth +
                candidate->history / FUTILITY_HISTORY_DIVISOR <=
            node->alpha)
        return true;
    /* SEE pruning: the moved piece is lost.
     * Source: https://www.chessprogramming.org/Static_Exchange_Evaluation */
    int loss = (SEE_QUIET_SQUARE * depth + SEE_QUIET_MARGIN) * depth / 16;
    return !see_at_least(&worker->pos, candidate->move, -loss);
}

/* Captures, and quiet moves that give check. */
static bool sharp_is_pruned(const struct worker *worker, const struct node *node,
                            const struct candidate *candidate, int depth)
{
    const struct position *pos = &worker->pos;
    const struct stack *ss = &worker->stack[STACK_BEFORE + worker->ply];
    if (!candidate->checks && !node->pv && !node->in_check && depth <= FUTILITY_NOISY_DEPTH &&
        ss->static_eval + FUTILITY_NOISY_BASE + FUTILITY_NOISY_MARGIN * depth +
                gain_values[move_victim(pos, candidate->move)] +
                candidate->noisy_history / FUTILITY_NOISY_DIVISOR <
            node->alpha)
        return true;
    return !see_at_least(pos, candidate->move, -SEE_NOISY_MARGIN * node->depth);
}

bool move_is_pruned(const struct worker *worker, struct node *node,
                    const struct candidate *candidate)
{
    const struct position *pos = &worker->pos;
    if (node->root || node->best <= -SCORE_TABLE_WIN_IN_MAX || worker->full_width ||
        !position_has_pieces(pos, pos->turn))
        return false;
    /* Late move pruning: with good ordering, a quiet move this late in the list seldom matters at
     * low depth.
     * Source: https://www.chessprogramming.org/Futility_Pruning, "Move Count Based Pruning" */
    int limit = (LMP_BASE + node->depth * node->depth) / (node_improves(node) ? 1 : 2);
    node->skip_quiets = node->move_count >= limit;
    /* How deep the move would be searched, without regard to its history. */
    int depth = node->depth - 1 - base_reduction(node, worker->root_window) / 1024;
    depth = depth > 0 ? depth : 0;
    return candidate->quiet && !candidate->checks ? quiet_is_pruned(worker, node, candidate, depth)
                                                  : sharp_is_pruned(worker, node, candidate, depth);
}

/* Late move reductions: late moves are searched less deep, and again at full depth when they beat
 * alpha. Source: https://www.chessprogramming.org/Late_Move_Reductions */
int late_move_reduction(const struct node *node, struct stack *ss,
                        const struct candidate *candidate, int root_window)
{
    int r = base_reduction(node, root_window);
    /* In a node of the principal variation that failed low at this depth it helps nothing. */
    bool fails_low = node->pv && node->tt_move != MOVE_NONE && node->tt_hit &&
                     node->entry.bound != SCORE_LOWER && node->entry.depth >= node->depth;
    if (ss->tt_pv && !fails_low)
        r -= LMR_TT_PV;
    if (ss[-1].move_count > LMR_MANY_COUNT)
        r -= LMR_MANY_BEFORE;
    if (node->cut)
        r += LMR_CUT;
    if (node->tt_move_noisy)
        r += LMR_TT_NOISY;
    if (node->pv)
        r -= LMR_PV + LMR_PV_SHALLOW / (3 + node->depth);
    if (node->quiet_singular)
        r -= LMR_SINGULAR;
    if (candidate->threatened && node->depth >= LMR_THREATENED_DEPTH)
        r -= LMR_THREATENED;
    if (ss[1].cutoff_count > LMR_CUTOFF_COUNT)
        r += LMR_CUTOFFS;
    ss->move_history = candidate->history - LMR_HISTORY_OFFSET;
    r -= (int)((int64_t)ss->move_history * 1024 / LMR_HISTORY_DIVISOR);
    return r / 1024;
}
