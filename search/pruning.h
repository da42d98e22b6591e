/* Which moves of a node are skipped or searched less deep. Decisions only: nothing here searches.
 */
#pragma once

#include "search/movepick.h"
#include "search/node_state.h"
#include "search/worker.h"

/* Can the node be left at once, because its estimate is far above beta? *score: what it returns. */
bool reverse_futility_cuts(const struct node *node, int *score);

/* Can it be left because of a table score far above beta, of a search a little less deep? *score:
 * what it returns. */
bool table_surplus_cuts(const struct worker *worker, const struct node *node, int *score);

/* May the move be skipped unsearched? Where all quiet moves after it may be skipped, too, or all
 * but those that give check, node->quiets_left says so. */
bool move_is_pruned(const struct worker *worker, struct node *node,
                    const struct candidate *candidate);

/* The reduction of a late move in plies; 0 or less: none. checks: the move gives check. */
int late_move_reduction(const struct node *node, const struct stack *ss,
                        const struct candidate *candidate, bool checks);
