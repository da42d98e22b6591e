/* The step of the weights: gradient of the shared part, AdamW and rounding in one pass over them.
 */
#include <math.h>
#include <stdbool.h>

#include "eval/train/layer.h"
#include "eval/train/layer_internal.h"

enum { TILE = LAYER_TILE, PAIRS = LAYER_PAIRS, FIRST = LAYER_FIRST };

struct weight_update {
    const struct layer_shape *shape;
    const struct layer_parameters *parameters;
    const struct layer_gradient *gradient;
    const struct layer_step *step;
    const struct layer_weights *weights;
};

static struct layer_trained trained_at(const struct layer_trained *trained, size_t at)
{
    return (struct layer_trained){trained->values + at, trained->first + at, trained->second + at};
}

static inline void adam(size_t count, const struct layer_trained *trained,
                        const float *restrict gradient, const struct layer_step *step, float limit)
{
    float *restrict values = trained->values;
    float *restrict first = trained->first;
    float *restrict second = trained->second;
    const float rate = step->rate;
    const float second_scale = step->second_scale;
    const float kept = 1 - step->decay;
    for (size_t i = 0; i < count; ++i) {
        const float slope = gradient[i];
        first[i] += 0.1f * (slope - first[i]);
        second[i] += 0.001f * (slope * slope - second[i]);
        const float change = rate * first[i] / (sqrtf(second[i] * second_scale) + 1e-8f);
        const float value = values[i] * kept - change;
        values[i] = value < -limit ? -limit : value > limit ? limit : value;
    }
}

void layer_adam(int64_t count, const struct layer_trained *trained, const float *gradient,
                const struct layer_step *step, float limit)
{
    adam((size_t)count, trained, gradient, step, limit);
}

/* The bytes that follow are rounded as export.py rounds them: to the nearest, halves to even. */
static inline void round_row(const float *restrict values, const float *restrict shared,
                             int16_t *restrict out)
{
    for (int i = 0; i < TILE; ++i)
        out[i] = (int16_t)rintf((values[i] + (shared != NULL ? shared[i] : 0)) * LAYER_QA);
}

/* The rows of one input in all king buckets, and what they share. */
static void update_input(const struct weight_update *work, size_t tile, size_t input)
{
    const size_t rows = (size_t)work->shape->rows;
    const struct layer_parameters *parameters = work->parameters;
    const bool is_shared = parameters->shared.values != NULL;
    const float *shared = NULL;
    float limit = work->step != NULL ? work->step->feature_limit : 0;
    if (is_shared) {
        const struct layer_trained row =
            trained_at(&parameters->shared, (tile * LAYER_INPUTS + input) * TILE);
        shared = row.values;
        limit /= 2;
        if (work->step != NULL) {
            float sum[TILE] = {0};
            for (size_t at = input; at < rows; at += LAYER_INPUTS)
                for (size_t i = 0; i < TILE; ++i)
                    sum[i] += work->gradient->features[(tile * rows + at) * TILE + i];
            adam(TILE, &row, sum, work->step, limit);
        }
    }
    for (size_t at = input; at < rows; at += LAYER_INPUTS) {
        const size_t place = (tile * rows + at) * TILE;
        const struct layer_trained row = trained_at(&parameters->features, place);
        if (work->step != NULL)
            adam(TILE, &row, work->gradient->features + place, work->step, limit);
        round_row(row.values, shared, work->weights->features + place);
    }
}

static void update_relations(const struct weight_update *work, size_t tile)
{
    const size_t values = (size_t)LAYER_RELATIONS * TILE;
    const size_t place =
        (tile - (size_t)(work->shape->tiles - work->shape->related_tiles)) * values;
    const struct layer_trained rows = trained_at(&work->parameters->relations, place);
    if (work->step != NULL)
        adam(values, &rows, work->gradient->relations + place, work->step,
             work->step->feature_limit);
    int8_t *restrict out = work->weights->relations + place;
    const float *restrict from = rows.values;
    for (size_t i = 0; i < values; ++i)
        out[i] = (int8_t)rintf(from[i] * LAYER_QA);
}

/* One perspective's weights of the first layer, rounded, in both orders. */
static void round_first(const float *restrict values, float *restrict first, float *restrict turned)
{
    for (int i = 0; i < PAIRS; ++i)
        for (int sum = 0; sum < FIRST; ++sum) {
            const float value = rintf(values[i * FIRST + sum] * LAYER_QB) / LAYER_QB;
            first[i * FIRST + sum] = value;
            turned[sum * PAIRS + i] = value;
        }
}

static void update_tile(const struct pass *pass, size_t tile)
{
    const struct weight_update *work = pass->context;
    const size_t weights = LAYER_BUCKETS * 2 * PAIRS * FIRST;
    const struct layer_trained bias = trained_at(&work->parameters->bias, tile * TILE);
    const struct layer_trained first = trained_at(&work->parameters->first, tile * weights);
    for (size_t input = 0; input < LAYER_INPUTS; ++input)
        update_input(work, tile, input);
    if (tile + (size_t)work->shape->related_tiles >= (size_t)work->shape->tiles)
        update_relations(work, tile);
    if (work->step != NULL) {
        adam(TILE, &bias, work->gradient->bias + tile * TILE, work->step,
             work->step->feature_limit);
        adam(weights, &first, work->gradient->first + tile * weights, work->step,
             work->step->first_limit);
    }
    round_row(bias.values, NULL, work->weights->bias + tile * TILE);
    for (size_t at = 0; at < weights; at += (size_t)PAIRS * FIRST)
        round_first(first.values + at, work->weights->first + tile * weights + at,
                    work->weights->turned + tile * weights + at);
}

int layer_update(const struct layer_shape *shape, const struct layer_parameters *parameters,
                 const struct layer_gradient *gradient, const struct layer_step *step,
                 const struct layer_weights *weights)
{
    struct weight_update work = {shape, parameters, gradient, step, weights};
    struct pass pass = {.jobs = shape->tiles, .job = update_tile, .context = &work};
    return layer_run(&pass, shape->threads);
}
