/* A match of two books: the search of this program on both sides, only the book differs. Games are
 * written in order as PGN, and all that is known of the match is read out of these games, so that a
 * match which was stopped goes on where its file ends.
 *
 * With nodes the games depend on the settings alone: each has an empty hash table, a number of
 * nodes and random numbers of its own. The two games of a pair share opening, nodes (95 to 105 % of
 * what was asked for, else too many games would be the same) and the random number of each ply, so
 * that books which know the same choose the same. */
#pragma once

#include "book/suite/matches.h"
#include "book/uci/go.h"
#include "book/uci/player.h"

enum { MATCH_GAMES_MAX = 10000000, MATCH_THREADS_MAX = 512 };

struct book_match_settings {
    const char *names[2];            /* of A and B in the games, different */
    const struct book_set *books[2]; /* borrowed, as all here; NULL: no book */
    uint64_t prints[2];              /* of their contents */
    const struct suite *openings;    /* mixed; NULL: from the usual start */
    uint64_t seed;
    uint64_t nodes; /* a move; 0: by the clock */
    struct time_control control;
    int hash_mb;
    int color; /* A's; -1: games in pairs, with both colours */
    /* Adjudication: a draw from move `draw_number` on, when both sides saw no more than draw_cp for
     * draw_count moves without capture and pawn move; lost for who saw -resign_cp or less for
     * resign_count moves. Counts of 0: none. Source: the options -draw and -resign of fastchess. */
    int64_t draw_number;
    int64_t draw_count;
    int64_t draw_cp;
    int64_t resign_count;
    int64_t resign_cp;
    size_t games;
    int threads; /* games at a time */
    bool sprt;   /* it ends the match, with games in pairs: */
    double nelo0;
    double nelo1;
};

struct match_side {
    uint64_t book_moves;
    uint64_t left_first; /* games in which it was the first to search */
    uint64_t exits;      /* games in which it searched, */
    double exit_cp;      /* and the sum of its first scores, each 1000 at most */
};

/* The games of one opening in which A had one colour. */
struct match_opening {
    char code[4];
    char name[64];
    int color;
    uint64_t games;
    uint64_t points; /* of A, 0 to 2 a game */
};

struct match_tally {
    uint64_t games;
    uint64_t results[3];         /* of A by points: lost, drawn, won */
    uint64_t pairs[MATCH_PAIRS]; /* of A; of games of one colour each stands for itself */
    uint64_t repeated;           /* games that are another one move for move */
    struct match_side sides[2];
    struct match_opening *openings; /* where A lost most points first */
    size_t opening_count;
    size_t opening_capacity;
    double llr;
    bool decided; /* by the SPRT */
    /* private */
    uint64_t *game_keys;
    size_t game_key_capacity;
    uint64_t points_before; /* of the first game of a pair */
};

struct book_match;

/* path: a file that games are added to; NULL: they are kept nowhere. Games that it has are read.
 * Errors: STATUS_FORMAT (other games, or of other settings), STATUS_IO, STATUS_NO_MEMORY; `diag`
 * says why. */
MUST_CHECK enum caxton_status book_match_create(const struct book_match_settings *settings,
                                                const char *path, struct book_match **out,
                                                struct diag *diag);
void book_match_destroy(struct book_match *match); /* NULL is allowed */

/* Plays the games that are missing. show (NULL: none) is called a few times a second with what is
 * known. Errors: STATUS_END (it was stopped), STATUS_IO, STATUS_NO_MEMORY, STATUS_THREAD. */
MUST_CHECK enum caxton_status book_match_play(struct book_match *match,
                                              void (*show)(void *context,
                                                           const struct match_tally *tally),
                                              void *context, struct diag *diag);
/* From any thread. Games that are not over are lost. */
void book_match_stop(struct book_match *match);

/* Not while it is played. */
const struct match_tally *book_match_tally(struct book_match *match);
