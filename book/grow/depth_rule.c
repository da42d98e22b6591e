#include "book/grow/depth_rule.h"

/* The square root of x >= 1 by Newton's method, from above until it no longer falls: C libraries
 * round theirs alike, too, but would have to be linked. */
static double square_root(double x)
{
    double root = x;
    for (double next; (next = (root + x / root) / 2) < root;)
        root = next;
    return root;
}

void depth_rule_make(int root_depth, int min_depth, double branch, struct depth_rule *out)
{
    out->root_depth = root_depth;
    out->min_depth = min_depth;
    double least = 1 / square_root(branch); /* half a ply */
    for (int n = 0; n <= SEARCH_DEPTH_MAX; n++, least /= branch)
        out->least[n] = least;
}

int depth_rule_depth(const struct depth_rule *rule, double probability)
{
    int depth = rule->root_depth;
    while (depth >= rule->min_depth && probability < rule->least[rule->root_depth - depth])
        depth--;
    return depth >= rule->min_depth ? depth : 0;
}
