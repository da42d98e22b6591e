#include "search/quiesce.h"

#include <assert.h>

#include "search/correction.h"
#include "search/movepick.h"
#include "search/moves.h"
#include "search/params.h"
#include "search/see.h"

struct qsearch {
    int alpha;
    int beta;
    int best;
    int futility_base; /* -SCORE_INFINITE in check */
    move best_move;
    int move_count;
};

/* Delta pruning: is the move, even if the victim is won for nothing, too little to reach alpha? Or
 * what static exchange evaluation says of it? The best score becomes the most that could be
 * reached. Source: https://www.chessprogramming.org/Delta_Pruning */
static bool is_futile(const struct position *pos, struct qsearch *search, move m)
{
    int base = search->futility_base;
    int gain = base + see_values[move_victim(pos, m)];
    if (gain > search->alpha) {
        if (see_at_least(pos, m, search->alpha - base))
            return false;
        gain = base < search->alpha ? base : search->alpha;
    }
    if (gain > search->best)
        search->best = gain;
    return true;
}

/* Is the move not searched? As long as everything found is mated, all are. */
static bool is_pruned(struct worker *worker, struct qsearch *search, move m)
{
    const struct position *pos = &worker->pos;
    const struct stack *ss = worker_stack(worker);
    if (search->best <= -SCORE_TB_WIN_IN_MAX)
        return false;
    move last = ss[-1].current_move;
    bool recaptures = last != MOVE_NONE && last != MOVE_NULL && move_to(m) == move_to(last);
    if (!ss->in_check && !recaptures && move_kind(m) != MOVE_PROMOTION &&
        !movegen_gives_check(pos, m) &&
        (search->move_count > QS_MOVES || is_futile(pos, search, m)))
        return true;
    return move_is_quiet(pos, m) || !see_at_least(pos, m, -QS_SEE_MARGIN);
}

/* Takes over the score of a searched move; false when it ends the node by a cutoff. */
static bool take_score(struct worker *worker, struct qsearch *search, move m, int score)
{
    if (score > search->best)
        search->best = score;
    if (score <= search->alpha)
        return true;
    bool pv = search->beta - search->alpha > 1;
    search->best_move = m;
    if (pv)
        worker_keep_pv(worker, m);
    if (score >= search->beta)
        return false;
    search->alpha = score;
    return true;
}

static void move_loop(struct worker *worker, struct qsearch *search, move tt_move)
{
    struct position *pos = &worker->pos;
    struct picker picker;
    picker_init(&picker, worker, tt_move, false);
    for (move m; (m = picker_next(&picker, false)) != MOVE_NONE;) {
        search->move_count++;
        if (is_pruned(worker, search, m))
            continue;
        tt_prefetch(&worker->shared->tt, position_key_after(pos, m));
        worker_make(worker, m);
        int score = -quiesce(worker, -search->beta, -search->alpha);
        worker_unmake(worker, m);
        if (worker_stopped(worker) || !take_score(worker, search, m, score))
            return;
    }
}

static void store_score(struct worker *worker, const struct qsearch *search, int raw, bool was_pv)
{
    struct tt_entry entry = {.move = search->best_move,
                             .score = search->best,
                             .eval = raw,
                             .depth = TT_DEPTH_QUIESCENCE,
                             .bound = search->best >= search->beta ? SCORE_LOWER : SCORE_UPPER,
                             .pv = was_pv};
    tt_store(&worker->shared->tt, worker->pos.key, worker->ply, &entry);
}

/* A score above beta, nearer to it: it is a bound of little depth. */
static int soften(int score, int beta, int weight)
{
    if (score <= beta || score_is_decisive(score))
        return score;
    return (score * weight + beta * (1024 - weight)) / 1024;
}

/* Standing pat: the side to move need not capture. False when that ends the node. *raw: the static
 * evaluation as the TT keeps it. */
static bool stand_pat(struct worker *worker, struct qsearch *search, const struct tt_entry *entry,
                      int *raw)
{
    struct stack *ss = worker_stack(worker);
    *raw = SCORE_NONE;
    if (ss->in_check)
        return true;
    *raw = ss->tt_hit && entry->eval != SCORE_NONE ? entry->eval
                                                   : eval_score(worker->eval, &worker->pos);
    ss->static_eval = search->best = correction_apply(worker, *raw, correction_find(worker));
    if (ss->tt_hit && tt_improves(entry, search->best))
        search->best = entry->score;
    if (search->best >= search->beta) {
        search->best = soften(search->best, search->beta, QS_STAND_WEIGHT);
        if (!ss->tt_hit)
            tt_store_eval(&worker->shared->tt, worker->pos.key, *raw, false);
        return false;
    }
    if (search->best > search->alpha)
        search->alpha = search->best;
    search->futility_base = ss->static_eval + QS_FUTILITY;
    return true;
}

int quiesce(struct worker *worker, int alpha, int beta)
{
    assert(worker->ply < SEARCH_PLY_MAX && alpha < beta);
    struct position *pos = &worker->pos;
    struct stack *ss = worker_stack(worker);
    ss->pv_length = 0;
    if (worker_must_stop(worker))
        return 0;
    if (worker->ply > worker->seldepth)
        worker->seldepth = worker->ply;
    if (worker_is_draw(worker))
        return worker_draw_score(worker);
    if (alpha < worker_draw_score(worker) && worker_upcoming_repetition(worker)) {
        alpha = worker_draw_score(worker);
        if (alpha >= beta)
            return alpha;
    }
    ss->in_check = position_in_check(pos);
    if (worker->ply >= SEARCH_PLY_MAX - 1)
        return ss->in_check ? 0 : correction_apply(worker, eval_score(worker->eval, pos), 0);

    struct tt_entry entry = {.eval = SCORE_NONE};
    ss->tt_hit = tt_probe(&worker->shared->tt, pos->key, worker->ply, pos->rule50, &entry);
    if (ss->tt_hit && beta - alpha == 1 && entry.depth >= TT_DEPTH_QUIESCENCE &&
        pos->rule50 < TT_CUT_RULE50 && tt_cuts(&entry, alpha, beta))
        return entry.score;

    struct qsearch search = {.alpha = alpha,
                             .beta = beta,
                             .best = -SCORE_INFINITE,
                             .futility_base = -SCORE_INFINITE,
                             .best_move = MOVE_NONE};
    int raw;
    if (!stand_pat(worker, &search, &entry, &raw))
        return search.best;
    move_loop(worker, &search, ss->tt_hit ? entry.move : MOVE_NONE);
    if (worker_stopped(worker))
        return 0;
    if (search.best == -SCORE_INFINITE)
        return score_mated_in(worker->ply);
    search.best = soften(search.best, beta, QS_CUT_WEIGHT);
    store_score(worker, &search, raw, ss->tt_hit && entry.pv);
    return search.best;
}
