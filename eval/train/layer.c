#include "eval/train/layer.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "eval/train/layer_internal.h"

enum {
    MAX_THREADS = 64,
    TILE = LAYER_TILE,
    PAIRS = LAYER_PAIRS,
    FIRST = LAYER_FIRST,
    SHORTS = 32, /* in 64 bytes */
    FLOATS = 16,
    CHUNK = 1024,            /* positions whose slopes stay in the second-level cache */
    WEIGHTS = PAIRS * FIRST, /* of the first layer for one tile, perspective and bucket */
};

_Static_assert((int)FIRST == (int)FLOATS, "the sums of a position are one vector");

#define UPPER UINT32_C(0xFFFF0000)

/* 64 bytes each. Without vector types gcc keeps sums in memory, five times slower. */
typedef int16_t shorts __attribute__((vector_size(64), aligned(2), may_alias));
typedef float floats __attribute__((vector_size(64), aligned(4), may_alias));
typedef uint32_t words __attribute__((vector_size(64), aligned(4), may_alias));
typedef int32_t ints __attribute__((vector_size(64), aligned(4), may_alias));
typedef int8_t bytes __attribute__((vector_size(32), aligned(1), may_alias));

/* A position's slopes, floats rounded to their upper halves: two sixteens of them in the halves of
 * sixteen words. */
struct slopes {
    uint32_t pairs[TILE / 2];
};

/* One kind of inputs, and for a backward pass the places where each of them occurs. */
struct input_kind {
    const uint16_t *numbers; /* [2 * positions][width] */
    const uint8_t *counts;   /* how many of a side's numbers count */
    size_t rows;
    int width;
    bool per_side;     /* counts are for sides, not for positions */
    uint32_t *starts;  /* [chunks][rows + 1]: where the entries of each input begin */
    uint16_t *entries; /* [2 * positions * width]: 2 * position in the chunk + side */
};

/* What a forward or a backward pass needs. */
struct layer_pass {
    const struct layer_shape *shape;
    const struct layer_batch *batch;
    const struct layer_weights *weights;
    int16_t *hidden;
    float *partial; /* forward only, and so is the next */
    float *sums;
    const float *slope; /* the rest backward only */
    float pair_slope;
    const struct layer_gradient *gradient;
    struct input_kind features;
    struct input_kind relations;
    struct slopes *room; /* [tiles][2 * CHUNK] */
};

int layer_tile(void)
{
    return TILE;
}

/* Threads ----------------------------------------------------------------------------------- */

static void *take_jobs(void *argument)
{
    struct pass *pass = argument;
    int job = atomic_fetch_add_explicit(&pass->next, 1, memory_order_relaxed);
    while (job < pass->jobs) {
        pass->job(pass, (size_t)job);
        job = atomic_fetch_add_explicit(&pass->next, 1, memory_order_relaxed);
    }
    return NULL;
}

/* A thread costs some twenty microseconds to start and a pass takes milliseconds: no pool. */
int layer_run(struct pass *pass, int threads)
{
    pthread_t helpers[MAX_THREADS];
    int started = 0;
    int error = 0;
    while (started < threads - 1 && started < MAX_THREADS && error == 0) {
        error = pthread_create(&helpers[started], NULL, take_jobs, pass);
        started += error == 0;
    }
    take_jobs(pass);
    while (started > 0) {
        const int join_error = pthread_join(helpers[--started], NULL);
        error = error != 0 ? error : join_error;
    }
    return error;
}

/* Forward ----------------------------------------------------------------------------------- */

static size_t output_bucket(const struct layer_batch *batch, size_t position)
{
    return (size_t)(batch->pieces[position] - 2) / 4;
}

/* sum = bias + the weights of all the position's features. */
static inline void gather(const int16_t *restrict weights, const int16_t *restrict bias,
                          const uint16_t *restrict features, int count, int16_t *restrict sum)
{
    shorts total[TILE / SHORTS];
    for (int v = 0; v < TILE / SHORTS; ++v)
        total[v] = *(const shorts *)(bias + SHORTS * v);
    for (int piece = 0; piece < count; ++piece) {
        const int16_t *restrict row = weights + (size_t)features[piece] * TILE;
        for (int v = 0; v < TILE / SHORTS; ++v)
            total[v] += *(const shorts *)(row + SHORTS * v);
    }
    for (int v = 0; v < TILE / SHORTS; ++v)
        *(shorts *)(sum + SHORTS * v) = total[v];
}

