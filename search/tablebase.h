/* Endgame tablebases in Syzygy format: for positions with few men and without castling rights, who
 * wins, and in how many plies the 50-move counter is set back (distance to zeroing, DTZ).
 *
 * The library fathom reads them. It keeps its tables in globals: a program has one tablebase open
 * at a time. A program built without it opens none.
 * Source: https://www.chessprogramming.org/Syzygy_Bases */
#pragma once

#include "base/status.h"
#include "chess/movegen.h"
#include "search/table_material.h"

struct tablebase;

/* Results for the side to move: a cursed win and a blessed loss are draws by the 50-move rule, even
 * when the counter starts at 0. */
enum table_result { TABLE_LOSS = -2, TABLE_BLESSED_LOSS, TABLE_DRAW, TABLE_CURSED_WIN, TABLE_WIN };

/* What separates folders: as in other engines. */
#ifdef _WIN32
enum { TABLE_FOLDER_SEPARATOR = ';' };
#else
enum { TABLE_FOLDER_SEPARATOR = ':' };
#endif

/* Opens all tables in `folders` and reads their headers. On STATUS_OK *out, which may be without
 * tables, is for tablebase_close(). On failure nothing is open, and `diag` says why:
 * STATUS_NOT_FOUND (this program cannot read tables), STATUS_FORMAT (a damaged file), STATUS_IO (a
 * table that cannot be read), STATUS_NO_MEMORY, STATUS_RANGE (there is one open already). */
MUST_CHECK enum caxton_status tablebase_open(const char *folders, struct tablebase **out,
                                             struct diag *diag);
/* No probe may be running. NULL is allowed. */
void tablebase_close(struct tablebase *tables);

struct tablebase_size {
    int results;   /* tables that say who wins */
    int distances; /* tables that say how far it is */
    int men_max;   /* of the first kind; 0: none */
};
struct tablebase_size tablebase_size(const struct tablebase *tables);

/* Who wins, the 50-move counter taken as 0. False when the position is in no table. Any thread. */
bool tablebase_probe(const struct tablebase *tables, const struct position *pos,
                     enum table_result *out);

/* Plies to the next capture or pawn move, the 50-move counter taken as 0: positive for a win,
 * negative for a loss, beyond 100 when it is a draw by the 50-move rule, 0 for a draw. May be one
 * less than the truth, as the tables are rounded. A side that is mated has -1. False as above. Any
 * thread, one at a time. */
bool tablebase_probe_distance(const struct tablebase *tables, const struct position *pos, int *out);

/* A legal move and the distance as above, with the move itself counted: 1 is a mate, or a capture
 * or pawn move that wins. */
struct table_move {
    move move;
    int distance;
};
/* All legal moves, of which there is at least one. Returns their number, 0 when the position or one
 * behind a move is in no table. Any thread, one at a time. */
int tablebase_probe_moves(const struct tablebase *tables, const struct position *pos,
                          struct table_move out[MOVES_MAX]);
