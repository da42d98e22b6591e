/* x86-64 with AVX2: vectors of 16 values. */
#include "eval/train/teacher/teacher_infer.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))

enum { LANES = 16, BLOCK = 8 /* vectors that stay in registers while rows pass by */ };

TARGET static void update(const struct teacher_net *net, int16_t *out, const int16_t *in,
                          const struct teacher_rows *rows)
{
    for (int first = 0; first < net->shape->hidden; first += BLOCK * LANES) {
        const __m256i *from = (const __m256i *)(const void *)(in + first);
        __m256i *to = (__m256i *)(void *)(out + first);
        __m256i sum[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            sum[i] = from[i];
        for (int row = 0; row < rows->adds; row++) {
            const void *weights = teacher_weights(net, rows->add[row]) + first;
            for (int i = 0; i < BLOCK; i++)
                sum[i] = _mm256_add_epi16(sum[i], ((const __m256i *)weights)[i]);
        }
        for (int row = 0; row < rows->subs; row++) {
            const void *weights = teacher_weights(net, rows->sub[row]) + first;
            for (int i = 0; i < BLOCK; i++)
                sum[i] = _mm256_sub_epi16(sum[i], ((const __m256i *)weights)[i]);
        }
        for (int i = 0; i < BLOCK; i++)
            to[i] = sum[i];
    }
}

TARGET static void relate(const struct teacher_net *net, int16_t *values,
                          const struct teacher_related *related)
{
    for (int first = 0; first < net->shape->hidden; first += BLOCK * LANES) {
        __m256i *to = (__m256i *)(void *)(values + first);
        __m256i sum[BLOCK];
        for (int i = 0; i < BLOCK; i++)
            sum[i] = to[i];
        for (int row = 0; row < related->adds; row++) {
            const void *weights = teacher_relation_weights(net, related->add[row]) + first;
            for (int i = 0; i < BLOCK; i++)
                sum[i] =
                    _mm256_add_epi16(sum[i], _mm256_cvtepi8_epi16(((const __m128i *)weights)[i]));
        }
        for (int row = 0; row < related->subs; row++) {
            const void *weights = teacher_relation_weights(net, related->sub[row]) + first;
            for (int i = 0; i < BLOCK; i++)
                sum[i] =
                    _mm256_sub_epi16(sum[i], _mm256_cvtepi8_epi16(((const __m128i *)weights)[i]));
        }
        for (int i = 0; i < BLOCK; i++)
            to[i] = sum[i];
    }
}

TARGET static inline __m256i product(const struct teacher_shape *shape, const int16_t *values)
{
    const __m256i most = _mm256_set1_epi16((short)shape->pair_most);
    __m256i a = *(const __m256i *)(const void *)values;
    __m256i b = *(const __m256i *)(const void *)(values + shape->hidden / 2);
    a = _mm256_min_epi16(_mm256_max_epi16(a, _mm256_setzero_si256()), most);
    b = _mm256_min_epi16(_mm256_max_epi16(b, _mm256_setzero_si256()), most);
    return _mm256_srl_epi16(_mm256_mullo_epi16(a, b), _mm_cvtsi32_si128(shape->pair_shift));
}

TARGET static void pair(const struct teacher_shape *shape, const int16_t *values, uint8_t *out)
{
    for (int i = 0; i < shape->hidden / 2; i += 2 * LANES) {
        /* Packing takes turns between the 128-bit lanes of both; the permutation puts them right.
         */
        __m256i packed =
            _mm256_packus_epi16(product(shape, values + i), product(shape, values + i + LANES));
        *(__m256i *)(void *)(out + i) = _mm256_permute4x64_epi64(packed, 0xD8);
    }
}

/* Two products of at most 127 and 128 fit in 16 bits, so nothing saturates. */
TARGET static inline __m256i add_products(__m256i sum, const uint8_t *in, const int8_t *weights)
{
    int32_t four;
    __builtin_memcpy(&four, in, sizeof four);
    __m256i pairs =
        _mm256_maddubs_epi16(_mm256_set1_epi32(four), *(const __m256i *)(const void *)weights);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

TARGET static void dense(int32_t *sums, const uint8_t *in, int chunks, const int8_t *weights)
{
    enum { CHUNK = 4 * TEACHER_GROUP, HALF = CHUNK / 2 };
    __m256i low[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    __m256i high[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (int chunk = 0; chunk < chunks; chunk += 2, weights += 2 * CHUNK)
        for (int i = 0; i < 2; i++) {
            const uint8_t *from = in + 4 * (chunk + i);
            low[i] = add_products(low[i], from, weights + i * CHUNK);
            high[i] = add_products(high[i], from, weights + i * CHUNK + HALF);
        }
    __m256i *to = (__m256i *)(void *)sums;
    to[0] = _mm256_add_epi32(to[0], _mm256_add_epi32(low[0], low[1]));
    to[1] = _mm256_add_epi32(to[1], _mm256_add_epi32(high[0], high[1]));
}

const struct teacher_infer teacher_infer_avx2 = {"AVX2", update, relate, pair, dense};

#endif
