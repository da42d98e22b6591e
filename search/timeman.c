#include "search/timeman.h"

#include "search/params.h"

/* Not tuned: fast games neither last so long nor stall. */
enum {
    MOVES_TO_COME = 40,   /* reckoned with when nobody says how many */
    STALL_RESERVE_MS = 60 /* a busy machine may let us wait so long */
};

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

struct time_budget timeman_plan(const struct search_request *request)
{
    if (request->infinite)
        return (struct time_budget){0};
    int us = request->root.turn;
    int64_t overhead = request->overhead_ms;
    if (request->movetime_ms >= 0) {
        int64_t limit = max64(1, request->movetime_ms - overhead);
        return (struct time_budget){
            .timed = true, .fixed = true, .soft_ms = limit, .hard_ms = limit};
    }
    if (request->time_ms[us] < 0)
        return (struct time_budget){0};

    int64_t left = max64(1, request->time_ms[us] - overhead);
    int64_t increment = max64(0, request->increment_ms[us]);
    int64_t moves = request->moves_to_go > 0 ? min64(request->moves_to_go, 40) : 0;

    /* A reserve for a machine that stalls is kept back, half of what is left at most. With a fixed
     * number of moves: an equal share for each, less the overhead of each. Else a fixed share of
     * the clock plus half of the increment, which is no more than the share: so the clock settles
     * at some increments. What the overhead of the next moves takes beyond their increments is kept
     * back, too. Source: https://www.chessprogramming.org/Time_Management */
    left -= min64(STALL_RESERVE_MS, left / 2);
    int64_t soft;
    int64_t hard;
    if (moves) {
        int64_t usable = max64(1, left + increment * (moves - 1) - overhead * (moves - 1));
        soft = usable * TIME_MOVES_PERMILLE / (1000 * moves) * request->slow_percent / 100;
        hard =
            min64(soft * TIME_HARD_FACTOR,
                  left * (moves == 1 ? TIME_LAST_HARD_PERMILLE : TIME_MOVES_HARD_PERMILLE) / 1000);
    } else {
        left = max64(1, left - MOVES_TO_COME * max64(0, overhead - increment));
        int64_t share = left * TIME_SOFT_PERMILLE / 1000;
        soft = (share + min64(share, increment * TIME_INCREMENT_PERMILLE / 1000)) *
               request->slow_percent / 100;
        hard = min64(soft * TIME_HARD_FACTOR, left * TIME_HARD_PERMILLE / 1000);
    }
    hard = max64(1, hard);
    return (struct time_budget){
        .timed = true, .soft_ms = max64(1, min64(soft, hard)), .hard_ms = hard};
}

void timeman_start(struct time_signals *signals, const int *last_score)
{
    *signals = (struct time_signals){.best = MOVE_NONE, .has_last = last_score != NULL};
    if (last_score)
        signals->last_score = *last_score;
}

void timeman_take_change(struct time_signals *signals)
{
    signals->changes_permille += 1000;
}

void timeman_take_iteration(struct time_signals *signals, move best, int score, uint64_t best_nodes,
                            uint64_t nodes)
{
    bool first = signals->best == MOVE_NONE;
    int *oldest = &signals->scores[signals->iterations++ % TIME_TREND];
    if (first)
        for (int i = 0; i < TIME_TREND; i++)
            signals->scores[i] = signals->has_last ? signals->last_score : score;
    signals->stable = best == signals->best ? signals->stable + 1 : 0;
    signals->score_drop_cp = first ? 0 : signals->score - score;
    signals->trend_cp = *oldest - score;
    signals->fall_cp = signals->has_last ? signals->last_score - score : 0;
    signals->best_node_permille = nodes ? (int)(best_nodes * 1000 / nodes) : 1000;
    signals->changes_permille /= 2;
    signals->best = best;
    signals->score = *oldest = score;
}

int64_t timeman_soft_limit(const struct time_budget *budget, const struct time_signals *signals)
{
    if (budget->fixed)
        return budget->hard_ms;
    const int stability_permille[] = {TIME_STABLE_0, TIME_STABLE_1, TIME_STABLE_2, TIME_STABLE_3,
                                      TIME_STABLE_4, TIME_STABLE_5, TIME_STABLE_6};
    int stable = signals->stable < 6 ? signals->stable : 6;
    int64_t factor = stability_permille[stable];

    /* The score falls: there may be something to find. Source: Stockfish, "fallingEval". */
    int64_t fall = TIME_FALL_BASE + (int64_t)TIME_FALL_ITERATION * signals->score_drop_cp +
                   (int64_t)TIME_FALL_TREND * signals->trend_cp +
                   (int64_t)TIME_FALL_MOVE * signals->fall_cp;
    factor = factor * min64(TIME_FALL_MAX, max64(TIME_FALL_MIN, fall)) / 1000;

    /* Idea: Stockfish, "bestMoveInstability". */
    factor = factor *
             (TIME_CHANGE_BASE + (int64_t)TIME_CHANGE_SLOPE * signals->changes_permille / 1000) /
             1000;

    /* Most nodes went into the best move: the others were refuted at once, so less time is needed.
     * Source: https://www.chessprogramming.org/Time_Management, node based. */
    factor = factor * (TIME_EFFORT_BASE - signals->best_node_permille) / 1000;
    return min64(budget->hard_ms, budget->soft_ms * factor / 1000);
}
