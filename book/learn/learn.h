/* Learning from games that the engine has played with a book: the same loss does not happen twice,
 * and what scored is played more often.
 *
 * For each lost game the moves that our side played by the book are looked at, the last one first.
 * A search says what is best there, and what the move of the book is worth. Where another move is
 * better by the margin, the book plays that one from now on. When no search explains the loss, the
 * book leaves the line all the same: the last move that has another one within the margin gives way
 * to it; when there is none, the last move of the book is not played any more, so that the engine
 * thinks there itself. A move that gives way stays in the book with the weight 0: known, never
 * played. So a book tells by itself which games it avoids.
 *
 * Positions that a review of games found without an answer get the best move of a search before
 * that. They are on no line that the book plays, so what games teach stays the same.
 *
 * For each won or drawn game the weights of the moves go up where there is a choice.
 *
 * The result is a function of the games, the book, the options, the answers of searches and of what
 * the store knew: not of the order of games, nor of threads.
 *
 * A game is learnt from once. The store remembers games, with the book that they were learnt into:
 * the same book given again with the same games becomes the same again, so that a run that was
 * killed can be repeated. */
#pragma once

#include "book/learn/draft.h"
#include "book/learn/games.h"
#include "book/scoring/scorer.h"

/* The part of a game that one side played by its book. */

/* A move by the book. */
struct learn_step {
    size_t ply; /* of the game */
    move move;
    int depth; /* that the graph of a grown book was searched to here; 0: unknown */
};

struct learn_line {
    const struct learn_game *game;
    int side; /* that is ours */
    struct learn_step *steps;
    size_t count;
    size_t capacity;
    bool avoided;   /* the book plays another move than this game now, or never this one */
    bool known;     /* it was learnt from before */
    int exit_score; /* ours, at our first move without the book; LEARN_NO_SCORE: not known */
};

struct findings;

/* How to learn, and what was learnt. */

struct learn_options {
    struct search_limit limit; /* of the searches after a loss */
    int margin_cp;             /* so much better must a move be to take the place of another; and
                                  so much worse it may be when the line has to be left */
    int good_cp; /* a position is good from here on: a move that leads to it explains a loss */
    size_t back; /* look at so many moves of a line, from the last one; 0: all */
    const struct findings *first; /* positions of a review to be answered first; NULL: none */
    bool sides[2];                /* of them those of these colours */
    uint64_t token;               /* tells the book from others: a checksum of its file */

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
    size_t answered;  /* positions of the review that have a move now */
    size_t raised;    /* moves whose weight went up */
};

/* Finds the lines of the games, and which the store knows. No search may be under way. Errors:
 * STATUS_NO_MEMORY; free *out then, too. `book` and `games` are borrowed. */
MUST_CHECK enum caxton_status learn_begin(const struct learn_options *options,
                                          const struct book *book, const struct learn_games *games,
                                          const struct score_store *store, struct learnt *out);

/* Learns. Errors: those of scorer_ask(). */
MUST_CHECK enum caxton_status learn_run(const struct learn_options *options, struct scorer *scorer,
                                        struct learnt *learnt, struct diag *diag);

/* Tells the store what was learnt, when the book is written and nobody searches any more: games and
 * chosen moves. Errors: as score_store_add(). */
MUST_CHECK enum caxton_status learn_remember(const struct learn_options *options,
                                             const struct learnt *learnt, struct score_store *store,
                                             struct diag *diag);

void learnt_free(struct learnt *learnt); /* of {0}, too */
