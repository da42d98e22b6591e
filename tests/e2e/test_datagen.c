/* `caxton-datagen`: what it writes, and what it says of faults. */
#include "datagen.h"

#include <sched.h>
#include <signal.h>

static void assert_same_bytes(const char *a, const char *b)
{
    static uint8_t first[BYTES_MAX];
    static uint8_t second[BYTES_MAX];
    size_t size = read_bytes(a, first);
    assert_int_equal(read_bytes(b, second), size);
    assert_memory_equal(first, second, size);
}

static void games_of_our_own_search(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--positions", "600", "--nodes", "40"), 0);
    assert_string_equal(result.errors, "");
    struct summary sum = check_samples("a.cxd");
    assert_true(sum.samples >= 600);
    assert_true(sum.samples < 600 + 400); /* the last game is taken whole */
    assert_true(sum.games > 2);
    assert_true(sum.results[0] + sum.results[2] > 0);
    struct text_buffer text = text_buffer_on((char[600]){0}, 600);
    text_append(&text, "%s: %llu positions\n", path_of("a.cxd"), (unsigned long long)sum.samples);
    assert_string_equal(result.output, text.data);

    /* The same seed gives the same games, another one others. */
    assert_int_equal(RUN("b.cxd", "--positions", "600", "--nodes", "40", "--quiet"), 0);
    assert_same_bytes("a.cxd", "b.cxd");
    assert_int_equal(unlink(path_of("b.cxd")), 0);
    assert_int_equal(RUN("b.cxd", "--positions", "600", "--nodes", "40", "--seed", "2"), 0);
    static uint8_t first[BYTES_MAX];
    static uint8_t second[BYTES_MAX];
    (void)read_bytes("a.cxd", first);
    (void)read_bytes("b.cxd", second);
    assert_memory_not_equal(first, second, HEADER + 64 * SAMPLE_SIZE);
}

static void a_file_is_continued(void **state)
{
    (void)state;
    static uint8_t before[BYTES_MAX];
    static uint8_t after[BYTES_MAX];
    assert_int_equal(RUN("a.cxd", "--positions", "200", "--nodes", "1"), 0);
    size_t size = read_bytes("a.cxd", before);
    /* There are enough: nothing is done. */
    assert_int_equal(RUN("a.cxd", "--positions", "200", "--nodes", "1"), 0);
    assert_int_equal(read_bytes("a.cxd", after), size);
    assert_int_equal(RUN("a.cxd", "--positions", "1000", "--nodes", "1"), 0);
    size_t grown = read_bytes("a.cxd", after);
    assert_true(grown > size);
    assert_memory_equal(before, after, size);
    /* The games that follow are not those that are there. */
    assert_memory_not_equal(before + HEADER, after + size + HEADER, 32 * SAMPLE_SIZE);
    assert_true(check_samples("a.cxd").samples >= 1000);
}

static void several_jobs(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--positions", "3000", "--nodes", "1", "--jobs", "3"), 0);
    assert_true(check_samples("a.cxd").samples >= 3000);
}

