#include "search/movepick.h"

#include <assert.h>

#include "search/moves.h"
#include "search/params.h"
#include "search/see.h"

void picker_init(struct picker *picker, struct worker *worker, move tt_move, bool quiets,
                 int see_threshold)
{
    const struct position *pos = &worker->pos;
    const struct stack *ss = worker_stack(worker);
    picker->worker = worker;
    picker->quiets = quiets || pos->checkers;
    picker->see_threshold = see_threshold;
    picker->tt_move = MOVE_NONE;
    picker->killers[0] = ss->killers[0];
    picker->killers[1] = ss->killers[1];
    picker->at = picker->count = picker->bad_count = 0;
    picker->stage = PICK_GENERATE_NOISY;
    if (tt_move != MOVE_NONE && movegen_is_legal(pos, tt_move) &&
        (picker->quiets || position_is_capture(pos, tt_move) ||
         move_kind(tt_move) == MOVE_PROMOTION)) {
        picker->tt_move = tt_move;
        picker->stage = PICK_TT;
    }
}

/* Quiet moves: butterfly history plus the continuation histories of the moves before.
 * Source: https://www.chessprogramming.org/History_Heuristic */
int quiet_score(struct worker *worker, move m)
{
    struct stack *ss = worker_stack(worker);
    int piece = worker->pos.board[move_from(m)];
    int to = move_to(m);
    int score =
        QUIET_HISTORY * *history_quiet(&worker->history, &worker->pos, ss->minor_threats, m) +
        QUIET_CONTINUATION_1 * ss[-1].continuation->value[piece][to] +
        QUIET_CONTINUATION_2 * ss[-2].continuation->value[piece][to];
    return score / 1024 + QUIET_CONTINUATION_4 * ss[-4].continuation->value[piece][to] / 1024;
}

/* Captures: the most valuable victim first, then the history of such captures.
 * Source: https://www.chessprogramming.org/MVV-LVA, .../History_Heuristic, "Capture History" */
static int noisy_score(struct worker *worker, move m)
{
    const struct position *pos = &worker->pos;
    int score = NOISY_VICTIM_SCALE * see_values[move_victim(pos, m)] +
                *history_noisy(&worker->history, pos, m) / NOISY_HISTORY_DIVISOR;
    if (move_kind(m) == MOVE_PROMOTION)
        score += move_promotion(m) == QUEEN ? NOISY_VICTIM_SCALE * see_values[QUEEN] : -20000;
    return score;
}

/* Brings the best of moves[at..count) to the front and steps over it. */
static move take_best(struct picker *picker)
{
    int best = picker->at;
    for (int i = picker->at + 1; i < picker->count; i++)
        if (picker->scores[i] > picker->scores[best])
            best = i;
    move m = picker->moves[best];
    picker->moves[best] = picker->moves[picker->at];
    picker->scores[best] = picker->scores[picker->at];
    picker->at++;
    return m;
}

static void generate_noisy(struct picker *picker)
{
    picker->count = movegen_noisy(&picker->worker->pos, picker->moves);
    for (int i = 0; i < picker->count; i++)
        picker->scores[i] = noisy_score(picker->worker, picker->moves[i]);
}

static void generate_quiet(struct picker *picker)
{
    picker->at = 0;
    picker->count = movegen_quiet(&picker->worker->pos, picker->moves);
    for (int i = 0; i < picker->count; i++)
        picker->scores[i] = quiet_score(picker->worker, picker->moves[i]);
}

/* Killer moves: quiet moves that caused cutoffs in nodes beside this one.
 * Source: https://www.chessprogramming.org/Killer_Heuristic */
static bool killer_is_playable(const struct picker *picker, int index)
{
    move m = picker->killers[index];
    const struct position *pos = &picker->worker->pos;
    return m != MOVE_NONE && m != picker->tt_move && move_is_quiet(pos, m) &&
           movegen_is_legal(pos, m);
}

/* Captures that lose material by static exchange evaluation are put off to the end.
 * Source: https://www.chessprogramming.org/Static_Exchange_Evaluation */
static move next_good_noisy(struct picker *picker)
{
    while (picker->at < picker->count) {
        move m = take_best(picker);
        if (m == picker->tt_move)
            continue;
        if (see_at_least(&picker->worker->pos, m, picker->see_threshold))
            return m;
        picker->bad[picker->bad_count++] = m;
    }
    return MOVE_NONE;
}

static move next_quiet(struct picker *picker)
{
    while (picker->at < picker->count) {
        move m = take_best(picker);
        if (m != picker->tt_move && m != picker->killers[0] && m != picker->killers[1])
            return m;
    }
    return MOVE_NONE;
}

static move next_move(struct picker *picker, bool skip_quiets)
{
    move m;
    switch (picker->stage) {
    case PICK_TT:
        picker->stage = PICK_GENERATE_NOISY;
        return picker->tt_move;
    case PICK_GENERATE_NOISY:
        generate_noisy(picker);
        picker->stage = PICK_GOOD_NOISY;
        /* fallthrough */
    case PICK_GOOD_NOISY:
        m = next_good_noisy(picker);
        if (m != MOVE_NONE)
            return m;
        picker->stage = picker->quiets ? PICK_KILLER_1 : PICK_BAD_NOISY;
        picker->at = 0;
        return next_move(picker, skip_quiets);
    case PICK_KILLER_1:
        picker->stage = PICK_KILLER_2;
        if (!skip_quiets && killer_is_playable(picker, 0))
            return picker->killers[0];
        picker->killers[0] = MOVE_NONE;
        /* fallthrough */
    case PICK_KILLER_2:
        picker->stage = PICK_GENERATE_QUIET;
        if (!skip_quiets && killer_is_playable(picker, 1))
            return picker->killers[1];
        picker->killers[1] = MOVE_NONE;
        /* fallthrough */
    case PICK_GENERATE_QUIET:
        if (!skip_quiets)
            generate_quiet(picker);
        picker->stage = PICK_QUIET;
        /* fallthrough */
    case PICK_QUIET:
        if (!skip_quiets && (m = next_quiet(picker)) != MOVE_NONE)
            return m;
        picker->stage = PICK_BAD_NOISY;
        picker->at = 0;
        /* fallthrough */
    case PICK_BAD_NOISY:
        if (picker->at < picker->bad_count)
            return picker->bad[picker->at++];
        picker->stage = PICK_DONE;
        /* fallthrough */
    case PICK_DONE:
        break;
    }
    return MOVE_NONE;
}

move picker_next(struct picker *picker, bool skip_quiets)
{
    move m = next_move(picker, skip_quiets);
    assert(m == MOVE_NONE || movegen_is_legal(&picker->worker->pos, m));
    return m;
}
