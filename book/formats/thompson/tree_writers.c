#include "book/formats/thompson/tree_writers.h"

#include "book/formats/thompson/tree_write.h"

enum caxton_status tree_write(const struct book *book, FILE *out, struct diag *diag)
{
    const struct tree_options options = {
        .weights = TREE_WEIGHTS_EXACT, .jumps = TREE_JUMPS_NEAR, .non_book_moves = true};
    return tree_write_with(book, &options, out, diag);
}

enum caxton_status tree_write_styles(const struct book *book, FILE *out, struct diag *diag)
{
    const struct tree_options options = {.weights = TREE_WEIGHTS_EXACT,
                                         .jumps = TREE_JUMPS_NEAR,
                                         .non_book_moves = true,
                                         .styles = true};
    return tree_write_with(book, &options, out, diag);
}

enum caxton_status tree_write_small(const struct book *book, FILE *out, struct diag *diag)
{
    const struct tree_options options = {.weights = TREE_WEIGHTS_CHOICES, .jumps = TREE_JUMPS_NEAR};
    return tree_write_with(book, &options, out, diag);
}

enum caxton_status tree_write_pure(const struct book *book, FILE *out, struct diag *diag)
{
    const struct tree_options options = {
        .weights = TREE_WEIGHTS_NONE, .jumps = TREE_JUMPS_NONE, .pure = true};
    return tree_write_with(book, &options, out, diag);
}
