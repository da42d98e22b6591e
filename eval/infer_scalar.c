/* Plain C, which every machine runs. Tests compare the other kinds with it. */
#include <string.h>

#include "eval/infer.h"
#include "eval/network.h"

/* Through unsigned: the sum wraps as it does in vector registers. */
static int16_t wrap(int value)
{
    return (int16_t)(uint16_t)(unsigned)value;
}

static void add_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    for (int i = 0; i < NETWORK_HIDDEN; i++)
        out[i] = wrap(in[i] + rows->add[0][i] - rows->sub[0][i]);
}

static void add_sub_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    for (int i = 0; i < NETWORK_HIDDEN; i++)
        out[i] = wrap(in[i] + rows->add[0][i] - rows->sub[0][i] - rows->sub[1][i]);
}

static void add_add_sub_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    for (int i = 0; i < NETWORK_HIDDEN; i++)
        out[i] =
            wrap(in[i] + rows->add[0][i] + rows->add[1][i] - rows->sub[0][i] - rows->sub[1][i]);
}

static void rebuild(int16_t *out, int16_t *kept, const int16_t *in, const struct rows *rows)
{
    int16_t sums[NETWORK_HIDDEN];
    memcpy(sums, in, sizeof sums);
    for (int row = 0; row < rows->adds; row++)
        for (int i = 0; i < NETWORK_HIDDEN; i++)
            sums[i] = wrap(sums[i] + rows->add[row][i]);
    for (int row = 0; row < rows->subs; row++)
        for (int i = 0; i < NETWORK_HIDDEN; i++)
            sums[i] = wrap(sums[i] - rows->sub[row][i]);
    memcpy(out, sums, sizeof sums);
    memcpy(kept, sums, sizeof sums);
}

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static void relate(int16_t *out, const int16_t *in, const struct related_rows *rows)
{
    for (int i = 0; i < NETWORK_RELATED; i++) {
        int sum = in[i];
        for (int row = 0; row < rows->count; row++)
            sum += row < rows->subs ? -rows->rows[row][i] : rows->rows[row][i];
        out[i] = wrap(sum);
    }
}

/* The sum of the relations of a value, when there are any. */
static int related_sum(const int16_t *related, int half, int pair)
{
    if (!related || pair < NETWORK_RELATED_FROM)
        return 0;
    return related[half * (NETWORK_RELATED / 2) + pair - NETWORK_RELATED_FROM];
}

/* Adds the products of one side's pairs, which begin at input `first`. related: NULL for none. */
static void add_pairs(const int16_t *values, const int16_t *related, int first,
                      const struct layers *layers, int32_t *sums)
{
    for (int i = 0; i < NETWORK_HIDDEN / 2; i++) {
        int a = clamp(values[i] + related_sum(related, 0, i), 0, NETWORK_QA);
        int b = clamp(values[NETWORK_HIDDEN / 2 + i] + related_sum(related, 1, i), 0, NETWORK_QA);
        int input = first + i;
        for (int sum = 0; sum < NETWORK_FIRST; sum++)
            sums[sum] +=
                (a * b >> NETWORK_PAIR_SHIFT) * layers->first_weights[input / 4][sum][input % 4];
    }
}

static int32_t output_related(const int16_t *us, const int16_t *them, const int16_t *related_us,
                              const int16_t *related_them, const struct layers *layers)
{
    int32_t first[NETWORK_FIRST];
    int active[NETWORK_SECOND];
    memcpy(first, layers->first_bias, sizeof first);
    add_pairs(us, related_us, 0, layers, first);
    add_pairs(them, related_them, NETWORK_HIDDEN / 2, layers, first);
    for (int i = 0; i < NETWORK_FIRST; i++) {
        int value = clamp(first[i], -NETWORK_ONE, NETWORK_ONE);
        active[i] = clamp(value, 0, NETWORK_ONE);
        active[NETWORK_FIRST + i] = value * value >> NETWORK_SQUARE_SHIFT;
    }
    int32_t total = layers->third_bias;
    for (int sum = 0; sum < NETWORK_SECOND; sum++) {
        int32_t second = layers->second_bias[sum];
        for (int i = 0; i < NETWORK_SECOND; i++)
            second += active[i] * layers->second_weights[i / 2][sum][i % 2];
        total +=
            clamp(second, 0, NETWORK_ONE * NETWORK_QC) / NETWORK_QC * layers->third_weights[sum];
    }
    return total;
}

static int32_t output(const int16_t *us, const int16_t *them, const struct layers *layers)
{
    return output_related(us, them, NULL, NULL, layers);
}

const struct infer infer_scalar = {"scalar", add_sub, add_sub_sub, add_add_sub_sub,
                                   rebuild,  output,  relate,      output_related};
