/* What a user decides himself: --override and --remove, a part of makebook prune. */
#pragma once

#include "book/makebook/cli/source.h"
#include "book/prune/prune.h"
#include "book/weigh/override.h"

/* Begins as {0}. */
struct prune_by_hand {
    struct overrides overrides; /* of the file, then with the lines of --remove */
    struct option_texts lines;  /* of --remove */
};

/* Reads the file (NULL: none) and the lines. Returns the exit status after naming a fault. */
int prune_by_hand_read(const struct command_line *line, const char *path,
                       struct prune_by_hand *by_hand);

/* Puts a book with the weights of the file, also of moves that it does not know yet, in the place
 * of source->book. Returns the exit status after naming a fault. */
int prune_by_hand_weigh(const struct command_line *line, const struct prune_by_hand *by_hand,
                        struct source *source);

/* Refuses a line of --remove of which the book knows neither the move nor what follows. Returns the
 * exit status after naming it. */
int prune_by_hand_check(const struct command_line *line, const struct prune_by_hand *by_hand,
                        const struct book_graph *graph);

void prune_by_hand_free(struct prune_by_hand *by_hand);
