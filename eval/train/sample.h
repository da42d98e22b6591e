/* A training position in 32 bytes, and files of them.
 *
 * A sample, little-endian:
 *    0..7   occupied squares, a1 = bit 0
 *    8..23  the pieces there, four bits each, in the order of the squares, low half first: piece
 *           codes of chess/types.h; a rook that may castle is 12 (White) or 13 (Black)
 *   24      bit 0: Black to move; bits 1..4: file of the en passant square, 8 = none
 *   25      plies since the last capture or pawn move, at most 255
 *   26..27  score, signed, centipawns of the teacher, White's view
 *   28..29  the teacher's move (chess/types.h), 0 = unknown
 *   30      the game's result, White's view: 0 loss, 1 draw, 2 win; 3 unknown
 *   31      bit 0: first sample of its game; bit 1: in check; bit 2: the move captures or promotes
 *
 * A file is a sequence of blocks: 32 bytes of header (8 bytes "CXTNDAT1", 4 bytes number of
 * samples, 12 zero bytes, 8 bytes FNV-1a of the samples), then the samples. A game lies in one
 * block. Files may be joined with cat. */
#ifndef CAXTON_EVAL_TRAIN_SAMPLE_H
#define CAXTON_EVAL_TRAIN_SAMPLE_H

#include "chess/position.h"

enum {
    SAMPLE_SIZE = 32,
    SAMPLE_BLOCK_MAX = 65536, /* samples in a block */
    SAMPLE_NO_RESULT = 3,
    SAMPLE_FIRST = 1,
    SAMPLE_CHECK = 2,
    SAMPLE_NOISY = 4,
};

/* What is known of a position besides itself. */
struct sample_label {
    int score;  /* White's view; kept within 16 bits */
    int result; /* White's view, 0..2 or SAMPLE_NO_RESULT */
    move best;
    bool first;
};

void sample_pack(const struct position *pos, const struct sample_label *label,
                 uint8_t out[SAMPLE_SIZE]);

/* The full move number is not kept and comes back as 1.
 * Errors: those of fen_parse(), for bytes that are no legal position. */
MUST_CHECK enum caxton_status sample_unpack(const uint8_t in[SAMPLE_SIZE], struct position *pos,
                                            struct sample_label *label);

/* A file that grows by whole blocks; one writer at a time, which a lock on the file sees to. */
struct sample_file;

/* Opens or creates `path`, checks every block there and cuts off a torn end. *samples: how many it
 * holds. Errors: STATUS_IO (also when another program writes to it), STATUS_FORMAT (not such a
 * file), STATUS_NO_MEMORY; `diag` says which. The caller closes it. */
MUST_CHECK enum caxton_status sample_file_open(const char *path, struct sample_file **out,
                                               uint64_t *samples, struct diag *diag);
/* Appends one block of 1..SAMPLE_BLOCK_MAX samples. After STATUS_IO only closing is allowed. */
MUST_CHECK enum caxton_status sample_file_append(struct sample_file *file, const uint8_t *samples,
                                                 size_t count, struct diag *diag);
/* Syncs and closes; `file` is gone afterwards. */
MUST_CHECK enum caxton_status sample_file_close(struct sample_file *file, struct diag *diag);

#endif
