/* The functions of one struct infer, written once over vectors, an extension of gcc and clang. The
 * including file defines
 *
 *   TARGET, INLINE      what lets a function use the vector unit; the same for one to be inlined
 *   vec, LANES          a vector of LANES uint16_t: unsigned, so that sums wrap
 *   REGISTERS           how many of them fit into registers beside a few others
 *   widen(p)            LANES weights of 8 bits as a vector
 *   clamp(v)            clamp(v, 0, 127) of every lane, signed for this once
 *   add_limited(v, w)   v + w signed for this once, the sum limited to 16 bits
 *   sums                a vector of LANES / 2 int32_t, LANES int16_t or 2 * LANES bytes
 *   pack(v, w)          the lanes of v and w, all below 128, as bytes
 *   positive(s)         a bit for each int32_t that is above 0; or LIST_GROUPS and list_groups()
 *   broadcast(n)        n as every int32_t
 *   add(s, t)           sums of the int32_t
 *   add_fours(s, b, w)  s plus sums of four products of bytes, 0 to 127 and -128 to 127
 *   add_twos(s, h, w)   s plus sums of two products of int16_t
 *   KIND, KIND_NAME     the struct infer and its name
 *
 * and includes this last. */
#include <string.h>

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

/* The same for sums of relations. */
enum {
    RELATED_VECTORS = NETWORK_RELATED / LANES,
    RELATED_BLOCK = RELATED_VECTORS < REGISTERS ? RELATED_VECTORS : REGISTERS,
};

_Static_assert(RELATED_VECTORS % RELATED_BLOCK == 0, "sums of relations are whole blocks");
_Static_assert(VECTORS % 2 == 0 && VECTORS % BLOCK == 0, "accumulators are whole blocks");

TARGET static void add_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    const int8_t *add = rows->add[0], *sub = rows->sub[0];
    for (int i = 0; i < NETWORK_HIDDEN; i += LANES)
        store(out + i, load(in + i) + widen(add + i) - widen(sub + i));
}

TARGET static void add_sub_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    const int8_t *add = rows->add[0], *sub0 = rows->sub[0], *sub1 = rows->sub[1];
    for (int i = 0; i < NETWORK_HIDDEN; i += LANES)
        store(out + i, load(in + i) + widen(add + i) - (widen(sub0 + i) + widen(sub1 + i)));
}

TARGET static void add_add_sub_sub(int16_t *out, const int16_t *in, const struct rows *rows)
{
    const int8_t *add0 = rows->add[0], *add1 = rows->add[1];
    const int8_t *sub0 = rows->sub[0], *sub1 = rows->sub[1];
    for (int i = 0; i < NETWORK_HIDDEN; i += LANES)
        store(out + i, load(in + i) + (widen(add0 + i) + widen(add1 + i)) -
                           (widen(sub0 + i) + widen(sub1 + i)));
}

