#include "search/update_histories.h"

#include "search/moves.h"
#include "search/params.h"

static bool is_move(move m)
{
    return m != MOVE_NONE && m != MOVE_NULL;
}

static int clamp(int value, int most)
{
    return value > most ? most : value < -most ? -most : value;
}

static int bonus_of(int depth)
{
    return clamp((BONUS_SQUARE * depth + BONUS_SCALE) * depth - BONUS_OFFSET, BONUS_MAX);
}

/* Continuation history: the move in the context of the moves one, two, four and six plies back; in
 * check only of the first two. Source: https://www.chessprogramming.org/History_Heuristic,
 * "Continuation History" */
static void update_continuation(struct stack *ss, int piece, int to, int bonus)
{
    static const int back[] = {1, 2, 4, 6};
    int count = ss->in_check ? 2 : 4;
    for (int i = 0; i < count; i++)
        if (is_move(ss[-back[i]].current_move))
            history_update(&ss[-back[i]].continuation->value[piece][to], bonus, CONTINUATION_LIMIT);
}

static void update_quiet(struct worker *worker, struct stack *ss, move m, int bonus)
{
    history_update(history_quiet(&worker->history, worker->pos.turn, m), bonus, QUIET_LIMIT);
    update_continuation(ss, worker->pos.board[move_from(m)], move_to(m), bonus);
}

static void update_noisy(struct worker *worker, move m, int bonus)
{
    history_update(history_noisy(&worker->history, &worker->pos, m), bonus, NOISY_LIMIT);
}

/* The piece that the move before `ss` brought to its goal; NO_PIECE where there was no such move or
 * where it captured. After castling nothing stands on the goal, the rook's square. */
static int quiet_mover_before(const struct worker *worker, const struct stack *ss)
{
    move last = ss[-1].current_move;
    if (!is_move(last) || ss[-1].was_capture)
        return NO_PIECE;
    return worker->pos.board[move_to(last)];
}

static void update_move_before(struct worker *worker, struct stack *ss, int bonus)
{
    int piece = quiet_mover_before(worker, ss);
    if (piece != NO_PIECE)
        update_continuation(ss - 1, piece, move_to(ss[-1].current_move), bonus);
}

static void take_cutoff(struct worker *worker, struct stack *ss, move m, int bonus)
{
    if (ss->killers[0] != m) {
        ss->killers[1] = ss->killers[0];
        ss->killers[0] = m;
    }
    move last = ss[-1].current_move;
    if (is_move(last) && worker->pos.board[move_to(last)] != NO_PIECE)
        worker->history.counter[worker->pos.board[move_to(last)]][move_to(last)] = m;
    update_quiet(worker, ss, m, bonus);
}

void update_histories(struct worker *worker, struct stack *ss, int depth, move best, int surplus,
                      const struct searched_moves *quiets, const struct searched_moves *noisies)
{
    int more = bonus_of(depth + 1);
    if (move_is_quiet(&worker->pos, best)) {
        int bonus = surplus > BONUS_MARGIN ? more : bonus_of(depth);
        take_cutoff(worker, ss, best, bonus);
        for (int i = 0; i < quiets->count; i++)
            update_quiet(worker, ss, quiets->moves[i], -bonus);
    } else {
        update_noisy(worker, best, more);
    }
    for (int i = 0; i < noisies->count; i++)
        update_noisy(worker, noisies->moves[i], -more);
    /* The move that led here came first, or was a killer, and is refuted. */
    if (ss[-1].move_count == 1 + ss[-1].tt_hit || ss[-1].current_move == ss[-1].killers[0])
        update_move_before(worker, ss, -more);
}

void update_after_fail_low(struct worker *worker, struct stack *ss, int depth, int weight)
{
    update_move_before(worker, ss, weight * bonus_of(depth));
}

void update_from_table(struct worker *worker, struct stack *ss, move m, int depth, bool cuts)
{
    bool quiet = move_is_quiet(&worker->pos, m);
    if (cuts && quiet)
        take_cutoff(worker, ss, m, bonus_of(depth));
    else if (quiet)
        update_quiet(worker, ss, m, -bonus_of(depth));
    if (cuts && ss[-1].move_count <= 2)
        update_move_before(worker, ss, -bonus_of(depth + 1));
}

void update_after_reduction(struct stack *ss, int piece, int to, int depth, bool raises, bool noisy)
{
    int bonus = raises ? bonus_of(depth) : -bonus_of(depth);
    update_continuation(ss, piece, to, noisy ? bonus / 6 : bonus);
}

void update_from_evaluation(struct worker *worker, struct stack *ss, int sum)
{
    if (is_move(ss[-1].current_move) && !ss[-1].was_capture && !ss[-1].in_check)
        history_update(history_quiet(&worker->history, !worker->pos.turn, ss[-1].current_move),
                       clamp(-EVAL_BONUS_SCALE * sum, EVAL_BONUS_MAX), QUIET_LIMIT);
}
