/* A ZIP archive as an unpacker: its members named *.pgn, one after the other. Private to unpack.c.
 *
 * It is read as it comes, member by member, without the list at its end: so it may be a pipe, and
 * takes the memory of one header. A frame is an archive with its list. Of each member that is read
 * the CRC-32 and the sizes are compared. A line end is put in where one is missing between two.
 * Members by other names are passed over, so are those named ._*.pgn: macOS keeps the properties of
 * a file there.
 * Refused: members that are encrypted, or packed by another method than deflate; members whose
 * size nobody knows, which are not deflated and have it behind them; archives without a member
 * named *.pgn, or with members that the list has not (deleted ones).
 * Source: PKWARE's APPNOTE.TXT 6.3.10. */
#pragma once

#include "book/count/input/unpacker.h"

void *zip_create(void);
void zip_destroy(void *state);
MUST_CHECK enum caxton_status zip_step(void *state, struct unpack_buffers *buffers,
                                       bool *frame_end);
const char *zip_member(const void *state);
const char *zip_refusal(const void *state);
