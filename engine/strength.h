/* Playing below full strength: UCI_LimitStrength and UCI_Elo.
 *
 * The search gets fewer nodes, and random noise on the scores decides among the best lines: errors
 * are moves that look almost as good to a shallow search, seldom a piece given away in plain sight.
 * What a level gets was set by games against another engine's levels (README.md). */
#pragma once

#include "base/rng.h"
#include "search/search.h"

enum { STRENGTH_LINES = 4 };

/* The best lines as the search reported them last. */
struct strength_lines {
    struct {
        struct search_info info; /* but for pv */
        move pv[SEARCH_PLY_MAX];
    } lines[STRENGTH_LINES];
    int count;
};

struct options;

/* The Elo that UCI_LimitStrength or Skill Level ask for; 0: full strength. */
int strength_elo(const struct options *options);

/* Nodes to search at this Elo. */
uint64_t strength_nodes(int elo);

/* Adds the limits to a request. */
void strength_limit(struct search_request *request, int elo);

/* Remembers a line; an exact score only. */
void strength_collect(struct strength_lines *lines, const struct search_info *info);

/* Replaces the move in `result` by one of the lines, and returns which: noise is added to each
 * score, uniform from 0 to the most at this Elo, and the best sum is played. A mate or a table win
 * that was found is played. */
int strength_choose(const struct strength_lines *lines, int elo, struct rng *rng,
                    struct search_result *result);

/* Reports up to `multipv` lines, once more: the chosen one in the place of the first, so that the
 * last line shown is the one that is played. */
void strength_report(const struct strength_lines *lines, int chosen, int multipv,
                     const struct search_reporter *reporter);

/* Plies of a game that are played from the built-in book at this Elo: weak players know few. */
int strength_book_plies(int elo);
