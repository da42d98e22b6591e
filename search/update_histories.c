#include "search/update_histories.h"

#include "search/moves.h"
#include "search/params.h"

static bool is_move(move m)
{
    return m != MOVE_NONE && m != MOVE_NULL;
}

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

/* Continuation history: the move in the context of the moves one to six plies back; in check only
 * of the first two. What is good in more of them gets more.
 * Source: https://www.chessprogramming.org/History_Heuristic, "Continuation History" */
static void update_continuation(struct stack *ss, int piece, int to, int bonus)
{
    const int weights[] = {CONTINUATION_1, CONTINUATION_2, CONTINUATION_3,
                           CONTINUATION_4, CONTINUATION_5, CONTINUATION_6};
    /* Not tuned one by one: Stockfish. */
    static const int agreement[] = {94, 103, 110, 106, 119, 126, 121};
    int good = 0;
    int count = ss->in_check ? 2 : CONTINUATION_PLIES;
    for (int i = 0; i < count; i++) {
        struct stack *before = ss - i - 1;
        if (!is_move(before->current_move))
            continue;
        int16_t *entry = &before->continuation->value[piece][to];
        good += *entry > 0;
        int part = (int)((int64_t)bonus * weights[i] * agreement[good] / 131072);
        history_update(entry, part + (i == 0 ? CONTINUATION_OFFSET : 0), CONTINUATION_LIMIT);
    }
}

static void update_quiet(struct worker *worker, struct stack *ss, struct piece_to *pawns, move m,
                         int bonus)
{
    const struct position *pos = &worker->pos;
    struct history *history = &worker->history;
    int piece = pos->board[move_from(m)];
    history_update(history_quiet(history, pos->turn, m), bonus, QUIET_LIMIT);
    if (worker->ply < LOW_PLIES)
        history_update(&history->low_ply[worker->ply][move_from(m)][move_to(m)],
                       bonus * BONUS_LOW_PLY / 1024, QUIET_LIMIT);
    update_continuation(ss, piece, move_to(m), bonus * BONUS_CONTINUATION / 1024);
    history_update(&pawns->value[piece][move_to(m)],
                   bonus * (bonus > 0 ? BONUS_PAWN : MALUS_PAWN) / 1024, PAWN_LIMIT);
}

static void update_noisy(struct worker *worker, move m, int bonus)
{
    history_update(history_noisy(&worker->history, &worker->pos, m), bonus, NOISY_LIMIT);
}

/* The piece that the move before `ss` brought to its goal; NO_PIECE where there was no such move.
 * After castling nothing stands on the goal, the rook's square. */
static int mover_before(const struct worker *worker, const struct stack *ss)
{
    move last = ss[-1].current_move;
    return is_move(last) ? worker->pos.board[move_to(last)] : NO_PIECE;
}

/* The continuation histories of a quiet move before. */
static void update_move_before(struct worker *worker, struct stack *ss, int bonus)
{
    int piece = mover_before(worker, ss);
    if (piece != NO_PIECE && !ss[-1].was_capture)
        update_continuation(ss - 1, piece, move_to(ss[-1].current_move), bonus);
}

/* Its history with the pawns as they are. Pawn moves change them. */
static void update_pawn_before(struct worker *worker, const struct stack *ss, int bonus)
{
    int piece = mover_before(worker, ss);
    if (piece != NO_PIECE && piece_type(piece) != PAWN &&
        move_kind(ss[-1].current_move) != MOVE_PROMOTION)
        history_update(&history_pawn(&worker->history, &ss->piece_keys)
                            ->value[piece][move_to(ss[-1].current_move)],
                       bonus, PAWN_LIMIT);
}

