/* The tables behind infer_kind(); which of them exist depends on the processor built for. */
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

#endif
