#include "tests/support/capture.h"

#include "book/uci/position.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "engine/session.h"

static struct capture capture;
static struct session *session;
static struct position_memory memory;

static int set_up(void **state)
{
    (void)state;
    capture_start(&capture);
    session = session_create(capture.file, 1);
    return session ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    session_destroy(session);
    position_memory_free(&memory);
    capture_end(&capture);
    return 0;
}

static void command(const char *arguments)
{
    capture_clear(&capture);
    (void)position_command(session_game(session), &memory, span_of(arguments), &capture.out);
}

static void assert_fen(const char *expected)
{
    char fen[FEN_MAX];
    fen_format(game_position(session_game(session)), fen);
    assert_string_equal(fen, expected);
}

static void startpos_and_moves(void **state)
{
    (void)state;
    command("startpos");
    assert_fen(fen_start);
    command("startpos moves e2e4 e7e5 g1f3");
    assert_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    assert_int_equal(game_plies(session_game(session)), 3);
    command("  startpos   moves  e2e4\te7e5 ");
    assert_int_equal(game_plies(session_game(session)), 2);
    command("startpos moves");
    assert_fen(fen_start);
    assert_int_equal(capture_lines(&capture), 0);
}

static void fen_and_moves(void **state)
{
    (void)state;
    command("fen 4k3/8/8/8/8/8/4P3/4K3 w - - 3 10 moves e2e4 e8e7");
    assert_fen("8/4k3/8/8/4P3/8/8/4K3 w - - 1 11");
    command("fen 4k3/8/8/8/8/8/4P3/4K3 b - -");
    assert_int_equal(game_position(session_game(session))->turn, BLACK);
    assert_int_equal(capture_lines(&capture), 0);
}

/* A board set up by hand keeps rights that it cannot have: the game is played without them. */
static void impossible_rights_are_left_out(void **state)
{
    (void)state;
    command("fen 4k3/8/8/8/8/8/8/2KR4 w KQ - 0 1 moves d1d7");
    assert_fen("4k3/3R4/8/8/8/8/8/2K5 b - - 1 1");
    assert_int_equal(capture_lines(&capture), 1);
    assert_int_equal(capture_count(&capture, "castling right without king and rook"), 1);
}

/* However the next list relates to the last one, the game is that of the command. */
static void later_commands_continue_or_replace(void **state)
{
    (void)state;
    command("startpos");
    command("startpos moves e2e4");
    command("startpos moves e2e4 e7e5 e1e2");
    assert_int_equal(game_plies(session_game(session)), 3);
    command("startpos moves e2e4 e7e5 g1f3 b8c6");
    assert_int_equal(game_plies(session_game(session)), 4);
    assert_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    command("startpos moves e2e4 e7e5");
    command("startpos moves e2e4 e7e5");
    assert_int_equal(game_plies(session_game(session)), 2);
    command("startpos");
    assert_int_equal(game_plies(session_game(session)), 0);
    command("fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves a7a8r");
    command("fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves a7a8r h8g7");
    assert_fen("R7/6k1/8/8/8/8/8/K7 w - - 1 2");
    assert_int_equal(capture_lines(&capture), 0);
}

/* "b7b8" is the beginning of "b7b8q", but not the same move. */
static void a_longer_word_is_no_continuation(void **state)
{
    (void)state;
    command("fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    command("fen 7k/8/8/8/8/8/8/K7 w - - 0 12");
    assert_fen("7k/8/8/8/8/8/8/K7 w - - 0 12");
    command("fen 7k/8/8/8/8/8/8/K7 w - -");
    command("fen 7k/8/8/8/8/8/8/K7 w - - 5 9");
    assert_fen("7k/8/8/8/8/8/8/K7 w - - 5 9");
}

static void illegal_move_keeps_what_was_before(void **state)
{
    (void)state;
    command("startpos moves e2e4 e7e5 e1e3 g8f6");
    assert_int_equal(game_plies(session_game(session)), 2);
    assert_int_equal(capture_lines(&capture), 1);
    assert_non_null(strstr(capture.text, "move 3, \"e1e3\", is not legal"));
    /* What follows such a command is read from its beginning. */
    command("startpos moves e2e4 e7e5 e1e3 g8f6 f1c4");
    assert_int_equal(game_plies(session_game(session)), 2);
    command("startpos moves e2e4 nonsense");
    assert_int_equal(game_plies(session_game(session)), 1);
    assert_int_equal(capture_lines(&capture), 1);
}

static void faults_change_nothing(void **state)
{
    (void)state;
    static const char *const faulty[] = {
        "",
        "fen",
        "fen moves e2e4",
        "fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "start moves e2e4",
        "startpos e2e4",
        "8/8/8/8/8/8/8/8",
    };
    command("startpos moves d2d4");
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        command(faulty[i]);
        assert_int_equal(capture_lines(&capture), 1);
        assert_int_equal(capture_count(&capture, "info string position: "), 1);
        assert_int_equal(game_plies(session_game(session)), 1);
    }
    command("startpos moves d2d4 d7d5");
    assert_int_equal(game_plies(session_game(session)), 2);
}

static void castling_in_both_notations(void **state)
{
    (void)state;
    const char *after = "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1";
    command("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1");
    assert_fen(after);
    command("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1");
    assert_fen(after);
    assert_int_equal(capture_lines(&capture), 0);
}

static void very_long_games(void **state)
{
    (void)state;
    static const char *const shuffle[] = {" g1f3", " g8f6", " f3g1", " f6g8"};
    enum { PLIES = 30000, HEAD = 14 };
    char *text = malloc(HEAD + 5 * PLIES + 1);
    assert_non_null(text);
    memcpy(text, "startpos moves", HEAD);
    for (int i = 0; i < PLIES; i++)
        memcpy(text + HEAD + 5 * i, shuffle[i % 4], 5);
    text[HEAD + 5 * PLIES] = '\0';
    command(text);
    assert_int_equal(game_plies(session_game(session)), PLIES);
    assert_int_equal(capture_lines(&capture), 0);
    free(text);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(startpos_and_moves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fen_and_moves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(impossible_rights_are_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(later_commands_continue_or_replace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_longer_word_is_no_continuation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(illegal_move_keeps_what_was_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(faults_change_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(castling_in_both_notations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(very_long_games, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
