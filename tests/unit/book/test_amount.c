/* How much a game counts, worked out by hand and by another way of computing it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/count/filter/amount.h"

__extension__ typedef unsigned __int128 wide;

#define HALVING (INT64_C(1) << 16)

static void whole_halvings_are_shifts(void **state)
{
    (void)state;
    for (int n = -8; n <= 16; n++)
        assert_int_equal(amount_halved(n * HALVING), n < 0 ? 65536 << -n : 65536 >> n);
    assert_int_equal(amount_halved(17 * HALVING), 1); /* half a unit is rounded up */
    assert_int_equal(amount_halved(17 * HALVING + 1), 0);
    assert_int_equal(amount_halved(18 * HALVING), 0);
    assert_int_equal(amount_halved(INT64_MAX), 0);
}

static void parts_of_a_halving_are_roots(void **state)
{
    (void)state;
    /* 65536 / sqrt(2) = 46340.95, 65536 / 2^(1/4) = 55108.98, 2^24 / sqrt(2) = 11863283.2 */
    assert_int_equal(amount_halved(HALVING / 2), 46341);
    assert_int_equal(amount_halved(HALVING / 4), 55109);
    assert_int_equal(amount_halved(-8 * HALVING + HALVING / 2), 11863283);
    /* The smallest step is 65536 * ln 2 / 65536 = 0.69 of a unit. */
    assert_int_equal(amount_halved(1), 65535);
    assert_int_equal(amount_halved(2), 65535);
    assert_int_equal(amount_halved(3), 65534);
}

/* The root of a number below 2^126, bit by bit. */
static uint64_t root_of(wide x)
{
    wide root = 0;
    for (int bit = 62; bit >= 0; bit--) {
        wide tried = root | (wide)1 << bit;
        if (tried * tried <= x)
            root = tried;
    }
    return (uint64_t)root;
}

/* 2^-x for every x by roots of roots of one half, in units of 2^-62. */
static void every_fraction_is_the_product_of_its_roots(void **state)
{
    (void)state;
    uint64_t roots[16];
    for (int i = 0; i < 16; i++)
        roots[i] = root_of((i ? (wide)roots[i - 1] : (wide)1 << 61) << 62);
    for (uint64_t x = 0; x < 65536; x++) {
        uint64_t product = UINT64_C(1) << 62;
        for (int i = 0; i < 16; i++)
            if (x & (uint64_t)1 << (15 - i))
                product = (uint64_t)((wide)product * roots[i] >> 62);
        /* A large amount shows more of the digits: up to 2^24 units of them. */
        assert_int_equal(amount_halved((int64_t)x), (product + (UINT64_C(1) << 45)) >> 46);
        uint32_t large = amount_halved((int64_t)x - 8 * HALVING);
        assert_in_range(large, product >> 38, (product >> 38) + 1);
        if (x)
            assert_true(large <= amount_halved((int64_t)x - 1 - 8 * HALVING));
    }
}

/* 400 years are 146097 days, to the day. */
static void age_halves_at_the_half_life(void **state)
{
    (void)state;
    struct amount_rule rule = {.half_life = 400000, .as_of = 20000101};
    assert_int_equal(amount_age_halvings(&rule, 16000101, 16000101), HALVING);
    assert_int_equal(amount_age_halvings(&rule, 20000101, 20000101), 0);
    assert_int_equal(amount_age_halvings(&rule, 20000102, 20000102), 0);
    assert_int_equal(amount_age_halvings(&rule, 99991231, 99991231), 0);
    rule.half_life = 100000;
    assert_int_equal(amount_age_halvings(&rule, 16000101, 16000101), 4 * HALVING);
    /* 7.5 years are 2739.31875 days; a day is 65536 / 2739.31875 = 23.924 */
    rule.half_life = 7500;
    assert_int_equal(amount_age_halvings(&rule, 19991231, 19991231), 24);
    assert_int_equal(amount_age_halvings(&rule, 19991230, 19991230), 48);
    assert_int_equal(amount_age_halvings(&rule, 19991202, 19991202), 718); /* 717.73 */
    /* The longest: 3652058 days of a thousandth of a year each. */
    rule.half_life = 1;
    rule.as_of = 99991231;
    assert_true(amount_age_halvings(&rule, 10101, 10101) > 9998000 * HALVING);
}

