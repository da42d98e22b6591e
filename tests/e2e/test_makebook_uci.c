/* makebook uci: another engine with a book in front. The engines are scripts that keep what they
 * hear and go wrong as they are told; what real programs say to it is in test_clients and test_uci,
 * which also run with Caxton behind makebook. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_file.h"

#define FAKE_ENGINE TEST_DATA_DIR "/../support/fake_engine.sh"
#define RUY         "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6"
#define OUT_OF_BOOK "position startpos moves a2a4" /* there the script plays e7e5 */

enum { SILENCE_MS = 200 };

static int set_up(void **state)
{
    (void)state;
    static const struct book_line lines[] = {
        {"e2e4", 3},
        {"d2d4", 1},
        {"g1f3", 1},
        {"e2e4 e7e5", 1},
        {"e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1", 1},
    };
    static const struct book_line other[] = {{"c2c4", 1}};
    chess_init();
    return create_folder() == 0 &&
                   book_write(path_of("a.bin"), lines, sizeof lines / sizeof *lines) &&
                   book_write(path_of("b.bin"), other, 1)
               ? 0
               : -1;
}

/* The fake engine as a command, with its log in the folder. */
static const char *fake(const char *mode)
{
    static char command[600];
    (void)snprintf(command, sizeof command, "sh '%s' '%s' %s", FAKE_ENGINE, path_of("log"), mode);
    return command;
}

static struct process *start(const char *engine)
{
    static const char *const traces[] = {"log", "log.died", "log.hung", "log.lied"};
    /* These are waited for shortly; the others may be slow on a busy machine. */
    bool never_answers = strstr(engine, " hangs") || strstr(engine, " floods");
    const char *const words[] = {process_binary("MAKEBOOK_BINARY"),
                                 "uci",
                                 "--engine",
                                 engine,
                                 "--book",
                                 path_of("a.bin"),
                                 "--engine-timeout",
                                 never_answers ? "1" : "60",
                                 NULL};
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++)
        (void)unlink(path_of(traces[i]));
    return process_start(words);
}

static void say(struct process *adapter, const char *const *lines)
{
    for (; *lines; lines++)
        process_write(adapter, *lines);
}
#define SAY(adapter, ...) say(adapter, (const char *const[]){__VA_ARGS__, NULL})

static void expect(struct process *adapter, const char *line)
{
    const char *got = process_read_line(adapter);
    if (!got || strncmp(got, line, strlen(line)) != 0)
        fail_msg("waited for \"%s\", got \"%s\"", line, got ? got : "the end");
}

static void quit(struct process *adapter)
{
    process_write(adapter, "quit");
    assert_string_equal(process_read_all(adapter), "");
    assert_int_equal(process_wait(adapter), 0);
    assert_string_equal(process_errors(adapter), "");
    process_destroy(adapter);
}

/* What the engine heard, from the end of the program on. */
static const char *heard(void)
{
    static char text[FILE_MAX];
    text[read_bytes("log", text)] = '\0';
    return text;
}

static void options_of_both(void **state)
{
    (void)state;
    struct process *adapter = start(fake("options"));
    char line[800];
    SAY(adapter, "uci");
    expect(adapter, "id name Fake engine 1.0 + book");
    expect(adapter, "option name OwnBook type check default true");
    (void)snprintf(line, sizeof line, "option name BookFile type string default %s",
                   path_of("a.bin"));
    expect(adapter, line);
    (void)process_read_until(adapter, "option name BookThreshold");
    expect(adapter, "option name Engine BookFile type string default its own, and more.bin");
    assert_string_equal(process_read_line(adapter),
                        "option name Weights File type string default /a b, c/d, e.nn");
    assert_string_equal(process_read_line(adapter), "option name Empty type string default ");
    (void)process_read_until(adapter, "option name Engine OwnBook type check default false");
    (void)process_read_until(adapter, "uciok");
    expect(adapter, "info string BookFile: a.bin, 5 entries");
    SAY(adapter, "setoption name engine bookfile value its.bin",
        "setoption name Weights File value /x, y  z", "setoption name Clear Hash",
        "setoption name BookDepth value 7", "setoption name bookselection value x", "isready");
    expect(adapter, "info string BookSelection has no choice \"x\"");
    expect(adapter, "readyok");
    quit(adapter);
    assert_string_equal(heard(), "uci\nsetoption name OwnBook value false\n"
                                 "setoption name bookfile value its.bin\n"
                                 "setoption name Weights File value /x, y  z\n"
                                 "setoption name Clear Hash\nisready\nquit\n");
}

