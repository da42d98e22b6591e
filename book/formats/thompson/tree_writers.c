#include "book/formats/thompson/tree_writers.h"

#include "book/formats/thompson/tree_write.h"

static const struct tree_options plain = {
    .weights = TREE_WEIGHTS_EXACT, .jumps = true, .non_book_moves = true};
static const struct tree_options styles = {
    .weights = TREE_WEIGHTS_EXACT, .jumps = true, .non_book_moves = true, .styles = true};
static const struct tree_options small = {.weights = TREE_WEIGHTS_CHOICES, .jumps = true};
static const struct tree_options pure = {.pure = true};

const struct book_writer tree_writers[TREE_WRITERS] = {
    {.name = "tree",
     .about = "Thompson's tree: a byte a move, packed weights",
     .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
     .weight_max = UINT32_MAX,
     .options = &plain,
     .write_graph = tree_write},
    {.name = "tree-style",
     .about = "Thompson's tree with the character of openings",
     .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
     .weight_max = UINT32_MAX,
     .options = &styles,
     .write_graph = tree_write},
    {.name = "tree-small",
     .about = "Thompson's tree, weights where there is a choice",
     .keeps = BOOK_CHOICE_WEIGHTS | BOOK_UNPLAYED,
     .weight_max = UINT32_MAX,
     .options = &small,
     .write_graph = tree_write},
    {.name = "tree-pure",
     .about = "Thompson's tree without header and weights",
     .keeps = BOOK_UNPLAYED,
     .options = &pure,
     .write_graph = tree_write},
};
