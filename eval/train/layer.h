/* The trainer's network on the processor: forward and backward passes in 32-bit floats.
 *
 * The hidden layer is cut into tiles of LAYER_TILE columns, and every array of weights is stored
 * tile by tile: one tile of the weights, or of their gradient, stays in a core's second-level cache
 * while a whole batch passes over it, and threads that take different tiles never write the same
 * line. Each tile sees the positions in order, so the result does not depend on the thread count.
 *
 *   output = bias[b] + sum over both perspectives p and hidden units i of
 *            clamp(accumulator[p][i], 0, 1)^2 * out_weights[p][i][b],   b = (pieces - 2) / 4
 */
#pragma once

#include <stdint.h>

enum { LAYER_TILE = 64, LAYER_BUCKETS = 8, LAYER_PIECES = 32 };

/* One batch and the network's size; all arrays belong to the caller. */
struct layer_batch {
    int32_t threads;
    int32_t positions;
    int32_t rows;             /* features: 768 * king buckets */
    int32_t tiles;            /* hidden units / LAYER_TILE */
    const uint16_t *features; /* [positions][2][LAYER_PIECES], side to move first */
    const uint8_t *pieces;    /* [positions], how many of the features count: 2..32 */
};

struct layer_weights {
    float *features; /* [tiles][rows][LAYER_TILE] */
    float *bias;     /* [tiles][LAYER_TILE] */
    float *output;   /* [tiles][LAYER_BUCKETS][2][LAYER_TILE] */
};

/* Tile size the library was built with, for the caller's arrays. */
int layer_tile(void);

/* hidden: [tiles][positions][2][LAYER_TILE], the accumulators, kept for layer_backward.
 * partial: [tiles][positions], each tile's part of the output; the caller sums them and adds the
 * output bias. Returns 0, or an error number when a thread could not be started. */
int layer_forward(const struct layer_batch *batch, const struct layer_weights *weights,
                  float *hidden, float *partial);

/* slope: [positions], the derivative of the loss by each output. `gradient` is overwritten. */
int layer_backward(const struct layer_batch *batch, const struct layer_weights *weights,
                   const float *hidden, const float *slope, const struct layer_weights *gradient);

/* One step of AdamW on `count` values, clipped to +-limit afterwards.
 * rate: the step divided by the first moment's bias correction; second_scale: one over the second
 * moment's bias correction; decay: share of every value removed. */
void layer_adam(int64_t count, float *values, const float *gradient, float *first, float *second,
                float rate, float second_scale, float decay, float limit);
