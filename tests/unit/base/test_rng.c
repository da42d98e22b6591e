/* The generator: the published sequence, and fair bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"

/* The first results of xoshiro256** from the state 1, 2, 3, 4. */
static void gives_the_known_sequence(void **state)
{
    (void)state;
    struct rng rng = {{1, 2, 3, 4}};
    const uint64_t wanted[] = {UINT64_C(11520), 0, UINT64_C(1509978240),
                               UINT64_C(1215971899390074240)};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        assert_true(rng_next(&rng) == wanted[i]);
}

static void splitmix_seeds_it(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1234567);
    assert_true(rng.state[0] == UINT64_C(6457827717110365317));
    assert_true(rng.state[1] == UINT64_C(3203168211198807973));
    assert_true(rng.state[2] == UINT64_C(9817491932198370423));
    assert_true(rng.state[3] == UINT64_C(4593380528125082431));
}

static void bounds_are_kept_and_fair(void **state)
{
    (void)state;
    struct rng rng;
    unsigned counts[6] = {0};
    rng_seed(&rng, 7);
    assert_true(rng_below(&rng, 1) == 0);
    for (int i = 0; i < 60000; i++) {
        uint64_t value = rng_below(&rng, 6);
        assert_true(value < 6);
        counts[value]++;
    }
    for (int i = 0; i < 6; i++)
        assert_in_range(counts[i], 9500, 10500);
    /* A bound where half of all values must be drawn again. */
    for (int i = 0; i < 100; i++)
        assert_true(rng_below(&rng, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_known_sequence),
        cmocka_unit_test(splitmix_seeds_it),
        cmocka_unit_test(bounds_are_kept_and_fair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
