/* One thread of data generation: a labeller and its games. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "eval/train/datagen/label.h"
#include "eval/train/datagen/starts.h"
#include "eval/train/sample_file.h"

/* What all jobs share. */
struct job_shared {
    struct starts starts;
    struct sample_file *file; /* guarded by lock */
    uint64_t samples;         /* in the file; guarded by lock */
    uint64_t wanted;
    struct diag diag; /* of the first failure; guarded by lock */
    bool failed;      /* guarded by lock */
    bool torn;        /* an append has failed: no other may follow; guarded by lock */
    pthread_mutex_t lock;
    atomic_bool stop;
    atomic_int working; /* jobs that have not ended */
};

struct job;

/* seed: a different one for each job. Errors: those of labeller_create(). The caller destroys it.
 */
MUST_CHECK enum caxton_status job_create(struct job_shared *shared,
                                         const struct labeller_setup *setup, uint64_t seed,
                                         int siblings, struct job **out, struct diag *diag);
void job_destroy(struct job *job); /* NULL is allowed */

/* A thread's start routine: plays until there are enough samples, or until stop. */
void *job_run(void *job);

/* From any thread, after `stop` became true: ends the search that is under way. */
void job_interrupt(struct job *job);
