#include "book/grow/scorer_job.h"

#include <string.h>

#include "base/checksum.h"
#include "base/rng.h"

struct scorer_job scorer_job_of(const struct scorer_question *question)
{
    struct scorer_job job = {.question = *question};
    position_pack(&question->pos, &job.packed);
    return job;
}

bool scorer_job_is_same(const struct scorer_job *a, const struct scorer_job *b)
{
    return a->question.limit.kind == b->question.limit.kind &&
           a->question.limit.value == b->question.limit.value &&
           memcmp(&a->packed, &b->packed, sizeof a->packed) == 0;
}

uint64_t scorer_job_hash(const struct scorer_job *job)
{
    const struct search_limit limit = job->question.limit;
    uint64_t sum = checksum_add(CHECKSUM_EMPTY, job->packed.bytes, sizeof job->packed.bytes);
    return rng_mix(sum ^ rng_mix(limit.value * 2 + (uint64_t)limit.kind));
}
