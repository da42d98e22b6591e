/* The search's parts on their own: table, exchange evaluation, time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "search/see.h"
#include "search/timeman.h"
#include "search/tt.h"

static void table_gives_back_what_it_got(void **state)
{
    (void)state;
    struct tt tt = {0};
    assert_int_equal(tt_resize(&tt, 1), STATUS_OK);
    struct tt_entry in = {.move = move_make(12, 28),
                          .score = -321,
                          .eval = 77,
                          .depth = 19,
                          .bound = SCORE_LOWER,
                          .pv = true};
    struct tt_entry out;
    assert_false(tt_probe(&tt, 0x1234567890abcdef, 3, 0, &out));
    tt_store(&tt, 0x1234567890abcdef, 3, &in);
    assert_true(tt_probe(&tt, 0x1234567890abcdef, 3, 0, &out));
    assert_int_equal(out.move, in.move);
    assert_int_equal(out.score, in.score);
    assert_int_equal(out.eval, in.eval);
    assert_int_equal(out.depth, in.depth);
    assert_int_equal(out.bound, in.bound);
    assert_true(out.pv);
    assert_false(tt_probe(&tt, 0x1234567890abcdee, 3, 0, &out));
    tt_clear_part(&tt, 0, 1, false);
    assert_false(tt_probe(&tt, 0x1234567890abcdef, 3, 0, &out));
    tt_free(&tt);
}

static void mates_are_kept_from_the_node(void **state)
{
    (void)state;
    struct tt tt = {0};
    struct tt_entry out;
    assert_int_equal(tt_resize(&tt, 1), STATUS_OK);
    /* Mate in five plies from a node at ply 4 is in nine from the root; found again at ply 10. */
    struct tt_entry in = {
        .score = SCORE_MATE - 9, .eval = SCORE_NONE, .depth = 5, .bound = SCORE_EXACT};
    tt_store(&tt, 99, 4, &in);
    assert_true(tt_probe(&tt, 99, 10, 0, &out));
    assert_int_equal(out.score, SCORE_MATE - 15);
    assert_int_equal(out.eval, SCORE_NONE);
    tt_free(&tt);
}

/* The key does not know the 50-move counter. */
static void mates_after_the_fifty_moves_are_none(void **state)
{
    (void)state;
    struct tt tt = {0};
    struct tt_entry out;
    assert_int_equal(tt_resize(&tt, 1), STATUS_OK);
    for (int sign = -1; sign <= 1; sign += 2) {
        struct tt_entry in = {.score = sign * (SCORE_MATE - 9), .bound = SCORE_EXACT};
        tt_store(&tt, 99, 0, &in);
        assert_true(tt_probe(&tt, 99, 2, 91, &out)); /* mate on the hundredth ply */
        assert_int_equal(out.score, sign * (SCORE_MATE - 11));
        assert_int_equal(out.bound, SCORE_EXACT);
        assert_true(tt_probe(&tt, 99, 2, 92, &out));
        assert_int_equal(out.bound, SCORE_NO_BOUND);
        assert_false(tt_cuts(&out, 0, 1));
        assert_false(tt_improves(&out, 0));
    }
    tt_free(&tt);
}

/* An evaluation alone says nothing of the score, and gives way to the first search. */
static void evaluations_are_kept_without_a_score(void **state)
{
    (void)state;
    struct tt tt = {0};
    struct tt_entry out;
    assert_int_equal(tt_resize(&tt, 1), STATUS_OK);
    tt_store_eval(&tt, 99, -37, false);
    assert_true(tt_probe(&tt, 99, 20, 0, &out));
    assert_int_equal(out.eval, -37);
    assert_int_equal(out.move, MOVE_NONE);
    assert_false(tt_cuts(&out, -1, 0));
    assert_false(tt_cuts(&out, score_mated_in(20), score_mated_in(20) + 1));
    assert_false(tt_improves(&out, -37));
    struct tt_entry searched = {.score = 5, .eval = -37, .depth = 1, .bound = SCORE_UPPER};
    tt_store(&tt, 99, 20, &searched);
    assert_true(tt_probe(&tt, 99, 20, 0, &out));
    assert_int_equal(out.score, 5);
    tt_free(&tt);
}

static void deep_entries_outlive_shallow_ones(void **state)
{
    (void)state;
    struct tt tt = {0};
    struct tt_entry out;
    assert_int_equal(tt_resize(&tt, 1), STATUS_OK);
    struct tt_entry deep = {.depth = 30, .bound = SCORE_EXACT};
    struct tt_entry shallow = {.depth = 2, .bound = SCORE_EXACT};
    tt_store(&tt, 1, 0, &deep);
    for (uint64_t key = 2; key < 50; key++) /* all in the first cluster */
        tt_store(&tt, key, 0, &shallow);
    assert_true(tt_probe(&tt, 1, 0, 0, &out));
    for (int search = 0; search < 8; search++)
        tt_next_search(&tt);
    for (uint64_t key = 2; key < 50; key++)
        tt_store(&tt, key, 0, &shallow);
    assert_false(tt_probe(&tt, 1, 0, 0, &out));
    tt_free(&tt);
}

