/* 64-bit ARM: vectors of 8. */
#include "eval/network.h"

#ifdef __aarch64__

#include <arm_neon.h>

#define TARGET
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 8, REGISTERS = 16 };
typedef uint16_t vec __attribute__((vector_size(2 * LANES)));
typedef int32x4_t sums;

INLINE vec widen(const int8_t *from)
{
    return (vec)vmovl_s8(vld1_s8(from));
}

INLINE vec clamp(vec value)
{
    return (vec)vminq_s16(vmaxq_s16((int16x8_t)value, vdupq_n_s16(0)), vdupq_n_s16(NETWORK_QA));
}

INLINE vec add_limited(vec a, vec b)
{
    return (vec)vqaddq_s16((int16x8_t)a, (int16x8_t)b);
}

INLINE sums pack(vec first, vec second)
{
    return vreinterpretq_s32_u8(
        vcombine_u8(vmovn_u16((uint16x8_t)first), vmovn_u16((uint16x8_t)second)));
}

INLINE unsigned positive(sums values)
{
    static const uint32_t bits[] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcgtzq_s32(values), vld1q_u32(bits)));
}

INLINE sums broadcast(int32_t value)
{
    return vdupq_n_s32(value);
}

INLINE sums add(sums a, sums b)
{
    return vaddq_s32(a, b);
}

/* The sum of two products fits in 16 bits. */
INLINE sums add_fours(sums sum, sums bytes, sums weights)
{
    int8x16_t a = vreinterpretq_s8_s32(bytes);
    int8x16_t b = vreinterpretq_s8_s32(weights);
    int16x8_t low = vmull_s8(vget_low_s8(a), vget_low_s8(b));
    return vpadalq_s16(sum, vpaddq_s16(low, vmull_high_s8(a, b)));
}

INLINE sums add_twos(sums sum, sums shorts, sums weights)
{
    int16x8_t a = vreinterpretq_s16_s32(shorts);
    int16x8_t b = vreinterpretq_s16_s32(weights);
    int32x4_t low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
    return vaddq_s32(sum, vpaddq_s32(low, vmull_high_s16(a, b)));
}

#define KIND      infer_neon
#define KIND_NAME "NEON"
#include "eval/infer_body.h"

#endif
