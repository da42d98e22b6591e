/* books/default.bin as it is, by the assembler: BUILTIN_BOOK_FILE comes from the build. */
#include "book/open/builtin.h"

#ifdef __APPLE__
#define SECTION      ".const_data\n"
#define SYMBOL(name) "_" name
#else
#define SECTION      ".section .rodata\n"
#define SYMBOL(name) name
#endif

/* clang-format off */
__asm__(SECTION
        ".globl " SYMBOL("builtin_book_start") "\n"
        ".globl " SYMBOL("builtin_book_end") "\n"
        ".balign 16\n"
        SYMBOL("builtin_book_start") ":\n"
        ".incbin \"" BUILTIN_BOOK_FILE "\"\n"
        SYMBOL("builtin_book_end") ":\n"
        ".byte 0\n"
        ".text\n");
