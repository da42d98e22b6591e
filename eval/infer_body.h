/* The functions of one struct infer, written once over vectors, an extension of gcc and clang. The
 * including file defines
 *
 *   TARGET, INLINE      what lets a function use the vector unit; the same for one to be inlined
 *   vec, LANES          a vector of LANES uint16_t: unsigned, so that sums wrap
 *   REGISTERS           how many of them fit into registers beside a few others
 *   sums                a vector of 32-bit partial sums
 *   sums_add(s, v, w)   s plus clamp(v, 0, 255)^2 * w for every lane
 *   sums_total(s)       the sum of all partial sums, as int64_t
 *   KIND, KIND_NAME     the struct infer and its name
 *
 * and includes this last. */
#include "eval/infer.h"
#include "eval/network.h"

#ifdef KIND

INLINE vec load(const int16_t *from)
{
    return *(const vec *)(const void *)from;
}

INLINE void store(int16_t *to, vec value)
{
    *(vec *)(void *)to = value;
}

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
    const int16_t *add = rows->add[0], *sub = rows->sub[0];
    for (int i = 0; i < NETWORK_HIDDEN; i += LANES)
        store(out + i, load(in + i) + load(add + i) - load(sub + i));
}

TARGET static void add_sub_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    const int16_t *add = rows->add[0], *sub0 = rows->sub[0], *sub1 = rows->sub[1];
    for (int i = 0; i < NETWORK_HIDDEN; i += LANES)
        store(out + i, load(in + i) + load(add + i) - (load(sub0 + i) + load(sub1 + i)));
}

TARGET static void add_add_sub_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    const int16_t *add0 = rows->add[0], *add1 = rows->add[1];
    const int16_t *sub0 = rows->sub[0], *sub1 = rows->sub[1];
    for (int i = 0; i < NETWORK_HIDDEN; i += LANES)
        store(out + i,
              load(in + i) + (load(add0 + i) + load(add1 + i)) - (load(sub0 + i) + load(sub1 + i)));
}

TARGET static void rebuild(int16_t *out, int16_t *kept, const int16_t *in, const struct rows *rows)
{
    for (int first = 0; first < NETWORK_HIDDEN; first += BLOCK * LANES) {
        vec block[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            block[i] = load(in + first + i * LANES);
        for (int row = 0; row < rows->adds; row++)
            for (int i = 0; i < BLOCK; i++)
                block[i] += load(rows->add[row] + first + i * LANES);
        for (int row = 0; row < rows->subs; row++)
            for (int i = 0; i < BLOCK; i++)
                block[i] -= load(rows->sub[row] + first + i * LANES);
        for (int i = 0; i < BLOCK; i++) {
            store(out + first + i * LANES, block[i]);
            store(kept + first + i * LANES, block[i]);
        }
    }
}

/* Four independent sums hide the latency of an addition, and none of them overflows. */
TARGET static int64_t dot(const int16_t *us, const int16_t *them, const int16_t *weights)
{
    const int16_t *their_weights = weights + NETWORK_HIDDEN;
    sums us0 = {0}, us1 = {0}, them0 = {0}, them1 = {0};
    for (int i = 0; i < NETWORK_HIDDEN; i += 2 * LANES) {
        int j = i + LANES;
        us0 = sums_add(us0, load(us + i), load(weights + i));
        us1 = sums_add(us1, load(us + j), load(weights + j));
        them0 = sums_add(them0, load(them + i), load(their_weights + i));
        them1 = sums_add(them1, load(them + j), load(their_weights + j));
    }
    return sums_total(us0) + sums_total(us1) + sums_total(them0) + sums_total(them1);
}

const struct infer KIND = {KIND_NAME, add_sub, add_sub_sub, add_add_sub_sub, rebuild, dot};

#endif
