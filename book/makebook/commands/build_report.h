/* The closing report of makebook build. */
#pragma once

#include <stdio.h>

#include "base/command_line.h"
#include "base/file.h"
#include "book/count/builder.h"
#include "book/makebook/cli/report.h"

/* Where the lines of a new book end. */
struct leaves {
    bool known;
    uint64_t leaves;    /* moves that the book has nothing to say after */
    uint64_t unreached; /* positions of the book on no such line, whose moves were not looked at */
    bool one_side;      /* lines go along the replies, too; else along the book's own moves alone */
};

struct build_summary {
    const struct build_report *report;
    uint64_t bytes; /* read, unpacked */
    int64_t elapsed_ms;
    int64_t as_of;        /* YYYYMMDD, that games were aged to; 0 = they were not */
    struct leaves leaves; /* of the book */
    bool has_book;
    bool has_stats;
};

/* As text for people, or as one JSON object on one line. Bytes of file names and reasons that are
 * no UTF-8 become U+FFFD there. */
void build_report_write(FILE *out, bool as_json, const struct build_summary *summary);

/* Which games were left out and why, similar names, the first bad games: a part of a report. */
void build_report_left_out(struct report *to, const struct count_report *report);

/* A bad game on one line, without its end: "FILE:LINE:COLUMN: game NUMBER: REASON". */
void build_report_bad_game(FILE *out, const struct bad_game *bad);

/* Warns that there are no games in an input that begins so, and says what it is where that is
 * known. */
void build_warn_no_games(const struct command_line *line, const char *name,
                         const struct file_begin *begin);

/* Writes why `report`, of a book or of statistics, has no move: the one reason that cost most, with
 * the option that would change it: "12 of 12 games had no result (--unfinished counts them)".
 * min_games: that a move needed. */
void build_report_nothing(const struct build_report *report, uint64_t min_games,
                          struct text_buffer *out);
