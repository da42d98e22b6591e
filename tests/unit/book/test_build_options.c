/* Every option that decides what is counted changes the text that statistics keep of the options,
 * so that what was counted differently does not merge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "book/count/builder.h"
#include "book/count/filter/filter_table.h"
#include "chess/attacks.h"

static char usual[WLD_OPTIONS_MAX + 1];
static char text[WLD_OPTIONS_MAX + 1];

static int set_up(void **state)
{
    (void)state;
    chess_init();
    const struct build_options options = build_options_default();
    return build_options_text(&options, usual) == STATUS_OK ? 0 : -1;
}

static void assert_changes(const struct build_options *options, const char *what)
{
    assert_int_equal(build_options_text(options, text), STATUS_OK);
    if (strcmp(text, usual) == 0)
        fail_msg("%s changes nothing", what);
}

static void every_filter(void **state)
{
    (void)state;
    size_t options_seen = 0;
    for (size_t i = 0; i < filter_row_count; i++) {
        const struct filter_row *row = &filter_rows[i];
        struct build_options options = build_options_default();
        const struct filter_setting setting = {
            .flag = row->kind == OPTION_FLAG,
            .choice = row->kind == OPTION_CHOICE,
            .number = row->kind == OPTION_NUMBER ? row->min : 0,
            .text = row->kind == OPTION_TEXT ? row->example : NULL,
        };
        if (!row->name)
            continue;
        if (row->kind == OPTION_TEXT && !row->example)
            fail_msg("%s has no example", row->name);
        assert_int_equal(filter_set(&options.count.filter, row->name, &setting, NULL), STATUS_OK);
        assert_changes(&options, row->name);
        options_seen++;
    }
    assert_true(options_seen >= 18);
}

static void every_other_option(void **state)
{
    (void)state;
    struct build_options options = build_options_default();
    options.count.max_plies++;
    assert_changes(&options, "max-ply");
    options = build_options_default();
    options.count.mirror = true;
    assert_changes(&options, "mirror");
    options = build_options_default();
    options.count.keep_duplicates = true;
    assert_changes(&options, "keep-duplicates");
    options = build_options_default();
    options.stats_min_games = 2;
    assert_changes(&options, "min-games of -o FILE.wld");
    options = build_options_default();
    options.count.filter.amounts.half_life = 1000;
    options.count.filter.amounts.as_of = 20200101;
    assert_changes(&options, "half-life");
    options.count.filter.amounts.half_life = 0;
    options.count.filter.amounts.elo_points = 200;
    assert_changes(&options, "elo-weight");
    char before[WLD_OPTIONS_MAX + 1];
    memcpy(before, text, sizeof before);
    options.count.filter.amounts.elo_unknown = 2000;
    assert_changes(&options, "elo-unknown");
    assert_string_not_equal(text, before);
}

/* They must not: shards that were counted on different machines would differ. */
static void how_it_is_counted_changes_nothing(void **state)
{
    (void)state;
    struct build_options options = build_options_default();
    options.count.jobs = 7;
    options.count.memory_bytes = 1;
    options.count.open_files = 3;
    options.count.folder = "/elsewhere";
    options.count.expected_bytes = 5;
    options.count.strict = true;
    options.min_games = 9;
    options.weigh.uniform = true;
    assert_int_equal(build_options_text(&options, text), STATUS_OK);
    assert_string_equal(text, usual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_filter),
        cmocka_unit_test(every_other_option),
        cmocka_unit_test(how_it_is_counted_changes_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
