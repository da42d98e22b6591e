/* Books grown by search: a small one worked out by hand, cycles, limits and faults. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "tests/support/growing.h"

struct expected {
    const char *moves;
    double probability;
    int depth; /* of the search; 0: none */
    enum dag_state state;
};

static void assert_near(double found, double wanted)
{
    if (fabs(found - wanted) > 1e-12)
        fail_msg("%.17g is not %.17g", found, wanted);
}

static void assert_node(const struct grow *grow, const struct expected *wanted)
{
    uint32_t index = node_after(grow, wanted->moves);
    if (index == DAG_NONE)
        fail_msg("no position after %s", wanted->moves);
    const struct dag_node *node = &grow_dag(grow)->nodes[index];
    assert_near(node->probability, wanted->probability);
    assert_int_equal(node->depth, wanted->depth);
    assert_int_equal(node->state, wanted->state);
}

/* The example, with White's moves by search and Black's by the given book. D = 10, d = 9, B = 4:
 * log4(1/2) = -1/2, so from 1/2 on 10 plies are searched, from 1/8 on 9, below the line ends.
 *
 *  0 1. e4                            1          depth 10
 *  1   1... e5 60 %  d6 30 %  c5 10 % 1
 *  2 1. e4 e5 2. Nf3                  .6         depth 10
 *  3 1. e4 d6 2. d4                   .3         depth 9
 *  4 1. e4 c5                         .1         ends: less than 1/8
 *  5 1. e4 e5 2. Nf3 d6 80 % Nc6 20 % .6
 *  6 .. 2... d6 3. d4                 .6 * .8 = .48      depth 9
 *  7 .. 2... Nc6                      .6 * .2 = .12      ends
 *  8 .. 3. d4 exd4 75 % Nc6 25 %      .48, then .63
 *  9 .. 3... exd4 4. Nxd4             .48 * .75 = .36    depth 9; then .4725, not searched again
 * 10 .. 3... Nc6 4. dxe5              .48 * .25 = .12    waits outside; then .1575: depth 9
 * 11 .. 4. Nxd4 four moves            .36, then .4725
 *    .. 4... Nf6, g6, a6, Be7         .09, then .118125: end
 * 12 1. e4 d6 2. d4 e5 50 % ..        .3
 * 13 1. e4 d6 2. d4 e5 3. Nf3         .3 * .5 = .15      depth 9
 *    .. 2... Nf6 20 %  g6 20 %  Nd7 10 %        .06, .06, .03: end
 *
 * 13's move leads to 8, whose moves are there: 8 gets .15 more, and what is below it gets its share
 * (9: .75 * .15 = .1125; 10: .25 * .15 = .0375; below 11: .1125 / 4 = .028125).
 *    .. 3... Nc6 4. dxe5 dxe5 50 % Nxe5 50 %: .1575, the replies .07875: end
 *
 * Weight 0 is never played. */
