#include "capture.h"

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

static void full_elo_plays_the_best_line(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1);
    struct strength_lines lines = lines_of((int[]){30, 29, 28}, 3);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_elo_is_more_nodes),
        cmocka_unit_test(limits_only_lower),
        cmocka_unit_test(full_elo_plays_the_best_line),
        cmocka_unit_test(low_elo_varies_within_its_looseness),
        cmocka_unit_test(a_mate_is_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
