#include "eval/infer.h"

#include <stddef.h>

const struct infer *infer_kind(int index)
{
    const struct infer *kinds[3];
    int count = 0;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("popcnt"))
        kinds[count++] = &infer_vnni;
    if (__builtin_cpu_supports("avx2"))
        kinds[count++] = &infer_avx2;
#endif
#ifdef __aarch64__
    kinds[count++] = &infer_neon; /* part of the architecture */
#endif
#ifdef __wasm_simd128__
    kinds[count++] = &infer_wasm; /* a browser without it refuses the whole module */
#endif
    kinds[count++] = &infer_scalar;
    return index < count ? kinds[index] : NULL;
}
