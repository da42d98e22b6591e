/* The sample games of a position that makebook show lists: those beside statistics. */
#pragma once

#include "book/makebook/cli/sample_games.h"

struct show_samples {
    struct samples_file *file; /* NULL: there are none */
    struct sample_set set;     /* of the position; its count may be 0 */
};

/* key: of the position as it stands in the statistics. Without sample games out->file is NULL.
 * Damage is named in a warning. To be closed. */
void show_samples_find(const struct command_line *line, const struct source *source, uint64_t key,
                       struct show_samples *out);
void show_samples_close(struct show_samples *samples);

/* The first `wanted` of them to standard output; what cannot be read is said instead. */
void show_samples_print(const struct show_samples *samples, size_t wanted);
void show_samples_print_json(struct json *json, const struct show_samples *samples, size_t wanted);

/* The text of game `number`, from 1. False after one line on standard error. */
bool show_samples_print_game(const struct command_line *line, const struct show_samples *samples,
                             int64_t number);
