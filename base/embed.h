/* Files that are put into the program as they are, by the assembler. */
#pragma once

#include <stdint.h>

#ifdef __APPLE__
#define EMBED_SECTION      ".const_data\n"
#define EMBED_SYMBOL(name) "_" name
#elif defined(_WIN32)
#define EMBED_SECTION      ".section .rdata,\"dr\"\n"
#define EMBED_SYMBOL(name) name
#elif defined(__wasm__)
#define EMBED_SECTION      ".section .rodata.embed,\"\",@\n"
#define EMBED_SYMBOL(name) name
#else
#define EMBED_SECTION      ".section .rodata\n"
#define EMBED_SYMBOL(name) name
#endif

/* WebAssembly wants to know the size of what a symbol names. */
#ifdef __wasm__
#define EMBED_SIZE(name, size) ".type " name ",@object\n.size " name ", " size "\n"
#else
#define EMBED_SIZE(name, size)
#endif

/* The bytes of `file`, a string literal, from name_start to name_end; a zero follows. They begin on
 * a multiple of `alignment`, a string literal, too. Only the assembler knows these symbols: compile
 * without link-time optimisation. */
#ifdef EMBED_SHARED
/* Another copy of this code in the same program has them: see cmake/levels.cmake. */
#define EMBED(name, alignment, file)                                                               \
    extern const uint8_t name##_start[];                                                           \
    extern const uint8_t name##_end[]
#else
/* clang-format off */
#define EMBED(name, alignment, file) \
    extern const uint8_t name##_start[]; \
    extern const uint8_t name##_end[]; \
    __asm__(EMBED_SECTION \
            ".globl " EMBED_SYMBOL(#name "_start") "\n" \
            ".globl " EMBED_SYMBOL(#name "_end") "\n" \
            ".balign " alignment "\n" \
            EMBED_SYMBOL(#name "_start") ":\n" \
            EMBED_SIZE(#name "_start", #name "_end-" #name "_start") \
            ".incbin \"" file "\"\n" \
            EMBED_SYMBOL(#name "_end") ":\n" \
            EMBED_SIZE(#name "_end", "1") \
            ".byte 0\n" \
            ".text\n")
/* clang-format on */
#endif
