/* What games between engines say of the openings that they began with: PGN of fastchess,
 * cutechess-cli, OpenBench (fishtest) and Banksia.
 *
 * The exit of a game is the position behind its given moves: those from the start position, or its
 * FEN, that have the comment "book", or end with one of "End of opening". Two games of one exit
 * and the same two players with colours exchanged are a pair: those of one file and Round first,
 * then others in their order. Points count by the players' names; equal games are several. */
#pragma once

#include "book/suite/suite.h"
#include "chess/pgn.h"

/* The result of a pair for one player. */
enum match_pair { PAIR_LL, PAIR_LD, PAIR_WL, PAIR_DD, PAIR_WD, PAIR_WW, MATCH_PAIRS };

struct match_exit {
    uint32_t opening;            /* of exits */
    bool useless;                /* not one of its pairs was decided, enough of them as there are */
    uint64_t results[4];         /* games that count, by enum pgn_result */
    uint64_t apart;              /* others */
    uint64_t pairs[MATCH_PAIRS]; /* for the player that is better in all pairs of the two */
};

struct match_couple {
    uint32_t names[2];           /* of names[]; the first is not worse */
    uint64_t pairs[MATCH_PAIRS]; /* for the first */
};

struct match_name {
    uint64_t key;
    char *text;
};

/* Begins as {0}. */
struct matches {
    struct suite exits; /* added is the number of games */
    struct match_exit
        *counts; /* of exits.openings[]; after matches_pair() the least useful first */
    size_t count_capacity;
    struct match_name *names;
    size_t name_count;
    size_t name_capacity;
    struct key_table name_table;
    struct match_couple *couples; /* after matches_pair() */
    size_t couple_count;
    size_t couple_capacity;
    uint64_t read;           /* games, with those that follow */
    uint64_t bad;            /* with a fault, */
    struct diag first_bad;   /* the first of them */
    uint64_t ends[PGN_ENDS]; /* the others */
    struct match_exit all;
    uint64_t wanted;       /* pairs that tell of an exit; 0: no number does */
    uint64_t useless;      /* exits */
    uint64_t alone;        /* that count, in no pair */
    uint64_t without_exit; /* that count, without FEN and given moves */
    /* private */
    struct match_game *games;
    size_t game_count;
    size_t game_capacity;
    uint32_t files;
};
/* Adds the games of one file. A bad game is counted and left out. Errors: STATUS_NO_MEMORY, those
 * of the source. */
MUST_CHECK enum caxton_status matches_read(struct matches *matches, pgn_source source,
                                           void *context);

/* Finds the pairs, once, behind the last game, and judges the exits. An exit is useless when none
 * of so many pairs was decided; 0: of so many that it is no accident with 95 % certainty, by the
 * part of all pairs that is decided. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status matches_pair(struct matches *matches, uint64_t wanted);

void matches_free(struct matches *matches);

/* Pairs in numbers. */
struct match_score {
    uint64_t pairs;
    uint64_t decided; /* one player has more points than the other */
    double mean;      /* points of a game, 0 to 1; 0.5 without pairs */
    double deviation; /* of the points of a pair, as those of a game */
    double error;     /* of the mean, 95 %; likewise */
    double nelo;      /* normalised Elo: how well pairs tell the players apart; 0: cannot be said */
    double nelo_error;
};
struct match_score match_score_of(const uint64_t pairs[MATCH_PAIRS]);

/* Of two games, by the points of one player, 0 to 2, in each. */
enum match_pair match_pair_of(int first, int second);

/* The likelihood of superiority: that the mean is above one half. */
double match_los(const struct match_score *score);

/* The log-likelihood ratio of an SPRT between two normalised Elos: it ends at +-MATCH_LLR_END, with
 * 5 % errors of both kinds. Source: M. Van den Bergh, "Comments on normalized Elo", section 4, and
 * "The generalized sequential probability ratio test"; as fishtest and fastchess have it. */
#define MATCH_LLR_END 2.9444389791664403 /* log(0.95 / 0.05) */
double match_llr(const uint64_t pairs[MATCH_PAIRS], double nelo0, double nelo1);

/* Elo of a mean of points, above 0 and below 1. */
double match_elo(double mean);
