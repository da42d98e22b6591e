/* Proof-reading a file of lines: what lines_verify.c and lines_verify_orders.c share. */
#ifndef CAXTON_BOOK_FORMATS_WHITE_LINES_VERIFY_H
#define CAXTON_BOOK_FORMATS_WHITE_LINES_VERIFY_H

#include "book/formats/white/lines_internal.h"

struct proof {
    const struct lines *lines;
    lines_visit *visit;
    void *context;
    bool ended; /* the visitor has had enough */
    struct lines_path *path;
    struct lines_path *named; /* the line whose moves are told */
    uint32_t *marks;          /* for each node, by the check that runs */
    size_t *starts;           /* for each item, the offset of its line */
    struct lines_place place;
};

/* About the line of an item; other: an item that has to do with it, LINES_NONE for none. */
struct lines_finding proof_finding(enum lines_fault fault, size_t item, uint32_t other);

/* Gives the finding, about move `ply` of its line, to the visitor. */
void proof_tell(struct proof *proof, struct lines_finding finding, int ply, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Offers the missing rewrites. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status proof_check_orders(struct proof *proof);

#endif
