/* Names that are nearly those of a player who was asked for, in bounded memory. */
#pragma once

#include <stdint.h>

#include "base/text.h"

enum {
    NEAR_NAMES_MAX = 24, /* are kept */
    NEAR_NAME_SIZE = 48, /* of a name, the end included; longer ones are cut */
};

struct near_name {
    uint64_t games;
    int distance;              /* player_distance() */
    char text[NEAR_NAME_SIZE]; /* UTF-8 */
};

/* Begins as {0}. */
struct near_names {
    struct near_name list[NEAR_NAMES_MAX];
    size_t count;
};

/* Counts games of a name. When all places are taken, a nearer name takes that of the farthest, and
 * of those the one with the fewest games; so a count may be too small, never too large. */
void near_names_add(struct near_names *names, struct span name, int distance, uint64_t games);

/* Adds all of `more`. */
void near_names_merge(struct near_names *names, const struct near_names *more);

/* The nearest first; of those as near the ones with most games. */
void near_names_sort(struct near_names *names);
