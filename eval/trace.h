/* How a score comes about: how often each weight counts. For eval_explain(), the tuner and tests.
 */
#ifndef CAXTON_EVAL_TRACE_H
#define CAXTON_EVAL_TRACE_H

#include "chess/position.h"
#include "eval/weights.h"

struct eval_trace {
    int16_t counts[2][WEIGHT_COUNT]; /* danger weights: of the king of that colour */
    int32_t danger[2];               /* pairs, before danger_penalty() */
    int mg, eg;                      /* White's view, danger and extra included */
    int extra;                       /* of eg: knowledge of endgames without weights */
    int phase;                       /* 0 (no pieces) .. PHASE_MAX */
    int scale;                       /* share of eg that counts, of SCALE_ONE */
    int score;                       /* as eval_score(), but White's view */
};

/* Scores `pos` and fills `trace`. */
void eval_trace(const struct position *pos, struct eval_trace *trace);

/* The name of weight group `index`, its first weight and size; NULL when there are no more. */
const char *eval_group(int index, int *first, int *size);

#endif
