#include "book/open/convert.h"

#include <stdlib.h>

#include "book/book.h"
#include "book/entry_table.h"
#include "book/graph/graph.h"

/* Counts what the writer does not keep of one position: entries with the same key. */
static void count_position(const struct book_writer *writer, const struct book_entry *entries,
                           size_t count, struct book_losses *losses)
{
    bool choices = writer->keeps & BOOK_CHOICE_WEIGHTS && count > 1;
    bool weights = writer->keeps & BOOK_WEIGHTS || choices;
    for (size_t i = 0; i < count; i++) {
        const struct book_entry *entry = &entries[i];
        losses->learn += entry->learn && !(writer->keeps & BOOK_LEARN);
        losses->unplayed += !entry->weight && !(writer->keeps & BOOK_UNPLAYED);
        losses->weights += entry->weight > 1 && !weights; /* without one, a move has the weight 1 */
        losses->large += weights && entry->weight > writer->weight_max;
    }
}

/* Entries that are sorted by key, all moves of a position together. */
static void count_details(const struct book_writer *writer, const struct entry_table *table,
                          struct book_losses *losses)
{
    struct book_entry entries[MOVES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++) {
        struct book_entry entry = entry_table_at(table, i);
        if (count == MOVES_MAX || (count && entries[0].key != entry.key)) {
            count_position(writer, entries, count, losses);
            count = 0;
        }
        entries[count++] = entry;
    }
    count_position(writer, entries, count, losses);
}

static bool keeps_all(const struct book_writer *writer)
{
    const unsigned all = BOOK_WEIGHTS | BOOK_UNPLAYED | BOOK_LEARN;
    return (writer->keeps & all) == all && writer->weight_max == UINT32_MAX;
}

/* Does a kind that repairs itself write its own text again, comments included? */
static bool copies_text(const struct book_format *format, const struct book_writer *writer)
{
    for (size_t i = 0; format->repair && i < format->writer_count; i++)
        if (writer == &format->writers[i])
            return true;
    return false;
}

/* Counts the positions of a graph, but for those that are left out. */
static void count_graph(const struct book_writer *writer, const struct book_graph *graph,
                        bool *kept, struct book_losses *losses)
{
    for (uint32_t at = 0; at < graph->node_count; at++) {
        const struct book_node *node = &graph->nodes[at];
        struct book_entry entries[MOVES_MAX];
        bool is_root = node->parent == BOOK_GRAPH_NONE;
        kept[at] = is_root ? node->root == 0 || !losses->other_starts
                           : kept[node->parent] && !(node->non_book && losses->non_book);
        for (uint32_t i = 0; kept[at] && i < node->count; i++) {
            const struct book_edge *edge = &graph->edges[node->first + i];
            entries[i] = (struct book_entry){.weight = edge->weight, .learn = edge->learn};
        }
        if (kept[at])
            count_position(writer, entries, node->count, losses);
    }
}

/* Counts what the file lacks of the positions that it has. The table tells where no position is
 * left out, and where no move is anything that the file lacks; else the graph does. */
static enum caxton_status count_losses(const struct book *book, const struct book_writer *writer,
                                       struct book_graph *graph, struct book_losses *losses,
                                       struct diag *diag)
{
    const struct entry_table *table = book_table(book);
    if (!copies_text(book->format, writer))
        losses->comments = book->comment_count;
    if (keeps_all(writer))
        return STATUS_OK;
    if (table) {
        struct book_losses all = *losses;
        count_details(writer, table, &all);
        bool any = all.weights + all.large + all.unplayed + all.learn > 0;
        if (!any || losses->unreached + losses->other_starts + losses->non_book == 0) {
            *losses = all;
            return STATUS_OK;
        }
    }
    enum caxton_status status = STATUS_OK;
    if (!graph->book)
        status = book_graph_create(book, NULL, graph, diag);
    if (status != STATUS_OK)
        return status;
    bool *kept = calloc(graph->node_count + 1, sizeof *kept);
    if (kept)
        count_graph(writer, graph, kept, losses);
    else
        diag_set(diag, 0, 0, "out of memory");
    free(kept);
    return kept ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Has the graph moves, but only such as this kind leaves out? */
static bool leaves_all_out(const struct book_graph *graph, const struct book_writer *writer)
{
    for (size_t e = 0; e < graph->edge_count; e++)
        if (graph->edges[e].weight > 0)
            return false;
    return graph->edge_count > 0 && !(writer->keeps & BOOK_UNPLAYED);
}

static enum caxton_status write_graph(struct book_graph *graph, const struct book_writer *writer,
                                      FILE *out, struct book_losses *losses, struct diag *diag)
{
    losses->positions = graph->positions;
    losses->unreached = graph->positions - graph->known;
    losses->illegal = book_graph_illegal_moves(graph);
    enum caxton_status status = writer->write_graph(graph, writer, out, losses, diag);
    if (status == STATUS_NOT_FOUND && leaves_all_out(graph, writer))
        diag_set(diag, 0, 0, "this kind of book (%s) leaves moves of weight 0 out: none is left",
                 writer->name);
    if (status != STATUS_OK || !ferror(out))
        return status;
    diag_set(diag, 0, 0, "cannot write the book");
    return STATUS_IO;
}

enum caxton_status book_convert(const struct book *book, const struct book_writer *writer,
                                FILE *out, struct book_losses *losses, struct diag *diag)
{
    struct book_losses counted = {0};
    struct book_graph graph = {0};
    enum caxton_status status;
    if (writer->write) {
        status = writer->write(book, writer, out, &counted, diag);
    } else {
        status = book_graph_create(book, NULL, &graph, diag);
        if (status == STATUS_OK)
            status = write_graph(&graph, writer, out, &counted, diag);
    }
    if (status == STATUS_OK && losses)
        status = count_losses(book, writer, &graph, &counted, diag);
    book_graph_destroy(&graph);
    if (status == STATUS_OK && losses)
        *losses = counted;
    return status;
}

enum caxton_status book_repair(const struct book *book, const struct book_writer *writer, FILE *out,
                               struct book_losses *losses, struct diag *diag)
{
    struct book_losses counted = {0};
    if (!book->format->repair)
        return book_convert(book, writer, out, losses, diag);
    enum caxton_status status = book->format->repair(book, out, &counted, diag);
    if (status == STATUS_OK && losses)
        *losses = counted;
    return status;
}
