/* Whole conversations, in process, over two streams in memory. */
#include "capture.h"

#include "chess/attacks.h"
#include "engine/uci.h"

static char *output;
static size_t output_size;

/* What the engine writes when it is told `input`; valid until the next call. */
static const char *converse_bytes(const char *input, size_t size)
{
    free(output);
    FILE *in = tmpfile();
    FILE *out = open_memstream(&output, &output_size);
    assert_true(in && out);
    assert_int_equal(fwrite(input, 1, size, in), size);
    rewind(in);
    assert_int_equal(uci_converse(in, out, 1), STATUS_OK);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    return output;
}

static const char *converse(const char *input)
{
    return converse_bytes(input, strlen(input));
}

static void identifies_itself(void **state)
{
    (void)state;
    const char *said = converse("uci\nquit\n");
    assert_ptr_equal(strstr(said, "id name Caxton "), said);
    assert_non_null(strstr(said, "\nid author "));
    assert_non_null(strstr(said, "\nuciok\n"));
    assert_string_equal(said + strlen(said) - 6, "uciok\n");
}

static void ready_after_everything(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",
        "   ",
        "xyzzy",
        "go perft",
        "go depth",
        "go searchmoves",
        "setoption",
        "setoption name Hash",
        "setoption name Threads value 0",
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e5",
        "ponderhit",
        "stop",
        "debug",
        "register later",
        "ucinewgame",
        "d",
        "eval",
        "book",
        "help",
        "\x01\x02\xff",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char script[512];
        struct text_buffer text = text_buffer_on(script, sizeof script);
        text_append(&text, "%s\nisready\n", lines[i]);
        const char *said = converse(script);
        assert_int_equal(count_of(said, "readyok\n"), 1);
    }
}

static void unknown_commands_start_nothing(void **state)
{
    (void)state;
    assert_string_equal(converse("goo depth 5\ng\nGO\nstopp\n"),
                        "info string unknown command \"goo\"\n"
                        "info string unknown command \"g\"\n"
                        "info string unknown command \"GO\"\n"
                        "info string unknown command \"stopp\"\n");
}

static void end_of_input_stops_the_search(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "setoption name OwnBook value false\ngo infinite",
        "setoption name OwnBook value false\ngo ponder wtime 1000 btime 1000\n",
        "setoption name OwnBook value false\ngo infinite\nquit\nisready\n",
        "go ponder wtime 1000 btime 1000\nquit\n", /* perhaps on a book move */
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        const char *said = converse(scripts[i]);
        assert_int_equal(count_of(said, "bestmove "), 1);
        assert_int_equal(count_of(said, "readyok"), 0);
    }
}

static void every_go_gets_one_bestmove(void **state)
{
    (void)state;
    const char *said = converse("setoption name OwnBook value false\n"
                                "go infinite\n"
                                "isready\n"
                                "position startpos moves e2e4\n"
                                "go ponder wtime 1000 btime 1000\n"
                                "setoption name MultiPV value 2\n"
                                "go infinite\n"
                                "go infinite\n"
                                "ucinewgame\n"
                                "go infinite\n"
                                "stop\n"
                                "stop\n"
                                "go infinite\n"
                                "go perft 1\n");
    assert_int_equal(count_of(said, "bestmove "), 6);
    assert_int_equal(count_of(said, "readyok"), 1);
    assert_int_equal(count_of(said, "info string"), 1); /* of perft */
}

static void lines_of_any_length(void **state)
{
    (void)state;
    enum { SIZE = 200000 };
    char *text = malloc(SIZE + 16);
    assert_non_null(text);
    memset(text, 'x', SIZE);
    memcpy(text + SIZE, "\nisready\n", 10);
    const char *said = converse(text);
    assert_int_equal(count_of(said, "unknown command"), 1);
    assert_int_equal(count_of(said, "readyok\n"), 1);
    free(text);
}

static void zero_bytes_and_carriage_returns(void **state)
{
    (void)state;
    static const char script[] = "isready\r\n\0\0go\0\nsetoption name Hash value 8\0\nisready\r\n";
    const char *said = converse_bytes(script, sizeof script - 1);
    assert_int_equal(count_of(said, "readyok\n"), 2);
    assert_int_equal(count_of(said, "bestmove"), 0);
}

static void debug_says_more(void **state)
{
    (void)state;
    const char *said = converse("debug on\nsetoption name Hash value 8\n");
    assert_non_null(strstr(said, "info string Hash"));
    assert_string_equal(converse("debug on\ndebug off\nsetoption name Hash value 8\n"), "");
}

static void one_command_alone(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(uci_execute("go perft 2", out, 1), STATUS_OK);
    assert_int_equal(uci_execute("nonsense", out, 1), STATUS_NOT_FOUND);
    assert_int_equal(uci_execute("", out, 1), STATUS_NOT_FOUND);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "Nodes searched: 400\n"));
    free(text);
}

static void the_position_is_shown(void **state)
{
    (void)state;
    const char *said = converse("position startpos moves e2e4 c7c5\nd\n");
    assert_non_null(strstr(said, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
    assert_non_null(strstr(said, "Sicilian Defense"));
    assert_non_null(strstr(said, " 8  r  n  b  q  k  b  n  r \n"));
    assert_non_null(strstr(converse("position fen 7k/6Q1/6K1/8/8/8/8/8 b - -\nd\n"), "checkmate"));
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identifies_itself),
        cmocka_unit_test(ready_after_everything),
        cmocka_unit_test(unknown_commands_start_nothing),
        cmocka_unit_test(end_of_input_stops_the_search),
        cmocka_unit_test(every_go_gets_one_bestmove),
        cmocka_unit_test(lines_of_any_length),
        cmocka_unit_test(zero_bytes_and_carriage_returns),
        cmocka_unit_test(debug_says_more),
        cmocka_unit_test(one_command_alone),
        cmocka_unit_test(the_position_is_shown),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(output);
    return failed;
}
