/* The assembler includes the files as they are. EXPLORE_FOLDER comes from CMakeLists.txt. */
#include "book/makebook/explore/explore_parts.h"

#include "base/embed.h"

/* clang-format off */
#define PART(name, file) EMBED(explore_##name, "1", EXPLORE_FOLDER "/" file)
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
