/* One self-play game after the other: a start, the labeller's moves, an end, and the samples that
 * come of it. */
#pragma once

#include "chess/movegen.h"
#include "eval/train/datagen/labeller.h"
#include "eval/train/datagen/starts.h"
#include "eval/train/sample.h"

struct selfplay_record {
    uint64_t key;
    uint8_t sample[SAMPLE_SIZE];
};

struct selfplay {
    struct game *game;
    struct rng rng;
    bool is_ending;     /* started from few pieces: not adjudicated by score */
    int plies;          /* positions of the game that have a label */
    int decisive_plies; /* scores in a row that are won for one side; negative: for Black */
    int drawish_plies;  /* scores in a row near zero */
    move sibling;       /* the next label is for this move's position; MOVE_NONE: for the game's */
    move next;          /* what the game plays after the siblings */
    move other_moves[MOVES_MAX]; /* not yet tried for siblings */
    int other_count;
    int score;                       /* of the game's position, side to move's view */
    int plies_max;                   /* the game is cut off then */
    bool only_searched;              /* the positions of the game are not recorded */
    int siblings;                    /* how many to label for each position of the game */
    int siblings_left;               /* for this one */
    struct selfplay_record *records; /* owned; room for a game of plies_max */
    int record_count;
};

/* Of the options it takes plies, siblings and searched. Errors: STATUS_NO_MEMORY. Must be freed in
 * any case. */
MUST_CHECK enum caxton_status selfplay_init(struct selfplay *play, uint64_t seed,
                                            const struct datagen_options *options);
void selfplay_free(struct selfplay *play);

/* Sets up a new game; the first label is for its first position. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status selfplay_start(struct selfplay *play,
                                             const struct datagen_starts *starts);

/* Records a position of the search of the game's position. score: its side to move's view. */
void selfplay_record_searched(struct selfplay *play, const struct position *pos, int score);

/* Records the label of the game's position, or of play->sibling, and goes on to the next position
 * that needs one. *over: the game has ended and its records are complete; there are none when the
 * game is left out. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status selfplay_advance(struct selfplay *play, const struct label *label,
                                               bool *over);
