/* What the tests of show, dump, merge and verify share: Polyglot books made of single entries, one
 * folder a test. Include once in a test program, after cmocka.h. */
#ifndef CAXTON_TESTS_E2E_ENTRIES_H
#define CAXTON_TESTS_E2E_ENTRIES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/polyglot.h"
#include "chess/notation.h"
#include "makebook.h"

enum { BOOK_MAX = 64, ENTRY = POLYGLOT_ENTRY_SIZE };

/* A book under construction. */
struct text_book {
    uint8_t bytes[BOOK_MAX * ENTRY];
    size_t size;
};

static inline void add_raw(struct text_book *book, uint64_t key, uint16_t stored, unsigned weight)
{
    const struct polyglot_entry entry = {key, stored, (uint16_t)weight, 0};
    assert_true(book->size + ENTRY <= sizeof book->bytes);
    polyglot_encode(&entry, book->bytes + book->size);
    book->size += ENTRY;
}

static inline uint16_t stored_move(const char *uci)
{
    static const char promotions[] = "nbrq";
    int from = square_make(uci[0] - 'a', uci[1] - '1');
    int to = square_make(uci[2] - 'a', uci[3] - '1');
    int promotion = uci[4] ? (int)(strchr(promotions, uci[4]) - promotions) + 1 : 0;
    return (uint16_t)(to | from << 6 | promotion << 12);
}

static inline uint64_t key_after(const char *moves)
{
    struct position pos;
    position_start(&pos);
    struct span rest = span_of(moves);
    for (struct span word; (word = span_token(&rest)).size;) {
        move m;
        struct undo undo;
        assert_int_equal(move_from_uci(&pos, word, &m), STATUS_OK);
        position_make(&pos, m, &undo);
    }
    return pos.key;
}

/* The move `uci` after `moves` from the start. */
static inline void add(struct text_book *book, const char *moves, const char *uci, unsigned weight)
{
    add_raw(book, key_after(moves), stored_move(uci), weight);
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

static inline const char *write_book(const char *name, const struct text_book *book)
{
    return write_bytes(name, book->bytes, book->size);
}

static inline const char *write_sorted(const char *name, struct text_book *book)
{
    qsort(book->bytes, book->size / ENTRY, ENTRY, compare_bytes);
    return write_book(name, book);
}

static inline struct text_book read_book(const char *path)
{
    struct text_book book = {.size = 0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    book.size = fread(book.bytes, 1, sizeof book.bytes, file);
    assert_int_equal(fclose(file), 0);
    return book;
}

/* The weight of `uci` after `moves`, -1 when the book has no such entry. */
static inline int weight_of(const struct text_book *book, const char *moves, const char *uci)
{
    for (size_t i = 0; i < book->size; i += ENTRY) {
        struct polyglot_entry entry = polyglot_decode(book->bytes + i);
        if (entry.key == key_after(moves) && entry.move == stored_move(uci))
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, remove_folder)

/* 1.e4 30, 1.d4 10; 1.e4 e5 2, c5 2; 1.e4 e5 2.Nf3 5; then 2...Nc6 7. */
static inline struct text_book small_book(void)
{
    struct text_book book = {.size = 0};
    add(&book, "", "e2e4", 30);
    add(&book, "", "d2d4", 10);
    add(&book, "e2e4", "e7e5", 2);
    add(&book, "e2e4", "c7c5", 2);
    add(&book, "e2e4 e7e5", "g1f3", 5);
    add(&book, "e2e4 e7e5 g1f3", "b8c6", 7);
    return book;
}

#endif
