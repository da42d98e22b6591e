/* Playing below full strength: UCI_LimitStrength and UCI_Elo.
 *
 * The search gets fewer nodes, and random noise on the scores decides among the best lines: errors
 * are moves that look almost as good to a shallow search, never a piece given away in plain sight.
 * What a level gets was set by games against another engine's levels (README.md). */
#pragma once

#include "base/rng.h"
#include "search/search.h"

enum { STRENGTH_LINES = 4 };

/* The best lines as the search reported them last. */
struct strength_lines {
    struct {
        move best;
        move ponder;
        int score;
    } lines[STRENGTH_LINES];
    int count;
};

/* Nodes to search at this Elo. */
uint64_t strength_nodes(int elo);

/* Adds the limits to a request. */
void strength_limit(struct search_request *request, int elo);

/* Remembers a line; an exact score only. */
void strength_collect(struct strength_lines *lines, const struct search_info *info);

/* Replaces the move in `result` by one of the lines: noise is added to each score, uniform from 0
 * to the most at this Elo, and the best sum is played. A mate or a table win that was found is
 * played. */
void strength_choose(const struct strength_lines *lines, int elo, struct rng *rng,
                     struct search_result *result);
