/* How the passes over the network share threads. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>

/* Jobs that threads take from `next` until none is left. */
struct pass {
    int jobs;
    void (*job)(const struct pass *pass, size_t index);
    const void *context; /* what the jobs need, read only */
    atomic_int next;     /* relaxed counter of jobs taken */
};

/* Returns 0, or an error number when a thread could not be started. */
int layer_run(struct pass *pass, int threads);
