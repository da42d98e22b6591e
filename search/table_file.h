/* Is a file a whole table? The library that reads tables trusts them: it would crash on one that
 * is cut off, or is something else under the name of a table.
 * Source of the format: https://www.chessprogramming.org/Syzygy_Bases, and the tables themselves.
 */
#pragma once

#include "base/status.h"
#include "search/table_material.h"

/* Who wins (.rtbw); distance to the next capture or pawn move (.rtbz). */
enum table_kind { TABLE_WDL, TABLE_DTZ };

/* Compares the size and the pieces of the file at `path` with what its header says. The packed
 * values behind the header are not looked at.
 * Errors: STATUS_NOT_FOUND (there is no such file), STATUS_FORMAT (it is no whole table of this
 * kind and material; `diag` says "PATH: why"). */
MUST_CHECK enum caxton_status table_file_check(const char *path, enum table_kind kind,
                                               const struct table_material *material,
                                               struct diag *diag);

/* The same of a file of `size` bytes that `read` gives in pieces, as span_read() of base/text.h.
 * NULL, or what is wrong; static storage. */
const char *table_bytes_fault(enum caxton_status (*read)(void *context, char *buffer,
                                                         size_t capacity, size_t *size),
                              void *context, uint64_t size, enum table_kind kind,
                              const struct table_material *material);