static void fill_example(struct setting *setting)
{
    give(setting, "e2e4", "e7e5", 6);
    give(setting, "e2e4", "d7d6", 3);
    give(setting, "e2e4", "c7c5", 1);
    give(setting, "e2e4", "f7f6", 0);
    give(setting, "e2e4 e7e5 g1f3", "d7d6", 4);
    give(setting, "e2e4 e7e5 g1f3", "b8c6", 1);
    give(setting, "e2e4 e7e5 g1f3 d7d6 d2d4", "e5d4", 3);
    give(setting, "e2e4 e7e5 g1f3 d7d6 d2d4", "b8c6", 1);
    static const char *const four[] = {"g8f6", "g7g6", "a7a6", "f8e7"};
    for (int i = 0; i < 4; i++)
        give(setting, "e2e4 e7e5 g1f3 d7d6 d2d4 e5d4 f3d4", four[i], 9);
    give(setting, "e2e4 d7d6 d2d4", "e7e5", 5);
    give(setting, "e2e4 d7d6 d2d4", "g8f6", 2);
    give(setting, "e2e4 d7d6 d2d4", "g7g6", 2);
    give(setting, "e2e4 d7d6 d2d4", "b8d7", 1);
    give(setting, "e2e4 e7e5 g1f3 d7d6 d2d4 b8c6 d4e5", "d6e5", 7);
    give(setting, "e2e4 e7e5 g1f3 d7d6 d2d4 b8c6 d4e5", "c6e5", 7);
    find(setting, "", "e2e4");
    find(setting, "e2e4 e7e5", "g1f3");
    find(setting, "e2e4 d7d6", "d2d4");
    find(setting, "e2e4 e7e5 g1f3 d7d6", "d2d4");
    find(setting, "e2e4 e7e5 g1f3 d7d6 d2d4 e5d4", "f3d4");
    find(setting, "e2e4 e7e5 g1f3 d7d6 d2d4 b8c6", "d4e5");
    find(setting, "e2e4 d7d6 d2d4 e7e5", "g1f3");
    setting->script.only = true;
    setting->options =
        (struct grow_options){.side = WHITE, .root_depth = 10, .min_depth = 9, .branch = 4};
    position_start(&setting->options.root);
}

#define LINE_8 "e2e4 e7e5 g1f3 d7d6 d2d4"

/* The positions in the order of expansion. */
static const char *const order[] = {
    "",                    /* 1 */
    "e2e4",                /* 1, a ply further */
    "e2e4 e7e5",           /* .6 */
    "e2e4 e7e5 g1f3",      /* .6 */
    "e2e4 e7e5 g1f3 d7d6", /* .48 */
    LINE_8,                /* .48 */
    LINE_8 " e5d4",        /* .36 */
    LINE_8 " e5d4 f3d4",   /* .36 */
    "e2e4 d7d6",           /* .3 */
    "e2e4 d7d6 d2d4",      /* .3 */
    "e2e4 d7d6 d2d4 e7e5", /* .15 */
    LINE_8 " b8c6",        /* .1575, from .12 */
    LINE_8 " b8c6 d4e5",
};
/* Before the transposition, and at the end. */
static const struct expected early[] = {
    {LINE_8, .48, 0, DAG_EXPANDED},
    {LINE_8 " e5d4", .36, 9, DAG_EXPANDED},
    {LINE_8 " b8c6", .12, 0, DAG_OPEN},
    {LINE_8 " e5d4 f3d4 g8f6", .09, 0, DAG_OPEN},
};
static const struct expected late[] = {
    {"", 1, 10, DAG_EXPANDED},
    {"e2e4", 1, 0, DAG_EXPANDED},
    {"e2e4 e7e5", .6, 10, DAG_EXPANDED},
    {"e2e4 d7d6", .3, 9, DAG_EXPANDED},
    {"e2e4 c7c5", .1, 0, DAG_OPEN},
    {"e2e4 e7e5 g1f3", .6, 0, DAG_EXPANDED},
    {"e2e4 e7e5 g1f3 d7d6", .48, 9, DAG_EXPANDED},
    {"e2e4 e7e5 g1f3 b8c6", .12, 0, DAG_OPEN},
    {LINE_8, .63, 0, DAG_EXPANDED},
    {LINE_8 " e5d4", .4725, 9, DAG_EXPANDED},
    {LINE_8 " b8c6", .1575, 9, DAG_EXPANDED},
    {LINE_8 " e5d4 f3d4", .4725, 0, DAG_EXPANDED},
    {LINE_8 " e5d4 f3d4 g8f6", .118125, 0, DAG_OPEN},
    {LINE_8 " e5d4 f3d4 g7g6", .118125, 0, DAG_OPEN},
    {LINE_8 " e5d4 f3d4 a7a6", .118125, 0, DAG_OPEN},
    {LINE_8 " e5d4 f3d4 f8e7", .118125, 0, DAG_OPEN},
    {"e2e4 d7d6 d2d4", .3, 0, DAG_EXPANDED},
    {"e2e4 d7d6 d2d4 e7e5", .15, 9, DAG_EXPANDED},
    {"e2e4 d7d6 d2d4 b8d7", .03, 0, DAG_OPEN},
    {LINE_8 " b8c6 d4e5", .1575, 0, DAG_EXPANDED},
    {LINE_8 " b8c6 d4e5 c6e5", .07875, 0, DAG_OPEN},
};
enum { STEPS = sizeof order / sizeof *order, BEFORE_TRANSPOSITION = 10 };

