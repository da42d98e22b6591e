/* The graph of both sides' searches: scores backed up through transpositions, repetitions, costs
 * and the order of the leaves, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "book/grow/dropout_graph.h"
#include "chess/attacks.h"
#include "tests/support/book_entries.h"

static const struct dropout_costs costs = {.ply = 10, .own = 2, .other = 1};

static uint32_t node_of(const struct dropout_graph *graph, const char *moves)
{
    uint32_t node = dag_find(&graph->dag, position_by_moves(moves).key);
    if (node == DAG_NONE)
        fail_msg("no position after %s", moves);
    return node;
}

static void score(struct dropout_graph *graph, const char *moves, int value)
{
    assert_int_equal(dropout_graph_score(graph, node_of(graph, moves), value, MOVE_NONE),
                     STATUS_OK);
}

static enum dag_outcome add(struct dropout_graph *graph, const char *moves, const char *uci,
                            int guess)
{
    const struct position pos = position_by_moves(moves);
    enum dag_outcome outcome;
    move m;
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    assert_int_equal(dropout_graph_add_move(graph, node_of(graph, moves), &pos, m, guess, &outcome),
                     STATUS_OK);
    return outcome;
}

/* Adds two moves, `a` with the guess that the node's score is, and expands. */
static void expand(struct dropout_graph *graph, const char *moves, const char *a, const char *b,
                   int guess)
{
    uint32_t node = node_of(graph, moves);
    (void)add(graph, moves, a, graph->nodes[node].score);
    if (b)
        (void)add(graph, moves, b, guess);
    assert_int_equal(dropout_graph_expanded(graph, node), STATUS_OK);
}

static void assert_leaf(const struct dropout_graph *graph, const char *moves, int cost)
{
    assert_int_equal(dropout_graph_leaf(graph), node_of(graph, moves));
    assert_int_equal(graph->nodes[DAG_ROOT].cost, cost);
}

static void assert_score(const struct dropout_graph *graph, const char *moves, int value)
{
    assert_int_equal(graph->nodes[node_of(graph, moves)].score, value);
}

/* White's book. A ply costs 10, a point that White loses 2, one that Black loses 1. X is the
 * position after 1. e4 e6 2. d4 and after 1. d4 e6 2. e4. Scores are the mover's. */
static void grow_to_x(struct dropout_graph *graph)
{
    assert_leaf(graph, "", 0);

    /* e4: 10. d4: 10 + 2 * 6 = 22. */
    score(graph, "", 30);
    assert_leaf(graph, "", 0);
    expand(graph, "", "e2e4", "d2d4", 24);
    score(graph, "e2e4", -30);
    assert_leaf(graph, "e2e4", 10);
    expand(graph, "e2e4", "e7e6", "c7c5", -34);
    score(graph, "e2e4 e7e6", 30);
    assert_leaf(graph, "e2e4 e7e6", 20);

    /* X is worth 28 to White, so is all above it. 1. e4 c5, guessed 34: 10 + 10 + 6 = 26; 1. d4
     * loses 4 now: 10 + 2 * 4 = 18. */
    expand(graph, "e2e4 e7e6", "d2d4", "d2d3", 20);
    score(graph, "e2e4 e7e6 d2d4", -28);
    assert_score(graph, "e2e4 e7e6", 28);
    assert_score(graph, "e2e4", -28);
    assert_score(graph, "", 28);
    assert_leaf(graph, "d2d4", 18);
}

static void a_transposition_by_hand(void **state)
{
    (void)state;
    struct dropout_graph graph;
    const struct position start = position_by_moves("");
    assert_int_equal(dropout_graph_create(&start, WHITE, &costs, &graph), STATUS_OK);
    grow_to_x(&graph);

    /* 1. d4 loses 1: 12, and with e6 22. */
    score(&graph, "d2d4", -27);
    assert_leaf(&graph, "d2d4", 12);
    expand(&graph, "d2d4", "e7e6", "d7d5", -40);
    score(&graph, "d2d4 e7e6", 27);
    assert_leaf(&graph, "d2d4 e7e6", 22);

    /* 2. e4 is X, which has its score: 1. d4 is worth 28, too, and costs 30 to X. */
    assert_int_equal(add(&graph, "d2d4 e7e6", "e2e4", 27), DAG_JOINED);
    assert_int_equal(dropout_graph_expanded(&graph, node_of(&graph, "d2d4 e7e6")), STATUS_OK);
    assert_score(&graph, "d2d4 e7e6", 28);
    assert_score(&graph, "d2d4", -28);
    assert_leaf(&graph, "e2e4 c7c5", 26);

    /* 1. e4 c5 loses 12 for Black: 10 + 10 + 12 = 32. X costs 30 by both ways: the first one. */
    score(&graph, "e2e4 c7c5", 40);
    assert_leaf(&graph, "e2e4 e7e6 d2d4", 30);

    /* X is worth 10 only: both ways to it fall. 2. d3, guessed 20, seems better: 30. */
    expand(&graph, "e2e4 e7e6 d2d4", "d7d5", NULL, 0);
    score(&graph, "e2e4 e7e6 d2d4 d7d5", 10);
    assert_score(&graph, "e2e4 e7e6 d2d4", -10);
    assert_score(&graph, "e2e4 e7e6", 10);
    assert_score(&graph, "d2d4 e7e6", 10);
    assert_score(&graph, "e2e4", -10);
    assert_score(&graph, "d2d4", -10);
    assert_score(&graph, "", 10);
    assert_leaf(&graph, "e2e4 e7e6 d2d3", 30);

    /* 3... d5 costs 40; 1. e4 c5 30 + 10 + 10 = 50; 1. d4 d5 the same, and comes later. */
    uint32_t leaves[5];
    assert_int_equal(dropout_graph_leaves(&graph, leaves, 5), 4);
    assert_int_equal(leaves[0], node_of(&graph, "e2e4 e7e6 d2d3"));
    assert_int_equal(leaves[1], node_of(&graph, "e2e4 e7e6 d2d4 d7d5"));
    assert_int_equal(leaves[2], node_of(&graph, "e2e4 c7c5"));
    assert_int_equal(leaves[3], node_of(&graph, "d2d4 d7d5"));
    assert_int_equal(dropout_graph_leaves(&graph, leaves, 2), 2);
    dropout_graph_destroy(&graph);
}

