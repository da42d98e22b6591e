/* makebook grow beyond the paper: a budget of nodes, several own moves. The same bytes with any
 * number of threads and after a kill. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/scoring/record.h"
#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_file.h"

#define BY_NODES  "--nodes", "100000", "--min-nodes", "2000", "-q"
#define BY_MARGIN "--depth", "6", "--min-depth", "4", "--margin", "40", "--moves", "3", "-q"

enum { POLL_MS = 1, KILL_AT = STORE_HEADER_SIZE + 3 * STORE_RECORD_SIZE };

static int set_up(void **state)
{
    (void)state;
    static const struct book_line lines[] = {
        {"e2e4 e7e5", 3},      {"e2e4 c7c5", 1},      {"d2d4 d7d5", 2}, {"d2d4 g8f6", 2},
        {"c2c4 e7e5", 1},      {"g1f3 d7d5", 1},      {"b1c3 d7d5", 1}, {"e2e3 d7d5", 1},
        {"e2e4 e7e5 g1f3", 1}, {"d2d4 d7d5 c2c4", 1},
    };
    chess_init();
    return create_folder() != 0 ||
           !book_write(path_of("given.bin"), lines, sizeof lines / sizeof *lines);
}

static int64_t size_of(const char *name)
{
    struct stat info;
    return stat(path_of(name), &info) == 0 ? (int64_t)info.st_size : 0;
}

/* Grows with 1 and 4 threads, and once more after a kill: three equal books. Needs `result`. */
#define ASSERT_SAME_BOOKS(...)                                                                     \
    do {                                                                                           \
        assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", path_of("one.bin"),  \
                             "--threads", "1", __VA_ARGS__),                                       \
                         0);                                                                       \
        assert_string_equal(result.errors, "");                                                    \
        assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", path_of("four.bin"), \
                             "--threads", "4", __VA_ARGS__),                                       \
                         0);                                                                       \
        assert_same_files("one.bin", "four.bin");                                                  \
        const char *const words[] = {process_binary("MAKEBOOK_BINARY"),                            \
                                     "grow",                                                       \
                                     "--against",                                                  \
                                     path_of("given.bin"),                                         \
                                     "-o",                                                         \
                                     path_of("killed.bin"),                                        \
                                     "--threads",                                                  \
                                     "2",                                                          \
                                     __VA_ARGS__,                                                  \
                                     NULL};                                                        \
        kill_and_go_on(words);                                                                     \
        assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o",                      \
                             path_of("killed.bin"), __VA_ARGS__),                                  \
                         0);                                                                       \
        assert_same_files("one.bin", "killed.bin");                                                \
        assert_int_equal(MAKEBOOK("verify", "one.bin"), 0);                                        \
    } while (0)

/* Kills the build when it has kept a few searches. */
static void kill_and_go_on(const char *const words[])
{
    assert_true(size_of("one.bin.store") > KILL_AT); /* else it would never be so large */
    (void)unlink(path_of("killed.bin.store"));
    struct process *process = process_start(words);
    while (size_of("killed.bin.store") < KILL_AT)
        (void)process_is_silent(process, "-", POLL_MS);
    process_signal(process, SIGKILL);
    int status = process_wait(process);
    assert_true(status == 128 + SIGKILL || status == 0);
    process_destroy(process);
}

static void a_budget_of_nodes(void **state)
{
    (void)state;
    ASSERT_SAME_BOOKS(BY_NODES);
    assert_true(size_of("one.bin") >= 3 * 16);
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", path_of("again.bin"),
                         "--store", path_of("one.bin.store"), "--nodes", "100000", "--min-nodes",
                         "20000"),
                     0);
    assert_says(result.output, "searches made now: 0"); /* those of fewer nodes are left out */
    assert_true(size_of("again.bin") < size_of("one.bin"));
}

/* The start has several moves, at most three, the best one as before. */
static void a_margin(void **state)
{
    (void)state;
    ASSERT_SAME_BOOKS(BY_MARGIN);
    assert_int_equal(MAKEBOOK("show", "one.bin"), 0);
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", path_of("alone.bin"),
                         "--depth", "6", "--min-depth", "4", "-q"),
                     0);
    static char bytes[FILE_MAX];
    size_t size = read_bytes("one.bin", bytes);
    static char alone[FILE_MAX];
    size_t least = read_bytes("alone.bin", alone);
    assert_true(size > least);
    for (size_t i = 0, same = 1; i + 16 < size; i += 16) {
        same = memcmp(bytes + i, bytes + i + 16, 8) == 0 ? same + 1 : 1;
        assert_true(same <= 3);
    }
    /* Without other moves within a centipawn it is the paper's book. */
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", path_of("zero.bin"),
                         "--depth", "6", "--min-depth", "4", "-q", "--margin", "0"),
                     0);
    assert_same_files("zero.bin", "alone.bin");
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
    (void)RUN("grow", "--against", given, "-o", out, "--nodes", "1000", "--depth", "8");
    fails(2, "--nodes goes with --min-nodes, not with depths");
    (void)RUN("grow", "--against", given, "-o", out, "--min-nodes", "1000");
    fails(2, "--min-nodes needs --nodes");
    (void)RUN("grow", "--against", given, "-o", out, "--nodes", "1000", "--min-nodes", "1001");
    fails(2, "--min-nodes is larger than --nodes");
    (void)RUN("grow", "--against", given, "-o", out, "--nodes", "0");
    fails(2, ": --nodes wants a number from 1");
    (void)RUN("grow", "--against", given, "-o", out, "--margin", "-5");
    fails(2, "margin wants a number from 0");
    (void)RUN("grow", "--against", given, "-o", out, "--moves", "0");
    fails(2, "moves wants a number from 1");
    (void)RUN("grow", "--against", given, "-o", out, "--color", "black", "--nodes", "1000",
              "--min-nodes", "1000");
    fails(1, "no position is probable enough for a search of 1000 nodes: a smaller --min-nodes");
    assert_false(exists("bad.bin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_of_nodes),
        cmocka_unit_test(a_margin),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