static inline int clamp(int value)
{
    value = value < 0 ? 0 : value;
    return value > LAYER_QA ? LAYER_QA : value;
}

/* Adds the rows of relations. They are far more than fit into a cache: some are asked for ahead. */
static inline void gather_related(const int8_t *restrict weights,
                                  const uint16_t *restrict relations, int count,
                                  int16_t *restrict sum)
{
    enum { AHEAD = 8 };
    shorts total[TILE / SHORTS];
    for (int v = 0; v < TILE / SHORTS; ++v)
        total[v] = *(const shorts *)(sum + SHORTS * v);
    for (int i = 0; i < count; ++i) {
        if (i + AHEAD < count)
            __builtin_prefetch(weights + (size_t)relations[i + AHEAD] * TILE);
        const int8_t *restrict row = weights + (size_t)relations[i] * TILE;
        for (int v = 0; v < TILE / SHORTS; ++v)
            total[v] += __builtin_convertvector(*(const bytes *)(row + SHORTS * v), shorts);
    }
    for (int v = 0; v < TILE / SHORTS; ++v)
        *(shorts *)(sum + SHORTS * v) = total[v];
}

/* The first tile that sums relations. */
static size_t first_related(const struct layer_shape *shape)
{
    return (size_t)(shape->tiles - shape->related_tiles);
}

/* The products of a tile's pairs: first those of even numbers, then of odd ones. */
static inline void multiply(const int16_t *restrict hidden, float *restrict pairs)
{
    uint16_t products[PAIRS];
    for (int i = 0; i < PAIRS; ++i)
        products[i] = (uint16_t)(clamp(hidden[i]) * clamp(hidden[PAIRS + i]));
    const words two = *(const words *)(const void *)products;
    *(floats *)pairs =
        __builtin_convertvector((ints)(two << 16 >> (16 + LAYER_PAIR_SHIFT)), floats);
    *(floats *)(pairs + FLOATS) =
        __builtin_convertvector((ints)(two >> (16 + LAYER_PAIR_SHIFT)), floats);
}

