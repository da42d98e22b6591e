/* The plan of a build: a queue worked out by hand, the trace of a small book, measured times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "book/plan/simulation.h"
#include "chess/attacks.h"
#include "tests/support/growing.h"

/* A search to 5 plies takes 100 us, to 4 plies 60, to 3 plies 30, to 2 plies 20. */
static struct search_time fixed_times(void)
{
    struct search_time time = {.mean_us = {[2] = 20, [3] = 30, [4] = 60, [5] = 100}};
    for (int i = 0; i < SEARCH_TIME_SPREAD; i++)
        time.spread[i] = 1;
    return time;
}

static struct simulation_result simulate(const struct question_trace *trace, size_t workers,
                                         enum simulation_ahead ahead, int64_t overhead_us)
{
    const struct search_time time = fixed_times();
    const struct simulation_options options = {
        .workers = workers, .ahead = ahead, .ahead_max = SIZE_MAX, .overhead_us = overhead_us};
    struct simulation_result result;
    assert_int_equal(simulation_run(trace, &time, &options, &result), STATUS_OK);
    assert_int_equal(result.busy_us + result.idle_us + result.overhead_us,
                     (int64_t)workers * result.wall_us);
    return result;
}

/* The root, whose answer leads to two positions. With two workers:
 *
 *     worker   0        100      130      160
 *     A        root.... first.............
 *     B        idle.... second.. idle..... */
static void three_positions_two_workers(void **state)
{
    (void)state;
    struct trace_wait waits[] = {{.position = 1, .probability = 0.5, .depth = 4, .cause = 0},
                                 {.position = 2, .probability = 0.25, .depth = 3, .cause = 0}};
    struct trace_ask asks[] = {{.position = 0, .probability = 1, .depth = 5},
                               {.position = 1, .probability = 0.5, .depth = 4, .waits = 2},
                               {.position = 2, .probability = 0.25, .depth = 3, .waits = 2}};
    const struct question_trace trace = {
        .waits = waits, .wait_count = 2, .asks = asks, .ask_count = 3, .position_count = 3};
    struct simulation_result result = simulate(&trace, 2, AHEAD_FRONTIER, 0);
    assert_int_equal(result.wall_us, 160);
    assert_int_equal(result.busy_us, 190);
    assert_int_equal(result.idle_us, 130);
    assert_int_equal(result.searches, 3);
    assert_int_equal(result.wasted, 0);
    assert_int_equal(result.per_second, 3);
    assert_true(result.filled);
    assert_int_equal(result.full.at_us, 100);
    assert_int_equal(result.full.depth, 4);
    assert_true(result.full.probability == 0.5);
    assert_int_equal(result.idle_before_us, 100);
    assert_int_equal(result.drained.at_us, 130);
    assert_int_equal(result.idle_after_us, 30);

    assert_int_equal(simulate(&trace, 1, AHEAD_FRONTIER, 0).wall_us, 190);
    assert_int_equal(simulate(&trace, 2, AHEAD_NONE, 0).wall_us, 190);
    result = simulate(&trace, 1, AHEAD_FRONTIER, 10);
    assert_int_equal(result.wall_us, 220);
    assert_int_equal(result.overhead_us, 30);
    assert_int_equal(result.idle_us, 0);
    result = simulate(&trace, 3, AHEAD_FRONTIER, 0);
    assert_int_equal(result.wall_us, 160);
    assert_false(result.filled);
    const struct search_time time = fixed_times();
    assert_int_equal(simulation_total_us(&trace, &time), 190);
}

/* As above, but the second is searched ahead to 2 plies, from 100 to 120, and the answer for the
 * first raises it: it is searched again, from 160 to 190. */
static void a_search_that_is_wasted(void **state)
{
    (void)state;
    struct trace_wait waits[] = {{.position = 1, .probability = 0.5, .depth = 4, .cause = 0},
                                 {.position = 2, .probability = 0.1, .depth = 2, .cause = 0},
                                 {.position = 2, .probability = 0.3, .depth = 3, .cause = 1}};
    struct trace_ask asks[] = {{.position = 0, .probability = 1, .depth = 5},
                               {.position = 1, .probability = 0.5, .depth = 4, .waits = 2},
                               {.position = 2, .probability = 0.3, .depth = 3, .waits = 3}};
    const struct question_trace trace = {
        .waits = waits, .wait_count = 3, .asks = asks, .ask_count = 3, .position_count = 3};
    const struct simulation_result result = simulate(&trace, 2, AHEAD_FRONTIER, 0);
    assert_int_equal(result.wall_us, 190);
    assert_int_equal(result.searches, 4);
    assert_int_equal(result.wasted, 1);
    assert_int_equal(result.wasted_us, 20);
    assert_int_equal(result.busy_us, 210);
    assert_int_equal(simulate(&trace, 2, AHEAD_NONE, 0).wasted, 0);
}

