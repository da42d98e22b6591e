/* The session's promise: one bestmove for each go, in every order of events. */
#include "tests/support/capture.h"

#include "base/clock.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "engine/setoption.h"

static struct capture capture;
static struct session *session;

static int set_up(void **state)
{
    (void)state;
    capture_start(&capture);
    session = session_create(capture.file, 1);
    if (!session)
        return -1;
    const char *threads = getenv("CAXTON_TEST_THREADS");
    if (threads) {
        char line[64];
        struct text_buffer text = text_buffer_on(line, sizeof line);
        text_append(&text, "name Threads value %s", threads);
        setoption_command(session, span_of(line), false);
    }
    session_options(session)->book.own_book = false;
    capture_clear(&capture);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    session_destroy(session);
    capture_end(&capture);
    return 0;
}

static void go(const char *arguments)
{
    struct go parsed;
    go_parse(span_of(arguments), game_position(session_game(session)), &capture.out, &parsed);
    session_go(session, &parsed, clock_ms());
}

static void set_fen(const char *fen)
{
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    game_reset(session_game(session), &pos);
}

static int best_moves(void)
{
    return capture_count(&capture, "bestmove ");
}

static void limits_end_a_search(void **state)
{
    (void)state;
    static const char *const limits[] = {"depth 5",
                                         "nodes 3000",
                                         "movetime 1",
                                         "mate 1 depth 3",
                                         "wtime 100 btime 100",
                                         "wtime 1 btime 1 winc 0",
                                         "wtime 50 btime 50 movestogo 1",
                                         "winc 50 binc 50",
                                         "winc 0 binc 0"};
    int count = sizeof limits / sizeof *limits;
    for (int i = 0; i < count; i++) {
        go(limits[i]);
        session_wait(session);
        assert_int_equal(best_moves(), i + 1);
    }
}

static void stop_ends_every_search(void **state)
{
    (void)state;
    static const char *const limits[] = {"infinite", "ponder wtime 1000 btime 1000", "depth 100",
                                         "wtime 9999999 btime 9999999", "ponder"};
    int count = sizeof limits / sizeof *limits;
    for (int i = 0; i < count; i++) {
        go(limits[i]);
        session_finish(session);
        assert_int_equal(best_moves(), i + 1);
    }
    session_stop(session);
    session_finish(session);
    assert_int_equal(best_moves(), count);
}

static void a_new_go_ends_the_one_before(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        go("infinite");
    session_finish(session);
    assert_int_equal(best_moves(), 20);
}

static void ponderhit_lets_the_clock_decide(void **state)
{
    (void)state;
    go("ponder wtime 20 btime 20");
    session_ponderhit(session);
    session_wait(session);
    assert_int_equal(best_moves(), 1);
    session_ponderhit(session); /* nothing to hit */
    go("ponder");
    session_ponderhit(session);
    session_wait(session);
    assert_int_equal(best_moves(), 2);
    go("depth 3");
    session_ponderhit(session);
    session_wait(session);
    assert_int_equal(best_moves(), 3);
}

static void settings_end_the_search_first(void **state)
{
    (void)state;
    go("infinite");
    setoption_command(session, span_of("name Hash value 2"), false);
    assert_int_equal(best_moves(), 1);
    go("infinite");
    setoption_command(session, span_of("name Threads value 2"), false);
    assert_int_equal(best_moves(), 2);
    go("infinite");
    setoption_command(session, span_of("name Clear Hash"), false);
    assert_int_equal(best_moves(), 3);
    go("infinite");
    session_new_game(session);
    assert_int_equal(best_moves(), 4);
}

static void no_legal_move(void **state)
{
    (void)state;
    set_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    go("depth 5");
    session_wait(session);
    assert_string_equal(capture.text, "info depth 0 score cp 0\nbestmove (none)\n");
    capture_clear(&capture);
    set_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    go("wtime 1000 btime 1000");
    session_wait(session);
    assert_string_equal(capture.text, "info depth 0 score mate 0\nbestmove (none)\n");
    capture_clear(&capture);
    go("infinite");
    session_finish(session);
    assert_int_equal(best_moves(), 1);
}

