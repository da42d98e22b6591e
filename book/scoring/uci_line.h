/* Lines that a UCI engine writes: what an option is, how far a search is.
 * Source: UCI protocol, April 2006. */
#pragma once

#include "base/text.h"
#include "search/score.h"

/* An "option" line. Spans are borrowed from it. */
struct uci_option {
    struct span name;
    struct span type;
    bool has_range; /* of a spin: min and max */
    int64_t min;
    int64_t max;
};

/* What an "info" line says of the best line of play. */
struct uci_info {
    bool has_score;
    int score; /* of this program's scale, see search/score.h */
    enum score_bound bound;
    int depth;      /* 0 .. SEARCH_DEPTH_MAX; 0: not said */
    uint64_t nodes; /* 0: not said */
};

/* Options are named without regard to case. */
bool uci_read_option(struct span line, struct uci_option *out);

/* False: no "info" line, or one about another line than the best. Words that are not known, and
 * numbers that are none, are passed over. */
bool uci_read_info(struct span line, struct uci_info *out);

/* Is the first word of `line` that one? Then it is taken off, with the blanks behind it. */
bool uci_take_word(struct span *line, const char *word);
