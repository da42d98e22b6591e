/* Searches by any number of workers, on a clock that is simulated: the same each time.
 *
 * The run asks for one search after the other, as its trace says. A worker that is free takes the
 * search that is asked for, or else searches ahead: the most probable position that is known, to
 * the depth that it would get now. A search is never broken off. */
#pragma once

#include "book/plan/question_trace.h"
#include "book/scoring/score_store.h"
#include "search/limits.h"

struct score_store;

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
