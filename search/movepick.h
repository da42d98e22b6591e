/* Moves of a node, most promising first, generated only when they are reached.
 * Source: https://www.chessprogramming.org/Move_Ordering */
#pragma once

#include "search/worker.h"

enum pick_stage {
    PICK_TT,
    PICK_GENERATE_NOISY,
    PICK_GOOD_NOISY,
    PICK_GENERATE_QUIET,
    PICK_QUIET,
    PICK_BAD_NOISY,
    PICK_BAD_QUIET,
    PICK_DONE,
};

struct picker {
    struct worker *worker;
    bool quiets; /* false: noisy moves only, in the order of their victims */
    enum pick_stage stage;
    move tt_move;
    const struct piece_to *pawn_history; /* history_pawn(); NULL: noisy moves only */
    int at;
    int count;
    int key_count; /* count, rounded up to eights */
    int bad_at;
    int bad_count;
    int score; /* of the last move, by what it is ordered */
    move moves[MOVES_MAX];
    int keys[MOVES_MAX]; /* of the moves that are left */
    move bad[MOVES_MAX];
};

/* A move that is about to be searched. */
struct candidate {
    move move;
    bool quiet;
    bool checks;       /* it gives check */
    int quiet_history; /* of a quiet move: of the move itself, .. */
    int continuation;  /* .. after the moves one and two plies before, .. */
    int last;          /* .. of these after the last move, .. */
    int pawn_history;  /* .. and with these pawns */
    int noisy_history; /* of a noisy one */
};

/* tt_move: any 16 bits or MOVE_NONE. It comes first when it is legal, also when it is quiet.
 * quiets: false leaves out quiet moves, unless in check. */
void picker_init(struct picker *picker, struct worker *worker, move tt_move, bool quiets);

/* The next legal move, MOVE_NONE at the end. skip_quiets: no quiet move any more. */
move picker_next(struct picker *picker, bool skip_quiets);

/* What is known of the move that picker_next() gave last; not of a picker without quiet moves. */
struct candidate picker_candidate(const struct picker *picker, move m);
