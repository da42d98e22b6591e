/* The trees that makebook writes. */
#include "book/formats/thompson/tree.h"

enum caxton_status tree_write_with(const struct book *book, const struct tree_options *options,
                                   FILE *out, struct diag *diag)
{
    struct book_graph graph = {0};
    enum caxton_status status = book_graph_create(book, NULL, &graph, diag);
    if (status == STATUS_OK)
        status = tree_write_graph(&graph, options, out, diag);
    book_graph_destroy(&graph);
    return status;
}

enum caxton_status tree_write(const struct book *book, FILE *out, struct diag *diag)
{
    const struct tree_options options = {
        .weights = TREE_WEIGHTS_EXACT, .jumps = TREE_JUMPS_NEAR, .passages = true};
    return tree_write_with(book, &options, out, diag);
}

enum caxton_status tree_write_styles(const struct book *book, FILE *out, struct diag *diag)
{
    const struct tree_options options = {
        .weights = TREE_WEIGHTS_EXACT, .jumps = TREE_JUMPS_NEAR, .passages = true, .styles = true};
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
