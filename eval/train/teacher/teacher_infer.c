#include "eval/train/teacher/teacher_infer.h"

const struct teacher_infer *teacher_infer_kind(int index)
{
    const struct teacher_infer *kinds[3];
    int count = 0;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni"))
        kinds[count++] = &teacher_infer_vnni;
    if (__builtin_cpu_supports("avx2"))
        kinds[count++] = &teacher_infer_avx2;
#endif
    kinds[count++] = &teacher_infer_scalar;
    return index < count ? kinds[index] : NULL;
}
