/* Grown books beyond the paper, by hand: several own moves and their probabilities in the graph, a
 * budget of nodes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "tests/support/growing.h"

/* After `moves` a search of that limit finds `uci` and the score; 0: of any limit. */
static void answer(struct setting *setting, const char *moves, const char *uci, uint64_t limit,
                   int score)
{
    const struct position pos = position_by_moves(moves);
    script_score(&setting->script, &pos, uci, limit, score);
}

static void assert_probability(const struct grow *grow, const char *moves, double wanted)
{
    uint32_t node = node_after(grow, moves);
    if (node == DAG_NONE)
        fail_msg("no position after %s", moves);
    assert_true(fabs(grow_dag(grow)->nodes[node].probability - wanted) < 1e-12);
}

/* Two moves at most within 30. 1. e4 has 50 by the search; d4 40 by the one behind it, all others
 * 0. So they are played with 31 and 21 of 52. Black answers both with d6, and then d4 and e4, 100
 * better than the rest, lead to one position: it has the probability 1 again. */
static void a_margin_in_the_graph(void **state)
{
    (void)state;
    struct setting setting = {.script = {.flat = true}};
    setting.options = (struct grow_options){.side = WHITE,
                                            .root_depth = 10,
                                            .min_depth = 9,
                                            .branch = 4,
                                            .own = {.margin = 30, .most = 2}};
    position_start(&setting.options.root);
    give(&setting, "e2e4", "d7d6", 1);
    give(&setting, "d2d4", "d7d6", 1);
    answer(&setting, "", "e2e4", 10, 50);
    answer(&setting, "e2e4", "d7d6", 4, -40); /* shallow */
    answer(&setting, "d2d4", "d7d6", 4, -30);
    answer(&setting, "d2d4", "d7d6", 9, -40);
    answer(&setting, "e2e4 d7d6", "d2d4", 10, 100); /* 31/52: 10 plies */
    answer(&setting, "d2d4 d7d6", "e2e4", 9, 100);  /* 21/52: 9 */
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    assert_probability(setting.grow, "e2e4", 31.0 / 52);
    assert_probability(setting.grow, "d2d4", 21.0 / 52);
    assert_probability(setting.grow, "d2d4 d7d6", 21.0 / 52);
    assert_probability(setting.grow, "e2e4 d7d6 d2d4", 1);
    assert_int_equal(grow_counts(setting.grow)->own_moves, 4);
    assert_int_equal(grow_counts(setting.grow)->depths[10], 2);
    assert_int_equal(grow_counts(setting.grow)->depths[9], 1);

    struct entry_list list = {0};
    assert_int_equal(grow_own_entries(setting.grow, &list), STATUS_OK);
    entry_list_sort(&list);
    const struct entry_table table = {.entries = list.entries, .count = list.count};
    struct book_move moves[MOVES_MAX];
    assert_int_equal(entry_table_probe(&table, &setting.options.root, moves), 2);
    book_moves_sort(moves, 2);
    assert_int_equal(moves[0].weight, 39069); /* 65535 * 31 / 52 */
    assert_int_equal(moves[1].weight, 26466);
    const struct position alone = position_by_moves("e2e4 d7d6");
    assert_int_equal(entry_table_probe(&table, &alone, moves), 1);
    assert_int_equal(moves[0].weight, 1);
    entry_list_free(&list);
    close_setting(&setting);
}

/* A million nodes at the start. 6 of 10 games: 2^-.737, three steps of 2^-.25, 594,604 nodes; 3 of
 * 10: seven steps, 297,302; 1 of 10 would have 105,112, too few. */
static void a_budget_of_nodes(void **state)
{
    (void)state;
    struct setting setting = {.script = {.only = true}};
    setting.options = (struct grow_options){
        .side = WHITE, .root_nodes = 1000000, .min_nodes = 250000, .root_depth = 1, .min_depth = 1};
    position_start(&setting.options.root);
    give(&setting, "e2e4", "e7e5", 6);
    give(&setting, "e2e4", "d7d6", 3);
    give(&setting, "e2e4", "c7c5", 1);
    answer(&setting, "", "e2e4", 1000000, 20);
    answer(&setting, "e2e4 e7e5", "g1f3", 594604, 30);
    answer(&setting, "e2e4 d7d6", "d2d4", 297302, 40);
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    const struct grow_counts *counts = grow_counts(setting.grow);
    assert_int_equal(counts->searches, 3);
    assert_int_equal(counts->own_moves, 3);
    assert_int_equal(grow_dag(setting.grow)->nodes[node_after(setting.grow, "e2e4 c7c5")].state,
                     DAG_OPEN);
    close_setting(&setting);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_margin_in_the_graph),
        cmocka_unit_test(a_budget_of_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
