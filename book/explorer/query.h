/* What a request of the opening explorer's interface asks for: its parameters, read. Names, forms,
 * defaults and bounds are those of Lichess's server; where they differ,
 * book/makebook/serve/README.md says so. Source: github.com/lichess-org/lila-openingexplorer, July
 * 2026. */
#pragma once

#include "base/text.h"
#include "book/statistics/facets.h"
#include "chess/eco.h"
#include "chess/position.h"

/* By the path that is asked. Bits, for a table of what each knows. */
enum explorer_kind {
    EXPLORER_LICHESS = 1, /* games of a site, by month, speed and rating */
    EXPLORER_HISTORY = 2, /* the same: totals by month alone */
    EXPLORER_MASTERS = 4, /* games over the board, by year */
    EXPLORER_PLAYER = 8,  /* one player's games with one colour */
    EXPLORER_PAGE = 16    /* games of any site: our own page, which may ask for any year */
};

enum { EXPLORER_NAME_MAX = 31, EXPLORER_LICHESS_TOP = 4, EXPLORER_TOP = 15, EXPLORER_RECENT = 8 };

struct explorer_query {
    enum explorer_kind kind;
    bool is_chess;             /* no other variant, of which no games are known */
    struct position pos;       /* after the moves of `play` */
    struct eco const *opening; /* the last named position on the way; NULL: none */
    struct facet_filter filter;
    uint32_t moves; /* are listed at most, */
    uint32_t top_games;
    uint32_t recent_games;
    bool history;
    char player[EXPLORER_NAME_MAX]; /* small letters */
    int color;
};

/* Reads "fen=..&play=..", still with its escapes; empty: all defaults. *out is untouched on
 * failure. Errors, with the text of the answer in `diag`: STATUS_SYNTAX (what cannot be read),
 * STATUS_ILLEGAL (a position or move against the rules); STATUS_NO_MEMORY. Any thread. */
MUST_CHECK enum caxton_status explorer_query_parse(struct span text, enum explorer_kind kind,
                                                   struct explorer_query *out, struct diag *diag);
