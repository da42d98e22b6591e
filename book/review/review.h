/* Games against a repertoire: where each left it, by whom, and what that cost.
 *
 * By position: a game has left the repertoire behind the last of its positions that is one of it,
 * so another order of moves is no deviation. A position is one of it where lines lead in which our
 * side plays moves of the book only, and the opponent those that the book answers; and what is
 * behind the last moves of these lines. */
#pragma once

#include "base/key_table.h"
#include "book/graph/graph.h"
#include "book/scoring/scorer.h"
#include "chess/pgn.h"

enum review_kind {
    REVIEW_DEVIATION, /* we played another move than the book's */
    REVIEW_GAP,       /* the book has no answer to the opponent's move, but to others there */
    REVIEW_ENDED,     /* the book's line had ended: it answers no move there */
    REVIEW_STAYED,    /* the game, as far as it was read, ended before */
    REVIEW_OUTSIDE,   /* no position of it is one of the repertoire */
    REVIEW_KINDS
};

/* As JSON has them: "deviation", "gap" .. */
extern const char *const review_kind_names[REVIEW_KINDS];

/* What followed: our move, behind the end of a line the opponent's. */
struct review_played {
    move move;
    uint64_t games;
    uint64_t points; /* half points, ours */
    int score_cp;    /* ours, after review_search() */
};

enum { REVIEW_SAMPLES = 3 };

/* A position where games left the repertoire: we are to move in it, having deviated, or having no
 * answer to the opponent's last move; or the book's line has ended with our move to it. */
struct review_spot {
    uint64_t key; /* of the position, and of the kind */
    enum review_kind kind;
    int color;             /* ours */
    struct position start; /* where the line begins */
    struct position pos;
    move *line; /* of the first game, to the position */
    size_t plies;
    struct review_played *played; /* the most played first */
    size_t played_count;
    size_t played_capacity;
    uint64_t games;
    uint64_t points; /* half points, ours */
    double expected; /* likewise, of what the book's games and all of ours say */
    double usual;    /* part of the games for which only ours say it; before review_rank() */
    size_t samples[REVIEW_SAMPLES]; /* the first games, numbered as they were added */
    move best;                      /* of the book, or of the search; MOVE_NONE: neither */
    bool searched;                  /* then: */
    int best_cp;                    /* of `best`, ours */
    int64_t lost_cp;                /* by all games together; below 0: what was played is better */
};

struct review_counts {
    uint64_t games[REVIEW_KINDS];
    double lost[REVIEW_KINDS]; /* half points, after review_rank() */
    uint64_t plies;            /* that games were in the repertoire, all together */
    uint64_t returned;         /* games that left it and came back in another order of moves */
    uint64_t all;              /* games, */
    uint64_t points;           /* and half points */
};

struct review {
    const struct book *books[2];    /* by our colour */
    struct book_graph graphs[2];    /* by our colour: our moves of the book, with replies to them */
    bool sides[2];                  /* of which colours it plays moves */
    uint32_t deepest;               /* the most plies to one of them */
    size_t added;                   /* games */
    struct review_counts counts[2]; /* by our colour */
    struct review_spot *spots;
    size_t spot_count;
    /* private */
    size_t spot_capacity;
    struct key_table spot_table;
    uint64_t *ours; /* positions behind our moves, sorted */
    size_t our_count;
    size_t our_capacity;
};

/* Borrows the books, one for each colour that is ours; they may be the same. Errors: as
 * book_graph_create(). Free *out then, too. */
MUST_CHECK enum caxton_status review_create(const struct book *const books[2], struct review *out,
                                            struct diag *diag);
void review_free(struct review *review); /* of {0}, too */

/* The moves that the book plays here, by position, the heaviest first. Returns how many. */
int review_moves(const struct review *review, const struct position *pos,
                 struct book_move out[MOVES_MAX]);

struct review_outcome {
    enum review_kind kind;
    size_t plies;  /* of the game to the last position of the repertoire */
    bool returned; /* it had left it before, and came back */
};

/* Adds a game with a result, seen from the side of `color`. Errors: STATUS_NO_MEMORY, those of
 * book_look_up(). */
MUST_CHECK enum caxton_status review_add(struct review *review, const struct pgn_game *game,
                                         int color, struct review_outcome *out, struct diag *diag);

/* Searches the book's move, where it has none the best one, and what was played. *done: spots.
 * Errors: as scorer_ask(). */
MUST_CHECK enum caxton_status review_search(struct review *review, struct scorer *scorer,
                                            struct search_limit limit, size_t *done,
                                            struct diag *diag);

/* Says what each spot is expected to score, and sorts them: those that cost most first, by searches
 * where there are any. Expected is the mean of the games that the book's moves scored there and of
 * ten more that score as all our games with that colour did: few games say little (a Bayesian
 * average). */
void review_rank(struct review *review);
