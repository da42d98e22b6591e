#include "book/plan/search_time.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "book/scoring/score_store.h"

/* Measured 22 November 2026: the store of White against Debian's gnuchess.bin, --depth 23
 * --min-depth 14. The means are of 3,705 searches of 14 plies to 67 of 20, the spread is of all
 * 6,798. */
#define USUAL_NODES  354000.0 /* of a search of USUAL_DEPTH plies */
#define USUAL_GROWTH 1.50     /* a ply more, between 14 and 20 plies */
#define LONGEST_US   1e18     /* of a search: fits 64 bits */
enum { USUAL_DEPTH = 16, ENOUGH = 10 /* searches for a mean */ };
static const double usual_spread[SEARCH_TIME_SPREAD] = {0.444, 0.587, 0.652, 0.707, 0.760, 0.812,
                                                        0.861, 0.912, 0.967, 1.022, 1.080, 1.150,
                                                        1.237, 1.354, 1.531, 1.924};

/* Fills in depths below `low` and above `high` by the growth of a ply. */
static void extend(struct search_time *time, int low, int high, double growth)
{
    for (int depth = low - 1; depth >= 0; depth--)
        time->mean_us[depth] = time->mean_us[depth + 1] / growth;
    for (int depth = high + 1; depth <= SEARCH_DEPTH_MAX; depth++)
        time->mean_us[depth] = time->mean_us[depth - 1] * growth;
}

void search_time_usual(double nodes_per_second, uint64_t seed, struct search_time *out)
{
    out->seed = seed;
    memcpy(out->spread, usual_spread, sizeof usual_spread);
    out->mean_us[USUAL_DEPTH] = USUAL_NODES / nodes_per_second * 1e6;
    extend(out, USUAL_DEPTH, USUAL_DEPTH, USUAL_GROWTH);
}

/* The growth of one of `plies` plies that make `factor` together, 1 .. 16, by bisection. */
static double growth_of(double factor, int plies)
{
    double low = 1;
    double high = 16;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        double power = 1;
        for (int ply = 0; ply < plies; ply++)
            power *= middle;
        if (power < factor)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the factors; the mean of each sixteenth of them is a factor of the spread. */
static void make_spread(double *factors, size_t count, double *out)
{
    double sum = 0;
    qsort(factors, count, sizeof *factors, compare);
    for (size_t i = 0; i < SEARCH_TIME_SPREAD; i++) {
        size_t from = count * i / SEARCH_TIME_SPREAD;
        size_t to = count * (i + 1) / SEARCH_TIME_SPREAD;
        out[i] = 0;
        for (size_t at = from; at < to; at++)
            out[i] += factors[at] / (double)(to - from);
        sum += out[i];
    }
    for (size_t i = 0; i < SEARCH_TIME_SPREAD; i++)
        out[i] *= SEARCH_TIME_SPREAD / sum;
}

/* The mean nodes of depths with enough searches; others are 0. */
static void find_means(const struct score_store *store, double *means)
{
    size_t counts[SEARCH_DEPTH_MAX + 1] = {0};
    size_t cursor = 0;
    struct packed_position pos;
    struct search_limit limit;
    struct search_answer answer;
    memset(means, 0, (SEARCH_DEPTH_MAX + 1) * sizeof *means);
    while (score_store_next_answer(store, &cursor, &pos, &limit, &answer)) {
        if (limit.kind != SEARCH_TO_DEPTH || limit.value > SEARCH_DEPTH_MAX || answer.nodes == 0)
            continue;
        means[limit.value] += (double)answer.nodes;
        counts[limit.value]++;
    }
    for (int depth = 0; depth <= SEARCH_DEPTH_MAX; depth++)
        means[depth] = counts[depth] < ENOUGH ? 0 : means[depth] / (double)counts[depth];
}

/* How each search of the store compares with the mean of its depth. */
static size_t find_factors(const struct score_store *store, const double *means, double *factors)
{
    size_t count = 0;
    size_t cursor = 0;
    struct packed_position pos;
    struct search_limit limit;
    struct search_answer answer;
    while (score_store_next_answer(store, &cursor, &pos, &limit, &answer))
        if (limit.kind == SEARCH_TO_DEPTH && limit.value <= SEARCH_DEPTH_MAX && answer.nodes > 0 &&
            means[limit.value] > 0)
            factors[count++] = (double)answer.nodes / means[limit.value];
    return count;
}

bool search_time_of_store(const struct score_store *store, double nodes_per_second, uint64_t seed,
                          struct search_time *out)
{
    double means[SEARCH_DEPTH_MAX + 1];
    int low = 0;
    int high = SEARCH_DEPTH_MAX;
    find_means(store, means);
    while (low <= SEARCH_DEPTH_MAX && means[low] <= 0)
        low++;
    while (high > low && means[high] <= 0)
        high--;
    double *factors = malloc((score_store_count(store) + 1) * sizeof *factors);
    size_t count = factors && low <= high ? find_factors(store, means, factors) : 0;
    if (count < SEARCH_TIME_SPREAD) {
        free(factors);
        return false;
    }
    make_spread(factors, count, out->spread);
    free(factors);
    double growth = low < high ? growth_of(means[high] / means[low], high - low) : USUAL_GROWTH;
    for (int depth = low; depth <= high; depth++)
        out->mean_us[depth] = means[depth] > 0 ? means[depth] / nodes_per_second * 1e6
                                               : out->mean_us[depth - 1] * growth;
    extend(out, low, high, growth);
    out->seed = seed;
    return true;
}

int64_t search_time_us(const struct search_time *time, uint64_t key, int depth)
{
    uint64_t chance = rng_mix(rng_mix(key ^ time->seed) + (uint64_t)depth);
    double us = time->mean_us[depth] * time->spread[chance % SEARCH_TIME_SPREAD];
    return us < 1 ? 1 : us < LONGEST_US ? (int64_t)us : (int64_t)LONGEST_US;
}
