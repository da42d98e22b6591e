/* Books of any kind in memory, for tests. Include after cmocka.h. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/entry_table.h"
#include "book/graph/graph.h"
#include "book/open/convert.h"
#include "book/open/formats.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "chess/movegen.h"
#include "chess/notation.h"

static inline struct book *any_open(const void *bytes, size_t size)
{
    struct book *book = NULL;
    struct diag diag = {.text = ""};
    if (book_open_memory(bytes, size, "test", &book, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    return book;
}

static inline struct book *any_open_file(const char *path)
{
    struct book *book = NULL;
    struct diag diag = {.text = ""};
    if (book_open(path, &book, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    return book;
}

static inline struct book *any_open_text(const char *text)
{
    return any_open(text, strlen(text));
}

static inline struct position any_position(const char *moves)
{
    struct position pos;
    struct undo undo;
    struct span rest = span_of(moves);
    position_start(&pos);
    for (struct span word; (word = span_token(&rest)).size;) {
        move m;
        assert_int_equal(move_from_uci(&pos, word, &m), STATUS_OK);
        position_make(&pos, m, &undo);
    }
    return pos;
}

/* The weight of `uci` after `moves`, both UCI; -1 when the book does not know it. */
static inline int64_t any_weight(const struct book *book, const char *moves, const char *uci)
{
    struct position pos = any_position(moves);
    struct book_move found[MOVES_MAX];
    move m;
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    int count = book_probe(book, &pos, found, MOVES_MAX);
    for (int i = 0; i < count; i++)
        if (found[i].move == m)
            return found[i].weight;
    return -1;
}

/* The faults of a file. */
struct any_faults {
    size_t counts[BOOK_FAULTS];
    size_t sum;
    struct diag first;
};

static inline void any_take_fault(void *context, enum book_fault fault, const struct diag *diag,
                                  const char *offer)
{
    (void)offer;
    struct any_faults *faults = context;
    if (faults->sum++ == 0)
        faults->first = *diag;
    faults->counts[fault]++;
}

static inline struct any_faults any_check(const struct book_format *format, const void *bytes,
                                          size_t size)
{
    struct any_faults faults = {.sum = 0};
    assert_int_equal(format->check(format, bytes, size, NULL, any_take_fault, &faults), STATUS_OK);
    return faults;
}

/* The book in another format, to be freed. */
static inline char *any_write(const struct book *book, const char *name, size_t *size)
{
    char *bytes = NULL;
    struct diag diag = {.text = ""};
    FILE *file = open_memstream(&bytes, size);
    const struct book_writer *writer = formats_writer(name);
    assert_non_null(file);
    assert_non_null(writer);
    if (book_convert(book, writer, file, NULL, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

/* Do two books know the same moves of the same weights wherever lines lead? */
static inline void any_assert_equal(const struct book *a, const struct book *b)
{
    struct entry_list lists[2] = {{0}, {0}};
    const struct book *books[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        struct book_graph graph = {0};
        assert_int_equal(book_graph_create(books[i], NULL, &graph, NULL), STATUS_OK);
        for (size_t n = 0; n < graph.node_count; n++)
            for (uint32_t e = 0; e < graph.nodes[n].count; e++) {
                const struct book_edge *edge = &graph.edges[graph.nodes[n].first + e];
                const struct book_entry entry = {.key = graph.nodes[n].key,
                                                 .weight = edge->weight,
                                                 .move = polyglot_from_move(edge->move)};
                assert_int_equal(entry_list_append(&lists[i], &entry), STATUS_OK);
            }
        book_graph_destroy(&graph);
        entry_list_sort(&lists[i]);
    }
    assert_int_equal(lists[0].count, lists[1].count);
    for (size_t i = 0; i < lists[0].count; i++) {
        assert_true(lists[0].entries[i].key == lists[1].entries[i].key);
        assert_int_equal(lists[0].entries[i].move, lists[1].entries[i].move);
        assert_int_equal(lists[0].entries[i].weight, lists[1].entries[i].weight);
    }
    entry_list_free(&lists[0]);
    entry_list_free(&lists[1]);
}
