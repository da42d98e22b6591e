#include "book/count/filter/amount.h"

__extension__ typedef unsigned __int128 wide;

enum { FRACTION_BITS = 16, ROOT_BITS = 63 };

#define ONE_HALVING (INT64_C(1) << FRACTION_BITS)

/* The i-th is 2^-(1 / 2^(i + 1)) in units of 2^-63, rounded: each is the square root of the one
 * before, the first that of 1/2. */
static const uint64_t roots[FRACTION_BITS] = {
    UINT64_C(0x5a827999fcef3242), UINT64_C(0x6ba27e656b4eb57a), UINT64_C(0x75606373ee921c97),
    UINT64_C(0x7a92be8a92436616), UINT64_C(0x7d41d96db915019d), UINT64_C(0x7e9f06067a4360ba),
    UINT64_C(0x7f4f08ae3dc7c426), UINT64_C(0x7fa765aca88f6453), UINT64_C(0x7fd3ab290e46d769),
    UINT64_C(0x7fe9d3a8e07bf086), UINT64_C(0x7ff4e9597bed93ab), UINT64_C(0x7ffa748dff8dc61f),
    UINT64_C(0x7ffd3a3f50020332), UINT64_C(0x7ffe9d1dbc0a75aa), UINT64_C(0x7fff4e8e6306ed59),
    UINT64_C(0x7fffa74712c3cdfd),
};

uint64_t amount_unit(const struct amount_rule *rule)
{
    return rule->half_life || rule->elo_points ? TALLY_UNIT : 1;
}

/* Rounded to the nearest, halves up; `by` is positive. */
static int64_t divide(int64_t value, int64_t by)
{
    int64_t doubled = 2 * value + by;
    int64_t quotient = doubled / (2 * by);
    return quotient - (doubled % (2 * by) < 0);
}

/* Days since 1 March of year 0, in the Gregorian calendar. A year that begins in March ends with
 * its leap day, and its months are 153 / 5 days long on average, as in E. G. Richards, "Calendars",
 * Explanatory Supplement to the Astronomical Almanac (2013). */
static int64_t day_number(int64_t date)
{
    static const int64_t lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t year = date / 10000;
    int64_t month = date / 100 % 100;
    int64_t day = date % 100;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    int64_t length = lengths[month - 1] + (month == 2 && leap);
    if (day > length)
        day = length;
    year -= month < 3;
    month = month < 3 ? month + 9 : month - 3;
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
}

int64_t amount_age_halvings(const struct amount_rule *rule, int64_t first, int64_t last)
{
    int64_t middle = (day_number(first) + day_number(last)) / 2;
    int64_t days = day_number(rule->as_of) - middle;
    if (days <= 0)
        return 0;
    /* A year is 3652425 / 10^4 days, the half-life is in thousandths. 10^4 years have less than
     * 2^22 days, 10^7 is less than 2^24. */
    wide times = (wide)days * 10000000 << FRACTION_BITS;
    wide period = (wide)rule->half_life * 3652425;
    return (int64_t)((2 * times + period) / (2 * period));
}

int64_t amount_elo_halvings(const struct amount_rule *rule, int64_t white, int64_t black)
{
    int64_t below = 2 * rule->elo_reference - white - black;
    int64_t halvings = divide(below * ONE_HALVING, 2 * rule->elo_points);
    if (halvings < -AMOUNT_DOUBLINGS_MAX * ONE_HALVING)
        return -AMOUNT_DOUBLINGS_MAX * ONE_HALVING;
    if (halvings > AMOUNT_HALVINGS_MAX * ONE_HALVING)
        return AMOUNT_HALVINGS_MAX * ONE_HALVING;
    return halvings;
}

/* 2^-x in units of 2^-63, for x in units of 2^-16 and below 1. */
static uint64_t half_to_the(uint64_t x)
{
    uint64_t product = UINT64_C(1) << ROOT_BITS;
    for (int i = 0; i < FRACTION_BITS; i++)
        if (x >> (FRACTION_BITS - 1 - i) & 1)
            product = (uint64_t)((wide)product * roots[i] >> ROOT_BITS);
    return product;
}

uint32_t amount_halved(int64_t halvings)
{
    const int64_t nothing = (TALLY_UNIT_BITS + 2) * ONE_HALVING; /* a quarter of a unit */
    if (halvings >= nothing)
        return 0;
    /* As doublings are few, `up` is positive. */
    uint64_t up = (uint64_t)(halvings + AMOUNT_DOUBLINGS_MAX * ONE_HALVING);
    uint64_t product = half_to_the(up & (ONE_HALVING - 1));
    uint64_t shift = ROOT_BITS - TALLY_UNIT_BITS - AMOUNT_DOUBLINGS_MAX + (up >> FRACTION_BITS);
    return (uint32_t)(((wide)product + ((wide)1 << (shift - 1))) >> shift);
}

static void describe(struct text_buffer *out, const char *name, int64_t value)
{
    text_append(out, "%s %lld\n", name, (long long)value);
}

void amount_describe(const struct amount_rule *rule, struct text_buffer *out)
{
    if (amount_unit(rule) == 1)
        return;
    describe(out, "unit", TALLY_UNIT);
    if (rule->half_life) {
        text_append(out, "half-life %lld.%03lld\n", (long long)(rule->half_life / 1000),
                    (long long)(rule->half_life % 1000));
        describe(out, "as-of", rule->as_of);
    }
    if (rule->elo_points) {
        describe(out, "elo-weight", rule->elo_points);
        describe(out, "elo-reference", rule->elo_reference);
        if (rule->elo_unknown)
            describe(out, "elo-unknown", rule->elo_unknown);
    }
}
