/* makebook plan: the same plan each time, with times and moves of a store, for people and programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_file.h"
#include "tests/support/shared_data.h"

#define GIVEN "--against", path_of("given.bin")

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

static void fails(int status, const char *what)
{
    assert_int_equal(result.status, status);
    assert_says(result.errors, what);
    assert_int_equal(strcspn(result.errors, "\n") + 1, strlen(result.errors));
    assert_string_equal(result.output, "");
}

/* The number in a column of a line of the table; both count from 0, the names are line 0. */
static double cell(int line, int column)
{
    const char *at = result.output;
    for (; line > 0; line--)
        at = strchr(at, '\n') + 1;
    for (; column > 0; column--)
        at = strchr(at, '\t') + 1;
    return strtod(at, NULL);
}

enum { AHEAD, WORKERS, WALL, SPEEDUP, BUSY, OVERHEAD, IDLE, SEARCHES, WASTED };

static void a_table(void **state)
{
    (void)state;
    assert_int_equal(
        RUN("plan", GIVEN, "--depth", "9", "--min-depth", "4", "--workers", "1,3,50", "--tsv"), 0);
    assert_string_equal(result.errors, "");
    assert_int_equal(strncmp(result.output,
                             "ahead\tworkers\twall_s\tspeedup\tbusy_s\toverhead_s\t"
                             "idle_s\tsearches\twasted\t",
                             20),
                     0);
    assert_says(result.output, "\nqueue\t50\t");
    assert_says(result.output, "\nanswers\t50\t");
    for (int line = 1; line <= 6; line++) {
        double sum = cell(line, BUSY) + cell(line, OVERHEAD) + cell(line, IDLE);
        double whole = cell(line, WORKERS) * cell(line, WALL);
        assert_true(sum > whole - 0.1 && sum < whole + 0.1);
        assert_true(cell(line, SEARCHES) - cell(line, WASTED) == cell(1, SEARCHES));
        assert_true(cell(line, WALL) <= cell(1, WALL));
    }
    assert_true(cell(1, IDLE) == 0);
    char first[4096];
    (void)snprintf(first, sizeof first, "%s", result.output);
    assert_int_equal(
        RUN("plan", GIVEN, "--depth", "9", "--min-depth", "4", "--workers", "1,3,50", "--tsv"), 0);
    assert_string_equal(result.output, first);
    assert_int_equal(RUN("plan", GIVEN, "--depth", "9", "--min-depth", "4", "--workers", "1,3,50",
                         "--tsv", "--seed", "7"),
                     0);
    assert_string_not_equal(result.output, first);
}

/* With all moves and times from the store of a real run the plan is of the same searches. */
static void by_a_store(void **state)
{
    (void)state;
    assert_int_equal(
        RUN("grow", GIVEN, "-o", path_of("one.bin"), "--depth", "8", "--min-depth", "4"), 0);
    char text[64];
    const char *at = strstr(result.output, "  searches\n");
    assert_non_null(at);
    while (at > result.output && at[-1] != ' ')
        at--;
    (void)snprintf(text, sizeof text, " %.*s searches, ", (int)strcspn(at, " "), at);
    assert_int_equal(RUN("plan", GIVEN, "--store", path_of("one.bin.store"), "--depth", "8",
                         "--min-depth", "4", "--speed", "100"),
                     0);
    assert_says(result.output, text);
    assert_says(result.output, "White against ");
    assert_says(result.output, "one.bin.store, 100,000 nodes a second");
}

/* The number before "  searches" in what grow says, or before " searches, " in a plan. */
static double searches(const char *behind)
{
    const char *at = strstr(result.output, behind);
    assert_non_null(at);
    double number = 0;
    while (at[-1] != ' ')
        at--;
    for (; strchr("0123456789,", *at); at++)
        number = *at == ',' ? number : 10 * number + (*at - '0');
    return number;
}

/* Without a store, too: a search leaves the opponent's book earlier than its most played move. */
static void searches_are_foretold(void **state)
{
    (void)state;
    static const char *const sides[] = {"white", "black"};
    const char *given = SHARED_DATA_DIR "/books/gnuchess.bin";
    shared_data_want(given);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(RUN("grow", "--against", given, "--side", sides[i], "--depth", "9",
                             "--min-depth", "4", "-o", file_of(sides[i], "bin")),
                         0);
        double real = searches("  searches\n");
        assert_int_equal(
            RUN("plan", "--against", given, "--side", sides[i], "--depth", "9", "--min-depth", "4"),
            0);
        double foretold = searches(" searches, ");
        if (foretold < real / 1.5 || foretold > real * 1.5)
            fail_msg("%s: %.0f searches were made, %.0f foretold", sides[i], real, foretold);
    }
}

static void the_budget_decides_the_depth(void **state)
{
    (void)state;
    assert_int_equal(RUN("plan", GIVEN, "--budget", "0.01", "--side", "black", "--ahead", "none",
                         "--workers", "4"),
                     0);
    assert_says(result.output, "Black against ");
    assert_says(result.output, " --min-depth 16: ");
    assert_says(result.output, "\nnone            4 ");
    assert_null(strstr(result.output, "\nqueue "));
    (void)RUN("plan", GIVEN, "--budget", "0.001", "--min-depth", "40");
    fails(1, "nothing is searched within that");
}

static void bad_input(void **state)
{
    (void)state;
    (void)RUN("plan");
    fails(2, "against what? --against says it");
    (void)RUN("plan", GIVEN, GIVEN);
    fails(2, "a plan is against one book: --against once");
    (void)RUN("plan", "--against", path_of("no.bin"));
    fails(1, "no.bin: No such file");
    (void)RUN("plan", GIVEN, "--workers", "1,,2");
    fails(2, "--workers 1,,2 is no list of at most 16 numbers");
    (void)RUN("plan", GIVEN, "--workers", "0");
    fails(2, "--workers 0 is no list");
    (void)RUN("plan", GIVEN, "--budget", "much");
    fails(2, "--budget wants a number of days, not much");
    (void)RUN("plan", GIVEN, "--depth", "120", "--min-depth", "119");
    fails(1, "that takes longer than can be simulated: a smaller --depth, or fewer --workers");
    (void)RUN("plan", GIVEN, "--depth", "60", "--min-depth", "58", "--speed", "1");
    fails(1, "that takes longer than can be simulated: a smaller --depth, or fewer --workers");
    (void)RUN("plan", GIVEN, "--branch", "1");
    fails(2, "--branch wants a number above 1, not 1");
    (void)RUN("plan", GIVEN, "--overhead", "-1");
    fails(2, "--overhead wants a number of milliseconds, not -1");
    (void)RUN("plan", GIVEN, "--depth", "5");
    fails(2, "--depth 5 is less than --min-depth, 16 unless given");
    (void)RUN("plan", GIVEN, "--depth", "20", "--budget", "1");
    fails(2, "--depth: not with --budget");
    (void)RUN("plan", GIVEN, "--store", path_of("given.bin"));
    fails(1, "given.bin: is no store of scores");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table),
        cmocka_unit_test(by_a_store),
        cmocka_unit_test(searches_are_foretold),
        cmocka_unit_test(the_budget_decides_the_depth),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
