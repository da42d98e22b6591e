/* Single nodes: what one search of a position leaves behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/notation.h"
#include "search/node.h"
#include "search/quiesce.h"
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

/* Razoring calls quiescence at the node's own ply, and the node goes on with its threats. */
static void quiescence_leaves_the_threats_of_the_node(void **state)
{
    (void)state;
    assert_true(search_worker_set(
        made, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"));
    worker_stack(worker)->minor_threats = 0x1234;
    (void)quiesce(worker, -100, -99);
    assert_true(worker_stack(worker)->minor_threats == 0x1234);
}

int main(void)
{
    chess_init();
#define NODE_TEST(name) cmocka_unit_test_setup_teardown(name, fresh, gone)
    const struct CMUnitTest tests[] = {
        NODE_TEST(quiescence_leaves_the_threats_of_the_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
