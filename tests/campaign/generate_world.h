/* What the generator of games knows of the statistics: see generate.c. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "book/statistics/tally.h"
#include "chess/notation.h"

#define REQUIRE(condition, text)                                                                   \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "campaign_generate: %s\n", text);                                \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

#define NOWHERE UINT32_MAX
enum { PLIES_LEAST = 20, PLIES_MAX = 400 };

/* A move that the statistics know. */
struct edge {
    uint64_t until; /* the games of this and the moves before it in the list */
    move m;
    uint8_t size;
    char text[SAN_MAX];
    uint32_t to; /* a node, or NOWHERE */
};

struct node {
    struct position pos;
    size_t first; /* of its edges, the most frequent first */
    uint64_t games;
    uint64_t lonely; /* moves of one game */
};

struct world {
    struct tally *tallies; /* of positions with at least two games, by key */
    size_t tally_count;
    size_t tally_capacity;
    struct node *nodes; /* the start is the first one; in the order of their plies */
    size_t node_count;
    size_t node_capacity;
    struct edge *edges; /* of one node after the other */
    size_t edge_count;
    size_t edge_capacity;
    uint32_t *known; /* nodes by key: a table twice as large as there are positions */
    size_t known_size;
    uint64_t results[OUTCOMES]; /* games by result, White's view */
    uint64_t plies;             /* of all games */
    uint64_t depth;             /* where the statistics end */
    uint64_t full_share;        /* so many of 2^32 games reach it */
};

/* Reads statistics of whole games; what is wrong with them ends the program. */
void world_read(struct world *world, const char *path);
void world_free(struct world *world);
