#include "book/makebook/commands/verify_tree.h"

#include "book/formats/thompson/tree_book.h"
#include "book/graph/entropy.h"

/* Of positions and moves that lines of the book reach. */
static void print_theory(const struct book_entropy *entropy, FILE *report)
{
    double bytes = 8.0 * (double)entropy->moves;
    (void)fprintf(
        report, "Polyglot takes 16 bytes a move; in theory %.2f would do, and %.2f for weights\n",
        (entropy->subsets + entropy->counts + entropy->orders) / bytes, entropy->weights / bytes);
}

enum caxton_status verify_tree(const void *state, const struct book_graph *graph, FILE *report)
{
    const struct tree_book *book = state;
    const struct tree_stats stats = book->stats;
    struct book_entropy entropy;
    enum caxton_status status = book_entropy(graph, &entropy);
    if (status != STATUS_OK || stats.moves == 0)
        return status;
    double moves = (double)stats.moves;
    (void)fprintf(report,
                  "%zu moves of the book in %zu bytes, %.2f a move; without packed weights %zu "
                  "bytes, %.2f a move: %zu non-book moves and %zu jumps (%zu bytes) included\n",
                  stats.moves, stats.bytes, (double)stats.bytes / moves, stats.bytes - stats.packed,
                  (double)(stats.bytes - stats.packed) / moves, stats.non_book_moves, stats.jumps,
                  stats.jump_bytes);
    print_theory(&entropy, report);
    return STATUS_OK;
}
