/* The default book, part of the program. */
#ifndef CAXTON_BOOK_OPEN_BUILTIN_H
#define CAXTON_BOOK_OPEN_BUILTIN_H

#include <stdint.h>

extern const uint8_t builtin_book_start[];
extern const uint8_t builtin_book_end[];

#endif
