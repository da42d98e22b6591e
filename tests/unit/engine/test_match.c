/* A game of the engine against itself: its clock, and how it is ended. */
#include "capture.h"

#include "chess/attacks.h"
#include "engine/match.h"

static struct time_control control;

static void time_controls(void **state)
{
    (void)state;
    assert_true(time_control_read("60+0.6", &control));
    assert_int_equal(control.base_ms, 60000);
    assert_int_equal(control.increment_ms, 600);
    assert_true(time_control_read("0.25", &control));
    assert_int_equal(control.base_ms, 250);
    assert_int_equal(control.increment_ms, 0);
    assert_true(time_control_read("1+.005", &control));
    assert_int_equal(control.increment_ms, 5);
    assert_true(time_control_read("86400", &control));
    static const char *const wrong[] = {"",      "0",   "1+",    "1.2.3", "1+2+3",
                                        "blitz", "-5",  "86401", "5 + 3", "1+0.0001",
                                        "+1",    "1e3", "0+1",   "."};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        control = (struct time_control){7, 7};
        assert_false(time_control_read(wrong[i], &control));
        assert_int_equal(control.base_ms, 7);
    }
}

static void scores_are_pawns_or_moves_to_mate(void **state)
{
    (void)state;
    char data[32];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    match_append_score(&text, 0);
    match_append_score(&text, SCORE_MATE - 3);
    match_append_score(&text, -SCORE_MATE + 4);
    assert_string_equal(data, "+0.00+M2-M2");
}

static void an_interrupted_match_has_no_result(void **state)
{
    (void)state;
    struct capture capture;
    struct options options;
    struct match match;
    struct match_outcome outcome;
    capture_start(&capture);
    struct screen screen = {.out = capture.file};
    options_init(&options);
    assert_int_equal(match_init(&match, &options, (struct time_control){1000, 0}, NULL, &screen, 1),
                     STATUS_OK);
    match_interrupt(&match);
    assert_int_equal(match_play(&match, &outcome), STATUS_OK);
    assert_int_equal(outcome.result, PGN_UNKNOWN);
    assert_string_equal(outcome.termination, "unterminated");
    assert_int_equal(game_plies(match.game), 0);
    match_free(&match);
    capture_end(&capture);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_controls),
        cmocka_unit_test(scores_are_pawns_or_moves_to_mate),
        cmocka_unit_test(an_interrupted_match_has_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
