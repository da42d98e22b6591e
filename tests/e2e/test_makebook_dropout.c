/* makebook dropout: the same bytes with any number of threads and after a kill, books that hold
 * together, one line for what cannot be. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/scoring/record.h"
#include "chess/attacks.h"
#include "makebook.h"

#define SMALL "--depth", "3", "--max-positions", "24", "-q"

enum { POLL_MS = 1, KILL_AT = STORE_HEADER_SIZE + 40 * STORE_RECORD_SIZE };

static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0)
        return -1;
    return RUN("dropout", "-o", path_of("one.bin"), SMALL, "--threads", "1");
}

static int64_t size_of(const char *name)
{
    struct stat info;
    return stat(path_of(name), &info) == 0 ? (int64_t)info.st_size : 0;
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    assert_true(size_of("one.bin") >= 3 * 16);
    assert_int_equal(RUN("dropout", "-o", path_of("four.bin"), SMALL, "--threads", "4"), 0);
    assert_string_equal(result.output, "");
    assert_string_equal(result.errors, "");
    assert_same_files("one.bin", "four.bin");
    assert_int_equal(MAKEBOOK("verify", "one.bin"), 0);
}

/* Starts a build and ends it by that signal when its store has so many bytes. */
static int end_at(const char *name, int number, char errors[400])
{
    char store[32];
    (void)snprintf(store, sizeof store, "%s.store", name);
    const char *const words[] = {process_binary("MAKEBOOK_BINARY"),
                                 "dropout",
                                 "-o",
                                 path_of(name),
                                 SMALL,
                                 "--threads",
                                 "2",
                                 NULL};
    assert_true(size_of("one.bin.store") > KILL_AT); /* else it would never be so large */
    (void)unlink(path_of(store));
    struct process *process = process_start(words);
    while (size_of(store) < KILL_AT)
        (void)process_is_silent(process, "-", POLL_MS);
    process_signal(process, number);
    int status = process_wait(process);
    (void)snprintf(errors, 400, "%s", process_errors(process));
    process_destroy(process);
    return status;
}

static void kills_do_not_matter(void **state)
{
    (void)state;
    char errors[400];
    int status = end_at("killed.bin", SIGKILL, errors);
    assert_true(status == 128 + SIGKILL || status == 0); /* it may be done before */
    assert_int_equal(RUN("dropout", "-o", path_of("killed.bin"), SMALL), 0);
    assert_same_files("one.bin", "killed.bin");

    do { /* a build that was faster than the signal is no use */
        (void)unlink(path_of("stopped.bin"));
        status = end_at("stopped.bin", SIGINT, errors);
    } while (status == 0 || status == 128 + SIGINT); /* or while it wrote the book */
    assert_int_equal(status, 1);
    assert_says(errors, "makebook dropout: stopped; ");
    assert_says(errors, "stopped.bin.store: the same command goes on\n");
    assert_false(exists("stopped.bin"));
}

/* Lines are found in it, for both sides and with replies. */
static void kinds_and_sides(void **state)
{
    (void)state;
    assert_int_equal(
        RUN("dropout", "-o", path_of("one.pgn"), SMALL, "--store", path_of("one.bin.store")), 0);
    assert_int_equal(RUN("convert", path_of("one.pgn"), path_of("back.bin"), "-q"), 0);
    assert_same_files("one.bin", "back.bin");
    assert_int_equal(RUN("dropout", "-o", path_of("both.bin"), "--depth", "3", "--max-positions",
                         "12", "--side", "both", "--replies", "--margin", "30", "--moves", "2"),
                     0);
    assert_says(result.output, "White\n");
    assert_says(result.output, "Black\n");
    assert_says(result.output, "            12  positions searched\n");
    assert_says(result.output, "searches made now: "); /* the shallow ones, too */
    assert_says(result.output, "     main line  1. ");
    unsigned moves = 0;
    const char *count = strstr(result.output, "  moves in the book\n");
    assert_non_null(count);
    assert_int_equal(sscanf(count - 14, "%u", &moves), 1);
    char entries[40];
    (void)snprintf(entries, sizeof entries, "both.bin: %u entries, ", moves);
    assert_int_equal(MAKEBOOK("verify", "both.bin"), 0);
    assert_says(result.output, entries);
    assert_says(result.output, ", 0 not reached: 0 faults");
    assert_int_equal(RUN("dropout", "-o", path_of("late.bin"), "--depth", "3", "--max-positions",
                         "12", "--side", "black", "--start", "1. e4 e6 2. d4"),
                     0);
    assert_says(result.output, "     main line  2... ");
}

