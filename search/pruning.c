#include "search/pruning.h"

#include "chess/movegen.h"
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

/* Late move reduction in 1/1024 ply for the move_count-th move. */
static int base_reduction(int depth, int move_count, bool quiet)
{
    int d = log_table[depth < 63 ? depth : 63];
    int n = log_table[move_count < 63 ? move_count : 63];
    int product = (int)((int64_t)d * n >> 10);
    return quiet ? LMR_BASE + product * LMR_SCALE / 1024
                 : LMR_NOISY_BASE + product * LMR_NOISY_SCALE / 1024;
}

/* Reverse futility pruning: the estimate is so far above beta that a shallow search will not bring
 * it below. Source: https://www.chessprogramming.org/Reverse_Futility_Pruning */
bool reverse_futility_cuts(const struct node *node, int *score)
{
    int margin = RFP_MARGIN * node->depth - (node->improving ? RFP_IMPROVING : 0);
    if (node->depth > RFP_DEPTH || node->eval - margin < node->beta ||
        score_is_decided(node->eval) || score_is_decided(node->beta))
        return false;
    *score = node->beta + (node->eval - node->beta) * RFP_RETURN / 1024;
    return true;
}

/* A table score far above beta, of a search a little less deep, stays above it.
 * Idea: Stockfish, "small ProbCut". Source: https://www.chessprogramming.org/ProbCut */
bool table_surplus_cuts(const struct worker *worker, const struct node *node, int *score)
{
    const struct tt_entry *entry = &node->entry;
    int goal = node->beta + TT_SURPLUS_MARGIN;
    if (!node->tt_hit || entry->score < goal || entry->depth < node->depth - TT_SURPLUS_PLIES ||
        (entry->bound != SCORE_LOWER && entry->bound != SCORE_EXACT) ||
        worker->pos.rule50 >= TT_CUT_RULE50 || score_is_decided(entry->score) ||
        score_is_decided(node->beta))
        return false;
    *score = goal;
    return true;
}

/* How deep a quiet move would be searched, in 1/1024 ply, without regard to its history. */
static int reduced_depth(const struct node *node)
{
    int reduction = PRUNE_REDUCTION + base_reduction(node->depth, node->move_count, true) +
                    (node->improving ? 0 : PRUNE_NOT_IMPROVING);
    return node->depth * 1024 > reduction ? node->depth * 1024 - reduction : 0;
}

/* What prunes a move by its history prunes all that are ordered after it: their histories are no
 * better, and meanwhile alpha only rises, the depth only falls, and the count of moves only grows.
 */
static bool quiet_is_pruned(const struct worker *worker, struct node *node,
                            const struct candidate *candidate)
{
    int depth = reduced_depth(node);
    /* History pruning: such moves were bad before.
     * Source: https://www.chessprogramming.org/History_Leaf_Pruning */
    if (depth <= HISTORY_PRUNE_DEPTH * 1024 &&
        candidate->history < -HISTORY_PRUNE_MARGIN * (depth + 1024) / 1024) {
        if (candidate->ordered)
            node->quiets_left = QUIETS_NONE;
        return true;
    }
    /* Futility pruning: a quiet move will not lift the estimate to alpha. Checks may mate.
     * Source: https://www.chessprogramming.org/Futility_Pruning */
    if (!node->in_check && depth <= FUTILITY_DEPTH * 1024 &&
        node->eval + FUTILITY_BASE + FUTILITY_MARGIN * depth / 1024 +
                candidate->history / FUTILITY_HISTORY_DIVISOR <=
            node->alpha &&
        !movegen_gives_check(&worker->pos, candidate->move)) {
        if (candidate->ordered && node->quiets_left == QUIETS_ALL)
            node->quiets_left = QUIETS_CHECKS;
        return true;
    }
    /* SEE pruning: the moved piece is lost.
     * Source: https://www.chessprogramming.org/Static_Exchange_Evaluation */
    int square = (int)((int64_t)depth * depth >> 10);
    return !see_at_least(&worker->pos, candidate->move, -SEE_QUIET_MARGIN * square / 1024);
}

/* By SEE, too; a capture that was good before may lose more. */
static bool noisy_is_pruned(const struct position *pos, const struct node *node,
                            const struct candidate *candidate)
{
    int margin = SEE_NOISY_MARGIN * node->depth + candidate->history * SEE_NOISY_HISTORY / 1024;
    return !see_at_least(pos, candidate->move, margin > 0 ? -margin : 0);
}

bool move_is_pruned(const struct worker *worker, struct node *node,
                    const struct candidate *candidate)
{
    const struct position *pos = &worker->pos;
    if (node->root || node->best <= -SCORE_TABLE_WIN_IN_MAX || worker->full_width ||
        !position_has_pieces(pos, pos->turn))
        return false;
    if (!candidate->quiet)
        return noisy_is_pruned(pos, node, candidate);
    /* Late move pruning: with good ordering, a quiet move this late in the list seldom matters at
     * low depth.
     * Source: https://www.chessprogramming.org/Futility_Pruning, "Move Count Based Pruning" */
    int limit = (LMP_BASE + LMP_SLOPE * node->depth * node->depth) /
                (node->improving ? 100 : LMP_NOT_IMPROVING);
    if (node->move_count >= limit)
        node->quiets_left = QUIETS_NONE;
    return quiet_is_pruned(worker, node, candidate);
}

/* Late move reductions: late moves are searched less deep, and again at full depth when they beat
 * alpha. Source: https://www.chessprogramming.org/Late_Move_Reductions */
int late_move_reduction(const struct node *node, const struct stack *ss,
                        const struct candidate *candidate, bool checks)
{
    int r = base_reduction(node->depth, node->move_count, candidate->quiet);
    if (node->pv)
        r -= LMR_PV;
    if (node->root)
        r -= LMR_ROOT;
    if (node->tt_hit && node->entry.pv)
        r -= LMR_TT_PV;
    if (node->cut)
        r += LMR_CUT;
    if (!node->improving)
        r += LMR_NOT_IMPROVING;
    if (candidate->killer)
        r -= LMR_KILLER;
    if (checks)
        r -= LMR_CHECK;
    if (node->tt_move_noisy && candidate->quiet)
        r += LMR_TT_NOISY;
    if (ss[1].cutoff_count > LMR_CUTOFF_COUNT)
        r += LMR_CUTOFFS;
    r -= (int)((int64_t)candidate->history * 1024 / LMR_HISTORY_DIVISOR);
    return r / 1024;
}
