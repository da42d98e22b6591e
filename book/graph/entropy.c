#include "book/graph/entropy.h"

#include <stdlib.h>

/* Digit by digit: the only logarithm in book/, which so does without libm. x >= 1. */
static double log2_of(double x)
{
    double result = 0;
    for (; x >= 2; x /= 2)
        result += 1;
    for (double digit = 0.5; digit > 1e-12; digit /= 2) {
        x *= x;
        if (x >= 2) {
            x /= 2;
            result += digit;
        }
    }
    return result;
}

/* log2 C(all, chosen) */
static double subset_bits(int all, int chosen)
{
    double bits = 0;
    for (int i = 0; i < chosen; i++)
        bits += log2_of((double)(all - i)) - log2_of((double)(i + 1));
    return bits;
}

/* log2 of the ways to order moves of these weights, heaviest first: equal ones are not told apart.
 */
static double order_bits(const struct book_edge *edges, uint32_t count)
{
    double bits = 0;
    uint32_t equal = 0;
    for (uint32_t i = 0; i < count; i++) {
        equal = i > 0 && edges[i].weight == edges[i - 1].weight ? equal + 1 : 1;
        bits += log2_of(i + 1.0) - log2_of(equal);
    }
    return bits;
}

/* The sum of -log2 of each value's share among the sorted values. */
static double empirical_bits(const uint32_t *values, size_t count)
{
    double bits = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && values[end] == values[first];)
            end++;
        bits += (double)(end - first) * log2_of((double)count / (double)(end - first));
    }
    return bits;
}

static int compare(const void *a, const void *b)
{
    const uint32_t *x = a;
    const uint32_t *y = b;
    return (*x > *y) - (*x < *y);
}

/* Counts of moves of all positions, the ends of lines, which have none, included. */
static size_t fill_counts(const struct book_graph *graph, uint32_t *counts)
{
    size_t used = 0;
    for (size_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].known)
            counts[used++] = graph->nodes[i].count;
    for (size_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].to == BOOK_GRAPH_NONE)
            counts[used++] = 0;
    return used;
}

enum caxton_status book_entropy(const struct book_graph *graph, struct book_entropy *out)
{
    size_t most = graph->node_count + graph->edge_count;
    uint32_t *values = malloc((most ? most : 1) * sizeof *values);
    struct book_entropy found = {.moves = graph->edge_count};
    if (!values)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct book_node *node = &graph->nodes[i];
        struct position pos;
        if (!node->known || node->count == 0)
            continue;
        book_graph_position(graph, i, &pos, NULL);
        found.positions++;
        found.subsets += subset_bits(movegen_count(&pos), (int)node->count);
        found.orders += order_bits(graph->edges + node->first, node->count);
    }
    size_t count = fill_counts(graph, values);
    qsort(values, count, sizeof *values, compare);
    found.counts = empirical_bits(values, count);
    for (size_t i = 0; i < graph->edge_count; i++)
        values[i] = graph->edges[i].weight;
    qsort(values, graph->edge_count, sizeof *values, compare);
    found.weights = empirical_bits(values, graph->edge_count);
    free(values);
    *out = found;
    return STATUS_OK;
}
