/* x86-64 with AVX-512 F and BW: vectors of 32. */
#include "eval/network.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { LANES = 32, REGISTERS = 16 };
typedef uint16_t vec __attribute__((vector_size(2 * LANES)));
typedef __m512i sums;

/* value * weight still fits into 16 bits, so one multiplication and one multiply-add will do. */
INLINE sums sums_add(sums s, vec value, vec weight)
{
    __m512i clipped = _mm512_min_epi16(_mm512_max_epi16((__m512i)value, _mm512_setzero_si512()),
                                       _mm512_set1_epi16(NETWORK_QA));
    return _mm512_add_epi32(
        s, _mm512_madd_epi16(_mm512_mullo_epi16(clipped, (__m512i)weight), clipped));
}

INLINE int64_t sums_total(sums s)
{
    return _mm512_reduce_add_epi64(
        _mm512_add_epi64(_mm512_cvtepi32_epi64(_mm512_castsi512_si256(s)),
                         _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(s, 1))));
}

#define KIND      infer_avx512
#define KIND_NAME "AVX-512"
#include "eval/infer_body.h"

#endif
