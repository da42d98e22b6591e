/* Questions that are being answered, found by what they ask. A table belongs to one thread at a
 * time. */
#pragma once

#include "book/scoring/packed_position.h"
#include "book/scoring/searcher.h"

/* A question to a search. Two with the same packed position and the same limit are one. */
struct scorer_question {
    struct position pos; /* legal, with legal moves */
    struct search_limit limit;
    struct packed_position packed; /* of `pos` */
};

struct scorer_question scorer_question_of(const struct position *pos, struct search_limit limit);

bool scorer_question_is_same(const struct scorer_question *a, const struct scorer_question *b);

/* What stands beside a question is its user's, and 0 at first. */
struct job_entry {
    struct scorer_question question;
    unsigned failed; /* how often */
    unsigned lost;   /* likewise */
    bool urgent;
    bool again; /* it is to be given out once more */
};

struct job_table {
    struct job_entry *entries; /* in no order */
    size_t count;
    size_t capacity;
    uint32_t *slots; /* index of entries[] + 1 by hash; 0: free; a power of two of them */
    size_t slot_count;
};

/* A table of zeros is empty. */
void job_table_free(struct job_table *table);

/* NULL: it is not there. Borrowed until the table changes. */
struct job_entry *job_table_find(const struct job_table *table,
                                 const struct scorer_question *question);

/* Adds a question that is not there. NULL: no memory. Borrowed likewise. */
struct job_entry *job_table_add(struct job_table *table, const struct scorer_question *question);

/* True when it was there. */
bool job_table_remove(struct job_table *table, const struct scorer_question *question);
