/* The command line of `caxton datagen`. */
#ifndef CAXTON_EVAL_TRAIN_DATAGEN_ARGUMENTS_H
#define CAXTON_EVAL_TRAIN_DATAGEN_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct datagen_arguments {
    const char *output;
    const char *teacher;  /* NULL: Caxton itself */
    const char *openings; /* NULL: none */
    uint64_t samples;     /* how many the file shall hold in the end */
    uint64_t nodes;
    uint64_t seed;
    int64_t start_ms;  /* how long the teacher may take to say uciok */
    int64_t answer_ms; /* and for an answer */
    int jobs;
    int siblings;
    int chess960_percent;
    int endings_percent;
    bool quiet;
    bool help;
};

extern const char datagen_help[];

/* Errors: STATUS_SYNTAX, with the reason in `diag`. The strings are borrowed from argv. */
MUST_CHECK enum caxton_status
datagen_arguments_read(int argc, char **argv, struct datagen_arguments *out, struct diag *diag);

#endif
