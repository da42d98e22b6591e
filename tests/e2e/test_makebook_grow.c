/* makebook grow: the same bytes with any number of threads and after any number of kills; every
 * kind of book; one line for what cannot be. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/append_file.h"
#include "book/scoring/record.h"
#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_file.h"

/* A few dozen short searches. */
#define SMALL "--depth", "8", "--min-depth", "4", "-q"

enum { FIRST_MOVES = 20, REPLIES = 3, POLL_MS = 1 };

/* Three replies to every first move. */
static bool write_given_book(const char *path)
{
    static const char *const first[FIRST_MOVES] = {
        "a2a3", "a2a4", "b2b3", "b2b4", "c2c3", "c2c4", "d2d3", "d2d4", "e2e3", "e2e4",
        "f2f3", "f2f4", "g2g3", "g2g4", "h2h3", "h2h4", "b1a3", "b1c3", "g1f3", "g1h3"};
    static const char *const replies[REPLIES] = {"e7e5", "d7d5", "g8f6"};
    static const unsigned weights[REPLIES] = {5, 3, 1};
    static char texts[FIRST_MOVES * REPLIES][12];
    struct book_line lines[FIRST_MOVES * REPLIES];
    for (int i = 0; i < FIRST_MOVES * REPLIES; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "%s %s", first[i / REPLIES],
                       replies[i % REPLIES]);
        lines[i] = (struct book_line){texts[i], weights[i % REPLIES]};
    }
    return book_write(path, lines, FIRST_MOVES * REPLIES);
}

static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0 || !write_given_book(path_of("given.bin")))
        return -1;
    return MAKEBOOK("grow", "--against", "given.bin", "-o", "one.bin", SMALL, "--threads", "1");
}

/* The bytes of a file in the folder; 0: it is not there. */
static int64_t size_of(const char *name)
{
    struct stat info;
    return stat(path_of(name), &info) == 0 ? (int64_t)info.st_size : 0;
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    assert_true(size_of("one.bin") >= 20 * (int64_t)BOOK_ENTRY_SIZE);
    assert_int_equal(
        MAKEBOOK("grow", "--against", "given.bin", "-o", "four.bin", SMALL, "--threads", "4"), 0);
    assert_string_equal(result.output, "");
    assert_string_equal(result.errors, "");
    assert_same_files("one.bin", "four.bin");
    assert_int_equal(MAKEBOOK("verify", "four.bin"), 0);
    assert_says(result.output, ", 0 not reached: 0 faults");
}

/* Starts a build and kills it when its store has so many bytes, by that signal. Returns the exit
 * status; what it said is in `errors`. */
static int kill_at(const char *name, const char *threads, int64_t bytes, int number,
                   char errors[400])
{
    char store[32];
    (void)snprintf(store, sizeof store, "%s.store", name);
    const char *const words[] = {process_binary("MAKEBOOK_BINARY"),
                                 "grow",
                                 "--against",
                                 path_of("given.bin"),
                                 "-o",
                                 path_of(name),
                                 SMALL,
                                 "--threads",
                                 threads,
                                 NULL};
    assert_true(bytes < size_of("one.bin.store")); /* else it would end before */
    struct process *process = process_start(words);
    while (size_of(store) < bytes)
        (void)process_is_silent(process, "-", POLL_MS); /* other output than none is a fault */
    process_signal(process, number);
    int status = process_wait(process);
    (void)snprintf(errors, 400, "%s", process_errors(process));
    process_destroy(process);
    return status;
}

/* Killed in the header, at its end, and again and again while it goes on. */
static void kills_do_not_matter(void **state)
{
    (void)state;
    static const int records[] = {0, 0, 1, 2, 7, 12, 20, 33, 40};
    char errors[400];
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        int64_t bytes = i ? STORE_HEADER_SIZE + records[i] * STORE_RECORD_SIZE : 1;
        /* It may be done before the signal comes. */
        int status = kill_at("killed.bin", i % 2 ? "3" : "1", bytes, SIGKILL, errors);
        assert_true(status == 128 + SIGKILL || status == 0);
    }
    /* And a record that was not written to its end. */
    assert_int_equal(truncate(path_of("killed.bin.store"), size_of("killed.bin.store") - 30), 0);
    assert_int_equal(
        MAKEBOOK("grow", "--against", "given.bin", "-o", "killed.bin", SMALL, "--threads", "2"), 0);
    assert_says(result.errors, "the last record is cut: run again what made it");
    assert_same_files("one.bin", "killed.bin");
}

