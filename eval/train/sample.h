/* A training position in 32 bytes. sample_file.h has files of them.
 *
 * A sample, little-endian:
 *    0..7   occupied squares, a1 = bit 0
 *    8..23  the pieces there, four bits each, in the order of the squares, low half first: piece
 *           codes of chess/types.h; a rook that may castle is 12 (White) or 13 (Black)
 *   24      bit 0: Black to move; bits 1..4: file of the en passant square, 8 = none
 *   25      plies since the last capture or pawn move, at most 255
 *   26..27  score, signed, centipawns of the labeller, White's view
 *   28..29  the labeller's best move (chess/types.h), 0 = unknown
 *   30      the game's result, White's view: 0 loss, 1 draw, 2 win; 3 unknown
 *   31      bit 0: first sample of its game; bit 1: in check; bit 2: the move captures or promotes
 */
#pragma once

#include "base/bytes.h"
#include "chess/position.h"

enum {
    SAMPLE_SIZE = 32,
    SAMPLE_SCORE_AT = 26, /* bytes that are read and changed without unpacking the rest */
    SAMPLE_RESULT_AT = 30,
    SAMPLE_FLAGS_AT = 31,
    SAMPLE_NO_RESULT = 3,
    SAMPLE_FIRST = 1, /* flags */
    SAMPLE_CHECK = 2,
    SAMPLE_NOISY = 4,
};

/* What is known about a position. */
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

/* The score of a packed position, White's view. */
static inline int sample_score(const uint8_t packed[SAMPLE_SIZE])
{
    return (int16_t)bytes_get_u16le(packed + SAMPLE_SCORE_AT);
}