static void example_by_hand(void **state)
{
    (void)state;
    struct setting setting = {.threads = 1};
    fill_example(&setting);
    open_setting(&setting);
    for (size_t i = 0; i < STEPS; i++) {
        uint32_t node = DAG_NONE;
        if (i == BEFORE_TRANSPOSITION)
            for (size_t j = 0; j < sizeof early / sizeof *early; j++)
                assert_node(setting.grow, &early[j]);
        assert_false(grow_is_done(setting.grow));
        assert_int_equal(grow_step(setting.grow, &node, NULL), STATUS_OK);
        assert_int_equal(node, node_after(setting.grow, order[i]));
    }
    assert_true(grow_is_done(setting.grow));
    for (size_t j = 0; j < sizeof late / sizeof *late; j++)
        assert_node(setting.grow, &late[j]);
    const struct grow_counts *counts = grow_counts(setting.grow);
    assert_int_equal(counts->positions, 24);
    assert_int_equal(counts->own_moves, 7);
    assert_int_equal(counts->searches, 7);
    assert_int_equal(counts->joined, 1);
    assert_int_equal(counts->cycles, 0);
    assert_int_equal(counts->in_book, 6);
    assert_int_equal(counts->out_of_book, 0);
    assert_int_equal(counts->depths[10], 2);
    assert_int_equal(counts->depths[9], 5);
    close_setting(&setting);
}

/* .6 + .3 of the games have an own second move, .48 + .15 a third one, and so on. */
static void example_as_a_book(void **state)
{
    (void)state;
    struct setting setting = {.threads = 1};
    fill_example(&setting);
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    double reached[9];
    static const double wanted[9] = {1, 0, .9, 0, .63, 0, .63, 0, 0};
    grow_reach(setting.grow, reached, 9);
    for (int i = 0; i < 9; i++)
        assert_near(reached[i], wanted[i]);

    struct entry_list list = {0};
    assert_int_equal(grow_own_entries(setting.grow, &list), STATUS_OK);
    assert_int_equal(list.count, 7);
    entry_list_sort(&list);
    struct entry_table own = {.entries = list.entries, .count = list.count};
    const struct position after = position_by_moves("e2e4 d7d6");
    assert_int_equal(own.entries[entry_table_find(&own, after.key)].move, stored_move("d2d4"));
    assert_int_equal(own.entries[entry_table_find(&own, after.key)].weight, 1);

    /* The replies with an answer: e5 and d6 of 1. e4, d6, exd4 and Nc6, and e5. */
    struct entry_list replies = {0};
    assert_int_equal(grow_reply_entries(setting.grow, &own, &replies), STATUS_OK);
    assert_int_equal(replies.count, 6);
    entry_list_sort(&replies);
    const struct entry_table table = {.entries = replies.entries, .count = replies.count};
    struct book_move moves[MOVES_MAX];
    const struct position first = position_by_moves("e2e4");
    assert_int_equal(entry_table_probe(&table, &first, moves), 2);
    book_moves_sort(moves, 2);
    assert_int_equal(moves[0].weight, 39321); /* 65535 * .6 */
    assert_int_equal(moves[1].weight, 19661); /* 65535 * .3, rounded up */
    entry_list_free(&list);
    entry_list_free(&replies);
    close_setting(&setting);
}

