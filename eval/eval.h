/* The score of a quiet position. One struct eval belongs to one thread. */
#ifndef CAXTON_EVAL_EVAL_H
#define CAXTON_EVAL_EVAL_H

#include "base/text.h"
#include "chess/position.h"

/* No static score reaches this; scores beyond are mates (see search/search.h). */
enum { EVAL_MAX = 20000 };

/* Half of the games are won from this score: fitted by eval/train/wdl.py to games of the built-in
 * network with itself, 2 seconds and 0.02 a move. */
enum { EVAL_HALF = 116 };

/* A score, no mate, as people are shown it: 100 centipawns win half of the games. */
static inline int eval_centipawns(int score)
{
    return score * 100 / EVAL_HALF;
}

/* Moves that can be pushed one upon the other. */
enum { EVAL_PLY_MAX = 160 };

struct network;

/* Per-thread state (caches). Its score for a position never depends on what came before. */
struct eval;

/* NULL when there is no memory. The caller destroys it. It uses the built-in network. */
struct eval *eval_create(void);
void eval_destroy(struct eval *eval); /* NULL is allowed */

/* Takes another network into use, borrowed. The next call is eval_reset(). */
void eval_set_network(struct eval *eval, const struct network *network);

/* Which position will be scored. An eval follows one board: it is told where that starts and each
 * move before it is played on `pos`, and each that is taken back. */
void eval_reset(struct eval *eval);
void eval_push(struct eval *eval, const struct position *pos, move m);
void eval_push_null(struct eval *eval);
void eval_pop(struct eval *eval);

/* The score from the side to move's view, within -EVAL_MAX..EVAL_MAX, of the position that the
 * calls above have led to. Any position, though only quiet ones are scored well. */
int eval_score(struct eval *eval, const struct position *pos);

/* How the score of any position comes about, for the `eval` command: what each piece is worth and
 * what every output says; or that it is the score of a bare king. */
void eval_explain(const struct network *network, const struct position *pos,
                  struct text_buffer *out);

#endif
