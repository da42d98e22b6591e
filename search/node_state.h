/* One node: what the parts of its search hand to each other, and the parts that do not search. */
#pragma once

#include "search/tt.h"
#include "search/update_histories.h"

/* Which of the quiet moves that were not picked yet a node still looks at. */
enum quiets_left { QUIETS_ALL, QUIETS_CHECKS, QUIETS_NONE };

struct node {
    int alpha;
    int beta;
    int depth;
    bool pv;
    bool cut; /* a cutoff is expected */
    bool root;
    bool in_check;
    bool improving; /* the static evaluation rose since the same side's last move */
    bool tt_hit;
    struct tt_entry entry; /* valid when tt_hit */
    move tt_move;
    bool tt_move_noisy;
    int raw_eval; /* static evaluation before corrections */
    int eval;     /* best estimate: corrected static evaluation, or the table's score */
    move excluded;
    bool multicut; /* the node ends by a multicut */
    int move_count;
    enum quiets_left quiets_left;
    int table_min; /* a PV node's score is not below this, by endgame tables .. */
    int table_max; /* .. nor above this */
    int best;
    move best_move;
    struct searched_moves quiets;
    struct searched_moves noisies;
};

/* Fills what is known of the worker's current position: the arguments, check and the table's entry.
 * The evaluation follows in node_evaluate(), best and best_move when moves are searched. */
void node_init(struct node *node, struct worker *worker, int alpha, int beta, int depth, bool cut);

/* Fills the threats in the stack, which the histories of quiet moves need. Where a move is left out
 * they are known. */
void node_find_threats(const struct node *node, struct worker *worker);

/* Does the table's entry answer the search? */
bool node_table_answers(const struct node *node, const struct worker *worker);

/* Fills raw_eval, eval, improving and the stack's static_eval. */
void node_evaluate(struct node *node, struct worker *worker);

/* After all moves: histories, the table and the correction of the evaluation. first_alpha, depth:
 * those of the node before its moves. */
void node_finish(const struct node *node, struct worker *worker, int first_alpha, int depth);