/* A new position without ucinewgame is one like any other. */
static void the_book_answers_and_the_engine_hears_nothing(void **state)
{
    (void)state;
    struct process *adapter = start(fake("good"));
    SAY(adapter, "setoption name BookSelection value best", "position startpos",
        "go wtime 100 btime 100");
    expect(adapter, "info string book a.bin e2e4 60.0% ECO B00 ");
    expect(adapter, "info depth 1 seldepth 1 multipv 1 score cp ");
    expect(adapter, "bestmove e2e4 ponder e7e5");
    SAY(adapter, "stop", "ponderhit", RUY, "go movetime 10");
    (void)process_read_until(adapter, "bestmove e1g1");
    SAY(adapter, OUT_OF_BOOK, "go movetime 10");
    (void)process_read_until(adapter, "info depth 10 ");
    expect(adapter, "bestmove e7e5 ponder e7e5");
    SAY(adapter, "position startpos", "d");
    quit(adapter);
    assert_string_equal(heard(), "uci\nsetoption name OwnBook value false\n" OUT_OF_BOOK
                                 "\ngo movetime 10\nposition startpos\nd\nquit\n");
}

static void the_engine_analyses(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        {"go movetime 10 searchmoves a2a3 h2h3", NULL},
        {"go mate 3", NULL},
        {"go infinite", "stop"},
        {"setoption name UCI_AnalyseMode value true", "go movetime 10"},
        {"setoption name MultiPV value 2", "go movetime 10"},
        {"setoption name UCI_Variant value antichess", "go movetime 10"},
        {"setoption name OwnBook value false", "go movetime 10"},
        {"setoption name BookDepth value 0", "go movetime 10"},
        /* The book would repeat a position. */
        {"position startpos moves g1f3 g8f6 f3g1 f6g8", "go movetime 10 searchmoves g1f3"},
        {"position fen 8/8/8/8/8/8/8/8 w - - 0 1", "go movetime 10"},
        {"ucinewgame", "go movetime 10"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct process *adapter = start(fake("good"));
        SAY(adapter, "position startpos", lines[i][0], lines[i][1]);
        if (process_count_until(adapter, "info string book", "bestmove e2e4 ponder e7e5") != 0)
            fail_msg("the book answers %s", lines[i][0]);
        quit(adapter);
    }
}

/* Many engines wait for the end of their search before they obey, and nobody else would end it. */
static void a_new_game_ends_the_search(void **state)
{
    (void)state;
    struct process *adapter = start(fake("obeys_later"));
    SAY(adapter, OUT_OF_BOOK, "go infinite", "ucinewgame", "isready");
    (void)process_read_until(adapter, "bestmove e7e5");
    expect(adapter, "readyok");
    quit(adapter);
    assert_says(heard(), "go infinite\nstop\nucinewgame\nisready\n");
}

static void no_move_where_there_is_none(void **state)
{
    (void)state;
    static const char *const ends[] = {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
                                       "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char position[80];
        struct process *adapter = start(fake("good"));
        (void)snprintf(position, sizeof position, "position fen %s", ends[i]);
        SAY(adapter, position, "go movetime 10", "isready");
        (void)process_read_until(adapter, "bestmove (none)");
        expect(adapter, "readyok");
        quit(adapter);
    }
}

static void the_book_chooses_among_searchmoves(void **state)
{
    (void)state;
    struct process *adapter = start(fake("good"));
    for (int i = 0; i < 8; i++) {
        SAY(adapter, "go movetime 10 searchmoves a2a3 d2d4");
        expect(adapter, "info string book a.bin d2d4 20.0%");
        (void)process_read_until(adapter, "bestmove d2d4");
    }
    quit(adapter);
}

static void a_book_move_waits_while_pondering(void **state)
{
    (void)state;
    static const char *const ends[] = {"ponderhit", "stop", RUY, "ucinewgame"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct process *adapter = start(fake("good"));
        SAY(adapter, RUY, "go ponder wtime 1000 btime 1000");
        (void)process_read_until(adapter, "info depth 1 ");
        assert_true(process_is_silent(adapter, "bestmove", SILENCE_MS));
        SAY(adapter, ends[i]);
        expect(adapter, "info depth 1 ");
        expect(adapter, "bestmove e1g1");
        quit(adapter);
    }
}

