/* Searches by any number of workers, on a clock that is simulated: the same each time.
 *
 * The run asks for one search after the other, as the trace says, which is what grow asks (see
 * below). A worker that is free takes the search that is asked for, or else searches ahead: the
 * most probable position that is known, to the depth that it would get now. A search is never
 * broken off. */
#pragma once

#include "book/grow/grow.h"
#include "book/scoring/score_store.h"
#include "search/limits.h"

/* What grow asks, and what waits meanwhile: the algorithm is run with answers that come at once.
 *
 * Which position is expanded next depends on answers, never on when they come. So one trace tells
 * what a run with any number of workers would ask and could search ahead. */

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

/* How long searches take: measured, not timed again.
 *
 * The mean nodes of a depth come from measured searches and grow by a constant factor a ply beyond
 * them; a single search takes the mean times a factor drawn from the measured ones. All of it is a
 * function of position, depth and seed. */

enum { SEARCH_TIME_SPREAD = 16 };

struct search_time {
    double mean_us[SEARCH_DEPTH_MAX + 1];
    double spread[SEARCH_TIME_SPREAD]; /* factors, each as likely; their mean is 1 */
    uint64_t seed;
};

/* By the searches of this program, see book/plan/README.md. nodes_per_second: of one worker, > 0.
 */
void search_time_usual(double nodes_per_second, uint64_t seed, struct search_time *out);

/* By the searches to a depth that the store has. False: there are too few. */
bool search_time_of_store(const struct score_store *store, double nodes_per_second, uint64_t seed,
                          struct search_time *out);

/* Of one search, at least 1 microsecond. key: of the position. */
int64_t search_time_us(const struct search_time *time, uint64_t key, int depth);

enum simulation_ahead {
    AHEAD_NONE,
    AHEAD_FRONTIER, /* positions that wait in the frontier of the run */
    AHEAD_ANSWERS, /* also those behind answers that are there before the run comes to them, as grow
                      does (book/grow/look_ahead.h) */
};

struct simulation_options {
    size_t workers; /* > 0 */
    enum simulation_ahead ahead;
    size_t ahead_max;    /* positions that are searched before they are asked for */
    int64_t overhead_us; /* that a worker loses between two searches */
};

/* A moment of the run. */
struct simulation_moment {
    int64_t at_us;
    double probability; /* of the position whose search the run waits for, */
    int depth;          /* and how deep that search is */
};

struct simulation_result {
    int64_t wall_us;
    int64_t busy_us;     /* of all workers: they search, */
    int64_t overhead_us; /* get questions and give answers, */
    int64_t idle_us;     /* or wait: together workers * wall */
    size_t searches;     /* that were begun */
    size_t wasted;       /* of them never asked for: of another depth, or not done at the end */
    int64_t wasted_us;   /* of busy_us */
    size_t per_second;   /* the most answers in a second */
    bool filled;         /* was there ever work for all workers? */
    struct simulation_moment full;    /* for the first time, */
    struct simulation_moment drained; /* and until when for the last time */
    int64_t idle_before_us;           /* full, */
    int64_t idle_after_us;            /* and drained */
};

/* Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status simulation_run(const struct question_trace *trace,
                                             const struct search_time *time,
                                             const struct simulation_options *options,
                                             struct simulation_result *out);

/* What one worker would search that does nothing but what is asked for. */
int64_t simulation_total_us(const struct question_trace *trace, const struct search_time *time);
