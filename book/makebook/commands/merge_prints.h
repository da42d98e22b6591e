/* Why a sum does not know its games although some of its parts do: a part of makebook merge. */
#pragma once

#include "base/command_line.h"
#include "book/statistics/wld_file.h"

struct merge_prints {
    int updatable;     /* inputs with fingerprints, */
    const char *plain; /* and the name of the first without, borrowed; NULL: none */
    uint64_t twice;    /* games that several inputs have, as far as it is known */
};

/* Counts an input. `name` stays the caller's. */
void merge_prints_note(struct merge_prints *prints, const struct wld_reader *reader,
                       const char *name);

/* One line on standard error where fingerprints of the inputs were lost. */
void merge_prints_warn(const struct merge_prints *prints, const struct command_line *line,
                       bool force);
