/* The network that scores positions: its shape, its file, and what is computed from its numbers.
 *
 * Inputs are seen from either side: (king bucket) x (own, enemy) x (type) x (square), the board
 * turned so that the side plays up and mirrored so that its king stands on files a to d. Each side
 * has an accumulator, the sum of the weight rows of its inputs. What follows are small layers, of
 * which there are eight sets, chosen by the number of pieces:
 *
 *   pairs   each value of an accumulator, clamped to 0..1, times the value half an accumulator
 *           further on: NETWORK_HIDDEN / 2 products a side, the side to move first
 *   first   16 sums of the products; passed on clamped to 0..1, and squared
 *   second  32 sums of these 32, passed on clamped to 0..1
 *   third   their sum: the score
 *
 * Some networks also see relations between pieces (eval/relations.h): a relation has a row of
 * NETWORK_RELATED weights for the last pairs, the first halves of these before the second ones. It
 * is the same for all king buckets.
 *
 * Source: https://www.chessprogramming.org/NNUE
 *
 * A struct network never changes once made, so any number of threads may read it. */
#pragma once

#include <stdalign.h>
#include <stddef.h>

#include "chess/position.h"
#include "eval/relation_changes.h"

enum {
    NETWORK_HIDDEN = 1024, /* values of one accumulator; a multiple of 128 */
    NETWORK_RELATED = 256, /* of them, sums of relations, too; a multiple of 128 */
    NETWORK_RELATED_FROM = (NETWORK_HIDDEN - NETWORK_RELATED) / 2, /* the first of their pairs */
    NETWORK_FIRST = 16,                                            /* sums of the first layer */
    NETWORK_SECOND = 32,  /* and of the second, which has as many inputs */
    NETWORK_INPUTS = 768, /* of one king bucket */
    NETWORK_BUCKETS_MAX = 16,
    NETWORK_VIEWS_MAX = 2 * NETWORK_BUCKETS_MAX,
    NETWORK_OUTPUTS = 8,
    NETWORK_SCALE = 400, /* centipawns of an output of 1.0 */
    NETWORK_DESCRIPTION_MAX = 128,
};

/* Integers in place of real numbers. A product of a pair, in units of 128 / 127^2, is at most 126,
 * and a sum of the first layer counts 64ths of that unit, so 1.0 is 8064 and a half. */
enum {
    NETWORK_QA = 127,       /* 1.0 of an accumulator */
    NETWORK_PAIR_SHIFT = 7, /* of a product of two values */
    NETWORK_QB = 64,        /* 1.0 of a weight of the first layer */
    NETWORK_ONE = 8064,     /* values passed on by the first and second layer are clamped to it */
    NETWORK_SQUARE_SHIFT = 13, /* of their squares */
    NETWORK_QC = 512,          /* 1.0 of a weight of the second and third layer */
    /* 1.0 of the third layer's sum. */
    NETWORK_OUTPUT_ONE = NETWORK_QA * NETWORK_QA * NETWORK_QB * (NETWORK_QC >> NETWORK_PAIR_SHIFT),
    /* Limits that keep every sum within 32 bits. */
    NETWORK_WEIGHT_MAX = 4095, /* of the second and third layer */
    NETWORK_BIAS_MAX = 1 << 29,
    NETWORK_SUM_MAX = NETWORK_SECOND * NETWORK_ONE * NETWORK_WEIGHT_MAX + NETWORK_BIAS_MAX,
};

/* Of a network file, whose layout is in network.c. */
enum {
    NETWORK_PLAIN = 5, /* versions */
    NETWORK_PACKED = 6,
    NETWORK_RELATED_PLAIN = 7, /* with relations */
    NETWORK_RELATED_PACKED = 8,
    NETWORK_HEADER_SIZE = 192,
    NETWORK_RELATED_HEADER_SIZE = 256,
    NETWORK_COLUMNS_AT = 192,
    NETWORK_FEATURES_SIZE_AT = 196,
    NETWORK_CHECKED_FROM = 32,
    NETWORK_LAYERS_SIZE =
        NETWORK_FIRST * (NETWORK_HIDDEN + 4) + NETWORK_SECOND * (2 * NETWORK_SECOND + 4 + 2) + 4,
    /* What comes after the weights of features and relations. */
    NETWORK_REST_SIZE =
        NETWORK_HIDDEN * (int)sizeof(int16_t) + NETWORK_OUTPUTS * NETWORK_LAYERS_SIZE,
};

/* The layers after the accumulators, in the order in which vector units want them: inputs of the
 * first layer in fours, of the second in twos, as many as are multiplied for a sum at once. */
struct layers {
    alignas(64) int8_t first_weights[NETWORK_HIDDEN / 4][NETWORK_FIRST][4];
    alignas(64) int16_t second_weights[NETWORK_SECOND / 2][NETWORK_SECOND][2];
    alignas(64) int32_t first_bias[NETWORK_FIRST];
    alignas(64) int32_t second_bias[NETWORK_SECOND];
    alignas(64) int16_t third_weights[NETWORK_SECOND];
    int32_t third_bias;
};

struct network {
    char description[NETWORK_DESCRIPTION_MAX + 1]; /* ASCII, terminated */
    int buckets;
    uint8_t king_buckets[32]; /* by rank * 4 + file, files a to d */
    struct layers layers[NETWORK_OUTPUTS];
    alignas(64) int16_t feature_bias[NETWORK_HIDDEN];
    /* Behind the struct, or in the program's own file, which engines that run at once share. */
    const int8_t (*feature_weights)[NETWORK_HIDDEN];
    /* The same, [RELATIONS]; NULL: the network does not see relations, and has no index. */
    const int8_t (*relation_weights)[NETWORK_RELATED];
    struct relation_index index;
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

/* Writes that network as a file, which network_load() reads. What is at `path` is replaced, or
 * stays as it is. Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says "PATH: why". */
MUST_CHECK enum caxton_status network_builtin_export(const char *path, struct diag *diag);

/* What the inputs of `perspective` depend on besides the pieces: 2 * king bucket + mirrored. */
static inline int network_view(const struct network *network, int perspective, int king)
{
    int square = square_relative(perspective, king);
    int mirrored = square_file(square) >= 4;
    square ^= mirrored * 7;
    return 2 * network->king_buckets[square_rank(square) * 4 + square_file(square)] + mirrored;
}

/* The weights of a piece on a square. */
static inline const int8_t *network_row(const struct network *network, int perspective, int view,
                                        int piece, int square)
{
    int seen = square_relative(perspective, square) ^ (view & 1) * 7;
    int enemy = piece_color(piece) != perspective;
    int bucket = view >> 1;
    return network->feature_weights[bucket * NETWORK_INPUTS + enemy * (NETWORK_INPUTS / 2) +
                                    piece_type(piece) * 64 + seen];
}

/* The set of layers for so many pieces on the board. */
static inline int network_output(int pieces)
{
    return (pieces - 2) / 4;
}