static void searchmoves_are_all_that_is_played(void **state)
{
    (void)state;
    go("depth 4 searchmoves a2a3");
    session_wait(session);
    assert_non_null(strstr(capture.text, "bestmove a2a3"));
    assert_int_equal(capture_count(&capture, " pv "), capture_count(&capture, " pv a2a3"));
}

static void multipv_lines(void **state)
{
    (void)state;
    session_options(session)->multipv = 4;
    go("depth 4");
    session_wait(session);
    assert_int_equal(capture_count(&capture, "info depth 4 "), 4);
    assert_int_equal(capture_count(&capture, " multipv 5 "), 0);
    capture_clear(&capture);
    session_options(session)->multipv = MOVES_MAX; /* more than there are moves */
    go("depth 2");
    session_wait(session);
    assert_int_equal(capture_count(&capture, "info depth 2 "), 20);
}

static void castling_style(void **state)
{
    (void)state;
    set_fen("5k2/8/8/8/8/8/8/4K2R w K - 0 1");
    go("depth 1 searchmoves e1g1");
    session_wait(session);
    assert_non_null(strstr(capture.text, "bestmove e1g1"));
    session_options(session)->chess960 = true;
    go("depth 1 searchmoves e1g1");
    session_wait(session);
    assert_non_null(strstr(capture.text, "bestmove e1h1"));
    /* A start that needs the notation gets it unasked. */
    session_options(session)->chess960 = false;
    set_fen("5k2/8/8/8/8/8/8/5K1R w K - 0 1");
    go("depth 1 searchmoves f1h1");
    session_wait(session);
    assert_non_null(strstr(capture.text, "bestmove f1h1"));
}

static void limited_strength_shows_one_line(void **state)
{
    (void)state;
    session_options(session)->limit_strength = true;
    session_options(session)->elo = ELO_MIN;
    go("wtime 600000 btime 600000");
    session_wait(session);
    assert_int_equal(best_moves(), 1);
    assert_int_equal(capture_count(&capture, " multipv 2 "), 0);
}

/* The last line shown begins with the move that is played. */
static void limited_strength_plays_what_it_shows(void **state)
{
    (void)state;
    session_options(session)->limit_strength = true;
    session_options(session)->elo = ELO_MIN;
    session_options(session)->book.own_book = false;
    for (int i = 0; i < 20; i++) {
        capture_clear(&capture);
        go("wtime 600000 btime 600000");
        session_wait(session);
        const char *best = strstr(capture.text, "bestmove ");
        assert_non_null(best);
        const char *shown = NULL;
        for (const char *at = capture.text; (at = strstr(at, " pv ")); at++)
            shown = at + strlen(" pv ");
        assert_non_null(shown);
        assert_memory_equal(shown, best + strlen("bestmove "), 4);
    }
}

static void perft_counts(void **state)
{
    (void)state;
    go("perft 3");
    session_wait(session);
    assert_non_null(strstr(capture.text, "e2e4: 600\n"));
    assert_non_null(strstr(capture.text, "Nodes searched: 8902\n"));
    assert_int_equal(capture_count(&capture, ": "), 20 + 1 + 1);
    assert_int_equal(best_moves(), 0);
    go("perft 20");
    session_finish(session);
    assert_non_null(strstr(capture.text, "perft stopped"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        TEST(limits_end_a_search),
        TEST(stop_ends_every_search),
        TEST(a_new_go_ends_the_one_before),
        TEST(ponderhit_lets_the_clock_decide),
        TEST(settings_end_the_search_first),
        TEST(no_legal_move),
        TEST(searchmoves_are_all_that_is_played),
        TEST(multipv_lines),
        TEST(castling_style),
        TEST(limited_strength_shows_one_line),
        TEST(limited_strength_plays_what_it_shows),
        TEST(perft_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
