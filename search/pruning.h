/* Which moves of a node are skipped or searched less deep. Decisions only: nothing here searches.
 */
#pragma once

#include "search/movepick.h"
#include "search/node_state.h"
#include "search/worker.h"

/* Can the node be left at once, because its estimate is far above beta? */
bool reverse_futility_cuts(const struct node *node, const struct stack *ss);

/* Can it be left because of a TT score far above beta, of a search a little less deep? *score:
 * what it returns. */
bool small_probcut_cuts(const struct node *node, int *score);

/* May the move be skipped unsearched? Where all quiet moves after it may be skipped, too,
 * node->skip_quiets says so. */
bool move_is_pruned(const struct worker *worker, struct node *node,
                    const struct candidate *candidate);

/* The reduction of a move in 1/1024 ply; negative where it should be searched deeper. Sets
 * ss->move_history. */
int late_move_reduction(const struct worker *worker, const struct node *node, struct stack *ss,
                        const struct candidate *candidate);
