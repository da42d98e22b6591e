/* The graph of a book by drop-out expansion, kept in the store beside the answers. */
#pragma once

#include "book/grow/dropout.h"
#include "book/store/score_store.h"

/* Puts the graphs of `count` books, of one side each, into the store, instead of what it had: the
 * positions that own moves of the book and scored replies lead to. A reply is as probable as its
 * weight in dropout_entries() says. Errors: as score_store_add(). */
MUST_CHECK enum caxton_status dropout_keep(const struct dropout *const *grown, size_t count,
                                           struct score_store *store, struct diag *diag);
