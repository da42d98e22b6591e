/* What other programs make of a Polyglot book, each by its name: the entries that it misreads, and
 * a book of the same moves that it plays right. Every row was seen by running the program, unless
 * docs/PEERS.md says that its source was read; versions and figures are there, too. */
#pragma once

#include "base/text.h"
#include "book/format.h"

/* The names, as people type them, for CHOICE_ROW(). */
#define POLYGLOT_PEERS                                                                             \
    "polyglot|scid|scidvspc|chessx|pychess|xboard|gnuchess|glaurung|toga|toga2|cm-polyglot|"       \
    "chess-polyglot|cutechess|python-chess"

#define POLYGLOT_PEERS_ABOUT                                                                       \
    "The programs: polyglot, scid, scidvspc, chessx, pychess, xboard, gnuchess, glaurung, toga "   \
    "or\n"                                                                                         \
    "toga2, cm-polyglot, chess-polyglot, cutechess, python-chess."

/* Names each entry of the file that the peer-th program misreads, as BOOK_MISREAD_... own: by
 * entry, begins as false; true: the format wants it otherwise, the program as it is. root: as for
 * polyglot_check(). Errors: STATUS_NO_MEMORY, STATUS_RANGE (more moves than can be walked). */
MUST_CHECK enum caxton_status polyglot_peer_check(int peer, const uint8_t *bytes, size_t size,
                                                  const struct position *root, book_fault_sink sink,
                                                  void *context, bool *own);

struct polyglot_peer_output {
    int peer;
    size_t counts[10]; /* of what was rewritten or left out, for polyglot_peer_tell() */
};

/* The writer of a book that the program plays right; *output, which stays where it is, says which
 * program and gets the counts. */
struct book_writer polyglot_peer_writer(struct polyglot_peer_output *output);

enum { POLYGLOT_PEER_TEXT_MAX = 1000 };

/* What was written otherwise, and what no book can cure, a line each. */
void polyglot_peer_tell(const struct polyglot_peer_output *output, struct text_buffer *out);
