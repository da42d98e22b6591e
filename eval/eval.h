/* The static score of a position. One struct eval belongs to one thread. */
#pragma once

#include "chess/position.h"

/* No static score reaches this; scores beyond are mates (see search/search.h). */
enum { EVAL_MAX = 20000 };

/* From this score half of the games are won: fitted by eval/train/wdl.py to games of the built-in
 * network with itself, at 58 points of material and 32,768 nodes a move. */
enum { EVAL_HALF = 104 };

/* A score that is no mate as it is shown to users: 100 centipawns win half of the games. */
static inline int eval_centipawns(int score)
{
    return score * 100 / EVAL_HALF;
}

/* The smallest score, away from 0, that is shown as so many centipawns. */
static inline int eval_of_centipawns(int centipawns)
{
    return (centipawns * EVAL_HALF + (centipawns > 0 ? 99 : -99)) / 100;
}

/* How many moves can be pushed before one is taken back. */
enum { EVAL_PLY_MAX = 160 };

struct network;

/* Per-thread state (caches). Its score for a position never depends on what came before. */
struct eval;

/* NULL when there is no memory. The caller destroys it. It uses the built-in network. */
struct eval *eval_create(void);
void eval_destroy(struct eval *eval); /* NULL is allowed */

/* Changes to another network, which must outlive `eval`. Call eval_reset() next. */
void eval_set_network(struct eval *eval, const struct network *network);

/* An eval follows one board. Call eval_reset() for a new root, eval_push() before each move is
 * played on `pos`, and eval_pop() when it is taken back. */
void eval_reset(struct eval *eval);
void eval_push(struct eval *eval, const struct position *pos, move m);
void eval_push_null(struct eval *eval, const struct position *pos);
void eval_pop(struct eval *eval);

/* Calls `watch` with each position that eval_score() is asked for; NULL, and at first: nothing.
 * For training. */
typedef void eval_watch(void *context, const struct position *pos);
void eval_set_watch(struct eval *eval, eval_watch *watch, void *context);

/* The score from the side to move's view, within -EVAL_MAX..EVAL_MAX, of the position that the
 * calls above have led to. Any position is allowed, but only quiet ones are scored well. */
int eval_score(struct eval *eval, const struct position *pos);
