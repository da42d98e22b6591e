/* Scored positions, reduced to what the model needs. */
#ifndef CAXTON_EVAL_TRAIN_DATA_H
#define CAXTON_EVAL_TRAIN_DATA_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "chess/status.h"
#include "eval/weights.h"

/* How often a weight counts: linear weights White minus Black, danger weights of one king. */
struct feature {
    uint16_t weight;
    int16_t count;
};

/* features[first..first + linear) are linear; then come the danger weights of White's king and of
 * Black's. */
struct sample {
    size_t first;
    uint16_t linear;
    uint16_t danger[2];
    uint16_t engine; /* whose centipawns: index into struct data.engines */
    int16_t cp;      /* White's view, in that engine's scale */
    int16_t extra;   /* endgame knowledge outside the weights, of the endgame half */
    uint8_t phase;
    uint8_t scale;
    float result; /* of the game: 1 White won, 0.5 draw, 0 Black won */
    float target; /* what the model is fitted to */
};

enum { ENGINE_NAME_MAX = 40 };

struct engine {
    char name[ENGINE_NAME_MAX];
    size_t samples;
    double slope; /* expected score = logistic(slope * cp) */
};

struct data {
    struct feature *features;
    size_t feature_count, feature_capacity;
    struct sample *samples;
    size_t count, capacity;
    struct engine *engines;
    size_t engine_count, engine_capacity;
};

/* Appends the positions of `file`, lines "FEN | centipawns | result [| engine]". A line without an
 * engine belongs to `name`, so does every rare one in the end. Errors: STATUS_SYNTAX with the line
 * in `diag`, STATUS_NO_MEMORY, STATUS_IO. */
MUST_CHECK enum caxton_status data_read(struct data *data, FILE *file, const char *name,
                                        struct diag *diag);

/* Fits each engine's slope to the results, then sets
 * target = share * result + (1 - share) * logistic(slope * cp). */
void data_set_targets(struct data *data, double share);

void data_free(struct data *data);

#endif
