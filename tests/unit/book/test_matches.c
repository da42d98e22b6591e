/* The numbers of a match: Elo, LOS and SPRT by pairs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "book/suite/matches.h"

static void assert_near(double value, double wanted, double most)
{
    if (!(fabs(value - wanted) <= most))
        fail_msg("%.6f, not %.6f", value, wanted);
}

static void two_games_are_a_pair(void **state)
{
    (void)state;
    assert_int_equal(match_pair_of(0, 0), PAIR_LL);
    assert_int_equal(match_pair_of(1, 0), PAIR_LD);
    assert_int_equal(match_pair_of(2, 0), PAIR_WL);
    assert_int_equal(match_pair_of(1, 1), PAIR_DD);
    assert_int_equal(match_pair_of(1, 2), PAIR_WD);
    assert_int_equal(match_pair_of(2, 2), PAIR_WW);
}

/* By hand: 4 pairs, LD, WL, WD, WW: mean (1/4 + 1/2 + 3/4 + 1) / 4 = 5/8, variance 5/64. */
static void scores_as_by_hand(void **state)
{
    (void)state;
    const uint64_t pairs[MATCH_PAIRS] = {0, 1, 1, 0, 1, 1};
    const struct match_score score = match_score_of(pairs);
    assert_int_equal(score.pairs, 4);
    assert_near(score.mean, .625, 1e-12);
    assert_near(score.deviation, sqrt(5. / 64), 1e-12);
    assert_near(score.error, 1.959964 * sqrt(5. / 64) / 2, 1e-6);
    assert_near(match_elo(score.mean), 400 * log10(5. / 3), 1e-9);
    assert_near(score.nelo, .125 / sqrt(5. / 64) / sqrt(2) * 347.43559, 1e-3);
    /* 0.125 is 0.8944 standard errors of sqrt(5/64) / 2: the table of the normal distribution has
     * 0.8144. */
    assert_near(match_los(&score), .8144, 1e-4);
    const uint64_t even[MATCH_PAIRS] = {0, 0, 3, 2, 0, 0};
    const struct match_score drawn = match_score_of(even);
    assert_near(match_los(&drawn), .5, 1e-12);
}

/* fastchess 1.8.2, its classes SPRT and EloPentanomial by themselves. */
static void sprt_and_los_as_fastchess(void **state)
{
    (void)state;
    static const struct {
        uint64_t pairs[MATCH_PAIRS];
        double nelo[2];
        double llr;
        double los_percent;
    } cases[] = {
        {{2, 10, 24, 32, 32, 32}, {0, 10}, 2.73515, 100.00},
        {{12, 240, 100, 600, 260, 20}, {0, 5}, 0.77243, 92.47},
        {{0, 3, 2, 8, 9, 1}, {-5, 5}, 0.39005, 98.61},
        {{40, 300, 200, 600, 260, 30}, {-3, 1}, -1.18002, 1.91},
        {{0, 0, 0, 0, 0, 5}, {0, 10}, 0.19934, 0},
        {{4, 9, 7, 60, 9, 11}, {0, 10}, 0.57209, 94.58},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct match_score score = match_score_of(cases[i].pairs);
        assert_near(match_llr(cases[i].pairs, cases[i].nelo[0], cases[i].nelo[1]), cases[i].llr,
                    2e-3);
        if (score.deviation > 0) /* else nobody knows */
            assert_near(100 * match_los(&score), cases[i].los_percent, .006);
    }
    assert_near(MATCH_LLR_END, log(.95 / .05), 1e-12);
}

/* Both hypotheses equally far from what was seen. */
static void sprt_is_even_in_the_middle(void **state)
{
    (void)state;
    const uint64_t pairs[MATCH_PAIRS] = {3, 20, 10, 40, 20, 3};
    const uint64_t better[MATCH_PAIRS] = {3, 20, 10, 40, 30, 8};
    const uint64_t worse[MATCH_PAIRS] = {8, 30, 10, 40, 20, 3};
    assert_near(match_llr(pairs, -5, 5), 0, 1e-9);
    assert_near(match_llr(better, -5, 5), -match_llr(worse, -5, 5), 1e-9);
    assert_true(match_llr(better, -5, 5) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_games_are_a_pair),
        cmocka_unit_test(scores_as_by_hand),
        cmocka_unit_test(sprt_and_los_as_fastchess),
        cmocka_unit_test(sprt_is_even_in_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
