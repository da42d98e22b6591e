#include "engine/node_clock.h"

#define LEFT_MAX (INT64_MAX / 4) /* of increments without end */

static bool runs(const struct search_request *request)
{
    return request->nodes_per_ms > 0 && request->time_ms[request->root.turn] >= 0;
}

/* The moves to go have become fewer since the last search, unless a time control has ended. */
static bool is_new_control(const struct node_clock *clock, int moves_to_go)
{
    return moves_to_go > 0 ? moves_to_go >= clock->moves_to_go : clock->moves_to_go > 0;
}

void node_clock_start(struct node_clock *clock, struct search_request *request)
{
    if (!runs(request))
        return;
    int64_t *time_ms = &request->time_ms[request->root.turn];
    if (clock->nodes_per_ms != request->nodes_per_ms || is_new_control(clock, request->moves_to_go))
        clock->left = *time_ms * request->nodes_per_ms;
    clock->nodes_per_ms = request->nodes_per_ms;
    clock->before = clock->moves_to_go;
    clock->moves_to_go = request->moves_to_go;
    *time_ms = clock->left > 0 ? clock->left / request->nodes_per_ms : 0;
}

void node_clock_stop(struct node_clock *clock, const struct search_request *request, uint64_t nodes,
                     bool missed)
{
    if (!runs(request))
        return;
    clock->left -= (int64_t)nodes;
    if (missed)
        clock->moves_to_go = clock->before;
    else
        clock->left += request->increment_ms[request->root.turn] * request->nodes_per_ms;
    if (clock->left > LEFT_MAX)
        clock->left = LEFT_MAX;
}
