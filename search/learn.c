#include "search/learn.h"

#include "search/movepick.h"
#include "search/params.h"

static void update_continuation(struct frame *frame, int piece, int to, int bonus)
{
    static const int back[] = {1, 2, 4};
    for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
        if (frame[-back[i]].played == MOVE_NULL || frame[-back[i]].played == MOVE_NONE)
            continue;
        history_update(&frame[-back[i]].continuation->value[piece][to], bonus);
    }
}

static void update_quiet(struct worker *worker, struct frame *frame, move m, int bonus)
{
    history_update(history_quiet(&worker->history, &worker->pos, frame->threats, m), bonus);
    update_continuation(frame, worker->pos.board[move_from(m)], move_to(m), bonus);
}

static int clamp_bonus(int value, int most)
{
    return value < most ? value : most;
}

void learn_from_cut(struct worker *worker, struct frame *frame, int depth, move best,
                    const struct tried *quiets, const struct tried *noisies)
{
    struct position *pos = &worker->pos;
    int bonus = clamp_bonus(BONUS_SCALE * depth - BONUS_OFFSET, BONUS_MAX);
    int malus = clamp_bonus(MALUS_SCALE * depth - MALUS_OFFSET, MALUS_MAX);
    if (move_is_quiet(pos, best)) {
        if (frame->killers[0] != best) {
            frame->killers[1] = frame->killers[0];
            frame->killers[0] = best;
        }
        /* A cut by the first move of a shallow node says little. */
        if (depth > 2 || quiets->count > 0)
            update_quiet(worker, frame, best, bonus);
        for (int i = 0; i < quiets->count; i++)
            update_quiet(worker, frame, quiets->moves[i], -malus);
    } else {
        history_update(history_noisy(&worker->history, pos, best), bonus);
    }
    for (int i = 0; i < noisies->count; i++)
        history_update(history_noisy(&worker->history, pos, noisies->moves[i]), -malus);
}

void learn_quiet(struct worker *worker, struct frame *frame, move m, int depth)
{
    update_quiet(worker, frame, m, clamp_bonus(BONUS_SCALE * depth - BONUS_OFFSET, BONUS_MAX));
}
