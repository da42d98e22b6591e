/* The faults of a book file, by name. */
#pragma once

#include "base/status.h"

enum book_fault {
    BOOK_FAULT_SIZE,      /* the file is cut, or its size fits no whole entries */
    BOOK_FAULT_ORDER,     /* entries that are not where the format wants them */
    BOOK_FAULT_DUPLICATE, /* a move that its position has already */
    BOOK_FAULT_SYNTAX,    /* text that is no move, no position, no number */
    BOOK_FAULT_ILLEGAL,   /* a move or position against the rules */
    BOOK_FAULT_AMBIGUOUS, /* a move that could be several */
    BOOK_FAULT_CASTLING,  /* castling not written as the format wants it */
    BOOK_FAULT_LINK,      /* a reference to something outside the file */
    BOOK_FAULT_LOOP,      /* a reference that comes back to itself */
    BOOK_FAULT_CUT_OFF,   /* lines that no game can come to */
    BOOK_FAULT_DAMAGE,    /* bytes that do not fit their checksum */
    BOOK_REMARK_APART,    /* from here on: not worth a failure. Similar lines that stand apart */
    BOOK_REMARK_IDLE,     /* what changes no answer */
    BOOK_REMARK_ORDER,    /* another order of moves to a position that could be named */
    BOOK_REMARK_GAP,      /* a move that is expected and has no answer */
    BOOK_FAULTS,
    BOOK_REMARKS = BOOK_REMARK_APART
};

/* Receives the faults of a file, in the order of the file. diag: place and one plain sentence
 * without the name of the file. offer: the text of a line that would mend it, NULL for none. All is
 * borrowed until the sink returns. */
typedef void (*book_fault_sink)(void *context, enum book_fault fault, const struct diag *diag,
                                const char *offer);
