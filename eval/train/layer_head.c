/* The small layers behind the sums of the first one. They take little time beside the hidden layer,
 * so the backward pass computes the forward pass again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "eval/train/layer.h"
#include "eval/train/layer_internal.h"

enum {
    FIRST = LAYER_FIRST,
    SECOND = LAYER_SECOND,
    CHUNK = 1024, /* positions of a job: each has a gradient of its own, added up in their order */
    /* Numbers of a gradient: the parts of struct layer_head one behind the other. */
    FIRST_BIAS = LAYER_BUCKETS * FIRST,
    SECOND_WEIGHTS = LAYER_BUCKETS * SECOND * SECOND,
    SECOND_BIAS = LAYER_BUCKETS * SECOND,
    THIRD_WEIGHTS = LAYER_BUCKETS * SECOND,
    THIRD_BIAS = LAYER_BUCKETS,
    NUMBERS = FIRST_BIAS + SECOND_WEIGHTS + SECOND_BIAS + THIRD_WEIGHTS + THIRD_BIAS,
};

_Static_assert(SECOND == 2 * FIRST, "the second layer has each sum twice: clamped and squared");

struct head_pass {
    const struct layer_batch *batch;
    const struct layer_head *head;
    const float *sums;
    float *outputs;      /* forward only */
    const float *slope;  /* by the outputs; the rest backward only, too */
    const float *turned; /* second weights as [LAYER_BUCKETS][output][input] */
    float *gradients;    /* [chunks][NUMBERS] */
    float *sum_slopes;
};

/* What the layers make of one position. */
struct values {
    float first[FIRST];   /* before they are clamped */
    float active[SECOND]; /* inputs of the second layer */
    float second[SECOND]; /* before they are clamped */
    float output;
};

static inline float clamp(float value, float least)
{
    value = value < least ? least : value;
    return value > 1 ? 1 : value;
}

static inline void compute(const struct layer_head *head, size_t bucket, const float *restrict sums,
                           struct values *restrict out)
{
    const float *first_bias = head->first_bias + bucket * FIRST;
    const float *second = head->second + bucket * SECOND * SECOND;
    const float *third = head->third + bucket * SECOND;
    for (int i = 0; i < FIRST; ++i) {
        out->first[i] = sums[i] + first_bias[i];
        const float value = clamp(out->first[i], -1);
        out->active[i] = value > 0 ? value : 0;
        out->active[FIRST + i] = value * value * LAYER_SQUARE_ONE;
    }
    memcpy(out->second, head->second_bias + bucket * SECOND, sizeof out->second);
    for (int i = 0; i < SECOND; ++i)
        for (int o = 0; o < SECOND; ++o)
            out->second[o] += out->active[i] * second[i * SECOND + o];
    out->output = head->third_bias[bucket];
    for (int o = 0; o < SECOND; ++o)
        out->output += clamp(out->second[o], 0) * third[o];
}

static size_t output_bucket(const struct head_pass *work, size_t position)
{
    return (size_t)(work->batch->pieces[position] - 2) / 4;
}

static size_t chunk_end(const struct head_pass *work, size_t chunk)
{
    const size_t end = (chunk + 1) * CHUNK;
    return end < (size_t)work->batch->positions ? end : (size_t)work->batch->positions;
}

static void forward_chunk(const struct pass *pass, size_t chunk)
{
    const struct head_pass *work = pass->context;
    for (size_t p = chunk * CHUNK; p < chunk_end(work, chunk); ++p) {
        struct values values;
        compute(work->head, output_bucket(work, p), work->sums + p * FIRST, &values);
        work->outputs[p] = values.output;
    }
}

static int chunks_of(const struct layer_batch *batch)
{
    return (batch->positions + CHUNK - 1) / CHUNK;
}

int layer_head_forward(const struct layer_shape *shape, const struct layer_batch *batch,
                       const struct layer_head *head, const float *sums, float *outputs)
{
    struct head_pass work = {.batch = batch, .head = head, .sums = sums, .outputs = outputs};
    struct pass pass = {.jobs = chunks_of(batch), .job = forward_chunk, .context = &work};
    return layer_run(&pass, shape->threads);
}

