#include "eval/train/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chess/fen.h"
#include "eval/trace.h"

enum { LINE_MAX_SIZE = 512, CP_MAX = 1500 };

/* Makes room for `wanted` elements; false when there is no memory. */
static bool grow(void **array, size_t *capacity, size_t wanted, size_t element)
{
    if (wanted <= *capacity)
        return true;
    size_t larger = *capacity ? 2 * *capacity : 1024;
    while (larger < wanted)
        larger *= 2;
    void *moved = realloc(*array, larger * element);
    if (!moved)
        return false;
    *array = moved;
    *capacity = larger;
    return true;
}

static struct span take_column(struct span *rest)
{
    const char *bar = memchr(rest->data, '|', rest->size);
    size_t size = bar ? (size_t)(bar - rest->data) : rest->size;
    struct span column = span_trim(span_make(rest->data, size));
    size_t used = bar ? size + 1 : size;
    *rest = span_make(rest->data + used, rest->size - used);
    return column;
}

static enum caxton_status engine_index(struct data *data, struct span name, uint16_t *index)
{
    char text[ENGINE_NAME_MAX];
    text_copy(text, sizeof text, name);
    for (size_t i = 0; i < data->engine_count; i++) {
        if (strcmp(data->engines[i].name, text) == 0) {
            *index = (uint16_t)i;
            return STATUS_OK;
        }
    }
    if (data->engine_count > UINT16_MAX)
        return STATUS_RANGE;
    if (!grow((void **)&data->engines, &data->engine_capacity, data->engine_count + 1,
              sizeof *data->engines))
        return STATUS_NO_MEMORY;
    struct engine *engine = &data->engines[data->engine_count];
    memset(engine, 0, sizeof *engine);
    memcpy(engine->name, text, sizeof text);
    *index = (uint16_t)data->engine_count++;
    return STATUS_OK;
}

static void add_feature(struct data *data, int weight, int count)
{
    data->features[data->feature_count++] =
        (struct feature){.weight = (uint16_t)weight, .count = (int16_t)count};
}

/* Appends the features of `pos`; there is room for them. */
static void add_features(struct data *data, struct sample *sample, const struct position *pos)
{
    struct eval_trace trace;
    eval_trace(pos, &trace);
    sample->first = data->feature_count;
    sample->phase = (uint8_t)trace.phase;
    sample->scale = (uint8_t)trace.scale;
    sample->extra = (int16_t)trace.extra;
    for (int i = 0; i < W_DANGER_BASE; i++)
        if (trace.counts[WHITE][i] != trace.counts[BLACK][i])
            add_feature(data, i, trace.counts[WHITE][i] - trace.counts[BLACK][i]);
    sample->linear = (uint16_t)(data->feature_count - sample->first);
    for (int color = WHITE; color <= BLACK; color++) {
        size_t before = data->feature_count;
        for (int i = W_DANGER_BASE; i < WEIGHT_COUNT; i++)
            if (trace.counts[color][i])
                add_feature(data, i, trace.counts[color][i]);
        sample->danger[color] = (uint16_t)(data->feature_count - before);
    }
}

static enum caxton_status parse_result(struct span text, float *result)
{
    if (span_equal(text, "1.0") || span_equal(text, "1"))
        *result = 1;
    else if (span_equal(text, "0.5"))
        *result = 0.5F;
    else if (span_equal(text, "0.0") || span_equal(text, "0"))
        *result = 0;
    else
        return STATUS_SYNTAX;
    return STATUS_OK;
}

static enum caxton_status read_line(struct data *data, struct span line, const char *name)
{
    struct position pos;
    struct sample sample = {0};
    int64_t cp;
    enum caxton_status status = fen_parse(take_column(&line), &pos, NULL);
    if (status == STATUS_OK)
        status = span_to_int(take_column(&line), -100000, 100000, &cp);
    if (status == STATUS_OK)
        status = parse_result(take_column(&line), &sample.result);
    if (status != STATUS_OK)
        return status;
    struct span engine = take_column(&line);
    status = engine_index(data, engine.size ? engine : span_of(name), &sample.engine);
    if (status != STATUS_OK)
        return status;
    if (!grow((void **)&data->samples, &data->capacity, data->count + 1, sizeof sample) ||
        !grow((void **)&data->features, &data->feature_capacity,
              data->feature_count + 2 * WEIGHT_COUNT, sizeof *data->features))
        return STATUS_NO_MEMORY;
    sample.cp = (int16_t)(cp > CP_MAX ? CP_MAX : cp < -CP_MAX ? -CP_MAX : cp);
    data->engines[sample.engine].samples++;
    add_features(data, &sample, &pos);
    data->samples[data->count++] = sample;
    return STATUS_OK;
}

enum caxton_status data_read(struct data *data, FILE *file, const char *name, struct diag *diag)
{
    char line[LINE_MAX_SIZE];
    for (size_t number = 1; fgets(line, sizeof line, file); number++) {
        enum caxton_status status = read_line(data, span_of(line), name);
        if (status != STATUS_OK) {
            diag_set(diag, number, 0, "%s", status_name(status));
            return status;
        }
    }
    return ferror(file) ? STATUS_IO : STATUS_OK;
}

/* The slope k that minimises the logistic loss of k * cp against the results of one engine's
 * samples (all samples when engine < 0), by Newton's method. */
static double fit_slope(const struct data *data, int engine)
{
    double slope = 0.005;
    for (int round = 0; round < 12; round++) {
        double gradient = 0;
        double curvature = 1e-3; /* keeps one-sided samples finite */
        for (size_t i = 0; i < data->count; i++) {
            const struct sample *sample = &data->samples[i];
            if (engine >= 0 && sample->engine != engine)
                continue;
            double p = 1 / (1 + exp(-slope * sample->cp));
            gradient += (p - (double)sample->result) * sample->cp;
            curvature += p * (1 - p) * sample->cp * sample->cp;
        }
        slope -= gradient / curvature;
        slope = slope < 0.0005 ? 0.0005 : slope > 0.05 ? 0.05 : slope;
    }
    return slope;
}

void data_set_targets(struct data *data, double share)
{
    double common = fit_slope(data, -1);
    for (size_t i = 0; i < data->engine_count; i++) {
        bool rare = data->engines[i].samples < 2000;
        data->engines[i].slope = rare ? common : fit_slope(data, (int)i);
    }
    for (size_t i = 0; i < data->count; i++) {
        struct sample *sample = &data->samples[i];
        double p = 1 / (1 + exp(-data->engines[sample->engine].slope * sample->cp));
        sample->target = (float)(share * (double)sample->result + (1 - share) * p);
    }
}

void data_free(struct data *data)
{
    free(data->features);
    free(data->samples);
    free(data->engines);
    memset(data, 0, sizeof *data);
}
