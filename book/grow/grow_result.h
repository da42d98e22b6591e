
#include <stdlib.h>

#include "book/grow/grow.h"
#include "book/scoring/score_store.h"

/* The graph of a grown book, kept in the store beside the answers. */

/* Puts the graphs of `count` books, of one side each, into the store, instead of what it had. Own
 * positions that are too improbable to be searched are left out. Errors: as score_store_add(). */
MUST_CHECK enum caxton_status grow_keep(const struct grow *const *grown, size_t count,
                                        struct score_store *store, struct diag *diag);
