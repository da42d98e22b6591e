/* What the engine writes: whole lines, each in one piece and flushed at once.
 *
 * Every function may be called from any thread at any time; lines never mix: each is one call of
 * stdio, which locks the stream. Nothing is allocated. After a stream has refused a line (ferror())
 * nothing more is written to it: the interface is gone. */
#pragma once

#include <stdio.h>

#include "base/text.h"
#include "search/search.h"

/* Longer lines are cut. A principal variation of SEARCH_PLY_MAX moves fits. */
enum { REPORT_LINE_MAX = 2048 };

/* Where lines go. Both are borrowed. Not to be changed while another thread may write. */
struct output {
    FILE *stream;
    void (*copy)(void *context, const char *line); /* is given each line, too; NULL: nobody is */
    void *context;
};

/* How moves and scores are shown. */
struct report_style {
    bool chess960; /* castling as king takes rook */
    bool wdl;      /* with the chances to win, draw and lose */
    int material;  /* of the position searched, by wdl_material(): the chances depend on it */
};

/* One line, without its newline; control characters are shown as '?'. out: NULL is nowhere. */
void report_line(struct output *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of an "info string"; the format is a string literal. */
#define report_string(out, ...) report_line(out, "info string " __VA_ARGS__)

/* A line of another program, neither cut nor changed, without its newline. It has no copy. */
void report_raw(struct output *out, struct span line);

/* How much of a user's text a line quotes, for "%.*s". */
int report_quote_size(struct span text);

void report_info(struct output *out, struct report_style style, const struct search_info *info);
void report_current(struct output *out, struct report_style style, int depth, move m, int number);
/* "bestmove M [ponder P]"; "(none)" for MOVE_NONE. */
void report_best(struct output *out, struct report_style style, move best, move ponder);

/* "cp 35" or "mate -3" from a search score. Won by a table in n plies: cp 20000 - n. */
void report_score(struct text_buffer *text, int score);
/* "+0.34" or "+M5": pawns, or moves to mate. */
void report_pawns(struct text_buffer *text, int score);
