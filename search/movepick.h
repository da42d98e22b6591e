/* Moves of a node, most promising first, generated only when they are reached.
 * Source: https://www.chessprogramming.org/Move_Ordering */
#pragma once

#include "search/worker.h"

enum pick_stage {
    PICK_TT,
    PICK_GENERATE_NOISY,
    PICK_GOOD_NOISY,
    PICK_REFUTATIONS,
    PICK_GENERATE_QUIET,
    PICK_QUIET,
    PICK_BAD_NOISY,
    PICK_DONE,
};

enum { REFUTATIONS = 3 };

struct picker {
    struct worker *worker;
    bool quiets; /* false: noisy moves only, in the order of their victims */
    enum pick_stage stage;
    move tt_move;
    move refutations[REFUTATIONS]; /* two killer moves and the counter move; MOVE_NONE: none */
    int refutation;                /* the next of them */
    uint64_t threatened;           /* own pieces that lesser ones attack, from PICK_QUIET on */
    int at;
    int count;
    int key_count; /* count, rounded up to eights */
    int bad_count;
    int score; /* of the last move, by what it is ordered */
    move moves[MOVES_MAX];
    int keys[MOVES_MAX];          /* of the moves that are left */
    int continuations[MOVES_MAX]; /* of quiet moves: continuation_score() */
    int continuation;             /* of the last move in the stage PICK_QUIET */
    move bad[MOVES_MAX];
};

/* A move that is about to be searched. */
struct candidate {
    move move;
    bool quiet;
    bool checks;       /* it gives check */
    bool threatened;   /* its piece was attacked by a lesser one */
    int continuation;  /* the histories in the context of the moves one, two and four plies before,
                        */
    int history;       /* .. and with that of the move itself, which counts double */
    int noisy_history; /* of a noisy move */
};

/* tt_move: any 16 bits or MOVE_NONE. It comes first when it is legal, also when it is quiet.
 * quiets: false leaves out quiet moves, unless in check. */
void picker_init(struct picker *picker, struct worker *worker, move tt_move, bool quiets);

/* The next legal move, MOVE_NONE at the end. skip_quiets: no quiet move any more but refutations.
 */
move picker_next(struct picker *picker, bool skip_quiets);

/* What is known of the move that picker_next() gave last. */
struct candidate picker_candidate(const struct picker *picker, move m);
