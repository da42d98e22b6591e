/* Endgame tablebases in Syzygy format: for positions with few pieces and without castling rights,
 * who wins, and in how many plies the 50-move counter is set back (distance to zeroing, DTZ).
 *
 * The library fathom reads them. It keeps its tables in globals: a program has one tablebase open
 * at a time. A program built without it opens none.
 * Source: https://www.chessprogramming.org/Syzygy_Bases */
#pragma once

#include "base/status.h"
#include "chess/movegen.h"

struct tb;

/* Results for the side to move: a cursed win and a blessed loss are draws by the 50-move rule, even
 * when the counter starts at 0. */
enum tb_wdl { TB_WDL_LOSS = -2, TB_WDL_BLESSED_LOSS, TB_WDL_DRAW, TB_WDL_CURSED_WIN, TB_WDL_WIN };

/* What separates folders: as in other engines. */
#ifdef _WIN32
enum { TB_FOLDER_SEPARATOR = ';' };
#else
enum { TB_FOLDER_SEPARATOR = ':' };
#endif

/* Opens all tables in `folders` and reads their headers. On STATUS_OK *out, which may be without
 * tables, is for tb_close(). On failure nothing is open, and `diag` says why:
 * STATUS_NOT_FOUND (this program cannot read tables), STATUS_FORMAT (a damaged file), STATUS_IO (a
 * table that cannot be read), STATUS_NO_MEMORY, STATUS_RANGE (there is one open already). */
MUST_CHECK enum caxton_status tb_open(const char *folders, struct tb **out, struct diag *diag);
/* No probe may be running. NULL is allowed. */
void tb_close(struct tb *tb);

struct tb_size {
    int results;    /* tables that say who wins */
    int distances;  /* tables that say how far it is */
    int pieces_max; /* on the board, of the first kind; 0: none */
};
struct tb_size tb_size(const struct tb *tb);

/* Who wins, the 50-move counter taken as 0. False when the position is in no table. Any thread. */
bool tb_find_wdl(const struct tb *tb, const struct position *pos, enum tb_wdl *out);

/* Plies to the next capture or pawn move, the 50-move counter taken as 0: positive for a win,
 * negative for a loss, beyond 100 when it is a draw by the 50-move rule, 0 for a draw. May be one
 * less than the truth, as the tables are rounded. A side that is mated has -1. False as above. Any
 * thread, one at a time. */
bool tb_find_dtz(const struct tb *tb, const struct position *pos, int *out);

/* A legal move and the distance as above, with the move itself counted: 1 is a mate, or a capture
 * or pawn move that wins. */
struct tb_move {
    move move;
    int distance;
};
/* All legal moves, of which there is at least one. Returns their number, 0 when the position or one
 * after a move is in no table. Any thread, one at a time. */
int tb_find_moves(const struct tb *tb, const struct position *pos, struct tb_move out[MOVES_MAX]);
