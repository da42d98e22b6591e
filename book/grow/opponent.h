/* What the opponent plays: the moves of the given books, as probable as their weights say; where
 * none of them knows the position, all legal moves alike, or the likelier the better they are. */
#pragma once

#include "book/book.h"
#include "book/scoring/scorer.h"
#include "chess/game.h"
#include "chess/movegen.h"

/* A move with the probability that it is played, for either side. */
struct played_move {
    move move;
    double probability; /* of all that are given, 1 in sum */
};

/* The moves of the book in the position that `game` has reached, as probable as their weights say,
 * at most MOVES_MAX; a book of lines is asked by the game, and then by the position alone. Moves of
 * weight 0 are never played. Returns how many. */
int played_by_book(const struct book *book, const struct game *game, struct played_move *out);

/* One of those that may sit opposite. */
struct opponent_source {
    const struct book *book; /* what he plays; weights of statistics are numbers of games */
    double share;            /* how often it is he, in proportion to the others' shares; > 0 */
};

/* {0}: he plays anything. */
struct opponent {
    const struct opponent_source *sources; /* borrowed */
    size_t source_count;
    /* Outside all of them. 0: legal moves are alike. Else the position behind each is searched to
     * so many plies, and a move of score s is played with a probability in proportion to
     * exp(s / temperature), a soft-max. */
    int shallow_depth;
    double
        temperature; /* centipawns, > 0: of two moves that differ by it one is e times likelier */
};

struct opponent_moves {
    struct played_move moves[MOVES_MAX];
    int count; /* 0: mate or stalemate */
    bool in_book;
    size_t searches; /* that they are made of */
    uint64_t nodes;  /* of these */
};

/* The moves in the position that `game` has reached. Where several sources know it, each counts by
 * its share among these: a move is as probable as it is with an opponent drawn from them. Errors:
 * those of scorer_ask(). */
MUST_CHECK enum caxton_status opponent_play(const struct opponent *opponent, struct scorer *scorer,
                                            const struct game *game, struct opponent_moves *out,
                                            struct diag *diag);

/* What opponent_play() would ask for in that position and has no answer yet, at most `capacity`. To
 * see whether a book knows it, lines are not looked at. Returns how many. */
size_t opponent_missing(const struct opponent *opponent, struct scorer *scorer,
                        const struct position *pos, struct scorer_question *out, size_t capacity);

/* The probability that the opponent is still in his book after a move to `pos`: the share of the
 * sources that know it; 0: none does. */
double opponent_knows(const struct opponent *opponent, const struct position *pos);
