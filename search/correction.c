#include "search/correction.h"

#include "search/params.h"

/* Where the corrections of a position are kept. */
struct entries {
    int16_t *pawns;
    int16_t *minors;
    int16_t *sides[2];
    int16_t *moves[2]; /* the move before, after those one and three plies before it; or NULL */
};

static struct entries find_entries(struct worker *worker)
{
    struct history *history = &worker->history;
    const struct position *pos = &worker->pos;
    const struct stack *ss = worker_stack(worker);
    const struct piece_keys *here = &ss->piece_keys;
    int us = pos->turn;
    struct entries found = {
        .pawns = &history->pawn_correction[us][here->pawn % CORRECTION_SIZE],
        .minors = &history->minor_correction[us][here->minor % CORRECTION_SIZE],
    };
    for (int color = WHITE; color <= BLACK; color++)
        found.sides[color] =
            &history->non_pawn_correction[us][color][here->non_pawn[color] % CORRECTION_SIZE];
    move last = ss[-1].current_move;
    if (last != MOVE_NONE && last != MOVE_NULL && pos->board[move_to(last)] != NO_PIECE) {
        int piece = pos->board[move_to(last)];
        found.moves[0] = &ss[-2].correction->value[piece][move_to(last)];
        found.moves[1] = &ss[-4].correction->value[piece][move_to(last)];
    }
    return found;
}

int correction_find(struct worker *worker)
{
    struct entries found = find_entries(worker);
    int sum = CORRECTION_PAWNS * *found.pawns + CORRECTION_MINORS * *found.minors +
              CORRECTION_PIECES * (*found.sides[WHITE] + *found.sides[BLACK]);
    return found.moves[0] ? sum + CORRECTION_MOVES * (*found.moves[0] + *found.moves[1]) : sum;
}

int correction_apply(const struct worker *worker, int raw, int correction)
{
    /* Idea: Stockfish, "shuffling" in evaluate.cpp. */
    int rule50 = worker->pos.rule50 < 100 ? worker->pos.rule50 : 100;
    int value = raw * (RULE50_SCALE - rule50) / RULE50_SCALE + correction / CORRECTION_ONE;
    return value > EVAL_MAX ? EVAL_MAX : value < -EVAL_MAX ? -EVAL_MAX : value;
}

void correction_learn(struct worker *worker, int error, int weight)
{
    const int most = CORRECTION_LIMIT / 4;
    int64_t exact = (int64_t)error * weight / 1024;
    int bonus = exact > most ? most : exact < -most ? -most : (int)exact;
    struct entries found = find_entries(worker);
    history_update(found.pawns, bonus, CORRECTION_LIMIT);
    history_update(found.minors, bonus * CORRECTION_STEP_MINORS / 128, CORRECTION_LIMIT);
    history_update(found.sides[WHITE], bonus * CORRECTION_STEP_PIECES / 128, CORRECTION_LIMIT);
    history_update(found.sides[BLACK], bonus * CORRECTION_STEP_PIECES / 128, CORRECTION_LIMIT);
    if (found.moves[0]) {
        history_update(found.moves[0], bonus * CORRECTION_STEP_LAST / 128, CORRECTION_LIMIT);
        history_update(found.moves[1], bonus * CORRECTION_STEP_BEFORE / 128, CORRECTION_LIMIT);
    }
}
