/* The evaluation as a differentiable function of its weights. */
#ifndef CAXTON_EVAL_TRAIN_MODEL_H
#define CAXTON_EVAL_TRAIN_MODEL_H

#include "eval/train/data.h"

enum { MG, EG };

/* Weights, gradients and moments all have this shape. */
struct weights {
    double value[WEIGHT_COUNT][2];
};

void weights_from_table(struct weights *weights);

/* The model's score of a sample in centipawns, White's view. */
double model_score(const struct data *data, const struct sample *sample,
                   const struct weights *weights);

/* Adds factor * d score / d weights to `gradient`, and returns the score. With gradient NULL it
 * only scores. `factor` is asked for with the score in hand. */
typedef double model_factor(double score, const struct sample *sample, void *context);
double model_backward(const struct data *data, const struct sample *sample,
                      const struct weights *weights, model_factor *factor, void *context,
                      struct weights *gradient);

/* The largest difference between the gradient and finite differences over the first `samples`
 * samples, relative to the gradient's size. */
double model_check(const struct data *data, size_t samples, const struct weights *weights);

#endif