/* The bound of a mate gives way to shallower searches in the end, that of another score never. */
static void bounds_of_mates_lose_depth(void **state)
{
    (void)state;
    struct tt tt = {0};
    struct tt_entry out;
    assert_int_equal(tt_resize(&tt, 1), STATUS_OK);
    struct tt_entry shallow = {.move = 5, .depth = 2, .bound = SCORE_LOWER};
    struct tt_entry deep = {.depth = 20, .bound = SCORE_UPPER, .score = SCORE_MATE - 30};
    const int scores[] = {SCORE_MATE - 30, 30 - SCORE_MATE, 500};
    for (int i = 0; i < 3; i++) {
        deep.score = scores[i];
        tt_store(&tt, 7, 0, &deep);
        for (int times = 0; times < 4; times++)
            tt_store(&tt, 7, 0, &shallow);
        assert_true(tt_probe(&tt, 7, 0, 0, &out));
        assert_int_equal(out.depth, i < 2 ? 16 : 20);
        assert_int_equal(out.move, 5);
        assert_int_equal(out.score, scores[i]);
        tt_clear_part(&tt, 0, 1, false);
    }
    tt_free(&tt);
}

static void exchanges(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        const char *uci;
        int value;
    } cases[] = {
        {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 76},
        /* Nxe5 Nxe5 Rxe5 Rxe5?? no: knight for pawn */
        {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -208},
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 76},
        {"4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0},
        {"4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1", "d2d5", -847},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 76},
        {"3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 1311},
        {"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", 0},
        /* The king may not take what is defended. */
        {"8/8/8/3k4/3p4/3R4/3R4/3K4 w - - 0 1", "d3d4", 76},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct position pos;
        move m;
        assert_int_equal(fen_parse(span_of(cases[i].fen), &pos, NULL), STATUS_OK);
        assert_int_equal(move_from_uci(&pos, span_of(cases[i].uci), &m), STATUS_OK);
        if (!see_at_least(&pos, m, cases[i].value) || see_at_least(&pos, m, cases[i].value + 1))
            fail_msg("%s %s is not worth %d", cases[i].fen, cases[i].uci, cases[i].value);
    }
}

/* Playing every move up to the hard limit, with the overhead lost each time, never loses on time.
 */
static void clock_is_never_overrun(void **state)
{
    (void)state;
    static const struct {
        int64_t time;
        int64_t increment;
        int moves_to_go;
        int64_t overhead;
    } cases[] = {
        {1000, 10, 0, 10},  {2000, 20, 0, 10}, {60000, 0, 0, 10},     {100, 0, 0, 10},
        {60000, 0, 40, 10}, {5000, 0, 1, 10},  {300000, 3000, 0, 50}, {1000, 0, 5, 100},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct search_request request;
        search_request_init(&request);
        request.overhead_ms = cases[i].overhead;
        request.increment_ms[WHITE] = cases[i].increment;
        int64_t left = cases[i].time;
        int moves = cases[i].moves_to_go ? cases[i].moves_to_go : 300;
        for (int n = 0; n < moves && left > 2 * cases[i].overhead; n++) {
            request.time_ms[WHITE] = left;
            request.moves_to_go = cases[i].moves_to_go ? moves - n : 0;
            struct time_budget budget = timeman_plan(&request);
            assert_true(budget.timed && !budget.fixed);
            assert_true(budget.soft_ms >= 1 && budget.soft_ms <= budget.hard_ms);
            left -= budget.hard_ms + cases[i].overhead;
            assert_true(left >= 0);
            left += cases[i].increment;
        }
    }
}

/* Sudden death over a slow connection: the overhead of each move takes its part of the clock. */
static void a_clock_lasts_in_spite_of_overhead(void **state)
{
    (void)state;
    struct search_request request;
    search_request_init(&request);
    request.overhead_ms = 100;
    int64_t left = 6000;
    int moves = 0;
    for (; left > 0; moves++) {
        request.time_ms[WHITE] = left;
        left -= timeman_plan(&request).soft_ms * 3 / 2 + request.overhead_ms;
    }
    assert_in_range(moves, 45, 60);
}

/* Forty moves in a second, each a little longer than planned: what is left for the last of them
 * outlives a machine that stalls for as long as a move may take. */
static void the_last_moves_have_a_reserve(void **state)
{
    (void)state;
    struct search_request request;
    search_request_init(&request);
    request.overhead_ms = 10;
    int64_t left = 1000;
    for (int moves = 40; moves > 2; moves--) {
        request.time_ms[WHITE] = left;
        request.moves_to_go = moves;
        left -= timeman_plan(&request).soft_ms * 3 / 2;
    }
    request.time_ms[WHITE] = left;
    request.moves_to_go = 2;
    assert_true(left - timeman_plan(&request).hard_ms >= 40);
}

