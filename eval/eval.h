/* The score of a quiet position. One struct eval belongs to one thread. */
#ifndef CAXTON_EVAL_EVAL_H
#define CAXTON_EVAL_EVAL_H

#include "chess/position.h"
#include "chess/text.h"

/* No static score reaches this; scores beyond are mates (see search/search.h). */
enum { EVAL_MAX = 20000 };

/* Per-thread state (caches). Its score for a position never depends on what came before. */
struct eval;

/* NULL when there is no memory. The caller destroys it. */
struct eval *eval_create(void);
void eval_destroy(struct eval *eval); /* NULL is allowed */

/* Centipawns from the side to move's view, within -EVAL_MAX..EVAL_MAX. Any position, though only
 * quiet ones are scored well. */
int eval_score(struct eval *eval, const struct position *pos);

/* The static evaluation term by term, one line each, for the `eval` command. */
void eval_explain(const struct position *pos, struct text_buffer *out);

#endif
