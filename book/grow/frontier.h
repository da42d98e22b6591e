/* The positions of a graph that wait for expansion, the most probable first. Of equally probable
 * ones the nearer to the root goes first, then the one with the smaller key: the order is total. */
#pragma once

#include "base/heap.h"
#include "book/grow/dag.h"

/* Begins as {0}. */
struct frontier {
    struct number_heap heap; /* of nodes */
    size_t capacity;
    uint32_t *places; /* for frontier_raise() */
    size_t place_capacity;
};

void frontier_free(struct frontier *frontier);

/* Adds the node; or, when it is there already, moves it up to where its raised probability belongs.
 * No other one may be raised and wait to be moved. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status frontier_put(struct frontier *frontier, struct dag *dag,
                                           uint32_t node);

/* Moves all of these nodes that are there up, after the probabilities of several have been raised:
 * one by one, in any order, they would leave others behind them that belong before them. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status frontier_raise(struct frontier *frontier, struct dag *dag,
                                             const uint32_t *nodes, size_t count);

/* Takes the first node out; DAG_NONE: there is none. */
uint32_t frontier_take(struct frontier *frontier, struct dag *dag);

/* The first nodes in their order, at most `capacity`, without taking them. Returns how many; none
 * without memory. */
size_t frontier_first(const struct frontier *frontier, const struct dag *dag, uint32_t *out,
                      size_t capacity);
