/* The positions of a graph that wait for expansion, the most probable first. Of equally probable
 * ones the nearer to the root goes first, then the one with the smaller key: the order is total. */
#pragma once

#include "book/grow/dag.h"

/* Begins as {0}. */
struct frontier {
    uint32_t *heap; /* nodes */
    size_t count;
    size_t capacity;
};

void frontier_free(struct frontier *frontier);

/* Adds the node; or, when it is there already, moves it up to where its raised probability belongs.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status frontier_put(struct frontier *frontier, struct dag *dag,
                                           uint32_t node);

/* Takes the first node out; DAG_NONE: there is none. */
uint32_t frontier_take(struct frontier *frontier, struct dag *dag);

/* The first nodes in their order, at most `capacity`, without taking them. Returns how many. Time
 * grows with the square of `capacity`. */
size_t frontier_first(const struct frontier *frontier, const struct dag *dag, uint32_t *out,
                      size_t capacity);
