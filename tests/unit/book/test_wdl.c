#include "tests/support/capture.h"

#include "book/uci/wdl.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/eval.h"
#include "search/score.h"

static void chances_make_sense_for_any_score_and_material(void **state)
{
    (void)state;
    for (int material = 0; material <= 200; material++) {
        int last_win = -1;
        for (int score = -3000; score <= 3000; score += 7) {
            struct wdl wdl = wdl_estimate(score, material);
            struct wdl mirrored = wdl_estimate(-score, material);
            assert_int_equal(wdl.win + wdl.draw + wdl.loss, 1000);
            assert_true(wdl.win >= 0 && wdl.draw >= 0 && wdl.loss >= 0);
            assert_int_equal(wdl.win, mirrored.loss);
            assert_true(wdl.win >= last_win);
            last_win = wdl.win;
        }
        assert_in_range(wdl_estimate(3000, material).win, 990, 1000);
        assert_in_range(wdl_estimate(0, material).win, 0, 450);
    }
}

static void mates_and_tables_are_certain(void **state)
{
    (void)state;
    assert_int_equal(wdl_estimate(SCORE_MATE - 5, 20).win, 1000);
    assert_int_equal(wdl_estimate(-SCORE_MATE + 5, 20).loss, 1000);
    assert_int_equal(wdl_estimate(SCORE_TB_WIN - 20, 5).win, 1000);
    assert_int_equal(wdl_estimate(20 - SCORE_TB_WIN, 5).loss, 1000);
}

static void half_of_the_games_are_won_from_a_hundred_centipawns(void **state)
{
    (void)state;
    assert_in_range(wdl_estimate(EVAL_HALF, 58).win, 490, 510);
}

static void material_counts_both_sides(void **state)
{
    (void)state;
    struct position pos;
    position_start(&pos);
    assert_int_equal(wdl_material(&pos), 78);
    assert_int_equal(fen_parse(span_of("4k3/4p3/8/8/8/8/3QRBN1/4K3 w - - 0 1"), &pos, NULL),
                     STATUS_OK);
    assert_int_equal(wdl_material(&pos), 21);
}

static void nobody_wins_a_dead_position(void **state)
{
    (void)state;
    struct position pos;
    assert_int_equal(fen_parse(span_of("4k3/8/8/8/8/8/8/3NK3 w - - 0 1"), &pos, NULL), STATUS_OK);
    assert_int_equal(wdl_estimate(-99, wdl_material(&pos)).draw, 1000);
    assert_int_equal(fen_parse(span_of("4k3/p7/8/8/8/8/8/3NK3 w - - 0 1"), &pos, NULL), STATUS_OK);
    assert_int_not_equal(wdl_estimate(-99, wdl_material(&pos)).draw, 1000);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chances_make_sense_for_any_score_and_material),
        cmocka_unit_test(mates_and_tables_are_certain),
        cmocka_unit_test(half_of_the_games_are_won_from_a_hundred_centipawns),
        cmocka_unit_test(nobody_wins_a_dead_position),
        cmocka_unit_test(material_counts_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
