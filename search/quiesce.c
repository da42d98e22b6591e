/* Quiescence: noisy moves until the position is calm, all evasions when in check.
 * Source: https://www.chessprogramming.org/Quiescence_Search */
#include "search/movepick.h"
#include "search/params.h"
#include "search/see.h"

static bool cuts(const struct tt_entry *entry, int alpha, int beta)
{
    return entry->bound == TT_EXACT || (entry->bound == TT_LOWER && entry->score >= beta) ||
           (entry->bound == TT_UPPER && entry->score <= alpha);
}

/* Can the capture not lift `base` over alpha even if the victim comes free? */
static bool is_futile(const struct position *pos, move m, int base, int alpha, int *best)
{
    if (move_kind(m) == MOVE_PROMOTION || pos->board[move_to(m)] == NO_PIECE)
        return false;
    int gain = base + see_values[piece_type(pos->board[move_to(m)])];
    if (gain > alpha)
        return false;
    if (gain > *best)
        *best = gain;
    return true;
}

struct quiet_result {
    int best;
    int alpha;
    move move;
};

static void try_moves(struct worker *worker, struct quiet_result *result, int beta, int depth,
                      move table_move, int futility_base)
{
    struct position *pos = &worker->pos;
    bool in_check = position_in_check(pos);
    struct picker picker;
    picker_init(&picker, worker, table_move, false, -QS_SEE_MARGIN);
    for (move m; (m = picker_next(&picker, false)) != MOVE_NONE;) {
        if (result->best > -SCORE_MATE_IN_MAX) {
            if (picker.stage == PICK_BAD_NOISY && !in_check)
                break;
            /* One evasion that does not lose is enough to be out of danger here. */
            if (in_check && picker.stage >= PICK_KILLER_1)
                break;
            if (!in_check && is_futile(pos, m, futility_base, result->alpha, &result->best))
                continue;
        }
        tt_prefetch(&worker->search->tt, position_key_after(pos, m));
        worker_make(worker, m);
        int score = -quiesce(worker, -beta, -result->alpha, depth - 1);
        worker_unmake(worker, m);
        if (worker_stopped(worker))
            return;
        if (score <= result->best)
            continue;
        result->best = score;
        if (score <= result->alpha)
            continue;
        result->move = m;
        if (score >= beta)
            return;
        result->alpha = score;
    }
}

int quiesce(struct worker *worker, int alpha, int beta, int depth)
{
    struct position *pos = &worker->pos;
    struct frame *frame = worker_frame(worker);
    bool pv = beta - alpha > 1;
    frame->pv_length = 0;
    if (worker_must_stop(worker))
        return 0;
    if (worker->ply > worker->seldepth)
        worker->seldepth = worker->ply;
    if (worker_is_draw(worker))
        return 0;
    if (worker->ply >= SEARCH_PLY_MAX - 1)
        return position_in_check(pos)
                   ? 0
                   : worker_corrected_eval(worker, eval_score(worker->eval, pos));

    struct tt_entry entry = {.eval = SCORE_NONE};
    bool hit = tt_probe(&worker->search->tt, pos->key, worker->ply, &entry);
    if (hit && !pv && cuts(&entry, alpha, beta))
        return entry.score;

    struct quiet_result result = {-SCORE_INFINITE, alpha, MOVE_NONE};
    int raw = SCORE_NONE;
    if (!position_in_check(pos)) {
        raw = hit && entry.eval != SCORE_NONE ? entry.eval : eval_score(worker->eval, pos);
        result.best = worker_corrected_eval(worker, raw);
        /* The table may know better than the static evaluation. */
        if (hit && entry.bound != TT_NONE &&
            (entry.bound == TT_EXACT ||
             (entry.bound == TT_LOWER ? entry.score > result.best : entry.score < result.best)) &&
            entry.score < SCORE_MATE_IN_MAX && entry.score > -SCORE_MATE_IN_MAX)
            result.best = entry.score;
        if (result.best >= beta)
            return result.best;
        if (result.best > result.alpha)
            result.alpha = result.best;
    }
    frame->threats = 0;
    int stand = result.best;
    try_moves(worker, &result, beta, depth, hit ? entry.move : MOVE_NONE, stand + QS_FUTILITY);
    if (worker_stopped(worker))
        return 0;
    if (result.best == -SCORE_INFINITE)
        return -SCORE_MATE + worker->ply;

    struct tt_entry store = {.move = result.move,
                             .score = result.best,
                             .eval = raw,
                             .depth = 0,
                             .bound = result.best >= beta ? TT_LOWER : TT_UPPER,
                             .pv = hit && entry.pv};
    tt_store(&worker->search->tt, pos->key, worker->ply, &store);
    return result.best;
}
