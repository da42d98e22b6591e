/* x86-64 with AVX2: vectors of 16. */
#include "eval/network.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { LANES = 16, REGISTERS = 8 };
typedef uint16_t vec __attribute__((vector_size(2 * LANES)));
typedef __m256i sums;

/* value * weight still fits into 16 bits, so one multiplication and one multiply-add will do. */
INLINE sums sums_add(sums s, vec value, vec weight)
{
    __m256i clipped = _mm256_min_epi16(_mm256_max_epi16((__m256i)value, _mm256_setzero_si256()),
                                       _mm256_set1_epi16(NETWORK_QA));
    return _mm256_add_epi32(
        s, _mm256_madd_epi16(_mm256_mullo_epi16(clipped, (__m256i)weight), clipped));
}

INLINE int64_t sums_total(sums s)
{
    __m256i wide = _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(s)),
                                    _mm256_cvtepi32_epi64(_mm256_extracti128_si256(s, 1)));
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
    return _mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1);
}

#define KIND      infer_avx2
#define KIND_NAME "AVX2"
#include "eval/infer_body.h"

#endif
