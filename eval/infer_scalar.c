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

/* Adds the products of one side's pairs, which begin at input `first`. */
static void add_pairs(const int16_t *values, int first, const struct layers *layers, int32_t *sums)
{
    for (int i = 0; i < NETWORK_HIDDEN / 2; i++) {
        int a = clamp(values[i], 0, NETWORK_QA);
        int b = clamp(values[NETWORK_HIDDEN / 2 + i], 0, NETWORK_QA);
        int input = first + i;
        for (int sum = 0; sum < NETWORK_FIRST; sum++)
            sums[sum] +=
                (a * b >> NETWORK_PAIR_SHIFT) * layers->first_weights[input / 4][sum][input % 4];
    }
}

static int32_t output(const int16_t *us, const int16_t *them, const struct layers *layers)
{
    int32_t first[NETWORK_FIRST];
    int active[NETWORK_SECOND];
    memcpy(first, layers->first_bias, sizeof first);
    add_pairs(us, 0, layers, first);
    add_pairs(them, NETWORK_HIDDEN / 2, layers, first);
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

const struct infer infer_scalar = {"scalar",        add_sub, add_sub_sub,
                                   add_add_sub_sub, rebuild, output};
