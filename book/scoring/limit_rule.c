#include "book/scoring/limit_rule.h"

#define ROOT_4_OF_2 1.189207115002721  /* a step of nodes, */
#define ROOT_8_OF_2 1.0905077326652577 /* and half of it */

/* The square root of x >= 1 by Newton's method, from above until it no longer falls: C libraries
 * round theirs alike, too, but would have to be linked. */
static double square_root(double x)
{
    double root = x;
    for (double next; (next = (root + x / root) / 2) < root;)
        root = next;
    return root;
}

static void add_step(struct limit_rule *rule, double least, uint64_t value)
{
    rule->steps[rule->count].least = least;
    rule->steps[rule->count++].value = value;
}

void limit_rule_by_depth(int root_depth, int min_depth, double branch, struct limit_rule *out)
{
    out->kind = SEARCH_TO_DEPTH;
    out->count = 0;
    double least = 1 / square_root(branch); /* half a ply */
    for (int depth = root_depth; depth >= min_depth; depth--, least /= branch)
        add_step(out, least, (uint64_t)depth);
}

void limit_rule_by_nodes(uint64_t root_nodes, uint64_t min_nodes, struct limit_rule *out)
{
    out->kind = SEARCH_NODES;
    out->count = 0;
    double nodes = (double)root_nodes;
    double least = 1 / ROOT_8_OF_2;
    while (out->count < LIMIT_STEPS_MAX && (uint64_t)(nodes + 0.5) >= min_nodes) {
        add_step(out, least, (uint64_t)(nodes + 0.5));
        nodes /= ROOT_4_OF_2;
        least /= ROOT_4_OF_2;
    }
}

bool limit_rule_find(const struct limit_rule *rule, double probability, struct search_limit *out)
{
    for (int i = 0; i < rule->count; i++)
        if (probability >= rule->steps[i].least) {
            *out = (struct search_limit){rule->kind, rule->steps[i].value};
            return true;
        }
    return false;
}
