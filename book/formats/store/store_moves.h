/* The moves that a store makes as a book. */
#pragma once

#include "book/entry_table.h"
#include "book/store/score_store.h"

/* Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status store_moves(const struct score_store *store, struct entry_list *out);
