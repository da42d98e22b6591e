#include "search/movepick.h"

#include <assert.h>
#include <limits.h>

#include "chess/attacks.h"
#include "search/moves.h"
#include "search/params.h"
#include "search/see.h"

void picker_init(struct picker *picker, struct worker *worker, move tt_move, bool quiets)
{
    const struct position *pos = &worker->pos;
    picker->worker = worker;
    picker->quiets = quiets || position_in_check(pos);
    picker->pawn_history =
        quiets ? history_pawn(&worker->history, &worker_stack(worker)->piece_keys) : NULL;
    picker->tt_move = MOVE_NONE;
    picker->at = picker->count = picker->bad_at = picker->bad_count = 0;
    picker->stage = PICK_GENERATE_NOISY;
    if (tt_move != MOVE_NONE && movegen_is_legal(pos, tt_move)) {
        picker->tt_move = tt_move;
        picker->stage = PICK_TT;
    }
}

/* What the order of quiet moves goes by beside the histories. */
struct quiet_order {
    uint64_t lesser[PIECE_TYPES]; /* squares that enemy pieces attack which are worth less */
    uint64_t checks[PIECE_TYPES]; /* squares from which a piece would give check */
};

static void find_order(const struct position *pos, struct quiet_order *order)
{
    int them = !pos->turn;
    int king = position_king(pos, them);
    uint64_t occupied = position_occupied(pos);
    uint64_t pawns = attacks_pawns(them, position_pieces(pos, them, PAWN));
    uint64_t minors = pawns;
    for (uint64_t knights = position_pieces(pos, them, KNIGHT); knights;)
        minors |= attacks_knight(bb_pop(&knights));
    for (uint64_t bishops = position_pieces(pos, them, BISHOP); bishops;)
        minors |= attacks_bishop(bb_pop(&bishops), occupied);
    uint64_t all = minors;
    for (uint64_t rooks = position_pieces(pos, them, ROOK); rooks;)
        all |= attacks_rook(bb_pop(&rooks), occupied);
    *order = (struct quiet_order){.lesser = {0, pawns, pawns, minors, all, 0}};
    order->checks[PAWN] = attacks_pawn(them, king);
    order->checks[KNIGHT] = attacks_knight(king);
    order->checks[BISHOP] = attacks_bishop(king, occupied);
    order->checks[ROOK] = attacks_rook(king, occupied);
    order->checks[QUEEN] = order->checks[BISHOP] | order->checks[ROOK];
}

/* A bonus for safe checks, and for leaving or entering the attack of a lesser piece.
 * Idea: Stockfish, MovePicker::score() */
static int order_bonus(const struct position *pos, const struct quiet_order *order, int type,
                       move m)
{
    int from = move_from(m);
    int to = move_to(m);
    int safer = (int)(order->lesser[type] >> from & 1) - (int)(order->lesser[type] >> to & 1);
    int bonus = safer * see_values[type] * ORDER_THREAT;
    if (order->checks[type] >> to & 1 && see_at_least(pos, m, -ORDER_CHECK_LOSS))
        bonus += ORDER_CHECK;
    return bonus;
}

/* How good a quiet move has been, by all of its histories.
 * Source: https://www.chessprogramming.org/History_Heuristic */
static int quiet_score(const struct picker *picker, const struct quiet_order *order, move m)
{
    struct worker *worker = picker->worker;
    const struct stack *ss = worker_stack(worker);
    const struct position *pos = &worker->pos;
    int piece = pos->board[move_from(m)];
    int to = move_to(m);
    int own = *history_quiet(&worker->history, pos->turn, m);
    int last = ss[-1].continuation->value[piece][to];
    if (position_in_check(pos))
        return own + last;
    int score = 2 * own + 2 * picker->pawn_history->value[piece][to] + last;
    score += ss[-2].continuation->value[piece][to] + ss[-3].continuation->value[piece][to] +
             ss[-4].continuation->value[piece][to] + ss[-6].continuation->value[piece][to];
    if (worker->ply < LOW_PLIES)
        score += ORDER_LOW_PLY * worker->history.low_ply[worker->ply][move_from(m)][to] /
                 (1 + worker->ply);
    return score + order_bonus(pos, order, piece_type(piece), m);
}

