/* A game that the engine plays: its clock, moves taken back, and how it is ended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"
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
        control = (struct time_control){.base_ms = 7};
        assert_false(time_control_read(wrong[i], &control));
        assert_int_equal(control.base_ms, 7);
    }
}

static void scores_are_pawns_or_moves_to_mate(void **state)
{
    (void)state;
    char data[32];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    report_pawns(&text, 0);
    report_pawns(&text, SCORE_MATE - 3);
    report_pawns(&text, -SCORE_MATE + 4);
    assert_string_equal(data, "+0.00+M2-M2");
}

static struct options options;
static struct match match;

static void start_from(const char *fen)
{
    struct position start;
    options_init(&options);
    assert_int_equal(fen_parse(span_of(fen), &start, NULL), STATUS_OK);
    assert_int_equal(
        match_init(&match, &start, &options, (struct time_control){.base_ms = 1000}, NULL, 1),
        STATUS_OK);
}

static int start_match(void **state)
{
    (void)state;
    start_from(fen_start);
    return 0;
}

static int end_match(void **state)
{
    (void)state;
    match_free(&match);
    return 0;
}

static void play(const char *san, int64_t spent_ms)
{
    struct match_record record = {.by_person = true, .spent_ms = spent_ms};
    assert_int_equal(move_from_san(game_position(match.game), span_of(san), &record.move),
                     STATUS_OK);
    assert_int_equal(match_play(&match, &record), STATUS_OK);
}

static void an_interrupted_match_has_no_result(void **state)
{
    (void)state;
    struct match_record record;
    match_interrupt(&match);
    match_think(&match, &record);
    assert_int_equal(match_play(&match, &record), STATUS_OK);
    assert_true(match_is_over(&match));
    struct match_outcome outcome = match_outcome(&match);
    assert_int_equal(outcome.result, PGN_UNKNOWN);
    assert_string_equal(outcome.termination, "unterminated");
    assert_int_equal(game_plies(match.game), 0);
}

static void a_move_after_the_time_loses(void **state)
{
    (void)state;
    play("e4", 0);
    play("e5", 999);
    assert_false(match_is_over(&match));
    play("Nf3", 0);
    play("Nc6", 1);
    assert_true(match_is_over(&match));
    assert_int_equal(game_plies(match.game), 3);
    assert_int_equal(match_outcome(&match).result, PGN_WHITE_WINS);
    assert_string_equal(match_outcome(&match).termination, "time forfeit");
}

/* Whoever takes over has the time that is left. */
static void a_clock_runs_without_a_move(void **state)
{
    (void)state;
    match_run_clock(&match, 400);
    assert_int_equal(match.clock_ms[WHITE], 600);
    assert_int_equal(match.clock_ms[BLACK], 1000);
    play("e4", 600);
    assert_int_equal(match_outcome(&match).result, PGN_BLACK_WINS);
}

static void a_bare_king_does_not_win_on_time(void **state)
{
    (void)state;
    match_free(&match);
    start_from("8/8/8/8/8/2k5/8/K6Q w - - 0 1");
    play("Qh8+", 1000);
    assert_true(match_is_over(&match));
    assert_int_equal(match_outcome(&match).result, PGN_DRAW);
}

static void what_is_taken_back_was_never_played(void **state)
{
    (void)state;
    play("e4", 100);
    play("e5", 200);
    assert_string_equal(match_opening(&match)->code, "C20");
    assert_true(match_take_back(&match));
    assert_int_equal(match.clock_ms[BLACK], 1000);
    assert_string_equal(match_opening(&match)->code, "B00");
    assert_true(match_take_back(&match));
    assert_int_equal(match.clock_ms[WHITE], 1000);
    assert_null(match_opening(&match));
    assert_false(match_take_back(&match));
}

static void who_resigns_loses(void **state)
{
    (void)state;
    play("e4", 0);
    match.end = MATCH_RESIGNED;
    assert_int_equal(match_outcome(&match).result, PGN_WHITE_WINS);
    assert_string_equal(match_outcome(&match).termination, "normal");
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_controls),
        cmocka_unit_test(scores_are_pawns_or_moves_to_mate),
        cmocka_unit_test_setup_teardown(an_interrupted_match_has_no_result, start_match, end_match),
        cmocka_unit_test_setup_teardown(a_move_after_the_time_loses, start_match, end_match),
        cmocka_unit_test_setup_teardown(a_clock_runs_without_a_move, start_match, end_match),
        cmocka_unit_test_setup_teardown(a_bare_king_does_not_win_on_time, start_match, end_match),
        cmocka_unit_test_setup_teardown(what_is_taken_back_was_never_played, start_match,
                                        end_match),
        cmocka_unit_test_setup_teardown(who_resigns_loses, start_match, end_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
