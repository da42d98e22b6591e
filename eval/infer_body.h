/* The functions of one struct infer, written once over a vector type. The including file defines
 *
 *   TARGET              the attribute that lets a function use the vector unit
 *   vec, LANES          a vector of LANES int16_t
 *   REGISTERS           how many of them fit into registers beside a few others
 *   vec_load(p), vec_store(p, v), vec_add(a, b), vec_sub(a, b)
 *   sums                32-bit partial sums; sums_zero()
 *   sums_add(s, v, w)   s plus clamp(v, 0, 255)^2 * w for every lane
 *   sums_total(s)       the sum of all partial sums, as int64_t
 *   KIND, KIND_NAME     the struct infer and its name
 *
 * and includes this last. */
#include "eval/infer_kinds.h"
#include "eval/network.h"

#ifdef KIND

enum {
    VECTORS = NETWORK_HIDDEN / LANES,
    /* Vectors of the accumulator that stay in registers while rows pass by. */
    BLOCK = VECTORS % REGISTERS == 0         ? REGISTERS
            : VECTORS % (REGISTERS / 2) == 0 ? REGISTERS / 2
            : VECTORS % (REGISTERS / 4) == 0 ? REGISTERS / 4
                                             : 2,
};

_Static_assert(VECTORS % 2 == 0 && VECTORS % BLOCK == 0, "accumulators are whole blocks");

TARGET static void add_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    const int16_t *add = rows->add[0];
    const int16_t *sub = rows->sub[0];
    for (int i = 0; i < NETWORK_HIDDEN; i += LANES) {
        vec sum = vec_add(vec_load(in + i), vec_load(add + i));
        vec_store(out + i, vec_sub(sum, vec_load(sub + i)));
    }
}

TARGET static void add_sub_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    const int16_t *add = rows->add[0];
    const int16_t *sub0 = rows->sub[0];
    const int16_t *sub1 = rows->sub[1];
    for (int i = 0; i < NETWORK_HIDDEN; i += LANES) {
        vec sum = vec_add(vec_load(in + i), vec_load(add + i));
        vec less = vec_add(vec_load(sub0 + i), vec_load(sub1 + i));
        vec_store(out + i, vec_sub(sum, less));
    }
}

TARGET static void add_add_sub_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    const int16_t *add0 = rows->add[0];
    const int16_t *add1 = rows->add[1];
    const int16_t *sub0 = rows->sub[0];
    const int16_t *sub1 = rows->sub[1];
    for (int i = 0; i < NETWORK_HIDDEN; i += LANES) {
        vec sum = vec_add(vec_load(in + i), vec_add(vec_load(add0 + i), vec_load(add1 + i)));
        vec less = vec_add(vec_load(sub0 + i), vec_load(sub1 + i));
        vec_store(out + i, vec_sub(sum, less));
    }
}

TARGET static void rebuild(int16_t *out, int16_t *kept, const int16_t *in, const struct rows *rows)
{
    for (int first = 0; first < NETWORK_HIDDEN; first += BLOCK * LANES) {
        vec block[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            block[i] = vec_load(in + first + i * LANES);
        for (int row = 0; row < rows->adds; row++)
            for (int i = 0; i < BLOCK; i++)
                block[i] = vec_add(block[i], vec_load(rows->add[row] + first + i * LANES));
        for (int row = 0; row < rows->subs; row++)
            for (int i = 0; i < BLOCK; i++)
                block[i] = vec_sub(block[i], vec_load(rows->sub[row] + first + i * LANES));
        for (int i = 0; i < BLOCK; i++) {
            vec_store(out + first + i * LANES, block[i]);
            vec_store(kept + first + i * LANES, block[i]);
        }
    }
}

/* Four independent sums hide the latency of an addition, and none of them overflows. */
TARGET static int64_t dot(const int16_t *us, const int16_t *them, const int16_t *weights)
{
    const int16_t *their_weights = weights + NETWORK_HIDDEN;
    sums us0 = sums_zero(), us1 = sums_zero(), them0 = sums_zero(), them1 = sums_zero();
    for (int i = 0; i < NETWORK_HIDDEN; i += 2 * LANES) {
        int j = i + LANES;
        us0 = sums_add(us0, vec_load(us + i), vec_load(weights + i));
        us1 = sums_add(us1, vec_load(us + j), vec_load(weights + j));
        them0 = sums_add(them0, vec_load(them + i), vec_load(their_weights + i));
        them1 = sums_add(them1, vec_load(them + j), vec_load(their_weights + j));
    }
    return sums_total(us0) + sums_total(us1) + sums_total(them0) + sums_total(them1);
}

const struct infer KIND = {KIND_NAME, add_sub, add_sub_sub, add_add_sub_sub, rebuild, dot};

#endif
