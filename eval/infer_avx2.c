/* x86-64 with AVX2: vectors of 16. */
#include "eval/network.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { LANES = 16, REGISTERS = 8 };
typedef uint16_t vec __attribute__((vector_size(2 * LANES)));
typedef __m256i sums;

INLINE vec widen(const int8_t *from)
{
    return (vec)_mm256_cvtepi8_epi16(_mm_load_si128((const __m128i *)(const void *)from));
}

INLINE vec clamp(vec value)
{
    return (vec)_mm256_min_epi16(_mm256_max_epi16((__m256i)value, _mm256_setzero_si256()),
                                 _mm256_set1_epi16(NETWORK_QA));
}

INLINE vec add_limited(vec a, vec b)
{
    return (vec)_mm256_adds_epi16((__m256i)a, (__m256i)b);
}

INLINE sums pack(vec first, vec second)
{
    __m256i halves = _mm256_packus_epi16((__m256i)first, (__m256i)second);
    return _mm256_permute4x64_epi64(halves, 0xD8); /* packing leaves quarters 0, 2, 1, 3 */
}

INLINE unsigned positive(sums values)
{
    __m256i is_positive = _mm256_cmpgt_epi32(values, _mm256_setzero_si256());
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is_positive));
}

INLINE sums broadcast(int32_t value)
{
    return _mm256_set1_epi32(value);
}

INLINE sums add(sums a, sums b)
{
    return _mm256_add_epi32(a, b);
}

/* The sum of two products fits in 16 bits. */
INLINE sums add_fours(sums sum, sums bytes, sums weights)
{
    __m256i twos = _mm256_maddubs_epi16(bytes, weights);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(twos, _mm256_set1_epi16(1)));
}

INLINE sums add_twos(sums sum, sums shorts, sums weights)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(shorts, weights));
}

#define KIND      infer_avx2
#define KIND_NAME "AVX2"
#include "eval/infer_body.h"

#endif