/* Captures: the most valuable victim first, then the history of such captures.
 * Source: https://www.chessprogramming.org/MVV-LVA, .../History_Heuristic, "Capture History" */
static int noisy_score(struct worker *worker, move m)
{
    const struct position *pos = &worker->pos;
    int score = NOISY_VICTIM_SCALE * see_values[move_victim(pos, m)] +
                *history_noisy(&worker->history, pos, m);
    if (move_kind(m) == MOVE_PROMOTION)
        score += move_promotion(m) == QUEEN ? NOISY_VICTIM_SCALE * see_values[QUEEN]
                                            : NOISY_UNDERPROMOTION;
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

/* Undoes the last take_best(), which gave `m`. */
static void put_back(struct picker *picker, move m)
{
    int place = 0;
    while (picker->moves[place] != m)
        place++;
    picker->keys[place] = make_key(picker->score, place);
    picker->at--;
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
    const struct position *pos = &picker->worker->pos;
    struct quiet_order order;
    find_order(pos, &order);
    picker->count = movegen_quiet(pos, picker->moves);
    for (int i = 0; i < picker->count; i++)
        picker->keys[i] = make_key(quiet_score(picker, &order, picker->moves[i]), i);
    pad_keys(picker);
}

/* Captures that lose material by static exchange evaluation are put off to the end, the sooner the
 * worse their history is; quiescence takes them in their order, and looks itself.
 * Source: https://www.chessprogramming.org/Static_Exchange_Evaluation */
static bool is_good_noisy(const struct picker *picker, move m)
{
    const struct position *pos = &picker->worker->pos;
    if (!picker->quiets || position_in_check(pos))
        return true;
    return see_at_least(pos, m, -picker->score / NOISY_SEE_DIVISOR);
}

static move next_good_noisy(struct picker *picker)
{
    while (picker->at < picker->count) {
        move m = take_best(picker);
        if (m == picker->tt_move)
            continue;
        if (is_good_noisy(picker, m))
            return m;
        picker->bad[picker->bad_count++] = m;
    }
    return MOVE_NONE;
}

/* The best quiet move, as long as its score is above `least`. */
static move next_quiet(struct picker *picker, int least)
{
    while (picker->at < picker->count) {
        move m = take_best(picker);
        if (m == picker->tt_move)
            continue;
        if (picker->score > least || position_in_check(&picker->worker->pos))
            return m;
        put_back(picker, m);
        break;
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
        picker->stage = picker->quiets ? PICK_GENERATE_QUIET : PICK_DONE;
        return next_move(picker, skip_quiets);
    case PICK_GENERATE_QUIET:
        picker->at = picker->count = 0;
        if (!skip_quiets)
            generate_quiet(picker);
        picker->stage = PICK_QUIET;
        /* fallthrough */
    case PICK_QUIET:
        if (!skip_quiets && (m = next_quiet(picker, ORDER_GOOD_QUIET)) != MOVE_NONE)
            return m;
        picker->stage = PICK_BAD_NOISY;
        picker->bad_at = 0;
        /* fallthrough */
    case PICK_BAD_NOISY:
        if (picker->bad_at < picker->bad_count)
            return picker->bad[picker->bad_at++];
        picker->stage = PICK_BAD_QUIET;
        /* fallthrough */
    case PICK_BAD_QUIET:
        if (!skip_quiets && (m = next_quiet(picker, INT_MIN)) != MOVE_NONE)
            return m;
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
    const struct position *pos = &worker->pos;
    struct candidate candidate = {
        .move = m,
        .quiet = move_is_quiet(pos, m),
        .checks = movegen_gives_check(pos, m),
    };
    if (!candidate.quiet) {
        candidate.noisy_history = *history_noisy(&worker->history, pos, m);
        return candidate;
    }
    int piece = pos->board[move_from(m)];
    candidate.quiet_history = *history_quiet(&worker->history, pos->turn, m);
    candidate.last = ss[-1].continuation->value[piece][move_to(m)];
    candidate.continuation = candidate.last + ss[-2].continuation->value[piece][move_to(m)];
    candidate.pawn_history = picker->pawn_history->value[piece][move_to(m)];
    return candidate;
}
