/* The network that scores positions: its shape, its file, and what is computed from its numbers.
 *
 * Inputs are seen from either side: (king bucket) x (own, enemy) x (type) x (square), the board
 * turned so that the side plays up and mirrored so that its king stands on files a to d. Each side
 * has an accumulator, the sum of the weight rows of its inputs. The output is a dot product of the
 * squared clipped accumulators with one of eight sets of weights, chosen by the number of pieces.
 * Source: https://www.chessprogramming.org/NNUE
 *
 * A struct network never changes once made, so any number of threads may read it. */
#pragma once

#include <stdalign.h>
#include <stddef.h>

#include "chess/position.h"

enum {
    NETWORK_HIDDEN = 512, /* values of one accumulator; a multiple of 64, at most 1024 */
    NETWORK_INPUTS = 768, /* of one king bucket */
    NETWORK_BUCKETS_MAX = 16,
    NETWORK_VIEWS_MAX = 2 * NETWORK_BUCKETS_MAX,
    NETWORK_OUTPUTS = 8,
    NETWORK_QA = 255,                /* 1.0 of an accumulator */
    NETWORK_QB = 64,                 /* 1.0 of an output weight */
    NETWORK_SCALE = 400,             /* centipawns of an output of 1.0 */
    NETWORK_OUTPUT_WEIGHT_MAX = 127, /* times a clipped value still 16 bits */
    NETWORK_DESCRIPTION_MAX = 128,
};

struct network {
    char description[NETWORK_DESCRIPTION_MAX + 1]; /* ASCII, terminated */
    int buckets;
    uint8_t king_buckets[32]; /* by rank * 4 + file, files a to d */
    int32_t output_bias[NETWORK_OUTPUTS];
    alignas(64) int16_t output_weights[NETWORK_OUTPUTS][2 * NETWORK_HIDDEN];
    alignas(64) int16_t feature_bias[NETWORK_HIDDEN];
    alignas(64) int16_t feature_weights[][NETWORK_HIDDEN];
};

/* Makes a network of the bytes of a network file; they may go afterwards. Freed by the caller.
 * Errors: STATUS_FORMAT (another kind of file, another version, shape, size or checksum, or numbers
 * out of range), STATUS_NO_MEMORY; `diag`, which may be NULL, says which. */
MUST_CHECK enum caxton_status network_parse(const uint8_t *bytes, size_t size, struct network **out,
                                            struct diag *diag);

/* The same with the file at `path`. A folder, a pipe or a device is refused at once, and so is a
 * file that is larger than any network. Errors: also STATUS_IO, STATUS_RANGE; `diag` says "PATH:
 * why". */
MUST_CHECK enum caxton_status network_load(const char *path, struct network **out,
                                           struct diag *diag);

void network_free(struct network *network); /* NULL is allowed */

/* eval/default.nnue, which is inside the program, read at the first call; NULL when there is no
 * memory. Never freed. Any thread. */
const struct network *network_builtin(void);

/* What the inputs of `perspective` depend on besides the pieces: 2 * king bucket + mirrored. */
static inline int network_view(const struct network *network, int perspective, int king)
{
    int square = square_relative(perspective, king);
    int mirrored = square_file(square) >= 4;
    square ^= mirrored * 7;
    return 2 * network->king_buckets[square_rank(square) * 4 + square_file(square)] + mirrored;
}

/* The weights of a piece on a square. */
static inline const int16_t *network_row(const struct network *network, int perspective, int view,
                                         int piece, int square)
{
    int seen = square_relative(perspective, square) ^ (view & 1) * 7;
    int enemy = piece_color(piece) != perspective;
    int bucket = view >> 1;
    return network->feature_weights[bucket * NETWORK_INPUTS + enemy * (NETWORK_INPUTS / 2) +
                                    piece_type(piece) * 64 + seen];
}

/* The set of output weights for so many pieces on the board. */
static inline int network_output(int pieces)
{
    return (pieces - 2) / 4;
}
