/* A line on the terminal that shows how far long work is. Nothing is shown where standard error is
 * no terminal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool shown; /* standard error is a terminal and nobody asked for quiet */
    int64_t start_ms;
    int64_t last_ms;
    uint64_t total_bytes; /* 0 = unknown */
    const char *stage;    /* what is shown; NULL: progress_update() */
    int64_t stage_ms;     /* when progress_share() began with it */
};

void progress_start(struct progress *progress, bool quiet, uint64_t total_bytes);
/* Redraws the line a few times a second. */
void progress_update(struct progress *progress, uint64_t bytes, uint64_t games);
/* Shows what is being done, for work that reads no games. May be called as often as one likes. */
void progress_stage(struct progress *progress, const char *what);
/* Shows how much of a stage is done and how long the rest takes, a few times a second. done: at
 * most `total`, of any unit. `what` is borrowed and names the stage by its address. */
void progress_share(struct progress *progress, const char *what, uint64_t done, uint64_t total);
/* Is it time to redraw the line? A few times a second it is, where anything is shown. */
bool progress_is_due(struct progress *progress);
/* Shows this text, whenever it is called: for work that measures itself in its own way. */
void progress_text(struct progress *progress, const char *text);
/* Removes the line. */
void progress_end(struct progress *progress);
int64_t progress_elapsed_ms(const struct progress *progress);
