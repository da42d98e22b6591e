/* makebook grow --engine: another UCI engine searches. Caxton itself as that engine gives the same
 * book as the built-in search; engines that die or lie cost one line. */
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
#define STOCKFISH   "/usr/games/stockfish"
#define SMALL       "--against", path_of("given.bin"), "--depth", "7", "--min-depth", "4", "-q"

enum { POLL_MS = 1 };

static int set_up(void **state)
{
    (void)state;
    static const struct book_line lines[] = {
        {"e2e4 e7e5", 3}, {"e2e4 c7c5", 2}, {"d2d4 d7d5", 3}, {"d2d4 g8f6", 2}, {"g1f3 d7d5", 3},
        {"g1f3 g8f6", 2}, {"c2c4 e7e5", 1}, {"b1c3 d7d5", 1}, {"e2e3 d7d5", 1}, {"d2d3 d7d5", 1},
    };
    chess_init();
    return create_folder() == 0 &&
                   book_write(path_of("given.bin"), lines, sizeof lines / sizeof *lines)
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

static void one_line(const char *what)
{
    assert_says(result.errors, what);
    assert_int_equal(strcspn(result.errors, "\n") + 1, strlen(result.errors));
    assert_string_equal(result.output, "");
}

/* A search with a cleared table and equal limits is the same search, asked by UCI or not. */
static void caxton_by_uci_is_the_search_of_this_program(void **state)
{
    (void)state;
    char engine[400];
    (void)snprintf(engine, sizeof engine, "'%s'", process_binary("CAXTON_BINARY"));
    assert_int_equal(RUN("grow", "-o", path_of("own.bin"), SMALL), 0);
    for (int threads = 1; threads <= 3; threads += 2) {
        const char *number = threads == 1 ? "1" : "3";
        (void)unlink(path_of("uci.bin.store"));
        assert_int_equal(
            RUN("grow", "-o", path_of("uci.bin"), "--engine", engine, "--threads", number, SMALL),
            0);
        assert_string_equal(result.errors, "");
        assert_same_files("own.bin", "uci.bin");
    }
    assert_true(exists("uci.bin.store"));
    /* With its answers kept nothing is searched. */
    assert_int_equal(RUN("grow", "-o", path_of("again.bin"), "--engine", engine, "--store",
                         path_of("uci.bin.store"), "--against", path_of("given.bin"), "--depth",
                         "7", "--min-depth", "4"),
                     0);
    assert_says(result.output, "searches made now: 0, 0 nodes");
    assert_same_files("own.bin", "again.bin");
    /* Another searcher, or another option, is another store. */
    assert_int_equal(
        RUN("grow", "-o", path_of("no.bin"), "--store", path_of("uci.bin.store"), SMALL), 1);
    one_line("uci.bin.store: scores of Caxton ");
    assert_int_equal(RUN("grow", "-o", path_of("no.bin"), "--store", path_of("uci.bin.store"),
                         "--engine", engine, "--engine-option", "MultiPV=2", SMALL),
                     1);
    one_line(", not of Caxton "); /* a long name of a build leaves no room for the path */
    assert_false(exists("no.bin"));
}

static void stockfish(void **state)
{
    (void)state;
    if (access(STOCKFISH, X_OK) != 0) {
        print_message("skipped: %s is not there\n", STOCKFISH);
        skip();
    }
    assert_int_equal(
        RUN("grow", "-o", path_of("sf1.bin"), "--engine", STOCKFISH, "--threads", "1", SMALL), 0);
    assert_string_equal(result.errors, "");
    assert_int_equal(
        RUN("grow", "-o", path_of("sf2.bin"), "--engine", STOCKFISH, "--threads", "2", SMALL), 0);
    assert_same_files("sf1.bin", "sf2.bin");
}

/* A message that nobody gets goes into no file of the program. */
static void closed_outputs_cost_no_store(void **state)
{
    (void)state;
    const char *const words[] = {"/bin/sh",
                                 "-c",
                                 "exec \"$@\" >&- 2>&-",
                                 "sh",
                                 process_binary("MAKEBOOK_BINARY"),
                                 "grow",
                                 "-o",
                                 path_of("closed.bin"),
                                 "--engine",
                                 fake("good"),
                                 "--threads",
                                 "1",
                                 SMALL,
                                 NULL};
    struct process_result closed = process_run(words, NULL);
    assert_int_equal(closed.status, 1);
    process_result_free(&closed);
    assert_true(exists("closed.bin.store"));
    assert_int_equal(RUN("grow", "-o", path_of("closed.bin"), "--engine", fake("good"), SMALL), 1);
    one_line(" answers with the illegal move e2e4, 3 times: ");
}

/* It plays e2e4 everywhere: right at the start, and never again. */
static void an_engine_that_lies(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) { /* the second time the store has the first search */
        assert_int_equal(RUN("grow", "-o", path_of("lie.bin"), "--engine", fake("good"), SMALL), 1);
        one_line(" answers with the illegal move e2e4, 3 times: ");
        assert_true(exists("lie.bin.store"));
        assert_false(exists("lie.bin"));
    }
}

