/* WebAssembly with SIMD: vectors of 8. */
#include "eval/network.h"

#ifdef __wasm_simd128__

#include <wasm_simd128.h>

#define TARGET
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 8, REGISTERS = 8 };
typedef uint16_t vec __attribute__((vector_size(2 * LANES)));
typedef v128_t sums;

INLINE vec widen(const int8_t *from)
{
    return (vec)wasm_i16x8_load8x8(from);
}

INLINE vec clamp(vec value)
{
    return (vec)wasm_i16x8_min(wasm_i16x8_max((v128_t)value, wasm_i16x8_splat(0)),
                               wasm_i16x8_splat(NETWORK_QA));
}

INLINE vec add_limited(vec a, vec b)
{
    return (vec)wasm_i16x8_add_sat((v128_t)a, (v128_t)b);
}

INLINE sums pack(vec first, vec second)
{
    return wasm_u8x16_narrow_i16x8((v128_t)first, (v128_t)second);
}

INLINE unsigned positive(sums values)
{
    return (unsigned)wasm_i32x4_bitmask(wasm_i32x4_gt(values, wasm_i32x4_splat(0)));
}

INLINE sums broadcast(int32_t value)
{
    return wasm_i32x4_splat(value);
}

INLINE sums add(sums a, sums b)
{
    return wasm_i32x4_add(a, b);
}

INLINE sums add_twos(sums sum, sums shorts, sums weights)
{
    return wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(shorts, weights));
}

/* Sums of neighbours, four at a time. */
INLINE sums add_fours(sums sum, sums bytes, sums weights)
{
    v128_t ones = wasm_i16x8_splat(1);
    v128_t low = wasm_i16x8_extmul_low_i8x16(bytes, weights);
    v128_t high = wasm_i16x8_extmul_high_i8x16(bytes, weights);
    v128_t even = wasm_i16x8_shuffle(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
    v128_t odd = wasm_i16x8_shuffle(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
    return add_twos(sum, wasm_i16x8_add(even, odd), ones); /* the sum of two fits in 16 bits */
}

#define KIND      infer_wasm
#define KIND_NAME "WebAssembly SIMD"
#include "eval/infer_body.h"

#endif