/* Some engines end an analysis, or pondering, by themselves when they have found a mate. */
static void an_early_answer_waits(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"go infinite", "stop"},
        {"go infinite", "ucinewgame"},
        {"go ponder wtime 1000 btime 1000", "ponderhit"},
        {"go ponder wtime 1000 btime 1000", "stop"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct process *adapter = start(fake("good"));
        SAY(adapter, OUT_OF_BOOK, words[i][0]);
        assert_true(process_is_silent(adapter, "bestmove", SILENCE_MS));
        SAY(adapter, words[i][1], "isready");
        assert_int_equal(process_count_until(adapter, "readyok", "bestmove e7e5 ponder e7e5"), 0);
        expect(adapter, "readyok");
        SAY(adapter, "stop", OUT_OF_BOOK, "go movetime 10");
        (void)process_read_until(adapter, "bestmove e7e5");
        quit(adapter);
    }
}

static void chess960_castling(void **state)
{
    (void)state;
    struct process *adapter = start(fake("good"));
    SAY(adapter, "setoption name UCI_Chess960 value true", RUY, "go movetime 10");
    (void)process_read_until(adapter, "bestmove e1h1");
    SAY(adapter, "setoption name UCI_Chess960 value false", "go movetime 10");
    (void)process_read_until(adapter, "bestmove e1g1");
    SAY(adapter, RUY " e1h1", RUY " e1g1", "isready");
    expect(adapter, "readyok");
    quit(adapter);
}

static void books_are_set_as_in_the_engine(void **state)
{
    (void)state;
    struct process *adapter = start(fake("good"));
    char line[1000];
    (void)snprintf(line, sizeof line, "setoption name BookFile value %s?color=black;%s",
                   path_of("a.bin"), path_of("b.bin"));
    SAY(adapter, line, "go movetime 10");
    expect(adapter, "info string BookFile: a.bin, 5 entries");
    expect(adapter, "info string BookFile: b.bin, 1 entry");
    expect(adapter, "info string book b.bin c2c4 100.0%");
    (void)process_read_until(adapter, "bestmove c2c4");
    /* One that has vanished is named, also in each new game, and nothing takes its place. */
    SAY(adapter, "setoption name BookFile value /no/book.bin", "ucinewgame", "position startpos",
        "go movetime 10");
    expect(adapter, "info string BookFile: /no/book.bin: No such file");
    expect(adapter, "info string BookFile: /no/book.bin: No such file");
    assert_int_equal(process_count_until(adapter, "info string", "bestmove e2e4 ponder"), 0);
    quit(adapter);
}

/* The engine's failure is named, a new run of it hears all again, and the game goes on. */
static void an_engine_that_fails_is_started_again(void **state)
{
    (void)state;
    static const char *const modes[][2] = {
        {"dies_once", "ended before it answered"},
        {"illegal_once", "answers with the illegal move e2e5"},
        {"hangs_once", "gives no move, 1 s after its time"},
    };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct process *adapter = start(fake(modes[i][0]));
        SAY(adapter, "setoption name Hash value 3", "setoption name Hash value 4", OUT_OF_BOOK,
            "go wtime 90000 btime 800");
        const char *line = process_read_until(adapter, "info string ");
        assert_says(line, modes[i][1]);
        assert_says(line, "; it is started again");
        assert_int_equal(process_count_until(adapter, "info string", "bestmove e7e5"), 0);
        SAY(adapter, "isready");
        expect(adapter, "readyok");
        quit(adapter);
        const char *second = strstr(strstr(heard(), "go "), "uci\n");
        assert_non_null(second);
        assert_says(second, "uci\nsetoption name OwnBook value false\n"
                            "setoption name Hash value 4\n" OUT_OF_BOOK "\ngo wtime 90000 btime ");
        assert_null(strstr(second, "btime 800")); /* some time has passed */
        assert_null(strstr(second, "Hash value 3"));
    }
}

/* Then a legal move is played that nobody has thought about; the next question starts it again. */
static void an_engine_that_fails_twice_costs_a_move(void **state)
{
    (void)state;
    static const char *const modes[] = {"dies", "illegal", "none", "no_move", "nonsense"};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct process *adapter = start(fake(modes[i]));
        for (int game = 0; game < 2; game++) {
            SAY(adapter, OUT_OF_BOOK, "go movetime 3000");
            assert_says(process_read_until(adapter, "info string "), "; it is started again");
            assert_says(process_read_until(adapter, "info string "),
                        "; a legal move is played without it");
            expect(adapter, "bestmove ");
            SAY(adapter, "isready");
            expect(adapter, "readyok");
        }
        SAY(adapter, "position startpos", "go movetime 10");
        (void)process_read_until(adapter, "info string book");
        (void)process_read_until(adapter, "bestmove");
        quit(adapter);
    }
}