static void openings_are_read(void **state)
{
    (void)state;
    static const char good[] =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"one\";\n\n"
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 c0 \"longer than the "
        "lines of most such files, which a reader with a fixed buffer would take for two lines, of "
        "which the second is none\";\n";
    scratch_write(&scratch, "openings.epd", good, sizeof good - 1);
    assert_int_equal(RUN("a.cxd", "--positions", "300", "--nodes", "1", "--chess960", "0",
                         "--openings", path_of("openings.epd")),
                     0);
    assert_true(check_samples("a.cxd").samples >= 300);
    static const char bad[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\ne4 e5\n";
    scratch_write(&scratch, "openings.epd", bad, sizeof bad - 1);
    assert_int_equal(RUN("b.cxd", "--openings", path_of("openings.epd")), 1);
    assert_one_error(result.errors, "openings.epd:2: ");
    assert_int_equal(RUN("b.cxd", "--openings", path_of("missing")), 1);
    assert_one_error(result.errors, "missing");
}

/* Games from few pieces are not adjudicated by score; those that are cut off have no result. */
static void endings(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--positions", "2000", "--nodes", "1", "--endings", "100"), 0);
    struct summary sum = check_samples("a.cxd");
    assert_int_equal(sum.few_pieces, sum.samples);
    assert_true(sum.results[SAMPLE_NO_RESULT] > 0);
    assert_true(sum.results[SAMPLE_NO_RESULT] < sum.samples);
}

static void a_signal_ends_a_run_of_our_own(void **state)
{
    (void)state;
    struct process *process = start("a.cxd", ARGUMENTS("--nodes", "1", "--jobs", "2"));
    struct stat now = {.st_size = 0};
    while (stat(path_of("a.cxd"), &now) != 0 || now.st_size == 0)
        (void)sched_yield(); /* until the first block is there */
    process_signal(process, SIGTERM);
    assert_int_equal(process_wait(process), 0);
    assert_string_equal(process_errors(process), "");
    process_destroy(process);
    assert_true(check_samples("a.cxd").samples >= 4096);
}

static void faults_are_one_line(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--nodes", "none"), 2);
    assert_one_error(result.errors, "nodes wants a number from 1 to 9223372036854775807, not none");
    assert_int_equal(RUN("a.cxd", "--depth", "4"), 2);
    assert_one_error(result.errors, "unknown option --depth");
    assert_int_equal(RUN("a.cxd", "--nodes"), 2);
    assert_one_error(result.errors, "a value is missing after --nodes");
    assert_int_equal(access(path_of("a.cxd"), F_OK), -1);
    static const char text[] = "[Event \"not samples\"]\n";
    scratch_write(&scratch, "b.cxd", text, sizeof text - 1);
    assert_int_equal(RUN("b.cxd", "--positions", "10"), 1);
    assert_one_error(result.errors, "b.cxd: not a block of samples at offset 0");
    uint8_t bytes[100];
    assert_int_equal(read_bytes("b.cxd", bytes), sizeof text - 1);
    assert_memory_equal(bytes, text, sizeof text - 1);
    assert_int_equal(RUN("no/such/folder", "--positions", "10"), 1);
    assert_one_error(result.errors, "no/such/folder");
}

/* With "-" blocks go to standard output and nothing else does. */
static void a_stream_is_the_file(void **state)
{
    (void)state;
    static uint8_t expected[BYTES_MAX];
    assert_int_equal(RUN("a.cxd", "--positions", "300", "--nodes", "1"), 0);
    size_t size = read_bytes("a.cxd", expected);
    const char *binary = process_binary("DATAGEN_BINARY");
    const char *command[] = {
        "/bin/sh",        "-c", "\"$0\" -o - --positions 300 --nodes 1 >\"$1\"", binary,
        path_of("b.cxd"), NULL};
    process_result_free(&result);
    result = process_run(command, NULL);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.errors, "");
    static uint8_t bytes[BYTES_MAX];
    assert_int_equal(read_bytes("b.cxd", bytes), size);
    assert_memory_equal(bytes, expected, size);
}

/* When nobody reads any more, the run is over. */
static void a_stream_ends_with_its_reader(void **state)
{
    (void)state;
    const char *binary = process_binary("DATAGEN_BINARY");
    const char *command[] = {
        "/bin/sh",       "-c", "\"$0\" -o - --nodes 1 | head -c 100000 >\"$1\"", binary,
        path_of("note"), NULL};
    process_result_free(&result);
    result = process_run(command, NULL);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.errors, "");
}

static void teachers_that_are_none(void **state)
{
    (void)state;
    scratch_write(&scratch, "note", "not a network", 13);
    assert_int_equal(RUN("a.cxd", "--teacher-net", path_of("note")), 1);
    assert_one_error(result.errors, "note: not a network of Stockfish");
    assert_int_equal(RUN("a.cxd", "--teacher-net", path_of("missing")), 1);
    assert_one_error(result.errors, "missing: ");
    assert_int_equal(access(path_of("a.cxd"), F_OK), -1);
}

static void help_is_given(void **state)
{
    (void)state;
    assert_int_equal(RUN("a.cxd", "--help"), 0);
    assert_string_equal(result.errors, "");
    assert_non_null(strstr(result.output, "--labeller"));
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(games_of_our_own_search, clean),
        cmocka_unit_test_setup(a_file_is_continued, clean),
        cmocka_unit_test_setup(several_jobs, clean),
        cmocka_unit_test_setup(openings_are_read, clean),
        cmocka_unit_test_setup(endings, clean),
        cmocka_unit_test_setup(a_signal_ends_a_run_of_our_own, clean),
        cmocka_unit_test_setup(a_stream_is_the_file, clean),
        cmocka_unit_test_setup(a_stream_ends_with_its_reader, clean),
        cmocka_unit_test_setup(teachers_that_are_none, clean),
        cmocka_unit_test_setup(faults_are_one_line, clean),
        cmocka_unit_test_setup_teardown(help_is_given, clean, clean),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