static void calendars_are_gregorian(void **state)
{
    (void)state;
    static const struct {
        int64_t from;
        int64_t to;
        int64_t days;
    } spans[] = {
        {20240228, 20240301, 2},     {20230228, 20230301, 1}, {20000228, 20000301, 2},
        {19000228, 19000301, 1},     {19991231, 20000101, 1}, {20200101, 20210101, 366},
        {18500101, 20010101, 55152}, {20240131, 20240201, 1}, {20230231, 20230301, 1},
    };
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        /* With a half-life of 365.2425 days a day is 65536 / 365.2425 = 179.43. */
        struct amount_rule rule = {.half_life = 1000, .as_of = spans[i].to};
        int64_t halvings = amount_age_halvings(&rule, spans[i].from, spans[i].from);
        assert_int_equal(halvings, (spans[i].days * 655360000 * 2 + 3652425) / (2 * 3652425));
    }
}

static void uncertain_dates_are_their_middle(void **state)
{
    (void)state;
    const struct amount_rule rule = {.half_life = 1000, .as_of = 20200101};
    /* The middle of 1999 is 2 July, of February 2000 the 15th. */
    assert_int_equal(amount_age_halvings(&rule, 19990101, 19991231),
                     amount_age_halvings(&rule, 19990702, 19990702));
    assert_int_equal(amount_age_halvings(&rule, 20000201, 20000231),
                     amount_age_halvings(&rule, 20000215, 20000215));
}

static void elo_doubles_and_halves(void **state)
{
    (void)state;
    struct amount_rule rule = {.elo_points = 200, .elo_reference = 2500};
    assert_int_equal(amount_elo_halvings(&rule, 2500, 2500), 0);
    assert_int_equal(amount_elo_halvings(&rule, 2700, 2300), 0);
    assert_int_equal(amount_elo_halvings(&rule, 2700, 2700), -HALVING);
    assert_int_equal(amount_elo_halvings(&rule, 2300, 2300), HALVING);
    assert_int_equal(amount_elo_halvings(&rule, 2600, 2400 + 100), -HALVING / 4);
    assert_int_equal(amount_elo_halvings(&rule, 2400, 2500), HALVING / 4);
    /* 1 / 400 of 65536 is 163.84, either way. */
    assert_int_equal(amount_elo_halvings(&rule, 2501, 2500), -164);
    assert_int_equal(amount_elo_halvings(&rule, 2500, 2499), 164);
    /* 256 games at most, 2^-16 at least. */
    rule.elo_points = 10;
    assert_int_equal(amount_elo_halvings(&rule, 2600, 2600), -8 * HALVING);
    assert_int_equal(amount_halved(amount_elo_halvings(&rule, 2600, 2600)), AMOUNT_MAX);
    assert_int_equal(amount_elo_halvings(&rule, 2000, 2000), 16 * HALVING);
    assert_int_equal(amount_halved(amount_elo_halvings(&rule, 2000, 2000)), 1);
}

static void rules_describe_themselves(void **state)
{
    (void)state;
    char text[200];
    struct text_buffer out = text_buffer_on(text, sizeof text);
    struct amount_rule rule = {.elo_reference = 2500};
    amount_describe(&rule, &out);
    assert_string_equal(text, "");
    assert_int_equal(amount_unit(&rule), 1);
    rule.half_life = 7500;
    rule.as_of = 20200131;
    amount_describe(&rule, &out);
    assert_string_equal(text, "unit 65536\nhalf-life 7.500\nas-of 20200131\n");
    rule = (struct amount_rule){.elo_points = 120, .elo_reference = 2000, .elo_unknown = 1500};
    assert_int_equal(amount_unit(&rule), 65536);
    out = text_buffer_on(text, sizeof text);
    amount_describe(&rule, &out);
    assert_string_equal(text, "unit 65536\nelo-weight 120\nelo-reference 2000\nelo-unknown 1500\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_halvings_are_shifts),
        cmocka_unit_test(parts_of_a_halving_are_roots),
        cmocka_unit_test(every_fraction_is_the_product_of_its_roots),
        cmocka_unit_test(age_halves_at_the_half_life),
        cmocka_unit_test(calendars_are_gregorian),
        cmocka_unit_test(uncertain_dates_are_their_middle),
        cmocka_unit_test(elo_doubles_and_halves),
        cmocka_unit_test(rules_describe_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
