/* Endgame tables in the search. What needs tables skips where there are none, or where this build
 * cannot read them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "search/search.h"
#include "search/tb.h"
#include "search/tb_search.h"
#include "tests/support/shared_data.h"

#define FOLDER SHARED_DATA_DIR "/syzygy"

static struct tb *tb;
static struct search *search;
static struct search_request request;
static struct search_result result;
static struct search_info last;

static int set_up(void **state)
{
    (void)state;
    tb = NULL;
    search = search_create();
    search_request_init(&request);
    return search ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    search_destroy(search);
    tb_close(tb);
    return 0;
}

static void open_tables(void)
{
    struct diag diag;
    shared_data_want(FOLDER "/KQvKR.rtbw");
    enum caxton_status status = tb_open(FOLDER, &tb, &diag);
    if (status == STATUS_NOT_FOUND) {
        print_message("skipped: %s\n", diag.text);
        skip();
    }
    assert_int_equal(status, STATUS_OK);
    search_set_tb(search, tb);
}

static void on_info(void *context, const struct search_info *info)
{
    (void)context;
    last = *info;
}

static void run(const char *fen, int depth)
{
    assert_int_equal(fen_parse(span_of(fen), &request.root, NULL), STATUS_OK);
    request.depth = depth;
    search_clear(search);
    search_arm(search, false, clock_ms());
    search_run(search, &request, &(struct search_reporter){.info = on_info}, &result);
    assert_int_equal(last.score, result.score);
}

static void wins_in_time_are_equal(void **state)
{
    (void)state;
    assert_int_equal(tb_rank(1, 0, false), TB_RANK_WIN);
    assert_int_equal(tb_rank(60, 39, false), TB_RANK_WIN);
    /* Distances may be one too small. */
    assert_true(tb_rank(60, 40, false) < TB_RANK_WIN);
    assert_true(tb_rank(61, 40, false) < tb_rank(60, 40, false));
    /* Once a position is repeated the nearer one goes first. */
    assert_true(tb_rank(3, 4, true) > tb_rank(5, 4, true));
    assert_true(tb_rank(1000, 0, false) > tb_rank(0, 0, false));
    assert_true(tb_rank(0, 0, false) > tb_rank(-1000, 0, false));
    /* The loser aims at the 50-move rule once it is near. */
    assert_int_equal(tb_rank(-2, 0, false), tb_rank(-20, 0, false));
    assert_true(tb_rank(-40, 50, false) > tb_rank(-30, 50, false));
    /* A FEN may have a counter of any size. */
    assert_true(tb_rank(5, 9999, false) > 0);
    assert_true(tb_rank(-5, 9999, false) < 0);
}

static void a_won_root_has_the_score_of_the_table(void **state)
{
    (void)state;
    open_tables();
    run("8/8/3k4/8/8/3K4/1Q6/5r2 w - - 0 1", 4);
    assert_int_equal(result.score, SCORE_TB_WIN);
    assert_int_equal(last.bound, SCORE_EXACT);
    assert_true(last.tbhits > 0);
    struct position behind = position_after(&request.root, result.best);
    enum tb_wdl known;
    assert_true(tb_find_wdl(tb, &behind, &known));
    assert_int_equal(known, TB_WDL_LOSS);
    run("8/8/8/8/8/k7/8/K1R5 b - - 0 1", 4);
    assert_int_equal(result.score, -SCORE_TB_WIN);
    run("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", 6);
    assert_int_equal(result.score, 0);
    request.contempt = 30;
    run("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", 6);
    assert_int_equal(result.score, -30);
}

static void a_mate_goes_before_the_table(void **state)
{
    (void)state;
    open_tables();
    run("6k1/8/6K1/8/8/8/8/R7 w - - 0 1", 4);
    assert_int_equal(result.score, score_mate_in(1));
}

static void only_moves_that_keep_the_win_are_searched(void **state)
{
    (void)state;
    open_tables();
    /* Of all moves of the pawn and the king one wins. */
    request.multipv = 3;
    run("8/8/8/1k6/8/8/1P6/1K6 w - - 0 1", 6);
    struct tb_move moves[MOVES_MAX];
    int count = tb_find_moves(tb, &request.root, moves);
    int wins = 0;
    assert_int_equal(count, movegen_count(&request.root));
    for (int i = 0; i < count; i++) {
        wins += moves[i].distance > 0;
        if (moves[i].move == result.best)
            assert_true(moves[i].distance > 0 || !wins);
    }
    assert_int_equal(last.multipv, 3);
}

