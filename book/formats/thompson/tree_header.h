/* The header of a tree that Caxton has written. tree_format.h describes the bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "book/fault.h"
#include "book/formats/thompson/tree_weights.h"

enum { TREE_MAGIC_SIZE = 8, TREE_HEADER_SIZE = 28 };

struct tree_header {
    enum tree_weights packed; /* TREE_WEIGHTS_NONE, _CHOICES or _EXACT */
    uint32_t body_size;
    uint32_t packed_size;
};

/* Does the file begin with the magic bytes? */
bool tree_has_header(const uint8_t *bytes, size_t size);

/* Reads the header of a whole file. NULL when all is right, the checksum included; else what is
 * wrong, for a message, with the kind of fault and its offset in the file. */
const char *tree_header_read(const uint8_t *bytes, size_t size, struct tree_header *out,
                             enum book_fault *fault, size_t *offset);

/* rest: what follows behind the header, body_size + packed_size bytes. */
void tree_header_write(const struct tree_header *header, const uint8_t *rest,
                       uint8_t out[TREE_HEADER_SIZE]);
