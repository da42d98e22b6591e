/* Statistics in memory, as a book that knows games. Include after cmocka.h. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "book/formats/statistics/wld_format.h"
#include "book/grow/opponent.h"
#include "book/statistics/wld_file.h"
#include "tests/support/book_entries.h"

enum { COUNTED_MAX = 32 };

/* Counts that become a book, and that of an opponent. */
struct counted {
    struct tally list[COUNTED_MAX];
    size_t count;
    struct opponent_source source;
    struct opponent opponent;
};

/* Games of the side to move after `moves`: counts in the unit. */
static inline void add(struct counted *counted, const char *moves, const char *uci, uint64_t wins,
                       uint64_t draws, uint64_t losses)
{
    assert_true(counted->count < COUNTED_MAX);
    counted->list[counted->count++] = (struct tally){.key = position_by_moves(moves).key,
                                                     .move = stored_move(uci),
                                                     .counts = {wins, draws, losses}};
}

static inline int compare(const void *a, const void *b)
{
    return tally_compare(a, b);
}

static inline struct book *counted_book(struct counted *counted, const char *options)
{
    FILE *file = tmpfile();
    struct wld_writer *writer;
    struct wld_reader *reader;
    struct book *book = NULL;
    uint64_t records;
    const struct wld_book_options facts = {.facts = true};
    assert_non_null(file);
    qsort(counted->list, counted->count, sizeof *counted->list, compare);
    assert_int_equal(wld_writer_create(file, options, &writer), STATUS_OK);
    for (size_t i = 0; i < counted->count; i++)
        assert_int_equal(wld_writer_take(writer, &counted->list[i]), STATUS_OK);
    assert_int_equal(wld_writer_finish(writer, &records), STATUS_OK);
    wld_writer_destroy(writer);
    rewind(file);
    assert_int_equal(wld_reader_create(wld_read_stream, file, "counted", &reader, NULL), STATUS_OK);
    assert_int_equal(wld_book_read(reader, "counted", &facts, &book, NULL), STATUS_OK);
    wld_reader_destroy(reader);
    assert_int_equal(fclose(file), 0);
    counted->source = (struct opponent_source){.book = book, .share = 1};
    counted->opponent = (struct opponent){.sources = &counted->source, .source_count = 1};
    return book;
}
