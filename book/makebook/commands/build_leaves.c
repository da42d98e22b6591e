#include "book/makebook/commands/build_leaves.h"

#include <stdlib.h>

#include "base/file.h"
#include "book/book.h"
#include "book/entry_table.h"
#include "book/formats/statistics/wld_format.h"
#include "book/graph/stats.h"
#include "book/open/open.h"

/* A wld_source. */
static enum caxton_status read_file(void *context, char *buffer, size_t capacity, size_t *size)
{
    *size = fread(buffer, 1, capacity, context);
    return ferror((FILE *)context) ? STATUS_IO : STATUS_OK;
}

/* Statistics become a book of all their moves. */
static enum caxton_status open_new(const char *path, struct book **book)
{
    struct wld_reader *reader = NULL;
    uint8_t magic[WLD_MAGIC_SIZE];
    FILE *file = fopen(path, "rb");
    if (!file)
        return STATUS_IO;
    size_t size = fread(magic, 1, sizeof magic, file);
    enum caxton_status status = STATUS_OK;
    if (wld_is_magic(magic, size)) {
        rewind(file);
        status = wld_reader_create(read_file, file, path, &reader, NULL);
        if (status == STATUS_OK)
            status = wld_format_counts(reader, path, NULL, book, NULL);
        wld_reader_destroy(reader);
    } else {
        status = book_open(path, book, NULL);
    }
    (void)fclose(file); /* only read from */
    return status;
}

/* Positions of the book that the graph has no line to. */
static size_t count_unreached(const struct book_graph *graph)
{
    const struct entry_table *table = book_table(graph->book);
    size_t count = 0;
    uint64_t last = 0;
    for (size_t i = 0; table && i < table->count; i++) {
        uint64_t key = entry_table_at(table, i).key;
        if (i == 0 || key != last)
            count += !(graph->reached[i / 8] & 1 << i % 8);
        last = key;
    }
    return count;
}

/* Lines of the book's own moves alone, or, of one side's moves, with all replies that lead on. */
static enum caxton_status count_book(const struct book *book, const struct position *root,
                                     bool one_side, struct leaves *out)
{
    struct book_graph graph = {0};
    struct book_stats *stats = malloc(sizeof *stats);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (stats)
        status = (one_side ? book_graph_create : book_graph_create_own)(book, root, &graph, NULL);
    if (status == STATUS_OK)
        status = book_stats_take(&graph, stats);
    if (status == STATUS_OK)
        *out = (struct leaves){true, stats->leaves, count_unreached(&graph)};
    book_graph_destroy(&graph);
    free(stats);
    return status;
}

enum caxton_status leaves_count(const char *path, size_t memory_bytes, const struct position *root,
                                bool one_side, struct leaves *out)
{
    uint64_t size;
    struct book *book = NULL;
    *out = (struct leaves){.known = false};
    /* A byte of statistics stands for about as much as an entry of a book. */
    if (file_kind_of(path, &size) != FILE_REGULAR || size > memory_bytes)
        return STATUS_OK;
    enum caxton_status status = open_new(path, &book);
    if (status == STATUS_OK && book_graph_memory(book_entry_count(book)) <= memory_bytes)
        status = count_book(book, root, one_side, out);
    book_close(book);
    return status;
}
