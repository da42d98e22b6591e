/* How deep a position is searched: the root D plies, one of probability Q D + log_B(Q), rounded.
 * Where that falls below d the line ends.
 * Source: J. P. Fishburn, "Search-based opening book construction", ICGA Journal 40 (1), 2018. */
#pragma once

#include "search/limits.h"

/* Probabilities are compared with powers of B, so that no logarithm of a C library decides: the
 * same everywhere. */
struct depth_rule {
    int root_depth;                     /* D */
    int min_depth;                      /* d */
    double least[SEARCH_DEPTH_MAX + 1]; /* [n]: the least probability for D - n plies */
};

/* 1 <= min_depth <= root_depth <= SEARCH_DEPTH_MAX, branch > 1. */
void depth_rule_make(int root_depth, int min_depth, double branch, struct depth_rule *out);

/* The depth for that probability; 0: the line ends. */
int depth_rule_depth(const struct depth_rule *rule, double probability);
