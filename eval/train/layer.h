/* The trainer's network on the processor: forward and backward passes, and the step of its weights.
 *
 * The forward pass computes with the integers that the network file will hold (export.py), as the
 * engine does; the gradient passes to the floats behind as if they were not rounded.
 *
 * The hidden layer is cut into tiles of LAYER_TILE columns, and every array of weights is stored
 * tile by tile: one tile of the weights, or of their gradient, stays in a core's second-level cache
 * while a whole batch passes over it, and threads that take different tiles never write the same
 * line. Each tile sees the positions in order, so the result does not depend on the thread count.
 *
 *   output = sum over both perspectives p and hidden units i of
 *            (clamp(accumulator[p][i], 0, LAYER_QA) / LAYER_QA)^2 * out_weights[p][i][b],
 *   b = (pieces - 2) / 4; the caller adds the output bias
 */
#pragma once

#include <stdint.h>

enum {
    LAYER_TILE = 64,
    LAYER_BUCKETS = 8,
    LAYER_PIECES = 32,
    LAYER_INPUTS = 768, /* of a king bucket */
    LAYER_QA = 255,     /* 1.0 of a feature weight, bias or accumulator */
    LAYER_QB = 64,      /* 1.0 of an output weight */
};

/* The network's size. */
struct layer_shape {
    int32_t threads;
    int32_t tiles; /* hidden units / LAYER_TILE */
    int32_t rows;  /* features: LAYER_INPUTS * king buckets */
};

/* One batch; all arrays, here and below, belong to the caller. */
struct layer_batch {
    int32_t positions;
    const uint16_t *features; /* [positions][2][LAYER_PIECES], side to move first */
    const uint8_t *pieces;    /* [positions], how many of the features count: 2..32 */
};

/* Rounded weights. */
struct layer_weights {
    int16_t *features; /* [tiles][rows][LAYER_TILE] */
    int16_t *bias;     /* [tiles][LAYER_TILE] */
    float *output;     /* [tiles][LAYER_BUCKETS][2][LAYER_TILE], multiples of 1 / LAYER_QB */
};

/* The slopes of the loss by the weights, in the same order. */
struct layer_gradient {
    float *features;
    float *bias;
    float *output;
};

/* Weights as they are trained, and both moments of their gradient. */
struct layer_trained {
    float *values;
    float *first;
    float *second;
};

struct layer_parameters {
    struct layer_trained features; /* in the order of struct layer_weights */
    struct layer_trained shared;   /* [tiles][LAYER_INPUTS][LAYER_TILE], added to the features of
                                      every king bucket; NULLs: there is none */
    struct layer_trained bias;
    struct layer_trained output;
};

/* One step of AdamW. */
struct layer_step {
    float rate;          /* the step divided by the first moment's bias correction */
    float second_scale;  /* one over the second moment's bias correction */
    float decay;         /* share of every value removed */
    float feature_limit; /* values are clipped to +-limit: sums of features and shared values,
                            biases, */
    float output_limit;  /* output weights */
};

/* Tile size the library was built with, for the caller's arrays. */
int layer_tile(void);

/* hidden: [tiles][positions][2][LAYER_TILE], the accumulators, kept for layer_backward.
 * partial: [tiles][positions], each tile's part of the output; the caller sums them. Returns 0, or
 * an error number, here and below: a thread could not be started, or there is no memory. */
int layer_forward(const struct layer_shape *shape, const struct layer_batch *batch,
                  const struct layer_weights *weights, int16_t *hidden, float *partial);

/* slope: [positions], the derivative of the loss by each output. `gradient` is overwritten. Each
 * position's part of it is rounded to 8 bits, their sums are not. */
int layer_backward(const struct layer_shape *shape, const struct layer_batch *batch,
                   const struct layer_weights *weights, const int16_t *hidden, const float *slope,
                   const struct layer_gradient *gradient);

/* One step of all parameters, and their rounded weights. step: NULL to round only. */
int layer_update(const struct layer_shape *shape, const struct layer_parameters *parameters,
                 const struct layer_gradient *gradient, const struct layer_step *step,
                 const struct layer_weights *weights);

/* The same step for `count` other values. */
void layer_adam(int64_t count, const struct layer_trained *trained, const float *gradient,
                const struct layer_step *step, float limit);
