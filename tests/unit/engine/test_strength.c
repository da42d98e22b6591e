#include "tests/support/capture.h"

#include "engine/options.h"
#include "engine/strength.h"

static struct strength_lines lines_of(const int *scores, int count)
{
    struct strength_lines lines = {0};
    for (int i = 0; i < count; i++) {
        move pv[] = {(move)(100 + i), (move)(200 + i)};
        struct search_info info = {
            .multipv = i + 1, .score = scores[i], .pv = pv, .pv_length = 2, .depth = 3};
        strength_collect(&lines, &info);
    }
    return lines;
}

static void more_elo_is_more_nodes(void **state)
{
    (void)state;
    for (int elo = ELO_MIN; elo < ELO_MAX; elo++)
        assert_true(strength_nodes(elo + 1) >= strength_nodes(elo));
    assert_true(strength_nodes(ELO_MAX) > 1000 * strength_nodes(ELO_MIN));
}

static void skill_levels_are_elo(void **state)
{
    (void)state;
    static struct options options;
    options_init(&options);
    assert_int_equal(strength_elo(&options), 0);
    options.skill = 0;
    assert_int_equal(strength_elo(&options), 1347);
    options.skill = 19;
    assert_int_equal(strength_elo(&options), 3190);
    options.limit_strength = true;
    options.elo = 1000;
    assert_int_equal(strength_elo(&options), 1000);
}

static void weak_players_know_less_of_the_book(void **state)
{
    (void)state;
    assert_int_equal(strength_book_plies(ELO_MIN), 4);
    assert_true(strength_book_plies(ELO_MAX) > 20);
}

static void limits_only_lower(void **state)
{
    (void)state;
    struct search_request request = {.nodes = 10, .multipv = 7};
    strength_limit(&request, 2000);
    assert_int_equal(request.nodes, 10);
    assert_int_equal(request.multipv, 7);
    request = (struct search_request){.multipv = 1};
    strength_limit(&request, 2000);
    assert_int_equal(request.nodes, strength_nodes(2000));
    assert_int_equal(request.multipv, STRENGTH_LINES);
}

static void full_elo_plays_no_clearly_worse_line(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1);
    struct strength_lines lines = lines_of((int[]){70, 30, 28}, 3);
    for (int i = 0; i < 100; i++) {
        struct search_result result = {.best = 1};
        strength_choose(&lines, ELO_MAX, &rng, &result);
        assert_int_equal(result.best, 100);
        assert_int_equal(result.ponder, 200);
    }
}

static void low_elo_varies_within_its_looseness(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1);
    struct strength_lines lines = lines_of((int[]){30, 10, -1000}, 3);
    int chosen[3] = {0};
    for (int i = 0; i < 1000; i++) {
        struct search_result result = {0};
        strength_choose(&lines, ELO_MIN, &rng, &result);
        chosen[result.best - 100]++;
        assert_int_equal(result.ponder, result.best + 100);
    }
    assert_true(chosen[0] > chosen[1] && chosen[1] > 100);
    assert_int_equal(chosen[2], 0);
}

static void a_mate_is_played(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1);
    struct strength_lines lines = lines_of((int[]){SCORE_MATE - 3, SCORE_MATE - 5}, 2);
    struct search_result result = {.best = 7};
    strength_choose(&lines, ELO_MIN, &rng, &result);
    assert_int_equal(result.best, 7);
}

struct seen {
    move first[3];
    int multipv[3];
    int count;
};

static void see(void *context, const struct search_info *info)
{
    struct seen *seen = context;
    seen->first[seen->count] = info->pv[0];
    seen->multipv[seen->count++] = info->multipv;
}

/* The line that is played is shown as the first one. */
static void the_chosen_line_is_shown(void **state)
{
    (void)state;
    const struct strength_lines lines = lines_of((int[]){30, 10, 0}, 3);
    struct seen seen = {.count = 0};
    const struct search_reporter reporter = {.context = &seen, .info = see};
    strength_report(&lines, 0, 1, &reporter);
    assert_int_equal(seen.first[0], 100);
    seen.count = 0;
    strength_report(&lines, 2, 1, &reporter);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.first[0], 102);
    assert_int_equal(seen.multipv[0], 1);
    seen.count = 0;
    strength_report(&lines, 1, 3, &reporter);
    assert_int_equal(seen.count, 3);
    static const move expected[] = {101, 100, 102};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(seen.first[i], expected[i]);
        assert_int_equal(seen.multipv[i], i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_elo_is_more_nodes),
        cmocka_unit_test(skill_levels_are_elo),
        cmocka_unit_test(weak_players_know_less_of_the_book),
        cmocka_unit_test(limits_only_lower),
        cmocka_unit_test(full_elo_plays_no_clearly_worse_line),
        cmocka_unit_test(low_elo_varies_within_its_looseness),
        cmocka_unit_test(a_mate_is_played),
        cmocka_unit_test(the_chosen_line_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
