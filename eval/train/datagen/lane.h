/* One game of data generation after the other: a start, moves by the teacher, an end, and the
 * samples that come of it. */
#ifndef CAXTON_EVAL_TRAIN_DATAGEN_LANE_H
#define CAXTON_EVAL_TRAIN_DATAGEN_LANE_H

#include "book/book.h"
#include "chess/game.h"
#include "eval/train/datagen/teacher.h"
#include "eval/train/sample.h"

enum { LANE_PLIES_MAX = 400, LANE_SIBLINGS_MAX = 16 };

/* Where games start. Read-only, shared by all lanes. */
struct starts {
    const struct book *book;
    struct position *openings; /* may be NULL */
    size_t opening_count;
    int chess960_percent;
    int endings_percent;
};

struct lane_record {
    uint64_t key;
    uint8_t sample[SAMPLE_SIZE];
};

struct lane {
    struct game *game;
    struct rng rng;
    bool ending; /* started from few pieces: the score decides nothing */
    int plies;   /* asked for so far */
    int decided; /* scores in a row that decide the game for one side; negative: for Black */
    int level;   /* scores in a row near zero */
    move aside;  /* the next answer is about this move; MOVE_NONE: about the position */
    move next;   /* how the game will go on after those */
    move others[MOVES_MAX]; /* to which of its moves the teacher may still be asked */
    int other_count;
    int score;                   /* of the game's position, side to move's view */
    int siblings;                /* so many positions beside the game for each one in it */
    int siblings_left;           /* and of this one */
    struct lane_record *records; /* owned; room for LANE_PLIES_MAX of them, with siblings */
    int record_count;
};

/* Errors: STATUS_NO_MEMORY. To be freed in any case. */
MUST_CHECK enum caxton_status lane_init(struct lane *lane, uint64_t seed, int siblings);
void lane_free(struct lane *lane);

/* Sets up a new game whose first position is worth a question. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lane_open(struct lane *lane, const struct starts *starts);

/* The teacher has spoken of the game's position, or of the move aside: records that and goes on to
 * the next question. *over: the game has ended; its records are complete, none when it is to be
 * left out. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lane_advance(struct lane *lane, const struct lesson *lesson,
                                           bool *over);

#endif
