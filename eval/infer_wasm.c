/* WebAssembly with SIMD: vectors of 8. */
#include "eval/network.h"

#ifdef __wasm_simd128__

#include <wasm_simd128.h>

#define TARGET
#define INLINE static inline __attribute__((always_inline))

enum { LANES = 8, REGISTERS = 8 };
typedef uint16_t vec __attribute__((vector_size(2 * LANES)));
typedef v128_t sums;

/* value * weight still fits into 16 bits. */
INLINE sums sums_add(sums s, vec value, vec weight)
{
    v128_t clipped = wasm_i16x8_min(wasm_i16x8_max((v128_t)value, wasm_i16x8_splat(0)),
                                    wasm_i16x8_splat(NETWORK_QA));
    v128_t product = wasm_i16x8_mul(clipped, (v128_t)weight);
    return wasm_i32x4_add(s, wasm_i32x4_dot_i16x8(product, clipped));
}

INLINE int64_t sums_total(sums s)
{
    return (int64_t)wasm_i32x4_extract_lane(s, 0) + wasm_i32x4_extract_lane(s, 1) +
           wasm_i32x4_extract_lane(s, 2) + wasm_i32x4_extract_lane(s, 3);
}

#define KIND      infer_wasm
#define KIND_NAME "WebAssembly SIMD"
#include "eval/infer_body.h"

#endif
