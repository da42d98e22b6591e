#include "search/quiesce.h"

#include <assert.h>

#include "search/movepick.h"
#include "search/moves.h"
#include "search/params.h"
#include "search/see.h"

enum { MOVES_SEARCHED = 2, QUIET_EVASIONS = 2, ONLY_RECAPTURES = -5 };

struct qsearch {
    int alpha;
    int beta;
    int depth; /* 0 at the first ply, less with each */
    int best;
    int futility_base; /* -SCORE_INFINITE in check */
    move best_move;
    int move_count;
    int quiet_evasions;
};

/* Delta pruning: is the move, even if the victim is won for nothing, too little to reach alpha? Or
 * too little without a win of material, which static exchange evaluation does not see? The best
 * score becomes the most that could be reached.
 * Source: https://www.chessprogramming.org/Delta_Pruning */
static bool is_futile(const struct position *pos, struct qsearch *search, move m)
{
    int gain = search->futility_base + gain_values[move_victim(pos, m)];
    if (gain > search->alpha) {
        if (search->futility_base > search->alpha || see_at_least(pos, m, 1))
            return false;
        gain = search->futility_base;
    }
    if (gain > search->best)
        search->best = gain;
    return true;
}

/* Is the move not searched? As long as everything found is mated, all are. */
static bool is_pruned(struct worker *worker, struct qsearch *search,
                      const struct candidate *candidate)
{
    const struct position *pos = &worker->pos;
    const struct stack *ss = worker_stack(worker);
    move m = candidate->move;
    if (search->best <= -SCORE_TABLE_WIN_IN_MAX)
        return false;
    bool recaptures = ss[-1].current_move != MOVE_NONE && ss[-1].current_move != MOVE_NULL &&
                      move_to(m) == move_to(ss[-1].current_move);
    if (!candidate->checks && !recaptures && !ss->in_check && move_kind(m) != MOVE_PROMOTION &&
        (search->move_count > MOVES_SEARCHED || is_futile(pos, search, m)))
        return true;
    if (!ss->in_check && search->depth <= ONLY_RECAPTURES && !recaptures)
        return true;
    if (!see_at_least(pos, m, 0))
        return true;
    if (!candidate->quiet)
        return false;
    /* Quiet moves that were bad after both moves before. */
    int piece = pos->board[move_from(m)];
    return ss[-1].continuation->value[piece][move_to(m)] < 0 &&
           ss[-2].continuation->value[piece][move_to(m)] < 0;
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

static int search_position(struct worker *worker, int alpha, int beta, int depth);

static void move_loop(struct worker *worker, struct qsearch *search, move tt_move)
{
    struct position *pos = &worker->pos;
    bool in_check = position_in_check(pos);
    struct picker picker;
    picker_init(&picker, worker, tt_move, false);
    for (move m; (m = picker_next(&picker, false)) != MOVE_NONE;) {
        struct candidate candidate = {
            .move = m,
            .quiet = move_is_quiet(pos, m),
            .checks = movegen_gives_check(pos, m),
        };
        search->move_count++;
        if (is_pruned(worker, search, &candidate))
            continue;
        if (search->best > -SCORE_TABLE_WIN_IN_MAX && search->quiet_evasions >= QUIET_EVASIONS)
            return;
        search->quiet_evasions += in_check && candidate.quiet;
        tt_prefetch(&worker->shared->tt, position_key_after(pos, m));
        worker_make(worker, m);
        int score = -search_position(worker, -search->beta, -search->alpha, search->depth - 1);
        worker_unmake(worker, m);
        if (worker_stopped(worker) || !take_score(worker, search, m, score))
            return;
    }
}

static void store_score(struct worker *worker, const struct qsearch *search, int raw, int depth,
                        bool was_pv)
{
    struct tt_entry entry = {.move = search->best_move,
                             .score = search->best,
                             .eval = raw,
                             .depth = depth,
                             .bound = search->best >= search->beta ? SCORE_LOWER : SCORE_UPPER,
                             .pv = was_pv};
    tt_store(&worker->shared->tt, worker->pos.key, worker->ply, &entry);
}

/* Standing pat: the side to move need not capture. False when that ends the node. *raw: the static
 * evaluation as the table keeps it. */
static bool stand_pat(struct worker *worker, struct qsearch *search, const struct tt_entry *entry,
                      int *raw)
{
    struct stack *ss = worker_stack(worker);
    *raw = SCORE_NONE;
    ss->static_eval = SCORE_NONE;
    if (ss->in_check)
        return true;
    *raw = ss->tt_hit && entry->eval != SCORE_NONE ? entry->eval
                                                   : eval_score(worker->eval, &worker->pos);
    search->best = ss->static_eval = worker_corrected_eval(worker, *raw);
    if (ss->tt_hit && tt_improves(entry, search->best))
        search->best = entry->score;
    if (search->best >= search->beta) {
        if (!ss->tt_hit)
            store_score(worker, search, *raw, TT_DEPTH_EVAL, false);
        return false;
    }
    if (search->best > search->alpha)
        search->alpha = search->best;
    search->futility_base = search->best + QS_FUTILITY;
    return true;
}

static int search_position(struct worker *worker, int alpha, int beta, int depth)
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
    ss->in_check = position_in_check(pos);
    if (worker->ply >= SEARCH_PLY_MAX - 1)
        return ss->in_check ? 0 : worker_corrected_eval(worker, eval_score(worker->eval, pos));

    struct tt_entry entry = {.eval = SCORE_NONE};
    ss->tt_hit = tt_probe(&worker->shared->tt, pos->key, worker->ply, pos->rule50, &entry);
    if (ss->tt_hit && beta - alpha == 1 && entry.depth >= TT_DEPTH_QUIESCENCE &&
        pos->rule50 < TT_CUT_RULE50 && tt_cuts(&entry, alpha, beta))
        return entry.score;

    struct qsearch search = {.alpha = alpha,
                             .beta = beta,
                             .depth = depth,
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
    store_score(worker, &search, raw, TT_DEPTH_QUIESCENCE, ss->tt_hit && entry.pv);
    return search.best;
}

int quiesce(struct worker *worker, int alpha, int beta)
{
    return search_position(worker, alpha, beta, 0);
}
