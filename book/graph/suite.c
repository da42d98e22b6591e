#include "book/graph/suite.h"

#include <stdlib.h>

#include "base/array.h"
#include "chess/movegen.h"

/* The walk, a ply at a time. */
struct suite_walk {
    const struct book_graph *graph;
    struct book_suite *suite;
    bool one_sided;
    uint32_t ply; /* of the steps that are made */
    move line[BOOK_GRAPH_PLIES_MAX];
};

static enum caxton_status add_step(struct book_suite *suite, uint64_t key, uint32_t parent, move m,
                                   uint32_t ply)
{
    if (suite->step_count >= UINT32_MAX ||
        !ARRAY_GROW(suite->steps, suite->capacity, suite->step_count + 1))
        return STATUS_NO_MEMORY;
    suite->steps[suite->step_count++] = (struct suite_step){key, parent, m, (uint16_t)ply};
    return STATUS_OK;
}

/* Does the position stand on the line to a step of that ply? */
static bool repeats(const struct book_suite *suite, uint32_t step, uint32_t ply, uint64_t key)
{
    for (;; ply--) {
        if (suite->steps[step].key == key)
            return true;
        if (ply == 0)
            return false;
        step = suite->steps[step].parent;
    }
}

/* Fills line[0..ply) and returns the start. */
static const struct position *find_line(const struct book_suite *suite,
                                        const struct book_graph *graph, size_t step, uint32_t ply,
                                        move *line)
{
    while (ply > 0) {
        line[--ply] = suite->steps[step].via;
        step = suite->steps[step].parent;
    }
    return &graph->roots[suite->steps[step].parent];
}

static enum caxton_status follow(struct suite_walk *walk, uint32_t step, uint64_t key, move m)
{
    if (repeats(walk->suite, step, walk->ply - 1, key))
        return STATUS_OK;
    return add_step(walk->suite, key, step, m, walk->ply);
}

/* The replies to a repertoire that it has an answer to. */
static enum caxton_status follow_replies(struct suite_walk *walk, uint32_t step,
                                         const struct position *pos)
{
    enum caxton_status status = STATUS_OK;
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct position after = position_after(pos, moves[i]);
        uint32_t to = book_graph_find(walk->graph, after.key);
        if (to != BOOK_GRAPH_NONE && walk->graph->nodes[to].known)
            status = follow(walk, step, after.key, moves[i]);
    }
    return status;
}

static enum caxton_status expand(struct suite_walk *walk, uint32_t step)
{
    const struct book_graph *graph = walk->graph;
    uint32_t at = book_graph_find(graph, walk->suite->steps[step].key);
    bool known = at != BOOK_GRAPH_NONE && graph->nodes[at].known;
    if (!known && !walk->one_sided)
        return STATUS_OK;
    struct position pos = *find_line(walk->suite, graph, step, walk->ply - 1, walk->line);
    for (uint32_t i = 0; i + 1 < walk->ply; i++)
        position_play(&pos, walk->line[i]);
    if (!known)
        return follow_replies(walk, step, &pos);
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < graph->nodes[at].count && status == STATUS_OK; i++) {
        const struct book_edge *edge = &graph->edges[graph->nodes[at].first + i];
        if (edge->weight >= walk->suite->weight_min)
            status = follow(walk, step, position_after(&pos, edge->move).key, edge->move);
    }
    return status;
}

struct keyed_step {
    uint64_t key;
    uint32_t step;
};

static int compare_found(const void *a, const void *b)
{
    const struct keyed_step *x = a;
    const struct keyed_step *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

static int compare_steps(const void *a, const void *b)
{
    const struct keyed_step *x = a;
    const struct keyed_step *y = b;
    return (x->step > y->step) - (x->step < y->step);
}

/* Leaves the first of several steps with the same position, from `first` on. */
static enum caxton_status drop_transpositions(struct book_suite *suite, size_t first)
{
    size_t count = suite->step_count - first;
    struct keyed_step *found = malloc((count ? count : 1) * sizeof *found);
    if (!found)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        found[i] = (struct keyed_step){suite->steps[first + i].key, (uint32_t)(first + i)};
    qsort(found, count, sizeof *found, compare_found);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || found[i].key != found[i - 1].key)
            found[kept++] = found[i];
    qsort(found, kept, sizeof *found, compare_steps);
    for (size_t i = 0; i < kept; i++)
        suite->steps[first + i] = suite->steps[found[i].step];
    suite->step_count = first + kept;
    free(found);
    return STATUS_OK;
}

static enum caxton_status walk_plies(struct suite_walk *walk)
{
    struct book_suite *suite = walk->suite;
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < walk->graph->start_count && status == STATUS_OK; i++)
        status = add_step(suite, walk->graph->roots[i].key, i, MOVE_NONE, 0);
    while (status == STATUS_OK && walk->ply < suite->plies && suite->first < suite->step_count) {
        size_t end = suite->step_count;
        walk->ply++;
        for (size_t i = suite->first; i < end && status == STATUS_OK; i++)
            status = expand(walk, (uint32_t)i);
        if (status == STATUS_OK)
            status = drop_transpositions(suite, end);
        suite->first = end;
    }
    return status;
}

enum caxton_status book_suite_create(const struct book_graph *graph, uint32_t plies,
                                     uint32_t weight_min, struct book_suite *out)
{
    struct book_suite suite = {.plies = plies, .weight_min = weight_min};
    struct suite_walk walk = {
        .graph = graph, .suite = &suite, .one_sided = book_graph_is_one_sided(graph)};
    enum caxton_status status = walk_plies(&walk);
    if (status == STATUS_OK)
        *out = suite;
    else
        book_suite_free(&suite);
    return status;
}

void book_suite_free(struct book_suite *suite)
{
    free(suite->steps);
    *suite = (struct book_suite){.steps = NULL};
}

const struct position *book_suite_line(const struct book_suite *suite,
                                       const struct book_graph *graph, size_t step, move *line)
{
    return find_line(suite, graph, step, suite->steps[step].ply, line);
}
