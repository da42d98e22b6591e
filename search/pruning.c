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
static int base_reduction(const struct worker *worker, const struct node *node,
                          const struct stack *ss)
{
    int d = log_table[node->depth < 63 ? node->depth : 63];
    int n = log_table[node->move_count < 63 ? node->move_count : 63];
    int product = (int)((int64_t)d * n * LMR_SCALE >> 20);
    int window = (int)((int64_t)(node->beta - node->alpha) * LMR_WINDOW / worker->root_window);
    return product + LMR_BASE - window + (node->improving ? 0 : product * LMR_NOT_IMPROVING / 512) +
           (ss->tt_pv ? LMR_TT_PV_BASE : 0);
}

/* Reverse futility pruning: the estimate is so far above beta that a shallow search will not bring
 * it below. Source: https://www.chessprogramming.org/Reverse_Futility_Pruning */
bool reverse_futility_cuts(const struct node *node, const struct stack *ss, bool analyse)
{
    if (ss->tt_pv || node->depth > RFP_DEPTH || node->eval < node->beta ||
        (node->tt_move != MOVE_NONE && !node->tt_move_noisy) || score_is_decisive(node->eval) ||
        score_is_decisive(node->beta))
        return false;
    int slope = RFP_BASE + RFP_SLOPE * node->depth; /* 1/16 centipawn a ply */
    slope = slope < RFP_MAX ? slope : RFP_MAX;
    slope -= node->tt_hit ? 0 : RFP_UNKNOWN;
    int less = (node->improving ? RFP_IMPROVING : 0) + (node->worsening ? RFP_WORSENING : 0);
    int margin =
        (slope * node->depth - slope * less / 1024) / 16 + node_uncertainty(node) / RFP_CORRECTION;
    return node->eval - (analyse ? 2 * margin : margin) >= node->beta;
}

/* A TT score far above beta, of a search a little less deep, stays above it.
 * Idea: Stockfish, "small ProbCut". Source: https://www.chessprogramming.org/ProbCut */
bool small_probcut_cuts(const struct node *node, int *score)
{
    const struct tt_entry *entry = &node->entry;
    *score = node->beta + TT_SURPLUS_MARGIN;
    return node->tt_hit && entry->score >= *score &&
           entry->depth >= node->depth - TT_SURPLUS_PLIES &&
           (entry->bound == SCORE_LOWER || entry->bound == SCORE_EXACT) &&
           !score_is_decisive(entry->score) && !score_is_decisive(node->beta);
}

static bool quiet_is_pruned(const struct worker *worker, struct node *node,
                            const struct candidate *candidate, int depth)
{
    const struct stack *ss = &worker->stack[STACK_BEFORE + worker->ply];
    /* History pruning: such moves were bad before.
     * Source: https://www.chessprogramming.org/History_Leaf_Pruning */
    int history = candidate->continuation + candidate->pawn_history;
    if (history < -HISTORY_PRUNE_MARGIN * node->depth)
        return true;
    depth += (history + candidate->quiet_history * FUTILITY_QUIET / 32) / FUTILITY_HISTORY_DIVISOR;
    /* Futility pruning: a quiet move will not lift the evaluation to alpha.
     * Source: https://www.chessprogramming.org/Futility_Pruning */
    int reach = ss->static_eval + FUTILITY_BASE + FUTILITY_MARGIN * depth +
                (ss->static_eval > node->alpha ? FUTILITY_ABOVE : 0);
    if (!node->in_check && depth < FUTILITY_DEPTH && reach <= node->alpha) {
        if (node->best <= reach && !score_is_decisive(node->best) && !score_is_decisive(reach))
            node->best = reach;
        return true;
    }
    /* SEE pruning: the moved piece is lost.
     * Source: https://www.chessprogramming.org/Static_Exchange_Evaluation */
    depth = depth > 0 ? depth : 0;
    return !see_at_least(&worker->pos, candidate->move, -SEE_QUIET_SQUARE * depth * depth / 16);
}

