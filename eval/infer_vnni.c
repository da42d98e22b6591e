/* x86-64 with AVX-512 F, BW and VNNI: vectors of 32. */
#include "eval/network.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vnni,popcnt")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { LANES = 32, REGISTERS = 16 };
typedef uint16_t vec __attribute__((vector_size(2 * LANES)));
typedef __m512i sums;

INLINE vec widen(const int8_t *from)
{
    return (vec)_mm512_cvtepi8_epi16(_mm256_load_si256((const __m256i *)(const void *)from));
}

INLINE vec clamp(vec value)
{
    return (vec)_mm512_min_epi16(_mm512_max_epi16((__m512i)value, _mm512_setzero_si512()),
                                 _mm512_set1_epi16(NETWORK_QA));
}

INLINE vec add_limited(vec a, vec b)
{
    return (vec)_mm512_adds_epi16((__m512i)a, (__m512i)b);
}

INLINE sums pack(vec first, vec second)
{
    __m512i mixed = _mm512_packus_epi16((__m512i)first, (__m512i)second);
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), mixed);
}

#define LIST_GROUPS
INLINE int list_groups(sums values, int first, uint16_t *list)
{
    __mmask16 set = _mm512_test_epi32_mask(values, values);
    __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i groups = _mm512_add_epi32(places, _mm512_set1_epi32(first));
    __m256i found = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(set, groups));
    _mm256_storeu_si256((__m256i *)(void *)list, found);
    return __builtin_popcount(set);
}

INLINE sums broadcast(int32_t value)
{
    return _mm512_set1_epi32(value);
}

INLINE sums add(sums a, sums b)
{
    return _mm512_add_epi32(a, b);
}

INLINE sums add_fours(sums sum, sums bytes, sums weights)
{
    return _mm512_dpbusd_epi32(sum, bytes, weights);
}

INLINE sums add_twos(sums sum, sums shorts, sums weights)
{
    return _mm512_dpwssd_epi32(sum, shorts, weights);
}

#define KIND      infer_vnni
#define KIND_NAME "AVX-512 VNNI"
#include "eval/infer_body.h"

#endif
