/* Sample games that makebook build writes beside statistics: --samples. */
#pragma once

#include "base/command_line.h"
#include "book/build/builder.h"

struct atomic_file;

/* Begins with `wanted`. */
struct build_samples {
    int64_t wanted; /* games of a position; 0: not asked for */
    char *path;     /* of the file; NULL: none is written */
    struct sample_names names;
    struct samples_file *base; /* of the statistics that games are added to; NULL: none */
    struct atomic_file *file;
};

/* Sets what the counting needs to know. stats: where statistics go, or NULL; is_added_to: they are
 * there, and what they have beside them is gone on with. Returns the exit status after naming a
 * fault. To be ended in any case. */
int build_samples_read(const struct command_line *line, const char *stats, bool is_added_to,
                       struct build_samples *samples, struct count_options *options);

/* Do sample games that are gone on with belong to `base`, the statistics that are added to? False
 * after naming the fault. To be asked before games are read. */
bool build_samples_fit(const struct command_line *line, const struct build_samples *samples,
                       const struct wld_file *base);

/* Lets the builder write to the file, if one is written. False after naming a fault. */
bool build_samples_open(const struct command_line *line, struct build_samples *samples,
                        struct builder *builder);

/* Puts the file in its place, if there is one. Errors: STATUS_IO; `diag` says more. */
MUST_CHECK enum caxton_status build_samples_commit(struct build_samples *samples,
                                                   struct diag *diag);

void build_samples_end(struct build_samples *samples);
