/* Files of endgame tables: which there can be, and is one a whole table? The library that reads
 * tables trusts them: it would crash on one that is cut off, or is something else under the name of
 * a table.
 * Source of the format: https://www.chessprogramming.org/Syzygy_Bases, and the tables themselves.
 */
#pragma once

#include "base/status.h"
#include "search/limits.h"

enum { TB_NAME_MAX = 12 };

/* The pieces of one table: there is one for each set of pieces. The side with more pieces is White.
 */
struct tb_material {
    uint8_t pieces[2][TB_PIECES_MAX - 2]; /* types but for the kings, the strongest first */
    int count[2];
};

/* The first material in *material, KQvK, and the next: fewer pieces first. False: that was the last
 * one. */
void tb_material_first(struct tb_material *material);
bool tb_material_next(struct tb_material *material);

/* Pieces on the board, kings and pawns included. */
int tb_material_pieces(const struct tb_material *material);

/* Writes the name of its files, as "KQvKR", terminated. */
void tb_material_name(const struct tb_material *material, char out[TB_NAME_MAX]);

/* Who wins (.rtbw); distance to the next capture or pawn move (.rtbz). */
enum tb_file_kind { TB_FILE_WDL, TB_FILE_DTZ };

/* Compares the size and the pieces of the file at `path` with what its header says. The packed
 * values after the header are not looked at.
 * Errors: STATUS_NOT_FOUND (there is no such file), STATUS_FORMAT (it is no whole table of this
 * kind and material; `diag` says "PATH: why"). */
MUST_CHECK enum caxton_status tb_file_check(const char *path, enum tb_file_kind kind,
                                            const struct tb_material *material, struct diag *diag);

/* The same of a file of `size` bytes that `read` gives in pieces, as span_read() of base/text.h.
 * NULL, or what is wrong; static storage. */
const char *tb_bytes_fault(enum caxton_status (*read)(void *context, char *buffer, size_t capacity,
                                                      size_t *size),
                           void *context, uint64_t size, enum tb_file_kind kind,
                           const struct tb_material *material);
