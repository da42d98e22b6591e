/* What searches and games say of a position and its moves, for those kinds of book that keep it. */
#pragma once

#include "chess/movegen.h"

struct book_move_facts {
    bool searched; /* then: */
    int score;     /* as search/score.h, side to move's view */
    int depth;     /* of the search, from this position */
    uint64_t nodes;
    double probability; /* that it is chosen here; below 0: not known */
    bool chosen;        /* it is to be played whatever its score */
    uint64_t wins;      /* games of the side to move with it */
    uint64_t draws;
    uint64_t losses;
    bool has_record; /* the file has numbers of its own for the move, as it says them: */
    uint64_t games;
    uint64_t won;
    uint64_t lost;
    int priority;
};

struct book_facts {
    const char
        *state; /* what a search of the book made of it, "expanded"; NULL: nothing is known */
    bool own;   /* the side to move has the book */
    double probability; /* that a game reaches it */
    unsigned ply;       /* from where the book begins */
    struct book_move_facts moves[MOVES_MAX];
};