static void a_stop_says_how_to_go_on(void **state)
{
    (void)state;
    char errors[400];
    int status;
    do { /* a build that was faster than the signal is no use */
        (void)unlink(path_of("stopped.bin"));
        (void)unlink(path_of("stopped.bin.store"));
        status = kill_at("stopped.bin", "2", STORE_HEADER_SIZE + STORE_RECORD_SIZE, SIGINT, errors);
    } while (status == 0 || status == 128 + SIGINT); /* or while it wrote the book */
    assert_int_equal(status, 1);
    assert_says(errors, "makebook grow: stopped; ");
    assert_says(errors, "stopped.bin.store: the same command goes on\n");
    assert_false(exists("stopped.bin"));
    assert_int_equal(MAKEBOOK("grow", "--against", "given.bin", "-o", "stopped.bin", SMALL), 0);
    assert_same_files("one.bin", "stopped.bin");
}

/* Nothing is searched for another kind of book when the store has it. */
static void every_kind(void **state)
{
    (void)state;
    static const char *const kinds[] = {"x.abk", "x.bin",   "x.epd",  "x.fen",
                                        "x.pgn", "x.lines", "x.tree", "kindless"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", path_of(kinds[i]),
                             "--depth", "8", "--min-depth", "4", "--store",
                             path_of("one.bin.store")),
                         0);
        assert_string_equal(result.errors, "");
        assert_says(result.output, "searches made now: 0, 0 nodes");
        assert_int_equal(RUN("verify", path_of(kinds[i])), 0);
        assert_int_equal(RUN("convert", path_of(kinds[i]), path_of("back.bin"), "-q"), 0);
        assert_same_files("one.bin", "back.bin");
    }
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", "-", "--store",
                         path_of("one.bin.store"), "--depth", "8", "--min-depth", "4"),
                     0);
    assert_says(result.errors, "searches made now: 0, 0 nodes");
}

static void the_report(void **state)
{
    (void)state;
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", path_of("both.bin"),
                         "--depth", "8", "--min-depth", "5", "--color", "both", "--replies"),
                     0);
    assert_says(result.output, "White\n");
    assert_says(result.output, "Black\n");
    assert_says(result.output, "  first move, score ");
    assert_says(result.output, "             8  1\n"); /* one search of 8 plies */
    assert_says(result.output, "             1  100.0 %\n");
    assert_says(result.output, "both.bin.store: ");
    assert_int_equal(MAKEBOOK("verify", "both.bin"), 0);
    assert_int_equal(MAKEBOOK("show", "both.bin"), 0);
}

static void a_limit_of_positions(void **state)
{
    (void)state;
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", path_of("few.bin"),
                         "--depth", "8", "--min-depth", "4", "--max-positions", "5"),
                     0);
    assert_says(result.output, "--max-positions was reached");
    assert_int_equal(size_of("few.bin"), 16);
}

/* Any kind of book is played against, statistics too. */
static void against_any_kind(void **state)
{
    (void)state;
    write_text("few.pgn", "[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n"
                          "1. e4 e5 2. Nf3 1-0\n");
    assert_int_equal(MAKEBOOK("convert", "given.bin", "given.pgn", "-q"), 0);
    assert_int_equal(MAKEBOOK("grow", "--against", "given.pgn", "-o", "by_pgn.bin", SMALL), 0);
    assert_same_files("one.bin", "by_pgn.bin");
    assert_int_equal(MAKEBOOK("build", "few.pgn", "--stats", "few.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("grow", "--against", "few.wld", "-o", "by_wld.bin", "--depth", "4",
                              "--min-depth", "4", "--color", "black", "-q"),
                     0);
    assert_int_equal(size_of("by_wld.bin") >= 16, 1);
    assert_int_equal(MAKEBOOK("show", "by_wld.bin", "e4"), 0);
}

static void fails(int status, const char *why)
{
    assert_int_equal(result.status, status);
    assert_says(result.errors, why);
    assert_int_equal(strcspn(result.errors, "\n") + 1, strlen(result.errors)); /* one line */
    assert_string_equal(result.output, "");
}

