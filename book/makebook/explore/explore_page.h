/* Writes the page of makebook explore: page.html with all its places filled. */
#pragma once

#include <stdio.h>

#include "base/text.h"
#include "book/makebook/cli/stores.h"
#include "book/makebook/explore/explore_data.h"

/* A book that is on the page, or that the page asks for. */
struct explore_part {
    const char *title; /* any bytes: escaped */
    const struct book *book;
    const struct book_graph *graph;        /* of a book that is on the page */
    const struct expected_graph *expected; /* NULL, or what the book is expected to score */
    const struct store_reading *searches;  /* scores of its moves; NULL: none */
    struct span games;                     /* JSON of page_games.h; empty: none */
};

struct findings;

struct explore_page {
    const char *title;  /* of the page; any bytes: escaped */
    const char *served; /* FEN of where a book begins that is not on the page, which asks explore
                           --serve for each position; NULL: the page holds the book */
    struct explore_part book;
    const struct explore_part *rival; /* a second book beside it, or NULL */
    const struct findings *review;    /* marked on the first book, or NULL */
    uint32_t max_ply;                 /* see explore_data_write() */
    struct span engine;               /* a WebAssembly module; empty: a page without an engine */
};

/* Writes the page. sizes: what it holds of each book. Errors: STATUS_NO_MEMORY, STATUS_IO. */
MUST_CHECK enum caxton_status explore_page_write(const struct explore_page *page, FILE *out,
                                                 struct explore_sizes sizes[2]);
