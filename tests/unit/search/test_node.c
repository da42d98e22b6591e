/* Single nodes: what one search of a position leaves behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/notation.h"
#include "search/correction.h"
#include "search/node.h"
#include "search/params.h"
#include "tests/support/search_worker.h"

static struct search_worker *made;
static struct worker *worker;

static int fresh(void **state)
{
    (void)state;
    made = search_worker_create();
    worker = made ? made->worker : NULL;
    return made ? 0 : -1;
}

static int gone(void **state)
{
    (void)state;
    search_worker_destroy(made);
    return 0;
}

/* A pawn ending where every move wins and nothing prunes: a reduced search without the table's move
 * fails high. That says nothing about the full depth. */
static void multicut_stores_nothing(void **state)
{
    (void)state;
    assert_true(search_worker_set(made, "8/7k/8/PPP5/8/8/6K1/8 b - - 0 1"));
    move m;
    assert_int_equal(move_from_uci(&worker->pos, span_of("h7h8"), &m), STATUS_OK);
    worker->root_depth = 20;
    worker_make(worker, m);
    assert_int_equal(move_from_uci(&worker->pos, span_of("a5a6"), &m), STATUS_OK);
    struct tt_entry entry = {
        .move = m, .score = 200, .eval = SCORE_NONE, .depth = RFP_DEPTH + 1, .bound = SCORE_LOWER};
    uint64_t key = worker->pos.key;
    tt_store(&made->shared.tt, key, worker->ply, &entry);
    int depth = entry.depth + 1;
    int correction = correction_find(worker);
    assert_true(node_search(worker, 99, 100, depth, true) >= 100);
    assert_true(tt_probe(&made->shared.tt, key, worker->ply, 0, &entry));
    assert_int_equal(entry.move, m);
    assert_int_equal(entry.depth, depth - 1);
    assert_int_equal(correction_find(worker), correction);
}

int main(void)
{
    chess_init();
#define NODE_TEST(name) cmocka_unit_test_setup_teardown(name, fresh, gone)
    const struct CMUnitTest tests[] = {
        NODE_TEST(multicut_stores_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