static void time_follows_the_signals(void **state)
{
    (void)state;
    struct search_request request;
    search_request_init(&request);
    request.time_ms[WHITE] = 60000;
    struct time_budget budget = timeman_plan(&request);
    struct time_signals calm = {.stable = 6, .score_drop_cp = 0, .best_node_permille = 950};
    struct time_signals doubt = {
        .stable = 0, .score_drop_cp = 50, .best_node_permille = 300, .changes_permille = 500};
    assert_true(timeman_soft_limit(&budget, &calm) < budget.soft_ms);
    assert_true(timeman_soft_limit(&budget, &doubt) > budget.soft_ms);
    assert_true(timeman_soft_limit(&budget, &doubt) <= budget.hard_ms);
}

/* The signals of iterations with these scores, the same move each time. */
static struct time_signals signals_of(const int *last_score, const int *scores, int count)
{
    struct time_signals signals;
    timeman_start(&signals, last_score);
    for (int i = 0; i < count; i++)
        timeman_take_iteration(&signals, move_make(12, 28), scores[i], 700, 1000);
    return signals;
}

/* A score that fell since the last move, or while searching, takes more time; one that rose less.
 */
static void a_falling_score_takes_time(void **state)
{
    (void)state;
    const int level[] = {20, 20, 20, 20, 20, 20};
    const int falling[] = {20, 20, 18, 14, 10, 6};
    const int before = 20, better = 40, worse = 0;
    struct search_request request;
    search_request_init(&request);
    request.time_ms[WHITE] = 60000;
    struct time_budget budget = timeman_plan(&request);
    struct time_signals signals = signals_of(NULL, level, 6);
    int64_t usual = timeman_soft_limit(&budget, &signals);
    signals = signals_of(&before, level, 6);
    assert_int_equal(timeman_soft_limit(&budget, &signals), usual);
    signals = signals_of(&better, level, 6);
    assert_true(timeman_soft_limit(&budget, &signals) > usual);
    signals = signals_of(&worse, level, 6);
    assert_true(timeman_soft_limit(&budget, &signals) < usual);
    signals = signals_of(NULL, falling, 6);
    assert_int_equal(signals.score_drop_cp, 4);
    assert_int_equal(signals.trend_cp, 14);
    assert_int_equal(signals.fall_cp, 0);
    assert_true(timeman_soft_limit(&budget, &signals) > usual);
    signals = signals_of(NULL, level, 5);
    timeman_take_change(&signals);
    timeman_take_iteration(&signals, move_make(12, 28), 20, 700, 1000);
    assert_true(timeman_soft_limit(&budget, &signals) > usual);
}

static void a_slow_mover_takes_its_time(void **state)
{
    (void)state;
    struct search_request request;
    search_request_init(&request);
    request.time_ms[WHITE] = 60000;
    int64_t usual = timeman_plan(&request).soft_ms;
    request.slow_percent = 200;
    assert_int_equal(timeman_plan(&request).soft_ms, 2 * usual);
    request.slow_percent = 10;
    assert_int_equal(timeman_plan(&request).soft_ms, usual / 10);
    request.slow_percent = 1000;
    assert_true(timeman_plan(&request).hard_ms < request.time_ms[WHITE]);
}

static void movetime_is_used_up(void **state)
{
    (void)state;
    struct search_request request;
    search_request_init(&request);
    assert_false(timeman_plan(&request).timed);
    request.movetime_ms = 500;
    request.overhead_ms = 10;
    struct time_budget budget = timeman_plan(&request);
    assert_true(budget.timed && budget.fixed);
    assert_int_equal(budget.hard_ms, 490);
    request.movetime_ms = 0;
    assert_int_equal(timeman_plan(&request).hard_ms, 1);
    request.time_ms[WHITE] = 1000;
    request.infinite = true;
    assert_false(timeman_plan(&request).timed);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_gives_back_what_it_got),
        cmocka_unit_test(mates_are_kept_from_the_node),
        cmocka_unit_test(mates_after_the_fifty_moves_are_none),
        cmocka_unit_test(evaluations_are_kept_without_a_score),
        cmocka_unit_test(deep_entries_outlive_shallow_ones),
        cmocka_unit_test(bounds_of_mates_lose_depth),
        cmocka_unit_test(exchanges),
        cmocka_unit_test(clock_is_never_overrun),
        cmocka_unit_test(a_clock_lasts_in_spite_of_overhead),
        cmocka_unit_test(the_last_moves_have_a_reserve),
        cmocka_unit_test(time_follows_the_signals),
        cmocka_unit_test(a_falling_score_takes_time),
        cmocka_unit_test(a_slow_mover_takes_its_time),
        cmocka_unit_test(movetime_is_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
