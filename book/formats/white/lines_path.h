/* A way through the tree of lines with the position at every step, so that going back is free. */
#pragma once

#include "book/formats/white/lines.h"

struct lines_path {
    int plies;
    uint32_t nodes[LINES_PLIES_MAX + 1];
    struct position positions[LINES_PLIES_MAX + 1];
};

/* NULL: no memory. free() takes it. */
struct lines_path *lines_path_create(const struct lines *lines);
/* Leads `path` to `node`; returns how many plies it kept. */
int lines_path_seek(struct lines_path *path, const struct lines *lines, uint32_t node);
