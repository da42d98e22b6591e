#include "search/movepick.h"

#include <assert.h>
#include <limits.h>

#include "chess/attacks.h"
#include "search/moves.h"
#include "search/params.h"
#include "search/see.h"

static move counter_move(const struct worker *worker, const struct stack *ss)
{
    move last = ss[-1].current_move;
    if (last == MOVE_NONE || last == MOVE_NULL)
        return MOVE_NONE;
    int piece = worker->pos.board[move_to(last)];
    return piece == NO_PIECE ? MOVE_NONE : worker->history.counter[piece][move_to(last)];
}

/* Killer moves: quiet moves that caused cutoffs in nodes beside this one. Counter move: the one
 * that refuted the move before. In check the histories are enough. Source:
 * https://www.chessprogramming.org/Killer_Heuristic, .../Countermove_Heuristic */
static void find_refutations(struct picker *picker)
{
    const struct stack *ss = worker_stack(picker->worker);
    move *found = picker->refutations;
    picker->refutation = 0;
    found[0] = found[1] = found[2] = MOVE_NONE;
    if (!picker->quiets || position_in_check(&picker->worker->pos))
        return;
    found[0] = ss->killers[0];
    found[1] = ss->killers[1];
    move counter = counter_move(picker->worker, ss);
    if (counter != found[0] && counter != found[1])
        found[2] = counter;
}

void picker_init(struct picker *picker, struct worker *worker, move tt_move, bool quiets)
{
    const struct position *pos = &worker->pos;
    picker->worker = worker;
    picker->quiets = quiets || position_in_check(pos);
    picker->tt_move = MOVE_NONE;
    picker->threatened = 0;
    picker->at = picker->count = picker->bad_count = 0;
    picker->stage = PICK_GENERATE_NOISY;
    find_refutations(picker);
    if (tt_move != MOVE_NONE && movegen_is_legal(pos, tt_move)) {
        picker->tt_move = tt_move;
        picker->stage = PICK_TT;
    }
}

/* The histories of a quiet move in the context of the moves one, two and four plies before. */
static int continuation_score(struct worker *worker, move m)
{
    struct stack *ss = worker_stack(worker);
    int piece = worker->pos.board[move_from(m)];
    int to = move_to(m);
    return ss[-1].continuation->value[piece][to] + ss[-2].continuation->value[piece][to] +
           ss[-4].continuation->value[piece][to];
}

/* What the order of quiet moves goes by beside the histories. */
struct quiet_order {
    uint64_t by_pawns;            /* squares that enemy pawns attack, .. */
    uint64_t by_minors;           /* .. they, knights and bishops, .. */
    uint64_t by_rooks;            /* .. and rooks, too */
    uint64_t threatened;          /* own pieces that lesser ones attack */
    uint64_t checks[PIECE_TYPES]; /* squares from which a piece would give check */
};

static void find_order(const struct position *pos, struct quiet_order *order)
{
    int us = pos->turn;
    int king = position_king(pos, !us);
    uint64_t occupied = position_occupied(pos);
    order->by_pawns = attacks_pawns(!us, position_pieces(pos, !us, PAWN));
    order->by_minors = order->by_pawns;
    for (uint64_t knights = position_pieces(pos, !us, KNIGHT); knights;)
        order->by_minors |= attacks_knight(bb_pop(&knights));
    for (uint64_t bishops = position_pieces(pos, !us, BISHOP); bishops;)
        order->by_minors |= attacks_bishop(bb_pop(&bishops), occupied);
    order->by_rooks = order->by_minors;
    for (uint64_t rooks = position_pieces(pos, !us, ROOK); rooks;)
        order->by_rooks |= attacks_rook(bb_pop(&rooks), occupied);
    uint64_t minors = position_pieces(pos, us, KNIGHT) | position_pieces(pos, us, BISHOP);
    order->threatened = (position_pieces(pos, us, QUEEN) & order->by_rooks) |
                        (position_pieces(pos, us, ROOK) & order->by_minors) |
                        (minors & order->by_pawns);
    order->checks[PAWN] = attacks_pawn(!us, king);
    order->checks[KNIGHT] = attacks_knight(king);
    order->checks[BISHOP] = attacks_bishop(king, occupied);
    order->checks[ROOK] = attacks_rook(king, occupied);
    order->checks[QUEEN] = order->checks[BISHOP] | order->checks[ROOK];
    order->checks[KING] = 0;
}

