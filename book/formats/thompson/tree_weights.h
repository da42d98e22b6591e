/* The packed weights of a whole tree: packing and unpacking run the same code, so that the model
 * cannot differ. tree_coder.h has the model. */
#pragma once

#include "base/status.h"
#include "book/formats/thompson/tree_coder.h"

/* Which weights are packed; the values of the header. */
enum tree_weights {
    TREE_WEIGHTS_NONE,    /* the order of merit only */
    TREE_WEIGHTS_CHOICES, /* exact wherever there is a choice */
    TREE_WEIGHTS_EXACT,   /* all of them */
};

/* Codes the weights of all moves of a sound body, in its order. weights: by the place of the move's
 * unit in the body, encoded or filled in. packed: TREE_WEIGHTS_CHOICES or _EXACT.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tree_code_weights(struct tree_coder *coder, const uint8_t *body,
                                                size_t size, enum tree_weights packed,
                                                uint32_t *weights);
