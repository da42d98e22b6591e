/* The header of a tree that Caxton has written. tree_format.h describes the bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "book/format.h"
#include "book/formats/thompson/tree_weights.h"

enum { TREE_MAGIC_SIZE = 8, TREE_HEADER_SIZE = 28 };

struct tree_header {
    enum tree_weights packed; /* TREE_WEIGHTS_NONE, _CHOICES or _EXACT */
    uint32_t body_size;
    uint32_t packed_size;
};

/* Does the file begin with the magic bytes? */
bool tree_has_header(const uint8_t *bytes, size_t size);

/* What is wrong with a file, for a message, and where. */
struct tree_fault {
    enum book_fault kind;
    size_t at;
    const char *text; /* NULL: nothing is */
};

/* Reads the header of a whole file and checks its checksum. */
struct tree_fault tree_header_read(const uint8_t *bytes, size_t size, struct tree_header *out);

/* rest: what follows behind the header, body_size + packed_size bytes. */
void tree_header_write(const struct tree_header *header, const uint8_t *rest,
                       uint8_t out[TREE_HEADER_SIZE]);
