#include "tests/support/capture.h"

#include "book/uci/wdl.h"
#include "chess/attacks.h"
#include "eval/eval.h"

static void lines_stay_lines(void **state)
{
    (void)state;
    struct capture capture;
    capture_start(&capture);
    report_string(&capture.out, "said \"%s\"", "a\nb\tc\x7f\xC2\x9B\u202E\u00FC");
    assert_string_equal(capture.text, "info string said \"a?b?c???\u00FC\"\n");
    capture_clear(&capture);
    char text[2 * REPORT_LINE_MAX];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    report_line(&capture.out, "%s", text);
    assert_int_equal(capture_lines(&capture), 1);
    assert_int_equal(strlen(capture.text), REPORT_LINE_MAX);
    capture_end(&capture);
}

static void assert_score(int score, const char *expected)
{
    char data[32];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    report_score(&text, score);
    assert_string_equal(data, expected);
}

static void scores_are_centipawns_or_moves_to_mate(void **state)
{
    (void)state;
    assert_score(0, "cp 0");
    assert_score(EVAL_HALF, "cp 100");
    assert_score(-3 * EVAL_HALF, "cp -300");
    assert_score(SCORE_MATE - 1, "mate 1"); /* one ply */
    assert_score(SCORE_MATE - 3, "mate 2"); /* move, reply, move */
    assert_score(-SCORE_MATE + 2, "mate -1");
    assert_score(-SCORE_MATE + 4, "mate -2");
    assert_score(-SCORE_MATE, "mate 0");
}

static void info_line_says_it_all(void **state)
{
    (void)state;
    struct capture capture;
    capture_start(&capture);
    move pv[] = {move_make_kind(E1, H1, MOVE_CASTLING), move_make(E8, E8 - 8)};
    struct search_info info = {.depth = 12,
                               .seldepth = 20,
                               .multipv = 2,
                               .score = eval_of_centipawns(50),
                               .bound = SCORE_LOWER,
                               .nodes = 123456789012,
                               .nps = 1000,
                               .time_ms = 77,
                               .hashfull = 3,
                               .pv = pv,
                               .pv_length = 2};
    report_info(&capture.out, (struct report_style){0}, &info);
    assert_string_equal(capture.text,
                        "info depth 12 seldepth 20 multipv 2 score cp 50 lowerbound nodes "
                        "123456789012 nps 1000 hashfull 3 tbhits 0 time 77 pv e1g1 e8e7\n");
    capture_clear(&capture);
    info.bound = SCORE_EXACT;
    report_info(&capture.out, (struct report_style){.chess960 = true, .wdl = true, .material = 40},
                &info);
    struct wdl wdl = wdl_estimate(info.score, 40);
    char shown[64];
    (void)snprintf(shown, sizeof shown, "score cp 50 wdl %d %d %d nodes", wdl.win, wdl.draw,
                   wdl.loss);
    assert_non_null(strstr(capture.text, shown));
    assert_non_null(strstr(capture.text, "pv e1h1 e8e7\n"));
    capture_end(&capture);
}

static void longest_line_fits(void **state)
{
    (void)state;
    struct capture capture;
    capture_start(&capture);
    move pv[SEARCH_PLY_MAX];
    for (int i = 0; i < SEARCH_PLY_MAX; i++)
        pv[i] = move_make_promotion(E8 - 8, E8, QUEEN);
    struct search_info info = {.depth = 120,
                               .seldepth = 128,
                               .multipv = 256,
                               .score = -20000,
                               .nodes = UINT64_MAX,
                               .nps = UINT64_MAX,
                               .time_ms = INT64_MAX,
                               .hashfull = 1000,
                               .tbhits = UINT64_MAX,
                               .pv = pv,
                               .pv_length = SEARCH_PLY_MAX};
    report_info(&capture.out, (struct report_style){.wdl = true}, &info);
    assert_int_equal(capture_count(&capture, " e7e8q"), SEARCH_PLY_MAX);
    capture_end(&capture);
}

static void best_move_line(void **state)
{
    (void)state;
    struct capture capture;
    capture_start(&capture);
    struct report_style style = {0};
    report_best(&capture.out, style, move_make(E8, E8 - 8), MOVE_NONE);
    report_best(&capture.out, style, move_make(A1, B1), move_make(C1, D1));
    report_best(&capture.out, style, MOVE_NONE, MOVE_NONE);
    assert_string_equal(capture.text,
                        "bestmove e8e7\nbestmove a1b1 ponder c1d1\nbestmove (none)\n");
    capture_end(&capture);
}

static void broken_stream_is_given_up(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        print_message("no /dev/full here: skipped\n");
        skip();
    }
    report_line(&(struct output){.stream = full}, "one");
    assert_true(ferror(full));
    report_line(&(struct output){.stream = full}, "two");
    (void)fclose(full);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_stay_lines),
        cmocka_unit_test(scores_are_centipawns_or_moves_to_mate),
        cmocka_unit_test(info_line_says_it_all),
        cmocka_unit_test(longest_line_fits),
        cmocka_unit_test(best_move_line),
        cmocka_unit_test(broken_stream_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