/* A doubt of 8. 1. e4, which the search found, has 20; d4 is guessed 25 and counts 17: it costs 10
 * + 2 * 3. Scored 27 it counts 19. When e4 falls to 15, d4 is best by 19; expanded it has its 27.
 */
static void a_doubt_by_hand(void **state)
{
    (void)state;
    struct dropout_graph graph;
    struct dropout_costs doubtful = costs;
    const struct position start = position_by_moves("");
    move e4;
    doubtful.doubt = 8;
    assert_int_equal(dropout_graph_create(&start, WHITE, &doubtful, &graph), STATUS_OK);
    assert_int_equal(move_from_uci(&start, span_of("e2e4"), &e4), STATUS_OK);
    assert_int_equal(dropout_graph_score(&graph, DAG_ROOT, 20, e4), STATUS_OK);
    expand(&graph, "", "e2e4", "d2d4", 25);
    score(&graph, "e2e4", -20);
    assert_leaf(&graph, "e2e4", 10);
    assert_int_equal(dropout_graph_move_cost(&graph, DAG_ROOT, 1), 16);
    score(&graph, "d2d4", -27);
    assert_score(&graph, "", 20);
    assert_int_equal(dropout_graph_move_cost(&graph, DAG_ROOT, 1), 12);

    /* A reply to 1. e4 is no doubt: Black's moves count what they score. */
    expand(&graph, "e2e4", "e7e5", NULL, 0);
    score(&graph, "e2e4 e7e5", 15);
    assert_score(&graph, "e2e4", -15);
    assert_score(&graph, "", 19);
    assert_leaf(&graph, "d2d4", 10);
    expand(&graph, "d2d4", "d7d5", NULL, 0);
    assert_score(&graph, "", 27);
    dropout_graph_destroy(&graph);
}

/* 1. Nf3 Nf6 2. Ng1 Ng8 is the start again: Black may have a draw there, and 2... e5 is worse. */
static void a_repetition_by_hand(void **state)
{
    (void)state;
    struct dropout_graph graph;
    const struct position start = position_by_moves("");
    assert_int_equal(dropout_graph_create(&start, WHITE, &costs, &graph), STATUS_OK);
    score(&graph, "", 30);
    expand(&graph, "", "g1f3", NULL, 0);
    score(&graph, "g1f3", -30);
    expand(&graph, "g1f3", "g8f6", NULL, 0);
    score(&graph, "g1f3 g8f6", 30);
    expand(&graph, "g1f3 g8f6", "f3g1", NULL, 0);
    score(&graph, "g1f3 g8f6 f3g1", -25);
    assert_score(&graph, "", 25);
    assert_int_equal(add(&graph, "g1f3 g8f6 f3g1", "f6g8", -25), DAG_REFUSED);
    assert_int_equal(add(&graph, "g1f3 g8f6 f3g1", "e7e5", -27), DAG_NEW);
    assert_int_equal(dropout_graph_expanded(&graph, node_of(&graph, "g1f3 g8f6 f3g1")), STATUS_OK);
    assert_score(&graph, "", 0);
    score(&graph, "g1f3 g8f6 f3g1 e7e5", 27);
    assert_score(&graph, "g1f3 g8f6 f3g1", 0);
    assert_leaf(&graph, "g1f3 g8f6 f3g1 e7e5", 40 + 27);
    score(&graph, "g1f3 g8f6 f3g1 e7e5", -50); /* and now better than a draw */
    assert_score(&graph, "g1f3 g8f6 f3g1", 50);
    assert_score(&graph, "", -50);
    dropout_graph_destroy(&graph);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transposition_by_hand),
        cmocka_unit_test(a_doubt_by_hand),
        cmocka_unit_test(a_repetition_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
