/* What a user decides himself: --override and --remove, a part of makebook prune. */
#pragma once

#include "book/makebook/cli/source.h"
#include "book/prune/prune.h"
#include "book/weigh/override.h"

/* Begins as {0}. */
struct prune_by_hand {
    struct overrides overrides; /* of the file, then with the lines of --remove */
    bool *added;                /* of each: was its move new to the book? NULL: none was */
    struct option_texts lines;  /* of --remove */
};

/* Reads the file (NULL: none) and the lines. Returns the exit status after naming a fault. */
int prune_by_hand_read(const struct command_line *line, const char *path,
                       struct prune_by_hand *by_hand);

/* Does the file set a weight? */
bool prune_by_hand_sets_weights(const struct prune_by_hand *by_hand);

/* Puts a book with the weights of the file, also of moves that it does not know yet, in the place
 * of source->book. Returns the exit status after naming a fault. */
int prune_by_hand_weigh(const struct command_line *line, struct prune_by_hand *by_hand,
                        struct source *source);

/* Refuses a line of --remove of which the book knows neither the move nor what follows. Returns the
 * exit status after naming it. */
int prune_by_hand_check(const struct command_line *line, const struct prune_by_hand *by_hand,
                        const struct book *book, const struct book_graph *graph);

/* Warns of lines of the file about positions that no line of the book reaches. Moves that
 * prune_by_hand_weigh() added there are no longer among those that fell. */
void prune_by_hand_warn(const struct command_line *line, const char *path,
                        const struct prune_by_hand *by_hand, struct pruning *pruning);

void prune_by_hand_free(struct prune_by_hand *by_hand);