/* A bonus for a piece that leaves the attack of a lesser one, and for a check.
 * Idea: Stockfish, MovePicker::score() */
static int order_bonus(const struct quiet_order *order, int type, move m)
{
    uint64_t to = bb_square(move_to(m));
    int bonus = order->checks[type] & to ? ORDER_CHECK : 0;
    if (!(order->threatened & bb_square(move_from(m))))
        return bonus;
    if (type == QUEEN)
        return bonus + (order->by_rooks & to ? 0 : ORDER_SAVE_QUEEN);
    if (type == ROOK)
        return bonus + (order->by_minors & to ? 0 : ORDER_SAVE_ROOK);
    return bonus + (order->by_pawns & to ? 0 : ORDER_SAVE_MINOR);
}

/* How good a quiet move has been, by all of its histories; those of the move itself and after the
 * move before count double. continuation: its continuation_score().
 * Source: https://www.chessprogramming.org/History_Heuristic */
static int quiet_score(struct worker *worker, const struct quiet_order *order, move m,
                       int continuation)
{
    struct stack *ss = worker_stack(worker);
    const struct position *pos = &worker->pos;
    int piece = pos->board[move_from(m)];
    int to = move_to(m);
    int own = *history_quiet(&worker->history, pos->turn, m);
    int last = ss[-1].continuation->value[piece][to];
    if (position_in_check(pos))
        return own + last;
    return 2 * own + last + continuation + ss[-6].continuation->value[piece][to] +
           order_bonus(order, piece_type(piece), m);
}

/* Captures: the most valuable victim first, then the history of such captures.
 * Source: https://www.chessprogramming.org/MVV-LVA, .../History_Heuristic, "Capture History" */
static int noisy_score(struct worker *worker, move m)
{
    const struct position *pos = &worker->pos;
    int score = NOISY_VICTIM_SCALE * see_values[move_victim(pos, m)] +
                *history_noisy(&worker->history, pos, m);
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
    picker->continuation = picker->continuations[place];
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
    const struct position *pos = &picker->worker->pos;
    struct quiet_order order;
    find_order(pos, &order);
    picker->threatened = order.threatened;
    picker->count = movegen_quiet(pos, picker->moves);
    for (int i = 0; i < picker->count; i++) {
        move m = picker->moves[i];
        picker->continuations[i] = continuation_score(picker->worker, m);
        picker->keys[i] =
            make_key(quiet_score(picker->worker, &order, m, picker->continuations[i]), i);
    }
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
    return see_at_least(pos, m, -picker->score * NOISY_SEE_SCALE / 1024);
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

static move next_refutation(struct picker *picker)
{
    const struct position *pos = &picker->worker->pos;
    while (picker->refutation < REFUTATIONS) {
        move *m = &picker->refutations[picker->refutation++];
        if (*m != MOVE_NONE && *m != picker->tt_move && move_is_quiet(pos, *m) &&
            movegen_is_legal(pos, *m))
            return *m;
        *m = MOVE_NONE;
    }
    return MOVE_NONE;
}

static move next_quiet(struct picker *picker)
{
    const move *refutations = picker->refutations;
    while (picker->at < picker->count) {
        move m = take_best(picker);
        if (m != picker->tt_move && m != refutations[0] && m != refutations[1] &&
            m != refutations[2])
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
        picker->stage = picker->quiets ? PICK_REFUTATIONS : PICK_DONE;
        return next_move(picker, skip_quiets);
    case PICK_REFUTATIONS:
        m = next_refutation(picker);
        if (m != MOVE_NONE)
            return m;
        /* fallthrough */
    case PICK_GENERATE_QUIET:
        picker->at = picker->count = 0;
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
    const struct position *pos = &worker->pos;
    struct candidate candidate = {
        .move = m,
        .quiet = move_is_quiet(pos, m),
        .checks = movegen_gives_check(pos, m),
        .threatened = (picker->threatened & bb_square(move_from(m))) != 0,
    };
    candidate.continuation =
        picker->stage == PICK_QUIET ? picker->continuation : continuation_score(worker, m);
    candidate.history = candidate.continuation + 2 * *history_quiet(&worker->history, pos->turn, m);
    if (!candidate.quiet)
        candidate.noisy_history = *history_noisy(&worker->history, pos, m);
    return candidate;
}
