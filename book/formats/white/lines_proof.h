/* A proof-reading under way: what its checks share, and how they name what they find. */
#pragma once

#include "book/formats/white/lines_finding.h"
#include "book/formats/white/lines_path.h"

/* The place of a move that was found, so that the next one is found from there. */
struct lines_place {
    const struct lines_item *item; /* of its line; NULL: none */
    struct span content;
    struct span rest; /* from move `ply` on */
    int ply;
};

struct proof {
    const struct lines *lines;
    lines_visit *visit;
    void *context;
    bool ended; /* `visit` has returned false */
    struct lines_path *path;
    struct lines_path *named; /* the line whose move is named */
    uint32_t *marks;          /* for each node, by the check that runs */
    struct lines_place place;
};

/* About the line of an item; other: an item that has to do with it, LINES_NONE for none. */
struct lines_finding proof_finding(enum lines_fault fault, size_t item, uint32_t other);

/* Gives the finding, about move `ply` of its line, to the visitor. */
void proof_tell(struct proof *proof, struct lines_finding finding, int ply, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
