/* What always holds of growing books: probabilities, order, depths; with any number of threads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "book/grow/dag.h"
#include "book/grow/opponent.h"
#include "book/scoring/limit_rule.h"
#include "chess/attacks.h"
#include "tests/support/growing.h"

/* The limit for that probability; 0: the line ends. */
static uint64_t limit_of(const struct limit_rule *rule, double probability)
{
    struct search_limit limit = {.value = 0};
    bool searched = limit_rule_find(rule, probability, &limit);
    assert_int_equal(searched, limit.value > 0);
    return limit.value;
}

static void depths(void **state)
{
    (void)state;
    struct limit_rule rule;
    limit_rule_by_depth(29, 16, 3, &rule);
    assert_int_equal(limit_of(&rule, 1), 29);
    /* log3(1.7) = .48, log3(.6) = -.46, log3(.55) = -.54 */
    double power = 1;
    for (int depth = 29; depth >= 14; depth--, power /= 3) {
        assert_int_equal(limit_of(&rule, power), depth < 16 ? 0 : depth);
        assert_int_equal(limit_of(&rule, power * .6), depth < 16 ? 0 : depth);
        assert_int_equal(limit_of(&rule, power * .55), depth < 17 ? 0 : depth - 1);
        if (depth < 29)
            assert_int_equal(limit_of(&rule, power * 1.7), depth < 16 ? 0 : depth);
    }
    limit_rule_by_depth(5, 5, 4, &rule);
    assert_int_equal(limit_of(&rule, 0.5), 5); /* -1/2 is rounded up */
    assert_int_equal(limit_of(&rule, 0.49999), 0);
    limit_rule_by_depth(SEARCH_DEPTH_MAX, 1, 1.5, &rule);
    assert_int_equal(limit_of(&rule, 0), 0);
}

/* Steps of the fourth root of 2, 1.1892; between 1.0905 times more and less. */
static void nodes(void **state)
{
    (void)state;
    struct limit_rule rule;
    limit_rule_by_nodes(1000000, 100000, &rule);
    assert_int_equal(rule.kind, SEARCH_NODES);
    assert_int_equal(limit_of(&rule, 1), 1000000);
    assert_int_equal(limit_of(&rule, 0.92), 1000000);
    assert_int_equal(limit_of(&rule, 0.91), 840896); /* 2^-.25 */
    assert_int_equal(limit_of(&rule, 0.75), 707107);
    assert_int_equal(limit_of(&rule, 0.5), 500000);
    assert_int_equal(limit_of(&rule, 0.125), 125000);
    assert_int_equal(limit_of(&rule, 0.105), 105112); /* 2^-3.25, the last one above 100,000 */
    assert_int_equal(limit_of(&rule, 0.096), 0);
    limit_rule_by_nodes(5000, 5000, &rule);
    assert_int_equal(rule.count, 1);
    limit_rule_by_nodes((uint64_t)1 << 53, 1, &rule);
    assert_int_equal(limit_of(&rule, 1), (uint64_t)1 << 53);
    assert_int_equal(rule.steps[rule.count - 1].value, 1);
    assert_true(rule.count < LIMIT_STEPS_MAX);
}

static double probability_at(const struct dag *dag, uint32_t node)
{
    return dag->nodes[node].probability;
}

/* The probability of each position is the sum over the moves that lead to it, there is no cycle,
 * our positions have one move, and none that is probable enough is left out. */
static void check_dag(const struct setting *setting)
{
    const struct dag *dag = grow_dag(setting->grow);
    const struct grow_options *options = &setting->options;
    struct limit_rule rule;
    double *sums = calloc(dag->node_count, sizeof *sums);
    uint32_t *in = calloc(dag->node_count, sizeof *in);
    uint32_t *ready = calloc(dag->node_count, sizeof *ready);
    assert_true(sums && in && ready);
    limit_rule_by_depth(options->root_depth, options->min_depth, options->branch, &rule);
    for (size_t i = 0; i < dag->move_count; i++)
        in[dag->moves[i].to]++;
    size_t count = 1;
    sums[0] = 1;
    assert_int_equal(in[0], 0);
    for (size_t at = 0; at < count; at++) { /* by topological order */
        const struct dag_node *node = &dag->nodes[ready[at]];
        bool own = (options->root.turn ^ (node->ply & 1)) == options->side;
        assert_true(fabs(node->probability - sums[ready[at]]) <= 1e-12);
        assert_int_equal(dag_find(dag, node->key), ready[at]);
        if (own && limit_of(&rule, node->probability) > 0)
            assert_int_not_equal(node->state, DAG_OPEN);
        if (own && node->state == DAG_EXPANDED)
            assert_int_equal(node->count, 1);
        for (uint32_t i = 0; i < node->count; i++) {
            const struct dag_move *next = &dag->moves[node->first + i];
            sums[next->to] += node->probability * next->probability;
            if (--in[next->to] == 0)
                ready[count++] = next->to;
        }
    }
    assert_int_equal(count, dag->node_count);
    free(sums);
    free(in);
    free(ready);
}

