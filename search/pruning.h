/* Which moves of a node are skipped or searched less deep. Decisions only: nothing here searches.
 */
#pragma once

#include "search/movepick.h"
#include "search/tt.h"
#include "search/update_histories.h"

/* What the parts of a node hand to each other. */
struct node {
    int alpha;
    int beta;
    int depth;
    bool pv;
    bool cut; /* a cutoff is expected */
    bool root;
    bool in_check;
    bool improving; /* the static evaluation rose since the same side's last move */
    bool worsening; /* that of the opponent fell since the last move */
    int correction; /* correction_find() */
    bool tt_hit;
    struct tt_entry entry; /* valid when tt_hit */
    move tt_move;
    bool tt_move_noisy;
    int reduction; /* of the move that led here, plies */
    int raw_eval;  /* static evaluation before corrections */
    int eval;      /* best estimate: corrected static evaluation, or the TT score */
    move excluded;
    bool multicut;    /* the node ends by a multicut */
    int move_count;   /* moves seen so far, pruned ones included */
    bool skip_quiets; /* none of the quiet moves that were not picked yet is looked at */
    int tb_min;       /* a PV node's score is not below this, by endgame tables .. */
    int tb_max;       /* .. nor above this */
    int best;
    move best_move;
    struct searched_moves quiets;
    struct searched_moves noisies;
};

/* Are all moves expected to fail low? */
static inline bool node_is_all(const struct node *node)
{
    return !node->pv && !node->cut;
}

/* How much the static evaluation had to be corrected, whichever way. */
static inline int node_uncertainty(const struct node *node)
{
    return node->correction < 0 ? -node->correction : node->correction;
}

/* Can the node be left at once, because its estimate is far above beta? */
bool reverse_futility_cuts(const struct node *node, const struct stack *ss, bool analyse);

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
