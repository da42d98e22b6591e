/* base/command_line: defaults stand in the row alone, and options that do not go together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/command_line.h"

static struct {
    int64_t depth;
    int64_t nodes;
    int64_t share;
    const char *list;
    const char *output;
    int color;
    bool quiet;
} got;

enum { WORDS_MAX = 16, TEXT_MAX = 4096 };

static char said[TEXT_MAX]; /* on standard output and standard error */

/* Parses the words by a table whose default depth is `depth`. */
static enum parse_result parse(int64_t depth, const char *words)
{
    const struct option_row rows[] = {
        NUMBER_ROW("depth", 0, "PLIES", "of searches", &got.depth, 1, 99, USUAL(depth)),
        NUMBER_ROW("nodes", 0, "N", "instead", &got.nodes, 1, 1000, .without = "quiet|depth"),
        PERCENT_ROW("share", "of all", &got.share, 4, USUAL(2500)),
        DECIMAL_ROW("years", "Y", "of age", &got.share, 1, 5, 100, .wants = "years from 0.5 to 10"),
        TEXT_ROW("list", 0, "LIST", "numbers", &got.list, .usual_text = "1,2"),
        CHOICE_ROW("color", "both|white|black", "whose", &got.color, USUAL(2), .old = "side",
                   .needs = "nodes|list", .why = "--color of what?"),
        TEXT_ROW("output", 'o', "OUT", "the output", &got.output, .required = "where to?"),
        FLAG_ROW("quiet", 'q', "no report", &got.quiet, .needs = "list"),
    };
    struct command_line line = {.program = "p",
                                .command = "c",
                                .synopsis = "OUT",
                                .about = "About.",
                                .rows = rows,
                                .row_count = ROW_COUNT(rows)};
    static char text[TEXT_MAX]; /* what is read points into it */
    char *argv[WORDS_MAX];
    int argc = 0;
    (void)snprintf(text, sizeof text, "%s", words);
    for (char *rest = text, *word; (word = strtok_r(rest, " ", &rest)) && argc < WORDS_MAX;)
        argv[argc++] = word;
    int streams[] = {dup(1), dup(2)};
    FILE *file = tmpfile();
    assert_non_null(file);
    (void)fflush(stdout);
    assert_true(dup2(fileno(file), 1) >= 0 && dup2(fileno(file), 2) >= 0); /* 0 on Windows */
    enum parse_result result = options_parse(&line, argc, argv);
    (void)fflush(stdout);
    assert_true(dup2(streams[0], 1) >= 0 && dup2(streams[1], 2) >= 0);
    (void)close(streams[0]);
    (void)close(streams[1]);
    rewind(file);
    size_t size = fread(said, 1, sizeof said - 1, file);
    size_t kept = 0;
    for (size_t i = 0; i < size; i++)
        if (said[i] != '\r') /* of line ends on Windows */
            said[kept++] = said[i];
    said[kept] = '\0';
    (void)fclose(file);
    if (result == PARSE_RUN)
        assert_int_equal(options_given(&line, "depth|list"),
                         strstr(words, "--depth") || strstr(words, "--list"));
    return result;
}

static void assert_said(const char *part)
{
    if (!strstr(said, part))
        fail_msg("no \"%s\" in: %s", part, said);
}

/* One place decides what the option is and what the help tells, in all its forms. */
static void the_help_tells_the_default(void **state)
{
    static const char *const forms[] = {"--help", "--help=man", "--help=words"};
    (void)state;
    for (int64_t depth = 7; depth < 9; depth++) {
        char part[32];
        assert_int_equal(parse(depth, "-o x"), PARSE_RUN);
        assert_int_equal(got.depth, depth);
        assert_int_equal(got.share, 2500);
        assert_string_equal(got.list, "1,2");
        assert_int_equal(got.color, 2);
        (void)snprintf(part, sizeof part, "of searches (%d)", (int)depth);
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            assert_int_equal(parse(depth, forms[i]), PARSE_HELP_SHOWN);
            assert_said(part);
            assert_said("of all (0.25)");
            assert_said("numbers (1,2)");
            assert_said("whose (black)");
            assert_said("instead\n");
        }
    }
}

static void an_option_wins_over_its_default(void **state)
{
    (void)state;
    assert_int_equal(parse(7, "-o x --depth 3 --share 12.5% --list 4 --color both"), PARSE_RUN);
    assert_int_equal(got.depth, 3);
    assert_int_equal(got.share, 125000);
    assert_string_equal(got.list, "4");
    assert_int_equal(got.color, 0);
}

/* It works, and is not listed. */
static void an_old_name(void **state)
{
    (void)state;
    assert_int_equal(parse(7, "-o x --list 1 --side=white"), PARSE_RUN);
    assert_int_equal(got.color, 1);
    assert_int_equal(parse(7, "--help"), PARSE_HELP_SHOWN);
    assert_null(strstr(said, "--side"));
}

static void assert_refused(const char *words, const char *why)
{
    assert_int_equal(parse(7, words), PARSE_WRONG);
    assert_said(why);
    assert_said("; see p c --help\n");
}

static void what_does_not_go_together(void **state)
{
    (void)state;
    assert_refused("", "p c: where to?");
    assert_refused("-o x --nodes 5 --depth 4", "--nodes: not with --depth");
    assert_refused("-o x -q", "--quiet needs --list");
    assert_refused("-o x --side both", "--color of what?");
    assert_refused("-o x --list 1 --side white --color black", "--side is --color now: give one");
    assert_refused("-o x --list 1 --color=black --side=black", "--side is --color now: give one");
    assert_int_equal(parse(7, "-o x --color both --nodes 4"), PARSE_RUN);
}

static void numbers_that_are_none(void **state)
{
    (void)state;
    assert_refused("-o x --depth 100", "--depth wants a number from 1 to 99, not 100");
    assert_refused("-o x --share 101", "--share wants a percent from 0 to 100, such as 0.5, not 1");
    assert_refused("-o x --years 0.4", "--years wants years from 0.5 to 10, not 0.4");
    assert_refused("-o x --years 1%", "--years wants years from 0.5 to 10, not 1%");
    assert_int_equal(parse(7, "-o x --years 0.5"), PARSE_RUN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_help_tells_the_default),
        cmocka_unit_test(an_option_wins_over_its_default),
        cmocka_unit_test(an_old_name),
        cmocka_unit_test(what_does_not_go_together),
        cmocka_unit_test(numbers_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