/* Captures, and quiet moves that give check. */
static bool sharp_is_pruned(const struct worker *worker, const struct node *node,
                            const struct candidate *candidate, int depth)
{
    const struct position *pos = &worker->pos;
    const struct stack *ss = &worker->stack[STACK_BEFORE + worker->ply];
    if (!candidate->checks && depth < FUTILITY_NOISY_DEPTH &&
        ss->static_eval + FUTILITY_NOISY_BASE + FUTILITY_NOISY_MARGIN * depth +
                see_values[move_victim(pos, candidate->move)] +
                candidate->noisy_history * FUTILITY_NOISY_HISTORY / 1024 <=
            node->alpha)
        return true;
    int margin =
        SEE_NOISY_MARGIN * node->depth + candidate->noisy_history * SEE_NOISY_HISTORY / 1024;
    /* The last piece may be given up for a stalemate. */
    uint64_t pieces = pos->colors[pos->turn] & ~(pos->types[PAWN] | pos->types[KING]);
    bool is_last = pieces == bb_square(move_from(candidate->move));
    return (node->alpha >= worker_draw_score(worker) || !is_last) &&
           !see_at_least(pos, candidate->move, -margin);
}

bool move_is_pruned(const struct worker *worker, struct node *node,
                    const struct candidate *candidate)
{
    const struct position *pos = &worker->pos;
    const struct stack *ss = &worker->stack[STACK_BEFORE + worker->ply];
    if (node->root || node->best <= -SCORE_TB_WIN_IN_MAX || worker->full_width ||
        !position_has_pieces(pos, pos->turn))
        return false;
    /* Late move pruning: with good ordering, a quiet move this late in the list seldom matters at
     * low depth.
     * Source: https://www.chessprogramming.org/Futility_Pruning, "Move Count Based Pruning" */
    int limit = (LMP_BASE + node->depth * node->depth) / (node->improving ? 1 : 2);
    if (node->move_count >= limit)
        node->skip_quiets = true;
    /* How deep the move would be searched, without regard to its history. */
    int depth = node->depth - 1 - base_reduction(worker, node, ss) / 1024;
    if (!candidate->quiet || candidate->checks)
        return sharp_is_pruned(worker, node, candidate, depth);
    return !(ss->follows_pv && node->pv) && quiet_is_pruned(worker, node, candidate, depth);
}

/* How good the move had been before. */
static int move_history(const struct position *pos, const struct candidate *candidate)
{
    if (!candidate->quiet)
        return see_values[move_victim(pos, candidate->move)] * HISTORY_VICTIM / 16 +
               candidate->noisy_history;
    return (HISTORY_QUIET * candidate->quiet_history + HISTORY_LAST * candidate->last +
            HISTORY_BEFORE * (candidate->continuation - candidate->last)) /
           1024;
}

/* Sacrifices are late moves near the root, captures and checks: in 1/1024 ply, how much deeper an
 * analysis looks at the move. */
static int analysis_depth(const struct worker *worker, const struct candidate *candidate)
{
    int near_root = worker->ply < 3 ? 2 : worker->ply < 5;
    return 1024 * (near_root + (!candidate->quiet || candidate->checks));
}

/* Late move reductions: late moves are searched less deep, and again at full depth when they beat
 * alpha. Source: https://www.chessprogramming.org/Late_Move_Reductions; terms and weights:
 * Stockfish (August 2026) */
int late_move_reduction(const struct worker *worker, const struct node *node, struct stack *ss,
                        const struct candidate *candidate)
{
    const struct tt_entry *entry = &node->entry;
    int r = base_reduction(worker, node, ss) + LMR_OFFSET - node->move_count * LMR_MOVE;
    if (ss->tt_pv) {
        r -= LMR_TT_PV + (node->pv ? LMR_PV : 0);
        if (node->tt_hit && entry->score > node->alpha)
            r -= LMR_TT_ABOVE;
        if (node->tt_hit && entry->depth >= node->depth)
            r -= LMR_TT_DEEP + (node->cut ? LMR_TT_DEEP_CUT : 0);
    }
    r -= node_uncertainty(node) / LMR_CORRECTION;
    if (node->cut)
        r += LMR_CUT + (node->tt_move == MOVE_NONE ? LMR_CUT_UNKNOWN : 0);
    if (node->tt_move_noisy)
        r += LMR_TT_NOISY;
    if (ss[1].cutoff_count > 1)
        r += LMR_CUTOFFS_2 + (ss[1].cutoff_count > 2 ? LMR_CUTOFFS_3 : 0) +
             (node_is_all(node) ? LMR_CUTOFFS_ALL : 0);
    else if (candidate->move == node->tt_move)
        r -= LMR_TT_MOVE;
    ss->move_history = move_history(&worker->pos, candidate);
    r -= ss->move_history * LMR_HISTORY / 4096;
    if (worker->analyse)
        r -= analysis_depth(worker, candidate);
    if (node_is_all(node))
        r += r * LMR_ALL / (256 * node->depth + 268); /* 268: Stockfish; not tuned */
    return r;
}
