/* makebook verify for books that are not Polyglot's. */
#ifndef CAXTON_BOOK_MAKEBOOK_COMMANDS_VERIFY_FORMAT_H
#define CAXTON_BOOK_MAKEBOOK_COMMANDS_VERIFY_FORMAT_H

#include "book/format.h"
#include "book/makebook/cli/source.h"

struct verify_format {
    const struct command_line *line;
    const struct source *source; /* the bytes */
    const struct book_format *format;
    const char *output; /* of a repair, NULL: none */
    bool all;           /* name every fault */
    int blunder_cp;     /* name moves that lose so much; 0: do not look */
    const struct position *root;
    FILE *report;
};

/* Returns the exit status. */
int verify_format(const struct verify_format *command);

#endif
