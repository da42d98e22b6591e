/* 64-bit ARM: vectors of 8. */
#ifdef __aarch64__

#include <arm_neon.h>

#include "eval/network.h"

#define TARGET
#define INLINE static inline __attribute__((always_inline))

typedef int16x8_t vec;
typedef int32x4_t sums;
enum { LANES = 8, REGISTERS = 16 };

INLINE vec vec_load(const int16_t *from)
{
    return vld1q_s16(from);
}

INLINE void vec_store(int16_t *to, vec value)
{
    vst1q_s16(to, value);
}

INLINE vec vec_add(vec a, vec b)
{
    return vaddq_s16(a, b);
}

INLINE vec vec_sub(vec a, vec b)
{
    return vsubq_s16(a, b);
}

INLINE sums sums_zero(void)
{
    return vdupq_n_s32(0);
}

/* value * weight still fits into 16 bits. */
INLINE sums sums_add(sums s, vec value, vec weight)
{
    vec clipped = vminq_s16(vmaxq_s16(value, vdupq_n_s16(0)), vdupq_n_s16(NETWORK_QA));
    vec product = vmulq_s16(clipped, weight);
    s = vmlal_s16(s, vget_low_s16(product), vget_low_s16(clipped));
    return vmlal_high_s16(s, product, clipped);
}

INLINE int64_t sums_total(sums s)
{
    return vaddlvq_s32(s);
}

#define KIND      infer_neon
#define KIND_NAME "NEON"
#include "eval/infer_body.h"

#else
typedef int nothing_here; /* a translation unit is not empty */
#endif