/* One that writes on and on is late, too. */
static void an_engine_that_floods(void **state)
{
    (void)state;
    struct process *adapter = start(fake("floods"));
    SAY(adapter, OUT_OF_BOOK, "go movetime 10");
    assert_true(process_count_until(adapter, "info string on and on", "bestmove ") > 1);
    quit(adapter);
}

/* Nobody knows how long an analysis may take; once it is stopped a second is enough. */
static void an_analysis_is_never_too_late(void **state)
{
    (void)state;
    enum { TWICE_ITS_TIME_MS = 2000 };
    struct process *adapter = start(fake("hangs_once"));
    SAY(adapter, OUT_OF_BOOK, "go infinite");
    (void)process_read_until(adapter, "info depth 1 ");
    assert_true(process_is_silent(adapter, "info string", TWICE_ITS_TIME_MS));
    SAY(adapter, "stop");
    assert_says(process_read_until(adapter, "info string "), "it is started again");
    (void)process_read_until(adapter, "bestmove e7e5");
    quit(adapter);
    assert_says(heard(), "go infinite\nuci\n");
    assert_says(heard(), "go infinite\nstop\nquit\n");
}

static void faults_at_the_start_are_one_line(void **state)
{
    (void)state;
    static const char *const faults[][3] = {
        {"/no/engine", "a.bin", "/no/engine cannot be started: No such file"},
        {"xboard", "a.bin", " is an xboard engine, by its answer to uci: \"Error (unknown command"},
        {"no_uciok", "a.bin", " does not say uciok: it is no UCI engine"},
        {"dies_in_introduction", "a.bin", " ended before it answered"},
        {"floods_in_introduction", "a.bin", " does not say uciok: it is no UCI engine"},
        {"good", "no.bin", "no.bin: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const char *engine = faults[i][0][0] == '/' ? faults[i][0] : fake(faults[i][0]);
        assert_int_equal(RUN("uci", "--engine", engine, "--book", path_of(faults[i][1]),
                             "--engine-timeout", "1"),
                         1);
        assert_says(result.errors, faults[i][2]);
        assert_int_equal(strcspn(result.errors, "\n") + 1, strlen(result.errors));
        assert_string_equal(result.output, "");
    }
    assert_int_equal(RUN("uci", "--engine", "cat"), 2);
    assert_int_equal(RUN("uci", "--book", "cat"), 2);
}

/* However it ends, no engine stays. */
static void no_engine_is_left(void **state)
{
    (void)state;
    for (int end = 0; end < 3; end++) {
        char text[FILE_MAX];
        write_text("log.pids", "");
        struct process *adapter = start(fake("hangs_later"));
        SAY(adapter, OUT_OF_BOOK, "go movetime 10000");
        (void)process_read_until(adapter, "info depth 1 ");
        if (end == 0)
            process_close_input(adapter);
        else if (end == 1)
            process_signal(adapter, SIGTERM);
        else
            SAY(adapter, "quit");
        (void)process_read_all(adapter);
        int status = process_wait(adapter);
        assert_int_equal(status, end == 1 ? 128 + SIGTERM : 0);
        process_destroy(adapter);
        text[read_bytes("log.pids", text)] = '\0';
        long pid = strtol(text, NULL, 10);
        assert_true(pid > 0);
        assert_int_equal(kill((pid_t)pid, 0), -1);
        assert_int_equal(errno, ESRCH);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_both),
        cmocka_unit_test(the_book_answers_and_the_engine_hears_nothing),
        cmocka_unit_test(the_engine_analyses),
        cmocka_unit_test(a_new_game_ends_the_search),
        cmocka_unit_test(no_move_where_there_is_none),
        cmocka_unit_test(the_book_chooses_among_searchmoves),
        cmocka_unit_test(a_book_move_waits_while_pondering),
        cmocka_unit_test(an_early_answer_waits),
        cmocka_unit_test(chess960_castling),
        cmocka_unit_test(books_are_set_as_in_the_engine),
        cmocka_unit_test(an_engine_that_fails_is_started_again),
        cmocka_unit_test(an_engine_that_fails_twice_costs_a_move),
        cmocka_unit_test(an_engine_that_floods),
        cmocka_unit_test(an_analysis_is_never_too_late),
        cmocka_unit_test(faults_at_the_start_are_one_line),
        cmocka_unit_test(no_engine_is_left),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
