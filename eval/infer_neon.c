/* 64-bit ARM: vectors of 8. */
#include "eval/network.h"

#ifdef __aarch64__

#include <arm_neon.h>

#define TARGET
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 8, REGISTERS = 16 };
typedef uint16_t vec __attribute__((vector_size(2 * LANES)));
typedef int32x4_t sums;

/* value * weight still fits into 16 bits. */
INLINE sums sums_add(sums s, vec value, vec weight)
{
    int16x8_t clipped =
        vminq_s16(vmaxq_s16((int16x8_t)value, vdupq_n_s16(0)), vdupq_n_s16(NETWORK_QA));
    int16x8_t product = vmulq_s16(clipped, (int16x8_t)weight);
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

#endif
