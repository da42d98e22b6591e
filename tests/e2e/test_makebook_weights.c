/* Weights and learn values through prune, merge, convert and diff: of statistics that age, and of
 * Polyglot books with odd entries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"

/* Where statistics age, numbers by hand and in other books count games all the same. */
static void numbers_by_hand_count_games(void **state)
{
    (void)state;
    static const char *const starts[] = {"1. e4", "1. e4", "1. d4"};
    char games[400] = "";
    for (int i = 0; i < 3; i++)
        (void)snprintf(games + strlen(games), sizeof games - strlen(games),
                       "[Event \"a\"]\n[Date \"2000.01.01\"]\n[Result \"1-0\"]\n\n%s 1-0\n\n",
                       starts[i]);
    write_text("aged.pgn", games);
    write_text("five.txt", "d4 : 5\n");
    assert_int_equal(MAKEBOOK("build", "aged.pgn", "--stats", "aged.wld", "--half-life", "400",
                              "--as-of", "2000.01.01", "--keep-duplicates", "-q"),
                     0);
    assert_int_equal(
        MAKEBOOK("prune", "aged.wld", "-o", "aged.bin", "--override", "five.txt", "-q"), 0);
    assert_string_equal(result.errors, "");
    struct book_bytes book = read_book(path_of("aged.bin"));
    assert_int_equal(weight_of(&book, "", "e2e4"), 2);
    assert_int_equal(weight_of(&book, "", "d2d4"), 5);
    /* So do those of books and statistics together. */
    struct book_bytes own = {.size = 0};
    add(&own, "e2e4", "e7e5", 7);
    (void)write_book("own.bin", &own);
    assert_int_equal(
        MAKEBOOK("merge", "--policy", "priority", "aged.wld", "own.bin", "-o", "sum.bin", "-q"), 0);
    book = read_book(path_of("sum.bin"));
    assert_int_equal(weight_of(&book, "", "e2e4"), 2);
    assert_int_equal(weight_of(&book, "", "d2d4"), 1);
    assert_int_equal(weight_of(&book, "e2e4", "e7e5"), 7);
}

/* Polyglot books may write castling as the king's journey, and a move several times. */
static void odd_entries(void **state)
{
    (void)state;
    static const char italian[] = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";
    const uint64_t nowhere = UINT64_C(0x1111111111111111);
    struct book_bytes book = {.size = 0};
    add(&book, "", "e2e4", 1);
    add(&book, "e2e4", "e7e5", 1);
    add(&book, "e2e4 e7e5", "g1f3", 1);
    add(&book, "e2e4 e7e5 g1f3", "b8c6", 1);
    add(&book, "e2e4 e7e5 g1f3 b8c6", "f1c4", 1);
    add(&book, "e2e4 e7e5 g1f3 b8c6 f1c4", "f8c5", 1);
    add(&book, italian, "e1g1", 2);
    add(&book, italian, "c2c3", 1);
    write_text("castle.txt", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O : 7\n");
    (void)write_sorted("journey.bin", &book);
    assert_int_equal(
        MAKEBOOK("prune", "journey.bin", "-o", "out.bin", "--override", "castle.txt", "-q"), 0);
    book = read_book(path_of("out.bin"));
    assert_int_equal(weight_of(&book, italian, "e1h1"), 7);
    assert_int_equal(weight_of(&book, italian, "c2c3"), 1);

    /* Also where no line leads. */
    book.size = 0;
    add(&book, italian, "e1g1", 2);
    add(&book, italian, "c2c3", 1);
    (void)write_sorted("journey.bin", &book);
    write_text("castle.txt", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O : never\n");
    assert_int_equal(MAKEBOOK("prune", "journey.bin", "-o", "out.bin", "--override", "castle.txt",
                              "--keep-unreached", "-q"),
                     0);
    book = read_book(path_of("out.bin"));
    assert_int_equal(book.size, ENTRY);
    assert_int_equal(weight_of(&book, italian, "c2c3"), 1);

    book.size = 0;
    add(&book, "", "e2e4", 10);
    add(&book, "", "e2e4", 20);
    put(&book, nowhere, "e2e4", 10);
    put(&book, nowhere, "e2e4", 20);
    book.bytes[book.size - 1] = 9; /* its learn value */
    (void)write_sorted("twice.bin", &book);
    assert_int_equal(MAKEBOOK("diff", "twice.bin", "twice.bin"), 0);
    assert_int_equal(MAKEBOOK("prune", "twice.bin", "-o", "out.bin", "--keep-unreached", "-q"), 0);
    book = read_book(path_of("out.bin"));
    assert_int_equal(book.size, 2 * ENTRY);
    assert_int_equal(weight_of(&book, "", "e2e4"), 30);
    assert_int_equal(polyglot_decode(book.bytes).weight, 30);
    assert_int_equal(polyglot_decode(book.bytes).learn, 9);
    assert_int_equal(MAKEBOOK("diff", "twice.bin", "out.bin"), 0);

    book.size = 0;
    add(&book, "", "e2e4", 10);
    add(&book, "", "e2e4", 20);
    book.bytes[book.size - 1] = 9;
    (void)write_sorted("learn.bin", &book);
    assert_int_equal(MAKEBOOK("convert", "learn.bin", "out.bin", "-q"), 0);
    book = read_book(path_of("out.bin"));
    assert_int_equal(polyglot_decode(book.bytes).weight, 30);
    assert_int_equal(polyglot_decode(book.bytes).learn, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers_by_hand_count_games),
        TEST(odd_entries),
    };
    return RUN_TESTS(tests);
}
