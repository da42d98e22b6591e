#include "book/formats/thompson/tree_writers.h"

#include "book/formats/thompson/tree_write.h"

static enum caxton_status write_plain(const struct book *book, FILE *out,
                                      struct book_losses *losses, struct diag *diag)
{
    const struct tree_options options = {
        .weights = TREE_WEIGHTS_EXACT, .jumps = true, .non_book_moves = true};
    return tree_write_with(book, &options, out, losses, diag);
}

static enum caxton_status write_styles(const struct book *book, FILE *out,
                                       struct book_losses *losses, struct diag *diag)
{
    const struct tree_options options = {
        .weights = TREE_WEIGHTS_EXACT, .jumps = true, .non_book_moves = true, .styles = true};
    return tree_write_with(book, &options, out, losses, diag);
}

static enum caxton_status write_small(const struct book *book, FILE *out,
                                      struct book_losses *losses, struct diag *diag)
{
    const struct tree_options options = {.weights = TREE_WEIGHTS_CHOICES, .jumps = true};
    return tree_write_with(book, &options, out, losses, diag);
}

static enum caxton_status write_pure(const struct book *book, FILE *out, struct book_losses *losses,
                                     struct diag *diag)
{
    const struct tree_options options = {.pure = true};
    return tree_write_with(book, &options, out, losses, diag);
}

const struct book_writer tree_writers[TREE_WRITERS] = {
    {.name = "tree",
     .about = "Thompson's tree: a byte a move, packed weights",
     .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
     .weight_max = UINT32_MAX,
     .write = write_plain},
    {.name = "tree-style",
     .about = "Thompson's tree with the character of openings",
     .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
     .weight_max = UINT32_MAX,
     .write = write_styles},
    {.name = "tree-small",
     .about = "Thompson's tree, weights where there is a choice",
     .keeps = BOOK_CHOICE_WEIGHTS | BOOK_UNPLAYED,
     .weight_max = UINT32_MAX,
     .write = write_small},
    {.name = "tree-pure",
     .about = "Thompson's tree without header and weights",
     .keeps = BOOK_UNPLAYED,
     .write = write_pure},
};
