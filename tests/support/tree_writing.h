/* Trees written with options that no writer of the format has. */
#pragma once

#include "book/format.h"
#include "book/formats/thompson/tree_write.h"

static inline enum caxton_status tree_write_graph(struct book_graph *graph,
                                                  const struct tree_options *options, FILE *out,
                                                  struct diag *diag)
{
    const struct book_writer writer = {.options = options};
    struct book_losses losses = {0};
    return tree_write(graph, &writer, out, &losses, diag);
}

static inline enum caxton_status tree_write_with(const struct book *book,
                                                 const struct tree_options *options, FILE *out,
                                                 struct diag *diag)
{
    struct book_graph graph = {0};
    enum caxton_status status = book_graph_create(book, NULL, &graph, diag);
    if (status == STATUS_OK)
        status = tree_write_graph(&graph, options, out, diag);
    book_graph_destroy(&graph);
    return status;
}
