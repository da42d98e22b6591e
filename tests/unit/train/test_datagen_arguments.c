/* The command line of `caxton-datagen`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "eval/train/datagen/arguments.h"

static struct datagen_arguments arguments;
static struct diag diag;

/* Reads "caxton-datagen" followed by the arguments up to NULL. */
static enum caxton_status read_arguments(const char *const *given)
{
    static char copies[24][64];
    char *argv[24] = {"caxton-datagen"};
    int argc = 1;
    for (; given[argc - 1]; argc++) {
        text_copy(copies[argc], sizeof copies[argc], span_of(given[argc - 1]));
        argv[argc] = copies[argc];
    }
    diag = (struct diag){0};
    return datagen_arguments_read(argc, argv, &arguments, &diag);
}

#define READ(...) read_arguments((const char *const[]){__VA_ARGS__, NULL})

static void defaults(void **state)
{
    (void)state;
    assert_int_equal(READ("-o", "games.cxd"), STATUS_OK);
    assert_string_equal(arguments.output, "games.cxd");
    assert_null(arguments.teacher);
    assert_null(arguments.openings);
    assert_int_equal(arguments.samples, 1000000);
    assert_int_equal(arguments.nodes, 5000);
    assert_int_equal(arguments.seed, 1);
    assert_int_equal(arguments.jobs, 1);
    assert_int_equal(arguments.chess960_percent, 15);
    assert_int_equal(arguments.endings_percent, 0);
    assert_int_equal(arguments.start_ms, 10000);
    assert_int_equal(arguments.answer_ms, 60000);
    assert_false(arguments.quiet || arguments.help);
}

static void every_option(void **state)
{
    (void)state;
    assert_int_equal(READ("--quiet", "--positions", "7", "--nodes", "80", "--teacher", "engine -x",
                          "--openings", "a.epd", "--chess960", "0", "--seed", "0", "--jobs", "256",
                          "--wait", "120", "--endings", "4", "-o", "f"),
                     STATUS_OK);
    assert_string_equal(arguments.output, "f");
    assert_string_equal(arguments.teacher, "engine -x");
    assert_string_equal(arguments.openings, "a.epd");
    assert_int_equal(arguments.samples, 7);
    assert_int_equal(arguments.nodes, 80);
    assert_int_equal(arguments.seed, 0);
    assert_int_equal(arguments.jobs, 256);
    assert_int_equal(arguments.chess960_percent, 0);
    assert_int_equal(arguments.endings_percent, 4);
    assert_int_equal(arguments.start_ms, 120000);
    assert_int_equal(arguments.answer_ms, 120000);
    assert_true(arguments.quiet);
}

static void a_teacher_gets_one_node_unless_told(void **state)
{
    (void)state;
    assert_int_equal(READ("-o", "f", "--teacher", "engine"), STATUS_OK);
    assert_int_equal(arguments.nodes, 1);
    assert_int_equal(READ("-o", "f", "--nodes", "9", "--teacher", "engine"), STATUS_OK);
    assert_int_equal(arguments.nodes, 9);
}

static void help_needs_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(READ("--help"), STATUS_OK);
    assert_true(arguments.help);
    assert_int_equal(READ("-h"), STATUS_OK);
    assert_true(arguments.help);
    static const char *const options[] = {"-o",     "--positions", "--nodes", "--teacher",
                                          "--wait", "--openings",  "--seed",  "--chess960",
                                          "--jobs", "--endings",   "--quiet", "--help"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        assert_non_null(strstr(datagen_help, options[i]));
}

static void faults_are_named(void **state)
{
    (void)state;
    assert_int_equal(READ("--quiet"), STATUS_SYNTAX);
    assert_string_equal(diag.text, "an output is needed: -o FILE");
    assert_int_equal(READ("-o", "f", "--nodes"), STATUS_SYNTAX);
    assert_string_equal(diag.text, "--nodes needs a value");
    assert_int_equal(READ("-o", "f", "--depth", "4"), STATUS_SYNTAX);
    assert_string_equal(diag.text, "unknown option --depth");
    assert_int_equal(READ("-o", "f", "games.pgn"), STATUS_SYNTAX);
    assert_string_equal(diag.text, "unknown option games.pgn");
    assert_int_equal(READ("-o", "f", "--jobs", "257"), STATUS_SYNTAX);
    assert_string_equal(diag.text, "--jobs cannot be '257'");
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"-o", ""},
        {"--teacher", ""},
        {"--openings", ""},
        {"--positions", "0"},
        {"--positions", "many"},
        {"--positions", "-1"},
        {"--positions", "9223372036854775807"},
        {"--nodes", "0"},
        {"--nodes", "5k"},
        {"--nodes", "99999999999999999999"},
        {"--seed", "-1"},
        {"--seed", "1.5"},
        {"--jobs", "0"},
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
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(READ("-o", "f", wrong[i][0], wrong[i][1]), STATUS_SYNTAX);
        assert_non_null(strstr(diag.text, wrong[i][0]));
        assert_null(strchr(diag.text, '\n'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(every_option),
        cmocka_unit_test(a_teacher_gets_one_node_unless_told),
        cmocka_unit_test(help_needs_nothing_else),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(bad_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
