/* What the tests of show, dump, merge and verify share: Polyglot books made of single entries, one
 * folder a test. Include once in a test program, after cmocka.h. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/polyglot_entry.h"
#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_entries.h"

enum { ENTRY = POLYGLOT_ENTRY_SIZE };

/* The move `uci` after `moves` from the start. */
static inline void add(struct book_bytes *book, const char *moves, const char *uci, unsigned weight)
{
    put(book, position_by_moves(moves).key, uci, (uint16_t)weight);
}

static inline int compare_bytes(const void *a, const void *b)
{
    return memcmp(a, b, ENTRY);
}

static inline const char *write_bytes(const char *name, const void *bytes, size_t size)
{
    const char *path = path_of(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *write_book(const char *name, const struct book_bytes *book)
{
    return write_bytes(name, book->bytes, book->size);
}

static inline const char *write_sorted(const char *name, struct book_bytes *book)
{
    qsort(book->bytes, book->size / ENTRY, ENTRY, compare_bytes);
    return write_book(name, book);
}

static inline struct book_bytes read_book(const char *path)
{
    struct book_bytes book = {.size = 0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    book.size = fread(book.bytes, 1, sizeof book.bytes, file);
    assert_int_equal(fclose(file), 0);
    return book;
}

/* The weight of `uci` after `moves`, -1 when the book has no such entry. */
static inline int weight_of(const struct book_bytes *book, const char *moves, const char *uci)
{
    for (size_t i = 0; i < book->size; i += ENTRY) {
        struct polyglot_entry entry = polyglot_decode(book->bytes + i);
        if (entry.key == position_by_moves(moves).key && entry.move == stored_move(uci))
            return entry.weight;
    }
    return -1;
}

static inline int count_files(void)
{
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;)
        count += entry->d_name[0] != '.';
    assert_int_equal(closedir(listing), 0);
    return count;
}

static inline void assert_line(const char *text, const char *line)
{
    size_t size = strlen(line);
    for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
        if ((at == text || at[-1] == '\n') && at[size] == '\n')
            return;
    fail_msg("no line \"%s\" in:\n%s", line, text);
}

/* Runs makebook with the words up to NULL and asserts its exit status. */
static inline void runs(int status, const char *const *words)
{
    if (run(words) != status)
        fail_msg("exit status %d, not %d\n%s%s", result.status, status, result.output,
                 result.errors);
}

/* Runs makebook, which fails with one line that holds `part` and prints nothing. */
static inline void fails(int status, const char *part, const char *const *words)
{
    runs(status, words);
    assert_string_equal(result.output, "");
    assert_says(result.errors, part);
    assert_memory_equal(result.errors, "makebook", 8);
    assert_ptr_equal(strchr(result.errors, '\n'), result.errors + strlen(result.errors) - 1);
}

#define RUNS(status, ...)        runs(status, (const char *const[]){__VA_ARGS__, NULL})
#define FAILS(status, part, ...) fails(status, part, (const char *const[]){__VA_ARGS__, NULL})

static inline int set_up(void **state)
{
    (void)state;
    return create_folder();
}

static inline int start_chess(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

#define TEST(name)       cmocka_unit_test_setup_teardown(name, set_up, remove_folder)
#define RUN_TESTS(tests) cmocka_run_group_tests(tests, start_chess, NULL)

/* 1.e4 30, 1.d4 10; 1.e4 e5 2, c5 2; 1.e4 e5 2.Nf3 5; then 2...Nc6 7. */
static inline struct book_bytes small_book(void)
{
    struct book_bytes book = {.size = 0};
    add(&book, "", "e2e4", 30);
    add(&book, "", "d2d4", 10);
    add(&book, "e2e4", "e7e5", 2);
    add(&book, "e2e4", "c7c5", 2);
    add(&book, "e2e4 e7e5", "g1f3", 5);
    add(&book, "e2e4 e7e5 g1f3", "b8c6", 7);
    return book;
}
