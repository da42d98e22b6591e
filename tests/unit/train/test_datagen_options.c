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
    assert_int_equal(options.percent[START_CHESS960], 15);
    assert_int_equal(options.percent[START_ENDING], 0);
    assert_int_equal(options.percent[START_DOUBLE_CHESS960], 0);
    assert_int_equal(options.percent[START_BOOK], 20);
    assert_int_equal(options.percent[START_OPENING], 0);
    assert_int_equal(options.books.count, 0);
    assert_null(options.teacher_net);
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
    assert_int_equal(options.percent[START_CHESS960], 0);
    assert_int_equal(options.percent[START_ENDING], 4);
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

static void starts_have_shares(void **state)
{
    (void)state;
    assert_int_equal(READ("-o", "f", "--openings", "a.epd"), PARSE_RUN);
    assert_int_equal(options.percent[START_OPENING], 40);
    assert_int_equal(READ("-o", "f", "--openings", "a.epd", "--openings-share", "10", "--book",
                          "a.bin", "--book", "b.ctg", "--book-share", "30", "--double-chess960",
                          "20", "--chess960", "40", "--endings", "0"),
                     PARSE_RUN);
    assert_int_equal(options.percent[START_OPENING], 10);
    assert_int_equal(options.percent[START_BOOK], 30);
    assert_int_equal(options.percent[START_DOUBLE_CHESS960], 20);
    assert_int_equal(options.books.count, 2);
    assert_string_equal(options.books.items[1], "b.ctg");
    assert_int_equal(READ("-o", "f", "--endings", "100"), PARSE_RUN);
    assert_int_equal(options.percent[START_CHESS960], 0);
    assert_int_equal(READ("-o", "f", "--endings", "50"), PARSE_RUN);
    assert_int_equal(options.percent[START_BOOK], 10);
    assert_int_equal(READ("-o", "f", "--chess960", "80", "--endings", "21"), PARSE_WRONG);
    assert_int_equal(READ("-o", "f", "--openings-share", "10"), PARSE_WRONG);
}

static void a_teacher_excludes_other_labellers(void **state)
{
    (void)state;
    assert_int_equal(READ("-o", "f", "--teacher-net", "a.nnue"), PARSE_RUN);
    assert_string_equal(options.teacher_net, "a.nnue");
    assert_int_equal(READ("-o", "f", "--teacher-net", "a.nnue", "--labeller", "b"), PARSE_WRONG);
    assert_int_equal(READ("-o", "f", "--teacher-net", "a.nnue", "--nodes", "2"), PARSE_WRONG);
}

static void searched_positions_need_a_teacher(void **state)
{
    (void)state;
    assert_int_equal(
        READ("-o", "f", "--teacher-net", "a.nnue", "--searched", "64", "--nodes", "200"),
        PARSE_RUN);
    assert_int_equal(options.searched, 64);
    assert_int_equal(options.nodes, 200);
    assert_int_equal(READ("-o", "f", "--searched", "64"), PARSE_WRONG);
    assert_int_equal(
        READ("-o", "f", "--teacher-net", "a.nnue", "--searched", "64", "--siblings", "1"),
        PARSE_WRONG);
}

static void a_stream_has_no_end(void **state)
{
    (void)state;
    assert_int_equal(READ("-o", "-"), PARSE_RUN);
    assert_true(options.positions > INT64_C(1000000000000));
    assert_int_equal(READ("-o", "-", "--positions", "5"), PARSE_RUN);
    assert_int_equal(options.positions, 5);
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
        {"--searched", "65"},
        {"--plies", "401"},
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
        cmocka_unit_test(starts_have_shares),
        cmocka_unit_test(a_teacher_excludes_other_labellers),
        cmocka_unit_test(searched_positions_need_a_teacher),
        cmocka_unit_test(a_stream_has_no_end),
        cmocka_unit_test(help_needs_nothing_else),
        cmocka_unit_test(bad_command_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
