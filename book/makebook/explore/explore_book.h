/* A book that goes onto a page: what explore reads of it. */
#pragma once

#include "base/progress.h"
#include "book/makebook/cli/expecting.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/explore/explore_page.h"
#include "book/makebook/explore/page_games.h"

struct explore_book {
    struct source source;
    struct expecting expecting; /* with --replies: the graph is of both books */
    struct book_graph graph;
    struct explore_games games; /* samples beside statistics */
};

/* What is left out. */
struct explore_limits {
    const struct position *root; /* NULL: lines begin at the usual start */
    uint32_t max_ply;            /* 0: none; the page leaves out what is behind it */
    uint64_t min_games;
    bool skip_damaged;
    struct expecting expecting; /* options */
    int color;                  /* of them: as for expecting_open() */
};

/* Reads the book and follows its lines. *out must not move. Returns false after one line on
 * standard error. explore_book_close() in any case. */
bool explore_book_open(const struct command_line *line, const char *path,
                       const struct explore_limits *limits, struct progress *progress,
                       struct explore_book *out);
void explore_book_close(struct explore_book *book);

/* The book as a part of a page, which borrows from it. */
struct explore_part explore_book_part(const struct explore_book *book);

/* Tells what of the book is not on the page. */
void explore_book_report(const struct command_line *line, const struct explore_book *book,
                         const struct explore_limits *limits, const struct explore_sizes *sizes);

/* Reads a WebAssembly module for a page, to be freed; path NULL: none. Errors: those of
 * file_read(), STATUS_FORMAT. */
MUST_CHECK enum caxton_status explore_engine_read(const char *path, uint8_t **bytes, size_t *size,
                                                  struct diag *diag);
