/* How long searches take: measured, not timed again.
 *
 * The mean nodes of a depth come from measured searches and grow by a constant factor a ply beyond
 * them; a single search takes the mean times a factor drawn from the measured ones. All of it is a
 * function of position, depth and seed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