/* One perspective's part of the sums. */
static inline void mix(const int16_t *restrict hidden, const float *restrict weights,
                       float *restrict out)
{
    enum { PARALLEL = 4 }; /* hides the latency of an addition */
    float pairs[PAIRS];
    floats sums[PARALLEL] = {{0}};
    multiply(hidden, pairs);
    for (int i = 0; i < PAIRS / 2; i += PARALLEL / 2)
        for (int j = 0; j < PARALLEL; ++j) {
            const float pair = pairs[i + j / 2 + j % 2 * (PAIRS / 2)];
            sums[j] += pair * *(const floats *)(weights + (2 * i + j) * FIRST);
        }
    *(floats *)out = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static void forward_tile(const struct pass *pass, size_t tile)
{
    const struct layer_pass *work = pass->context;
    const struct layer_batch *batch = work->batch;
    const size_t positions = (size_t)batch->positions;
    const int16_t *weights = work->weights->features + tile * (size_t)work->shape->rows * TILE;
    const int16_t *bias = work->weights->bias + tile * TILE;
    const float *first = work->weights->first + tile * LAYER_BUCKETS * 2 * WEIGHTS;
    int16_t *hidden = work->hidden + tile * positions * 2 * TILE;
    float *sums = work->partial + tile * positions * FIRST;
    const size_t related = first_related(work->shape);
    const int8_t *relations =
        tile < related ? NULL
                       : work->weights->relations + (tile - related) * LAYER_RELATIONS * TILE;
    for (size_t p = 0; p < positions; ++p, hidden += 2 * TILE, sums += FIRST) {
        const uint16_t *features = batch->features + p * 2 * LAYER_PIECES;
        const float *mixed = first + output_bucket(batch, p) * 2 * WEIGHTS;
        gather(weights, bias, features, batch->pieces[p], hidden);
        gather(weights, bias, features + LAYER_PIECES, batch->pieces[p], hidden + TILE);
        for (size_t side = 0; relations != NULL && side < 2; ++side)
            gather_related(relations, batch->relations + (2 * p + side) * LAYER_RELATED,
                           batch->related[2 * p + side], hidden + side * TILE);
        float other[FIRST];
        mix(hidden, mixed, sums);
        mix(hidden + TILE, mixed + WEIGHTS, other);
        *(floats *)sums += *(const floats *)other;
    }
}

static size_t chunk_end(const struct layer_batch *batch, size_t chunk)
{
    const size_t end = (chunk + 1) * CHUNK;
    return end < (size_t)batch->positions ? end : (size_t)batch->positions;
}

static void sum_chunk(const struct pass *pass, size_t chunk)
{
    const struct layer_pass *work = pass->context;
    const size_t positions = (size_t)work->batch->positions;
    const size_t end = chunk_end(work->batch, chunk);
    for (size_t p = chunk * CHUNK; p < end; ++p) {
        floats sum = {0};
        for (size_t tile = 0; tile < (size_t)work->shape->tiles; ++tile)
            sum += *(const floats *)(work->partial + (tile * positions + p) * FIRST);
        *(floats *)(work->sums + p * FIRST) = sum * LAYER_PAIR_UNIT;
    }
}

static size_t chunks_of(const struct layer_batch *batch)
{
    return ((size_t)batch->positions + CHUNK - 1) / CHUNK;
}

int layer_forward(const struct layer_shape *shape, const struct layer_batch *batch,
                  const struct layer_weights *weights, int16_t *hidden, float *partial, float *sums)
{
    struct layer_pass work = {.shape = shape,
                              .batch = batch,
                              .weights = weights,
                              .hidden = hidden,
                              .partial = partial,
                              .sums = sums};
    struct pass tiles = {.jobs = shape->tiles, .job = forward_tile, .context = &work};
    struct pass chunks = {.jobs = (int)chunks_of(batch), .job = sum_chunk, .context = &work};
    int error = layer_run(&tiles, shape->threads);
    if (error == 0)
        error = layer_run(&chunks, shape->threads);
    return error;
}

/* Backward ---------------------------------------------------------------------------------- */

static int count_of(const struct input_kind *kind, size_t side)
{
    return kind->counts[kind->per_side ? side : side / 2];
}

/* Sorts the inputs of a chunk of positions: then an input's slopes are summed in registers, and its
 * row of the gradient is read and written once for all of them. */
static void list_kind(const struct input_kind *kind, const struct layer_batch *batch, size_t chunk)
{
    const size_t first = chunk * CHUNK;
    const size_t end = chunk_end(batch, chunk);
    const size_t width = (size_t)kind->width;
    uint32_t *starts = kind->starts + chunk * (kind->rows + 1);
    uint16_t *entries = kind->entries + first * 2 * width;
    memset(starts, 0, (kind->rows + 1) * sizeof *starts);
    for (size_t side = 2 * first; side < 2 * end; ++side)
        for (int i = 0; i < count_of(kind, side); ++i)
            ++starts[kind->numbers[side * width + (size_t)i] + 1];
    for (size_t row = 0; row < kind->rows; ++row)
        starts[row + 1] += starts[row];
    /* Filling moves each start to its end, which is the start of the next. */
    for (size_t side = 2 * first; side < 2 * end; ++side)
        for (int i = 0; i < count_of(kind, side); ++i)
            entries[starts[kind->numbers[side * width + (size_t)i]]++] =
                (uint16_t)(side - 2 * first);
    memmove(starts + 1, starts, kind->rows * sizeof *starts);
    starts[0] = 0;
}

static void list_entries(const struct pass *pass, size_t chunk)
{
    const struct layer_pass *work = pass->context;
    list_kind(&work->features, work->batch, chunk);
    if (work->shape->related_tiles > 0)
        list_kind(&work->relations, work->batch, chunk);
}

/* Floats as bits, of which the upper halves are rounded to the nearest, halves to even. */
static inline void round_upper(const float *values, words *out)
{
    const words bits = *(const words *)(const void *)values;
    *out = bits + 0x7FFF + (bits >> 16 & 1);
}

/* The slopes of a tile's pairs. */
static inline void slopes_of_pairs(const float *restrict turned, const float *restrict slope,
                                   float pair_slope, float *restrict out)
{
    floats total[PAIRS / FLOATS];
    for (int v = 0; v < PAIRS / FLOATS; ++v)
        total[v] = (floats){0} + pair_slope;
    for (int sum = 0; sum < FIRST; ++sum)
        for (int v = 0; v < PAIRS / FLOATS; ++v)
            total[v] += slope[sum] * *(const floats *)(turned + sum * PAIRS + v * FLOATS);
    for (int v = 0; v < PAIRS / FLOATS; ++v)
        *(floats *)(out + v * FLOATS) = total[v];
}

/* A hidden value's slope: the pair's, times the other value. */
static inline float slope_inside(int hidden, int other, float slope)
{
    return hidden >= 0 && hidden <= LAYER_QA ? (float)clamp(other) * slope : 0;
}

/* One perspective's part of the gradients of first layer and bias, and its slopes. */
static inline void slopes_of(const int16_t *restrict hidden, const float *restrict turned,
                             const float *restrict slope, float pair_slope,
                             float *restrict first_gradient, float *restrict bias_gradient,
                             struct slopes *restrict slopes)
{
    float pairs[PAIRS];
    float pair_slopes[PAIRS];
    float back[TILE];
    multiply(hidden, pairs);
    slopes_of_pairs(turned, slope, pair_slope, pair_slopes);
    const floats unit = *(const floats *)slope * LAYER_PAIR_UNIT;
    for (int i = 0; i < PAIRS / 2; ++i) {
        *(floats *)(first_gradient + 2 * i * FIRST) += pairs[i] * unit;
        *(floats *)(first_gradient + (2 * i + 1) * FIRST) += pairs[PAIRS / 2 + i] * unit;
    }
    for (int i = 0; i < PAIRS; ++i) {
        const float one = pair_slopes[i] * (1.0f / LAYER_QA);
        back[i] = slope_inside(hidden[i], hidden[PAIRS + i], one);
        back[PAIRS + i] = slope_inside(hidden[PAIRS + i], hidden[i], one);
    }
    for (int i = 0; i < TILE; ++i)
        bias_gradient[i] += back[i];
    for (int v = 0; v < TILE / 2; v += FLOATS) {
        words low;
        words high;
        round_upper(back + 2 * v, &low);
        round_upper(back + 2 * v + FLOATS, &high);
        *(words *)(slopes->pairs + v) = low >> 16 | (high & UPPER);
    }
}

/* Adds the slopes of a feature's entries to its row of the gradient. */
static inline void add_slopes(const struct slopes *restrict slopes, const uint16_t *entries,
                              const uint16_t *end, float *restrict row)
{
    floats total[TILE / FLOATS];
    for (int v = 0; v < TILE / FLOATS; ++v)
        total[v] = *(const floats *)(row + FLOATS * v);
    for (; entries < end; ++entries) {
        const uint32_t *from = slopes[*entries].pairs;
        for (int v = 0; v < TILE / FLOATS; v += 2) {
            const words pair = *(const words *)(from + FLOATS / 2 * v);
            total[v] += (floats)(pair << 16);
            total[v + 1] += (floats)(pair & UPPER);
        }
    }
    for (int v = 0; v < TILE / FLOATS; ++v)
        *(floats *)(row + FLOATS * v) = total[v];
}

/* Adds the slopes of a chunk to the rows of one kind of inputs. */
static void add_kind(const struct input_kind *kind, const struct slopes *slopes, size_t chunk,
                     float *gradient)
{
    const uint32_t *starts = kind->starts + chunk * (kind->rows + 1);
    const uint16_t *entries = kind->entries + chunk * CHUNK * 2 * (size_t)kind->width;
    for (size_t row = 0; row < kind->rows; ++row)
        if (starts[row] < starts[row + 1])
            add_slopes(slopes, entries + starts[row], entries + starts[row + 1],
                       gradient + row * TILE);
}

static void backward_chunk(const struct layer_pass *work, size_t tile, size_t chunk)
{
    const struct layer_batch *batch = work->batch;
    const size_t first = chunk * CHUNK;
    const size_t end = chunk_end(batch, chunk);
    const size_t first_at = tile * LAYER_BUCKETS * 2 * WEIGHTS;
    const size_t related = first_related(work->shape);
    const int16_t *hidden = work->hidden + (tile * (size_t)batch->positions + first) * 2 * TILE;
    struct slopes *slopes = work->room + tile * 2 * CHUNK;
    for (size_t p = first; p < end; ++p) {
        for (size_t side = 0; side < 2; ++side, hidden += TILE) {
            const size_t at = first_at + (output_bucket(batch, p) * 2 + side) * WEIGHTS;
            slopes_of(hidden, work->weights->turned + at, work->slope + p * FIRST, work->pair_slope,
                      work->gradient->first + at, work->gradient->bias + tile * TILE,
                      &slopes[2 * (p - first) + side]);
        }
    }
    add_kind(&work->features, slopes, chunk,
             work->gradient->features + tile * work->features.rows * TILE);
    if (tile >= related)
        add_kind(&work->relations, slopes, chunk,
                 work->gradient->relations + (tile - related) * LAYER_RELATIONS * TILE);
}

static void backward_tile(const struct pass *pass, size_t tile)
{
    const struct layer_pass *work = pass->context;
    const size_t rows = (size_t)work->shape->rows;
    const size_t weights = LAYER_BUCKETS * 2 * WEIGHTS;
    const size_t related = first_related(work->shape);
    const size_t relations = (size_t)LAYER_RELATIONS * TILE;
    memset(work->gradient->features + tile * rows * TILE, 0, rows * TILE * sizeof(float));
    memset(work->gradient->bias + tile * TILE, 0, TILE * sizeof(float));
    memset(work->gradient->first + tile * weights, 0, weights * sizeof(float));
    if (tile >= related)
        memset(work->gradient->relations + (tile - related) * relations, 0,
               relations * sizeof(float));
    for (size_t chunk = 0; chunk * CHUNK < (size_t)work->batch->positions; ++chunk)
        backward_chunk(work, tile, chunk);
}

/* Room for the entries. False when there is no memory. */
static bool open_kind(struct input_kind *kind, const struct layer_batch *batch)
{
    kind->starts = malloc(chunks_of(batch) * (kind->rows + 1) * sizeof *kind->starts);
    kind->entries =
        malloc((size_t)batch->positions * 2 * (size_t)kind->width * sizeof *kind->entries);
    return kind->starts != NULL && kind->entries != NULL;
}

static void close_kind(struct input_kind *kind)
{
    free(kind->starts);
    free(kind->entries);
}

int layer_backward(const struct layer_shape *shape, const struct layer_batch *batch,
                   const struct layer_weights *weights, const int16_t *hidden, const float *slope,
                   float pair_slope, const struct layer_gradient *gradient)
{
    struct layer_pass work = {
        .shape = shape,
        .batch = batch,
        .weights = weights,
        .hidden = (int16_t *)(uintptr_t)hidden, /* read only in this pass */
        .slope = slope,
        .pair_slope = pair_slope,
        .gradient = gradient,
        .features = {.numbers = batch->features,
                     .counts = batch->pieces,
                     .rows = (size_t)shape->rows,
                     .width = LAYER_PIECES},
        .relations = {.numbers = batch->relations,
                      .counts = batch->related,
                      .rows = LAYER_RELATIONS,
                      .width = LAYER_RELATED,
                      .per_side = true},
        .room = malloc((size_t)shape->tiles * 2 * CHUNK * sizeof(struct slopes)),
    };
    bool is_ready = open_kind(&work.features, batch) && work.room != NULL;
    is_ready = is_ready && (shape->related_tiles == 0 || open_kind(&work.relations, batch));
    int error = is_ready ? 0 : ENOMEM;
    struct pass lists = {.jobs = (int)chunks_of(batch), .job = list_entries, .context = &work};
    struct pass tiles = {.jobs = shape->tiles, .job = backward_tile, .context = &work};
    if (error == 0)
        error = layer_run(&lists, shape->threads);
    if (error == 0)
        error = layer_run(&tiles, shape->threads);
    close_kind(&work.features);
    close_kind(&work.relations);
    free(work.room);
    return error;
}
