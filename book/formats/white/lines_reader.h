/* The state of reading a file of lines, which the readers of its parts share. */
#pragma once

#include "book/formats/white/lines_path.h"

struct lines_reader {
    struct lines *lines;
    const char *line; /* where the line begins */
    size_t number;    /* of the line, from 1 */
    unsigned seen;    /* a bit for each kind of item that was read */
    bool has_style;
    bool has_prefer;
    struct lines_path *moves;    /* the last line of moves */
    struct lines_path *rewrites; /* the left side of the last rewrite */
    struct diag fault;           /* of the last function that failed, */
    enum caxton_status status;   /* and what it returned */
};

/* Keeps "line N, WHAT" as the fault, at `at`; returns `status`. */
MUST_CHECK enum caxton_status lines_fail(struct lines_reader *reader, enum caxton_status status,
                                         const char *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* When the file has not said it, the style is that of this move. */
void lines_guess_style(struct lines_reader *reader, struct span first);
