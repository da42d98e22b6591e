/* How far a position is searched: the likelier it is that a game reaches it, the further.
 *
 * By depth: the root D plies, a position of probability Q D + log_B(Q), rounded. Where that falls
 * below d the line ends. Source: J. P. Fishburn, "Search-based opening book construction", ICGA
 * Journal 40 (1), 2018.
 *
 * By nodes: the root N, a position of probability Q about N * Q, in steps: N divided by a power of
 * the fourth root of 2. In steps, because a search that was made for another book or another N can
 * be used again when its number of nodes is the same. */
#pragma once

#include "book/scoring/searcher.h"
#include "search/limits.h"

enum { LIMIT_STEPS_MAX = 4 * 64 }; /* more than plies, and than fourth roots from 2^63 to 1 */

/* Probabilities are compared with powers, so that no logarithm of a C library decides: the same
 * everywhere. */
struct limit_rule {
    enum search_limit_kind kind;
    int count;
    struct {
        double least; /* probability for this step */
        uint64_t value;
    } steps[LIMIT_STEPS_MAX]; /* the largest first */
};

/* 1 <= min_depth <= root_depth <= SEARCH_DEPTH_MAX, branch > 1. */
void limit_rule_by_depth(int root_depth, int min_depth, double branch, struct limit_rule *out);

/* 1 <= min_nodes <= root_nodes <= 2^53. */
void limit_rule_by_nodes(uint64_t root_nodes, uint64_t min_nodes, struct limit_rule *out);

/* The limit for that probability. False: the line ends, *out stays untouched. */
bool limit_rule_find(const struct limit_rule *rule, double probability, struct search_limit *out);
