/* Several sequences of sample games as one: of each position the first of all of them. The result
 * does not depend on how the games were divided into sequences, nor on their order. */
#pragma once

#include "book/statistics/sample.h"

struct sample_input {
    sample_source next;
    void *context;
    struct sample_set head; /* private */
};

struct sample_merge;

/* Of inputs[0..count), which are borrowed, `most` games of a position. NULL when there is no
 * memory. */
struct sample_merge *sample_merge_create(struct sample_input *inputs, size_t count, size_t most);
void sample_merge_destroy(struct sample_merge *merge); /* NULL is allowed */

/* A sample_source. Errors: STATUS_END, those of the inputs. */
MUST_CHECK enum caxton_status sample_merge_next(void *merge, struct sample_set *out,
                                                struct diag *diag);
