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
 *   pair    = clamp(hidden[i], 0, 127) * clamp(hidden[i + half the hidden layer], 0, 127) / 128,
 *             an integer, in units of LAYER_PAIR_UNIT
 *   sums[o] = sum over both perspectives p and pairs i of pair[p][i] * first[b][p][i][o],
 *             b = (pieces - 2) / 4
 *
 * The last `related_tiles` tiles also sum rows of relations between two pieces.
 *
 * A tile has LAYER_PAIRS units of the first half of the hidden layer, then those of the second half
 * that they are paired with. Behind the sums are small layers:
 *
 *   value  = clamp(sums + first_bias[b], -1, 1)
 *   second = clamp(both max(value, 0) and value^2 * LAYER_SQUARE_ONE, times second[b], plus
 *            second_bias[b], 0, 1)
 *   output = second times third[b], plus third_bias[b]
 */
#pragma once

#include <stdint.h>

enum {
    LAYER_TILE = 64,
    LAYER_PAIRS = LAYER_TILE / 2,
    LAYER_FIRST = 16,  /* sums of a position */
    LAYER_SECOND = 32, /* sums of the second layer, which has as many inputs */
    LAYER_BUCKETS = 8,
    LAYER_PIECES = 32,
    LAYER_INPUTS = 768,      /* of a king bucket */
    LAYER_RELATIONS = 64368, /* eval/relations.h */
    LAYER_RELATED = 128, /* relations of a side that are looked at: hardly ever there are more */
    LAYER_QA = 127,      /* 1.0 of a feature weight, bias or accumulator */
    LAYER_QB = 64,       /* 1.0 of a weight of the first layer */
    LAYER_PAIR_SHIFT = 7,
};

#define LAYER_PAIR_UNIT ((float)(1 << LAYER_PAIR_SHIFT) / (LAYER_QA * LAYER_QA))
#define LAYER_SQUARE_ONE                                                                           \
    (LAYER_QB / LAYER_PAIR_UNIT / (1 << 13)) /* what the engine makes of 1.0 squared */

/* The network's size. */
struct layer_shape {
    int32_t threads;
    int32_t tiles;         /* hidden units / LAYER_TILE */
    int32_t rows;          /* features: LAYER_INPUTS * king buckets */
    int32_t related_tiles; /* 0: no relations, and the pointers for them are NULL */
};

/* One batch; all arrays, here and below, belong to the caller. */
struct layer_batch {
    int32_t positions;
    const uint16_t *features;  /* [positions][2][LAYER_PIECES], side to move first */
    const uint8_t *pieces;     /* [positions], how many of the features count: 2..32 */
    const uint16_t *relations; /* [positions][2][LAYER_RELATED] */
    const uint8_t *related;    /* [positions][2], how many of the relations count */
};

/* Rounded weights. */
struct layer_weights {
    int16_t *features; /* [tiles][rows][LAYER_TILE] */
    int16_t *bias;     /* [tiles][LAYER_TILE] */
    float *first;      /* [tiles][LAYER_BUCKETS][2][LAYER_PAIRS][LAYER_FIRST], multiples of
                          1 / LAYER_QB */
    float *turned;     /* the same as [tiles][LAYER_BUCKETS][2][LAYER_FIRST][LAYER_PAIRS] */
    int8_t *relations; /* [related_tiles][LAYER_RELATIONS][LAYER_TILE] */
};

/* The slopes of the loss by the weights, in the same order. */
struct layer_gradient {
    float *features;
    float *bias;
    float *first;
    float *relations;
};

/* The layers behind the sums: rounded weights, or the slopes of the loss by them. */
struct layer_head {
    float *first_bias;  /* [LAYER_BUCKETS][LAYER_FIRST] */
    float *second;      /* [LAYER_BUCKETS][LAYER_SECOND inputs][LAYER_SECOND] */
    float *second_bias; /* [LAYER_BUCKETS][LAYER_SECOND] */
    float *third;       /* [LAYER_BUCKETS][LAYER_SECOND] */
    float *third_bias;  /* [LAYER_BUCKETS] */
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
    struct layer_trained first;
    struct layer_trained relations;
};

/* One step of AdamW. */
struct layer_step {
    float rate;          /* the step divided by the first moment's bias correction */
    float second_scale;  /* one over the second moment's bias correction */
    float decay;         /* share of every value removed */
    float feature_limit; /* values are clipped to +-limit: sums of features and shared values,
                            biases, relations, */
    float first_limit;   /* weights of the first layer */
};

/* Tile size the library was built with, for the caller's arrays. */
int layer_tile(void);

/* hidden: [tiles][positions][2][LAYER_TILE], the accumulators, kept for layer_backward.
 * partial: [tiles][positions][LAYER_FIRST], room for each tile's part of the sums.
 * sums: [positions][LAYER_FIRST]. Returns 0, or an error number, here and below: a thread could not
 * be started, or there is no memory. */
int layer_forward(const struct layer_shape *shape, const struct layer_batch *batch,
                  const struct layer_weights *weights, int16_t *hidden, float *partial,
                  float *sums);

/* outputs: [positions], of the sums that layer_forward made. */
int layer_head_forward(const struct layer_shape *shape, const struct layer_batch *batch,
                       const struct layer_head *head, const float *sums, float *outputs);

/* slope: [positions], the derivative of the loss by each output. `gradient` is overwritten.
 * sum_slopes: [positions][LAYER_FIRST], the derivative by each sum, for layer_backward. */
int layer_head_backward(const struct layer_shape *shape, const struct layer_batch *batch,
                        const struct layer_head *head, const float *sums, const float *slope,
                        const struct layer_head *gradient, float *sum_slopes);

/* slope: [positions][LAYER_FIRST], the derivative of the loss by each sum. pair_slope: what it
 * grows by with each pair of each position, beside: 0, or a little, so that more of them become
 * zero. `gradient` is overwritten. Each position's part of it is rounded to 8 bits, their sums are
 * not. */
int layer_backward(const struct layer_shape *shape, const struct layer_batch *batch,
                   const struct layer_weights *weights, const int16_t *hidden, const float *slope,
                   float pair_slope, const struct layer_gradient *gradient);

/* One step of all parameters, and their rounded weights. step: NULL to round only. */
int layer_update(const struct layer_shape *shape, const struct layer_parameters *parameters,
                 const struct layer_gradient *gradient, const struct layer_step *step,
                 const struct layer_weights *weights);

/* The same step for `count` other values. */
void layer_adam(int64_t count, const struct layer_trained *trained, const float *gradient,
                const struct layer_step *step, float limit);
