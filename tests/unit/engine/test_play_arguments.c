#include "capture.h"

#include "engine/play_arguments.h"

static struct options options;
static struct play_arguments arguments;
static struct diag diag;

/* Reads "caxton play" followed by the arguments up to NULL. */
static enum caxton_status read_arguments(const char *const *given)
{
    char *argv[16] = {"caxton", "play"};
    char copies[16][64];
    int argc = 2;
    for (; given[argc - 2]; argc++) {
        text_copy(copies[argc], sizeof copies[argc], span_of(given[argc - 2]));
        argv[argc] = copies[argc];
    }
    arguments = (struct play_arguments){.options = &options, .seed = 5};
    return play_arguments_read(argc, argv, &arguments, &diag);
}

#define READ(...) read_arguments((const char *const[]){__VA_ARGS__, NULL})

static void defaults(void **state)
{
    (void)state;
    assert_int_equal(read_arguments((const char *const[]){NULL}), STATUS_OK);
    assert_int_equal(arguments.base_ms, 20000);
    assert_int_equal(arguments.increment_ms, 200);
    assert_null(arguments.pgn);
    assert_int_equal(arguments.seed, 5);
    assert_true(options.own_book);
}

static void time_controls(void **state)
{
    (void)state;
    assert_int_equal(READ("--tc", "60+0.6"), STATUS_OK);
    assert_int_equal(arguments.base_ms, 60000);
    assert_int_equal(arguments.increment_ms, 600);
    assert_int_equal(READ("--tc", "0.25"), STATUS_OK);
    assert_int_equal(arguments.base_ms, 250);
    assert_int_equal(arguments.increment_ms, 0);
    assert_int_equal(READ("--tc", "1+.005"), STATUS_OK);
    assert_int_equal(arguments.increment_ms, 5);
}

static void everything_else(void **state)
{
    (void)state;
    assert_int_equal(READ("--pgn", "a b.pgn", "--book", "x.bin;y.bin", "--seed", "77", "--threads",
                          "2", "--hash", "64", "--ascii", "--no-color", "--no-book"),
                     STATUS_OK);
    assert_string_equal(options.book_file, "x.bin;y.bin");
    assert_int_equal(arguments.seed, 77);
    assert_int_equal(options.threads, 2);
    assert_int_equal(options.hash_mb, 64);
    assert_true(arguments.ascii && arguments.plain);
    assert_false(options.own_book);
    assert_int_equal(READ("--help"), STATUS_OK);
    assert_true(arguments.help);
}

static void faults_are_named(void **state)
{
    (void)state;
    assert_int_equal(READ("--tc"), STATUS_SYNTAX);
    assert_string_equal(diag.text, "--tc needs a value");
    assert_int_equal(READ("--colour"), STATUS_SYNTAX);
    assert_string_equal(diag.text, "unknown option --colour");
    static const char *const wrong[][2] = {
        {"--tc", ""},       {"--tc", "0"},      {"--tc", "1+"},   {"--tc", "1.2.3"},
        {"--tc", "1+2+3"},  {"--tc", "blitz"},  {"--tc", "-5"},   {"--tc", "999999"},
        {"--threads", "0"}, {"--hash", "lots"}, {"--seed", "-1"}, {"--pgn", ""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(READ(wrong[i][0], wrong[i][1]), STATUS_SYNTAX);
        assert_non_null(strstr(diag.text, wrong[i][0]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(time_controls),
        cmocka_unit_test(everything_else),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