static void bad_input(void **state)
{
    (void)state;
    const char *given = path_of("given.bin");
    const char *out = path_of("bad.bin");
    (void)RUN("grow", "-o", out);
    fails(2, "against what? --against says it");
    (void)RUN("grow", "--against", given);
    fails(2, "where to? -o says it");
    (void)RUN("grow", "--against", given, "-o", given);
    fails(2, "given.bin is read: it would be lost");
    (void)RUN("grow", "--against", given, "-o", out, "--store", given);
    fails(2, "given.bin is read: it would be lost");
    (void)RUN("grow", "--against", given, "-o", out, "--store", out);
    fails(2, "bad.bin is the book: the store needs another name");
    (void)RUN("grow", "--against", given, "-o", out, "--store", "-");
    fails(2, "the store is a file that is read and written: not -");
    (void)RUN("grow", "--against", given, "-o", out, "--store", "");
    fails(2, "the name of the store is empty");
    (void)RUN("grow", "--against", given, "-o", path_of("bad.wld"));
    fails(2, "a book is written here, not statistics");
    (void)RUN("grow", "--against", given, "-o", path_of("bad.ctg"));
    fails(2, "no book that can be written ends in .ctg");
    (void)RUN("grow", "--against", given, "-o", out, "--depth", "5");
    fails(2, "--depth, 5,");
    assert_says(result.errors, "--min-depth, 16 unless given");
    (void)RUN("grow", "-o", out, "--depth", "5");
    fails(2, "against what? --against says it");
    (void)RUN("grow", "--against", given, "-o", out, "--branch", "1");
    fails(2, "--branch wants a number above 1, not 1");
    (void)RUN("grow", "--against", given, "-o", out, "--branch", "3", "--nodes", "100");
    fails(2, "--branch: not with --nodes");
    (void)RUN("grow", "--against", given, "-o", out, "--moves", "3");
    fails(2, "--moves needs --margin");
    (void)RUN("grow", "--against", path_of("none.bin"), "-o", out);
    fails(1, "No such file or directory");
    (void)RUN("grow", "--against", given, "-o", "/no/such/folder/x.bin");
    fails(1, "/no/such/folder");
    (void)RUN("grow", "--against", given, "-o", out, "--store", "/no/such/folder/x");
    fails(1, "/no/such/folder/x: No such file");
    /* Each of twenty first moves is too improbable. */
    (void)RUN("grow", "--against", given, "-o", out, "--depth", "4", "--min-depth", "4", "--color",
              "black");
    fails(1, "no position is probable enough for a search of 4 plies");
    (void)RUN("grow", "--against", given, "-o", out, "--depth", "4", "--min-depth", "1", "--color",
              "black", "--max-positions", "1");
    fails(1, "--max-positions was reached before the first move of the book");
    assert_false(exists("bad.bin"));
}

static void bad_stores(void **state)
{
    (void)state;
    const char *given = path_of("given.bin");
    const char *out = path_of("other.bin");
    const char *store = path_of("one.bin.store");
    static char before[FILE_MAX];
    static char after[FILE_MAX];
    size_t size = read_bytes("one.bin.store", before);
    (void)RUN("grow", "--against", given, "-o", out, "--store", store, "--hash", "4", SMALL);
    fails(1, "one.bin.store: scores of Caxton ");
    assert_says(result.errors, "16 MB), not of Caxton ");
    assert_int_equal(read_bytes("one.bin.store", after), size);
    assert_memory_equal(before, after, size);
    write_text("text.txt", "1. e4 e5\n");
    (void)RUN("grow", "--against", given, "-o", out, "--store", path_of("text.txt"), SMALL);
    fails(1, "text.txt: is no store of scores");
    assert_file("text.txt", "1. e4 e5\n");
    assert_false(exists("other.bin"));

    struct append_file *held;
    assert_int_equal(append_file_open(store, &held, NULL), STATUS_OK);
    (void)RUN("grow", "--against", given, "-o", out, "--store", store, SMALL);
    fails(1, "one.bin.store: is in use by another program");
    append_file_close(held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(kills_do_not_matter),
        cmocka_unit_test(a_stop_says_how_to_go_on),
        cmocka_unit_test(every_kind),
        cmocka_unit_test(the_report),
        cmocka_unit_test(a_limit_of_positions),
        cmocka_unit_test(against_any_kind),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(bad_stores),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
