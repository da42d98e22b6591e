/* The assembler includes the files as they are. EXPLORE_FOLDER comes from CMakeLists.txt. */
#include "book/makebook/explore/explore_parts.h"

#ifdef __APPLE__
#define SECTION      ".const_data\n"
#define SYMBOL(name) "_" name
#else
#define SECTION      ".section .rodata\n"
#define SYMBOL(name) name
#endif

/* clang-format off */
#define PART(name, file) \
    extern const uint8_t explore_##name##_start[]; \
    extern const uint8_t explore_##name##_end[]; \
    __asm__(SECTION \
            ".globl " SYMBOL("explore_" #name "_start") "\n" \
            ".globl " SYMBOL("explore_" #name "_end") "\n" \
            SYMBOL("explore_" #name "_start") ":\n" \
            ".incbin \"" EXPLORE_FOLDER "/" file "\"\n" \
            SYMBOL("explore_" #name "_end") ":\n" \
            ".byte 0\n" \
            ".text\n")
#define ROW(name) {explore_##name##_start, explore_##name##_end}

PART(page, "page.html");
PART(style, "page.css");
PART(pieces, "pieces.svg");
PART(rules, "rules.js");
PART(notation, "notation.js");
PART(graph, "graph.js");
PART(board, "board.js");
PART(line, "line.js");
PART(moves, "moves.js");
PART(search, "search.js");
PART(main, "page.js");

const struct explore_part explore_parts[EXPLORE_PARTS_COUNT] = {
    ROW(page), ROW(style), ROW(pieces), /* and the scripts */
    ROW(rules), ROW(notation), ROW(graph), ROW(board), ROW(line), ROW(moves), ROW(search), ROW(main),
};
