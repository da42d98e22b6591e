/* The command line of caxton-datagen. What it says of faults: tests/e2e/test_datagen.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "eval/train/datagen/options.h"

static struct datagen_options options;

/* Reads "caxton-datagen" followed by the words up to NULL. */
static enum parse_result read_options(const char *const *given)
{
    static char copies[32][64];
    char *argv[32] = {"caxton-datagen"};
    int argc = 1;
    for (; given[argc - 1]; argc++) {
        text_copy(copies[argc], sizeof copies[argc], span_of(given[argc - 1]));
        argv[argc] = copies[argc];
    }
    return datagen_options_read(argc, argv, &options);
}

#define READ(...) read_options((const char *const[]){__VA_ARGS__, NULL})

static void defaults(void **state)
{
    (void)state;
    assert_int_equal(READ("-o", "games.cxd"), PARSE_RUN);
    assert_string_equal(options.output, "games.cxd");
    assert_null(options.labeller);
    assert_null(options.openings);
    assert_int_equal(options.positions, 1000000);
    assert_int_equal(options.nodes, 5000);
    assert_int_equal(options.seed, 1);
    assert_int_equal(options.jobs, 1);
    assert_int_equal(options.siblings, 0);
    assert_int_equal(options.chess960_percent, 15);
    assert_int_equal(options.endings_percent, 0);
    assert_int_equal(options.wait_s, 0);
    assert_false(options.quiet);
}

static void every_option(void **state)
{
    (void)state;
    assert_int_equal(READ("--quiet", "--positions", "7", "--nodes", "80", "--labeller", "engine -x",
                          "--openings", "a.epd", "--chess960", "0", "--seed", "0", "--jobs", "256",
                          "--wait", "120", "--endings", "4", "--siblings", "16", "--output", "f"),
                     PARSE_RUN);
    assert_string_equal(options.output, "f");
    assert_string_equal(options.labeller, "engine -x");
    assert_string_equal(options.openings, "a.epd");
    assert_int_equal(options.positions, 7);
    assert_int_equal(options.nodes, 80);
    assert_int_equal(options.seed, 0);
    assert_int_equal(options.jobs, 256);
    assert_int_equal(options.siblings, 16);
    assert_int_equal(options.chess960_percent, 0);
    assert_int_equal(options.endings_percent, 4);
    assert_int_equal(options.wait_s, 120);
    assert_true(options.quiet);
}

static void an_engine_gets_one_node_unless_told(void **state)
{
    (void)state;
    assert_int_equal(READ("-o", "f", "--labeller", "engine"), PARSE_RUN);
    assert_int_equal(options.nodes, 1);
    assert_int_equal(READ("-o", "f", "--nodes", "9", "--labeller", "engine"), PARSE_RUN);
    assert_int_equal(options.nodes, 9);
}

static void help_needs_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(READ("--help"), PARSE_HELP_SHOWN);
    assert_int_equal(READ("-h"), PARSE_HELP_SHOWN);
}

static void bad_command_lines_are_refused(void **state)
{
    (void)state;
    assert_int_equal(READ("--quiet"), PARSE_WRONG); /* no output */
    assert_int_equal(READ("-o", "f", "games.pgn"), PARSE_WRONG);
    static const char *const wrong[][2] = {
        {"--positions", "0"},
        {"--positions", "many"},
        {"--positions", "-1"},
        {"--positions", "9223372036854775807"},
        {"--nodes", "0"},
        {"--nodes", "5k"},
        {"--nodes", "99999999999999999999"},
        {"--nodes", NULL},
        {"--seed", "-1"},
        {"--seed", "1.5"},
        {"--jobs", "0"},
        {"--jobs", "257"},
        {"--jobs", "two"},
        {"--chess960", "101"},
        {"--chess960", "-1"},
        {"--chess960", "15%"},
        {"--endings", "101"},
        {"--siblings", "-1"},
        {"--siblings", "17"},
        {"--wait", "0"},
        {"--wait", "forever"},
        {"--wait", "1000001"},
        {"--depth", "4"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(READ("-o", "f", wrong[i][0], wrong[i][1]), PARSE_WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(every_option),
        cmocka_unit_test(an_engine_gets_one_node_unless_told),
        cmocka_unit_test(help_needs_nothing_else),
        cmocka_unit_test(bad_command_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