/* After 1. e4 e5 2. Nf3 and 1. e4 d6 2. Nf3, .5 each, no reply has 1/8. The two that meet have .1
 * each and are searched: positions of the opponent are expanded although none of their replies is
 * probable enough by itself. */
static void replies_that_are_probable_together(void **state)
{
    (void)state;
    static const char *const others[] = {"a7a6", "b7b6", "c7c6", "g7g6",
                                         "h7h6", "a7a5", "b7b5", "h7h5"};
    struct setting setting = {.threads = 1};
    find(&setting, "", "e2e4");
    find(&setting, "e2e4 e7e5", "g1f3");
    find(&setting, "e2e4 d7d6", "g1f3");
    find(&setting, "e2e4 e7e5 g1f3 d7d6", "d2d4");
    give(&setting, "e2e4", "e7e5", 1);
    give(&setting, "e2e4", "d7d6", 1);
    give(&setting, "e2e4 e7e5 g1f3", "d7d6", 2);
    give(&setting, "e2e4 d7d6 g1f3", "e7e5", 2);
    for (int i = 0; i < 8; i++) {
        give(&setting, "e2e4 e7e5 g1f3", others[i], 1);
        give(&setting, "e2e4 d7d6 g1f3", others[i], 1);
    }
    setting.script.only = true;
    setting.options =
        (struct grow_options){.side = WHITE, .root_depth = 10, .min_depth = 9, .branch = 4};
    position_start(&setting.options.root);
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    const struct expected met = {"e2e4 d7d6 g1f3 e7e5", .2, 9, DAG_EXPANDED};
    const struct expected other = {"e2e4 d7d6 g1f3 a7a6", .05, 0, DAG_OPEN};
    assert_node(setting.grow, &met);
    assert_node(setting.grow, &other);
    assert_int_equal(grow_counts(setting.grow)->searches, 4);
    close_setting(&setting);
}

/* The knights come back: 1. Nf3 Nf6 2. Ng1 Ng8 would lead to the root, so Black's other move alone
 * is there; what it had of the probability is lost to the book, as in the paper. */
static void a_reply_that_closes_a_cycle(void **state)
{
    (void)state;
    struct setting setting = {.threads = 1};
    find(&setting, "", "g1f3");
    find(&setting, "g1f3 g8f6", "f3g1");
    give(&setting, "g1f3", "g8f6", 1);
    give(&setting, "g1f3 g8f6 f3g1", "f6g8", 1);
    give(&setting, "g1f3 g8f6 f3g1", "e7e5", 3);
    setting.script.only = true;
    setting.options =
        (struct grow_options){.side = WHITE, .root_depth = 10, .min_depth = 10, .branch = 1.5};
    position_start(&setting.options.root);
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    assert_int_equal(grow_counts(setting.grow)->cycles, 1);
    assert_int_equal(grow_counts(setting.grow)->positions, 5);
    const struct expected end = {"g1f3 g8f6 f3g1 e7e5", .75, 0, DAG_OPEN};
    assert_node(setting.grow, &end);
    close_setting(&setting);
}

/* 1. Nf3 Nf6 2. Nd4 Ng8 3. Nf3 would be the position after 1. Nf3: no book move there. */
static void an_own_move_that_closes_a_cycle(void **state)
{
    (void)state;
    struct setting setting = {.threads = 1};
    find(&setting, "", "g1f3");
    find(&setting, "g1f3 g8f6", "f3d4");
    find(&setting, "g1f3 g8f6 f3d4 f6g8", "d4f3");
    give(&setting, "g1f3", "g8f6", 1);
    give(&setting, "g1f3 g8f6 f3d4", "f6g8", 1);
    setting.script.only = true;
    setting.options =
        (struct grow_options){.side = WHITE, .root_depth = 10, .min_depth = 10, .branch = 4};
    position_start(&setting.options.root);
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    const struct grow_counts *counts = grow_counts(setting.grow);
    assert_int_equal(counts->cycles, 1);
    assert_int_equal(counts->positions, 5);
    assert_int_equal(counts->own_moves, 2);
    assert_int_equal(counts->searches, 3);
    const struct expected end = {"g1f3 g8f6 f3d4 f6g8", 1, 10, DAG_ENDED};
    assert_node(setting.grow, &end);
    close_setting(&setting);
}