/* What stands in the store is the same book. */
static void the_store_as_a_book(void **state)
{
    (void)state;
    static char shown[2][4000];
    assert_int_equal(RUN("verify", path_of("four.bin.store")), 0);
    assert_int_equal(RUN("show", path_of("four.bin.store")), 0);
    (void)snprintf(shown[0], sizeof shown[0], "%s", result.output);
    assert_int_equal(RUN("show", path_of("four.bin")), 0);
    (void)snprintf(shown[1], sizeof shown[1], "%s", result.output);
    const char *best = strstr(shown[1], "\nmove ");
    assert_non_null(best);
    best = strchr(best + 1, '\n') + 1; /* the first row: SAN, then blanks */
    char san[8] = "";
    (void)snprintf(san, sizeof san, "\n%.*s ", (int)strcspn(best, " "), best);
    assert_says(shown[0], san);
}

/* Nothing is searched twice: the shorter book is a beginning of the longer one. */
static void limits(void **state)
{
    (void)state;
    assert_int_equal(RUN("dropout", "-o", path_of("short.bin"), "--depth", "3", "--max-cost", "30",
                         "--store", path_of("one.bin.store")),
                     0);
    assert_says(result.output, "searches made now: 0, 0 nodes");
    assert_int_equal(RUN("dropout", "-o", path_of("short.bin"), "--depth", "3", "--max-nodes", "1",
                         "--store", path_of("one.bin.store")),
                     0);
    assert_says(result.output, "             1  positions searched\n");
    assert_int_equal(size_of("short.bin"), 16);
}

/* An opening of its own. */
static void a_start(void **state)
{
    (void)state;
    assert_int_equal(RUN("dropout", "-o", path_of("french.pgn"), "--start", "1. e4 e6", SMALL), 0);
    assert_int_equal(MAKEBOOK("verify", "french.pgn"), 0);
    assert_says(result.output, " plies: 0 faults");
    assert_int_equal(RUN("show", path_of("french.pgn"), "e4", "e6"), 0);
    /* Its moves lead there from the usual start, so that it can be played from. */
    assert_int_equal(RUN("show", path_of("french.pgn")), 0);
    assert_says(result.output, "\ne4 ");
    assert_int_equal(RUN("dropout", "-o", path_of("french.bin"), "--start", "1. e4 e6", SMALL), 0);
    assert_int_equal(MAKEBOOK("verify", "french.bin"), 0);
    assert_says(result.output, " 0 not reached: 0 faults");
    assert_int_equal(RUN("show", path_of("french.bin"), "e4"), 0);
    assert_says(result.output, "\ne6 ");
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
    const char *out = path_of("bad.bin");
    (void)RUN("dropout", "--max-cost", "20");
    fails(2, "where to? -o says it");
    (void)RUN("dropout", "-o", out);
    fails(2, "when does it end? --max-nodes, --max-positions or --max-cost says it");
    (void)RUN("dropout", "-o", out, "--max-cost", "20", "--depth", "3", "--nodes", "100");
    fails(2, "--nodes: not with --depth");
    (void)RUN("dropout", "-o", out, "--max-cost", "20", "--moves", "3");
    fails(2, "--moves needs --margin");
    (void)RUN("dropout", "-o", out, "--max-cost", "20", "--start", "e4 e4");
    fails(2, "--start e4 e4: ply 2: e4 is not legal here");
    (void)RUN("dropout", "-o", out, "--max-cost", "20", "--start", "f3 e5 g4 Qh4");
    fails(2, "--start f3 e5 g4 Qh4: the game has ended there");
    (void)RUN("dropout", "-o", out, "--max-cost", "20", "--ply-cost", "0");
    fails(2, "ply-cost wants a number from 1");
    (void)RUN("dropout", "-o", out, "--max-cost", "20", "--store", out);
    fails(2, "bad.bin is the book: the store needs another name");
    (void)RUN("dropout", "-o", path_of("bad.wld"), "--max-cost", "20");
    fails(2, "a book is written here, not statistics");
    (void)RUN("dropout", "-o", "/no/such/folder/x.bin", "--max-cost", "20");
    fails(1, "/no/such/folder");
    (void)RUN("dropout", "-o", out, "--max-cost", "20", "--depth", "3", "--hash", "4", "--store",
              path_of("one.bin.store"));
    fails(1, "one.bin.store: scores of Caxton ");
    (void)RUN("dropout", "-o", out, "--side", "black", "--max-positions", "1", "--depth", "3");
    fails(1, "the book has no move: a larger --max-positions, --max-nodes or --max-cost");
    assert_false(exists("bad.bin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(kills_do_not_matter),
        cmocka_unit_test(kinds_and_sides),
        cmocka_unit_test(limits),
        cmocka_unit_test(the_store_as_a_book),
        cmocka_unit_test(a_start),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
