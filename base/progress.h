/* A line on the terminal that tells how far long work has come; nothing at all elsewhere. */
#ifndef CAXTON_BASE_PROGRESS_H
#define CAXTON_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool shown; /* standard error is a terminal and nobody asked for quiet */
    int64_t start_ms;
    int64_t last_ms;
    uint64_t total_bytes; /* 0 = unknown */
    const char *stage;    /* what is shown; NULL: progress_update() */
};

void progress_start(struct progress *progress, bool quiet, uint64_t total_bytes);
/* Redraws the line a few times a second. */
void progress_update(struct progress *progress, uint64_t bytes, uint64_t games);
/* Shows what is being done instead, where no games are read; as often as one likes. */
void progress_stage(struct progress *progress, const char *what);
/* Takes the line away. */
void progress_end(struct progress *progress);
int64_t progress_elapsed_ms(const struct progress *progress);

#endif
