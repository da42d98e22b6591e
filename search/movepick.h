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
    int bad_count;
    move moves[MOVES_MAX];
    int scores[MOVES_MAX];
    move bad[MOVES_MAX];
};

/* tt_move: any 16 bits or MOVE_NONE. quiets: false leaves out quiet moves, unless in check. */
void picker_init(struct picker *picker, struct worker *worker, move tt_move, bool quiets,
                 int see_threshold);

/* The next legal move, MOVE_NONE at the end. skip_quiets: no quiet move any more. */
move picker_next(struct picker *picker, bool skip_quiets);

/* How good a quiet move has been in the current position. */
int quiet_score(struct worker *worker, move m);
