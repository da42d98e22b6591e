/* What statistics know of the moves of their book: a part of makebook prune. */
#pragma once

#include "book/makebook/cli/source.h"
#include "book/prune/prune.h"

/* Begins as {0}. */
struct prune_tallies {
    struct tally *list; /* in the order of tally_compare() */
    size_t count;
    size_t capacity;
    bool mirrored;
};

/* Reads the statistics of source->stats, and makes the book of all of their moves, as
 * source_open_walk() does. False after one line on standard error. */
bool prune_tallies_read(const struct command_line *line, struct source *source,
                        enum wld_weights weights, struct prune_tallies *out);
void prune_tallies_free(struct prune_tallies *tallies);

/* As struct prune_options.facts. tallies: a struct prune_tallies. */
void prune_tallies_facts(void *tallies, uint64_t key, const struct position *pos, uint16_t stored,
                         struct prune_facts *out);
