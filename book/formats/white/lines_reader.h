/* Reading a file of lines: what lines_read.c, lines_moves.c and lines_settings.c share. */
#ifndef CAXTON_BOOK_FORMATS_WHITE_LINES_READER_H
#define CAXTON_BOOK_FORMATS_WHITE_LINES_READER_H

#include "book/formats/white/lines_internal.h"

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

/* A piece of the file for a message: cut, without bytes that a terminal might mind. */
enum { LINES_SHOWN_MAX = 32 };
const char *lines_shown(struct span text, char out[LINES_SHOWN_MAX]);

/* Takes a move off the front of `rest`, which begins with no blank and no bracket. In brackets it
 * ends before the closing one. */
struct span lines_cut_move(const struct lines *lines, struct span *rest, bool bracketed);
/* Takes a `:` and what is meant as a weight off the front of `rest`; returns the weight. */
struct span lines_cut_weight(const struct lines *lines, struct span *rest);
/* Errors: STATUS_SYNTAX, STATUS_ILLEGAL, STATUS_AMBIGUOUS. */
MUST_CHECK enum caxton_status lines_read_move(const struct lines *lines, const struct position *pos,
                                              struct span text, move *out);
/* Why lines_read_move() refused. */
const char *lines_move_fault(const struct lines *lines, enum caxton_status status,
                             struct span text);
/* When the file has not said it, the style is that of this move. */
void lines_guess_style(struct lines_reader *reader, struct span first);

/* A line of moves or a rewrite; fills `item` but for its kind, which is *kind. */
enum caxton_status lines_read_orders(struct lines_reader *reader, struct span content,
                                     struct lines_item *item, enum lines_kind *kind);

/* One setting or the universal reply each, without its first word. */
enum caxton_status lines_read_style(struct lines_reader *reader, struct span rest);
enum caxton_status lines_read_start(struct lines_reader *reader, struct span rest);
enum caxton_status lines_read_prefer(struct lines_reader *reader, struct span rest);
enum caxton_status lines_read_transpose(struct lines_reader *reader, struct span rest);
enum caxton_status lines_read_otherwise(struct lines_reader *reader, struct span rest);

#endif
