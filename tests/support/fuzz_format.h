/* What every fuzz target of a book format does with its bytes. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "book/book.h"
#include "book/entry_table.h"
#include "book/graph/graph_visit.h"
#include "book/open/convert.h"
#include "book/open/formats.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "chess/attacks.h"
#include "chess/movegen.h"

static inline void fuzz_count_fault(void *context, enum book_fault fault, const struct diag *diag,
                                    const char *offer)
{
    (void)offer;
    size_t *count = context;
    if ((int)fault < 0 || fault >= BOOK_FAULTS || !*diag->text)
        abort();
    *count += fault < BOOK_REMARKS;
}

/* Every move along the lines is legal, and each once in its position. Returns how many there are.
 */
static inline size_t fuzz_walk(const struct book *book)
{
    struct book_graph graph = {0};
    if (book_graph_create(book, NULL, &graph, NULL) != STATUS_OK)
        abort();
    for (uint32_t i = 0; i < graph.node_count; i++) {
        struct position pos;
        book_graph_position(&graph, i, &pos, NULL);
        uint32_t end = graph.nodes[i].first + graph.nodes[i].count;
        for (uint32_t j = graph.nodes[i].first; j < end; j++) {
            if (!movegen_is_legal(&pos, graph.edges[j].move))
                abort();
            for (uint32_t k = graph.nodes[i].first; k < j; k++)
                if (graph.edges[k].move == graph.edges[j].move)
                    abort();
        }
    }
    size_t moves = graph.edge_count;
    book_graph_destroy(&graph);
    return moves;
}

/* What is written can be read again and has no fault; all of it, but what an .abk cannot hold.
 * writer: NULL for a format that has none. */
static inline void fuzz_write(const struct book *book, const struct book_writer *writer,
                              const struct book_format *format, size_t moves)
{
    char *bytes = NULL;
    char name[32]; /* small texts with odd bytes may be entries, too: the ending tells */
    size_t size = 0;
    struct diag diag;
    struct book *again = NULL;
    struct book_losses losses;
    if (!writer)
        return;
    (void)snprintf(name, sizeof name, "again.%s", writer->name);
    FILE *file = open_memstream(&bytes, &size);
    if (!file)
        abort();
    enum caxton_status status = book_convert(book, writer, file, &losses, &diag);
    if (fclose(file) != 0)
        abort();
    if (status == STATUS_OK && size > 0) {
        size_t faults = 0;
        if (book_open_memory(bytes, size, name, &again, &diag) != STATUS_OK) {
            (void)fprintf(stderr, "%s written: %s\n", writer->name, diag.text);
            abort();
        }
        if (*book_warning(again)) {
            (void)fprintf(stderr, "%s written: %s\n", writer->name, book_warning(again));
            abort();
        }
        if (format && format->check &&
            (format->check(format, (uint8_t *)bytes, size, NULL, fuzz_count_fault, &faults) !=
                 STATUS_OK ||
             faults))
            abort();
        if (format && fuzz_walk(again) != moves)
            abort();
        book_close(again);
    }
    free(bytes);
}

/* Is every entry of `a` in `b` with the same weight, but for that of the addition? */
static inline void fuzz_same_but(const struct book *a, const struct book *b,
                                 const struct book_addition *addition)
{
    struct entry_list left = {0};
    struct entry_list right = {0};
    if (book_graph_entries(a, &left, NULL, NULL) != STATUS_OK ||
        book_graph_entries(b, &right, NULL, NULL) != STATUS_OK)
        abort();
    entry_list_sort(&left);
    entry_list_sort(&right);
    for (size_t i = 0, j = 0; i < left.count; i++) {
        const struct book_entry *entry = &left.entries[i];
        while (j < right.count &&
               (right.entries[j].key < entry->key ||
                (right.entries[j].key == entry->key && right.entries[j].move < entry->move)))
            j++;
        bool same = j < right.count && right.entries[j].key == entry->key &&
                    right.entries[j].move == entry->move &&
                    right.entries[j].weight == entry->weight;
        bool added = entry->key == addition->pos.key &&
                     polyglot_to_move(&addition->pos, entry->move) == addition->m;
        if (!same && !added)
            abort();
    }
    entry_list_free(&left);
    entry_list_free(&right);
}

/* A move added to the first position of the book: what is written reads back, with all that the
 * book had. */
static inline void fuzz_add(const struct book *book, const struct book_format *format,
                            const uint8_t *data, size_t size)
{
    struct book_addition addition = {.weight = data[size / 2]};
    move legal[MOVES_MAX];
    char *text = NULL;
    size_t text_size = 0;
    char name[32]; /* as in fuzz_write */
    struct diag diag = {.text = ""};
    struct book *again = NULL;
    (void)snprintf(name, sizeof name, "again.%s", format->extension);
    if (book->root_count)
        addition.pos = book->roots[0];
    else
        position_start(&addition.pos);
    int count = movegen_legal(&addition.pos, legal);
    if (!count)
        return;
    addition.m = legal[data[size / 3] % count];
    FILE *file = open_memstream(&text, &text_size);
    if (!file)
        abort();
    enum caxton_status status = format->add(data, size, &addition, file, &diag);
    if (fclose(file) != 0 || (status != STATUS_OK && !*diag.text))
        abort();
    if (status == STATUS_OK) {
        if (book_open_memory(text, text_size, name, &again, &diag) != STATUS_OK)
            abort();
        if (!format->is_lines)
            fuzz_same_but(book, again, &addition);
        book_close(again);
    }
    free(text);
}

/* Reads the bytes as `format`, in both ways, walks through the book and writes it again. */
static inline int fuzz_format(const struct book_format *format, const uint8_t *data, size_t size)
{
    size_t faults = 0;
    struct diag diag = {.text = ""};
    struct book *book = NULL;
    chess_init();
    (void)format->recognises(data, size);
    if (format->check &&
        format->check(format, data, size, NULL, fuzz_count_fault, &faults) != STATUS_OK)
        abort();
    if (book_create(format, data, NULL, size, "fuzz", &book, &diag) != STATUS_OK) {
        if (!*diag.text)
            abort();
        return 0;
    }
    size_t moves = fuzz_walk(book);
    if (format->add && formats_find(data, size, "fuzz") == format)
        fuzz_add(book, format, data, size);
    fuzz_write(book, formats_writer(format->extension), format, moves);
    fuzz_write(book, formats_writer("abk"), NULL, moves);
    fuzz_write(book, formats_writer("pgn"), NULL, moves);
    fuzz_write(book, formats_writer("lines"), NULL, moves);
    book_close(book);
    return 0;
}
