/* What grow asks, and what waits meanwhile: the algorithm is run with answers that come at once.
 *
 * Which position is expanded next depends on answers, never on when they come. So one trace tells
 * what a run with any number of workers would ask and could search ahead. */
#pragma once

#include "book/grow/grow.h"
#include "book/scoring/score_store.h"

#define TRACE_NO_CAUSE UINT32_MAX

/* One of our positions begins to wait, or its probability was raised while it waits. */
struct trace_wait {
    uint64_t key;
    double probability;
    uint32_t cause;    /* the position whose answer led here; TRACE_NO_CAUSE: none */
    uint32_t position; /* its number in the trace */
    uint16_t ply;
    uint8_t depth; /* of its search, as it is now */
};

/* The search of a position is asked for. */
struct trace_ask {
    uint64_t key;
    double probability;
    size_t waits; /* how many of waits[] come before */
    uint32_t position;
    uint8_t depth;
};

struct question_trace {
    struct trace_wait *waits;
    size_t wait_count;
    struct trace_ask *asks;
    size_t ask_count;
    size_t position_count; /* of those that are numbered, 0 .. */
    struct grow_counts counts;
    /* private */
    size_t wait_capacity;
    size_t ask_capacity;
};

/* Where answers come from: the deepest one that the store has for the position, if there is a
 * store; else one of the two moves that `book` plays most, as often as searches find them; else any
 * legal move. Both may be NULL. */
struct trace_answers {
    const struct score_store *store;
    const struct book *book;
    uint64_t seed;  /* of what is drawn */
    int root_depth; /* of the search at the start, as in the options */
};

/* options: by depth, one move for each of our positions; `context` and what is called by it are
 * replaced. Errors:
 * STATUS_NO_MEMORY, STATUS_THREAD; `diag` says why. The caller frees. */
MUST_CHECK enum caxton_status question_trace_make(const struct grow_options *options,
                                                  const struct trace_answers *answers,
                                                  struct question_trace *out, struct diag *diag);
void question_trace_free(struct question_trace *trace);
