/* Openings for matches of engines: positions, each once, and the moves that lead to them. They are
 * gathered from lines, filtered, searched until their scores lie in a window, and mixed. */
#pragma once

#include "book/graph/graph.h"
#include "book/scoring/scorer.h"
#include "chess/game.h"

enum { SUITE_PLIES_MAX = 100 };

struct suite_opening {
    uint64_t key; /* of the last position, without an en passant capture that is not legal */
    size_t first; /* its moves: moves[first .. first + plies) */
    uint32_t root;
    uint32_t plies;
    uint32_t added; /* so many lines led to it */
    int white_cp;   /* White's score by the search that chose it; 0: none did */
};

/* Begins as {0}. */
struct suite {
    struct suite_opening *openings;
    size_t count;
    size_t capacity;
    struct position *roots;
    size_t root_count;
    size_t root_capacity;
    move *moves;
    size_t move_count;
    size_t move_capacity;
    size_t lines; /* that were added, */
    size_t found; /* and their positions */
    struct key_table table;
};
void suite_free(struct suite *suite);

/* Adds what `plies` legal moves from `root` lead to; a position that is there already stays as it
 * is. *out (NULL: nobody asks) is its index. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status suite_add(struct suite *suite, const struct position *root,
                                        const move *moves, size_t plies, uint32_t *out);

/* Adds what lines of a book lead to whose length is from plies[0] to plies[1]: lines from the
 * starts of games, by the moves that it plays with at least that weight, the heaviest first. Where
 * a book of one side's moves knows none, by the replies that lead into it. Of several lines to a
 * position the shortest counts. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status suite_add_book(struct suite *suite, const struct book_graph *graph,
                                             const int plies[2], uint32_t weight_min);

/* All starts of Chess960, or of both sides' own one. */
MUST_CHECK enum caxton_status suite_add_chess960(struct suite *suite, bool is_double);

/* The position of an opening. game: NULL, or gets its moves. Errors: STATUS_NO_MEMORY (of game). */
MUST_CHECK enum caxton_status suite_position(const struct suite *suite,
                                             const struct suite_opening *opening, struct game *game,
                                             struct position *out);

/* Mixes the openings: an order that the seed and the positions decide, whatever the order was. It
 * can be added to no more. */
void suite_mix(struct suite *suite, uint64_t seed);

/* Choosing ------------------------------------------------------------------------------------ */

/* Why an opening is left out, in the order in which is asked. */
enum suite_fall {
    SUITE_RARE,     /* too few lines lead to it */
    SUITE_ENDED,    /* the game is over */
    SUITE_CHECK,    /* the side to move is in check */
    SUITE_MEN,      /* too many or too few */
    SUITE_QUEENS,   /* one is gone */
    SUITE_CASTLING, /* a side can castle no more */
    SUITE_SCAN,     /* far outside the window by a short search */
    SUITE_SCORE,    /* outside the window */
    SUITE_SIDE,     /* the other side is better, or more of them are better for this one */
    SUITE_ENOUGH,   /* no more are wanted */
    SUITE_FALLS
};

enum suite_side { SUITE_EQUAL, SUITE_ANY, SUITE_WHITE, SUITE_BLACK };

struct suite_rules {
    size_t games_min; /* lines that lead to it */
    int men[2];       /* the least and the most */
    bool queens;
    bool castling;
    size_t wanted; /* SIZE_MAX: all */

    bool by_draws; /* the window is of the chance to draw in percent, else of centipawns for */
    int window[2]; /* the side that is better; both ends belong to it */
    enum suite_side side;      /* who is better; SUITE_EQUAL: White in half of the positions */
    struct search_limit limit; /* of the searches that decide */
};

struct suite_choice {
    size_t falls[SUITE_FALLS];
    size_t looked_at; /* by searches */
    size_t kept;
    size_t ahead[2]; /* of these, by who is better */
};

/* Leaves the openings of a mixed suite that pass; scorer: NULL where nothing is searched. What
 * stays depends on the suite, the rules and the answers of searches. Errors: STATUS_NO_MEMORY;
 * those of scorer_ask(). */
MUST_CHECK enum caxton_status suite_choose(struct suite *suite, const struct suite_rules *rules,
                                           struct scorer *scorer, struct suite_choice *choice,
                                           struct diag *diag);
