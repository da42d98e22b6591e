/* Whole conversations, in process, over two streams in memory. */
#include "tests/support/capture.h"

#include <unistd.h>

#include "base/file.h"
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

/* Twice as long as any line may be: said once, and the conversation goes on. */
static void an_endless_line_is_skipped(void **state)
{
    (void)state;
    enum { SIZE = 2 << 20 };
    static const char end[] = "\nisready\nquit\n";
    char *input = malloc(SIZE + sizeof end);
    assert_non_null(input);
    memset(input, 'x', SIZE);
    memcpy(input + SIZE, end, sizeof end);
    assert_string_equal(converse_bytes(input, SIZE + sizeof end - 1),
                        "info string a line of more than 1048576 bytes is skipped\nreadyok\n");
    free(input);
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
                        "info string unknown command \"goo\" (did you mean go?)\n"
                        "info string unknown command \"g\"\n"
                        "info string unknown command \"GO\" (did you mean go?)\n"
                        "info string unknown command \"stopp\" (did you mean stop?)\n");
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

static void quit_waits_for_counts(void **state)
{
    (void)state;
    assert_int_equal(count_of(converse("go perft 3\nquit\n"), "Nodes searched: 8902\n"), 1);
    assert_int_equal(count_of(converse("bench 3\nquit\n"), "\nBench: "), 1);
    assert_int_equal(count_of(converse("go perft 40\n"), "perft stopped"), 1);
    assert_int_equal(count_of(converse("go perft 40\nstop\nquit\n"), "perft stopped"), 1);
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

/* What one command alone writes; `status` and `why` are what it answers. */
static const char *execute(const char *line, enum caxton_status status, const char *why)
{
    struct diag diag = {.text = ""};
    free(output);
    FILE *out = open_memstream(&output, &output_size);
    assert_non_null(out);
    assert_int_equal(uci_execute(line, out, 1, &diag), status);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(diag.text, why));
    return output;
}

static void one_command_alone(void **state)
{
    (void)state;
    assert_non_null(strstr(execute("go perft 2", STATUS_OK, ""), "Nodes searched: 400\n"));
    assert_non_null(strstr(execute("bench 1", STATUS_OK, ""), "\nBench: "));
    assert_string_equal(execute("nonsense", STATUS_NOT_FOUND, "no such command: nonsense"), "");
    assert_string_equal(execute("benhc", STATUS_NOT_FOUND, "(did you mean bench?)"), "");
    assert_string_equal(execute("", STATUS_NOT_FOUND, "no such command"), "");
    assert_string_equal(execute("bench deep", STATUS_SYNTAX, "depth"), "");
}

/* A person at a command line wants to see the search. */
static void go_alone_does_not_ask_the_book(void **state)
{
    (void)state;
    const char *said = execute("go depth 2", STATUS_OK, "");
    assert_int_equal(count_of(said, "info string book"), 0);
    assert_int_equal(count_of(said, "info depth 2 "), 1);
    assert_int_equal(count_of(said, "bestmove "), 1);
}

static void go_alone_without_an_end_is_refused(void **state)
{
    (void)state;
    assert_string_equal(execute("go", STATUS_SYNTAX, "needs a limit"), "");
    assert_string_equal(execute("go searchmoves e2e4", STATUS_SYNTAX, "needs a limit"), "");
    assert_string_equal(execute("go ponder wtime 9 btime 9", STATUS_SYNTAX, "ponderhit"), "");
}

static void output_that_is_refused_is_a_fault(void **state)
{
    (void)state;
    struct diag diag;
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        print_message("no /dev/full here: skipped\n");
        skip();
    }
    assert_int_equal(uci_execute("go depth 1", full, 1, &diag), STATUS_IO);
    (void)fclose(full);
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

static void assert_file_is(const char *path, const char *expected)
{
    uint8_t *bytes;
    size_t size;
    struct diag diag;
    assert_int_equal(file_read(path, 100000, &bytes, &size, &diag), STATUS_OK);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(bytes, expected, size);
    free(bytes);
}

static void both_sides_are_logged(void **state)
{
    (void)state;
    char path[] = "/tmp/caxton-log-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    char input[512];
    struct text_buffer text = text_buffer_on(input, sizeof input);
    text_append(&text,
                "isready\nsetoption name Debug Log File value %s\nisready\r\nxyzzy\n"
                "debug on\n\nsetoption name MultiPV value 2\n"
                "setoption name Debug Log File value <empty>\nisready\n",
                path);
    assert_string_equal(converse(input),
                        "readyok\nreadyok\ninfo string unknown command \"xyzzy\"\n"
                        "info string MultiPV set\ninfo string Debug Log File set\nreadyok\n");
    const char *logged = ">> isready\n<< readyok\n"
                         ">> xyzzy\n<< info string unknown command \"xyzzy\"\n"
                         ">> debug on\n>> \n"
                         ">> setoption name MultiPV value 2\n<< info string MultiPV set\n"
                         ">> setoption name Debug Log File value <empty>\n";
    assert_file_is(path, logged);
    assert_int_equal(unlink(path), 0);
}

static void log_that_cannot_be_written_costs_a_line(void **state)
{
    (void)state;
    const char *said = converse("setoption name Debug Log File value /nowhere/at/all\nisready\n");
    assert_ptr_equal(strstr(said, "info string Debug Log File: /nowhere/at/all: "), said);
    assert_int_equal(count_of(said, "\n"), 2);
    assert_non_null(strstr(said, "; nothing is logged\nreadyok\n"));
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identifies_itself),
        cmocka_unit_test(an_endless_line_is_skipped),
        cmocka_unit_test(ready_after_everything),
        cmocka_unit_test(unknown_commands_start_nothing),
        cmocka_unit_test(end_of_input_stops_the_search),
        cmocka_unit_test(quit_waits_for_counts),
        cmocka_unit_test(every_go_gets_one_bestmove),
        cmocka_unit_test(lines_of_any_length),
        cmocka_unit_test(zero_bytes_and_carriage_returns),
        cmocka_unit_test(debug_says_more),
        cmocka_unit_test(one_command_alone),
        cmocka_unit_test(go_alone_does_not_ask_the_book),
        cmocka_unit_test(go_alone_without_an_end_is_refused),
        cmocka_unit_test(output_that_is_refused_is_a_fault),
        cmocka_unit_test(the_position_is_shown),
        cmocka_unit_test(both_sides_are_logged),
        cmocka_unit_test(log_that_cannot_be_written_costs_a_line),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(output);
    return failed;
}
