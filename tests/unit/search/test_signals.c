/* Signals and the clock: what starts, stops and holds back a search from outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "base/clock.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "search/search.h"

static struct search *search;
static struct search_request request;
static struct search_result result;

/* What the search reported. */
static struct reports {
    int count;
    int64_t time_ms; /* of the last */
} reports;

static void on_info(void *context, const struct search_info *info)
{
    struct reports *seen = context;
    seen->count++;
    seen->time_ms = info->time_ms;
}

static const struct search_reporter reporter = {.context = &reports, .info = on_info};

static int fresh(void **state)
{
    (void)state;
    search = search_create();
    search_request_init(&request);
    reports = (struct reports){0};
    return search ? 0 : -1;
}

static int gone(void **state)
{
    (void)state;
    search_destroy(search);
    search = NULL;
    return 0;
}

static void set_root(const char *fen)
{
    assert_int_equal(fen_parse(span_of(fen), &request.root, NULL), STATUS_OK);
}

static void stop_before_start_is_not_lost(void **state)
{
    (void)state;
    request.infinite = true;
    search_arm(search, false, clock_ms());
    search_stop(search);
    search_run(search, &request, &reporter, &result);
    assert_true(result.best != MOVE_NONE);
    assert_int_equal(result.depth, 1);
    assert_int_equal(reports.count, 1);
}

static void *run_thread(void *argument)
{
    (void)argument;
    search_run(search, &request, &reporter, &result);
    return NULL;
}

static void infinite_waits_for_stop(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads += 3) {
        assert_int_equal(search_set_threads(search, threads), STATUS_OK);
        pthread_t thread;
        request.infinite = true;
        search_arm(search, false, clock_ms());
        assert_int_equal(pthread_create(&thread, NULL, run_thread, NULL), 0);
        search_stop(search);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(result.best != MOVE_NONE);
    }
}

static sem_t returned;

static void *run_and_post(void *argument)
{
    (void)run_thread(argument);
    assert_int_equal(sem_post(&returned), 0);
    return NULL;
}

/* Runs `request`, whose limit is reached at once: only a signal may end the waiting. */
static void check_that_it_waits(void)
{
    pthread_t thread;
    struct timespec until;
    assert_int_equal(sem_init(&returned, 0, 0), 0);
    search_arm(search, request.ponder, clock_ms());
    assert_int_equal(pthread_create(&thread, NULL, run_and_post, NULL), 0);
    assert_int_equal(clock_gettime(CLOCK_REALTIME, &until), 0);
    until.tv_nsec += 30 * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    assert_int_equal(sem_timedwait(&returned, &until), -1);
    if (request.ponder)
        search_ponderhit(search);
    else
        search_stop(search);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(sem_destroy(&returned), 0);
    assert_true(result.best != MOVE_NONE);
}

static void a_limit_ends_no_waiting(void **state)
{
    (void)state;
    for (int ponder = 0; ponder <= 1; ponder++) {
        search_request_init(&request);
        request.ponder = ponder;
        request.infinite = !ponder;
        request.nodes = 5;
        check_that_it_waits();
        request.nodes = 0;
        request.mate = 3;
        set_root("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
        check_that_it_waits();
    }
}

static void ponderhit_turns_the_clock_on(void **state)
{
    (void)state;
    pthread_t thread;
    request.ponder = true;
    request.time_ms[WHITE] = request.time_ms[BLACK] = 50;
    search_arm(search, true, clock_ms());
    assert_int_equal(pthread_create(&thread, NULL, run_thread, NULL), 0);
    search_ponderhit(search);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(result.best != MOVE_NONE);
}

/* Without clocks there is nothing to wait for any more. */
static void ponderhit_without_limits_ends_the_search(void **state)
{
    (void)state;
    pthread_t thread;
    request.ponder = true;
    search_arm(search, true, clock_ms());
    assert_int_equal(pthread_create(&thread, NULL, run_thread, NULL), 0);
    search_ponderhit(search);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(result.best != MOVE_NONE);
}

/* Ends the pondering as soon as the last depth is reported. */
static void hit_at_the_end(void *context, const struct search_info *info)
{
    on_info(context, info);
    if (info->depth == request.depth)
        search_ponderhit(search);
}

/* Chess programs show and record only what comes after the ponderhit. */
static void the_line_is_said_again_after_a_ponderhit(void **state)
{
    (void)state;
    const struct search_reporter hitting = {.context = &reports, .info = hit_at_the_end};
    request.depth = 4;
    search_arm(search, false, clock_ms());
    search_run(search, &request, &reporter, &result);
    int without = reports.count;
    reports = (struct reports){0};
    search_clear(search);
    request.ponder = true;
    search_arm(search, true, clock_ms());
    search_run(search, &request, &hitting, &result);
    assert_int_equal(reports.count, without + 1);
}

/* What is lost between the command and the search counts: stragglers of the last search, say. */
static void the_clock_runs_from_the_command(void **state)
{
    (void)state;
    request.movetime_ms = 10000;
    search_arm(search, false, clock_ms() - 20000);
    search_run(search, &request, &reporter, &result);
    assert_true(result.best != MOVE_NONE);
    assert_int_equal(result.depth, 1);
    assert_true(reports.time_ms >= 20000);
}

int main(void)
{
    chess_init();
#define SIGNAL_TEST(name) cmocka_unit_test_setup_teardown(name, fresh, gone)
    const struct CMUnitTest tests[] = {
        SIGNAL_TEST(stop_before_start_is_not_lost),
        SIGNAL_TEST(infinite_waits_for_stop),
        SIGNAL_TEST(a_limit_ends_no_waiting),
        SIGNAL_TEST(ponderhit_turns_the_clock_on),
        SIGNAL_TEST(ponderhit_without_limits_ends_the_search),
        SIGNAL_TEST(the_line_is_said_again_after_a_ponderhit),
        SIGNAL_TEST(the_clock_runs_from_the_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
