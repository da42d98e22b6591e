/* The loops over LAYER_TILE columns are written for the compiler's vectoriser. */
#include "eval/train/layer.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { MAX_THREADS = 64, TILE = LAYER_TILE };

/* Eight floats in one register: without this gcc keeps gather's sums in memory, five times slower.
 */
typedef float lanes __attribute__((vector_size(32), aligned(4), may_alias));
enum { LANES = 8 };

/* One pass, shared by its threads: they take tiles from `next` until none is left. */
struct pass {
    const struct layer_batch *batch;
    const struct layer_weights *weights;
    const struct layer_weights *gradient; /* backward only */
    const float *slope;                   /* backward only */
    float *hidden;
    float *partial; /* forward only */
    void (*tile)(const struct pass *pass, size_t tile);
    atomic_int next; /* relaxed counter of tiles taken */
};

int layer_tile(void)
{
    return TILE;
}

static size_t output_bucket(const struct layer_batch *batch, size_t position)
{
    return (size_t)(batch->pieces[position] - 2) / 4;
}

/* sum = bias + the weights of all the position's features. */
static inline void gather(const float *restrict weights, const float *restrict bias,
                          const uint16_t *restrict features, int count, float *restrict sum)
{
    lanes total[TILE / LANES];
    for (int v = 0; v < TILE / LANES; ++v)
        total[v] = *(const lanes *)(bias + LANES * v);
    for (int piece = 0; piece < count; ++piece) {
        const float *restrict row = weights + (size_t)features[piece] * TILE;
        for (int v = 0; v < TILE / LANES; ++v)
            total[v] += *(const lanes *)(row + LANES * v);
    }
    for (int v = 0; v < TILE / LANES; ++v)
        *(lanes *)(sum + LANES * v) = total[v];
}

static inline float clamp(float value)
{
    value = value < 0 ? 0 : value;
    return value > 1 ? 1 : value;
}

static inline float activate(const float *restrict hidden, const float *restrict output)
{
    float sum = 0;
    for (int i = 0; i < TILE; ++i) {
        const float active = clamp(hidden[i]);
        sum += active * active * output[i];
    }
    return sum;
}

static void forward_tile(const struct pass *pass, size_t tile)
{
    const struct layer_batch *batch = pass->batch;
    const size_t positions = (size_t)batch->positions;
    const float *weights = pass->weights->features + tile * (size_t)batch->rows * TILE;
    const float *bias = pass->weights->bias + tile * TILE;
    const float *output = pass->weights->output + tile * LAYER_BUCKETS * 2 * TILE;
    float *hidden = pass->hidden + tile * positions * 2 * TILE;
    for (size_t p = 0; p < positions; ++p, hidden += 2 * TILE) {
        const uint16_t *features = batch->features + p * 2 * LAYER_PIECES;
        const float *out = output + output_bucket(batch, p) * 2 * TILE;
        gather(weights, bias, features, batch->pieces[p], hidden);
        gather(weights, bias, features + LAYER_PIECES, batch->pieces[p], hidden + TILE);
        pass->partial[tile * positions + p] =
            activate(hidden, out) + activate(hidden + TILE, out + TILE);
    }
}

/* Adds one perspective's gradient: of the output weights, the bias and every active feature. */
static inline void scatter(const float *restrict hidden, const float *restrict output, float slope,
                           const uint16_t *restrict features, int count,
                           float *restrict output_gradient, float *restrict bias_gradient,
                           float *restrict feature_gradient)
{
    float back[TILE];
    for (int i = 0; i < TILE; ++i) {
        const float active = clamp(hidden[i]);
        const float inside = hidden[i] > 0 && hidden[i] < 1 ? 2 * slope : 0;
        output_gradient[i] += active * active * slope;
        back[i] = active * output[i] * inside;
        bias_gradient[i] += back[i];
    }
    for (int piece = 0; piece < count; ++piece) {
        float *restrict row = feature_gradient + (size_t)features[piece] * TILE;
        for (int i = 0; i < TILE; ++i)
            row[i] += back[i];
    }
}

static void backward_tile(const struct pass *pass, size_t tile)
{
    const struct layer_batch *batch = pass->batch;
    const size_t positions = (size_t)batch->positions;
    const size_t rows = (size_t)batch->rows;
    const size_t outputs = LAYER_BUCKETS * 2 * TILE;
    const float *output = pass->weights->output + tile * outputs;
    const float *hidden = pass->hidden + tile * positions * 2 * TILE;
    float *feature_gradient = pass->gradient->features + tile * rows * TILE;
    float *bias_gradient = pass->gradient->bias + tile * TILE;
    float *output_gradient = pass->gradient->output + tile * outputs;
    memset(feature_gradient, 0, rows * TILE * sizeof *feature_gradient);
    memset(bias_gradient, 0, TILE * sizeof *bias_gradient);
    memset(output_gradient, 0, outputs * sizeof *output_gradient);
    for (size_t p = 0; p < positions; ++p) {
        for (size_t side = 0; side < 2; ++side, hidden += TILE) {
            const size_t at = (output_bucket(batch, p) * 2 + side) * TILE;
            scatter(hidden, output + at, pass->slope[p],
                    batch->features + (p * 2 + side) * LAYER_PIECES, batch->pieces[p],
                    output_gradient + at, bias_gradient, feature_gradient);
        }
    }
}

static void *take_tiles(void *argument)
{
    struct pass *pass = argument;
    int tile = atomic_fetch_add_explicit(&pass->next, 1, memory_order_relaxed);
    while (tile < pass->batch->tiles) {
        pass->tile(pass, (size_t)tile);
        tile = atomic_fetch_add_explicit(&pass->next, 1, memory_order_relaxed);
    }
    return NULL;
}

/* A thread costs some twenty microseconds to start and a pass takes milliseconds: no pool. */
static int run(struct pass *pass)
{
    pthread_t helpers[MAX_THREADS];
    int started = 0;
    int error = 0;
    while (started < pass->batch->threads - 1 && started < MAX_THREADS && error == 0) {
        error = pthread_create(&helpers[started], NULL, take_tiles, pass);
        started += error == 0;
    }
    take_tiles(pass);
    while (started > 0) {
        const int join_error = pthread_join(helpers[--started], NULL);
        error = error != 0 ? error : join_error;
    }
    return error;
}

int layer_forward(const struct layer_batch *batch, const struct layer_weights *weights,
                  float *hidden, float *partial)
{
    struct pass pass = {
        .batch = batch,
        .weights = weights,
        .hidden = hidden,
        .partial = partial,
        .tile = forward_tile,
    };
    return run(&pass);
}

int layer_backward(const struct layer_batch *batch, const struct layer_weights *weights,
                   const float *hidden, const float *slope, const struct layer_weights *gradient)
{
    struct pass pass = {
        .batch = batch,
        .weights = weights,
        .gradient = gradient,
        .slope = slope,
        .hidden = (float *)(uintptr_t)hidden, /* read only in this pass */
        .tile = backward_tile,
    };
    return run(&pass);
}

void layer_adam(int64_t count, float *restrict values, const float *restrict gradient,
                float *restrict first, float *restrict second, float rate, float second_scale,
                float decay, float limit)
{
    for (int64_t i = 0; i < count; ++i) {
        const float slope = gradient[i];
        first[i] += 0.1f * (slope - first[i]);
        second[i] += 0.001f * (slope * slope - second[i]);
        const float step = rate * first[i] / (sqrtf(second[i] * second_scale) + 1e-8f);
        const float value = values[i] * (1 - decay) - step;
        values[i] = value < -limit ? -limit : value > limit ? limit : value;
    }
}
