/* The packed weights of a tree: an adaptive model and a binary arithmetic coder.
 *
 * A weight is predicted from the weights before it in its line and from the shape of the tree. As
 * long as no game leaves a line, the points that the side to move scored stay the same from move to
 * move: so a move without alternative is coded by its difference from the same side's move before.
 * Where lines part, the points are roughly in proportion to the number of lines: such a weight is
 * coded as it is, and the share of its branch is one of the contexts. What remains is an Elias
 * gamma number: its length, then its digits. Each binary digit has a probability in each of several
 * contexts, and these are mixed.
 *
 * All arithmetic is on integers, the same on every machine. Encoder and decoder go through the same
 * steps, so the model needs no table in the file. Any bytes decode to some weights.
 *
 * Sources: Matt Mahoney, "Adaptive Weighing of Context Models for Lossless Data Compression"
 * (2005), for contexts mixed in the logistic domain and the carryless coder of 32 bits; Peter
 * Elias, "Universal Codeword Sets and Representations of the Integers" (1975). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct tree_coder;

/* For decoding when bytes is not NULL (borrowed), else for encoding. NULL without memory. */
struct tree_coder *tree_coder_create(const uint8_t *bytes, size_t size);

void tree_coder_destroy(struct tree_coder *coder); /* NULL is allowed */

/* Ends the encoding; the bytes stay the coder's. NULL when memory ran out on the way. */
const uint8_t *tree_coder_finish(struct tree_coder *coder, size_t *size);

/* Which weights are packed; the values of the header. */
enum tree_weights {
    TREE_WEIGHTS_NONE,    /* the order of merit only */
    TREE_WEIGHTS_CHOICES, /* exact wherever there is a choice */
    TREE_WEIGHTS_EXACT,   /* all of them */
};

/* Codes the weights of all moves of a sound body, in its order; packing and unpacking run the same
 * code, so that the model cannot differ. weights: by the place of the move's unit in the body,
 * encoded or filled in. packed: TREE_WEIGHTS_CHOICES or _EXACT. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tree_code_weights(struct tree_coder *coder, const uint8_t *body,
                                                size_t size, enum tree_weights packed,
                                                uint32_t *weights);
