#include "search/quiesce.h"

#include <assert.h>

#include "search/movepick.h"
#include "search/moves.h"
#include "search/params.h"
#include "search/see.h"

/* Delta pruning: is the capture, even if the victim is won for nothing, too little to reach alpha?
 * *best takes the most that it could reach.
 * Source: https://www.chessprogramming.org/Delta_Pruning */
static bool is_futile(const struct position *pos, move m, int base, int alpha, int *best)
{
    if (move_kind(m) == MOVE_PROMOTION || move_kind(m) == MOVE_EN_PASSANT)
        return false;
    int gain = base + see_values[move_victim(pos, m)];
    if (gain > alpha)
        return false;
    if (gain > *best)
        *best = gain;
    return true;
}

struct qsearch {
    int best;
    int alpha;
    move move;
};

static void move_loop(struct worker *worker, struct qsearch *result, int beta, move tt_move,
                      int futility_base)
{
    struct position *pos = &worker->pos;
    bool in_check = position_in_check(pos);
    bool pv = beta - result->alpha > 1;
    struct picker picker;
    picker_init(&picker, worker, tt_move, false, -QS_SEE_MARGIN);
    for (move m; (m = picker_next(&picker, false)) != MOVE_NONE;) {
        if (result->best > -SCORE_TABLE_WIN_IN_MAX) {
            if (picker.stage == PICK_BAD_NOISY && !in_check)
                break;
            /* In check, quiet evasions are searched only while every one so far is mated.
             * Idea: Stockfish, quiet check evasion pruning. */
            if (in_check && picker.stage >= PICK_KILLER_1)
                break;
            if (!in_check && is_futile(pos, m, futility_base, result->alpha, &result->best))
                continue;
        }
        tt_prefetch(&worker->shared->tt, position_key_after(pos, m));
        worker_make(worker, m);
        int score = -quiesce(worker, -beta, -result->alpha);
        worker_unmake(worker, m);
        if (worker_stopped(worker))
            return;
        if (score <= result->best)
            continue;
        result->best = score;
        if (score <= result->alpha)
            continue;
        result->move = m;
        if (pv)
            worker_keep_pv(worker, m);
        if (score >= beta)
            return;
        result->alpha = score;
    }
}

static void store_score(struct worker *worker, const struct qsearch *result, int raw, int beta,
                        bool was_pv)
{
    struct tt_entry entry = {.move = result->move,
                             .score = result->best,
                             .eval = raw,
                             .depth = 0,
                             .bound = result->best >= beta ? SCORE_LOWER : SCORE_UPPER,
                             .pv = was_pv};
    tt_store(&worker->shared->tt, worker->pos.key, worker->ply, &entry);
}

int quiesce(struct worker *worker, int alpha, int beta)
{
    assert(worker->ply < SEARCH_PLY_MAX && alpha < beta);
    struct position *pos = &worker->pos;
    struct stack *ss = worker_stack(worker);
    bool pv = beta - alpha > 1;
    ss->pv_length = 0;
    if (worker_must_stop(worker))
        return 0;
    if (worker->ply > worker->seldepth)
        worker->seldepth = worker->ply;
    if (worker_is_draw(worker))
        return worker_draw_score(worker);
    if (alpha < worker_draw_score(worker) && worker_can_repeat(worker)) {
        alpha = worker_draw_score(worker);
        if (alpha >= beta)
            return alpha;
    }
    if (worker->ply >= SEARCH_PLY_MAX - 1)
        return position_in_check(pos)
                   ? 0
                   : worker_corrected_eval(worker, eval_score(worker->eval, pos));

    struct tt_entry entry = {.eval = SCORE_NONE};
    bool tt_hit = tt_probe(&worker->shared->tt, pos->key, worker->ply, pos->rule50, &entry);
    if (tt_hit && !pv && pos->rule50 < TT_CUT_RULE50 && tt_cuts(&entry, alpha, beta))
        return entry.score;

    struct qsearch result = {-SCORE_INFINITE, alpha, MOVE_NONE};
    int raw = SCORE_NONE;
    if (position_in_check(pos)) {
        /* Only evasions may be quiet moves here: they are ordered without threats. A razored node,
         * which is not in check, keeps its own. */
        ss->minor_threats = 0;
    } else {
        raw = tt_hit && entry.eval != SCORE_NONE ? entry.eval : eval_score(worker->eval, pos);
        result.best = worker_corrected_eval(worker, raw);
        if (tt_hit && tt_improves(&entry, result.best))
            result.best = entry.score;
        if (result.best >= beta) {
            if (!tt_hit)
                store_score(worker, &result, raw, beta, false);
            return result.best;
        }
        if (result.best > result.alpha)
            result.alpha = result.best;
    }
    int stand = result.best;
    move_loop(worker, &result, beta, tt_hit ? entry.move : MOVE_NONE, stand + QS_FUTILITY);
    if (worker_stopped(worker))
        return 0;
    if (result.best == -SCORE_INFINITE)
        return score_mated_in(worker->ply);

    store_score(worker, &result, raw, beta, tt_hit && entry.pv);
    return result.best;
}