static void an_engine_that_does_not_work(void **state)
{
    (void)state;
    const char *out = path_of("dead.bin");
    assert_int_equal(RUN("grow", "-o", out, "--engine", fake("dies_at_start"), SMALL), 1);
    one_line(" ended before it answered");
    assert_int_equal(RUN("grow", "-o", out, "--engine", fake("dies"), SMALL), 1);
    one_line(" ended before it answered, 3 times: rnbqkbnr/");
    assert_int_equal(RUN("grow", "-o", out, "--engine", "/no/engine", SMALL), 1);
    one_line("grow: /no/engine cannot be started: No such file");
    assert_int_equal(
        RUN("grow", "-o", out, "--engine", fake("hangs"), "--engine-timeout", "2", SMALL), 1);
    one_line(" did not answer within 2 seconds, 3 times: rnbqkbnr/");
    assert_int_equal(RUN("grow", "-o", out, "--engine", "cat", "--engine-timeout", "1", SMALL), 1);
    one_line("grow: cat did not answer within 1 seconds\n");
    assert_int_equal(
        RUN("grow", "-o", out, "--engine", fake("good"), "--engine-option", "Elo=9", SMALL), 1);
    one_line(" has no option Elo");
    assert_int_equal(RUN("grow", "-o", out, "--engine-option", "Elo=9", SMALL), 2);
    one_line("--engine-option needs --engine");
    assert_false(exists("dead.bin"));
}

/* Ctrl-C while an engine hangs ends both. */
static void a_stop_ends_the_engine(void **state)
{
    (void)state;
    char text[FILE_MAX];
    const char *const words[] = {process_binary("MAKEBOOK_BINARY"),
                                 "grow",
                                 "-o",
                                 path_of("stop.bin"),
                                 "--engine",
                                 fake("hangs_later"),
                                 "--threads",
                                 "1",
                                 SMALL,
                                 NULL};
    write_text("log.pids", "");
    struct process *process = process_start(words);
    do { /* until it is asked the search that hangs */
        (void)process_is_silent(process, "-", POLL_MS);
        text[read_bytes("log.pids", text)] = '\0';
    } while (!strstr(text, "hang\n"));
    process_signal(process, SIGINT);
    assert_int_equal(process_wait(process), 1);
    assert_says(process_errors(process), "makebook grow: stopped; 0 scores are kept in ");
    process_destroy(process);
    int engines = 0;
    for (const char *at = text; *at; at += strcspn(at, "\n") + 1) {
        long pid = strtol(at, NULL, 10);
        if (pid == 0)
            continue;
        engines++;
        assert_int_equal(kill((pid_t)pid, 0), -1);
        assert_int_equal(errno, ESRCH);
    }
    assert_true(engines >= 2); /* one said who it is */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caxton_by_uci_is_the_search_of_this_program),
        cmocka_unit_test(stockfish),
        cmocka_unit_test(closed_outputs_cost_no_store),
        cmocka_unit_test(an_engine_that_lies),
        cmocka_unit_test(an_engine_that_does_not_work),
        cmocka_unit_test(a_stop_ends_the_engine),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