TARGET static void rebuild(int16_t *out, int16_t *kept, const int16_t *in, const struct rows *rows)
{
    for (int first = 0; first < NETWORK_HIDDEN; first += BLOCK * LANES) {
        vec block[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            block[i] = load(in + first + i * LANES);
        for (int row = 0; row < rows->adds; row++)
            for (int i = 0; i < BLOCK; i++)
                block[i] += widen(rows->add[row] + first + i * LANES);
        for (int row = 0; row < rows->subs; row++)
            for (int i = 0; i < BLOCK; i++)
                block[i] -= widen(rows->sub[row] + first + i * LANES);
        for (int i = 0; i < BLOCK; i++) {
            store(out + first + i * LANES, block[i]);
            store(kept + first + i * LANES, block[i]);
        }
    }
}

TARGET static void relate(int16_t *out, const int16_t *in, const struct related_rows *rows)
{
    for (int first = 0; first < NETWORK_RELATED; first += RELATED_BLOCK * LANES) {
        vec block[RELATED_BLOCK];
        for (int i = 0; i < RELATED_BLOCK; i++)
            block[i] = load(in + first + i * LANES);
        const int8_t *const *row = rows->rows;
        for (; row < rows->rows + rows->subs; row++)
            for (int i = 0; i < RELATED_BLOCK; i++)
                block[i] -= widen(*row + first + i * LANES);
        for (; row < rows->rows + rows->count; row++)
            for (int i = 0; i < RELATED_BLOCK; i++)
                block[i] += widen(*row + first + i * LANES);
        for (int i = 0; i < RELATED_BLOCK; i++)
            store(out + first + i * LANES, block[i]);
    }
}

INLINE sums load_sums(const void *from)
{
    return *(const sums *)from;
}

enum {
    LANES32 = LANES / 2,
    BYTES = 2 * LANES, /* of a vector */
    PAIRS = NETWORK_HIDDEN / 2,
    GROUPS = NETWORK_HIDDEN / 4, /* of products */
    FIRST_VECTORS = NETWORK_FIRST / LANES32,
    SECOND_VECTORS = NETWORK_SECOND / LANES32,
    UNROLLED = 4, /* independent sums hide the latency of an addition */
};

#ifndef LIST_GROUPS
/* Writes the numbers of the int32_t that are above 0 to `list`, counted from `first`, and perhaps
 * four more; returns how many there are. Four bits of a mask are four numbers of 16 bits. */
INLINE int list_groups(sums values, int first, uint16_t *list)
{
#define N(a, b, c, d) (a | b << 16 | UINT64_C(c) << 32 | UINT64_C(d) << 48)
    static const uint64_t numbers[16] = {
        N(0, 0, 0, 0), N(0, 0, 0, 0), N(1, 0, 0, 0), N(0, 1, 0, 0), N(2, 0, 0, 0), N(0, 2, 0, 0),
        N(1, 2, 0, 0), N(0, 1, 2, 0), N(3, 0, 0, 0), N(0, 3, 0, 0), N(1, 3, 0, 0), N(0, 1, 3, 0),
        N(2, 3, 0, 0), N(0, 2, 3, 0), N(1, 2, 3, 0), N(0, 1, 2, 3)};
#undef N
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    unsigned set = positive(values);
    int count = 0;
    for (int part = 0; part < LANES32; part += 4) {
        unsigned four = set >> part & 15;
        uint64_t found = numbers[four] + (uint64_t)(first + part) * UINT64_C(0x0001000100010001);
        memcpy(list + count, &found, sizeof found);
        count += counts[four];
    }
    return count;
}
#endif

/* Products of pairs; `related` has sums to be added to their values, or is NULL. What was limited
 * to 16 bits is clamped as the sum would have been. */
INLINE vec products(const int16_t *values, const int16_t *related)
{
    vec a = load(values);
    vec b = load(values + PAIRS);
    if (related) {
        a = add_limited(a, load(related));
        b = add_limited(b, load(related + NETWORK_RELATED / 2));
    }
    return clamp(a) * clamp(b) >> NETWORK_PAIR_SHIFT;
}

/* The products of a side's pairs from `i` on, and the groups of four that are not all zero. */
INLINE int multiply_some(const int16_t *values, const int16_t *related, int i, int end, int first,
                         uint8_t *out, uint16_t *list)
{
    int count = 0;
    for (; i < end; i += BYTES) {
        const int16_t *sum = related ? related + i - NETWORK_RELATED_FROM : NULL;
        vec low = products(values + i, sum);
        vec high = products(values + i + LANES, related ? sum + LANES : NULL);
        sums bytes = pack(low, high);
        *(sums *)(void *)(out + i) = bytes;
        count += list_groups(bytes, first + i / 4, list + count);
    }
    return count;
}

INLINE int multiply_pairs(const int16_t *values, const int16_t *related, int first, uint8_t *out,
                          uint16_t *list)
{
    int plain = related ? NETWORK_RELATED_FROM : PAIRS;
    int count = multiply_some(values, NULL, 0, plain, first, out, list);
    return count + multiply_some(values, related, plain, PAIRS, first, out, list + count);
}

INLINE void add_group(sums *total, const uint8_t *pairs, const struct layers *layers, int group)
{
    int32_t four;
    memcpy(&four, pairs + 4 * group, sizeof four);
    for (int v = 0; v < FIRST_VECTORS; v++)
        total[v] = add_fours(total[v], broadcast(four),
                             load_sums(layers->first_weights[group][v * LANES32]));
}

/* Most products are zero: only groups of four with another one are multiplied. */
INLINE void first_layer(const int16_t *us, const int16_t *them, const int16_t *related_us,
                        const int16_t *related_them, const struct layers *layers, int32_t *out)
{
    alignas(64) uint8_t pairs[NETWORK_HIDDEN];
    uint16_t list[GROUPS + LANES];
    int count = multiply_pairs(us, related_us, 0, pairs, list);
    count += multiply_pairs(them, related_them, GROUPS / 2, pairs + PAIRS, list + count);
    sums total[UNROLLED][FIRST_VECTORS] = {0};
    int i = 0;
    for (; i + UNROLLED <= count; i += UNROLLED)
        for (int j = 0; j < UNROLLED; j++)
            add_group(total[j], pairs, layers, list[i + j]);
    for (; i < count; i++)
        add_group(total[0], pairs, layers, list[i]);
    for (int v = 0; v < FIRST_VECTORS; v++) {
        sums sum = load_sums(layers->first_bias + v * LANES32);
        for (int j = 0; j < UNROLLED; j++)
            sum = add(sum, total[j][v]);
        *(sums *)(void *)(out + v * LANES32) = sum;
    }
}

INLINE void second_layer(const int16_t *in, const struct layers *layers, int32_t *out)
{
    sums total[SECOND_VECTORS];
    for (int v = 0; v < SECOND_VECTORS; v++)
        total[v] = load_sums(layers->second_bias + v * LANES32);
    for (int i = 0; i < NETWORK_SECOND / 2; i++) {
        int32_t two;
        memcpy(&two, in + 2 * i, sizeof two);
        for (int v = 0; v < SECOND_VECTORS; v++)
            total[v] = add_twos(total[v], broadcast(two),
                                load_sums(layers->second_weights[i][v * LANES32]));
    }
    for (int v = 0; v < SECOND_VECTORS; v++)
        *(sums *)(void *)(out + v * LANES32) = total[v];
}

INLINE int limit(int value, int least, int most)
{
    value = value < least ? least : value;
    return value > most ? most : value;
}

INLINE int32_t run_layers(const int16_t *us, const int16_t *them, const int16_t *related_us,
                          const int16_t *related_them, const struct layers *layers)
{
    alignas(64) int32_t first[NETWORK_FIRST];
    alignas(64) int16_t active[NETWORK_SECOND];
    alignas(64) int32_t second[NETWORK_SECOND];
    first_layer(us, them, related_us, related_them, layers, first);
    for (int i = 0; i < NETWORK_FIRST; i++) {
        int value = limit(first[i], -NETWORK_ONE, NETWORK_ONE);
        active[i] = (int16_t)(value > 0 ? value : 0);
        active[NETWORK_FIRST + i] = (int16_t)(value * value >> NETWORK_SQUARE_SHIFT);
    }
    second_layer(active, layers, second);
    int32_t sum = layers->third_bias;
    for (int i = 0; i < NETWORK_SECOND; i++)
        sum +=
            limit(second[i], 0, NETWORK_ONE * NETWORK_QC) / NETWORK_QC * layers->third_weights[i];
    return sum;
}

TARGET static int32_t output(const int16_t *us, const int16_t *them, const struct layers *layers)
{
    return run_layers(us, them, NULL, NULL, layers);
}

TARGET static int32_t output_related(const int16_t *us, const int16_t *them,
                                     const int16_t *related_us, const int16_t *related_them,
                                     const struct layers *layers)
{
    return run_layers(us, them, related_us, related_them, layers);
}

const struct infer KIND = {KIND_NAME, add_sub, add_sub_sub, add_add_sub_sub,
                           rebuild,   output,  relate,      output_related};

#endif
