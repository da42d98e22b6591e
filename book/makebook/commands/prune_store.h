/* What a store of searches knows of the moves of a book: a part of makebook prune. */
#pragma once

#include "book/makebook/cli/source.h"
#include "book/prune/prune.h"
#include "book/store/deepest_answers.h"

/* Begins as {0}. */
struct prune_store {
    struct source source;
    struct score_store *store;
    struct deepest_answers answers; /* of all positions */
};

/* Reads a store of any searcher. False after one line on standard error. */
bool prune_store_read(const struct command_line *line, const char *path, struct prune_store *out);
void prune_store_free(struct prune_store *store);

/* As struct prune_options.facts: games and scores. store: a struct prune_store. */
void prune_store_facts(void *store, uint64_t key, const struct position *pos, uint16_t stored,
                       struct prune_facts *out);
