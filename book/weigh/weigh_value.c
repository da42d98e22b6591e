/* A new kind of weight is a row of the table at the end and its function above. */
#include "book/weigh/weigh_value.h"

__extension__ typedef unsigned __int128 wide;

/* Shares are given in units of 2^-48. */
enum { SHARE_BITS = 48, LOG_BITS = 32, ELO_BITS = 32, ELO_LIMIT = 800 };

static uint64_t at_least_one(wide value)
{
    return value ? (uint64_t)value : 1;
}

/* The largest root with root * root <= x: one bit after the other, from the highest. */
static uint64_t square_root(wide x)
{
    wide root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        wide tried = root | (wide)1 << bit;
        if (tried <= x / tried)
            root = tried;
    }
    return (uint64_t)root;
}

/* In fixed point: zz = 1.96^2 = 2401/625; numerator and denominator of the formula are taken n
 * times, and in units of 2^-40, points and N in units of 2^-16. No intermediate result exceeds 128
 * bits while N <= 2^33; larger numbers are halved until they fit, where the interval is narrower
 * than any weight shows. */
static uint64_t wilson(uint64_t half_points_won, uint64_t half_points_played, uint64_t unit)
{
    enum { GAME = 1 << 16, POINT_SHIFT = 40 - 16 - 1 };
    wide points = (wide)half_points_won * GAME / unit;
    wide most = (wide)half_points_played * GAME / unit;
    if (half_points_won == 0)
        return 0;
    while (most > (wide)GAME << 33) {
        points /= 2;
        most /= 2;
    }
    wide spread = ((points * (most - points) << 31) / most * 2401 << 33) / 1250;
    wide constant = ((wide)2401 * 2401 << 80) / (4 * 625 * 625);
    wide middle = (points << POINT_SHIFT) + ((wide)2401 << 40) / 1250;
    wide root = square_root(spread + constant);
    wide whole = (most << POINT_SHIFT) + ((wide)2401 << 40) / 625;
    return at_least_one(middle > root ? ((middle - root) << SHARE_BITS) / whole : 0);
}

/* log2(a / b) in units of 2^-32, for b <= a < 2^62. Squaring a number doubles its logarithm, which
 * shows one bit of it after the other. Source: Knuth, "The Art of Computer Programming", volume 1,
 * section 1.2.2. */
static uint64_t log2_of_ratio(uint64_t a, uint64_t b)
{
    wide x = ((wide)a << 62) / b;
    uint64_t result = 0;
    for (; x >> 63; x >>= 1)
        result++;
    for (int i = 0; i < LOG_BITS; i++) {
        x = x * x >> 62;
        result <<= 1;
        if (x >> 63) {
            x >>= 1;
            result |= 1;
        }
    }
    return result;
}

/* In units of 2^-32 Elo. */
static uint64_t performance(uint64_t points, uint64_t most)
{
    const uint64_t zero = (uint64_t)ELO_LIMIT << ELO_BITS;
    const uint64_t elo_per_bit = 2020178104; /* 400 log10(2) in units of 2^-24 */
    uint64_t lost = most - points;
    uint64_t more = points > lost ? points : lost;
    uint64_t less = points > lost ? lost : points;
    uint64_t difference = zero;
    if (less > 0 && more / 100 < less) /* odds of 100 are 800 Elo */
        difference = (uint64_t)((wide)log2_of_ratio(more, less) * elo_per_bit >> 24);
    if (difference > zero)
        difference = zero;
    return points > lost ? zero + difference : zero - difference;
}

/* Kinds ------------------------------------------------------------------------------------ */

static uint64_t value_score(const struct tally *tally, uint64_t unit)
{
    (void)unit;
    return tally_points(tally);
}

static uint64_t value_games(const struct tally *tally, uint64_t unit)
{
    (void)unit;
    return tally_games(tally);
}

static uint64_t value_expectation(const struct tally *tally, uint64_t unit)
{
    uint64_t points = tally_points(tally);
    (void)unit;
    return points ? at_least_one(((wide)points << SHARE_BITS) / (2 * tally_games(tally))) : 0;
}

static uint64_t value_wilson(const struct tally *tally, uint64_t unit)
{
    return wilson(tally_points(tally), 2 * tally_games(tally), unit);
}

static uint64_t value_performance(const struct tally *tally, uint64_t unit)
{
    (void)unit;
    return performance(tally_points(tally), 2 * tally_games(tally));
}

/* clang-format off */
static const struct weight_kind kinds[] = {
    {.name = "score", .whole = true, .value = value_score,
     .help = "  score        2w + d (the default)\n"},
    {.name = "games", .whole = true, .value = value_games,
     .help = "  games        w + d + l\n"},
    {.name = "expectation", .value = value_expectation,
     .help = "  expectation  s = (2w + d) / 2(w + d + l), the share of the points\n"},
    {.name = "wilson", .value = value_wilson,
     .help = "  wilson       the lower end of the 95 % confidence interval of s (Wilson 1927): few games\n"
             "               count for less\n"},
    {.name = "performance", .value = value_performance,
     .help = "  performance  800 + 400 log10(s / (1 - s)), at least 0 and at most 1600: the Elo of that\n"
             "               score against opponents as strong as the player\n"},
};
/* clang-format on */

const struct weight_kind *weight_kinds(size_t *count)
{
    *count = sizeof kinds / sizeof *kinds;
    return kinds;
}
