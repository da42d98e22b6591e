#include "search/update_histories.h"

#include "search/moves.h"
#include "search/params.h"

/* Continuation history: the move in the context of the moves one, two and four plies back.
 * Source: https://www.chessprogramming.org/History_Heuristic, "Continuation History" */
static void update_continuation(struct stack *ss, int piece, int to, int bonus)
{
    static const int back[] = {1, 2, 4};
    for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
        if (ss[-back[i]].current_move == MOVE_NULL || ss[-back[i]].current_move == MOVE_NONE)
            continue;
        history_update(&ss[-back[i]].continuation->value[piece][to], bonus, HISTORY_LIMIT);
    }
}

static void update_quiet(struct worker *worker, struct stack *ss, move m, int bonus)
{
    history_update(history_quiet(&worker->history, &worker->pos, ss->minor_threats, m), bonus,
                   HISTORY_LIMIT);
    update_continuation(ss, worker->pos.board[move_from(m)], move_to(m), bonus);
}

static int clamp_bonus(int value, int most)
{
    return value < most ? value : most;
}

void update_histories(struct worker *worker, struct stack *ss, int depth, move best,
                      const struct searched_moves *quiets, const struct searched_moves *noisies)
{
    struct position *pos = &worker->pos;
    int bonus = clamp_bonus(BONUS_SCALE * depth - BONUS_OFFSET, BONUS_MAX);
    int malus = clamp_bonus(MALUS_SCALE * depth - MALUS_OFFSET, MALUS_MAX);
    if (move_is_quiet(pos, best)) {
        if (ss->killers[0] != best) {
            ss->killers[1] = ss->killers[0];
            ss->killers[0] = best;
        }
        /* A cutoff by the first move at low depth says little. */
        if (depth > 2 || quiets->count > 0)
            update_quiet(worker, ss, best, bonus);
        for (int i = 0; i < quiets->count; i++)
            update_quiet(worker, ss, quiets->moves[i], -malus);
    } else {
        history_update(history_noisy(&worker->history, pos, best), bonus, HISTORY_LIMIT);
    }
    for (int i = 0; i < noisies->count; i++)
        history_update(history_noisy(&worker->history, pos, noisies->moves[i]), -malus,
                       HISTORY_LIMIT);
}

void update_quiet_histories(struct worker *worker, struct stack *ss, move m, int depth)
{
    update_quiet(worker, ss, m, clamp_bonus(BONUS_SCALE * depth - BONUS_OFFSET, BONUS_MAX));
}

void reward_last_move(struct worker *worker, int depth)
{
    const struct position *pos = &worker->pos;
    struct stack *last = worker_stack(worker) - 1;
    move m = last->current_move;
    if (m == MOVE_NONE || m == MOVE_NULL || last->undo.captured != NO_PIECE ||
        (move_kind(m) != MOVE_NORMAL))
        return;
    int bonus = clamp_bonus(BONUS_SCALE * depth - BONUS_OFFSET, BONUS_MAX);
    int from = move_from(m);
    int to = move_to(m);
    uint64_t threats = last->minor_threats;
    history_update(
        &worker->history.quiet[!pos->turn][threats >> from & 1][threats >> to & 1][from][to],
        bonus / 2, HISTORY_LIMIT);
    update_continuation(last, pos->board[to], to, bonus);
}
