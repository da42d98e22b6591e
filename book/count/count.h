/* What is counted of the games, and with which means; what became of the games. */
#pragma once

#include "book/count/filter/filter.h"
#include "book/statistics/sample.h"

struct count_options {
    struct filter filter;
    size_t max_plies;        /* moves beyond this ply of a game are not counted */
    unsigned facets;         /* of games that are told apart: FACET_RATING .. */
    bool mirror;             /* count as if White were to move, see wld.h */
    bool keep_duplicates;    /* count equal games each time, see filter_fingerprint() */
    bool keep_fingerprints;  /* give the fingerprints of the games that were counted */
    bool strict;             /* the first bad game ends the work */
    size_t memory_bytes;     /* for counting; the rest goes to temporary files in `folder` */
    const char *folder;      /* borrowed */
    size_t open_files;       /* temporary files that may be open at once */
    uint64_t expected_bytes; /* of the input: memory is prepared for so many; 0 = unknown */
    int jobs;                /* threads that count, 1..256 */
    size_t samples;          /* games to choose for each position, 0..SAMPLES_MAX, */
    const struct sample_names *sample_names; /* and the names of all inputs then; borrowed */
    /* NULL: moves are counted. Else each game that counts goes here instead; another answer than
     * STATUS_OK ends the work. */
    enum caxton_status (*take)(void *context, const struct pgn_game *game,
                               const struct verdict *verdict, struct diag *diag);
    void *take_context;
};

enum { BAD_GAMES_SHOWN = 5 };

struct bad_game {
    char file[120];
    uint64_t number;
    struct diag diag;
};

/* Games that were read although something is odd, by enum pgn_note. */
struct noted_games {
    uint64_t games;
    char file[120]; /* where the first of them is */
    uint64_t number;
    uint64_t line;
};

/* Games of so many plies or fewer, without a fault, end early: before move 15. */
enum { EARLY_PLIES = 28 };

struct count_report {
    uint64_t games;
    uint64_t used;
    uint64_t early[PGN_DRAW + 1];       /* those of them that end early, by enum pgn_result */
    uint64_t amount;                    /* the sum of what those count, in units of filter_unit() */
    uint64_t left_out[FILTER_ROWS_MAX]; /* by filter_reason() */
    uint64_t plies;                     /* counted */
    uint64_t bad_games;                 /* all with a fault, */
    uint64_t bad_used; /* and those of them whose moves before the fault were counted */
    struct bad_game bad[BAD_GAMES_SHOWN]; /* the first of them, in the order of the input */
    struct noted_games notes[PGN_NOTES];
    struct near_names near_players; /* of games left out: names near those asked for */
};

/* What one chunk of text brought. Game numbers, lines and offsets count from its start. */
struct chunk_report {
    struct count_report counts; /* bad games are without file */
    uint64_t lines;             /* in all of the chunk */
    uint64_t bytes;
};
