/* x86-64 with AVX-512 F, BW and VNNI: vectors of 32 values, sums of four 8-bit products. */
#include "eval/train/teacher/teacher_infer.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vnni")))

enum { LANES = 32, BLOCK = 16 /* vectors that stay in registers while rows pass by */ };

TARGET static void update(const struct teacher_net *net, int16_t *out, const int16_t *in,
                          const struct teacher_rows *rows)
{
    for (int first = 0; first < net->shape->hidden; first += BLOCK * LANES) {
        const __m512i *from = (const __m512i *)(const void *)(in + first);
        __m512i *to = (__m512i *)(void *)(out + first);
        __m512i sum[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            sum[i] = from[i];
        for (int row = 0; row < rows->adds; row++) {
            const void *weights = teacher_weights(net, rows->add[row]) + first;
            for (int i = 0; i < BLOCK; i++)
                sum[i] = _mm512_add_epi16(sum[i], ((const __m512i *)weights)[i]);
        }
        for (int row = 0; row < rows->subs; row++) {
            const void *weights = teacher_weights(net, rows->sub[row]) + first;
            for (int i = 0; i < BLOCK; i++)
                sum[i] = _mm512_sub_epi16(sum[i], ((const __m512i *)weights)[i]);
        }
        for (int i = 0; i < BLOCK; i++)
            to[i] = sum[i];
    }
}

TARGET static void relate(const struct teacher_net *net, int16_t *values,
                          const struct teacher_related *related)
{
    for (int first = 0; first < net->shape->hidden; first += BLOCK * LANES) {
        __m512i *to = (__m512i *)(void *)(values + first);
        __m512i sum[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            sum[i] = to[i];
        for (int row = 0; row < related->adds; row++) {
            const void *weights = teacher_relation_weights(net, related->add[row]) + first;
            for (int i = 0; i < BLOCK; i++)
                sum[i] =
                    _mm512_add_epi16(sum[i], _mm512_cvtepi8_epi16(((const __m256i *)weights)[i]));
        }
        for (int row = 0; row < related->subs; row++) {
            const void *weights = teacher_relation_weights(net, related->sub[row]) + first;
            for (int i = 0; i < BLOCK; i++)
                sum[i] =
                    _mm512_sub_epi16(sum[i], _mm512_cvtepi8_epi16(((const __m256i *)weights)[i]));
        }
        for (int i = 0; i < BLOCK; i++)
            to[i] = sum[i];
    }
}

TARGET static inline __m512i product(const struct teacher_shape *shape, const int16_t *values)
{
    const __m512i most = _mm512_set1_epi16((short)shape->pair_most);
    __m512i a = *(const __m512i *)(const void *)values;
    __m512i b = *(const __m512i *)(const void *)(values + shape->hidden / 2);
    a = _mm512_min_epi16(_mm512_max_epi16(a, _mm512_setzero_si512()), most);
    b = _mm512_min_epi16(_mm512_max_epi16(b, _mm512_setzero_si512()), most);
    return _mm512_srl_epi16(_mm512_mullo_epi16(a, b), _mm_cvtsi32_si128(shape->pair_shift));
}

TARGET static void pair(const struct teacher_shape *shape, const int16_t *values, uint8_t *out)
{
    for (int i = 0; i < shape->hidden / 2; i += LANES)
        *(__m256i *)(void *)(out + i) = _mm512_cvtepi16_epi8(product(shape, values + i));
}

TARGET static void dense(int32_t *sums, const uint8_t *in, int chunks, const int8_t *weights)
{
    enum { CHUNK = 4 * TEACHER_GROUP, PARALLEL = 4 };
    __m512i sum[PARALLEL];
    for (int i = 0; i < PARALLEL; i++)
        sum[i] = _mm512_setzero_si512();
    for (int chunk = 0; chunk < chunks; chunk += PARALLEL)
        for (int i = 0; i < PARALLEL; i++) {
            int32_t four;
            __builtin_memcpy(&four, in + 4 * (chunk + i), sizeof four);
            const void *from = weights + (chunk + i) * CHUNK;
            sum[i] = _mm512_dpbusd_epi32(sum[i], _mm512_set1_epi32(four), *(const __m512i *)from);
        }
    __m512i *to = (__m512i *)(void *)sums;
    *to = _mm512_add_epi32(
        *to, _mm512_add_epi32(_mm512_add_epi32(sum[0], sum[1]), _mm512_add_epi32(sum[2], sum[3])));
}

const struct teacher_infer teacher_infer_vnni = {"AVX-512 VNNI", update, relate, pair, dense};

#endif
