/* What to search and when to stop. */
#pragma once

#include "chess/movegen.h"

enum {
    SEARCH_PLY_MAX = 128,   /* deepest ply from the root; also the longest line reported */
    SEARCH_DEPTH_MAX = 120, /* largest depth limit */
    SEARCH_KEYS_MAX = 128,  /* positions before the root that repetition detection can use */
    SEARCH_THREADS_MAX = 512,
    SEARCH_HASH_MB_MAX = 1 << 20,
    TB_PIECES_MAX = 7, /* on the board of a position in an endgame table, kings included */
};

/* One search. Times are milliseconds; -1 or 0 = not given, where it says so. */
struct search_request {
    struct position root;
    uint64_t keys[SEARCH_KEYS_MAX]; /* of the positions before the root, oldest first */
    int key_count;

    move moves[MOVES_MAX]; /* searchmoves: search only these; legal at the root */
    int move_count;        /* 0 = all */

    int64_t time_ms[2]; /* remaining clock by colour; -1 = no clock */
    int64_t increment_ms[2];
    int moves_to_go;     /* 0 = sudden death */
    int64_t movetime_ms; /* -1 = none */
    int slow_percent;    /* Slow Mover: more than 100 thinks longer on a clock */
    int nodes_per_ms;    /* nodestime: so many nodes count as a millisecond; 0 = real time */
    int64_t overhead_ms; /* Move Overhead: kept back for the interface on every move */
    int depth;           /* 0 = none */
    int mate;            /* find a mate in this many moves, by a full-width search; 0 = none */
    uint64_t nodes;      /* 0 = none */
    bool infinite;       /* run until search_stop() */
    bool analyse;        /* prune less of what sacrifices hang on */
    bool ponder;         /* run until search_ponderhit(), then by the clock; or search_stop() */

    int multipv;  /* at least 1 */
    bool minimal; /* report only the last lines, once, and no current move */
    int contempt; /* units of the evaluation by which the root's side dislikes a draw */

    /* Endgame tables, when the search has any. */
    int tb_pieces;  /* ask them about positions with at most so many pieces; 0 = never */
    int tb_depth;   /* .. and with just so many only at nodes of at least this depth */
    bool tb_rule50; /* the 50-move rule holds: what it makes a draw counts as one */
};

/* The default request: standard start, no limits, multipv 1, slow_percent 100; tables are asked
 * wherever they can. */
static inline void search_request_init(struct search_request *request)
{
    *request = (struct search_request){0};
    position_start(&request->root);
    request->time_ms[WHITE] = request->time_ms[BLACK] = -1;
    request->movetime_ms = -1;
    request->multipv = 1;
    request->slow_percent = 100;
    request->tb_pieces = TB_PIECES_MAX;
    request->tb_depth = 1;
    request->tb_rule50 = true;
}