/* The second, searched ahead until 130, leads to a third. From the queue it is searched when the
 * run comes to it, from 160 to 190; by the answer at once, from 130 to 160. */
static void behind_an_answer(void **state)
{
    (void)state;
    struct trace_wait waits[] = {{.position = 1, .probability = 0.5, .depth = 4, .cause = 0},
                                 {.position = 2, .probability = 0.25, .depth = 3, .cause = 0},
                                 {.position = 3, .probability = 0.2, .depth = 3, .cause = 2}};
    struct trace_ask asks[] = {{.position = 0, .probability = 1, .depth = 5},
                               {.position = 1, .probability = 0.5, .depth = 4, .waits = 2},
                               {.position = 2, .probability = 0.25, .depth = 3, .waits = 2},
                               {.position = 3, .probability = 0.2, .depth = 3, .waits = 3}};
    const struct question_trace trace = {
        .waits = waits, .wait_count = 3, .asks = asks, .ask_count = 4, .position_count = 4};
    assert_int_equal(simulate(&trace, 2, AHEAD_FRONTIER, 0).wall_us, 190);
    assert_int_equal(simulate(&trace, 2, AHEAD_ANSWERS, 0).wall_us, 160);
    assert_int_equal(simulate(&trace, 1, AHEAD_ANSWERS, 0).wall_us, 220);
}

