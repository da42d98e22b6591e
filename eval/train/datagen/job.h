/* One thread of data generation: a teacher and the games it plays. */
#ifndef CAXTON_EVAL_TRAIN_DATAGEN_JOB_H
#define CAXTON_EVAL_TRAIN_DATAGEN_JOB_H

#include <pthread.h>
#include <stdatomic.h>

#include "eval/train/datagen/lane.h"

/* What all jobs share. */
struct datagen {
    struct starts starts;
    struct sample_file *file; /* guarded by lock */
    uint64_t samples;         /* in the file; guarded by lock */
    uint64_t wanted;
    struct diag diag; /* of the first failure; guarded by lock */
    bool failed;      /* guarded by lock */
    bool torn;        /* an append has failed: nothing may follow it; guarded by lock */
    pthread_mutex_t lock;
    atomic_bool stop;
    atomic_int working; /* jobs that have not ended */
};

struct job;

/* seed: another one for each job. Errors: those of teacher_create(). The caller destroys it. */
MUST_CHECK enum caxton_status job_create(struct datagen *datagen, const struct teacher_setup *setup,
                                         uint64_t seed, int siblings, struct job **out,
                                         struct diag *diag);
void job_destroy(struct job *job); /* NULL is allowed */

/* A pthread's start routine: plays until there are enough samples, or until stop. */
void *job_run(void *job);

/* From any thread, after `stop` became true: does not wait for the move that is thought about. */
void job_hurry(struct job *job);

#endif