static uint64_t signature_of(const struct dag *dag)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < dag->node_count; i++) {
        double probability = probability_at(dag, i);
        uint64_t bits;
        memcpy(&bits, &probability, sizeof bits);
        sum = rng_mix(sum ^ bits) ^ rng_mix(dag->nodes[i].key + dag->nodes[i].depth);
    }
    return sum;
}

/* Endings with few men lead to many transpositions and cycles. */
static void what_always_holds(void **state)
{
    (void)state;
    static const char *const roots[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "7k/8/8/8/8/8/6p1/K7 w - - 0 1",
        "8/8/8/3k4/8/3K4/3P4/8 b - - 0 1",
    };
    size_t joined = 0;
    size_t cycles = 0;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        for (int side = WHITE; side <= BLACK; side++) {
            uint64_t signatures[2];
            for (int many = 0; many < 2; many++) {
                struct setting setting = {.threads = many ? 4 : 1};
                setting.options = (struct grow_options){.side = side,
                                                        .root_depth = 30,
                                                        .min_depth = 23,
                                                        .branch = 2.5,
                                                        .root = position_of(roots[i])};
                open_setting(&setting);
                assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
                check_dag(&setting);
                signatures[many] = signature_of(grow_dag(setting.grow));
                joined += grow_counts(setting.grow)->joined;
                cycles += grow_counts(setting.grow)->cycles;
                close_setting(&setting);
            }
            assert_true(signatures[0] == signatures[1]);
        }
    assert_true(joined > 100);
    assert_true(cycles > 10);
}

/* The queue: equal ones by ply, then by key; a look ahead is what would be taken. */
static void order_of_the_queue(void **state)
{
    (void)state;
    struct dag dag;
    struct position root = position_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    move moves[MOVES_MAX];
    int count = movegen_legal(&root, moves);
    struct frontier frontier = {0};
    struct rng rng;
    rng_seed(&rng, 1);
    const struct dag_root start = {.pos = root, .probability = 1};
    assert_int_equal(dag_create(&start, 1, &dag), STATUS_OK);
    for (int i = 0; i < count; i++) {
        enum dag_outcome outcome;
        assert_int_equal(dag_add_move(&dag, DAG_ROOT, &root, moves[i],
                                      (double)rng_below(&rng, 4) / 100, &outcome),
                         STATUS_OK);
        assert_int_equal(outcome, DAG_NEW);
    }
    for (uint32_t i = 0; i < dag.node_count; i++)
        assert_int_equal(frontier_put(&frontier, &dag, i), STATUS_OK);
    dag.nodes[5].probability = 0.5;
    assert_int_equal(frontier_put(&frontier, &dag, 5), STATUS_OK);
    /* Many at once. */
    for (int round = 0; round < 20; round++) {
        uint32_t raised[MOVES_MAX];
        size_t raised_count = 0;
        for (uint32_t i = (uint32_t)dag.node_count; i-- > 6;)
            if (rng_below(&rng, 2)) {
                dag.nodes[i].probability += (double)rng_below(&rng, 20) / 1000;
                raised[raised_count++] = i;
            }
        assert_int_equal(frontier_raise(&frontier, &dag, raised, raised_count), STATUS_OK);
        for (size_t i = 1; i < frontier.heap.count; i++)
            assert_true(dag.nodes[frontier.heap.items[(i - 1) / 2]].probability >=
                        dag.nodes[frontier.heap.items[i]].probability);
    }
    uint32_t all[MOVES_MAX];
    size_t n = frontier_first(&frontier, &dag, all, MOVES_MAX);
    assert_int_equal(n, dag.node_count);
    for (size_t capacity = 0; capacity < n; capacity++) {
        uint32_t some[MOVES_MAX];
        assert_int_equal(frontier_first(&frontier, &dag, some, capacity), capacity);
        assert_memory_equal(some, all, capacity * sizeof *some);
    }
    assert_int_equal(all[0], DAG_ROOT);
    assert_int_equal(all[1], 5);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(frontier_take(&frontier, &dag), all[i]);
        if (i < 2 || i + 1 == n)
            continue;
        const struct dag_node *a = &dag.nodes[all[i]];
        const struct dag_node *b = &dag.nodes[all[i + 1]];
        assert_true(a->probability >= b->probability);
        if (!(a->probability > b->probability))
            assert_true(a->key < b->key);
    }
    assert_int_equal(frontier_take(&frontier, &dag), DAG_NONE);
    frontier_free(&frontier);
    dag_destroy(&dag);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths),
        cmocka_unit_test(nodes),
        cmocka_unit_test(what_always_holds),
        cmocka_unit_test(order_of_the_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
