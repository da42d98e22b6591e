/* The table of tuned numbers, and the search at the ends of their ranges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "search/params.h"
#include "search/search.h"

/* In every build: the default lies in the range and leaves a tuner room on one side at least. */
static void defaults_lie_in_their_ranges(void **state)
{
    (void)state;
#define PARAM_CHECK(name, value, min, max, step)                                                   \
    assert_int_equal(name, value);                                                                 \
    assert_true((min) <= (value) && (value) <= (max) && (min) < (max));                            \
    assert_true((step) > 0 && (step) <= (max) - (min));
    SEARCH_PARAMS(PARAM_CHECK)
}

/* A tuning build has every number in the table, with its default; another build none. */
static void table_is_filled_in_a_tuning_build(void **state)
{
    (void)state;
    const struct param *param = param_table;
#ifdef CAXTON_TUNE
#define PARAM_COMPARE(NAME, VALUE, MIN, MAX, STEP)                                                 \
    assert_string_equal(param->name, #NAME);                                                       \
    assert_ptr_equal(param->value, &NAME);                                                         \
    assert_true(param->min == (MIN) && param->max == (MAX) && param->step == (STEP));              \
    param++;
    SEARCH_PARAMS(PARAM_COMPARE)
#endif
    assert_null(param->name);
}

static struct search *search;

/* Searches a few positions with the numbers as they are. It is enough that nothing goes wrong: in a
 * build with assertions and sanitizers, depths, scores, windows and indices are watched. */
static void search_all(void)
{
    static const char *const fens[] = {
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/1p1k4/p1p2p2/P1P2P2/1P1K4/8/8 w - - 80 90",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    };
    search_clear(search);
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        struct search_request request;
        struct search_result result;
        search_request_init(&request);
        request.depth = 10;
        request.nodes = 2000;
        request.nodes_per_ms = 10; /* a clock that counts nodes */
        request.time_ms[WHITE] = request.time_ms[BLACK] = 3000;
        assert_int_equal(fen_parse(span_of(fens[i]), &request.root, NULL), STATUS_OK);
        search_arm(search, false, 0);
        search_run(search, &request, &(struct search_reporter){0}, &result);
        assert_int_not_equal(result.best, MOVE_NONE);
        assert_in_range(result.score + SCORE_INFINITE, 0, 2 * SCORE_INFINITE);
    }
}

/* Every number at both ends of its range, alone; all of them at once; and mixtures, for one number
 * may go wrong beside certain values of another only. */
static void searches_at_both_ends_of_every_range(void **state)
{
    (void)state;
    enum { PARAMS_MAX = 512, MIXTURES = 40 };
    int defaults[PARAMS_MAX];
    int count = 0;
    for (const struct param *param = param_table; param->name; param++) {
        assert_true(count < PARAMS_MAX);
        defaults[count++] = *param->value;
    }
    if (count == 0)
        skip(); /* numbers are constants in this build */
    search = search_create();
    assert_non_null(search);
    struct rng rng;
    rng_seed(&rng, 44);
    for (int i = 0; i < 2 * count + 2 + MIXTURES; i++) {
        bool is_mixture = i >= 2 * count + 2;
        for (int j = 0; j < count; j++) {
            const struct param *param = &param_table[j];
            bool is_set = is_mixture ? rng_below(&rng, 3) > 0 : j == i / 2 || i >= 2 * count;
            bool is_max = is_mixture ? rng_below(&rng, 2) > 0 : i % 2 > 0;
            *param->value = !is_set ? defaults[j] : is_max ? param->max : param->min;
        }
        search_all();
    }
    for (int j = 0; j < count; j++)
        *param_table[j].value = defaults[j];
    search_destroy(search);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_lie_in_their_ranges),
        cmocka_unit_test(table_is_filled_in_a_tuning_build),
        cmocka_unit_test(searches_at_both_ends_of_every_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