/* Adds one position's part of the gradient. */
static inline void add_gradient(const struct head_pass *work, size_t position,
                                float *restrict gradient)
{
    const size_t bucket = output_bucket(work, position);
    float *first_bias = gradient + bucket * FIRST;
    float *second = gradient + FIRST_BIAS + bucket * SECOND * SECOND;
    float *second_bias = gradient + FIRST_BIAS + SECOND_WEIGHTS + bucket * SECOND;
    float *third = gradient + FIRST_BIAS + SECOND_WEIGHTS + SECOND_BIAS + bucket * SECOND;
    float *third_bias = gradient + NUMBERS - THIRD_BIAS + bucket;
    const float *third_weights = work->head->third + bucket * SECOND;
    const float *turned = work->turned + bucket * SECOND * SECOND;
    const float slope = work->slope[position];
    struct values values;
    compute(work->head, bucket, work->sums + position * FIRST, &values);
    float back[SECOND];
    float active_back[SECOND] = {0};
    for (int o = 0; o < SECOND; ++o) {
        const float sum = values.second[o];
        third[o] += slope * clamp(sum, 0);
        back[o] = sum >= 0 && sum <= 1 ? slope * third_weights[o] : 0;
        second_bias[o] += back[o];
    }
    *third_bias += slope;
    for (int i = 0; i < SECOND; ++i)
        for (int o = 0; o < SECOND; ++o)
            second[i * SECOND + o] += values.active[i] * back[o];
    for (int o = 0; o < SECOND; ++o)
        for (int i = 0; i < SECOND; ++i)
            active_back[i] += back[o] * turned[o * SECOND + i];
    float *out = work->sum_slopes + position * FIRST;
    for (int i = 0; i < FIRST; ++i) {
        const float sum = values.first[i];
        const float clamped = sum >= 0 ? active_back[i] : 0;
        const float squared = active_back[FIRST + i] * 2 * LAYER_SQUARE_ONE * sum;
        out[i] = sum >= -1 && sum <= 1 ? clamped + squared : 0;
        first_bias[i] += out[i];
    }
}

static void backward_chunk(const struct pass *pass, size_t chunk)
{
    const struct head_pass *work = pass->context;
    float *gradient = work->gradients + chunk * NUMBERS;
    memset(gradient, 0, NUMBERS * sizeof *gradient);
    for (size_t p = chunk * CHUNK; p < chunk_end(work, chunk); ++p)
        add_gradient(work, p, gradient);
}

static void turn(const float *second, float *turned)
{
    for (int bucket = 0; bucket < LAYER_BUCKETS; ++bucket)
        for (int i = 0; i < SECOND; ++i)
            for (int o = 0; o < SECOND; ++o)
                turned[(bucket * SECOND + o) * SECOND + i] =
                    second[(bucket * SECOND + i) * SECOND + o];
}

/* Sums `count` numbers of every chunk; returns what comes behind them. */
static const float *sum_chunks(const float *from, int chunks, int count, float *out)
{
    memcpy(out, from, (size_t)count * sizeof *out);
    for (int chunk = 1; chunk < chunks; ++chunk)
        for (int i = 0; i < count; ++i)
            out[i] += from[chunk * NUMBERS + i];
    return from + count;
}

int layer_head_backward(const struct layer_shape *shape, const struct layer_batch *batch,
                        const struct layer_head *head, const float *sums, const float *slope,
                        const struct layer_head *gradient, float *sum_slopes)
{
    const int chunks = chunks_of(batch);
    float *turned = malloc(SECOND_WEIGHTS * sizeof *turned);
    float *gradients = malloc((size_t)chunks * NUMBERS * sizeof *gradients);
    int error = turned && gradients ? 0 : ENOMEM;
    if (error == 0) {
        turn(head->second, turned);
        struct head_pass work = {.batch = batch,
                                 .head = head,
                                 .sums = sums,
                                 .slope = slope,
                                 .turned = turned,
                                 .gradients = gradients,
                                 .sum_slopes = sum_slopes};
        struct pass pass = {.jobs = chunks, .job = backward_chunk, .context = &work};
        error = layer_run(&pass, shape->threads);
        const float *next = sum_chunks(gradients, chunks, FIRST_BIAS, gradient->first_bias);
        next = sum_chunks(next, chunks, SECOND_WEIGHTS, gradient->second);
        next = sum_chunks(next, chunks, SECOND_BIAS, gradient->second_bias);
        next = sum_chunks(next, chunks, THIRD_WEIGHTS, gradient->third);
        (void)sum_chunks(next, chunks, THIRD_BIAS, gradient->third_bias);
    }
    free(turned);
    free(gradients);
    return error;
}
