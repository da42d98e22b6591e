/* Moves of a node, most promising first, generated only when they are reached.
 * Source: https://www.chessprogramming.org/Move_Ordering */
#pragma once

#include "search/worker.h"

enum pick_stage {
    PICK_TT,
    PICK_GENERATE_NOISY,
    PICK_GOOD_NOISY,
    PICK_KILLER_1,
    PICK_KILLER_2,
    PICK_GENERATE_QUIET,
    PICK_QUIET,
    PICK_BAD_NOISY,
    PICK_DONE,
};

struct picker {
    struct worker *worker;
    enum pick_stage stage;
    move tt_move;
    move killers[2];
    int see_threshold; /* noisy moves that lose more than this come last */
    bool quiets;       /* false: noisy moves only */
    int at;
    int count;
    int key_count; /* count, rounded up to eights */
    int bad_count;
    int score; /* of the last move in the stage PICK_QUIET, by the histories */
    move moves[MOVES_MAX];
    int keys[MOVES_MAX]; /* of the moves that are left */
    move bad[MOVES_MAX];
};

/* A move that is about to be searched. */
struct candidate {
    move move;
    bool quiet;
    bool killer;
    bool ordered; /* no quiet move after it has a better history */
    int history;
};

/* tt_move: any 16 bits or MOVE_NONE. quiets: false leaves out quiet moves, unless in check. */
void picker_init(struct picker *picker, struct worker *worker, move tt_move, bool quiets,
                 int see_threshold);

/* The next legal move, MOVE_NONE at the end. skip_quiets: no quiet move any more. */
move picker_next(struct picker *picker, bool skip_quiets);

/* What is known of the move that picker_next() gave last. */
struct candidate picker_candidate(const struct picker *picker, move m);
