#include "eval/infer.h"

#include <stdbool.h>
#include <stddef.h>

static bool always(void)
{
    return true;
}

#ifdef __x86_64__
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}
#endif

const struct infer *infer_kind(int index)
{
    static const struct {
        const struct infer *infer;
        bool (*runs_here)(void);
    } kinds[] = {
#ifdef __x86_64__
        {&infer_avx512, has_avx512},
        {&infer_avx2, has_avx2},
#endif
#ifdef __aarch64__
        {&infer_neon, always}, /* part of the architecture */
#endif
        {&infer_scalar, always},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].runs_here() && index-- == 0)
            return kinds[i].infer;
    return NULL;
}
