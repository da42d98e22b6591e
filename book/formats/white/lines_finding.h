/* What proof-reading finds in a file of lines. */
#pragma once

#include <stdbool.h>

#include "book/fault.h"

enum lines_fault {
    LINES_FAULTY,          /* does not parse or is not legal: the line counts no further */
    LINES_DUPLICATE,       /* the same moves as line `other` */
    LINES_PREFIX,          /* the beginning of line `other` */
    LINES_APART,           /* begins as line `other`, which stands elsewhere: lines_sort() helps */
    LINES_CUT_OFF,         /* a rewrite leads games away from it */
    LINES_IDLE_REWRITE,    /* leads to where no line goes on */
    LINES_MISSING_REWRITE, /* another order reaches the position of a line; `text` offers */
    LINES_UNANSWERED,      /* the universal reply leaves out a move that no line answers */
    LINES_IDLE_NON_BOOK,   /* a line ends in brackets, and nothing is known there */
    LINES_HALF_PLAYED,     /* a move stands in brackets in one line, and without them in another */
    LINES_NEVER_PLAYED,    /* an alternative that a preference of 100% never comes to */
};

struct lines_finding {
    enum lines_fault fault;
    size_t line;
    size_t column;             /* of the move that `text` names */
    size_t offset;             /* in bytes from the start of the text */
    size_t other;              /* a line that has to do with it, 0 for none */
    enum caxton_status status; /* of LINES_FAULTY: what lines_parse() would return */
    const char *text;          /* "line 12, move 5 `Nd6`: not legal here"; borrowed */
    const char *offer;         /* the missing rewrite as a line of the file, else NULL; borrowed */
};

/* False ends the reading. */
typedef bool lines_visit(void *context, const struct lines_finding *finding);

/* What a finding is among those of all kinds of book, and where; the text is without the line. */
enum book_fault lines_finding_kind(const struct lines_finding *finding);
void lines_finding_diag(const struct lines_finding *finding, struct diag *out);