/* Black's other move loses. */
static void the_only_good_move_is_not_thought_about(void **state)
{
    (void)state;
    open_tables();
    request.time_ms[BLACK] = 3600 * 1000;
    run("4k3/8/4PK2/8/8/8/8/8 b - - 0 1", 20);
    assert_int_equal(result.best, move_make(60, 61));
    assert_int_equal(last.depth, 5);
}

static void the_search_finds_captures_that_win(void **state)
{
    (void)state;
    open_tables();
    run("8/8/3k4/8/8/3K4/1Q2p3/5r2 w - - 0 1", 6);
    assert_true(result.score > SCORE_TB_WIN_IN_MAX && result.score < SCORE_TB_WIN);
    assert_true(last.tbhits > 0);
    request.tb_pieces = 3;
    run("8/8/3k4/8/8/3K4/1Q2p3/5r2 w - - 0 1", 1);
    assert_false(score_is_decisive(result.score));
}

static void threads_share_the_tables(void **state)
{
    (void)state;
    open_tables();
    assert_int_equal(search_set_threads(search, 4), STATUS_OK);
    run("8/8/3k2n1/8/8/3K2N1/1Q2p3/5r2 w - - 0 1", 12);
    assert_true(last.tbhits > 0);
}

static void a_high_counter_makes_a_draw(void **state)
{
    (void)state;
    open_tables();
    run("7k/8/8/8/8/8/8/KBN5 w - - 20 40", 4);
    assert_int_equal(result.score, SCORE_TB_WIN);
    run("7k/8/8/8/8/8/8/KBN5 w - - 60 70", 4);
    assert_int_equal(result.score, 0);
    request.tb_rule50 = false;
    run("7k/8/8/8/8/8/8/KBN5 w - - 60 70", 4);
    assert_int_equal(result.score, SCORE_TB_WIN);
}

static void castling_rights_are_in_no_table(void **state)
{
    (void)state;
    open_tables();
    run("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 2);
    assert_int_equal(last.tbhits, 0);
    assert_false(score_is_decisive(result.score));
    run("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 2);
    assert_int_equal(result.score, SCORE_TB_WIN);
}

static void searchmoves_are_searched(void **state)
{
    (void)state;
    open_tables();
    run("8/8/3k4/8/8/3K4/1Q6/5r2 w - - 0 1", 1);
    assert_int_equal(move_from_uci(&request.root, span_of("b2b1"), &request.moves[0]), STATUS_OK);
    request.move_count = 1;
    run("8/8/3k4/8/8/3K4/1Q6/5r2 w - - 0 1", 4);
    assert_int_equal(result.best, request.moves[0]);
}

static void folders_without_tables_are_no_fault(void **state)
{
    (void)state;
    struct diag diag;
    open_tables();
    struct tb *other;
    assert_int_equal(tb_open(FOLDER, &other, &diag), STATUS_RANGE);
    search_set_tb(search, NULL);
    tb_close(tb);
    assert_int_equal(tb_open("/nowhere", &tb, &diag), STATUS_OK);
    assert_int_equal(tb_size(tb).results, 0);
    tb_close(tb);
    tb = NULL;
    char folders[4096];
    const char separator = TB_FOLDER_SEPARATOR;
    struct text_buffer text = text_buffer_on(folders, sizeof folders);
    text_append(&text, "%c/nowhere%c%c%s%c", separator, separator, separator, FOLDER, separator);
    assert_int_equal(tb_open(folders, &tb, &diag), STATUS_OK);
    assert_int_equal(tb_size(tb).pieces_max, 4);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wins_in_time_are_equal),
        cmocka_unit_test_setup_teardown(a_won_root_has_the_score_of_the_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_mate_goes_before_the_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_moves_that_keep_the_win_are_searched, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_only_good_move_is_not_thought_about, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_search_finds_captures_that_win, set_up, tear_down),
        cmocka_unit_test_setup_teardown(threads_share_the_tables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_high_counter_makes_a_draw, set_up, tear_down),
        cmocka_unit_test_setup_teardown(castling_rights_are_in_no_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(searchmoves_are_searched, set_up, tear_down),
        cmocka_unit_test_setup_teardown(folders_without_tables_are_no_fault, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
