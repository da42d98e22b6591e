/* How to learn, and what was learnt. */
#pragma once

#include "book/learn/line.h"
#include "book/scoring/searcher.h"

struct learn_options {
    struct search_limit limit; /* of the searches after a loss */
    int margin_cp;             /* so much better must a move be to take the place of another; and
                                  so much worse it may be when the line has to be left */
    int good_cp;    /* a position is good from here on: a move that leads to it explains a loss */
    size_t back;    /* look at so many moves of a line, from the last one; 0: all */
    uint64_t token; /* tells the book from others: a checksum of its file */

    /* Called before each line that is searched, and during long searches; may be NULL. */
    void (*progress)(void *context);
    void *context;
};

enum learn_kind {
    LEARN_BETTER,   /* a search prefers another move */
    LEARN_DEVIATED, /* no search explains the loss: another move within the margin */
    LEARN_SILENCED, /* the same, and the other moves of the book go on without this one */
    LEARN_LEFT_OUT, /* no other move was good enough: the engine shall think */
    LEARN_AVOIDED,  /* the book does not play this line any more: nothing to be done */
    LEARN_NEVER,    /* no move of the game was the book's */
    LEARN_KINDS
};

/* What was learnt from a lost game; a game can have several. */
struct learn_event {
    enum learn_kind kind;
    size_t line;    /* of learnt.lines */
    size_t ply;     /* of the game, */
    move from;      /* and its move; MOVE_NONE for AVOIDED and NEVER */
    move to;        /* MOVE_NONE: none */
    int from_score; /* by the search, of our side, in centipawns or a mate as in search/score.h;
                       LEARN_NO_SCORE: not searched */
    int to_score;
};

struct learnt {
    struct draft draft; /* the book as it is now */
    struct learn_line *lines;
    size_t line_count;
    size_t line_capacity;
    struct learn_event *events;
    size_t event_count;
    size_t event_capacity;
    size_t kinds[LEARN_KINDS]; /* events */
    size_t won;                /* lines, */
    size_t drawn;
    size_t lost;
    size_t lost_good; /* of them, with a score of good_cp or more at their exit */
    size_t known;     /* lines that were learnt from before: they count nowhere else */
    size_t done;      /* lost lines that were looked at */
    size_t raised;    /* moves whose weight went up */
};
