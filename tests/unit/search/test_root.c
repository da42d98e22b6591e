/* Iterative deepening on one worker: what an iteration tells the time manager. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "search/root.h"
#include "tests/support/search_worker.h"

static struct search_worker *made;

static int fresh(void **state)
{
    (void)state;
    made = search_worker_create();
    return made ? 0 : -1;
}

static int gone(void **state)
{
    (void)state;
    search_worker_destroy(made);
    return 0;
}

static const char *const positions[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp3ppp/2n1pn2/3p4/1b1P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
};

/* The best moves and scores of the iterations, as reported. */
static struct iterations {
    int count;
    move best[SEARCH_DEPTH_MAX + 1];
    int score[SEARCH_DEPTH_MAX + 1];
} iterations;

static void on_info(void *context, const struct search_info *info)
{
    struct iterations *seen = context;
    if (info->bound != SCORE_EXACT)
        return; /* a slow machine hears of failed windows, too */
    assert_int_equal(info->depth, ++seen->count);
    seen->best[seen->count] = info->pv[0];
    seen->score[seen->count] = info->score;
}

static void the_score_drop_is_that_of_the_search(void **state)
{
    (void)state;
    made->shared.reporter = (struct search_reporter){.context = &iterations, .info = on_info};
    int changes = 0;
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
        for (int depth = 2; depth <= 9; depth++) {
            iterations.count = 0;
            signals_arm(&made->shared.signals, false);
            tt_clear_part(&made->shared.tt, 0, 1, false);
            history_clear(&made->worker->history);
            made->shared.request.depth = depth;
            assert_true(search_worker_set(made, positions[i]));
            root_iterate(made->worker);
            assert_int_equal(iterations.count, depth);
            const struct time_signals *signals = &made->worker->time_signals;
            const move *best = iterations.best;
            assert_int_equal(signals->score_drop_cp,
                             iterations.score[depth - 1] - iterations.score[depth]);
            assert_in_range(signals->best_node_permille, 0, 1000);
            int stable = 0;
            while (depth - stable > 1 && best[depth - stable - 1] == best[depth])
                stable++;
            assert_int_equal(signals->stable, stable);
            changes += best[depth] != best[depth - 1];
        }
    assert_true(changes > 0);
}

/* Iterates on a position for which the soft limit has passed already, the hard one has not. */
static void iterate_late(const char *fen, bool pondering)
{
    made->shared.reporter = (struct search_reporter){0};
    assert_true(search_worker_set(made, fen));
    made->shared.budget =
        (struct time_budget){.timed = true, .soft_ms = 1, .hard_ms = INT64_C(1) << 40};
    made->shared.start_ms = clock_ms() - 100000;
    atomic_store(&made->shared.stop_on_ponderhit, false);
    signals_arm(&made->shared.signals, pondering);
    root_iterate(made->worker);
}

static void the_soft_limit_ends_the_iterations(void **state)
{
    (void)state;
    made->shared.request.depth = 4;
    iterate_late(positions[1], false);
    assert_int_equal(made->worker->completed_depth, 1);
    assert_true(signals_stopped(&made->shared.signals));
    assert_false(atomic_load(&made->shared.stop_on_ponderhit));
}

/* While pondering the search goes on, and the ponderhit ends it. */
static void the_soft_limit_waits_for_the_ponderhit(void **state)
{
    (void)state;
    made->shared.request.depth = 4;
    iterate_late(positions[1], true);
    assert_int_equal(made->worker->completed_depth, 4);
    assert_false(signals_stopped(&made->shared.signals));
    assert_true(atomic_load(&made->shared.stop_on_ponderhit));
}

/* The best of some moves says nothing of the position to later searches. */
static void named_moves_leave_the_root_out_of_the_table(void **state)
{
    (void)state;
    struct search_request *wanted = &made->shared.request;
    struct tt_entry entry = {.move = MOVE_NONE};
    wanted->depth = 6;
    wanted->moves[0] = move_make(square_make(0, 1), square_make(0, 2));
    wanted->move_count = 1;
    assert_true(search_worker_set(made, positions[1]));
    signals_arm(&made->shared.signals, false);
    root_iterate(made->worker);
    assert_int_equal(made->worker->completed_depth, 6);
    /* The static evaluation may stay. */
    if (tt_probe(&made->shared.tt, wanted->root.key, 0, 0, &entry))
        assert_int_equal(entry.depth, TT_DEPTH_EVAL);
    assert_int_equal(entry.move, MOVE_NONE);
    wanted->move_count = 0;
    assert_true(search_worker_set(made, positions[1]));
    signals_arm(&made->shared.signals, false);
    root_iterate(made->worker);
    assert_true(tt_probe(&made->shared.tt, wanted->root.key, 0, 0, &entry));
    assert_true(entry.depth > 0);
}

/* With much time left: one legal move needs no thought, a mate no deeper look. */
static void clear_cases_end_early(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int depth;
    } cases[] = {
        {"7k/8/8/8/8/2r5/1r6/K7 w - - 0 1", 5},
        {"6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 6}, /* mate in one ply: 2 * 1 + 4 */
    };
    made->shared.request.depth = 20;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(search_worker_set(made, cases[i].fen));
        made->shared.budget = (struct time_budget){
            .timed = true, .soft_ms = INT64_C(1) << 40, .hard_ms = INT64_C(1) << 40};
        signals_arm(&made->shared.signals, false);
        root_iterate(made->worker);
        assert_int_equal(made->worker->completed_depth, cases[i].depth);
        made->shared.budget.fixed = true; /* movetime is used up */
        signals_arm(&made->shared.signals, false);
        worker_prepare(made->worker);
        root_iterate(made->worker);
        assert_int_equal(made->worker->completed_depth, 20);
    }
}

int main(void)
{
    chess_init();
#define ROOT_TEST(name) cmocka_unit_test_setup_teardown(name, fresh, gone)
    const struct CMUnitTest tests[] = {
        ROOT_TEST(the_score_drop_is_that_of_the_search),
        ROOT_TEST(the_soft_limit_ends_the_iterations),
        ROOT_TEST(the_soft_limit_waits_for_the_ponderhit),
        ROOT_TEST(named_moves_leave_the_root_out_of_the_table),
        ROOT_TEST(clear_cases_end_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