/* The trace of a small book against a book. */
static struct question_trace small_trace(uint64_t seed)
{
    static const char *const first[] = {"e2e4", "d2d4", "g1f3", "c2c4"};
    static const char *const replies[] = {"e7e5", "c7c5", "d7d5", "g8f6", "e7e6"};
    struct book_bytes bytes = {.size = 0};
    struct question_trace trace;
    struct diag diag = {.text = ""};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            put(&bytes, position_by_moves(first[i]).key, replies[j], (uint16_t)(5 - j));
    struct book *book = open_bytes(&bytes);
    const struct opponent_source source = {.book = book, .share = 1};
    struct grow_options options = {.side = WHITE,
                                   .opponent = {.sources = &source, .source_count = 1},
                                   .root_depth = 5,
                                   .min_depth = 2,
                                   .branch = 6};
    const struct trace_answers answers = {.seed = seed, .root_depth = 5};
    position_start(&options.root);
    if (question_trace_make(&options, &answers, &trace, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    book_close(book);
    return trace;
}

/* Each position is asked for once, to the depth that it had when it was seen last; what an answer
 * leads to is seen after it was asked for. */
static void what_a_trace_is(void **state)
{
    (void)state;
    enum { MOST = 100000 };
    static size_t asked_at[MOST];
    static uint8_t depths[MOST];
    struct question_trace trace = small_trace(1);
    size_t wait = 0;
    assert_in_range(trace.position_count, 50, MOST);
    assert_int_equal(trace.ask_count, trace.counts.searches);
    assert_int_equal(trace.asks[0].depth, 5);
    memset(asked_at, 0, sizeof asked_at);
    depths[trace.asks[0].position] = 5;
    for (size_t i = 0; i < trace.ask_count; i++) {
        const struct trace_ask *ask = &trace.asks[i];
        for (; wait < ask->waits; wait++) {
            assert_true(trace.waits[wait].cause < trace.position_count);
            assert_true(asked_at[trace.waits[wait].cause] > 0);
            assert_int_equal(asked_at[trace.waits[wait].position], 0);
            depths[trace.waits[wait].position] = trace.waits[wait].depth;
        }
        assert_int_equal(asked_at[ask->position], 0);
        assert_int_equal(ask->depth, depths[ask->position]);
        asked_at[ask->position] = i + 1;
    }
    question_trace_free(&trace);
}

/* No work is lost and none is done for nothing, whatever the workers: simulate() checks the sums.
 */
static void what_always_holds(void **state)
{
    (void)state;
    static const size_t workers[] = {1, 2, 7, 100, 5000};
    const struct search_time time = fixed_times();
    struct question_trace trace = small_trace(2);
    int64_t total = simulation_total_us(&trace, &time);
    for (int ahead = AHEAD_NONE; ahead <= AHEAD_ANSWERS; ahead++)
        for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
            const struct simulation_result result =
                simulate(&trace, workers[i], (enum simulation_ahead)ahead, i % 2 ? 3 : 0);
            const struct simulation_result again =
                simulate(&trace, workers[i], (enum simulation_ahead)ahead, i % 2 ? 3 : 0);
            assert_int_equal(result.wall_us, again.wall_us);
            assert_int_equal(result.busy_us, again.busy_us);
            assert_int_equal(result.searches, again.searches);
            assert_int_equal(result.searches - result.wasted, trace.ask_count);
            assert_int_equal(result.busy_us - result.wasted_us, total);
            assert_true(result.wall_us * (int64_t)workers[i] >= total);
            if (ahead == AHEAD_NONE && i % 2 == 0)
                assert_int_equal(result.wall_us, total);
        }
    assert_true(simulate(&trace, 7, AHEAD_ANSWERS, 0).wall_us <
                simulate(&trace, 7, AHEAD_NONE, 0).wall_us / 3);
    question_trace_free(&trace);
    const struct question_trace empty = {.ask_count = 0};
    assert_int_equal(simulate(&empty, 3, AHEAD_FRONTIER, 0).wall_us, 0);
}

/* With so many positions ahead at most: one of two. */
static void a_limit_to_searching_ahead(void **state)
{
    (void)state;
    const struct search_time time = fixed_times();
    struct question_trace trace = small_trace(3);
    struct simulation_result result;
    struct simulation_options options = {
        .workers = 20, .ahead = AHEAD_FRONTIER, .ahead_max = SIZE_MAX};
    assert_int_equal(simulation_run(&trace, &time, &options, &result), STATUS_OK);
    int64_t free_us = result.wall_us;
    options.ahead_max = 1;
    assert_int_equal(simulation_run(&trace, &time, &options, &result), STATUS_OK);
    assert_true(result.wall_us > free_us);
    assert_false(result.filled);
    question_trace_free(&trace);
}

/* Twice the nodes a ply more: means of 1000, 2000, (4000), 8000 nodes at 6, 7 and 9 plies, half of
 * the searches a half above, half of them a half below. */
static void times_of_a_store(void **state)
{
    (void)state;
    struct score_store *store;
    struct search_time time;
    assert_int_equal(score_store_open(NULL, &nobody, &store, NULL), STATUS_OK);
    assert_false(search_time_of_store(store, 1000, 0, &time));
    for (unsigned i = 0; i < 60; i++) {
        const unsigned depth = i % 3 == 2 ? 9 : 6 + i % 3;
        struct packed_position pos = {{(uint8_t)i}};
        const struct search_answer answer = {
            .depth = (int)depth, .nodes = (1000u << (depth - 6)) / 2 * (i / 3 % 2 ? 3 : 1)};
        assert_int_equal(score_store_add(store, &pos, (struct search_limit){SEARCH_TO_DEPTH, depth},
                                         &answer, NULL),
                         STATUS_OK);
    }
    assert_true(search_time_of_store(store, 1000, 0, &time)); /* a node takes a millisecond */
    for (int depth = 4; depth <= 12; depth++) {
        double wanted = 1e6 * (depth < 6 ? 1.0 / (1 << (6 - depth)) : 1 << (depth - 6));
        assert_true(time.mean_us[depth] > 0.999 * wanted && time.mean_us[depth] < 1.001 * wanted);
    }
    assert_true(time.spread[0] > 0.499 && time.spread[0] < 0.501);
    assert_true(time.spread[SEARCH_TIME_SPREAD - 1] > 1.499);
    int64_t one = search_time_us(&time, 1, 6);
    assert_true(one == search_time_us(&time, 1, 6) && (one / 1000 == 500 || one / 1000 == 1500 ||
                                                       one / 1000 == 499 || one / 1000 == 1499));
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_positions_two_workers),
        cmocka_unit_test(a_search_that_is_wasted),
        cmocka_unit_test(behind_an_answer),
        cmocka_unit_test(what_a_trace_is),
        cmocka_unit_test(what_always_holds),
        cmocka_unit_test(a_limit_to_searching_ahead),
        cmocka_unit_test(times_of_a_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