void update_histories(struct worker *worker, struct stack *ss, int depth, move best, move tt_move,
                      bool pv, const struct searched_moves *quiets,
                      const struct searched_moves *noisies)
{
    int bonus = at_most(BONUS_SCALE * depth - BONUS_OFFSET, BONUS_MAX) +
                (best == tt_move ? BONUS_TT_MOVE : 0) + ss[-1].move_history / BONUS_HISTORY_DIVISOR;
    int malus = at_most(MALUS_SCALE * depth - MALUS_OFFSET, MALUS_MAX);
    if (!pv)
        bonus += bonus * (quiets->count + noisies->count) * BONUS_SEARCHED / 1024;
    if (move_is_quiet(&worker->pos, best)) {
        struct piece_to *pawns = history_pawn(&worker->history, &ss->piece_keys);
        update_quiet(worker, ss, pawns, best, bonus * BONUS_QUIET / 1024);
        int less = malus * MALUS_QUIET / 1024;
        for (int i = 0; i < quiets->count; i++) {
            less = less * MALUS_DECAY / 1024;
            update_quiet(worker, ss, pawns, quiets->moves[i], -less);
        }
    } else {
        update_noisy(worker, best, bonus * BONUS_NOISY / 1024);
    }
    /* The move that led here came first, and is refuted. */
    if (ss[-1].move_count == 1 + ss[-1].tt_hit)
        update_move_before(worker, ss, -malus * MALUS_BEFORE / 1024);
    for (int i = 0; i < noisies->count; i++)
        update_noisy(worker, noisies->moves[i], -malus * MALUS_NOISY / 1024);
}

/* How surely the move before was good. */
static int fail_low_weight(const struct stack *ss, int depth, int best)
{
    int weight = FAIL_LOW_BASE - ss[-1].move_history / FAIL_LOW_HISTORY_DIVISOR +
                 at_most(FAIL_LOW_DEPTH * depth, FAIL_LOW_DEPTH_MAX);
    if (ss[-1].move_count > FAIL_LOW_LATE_MOVES)
        weight += FAIL_LOW_LATE;
    if (!ss->in_check && best <= ss->static_eval - FAIL_LOW_MARGIN)
        weight += FAIL_LOW_WORSE;
    if (!ss[-1].in_check && best <= -ss[-1].static_eval - FAIL_LOW_MARGIN_BEFORE)
        weight += FAIL_LOW_WORSE_BEFORE;
    return weight > 0 ? weight : 0;
}

void update_after_fail_low(struct worker *worker, struct stack *ss, int depth, int best)
{
    int piece = mover_before(worker, ss);
    if (piece == NO_PIECE)
        return;
    move last = ss[-1].current_move;
    if (ss[-1].was_capture) {
        int victim =
            ss[-1].undo.captured == NO_PIECE ? PIECE_TYPES : piece_type(ss[-1].undo.captured);
        history_update(&worker->history.noisy[piece][move_to(last)][victim], FAIL_LOW_NOISY,
                       NOISY_LIMIT);
        return;
    }
    int bonus = at_most(FAIL_LOW_SCALE * depth - FAIL_LOW_OFFSET, FAIL_LOW_MAX) *
                fail_low_weight(ss, depth, best);
    update_continuation(ss - 1, piece, move_to(last),
                        (int)((int64_t)bonus * FAIL_LOW_CONTINUATION / 16384));
    history_update(history_quiet(&worker->history, !worker->pos.turn, last),
                   (int)((int64_t)bonus * FAIL_LOW_QUIET / 32768), QUIET_LIMIT);
    update_pawn_before(worker, ss, (int)((int64_t)bonus * FAIL_LOW_PAWN / 8192));
}

void update_from_tt(struct worker *worker, struct stack *ss, move m, int depth)
{
    if (move_is_quiet(&worker->pos, m))
        update_quiet(worker, ss, history_pawn(&worker->history, &ss->piece_keys), m,
                     at_most(TT_BONUS_SCALE * depth, TT_BONUS_MAX));
    if (ss[-1].move_count < TT_MALUS_MOVES)
        update_move_before(worker, ss, -TT_MALUS_BEFORE);
}

void update_after_reduction(struct stack *ss, int piece, int to)
{
    update_continuation(ss, piece, to, BONUS_REDUCED);
}

void update_from_evaluation(struct worker *worker, struct stack *ss, int sum, bool known)
{
    if (!is_move(ss[-1].current_move) || ss[-1].was_capture || ss[-1].in_check)
        return;
    int gain = -sum < -EVAL_BONUS_MAX ? -EVAL_BONUS_MAX : at_most(-sum, EVAL_BONUS_MAX);
    gain += EVAL_BONUS_OFFSET;
    history_update(history_quiet(&worker->history, !worker->pos.turn, ss[-1].current_move),
                   gain * EVAL_BONUS_QUIET, QUIET_LIMIT);
    if (!known)
        update_pawn_before(worker, ss, gain * EVAL_BONUS_PAWN);
}
