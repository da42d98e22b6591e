/* Endgame tables in the search: they rank the moves of the root, and answer nodes below it.
 * Source: https://www.chessprogramming.org/Syzygy_Bases; the ranks are those of Stockfish. */
#pragma once

#include "search/worker.h"

/* The rank of a root move: moves of the highest rank are searched, or are the first lines. Wins
 * that certainly come before the draw by the 50-move rule are equal, so that the search chooses
 * among them; the others go by distance, and so do all once a position is repeated. distance: of
 * the move, as in search/tb.h. rule50: of the root. */
enum { TB_RANK_WIN = 10000 };
int tb_rank(int distance, int rule50, bool is_repeated);

/* Before a search, once shared->request is set: ranks the moves of the root if it is in the tables,
 * and decides whether the search probes below it. */
void tb_prepare(struct shared *shared);

/* Takes the ranks over into the root moves of a worker, sorted by them. */
void tb_rank_root_moves(struct worker *worker);

/* What the tables say about the worker's position, if they are to be asked at a node of this depth:
 * a lower bound for a win, an upper bound for a loss, a draw exactly. False: nothing. */
bool tb_probe_node(struct worker *worker, int depth, int *score, enum score_bound *bound);
