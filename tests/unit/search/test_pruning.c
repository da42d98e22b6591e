/* Pruning decisions and the list of root moves: properties that hold for every number in the
 * table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "search/params.h"
#include "search/pruning.h"

static const struct candidate plain = {.move = MOVE_NONE, .quiet = true};

/* A worker's board does not matter to quiet moves. */
static struct worker *worker_of_window(void)
{
    struct worker *worker = calloc(1, sizeof *worker);
    assert_non_null(worker);
    worker->root_window = 20;
    return worker;
}

/* A move later costs less than the logarithm adds while few came before. */
static void later_moves_are_reduced_more(void **state)
{
    (void)state;
    struct worker *worker = worker_of_window();
    struct stack stack[3] = {0};
    for (int depth = 3; depth <= SEARCH_DEPTH_MAX; depth++) {
        struct node node = {
            .depth = depth, .alpha = 10, .beta = 11, .improving = true, .tt_move = 1};
        int last = -100000;
        for (node.move_count = 1; node.move_count < 7; node.move_count++) {
            int reduction = late_move_reduction(worker, &node, stack + 1, &plain);
            assert_true(reduction >= last);
            last = reduction;
        }
    }
    free(worker);
}

static void promising_moves_are_reduced_less(void **state)
{
    (void)state;
    struct worker *worker = worker_of_window();
    struct stack stack[3] = {0};
    struct stack *ss = stack + 1;
    for (int depth = 1; depth <= 30; depth++)
        for (int count = 1; count <= 40; count++) {
            struct node node = {.depth = depth,
                                .alpha = 10,
                                .beta = 11,
                                .move_count = count,
                                .improving = true,
                                .tt_move = 1};
            int usual = late_move_reduction(worker, &node, ss, &plain);
            struct candidate better = plain;
            better.continuation = better.last = CONTINUATION_LIMIT;
            assert_true(late_move_reduction(worker, &node, ss, &better) < usual);
            better.continuation = better.last = -CONTINUATION_LIMIT;
            assert_true(late_move_reduction(worker, &node, ss, &better) > usual);
            ss->tt_pv = true;
            assert_true(late_move_reduction(worker, &node, ss, &plain) < usual);
            ss->tt_pv = false;
            node.cut = true;
            assert_true(late_move_reduction(worker, &node, ss, &plain) > usual);
            node.cut = false;
            node.improving = false;
            assert_true(late_move_reduction(worker, &node, ss, &plain) >= usual);
        }
    free(worker);
}

/* The estimate is above beta then; a mate is never taken on trust. */
static void reverse_futility_needs_a_good_estimate(void **state)
{
    (void)state;
    static const struct stack stack[2];
    const struct stack *ss = stack + 1;
    int cuts = 0;
    int fewer = 0; /* in an analysis */
    for (int depth = 1; depth <= 20; depth++)
        for (int eval = -3000; eval <= 3000; eval += 50)
            for (int beta = -3000; beta <= 3000; beta += 250) {
                struct node node = {.depth = depth, .eval = eval, .beta = beta};
                if (!reverse_futility_cuts(&node, ss, false))
                    continue;
                cuts++;
                fewer += !reverse_futility_cuts(&node, ss, true);
                assert_true(depth <= RFP_DEPTH && eval >= beta);
            }
    assert_true(cuts > 0 && fewer > 0 && fewer < cuts);
    struct node winning = {.depth = 1, .eval = SCORE_MATE - 5, .beta = 0};
    assert_false(reverse_futility_cuts(&winning, ss, false));
    struct node losing = {.depth = 1, .eval = 0, .beta = -SCORE_MATE + 5};
    assert_false(reverse_futility_cuts(&losing, ss, false));
}

/* Best first; moves with equal scores, which failed low, keep their order. */
static void root_moves_are_sorted_stably(void **state)
{
    (void)state;
    static const int scores[] = {5, -SCORE_INFINITE, 7, -SCORE_INFINITE, 7, -SCORE_INFINITE, 1};
    static const int order[] = {2, 4, 0, 6, 1, 3, 5};
    enum { COUNT = sizeof scores / sizeof *scores };
    struct root_move moves[COUNT];
    for (int i = 0; i < COUNT; i++) {
        root_move_init(&moves[i], (move)(100 + i));
        moves[i].score = scores[i];
    }
    root_moves_sort(moves, 0, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(moves[i].move, 100 + order[i]);
        assert_int_equal(moves[i].pv[0], moves[i].move);
    }
    assert_ptr_equal(root_move_find(moves, 0, COUNT, 100), &moves[2]);
    assert_null(root_move_find(moves, 3, COUNT, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_moves_are_reduced_more),
        cmocka_unit_test(promising_moves_are_reduced_less),
        cmocka_unit_test(reverse_futility_needs_a_good_estimate),
        cmocka_unit_test(root_moves_are_sorted_stably),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
