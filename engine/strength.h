/* Playing below full strength: UCI_LimitStrength and UCI_Elo.
 *
 * Two means: fewer nodes, and a choice among the best lines that is the looser the lower the Elo.
 * The scale is a plain formula, not measured in games: 100 points are a factor of 1.6 in nodes and
 * 10 centipawns of looseness. */
#ifndef CAXTON_ENGINE_STRENGTH_H
#define CAXTON_ENGINE_STRENGTH_H

#include "base/rng.h"
#include "search/search.h"

enum { STRENGTH_LINES = 4 };

/* The best lines as the search reported them last. */
struct strength_lines {
    struct {
        move best;
        move ponder;
        int score;
        int depth;
    } lines[STRENGTH_LINES];
    int count;
};

/* Nodes to search at this Elo. */
uint64_t strength_nodes(int elo);

/* Adds the limits to a request. */
void strength_limit(struct search_request *request, int elo);

/* Remembers a line; an exact score only. */
void strength_collect(struct strength_lines *lines, const struct search_info *info);

/* Replaces the move in `result` by one of the lines: to each score an error is added, uniform from
 * 0 to the looseness of this Elo, and the best sum is played. A mate in sight is not missed. */
void strength_choose(const struct strength_lines *lines, int elo, struct rng *rng,
                     struct search_result *result);

#endif
