/* x86-64 with AVX-512 F and BW: vectors of 32. */
#ifdef __x86_64__

#include <immintrin.h>

#include "eval/network.h"

#define TARGET __attribute__((target("avx512f,avx512bw")))
#define INLINE TARGET static inline __attribute__((always_inline))

typedef __m512i vec;
typedef __m512i sums;
enum { LANES = 32, REGISTERS = 16 };

INLINE vec vec_load(const int16_t *from)
{
    return _mm512_load_si512(from);
}

INLINE void vec_store(int16_t *to, vec value)
{
    _mm512_store_si512(to, value);
}

INLINE vec vec_add(vec a, vec b)
{
    return _mm512_add_epi16(a, b);
}

INLINE vec vec_sub(vec a, vec b)
{
    return _mm512_sub_epi16(a, b);
}

INLINE sums sums_zero(void)
{
    return _mm512_setzero_si512();
}

/* value * weight still fits into 16 bits, so one multiplication and one multiply-add will do. */
INLINE sums sums_add(sums s, vec value, vec weight)
{
    vec clipped = _mm512_min_epi16(_mm512_max_epi16(value, _mm512_setzero_si512()),
                                   _mm512_set1_epi16(NETWORK_QA));
    return _mm512_add_epi32(s, _mm512_madd_epi16(_mm512_mullo_epi16(clipped, weight), clipped));
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

#else
typedef int nothing_here; /* a translation unit is not empty */
#endif
