/* The weights of a whole tree, packed and unpacked by the same steps. */
#ifndef CAXTON_BOOK_FORMATS_THOMPSON_TREE_PACK_H
#define CAXTON_BOOK_FORMATS_THOMPSON_TREE_PACK_H

#include "base/status.h"
#include "book/formats/thompson/tree.h"
#include "book/formats/thompson/tree_weights.h"

/* Codes the weights of all moves of a sound body, in its order. weights: by the place of the move's
 * unit in the body, encoded or filled in. packed: TREE_WEIGHTS_CHOICES or _EXACT.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tree_code_weights(struct tree_coder *coder, const uint8_t *body,
                                                size_t size, enum tree_weights packed,
                                                uint32_t *weights);

#endif