/* Black's book: the root is White's, with all moves alike where the given book has none. After
 * 1. f3 e5 2. g4 the search mates: nothing follows. */
static void black_against_no_book_and_mate(void **state)
{
    (void)state;
    struct setting setting = {.threads = 1};
    give(&setting, "", "f2f3", 1);
    give(&setting, "f2f3 e7e5", "g2g4", 1);
    find(&setting, "f2f3", "e7e5");
    find(&setting, "f2f3 e7e5 g2g4", "d8h4");
    setting.script.only = true;
    setting.options =
        (struct grow_options){.side = BLACK, .root_depth = 10, .min_depth = 10, .branch = 4};
    position_start(&setting.options.root);
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    assert_int_equal(grow_counts(setting.grow)->positions, 5);
    assert_int_equal(grow_counts(setting.grow)->own_moves, 2);
    const struct expected mate = {"f2f3 e7e5 g2g4 d8h4", 1, 0, DAG_ENDED};
    assert_node(setting.grow, &mate);
    close_setting(&setting);

    struct setting bare = {.threads = 1};
    bare.options = setting.options; /* each first move: 1/20, less than 1/2 */
    bare.options.opponent = (struct opponent){.sources = NULL};
    open_setting(&bare);
    assert_int_equal(grow_run(bare.grow, NULL), STATUS_OK);
    assert_int_equal(grow_counts(bare.grow)->positions, 21);
    assert_int_equal(grow_counts(bare.grow)->out_of_book, 1);
    assert_int_equal(grow_counts(bare.grow)->searches, 0);
    const struct expected first = {"e2e4", .05, 0, DAG_OPEN};
    assert_node(bare.grow, &first);
    close_setting(&bare);
}

static void a_limit_of_positions(void **state)
{
    (void)state;
    struct setting setting = {.threads = 1};
    fill_example(&setting);
    setting.options.max_positions = 6;
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    assert_true(grow_is_done(setting.grow));
    assert_true(grow_counts(setting.grow)->full);
    assert_int_equal(grow_counts(setting.grow)->positions, 6);
    close_setting(&setting);
}

static void faults_of_searches(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct setting setting = {.threads = 2};
    fill_example(&setting);
    setting.script.fail_after = 2;
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, &diag), STATUS_IO);
    assert_string_equal(diag.text, "the engine has died");
    assert_false(grow_is_done(setting.grow));
    close_setting(&setting);

    struct setting liar = {.threads = 1};
    fill_example(&liar);
    liar.script.rows[0].best = move_make(A1, H8);
    open_setting(&liar);
    assert_int_equal(grow_run(liar.grow, &diag), STATUS_ILLEGAL);
    assert_string_equal(diag.text, "a search answered with a move that is not legal");
    close_setting(&liar);

    struct setting stopped = {.threads = 2};
    fill_example(&stopped);
    open_setting(&stopped);
    assert_int_equal(grow_step(stopped.grow, NULL, NULL), STATUS_OK);
    scorer_stop(stopped.scorer);
    assert_int_equal(grow_run(stopped.grow, NULL), STATUS_END);
    assert_false(grow_is_done(stopped.grow));
    close_setting(&stopped);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_by_hand),
        cmocka_unit_test(example_as_a_book),
        cmocka_unit_test(replies_that_are_probable_together),
        cmocka_unit_test(a_reply_that_closes_a_cycle),
        cmocka_unit_test(an_own_move_that_closes_a_cycle),
        cmocka_unit_test(black_against_no_book_and_mate),
        cmocka_unit_test(a_limit_of_positions),
        cmocka_unit_test(faults_of_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
