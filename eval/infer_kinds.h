/* The kinds of arithmetic. Which of them exist depends on the processor that the program is built
 * for. */
#ifndef CAXTON_EVAL_INFER_KINDS_H
#define CAXTON_EVAL_INFER_KINDS_H

#include "eval/infer.h"

extern const struct infer infer_scalar;
#ifdef __x86_64__
extern const struct infer infer_avx2;
extern const struct infer infer_avx512;
#endif
#ifdef __aarch64__
extern const struct infer infer_neon;
#endif

/* The index-th kind that this machine can run, the fastest first, the scalar one last; NULL beyond.
 */
const struct infer *infer_kind(int index);

#endif
