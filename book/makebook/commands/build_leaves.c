#include "book/makebook/commands/build_leaves.h"

#include "base/file.h"
#include "book/book.h"
#include "book/formats/statistics/wld_format.h"
#include "book/graph/stats.h"
#include "book/open/open.h"

/* Statistics become a book of all their moves. */
static enum caxton_status open_new(const char *path, struct book **book)
{
    struct wld_reader *reader = NULL;
    uint8_t magic[WLD_MAGIC_SIZE];
    FILE *file = file_open(path);
    if (!file)
        return STATUS_IO;
    size_t size = fread(magic, 1, sizeof magic, file);
    enum caxton_status status = STATUS_OK;
    if (wld_is_magic(magic, size)) {
        rewind(file);
        status = wld_reader_create(wld_read_stream, file, path, &reader, NULL);
        if (status == STATUS_OK)
            status = wld_format_counts(reader, path, WLD_WEIGHTS_UNITS, NULL, book, NULL);
        wld_reader_destroy(reader);
    } else {
        status = book_open(path, book, NULL);
    }
    (void)fclose(file); /* only read from */
    return status;
}

/* Lines of the book's own moves alone, or, of one side's moves, with all replies that lead on.
 * Replies to look for in every book would take longer than some builds. */
static struct leaves count_book(const struct book *book, const struct position *root, bool one_side)
{
    struct book_graph graph = {0};
    struct book_stats stats;
    struct leaves leaves = {.known = false};
    if ((one_side ? book_graph_create : book_graph_create_own)(book, root, &graph, NULL) ==
            STATUS_OK &&
        book_stats_take(&graph, &stats) == STATUS_OK)
        leaves = (struct leaves){true, stats.leaves, graph.positions - graph.known, one_side};
    book_graph_destroy(&graph);
    return leaves;
}

struct leaves leaves_count(const char *path, size_t memory_bytes, const struct position *root,
                           bool one_side)
{
    uint64_t size;
    struct book *book = NULL;
    struct leaves leaves = {.known = false};
    /* A byte of statistics stands for about as much as an entry of a book. */
    if (file_kind_of(path, &size) == FILE_REGULAR && size <= memory_bytes &&
        open_new(path, &book) == STATUS_OK &&
        book_graph_memory(book_entry_count(book)) <= memory_bytes)
        leaves = count_book(book, root, one_side);
    book_close(book);
    return leaves;
}
