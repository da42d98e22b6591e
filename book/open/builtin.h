/* The default book, part of the program. */
#pragma once

#include <stdint.h>

extern const uint8_t builtin_book_start[];
extern const uint8_t builtin_book_end[];
