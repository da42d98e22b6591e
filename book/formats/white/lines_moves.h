/* Reading lines of moves and rewrites; and the state of reading a file, which its parts share. */
#pragma once

#include "book/format.h"
#include "book/formats/white/lines.h"

/* What a line says of one of its moves. */
struct lines_mark {
    bool bracketed;
    bool weighed;
    uint32_t weight;
};

struct lines_reader {
    struct lines *lines;
    book_fault_sink sink; /* gets the faults; NULL: nobody */
    void *context;
    const char *line; /* where the line begins */
    size_t number;    /* of the line, from 1 */
    unsigned seen;    /* a bit for each kind of item that was read */
    bool has_style;
    bool has_prefer;
    bool no_start;           /* `start` was at fault: nobody knows where the lines begin */
    char shown[32];          /* a word of the file, for a message */
    struct lines_path moves; /* the last line of moves */
    struct lines_mark marks[LINES_PLIES_MAX + 1]; /* of its moves, from 1 */
    struct lines_path rewrites;                   /* the left side of the last rewrite */
    struct lines_path targets;                    /* its right side, behind the shared moves */
};

/* Reports a fault at `at`; returns `status`. */
enum caxton_status lines_fail(struct lines_reader *reader, enum caxton_status status,
                              const char *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same of a word: "`WORD`: WHY". */
enum caxton_status lines_fail_word(struct lines_reader *reader, enum caxton_status status,
                                   struct span word, const char *why);
/* A piece of the file for a message: cut, and without control characters. Valid until the next. */
const char *lines_shown(struct lines_reader *reader, struct span text);

/* When the file has not said it, the style is that of this move. */
void lines_guess_style(struct lines_reader *reader, struct span first);

/* Reads a line of moves or a rewrite; fills `item`, of a fault only its kind. */
MUST_CHECK enum caxton_status lines_read_orders(struct lines_reader *reader, struct span content,
                                                struct lines_item *item);
