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

static int64_t half_dot(const int16_t *values, const int16_t *weights)
{
    int64_t sum = 0;
    for (int i = 0; i < NETWORK_HIDDEN; i++) {
        int value = values[i] < 0 ? 0 : values[i] > NETWORK_QA ? NETWORK_QA : values[i];
        sum += value * value * weights[i];
    }
    return sum;
}

static int64_t dot(const int16_t *us, const int16_t *them, const int16_t *weights)
{
    return half_dot(us, weights) + half_dot(them, weights + NETWORK_HIDDEN);
}

const struct infer infer_scalar = {"scalar", add_sub, add_sub_sub, add_add_sub_sub, rebuild, dot};
