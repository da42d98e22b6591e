#include "search/movepick.h"

#include <assert.h>
#include <limits.h>

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

/* How good a quiet move has been: butterfly history plus the continuation histories of the moves
 * before. Source: https://www.chessprogramming.org/History_Heuristic */
static int quiet_score(struct worker *worker, move m)
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

/* Scores are kept as keys: above the score, below it the place of the move, so that the first of
 * equal moves comes first. */
static int make_key(int score, int place)
{
    return score * MOVES_MAX + MOVES_MAX - 1 - place;
}

/* Ends the keys by some that are never taken: take_best() looks at eight at a time. */
static void pad_keys(struct picker *picker)
{
    picker->at = 0;
    picker->key_count = (picker->count + 7) & ~7;
    for (int i = picker->count; i < picker->key_count; i++)
        picker->keys[i] = INT_MIN;
}

/* Takes the best move that is left. The loop has no branch, so that compilers make vectors of it.
 */
static move take_best(struct picker *picker)
{
    int best = INT_MIN;
    for (int i = 0; i < picker->key_count; i++)
        best = picker->keys[i] > best ? picker->keys[i] : best;
    int low = best & (MOVES_MAX - 1);
    int place = MOVES_MAX - 1 - low;
    picker->score = (best - low) / MOVES_MAX;
    picker->keys[place] = INT_MIN;
    picker->at++;
    return picker->moves[place];
}

static void generate_noisy(struct picker *picker)
{
    picker->count = movegen_noisy(&picker->worker->pos, picker->moves);
    for (int i = 0; i < picker->count; i++)
        picker->keys[i] = make_key(noisy_score(picker->worker, picker->moves[i]), i);
    pad_keys(picker);
}

static void generate_quiet(struct picker *picker)
{
    picker->count = movegen_quiet(&picker->worker->pos, picker->moves);
    for (int i = 0; i < picker->count; i++)
        picker->keys[i] = make_key(quiet_score(picker->worker, picker->moves[i]), i);
    pad_keys(picker);
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

struct candidate picker_candidate(const struct picker *picker, move m)
{
    struct worker *worker = picker->worker;
    const struct stack *ss = worker_stack(worker);
    struct candidate candidate = {
        .move = m,
        .quiet = move_is_quiet(&worker->pos, m),
        .killer = m == ss->killers[0] || m == ss->killers[1],
        .ordered = picker->stage == PICK_QUIET,
    };
    if (candidate.ordered)
        candidate.history = picker->score;
    else if (candidate.quiet)
        candidate.history = quiet_score(worker, m);
    else
        candidate.history = *history_noisy(&worker->history, &worker->pos, m);
    return candidate;
}
