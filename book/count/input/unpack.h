/* All unpackers. Private to input.c. */
#pragma once

#include "book/count/input/unpacker.h"

/* The unpacker for data that begins like this; NULL for plain data. */
const struct unpacker *unpacker_find(const uint8_t *start, size_t size);
