/* A question of a search, and what tells it from others. */
#pragma once

#include "book/store/packed_position.h"
#include "book/store/search_answer.h"

struct scorer_question {
    struct position pos; /* legal, with legal moves */
    struct search_limit limit;
};

/* A question with its packed position: two jobs with the same one and the same limit are one. */
struct scorer_job {
    struct scorer_question question;
    struct packed_position packed;
};

struct scorer_job scorer_job_of(const struct scorer_question *question);
bool scorer_job_is_same(const struct scorer_job *a, const struct scorer_job *b);
uint64_t scorer_job_hash(const struct scorer_job *job);
