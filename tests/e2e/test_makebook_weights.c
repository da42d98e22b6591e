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

static const char before_castling[] = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";

/* The moves to the Italian Game and `uci` there, or that move alone, which no line reaches. */
static struct book_bytes italian_book(bool reached, const char *uci, unsigned weight)
{
    struct book_bytes book = {.size = 0};
    for (const char *at = before_castling; reached && at; at = strchr(at + 1, ' ')) {
        char line[sizeof before_castling] = "";
        char next[8] = "";
        memcpy(line, before_castling, (size_t)(at - before_castling));
        memcpy(next, at + (*at == ' '), 4);
        add(&book, line, next, 1);
    }
    add(&book, before_castling, uci, weight);
    return book;
}

/* What was written passes verify, and castling is there once, with this weight. */
static void assert_castling(int weight)
{
    assert_int_equal(MAKEBOOK("verify", "out.bin"), 0);
    struct book_bytes book = read_book(path_of("out.bin"));
    assert_int_equal(weight_of(&book, before_castling, "e1h1"), weight);
    assert_int_equal(weight_of(&book, before_castling, "e1g1"), -1);
}

/* Castling written as the king's journey is never passed on, and is one move with the other form.
 */
static void castling_takes_the_rook(void **state)
{
    (void)state;
    struct book_bytes book = italian_book(true, "e1g1", 6);
    (void)write_sorted("journey.bin", &book);
    book = italian_book(true, "e1h1", 6);
    (void)write_sorted("takes.bin", &book);
    book = italian_book(false, "e1g1", 5);
    (void)write_sorted("apart.bin", &book);
    write_text("won.pgn", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 "
                          "4. O-O 1-0\n");

    assert_int_equal(MAKEBOOK("convert", "journey.bin", "out.bin", "-q"), 0);
    assert_string_equal(result.errors, "");
    assert_castling(6);
    assert_int_equal(MAKEBOOK("merge", "journey.bin", "takes.bin", "-o", "out.bin", "-q"), 0);
    assert_string_equal(result.errors, "");
    assert_castling(12);
    /* Only the sum has lines to it. */
    assert_int_equal(MAKEBOOK("merge", "apart.bin", "takes.bin", "-o", "out.bin", "-q"), 0);
    assert_castling(11);
    assert_int_equal(MAKEBOOK("merge", "takes.bin", "apart.bin", "--policy", "normalised", "-o",
                              "out.bin", "-q"),
                     0);
    assert_castling(20000);
    assert_int_equal(MAKEBOOK("learn", "won.pgn", "--book", "journey.bin", "-o", "out.bin", "-q"),
                     0);
    assert_castling(6);
    assert_int_equal(
        MAKEBOOK("vet", "journey.bin", "--depth", "2", "--drop", "-o", "out.bin", "-q"), 0);
    assert_castling(6);
    book = italian_book(true, "e1g1", 6);
    add(&book, before_castling, "e1h1", 3);
    (void)write_sorted("both.bin", &book);
    assert_int_equal(MAKEBOOK("vet", "both.bin", "--depth", "2", "--drop", "-o", "out.bin", "-q"),
                     0);
    assert_castling(9);
    assert_int_equal(MAKEBOOK("verify", "both.bin", "--repair", "-o", "out.bin"), 0);
    assert_castling(9);
    book = italian_book(true, "e1g1", 6);
    (void)write_sorted("out.bin", &book);
    assert_int_equal(MAKEBOOK("add", "out.bin", "e4", "d5", "3", "-q"), 0);
    assert_castling(6);
}

/* Where no line leads, the key of the position behind castling tells it from a rook's move. */
static void castling_where_no_line_leads(void **state)
{
    (void)state;
    static const char four[] = "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7";
    static const char behind[] = "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1";
    static const char rook[] = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 f1e1 e8g8 g1h1 d7d6";
    struct book_bytes book = {.size = 0};
    add(&book, four, "e1c1", 2);
    add(&book, four, "e1a1", 3);
    add(&book, behind, "e8c8", 4);
    add(&book, "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8", "e2e3", 5);
    (void)write_sorted("apart.bin", &book);
    assert_int_equal(MAKEBOOK("merge", "apart.bin", "-o", "out.bin", "-q"), 0);
    assert_string_equal(result.errors, "");
    book = read_book(path_of("out.bin"));
    assert_int_equal(book.size, 3 * ENTRY);
    assert_int_equal(weight_of(&book, four, "e1a1"), 5);
    assert_int_equal(weight_of(&book, behind, "e8a8"), 4);

    /* So do moves of the rook that the king takes. */
    book.size = 0;
    add(&book, before_castling, "e1g1", 2);
    add(&book, before_castling, "e1h1", 3);
    add(&book, before_castling, "h1g1", 1);
    (void)write_sorted("apart.bin", &book);
    assert_int_equal(MAKEBOOK("merge", "apart.bin", "-o", "out.bin", "-q"), 0);
    assert_string_equal(result.errors, "");
    assert_castling(5);

    book.size = 0;
    add(&book, rook, "e1g1", 2);
    add(&book, rook, "a2a3", 1);
    add(&book, before_castling, "e1g1", 3);
    (void)write_sorted("apart.bin", &book);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(i ? MAKEBOOK("merge", "apart.bin", "-o", "out.bin", "-q")
                           : MAKEBOOK("convert", "apart.bin", "out.bin", "-q"),
                         0);
        assert_says(result.errors, "warning: ");
        assert_says(result.errors, "out.bin: 2 moves such as e1g1, castling or not, as they are");
        assert_string_equal(result.output, "");
        book = read_book(path_of("out.bin"));
        assert_int_equal(weight_of(&book, rook, "e1g1"), 2);
        assert_int_equal(weight_of(&book, before_castling, "e1g1"), 3);
    }
}

/* A rook's move is one where a line shows it. In Chess960 kings castle from other squares. */
static void moves_that_look_like_castling(void **state)
{
    (void)state;
    static const char *const line[] = {"e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1",
                                       "g8f6", "f1e1", "e8g8", "g1h1", "d7d6", "e1g1"};
    char moves[100] = "";
    struct book_bytes book = {.size = 0};
    for (int i = 0; i < 13; i++) {
        add(&book, moves, line[i], 1);
        (void)snprintf(moves + strlen(moves), sizeof moves - strlen(moves), "%s ", line[i]);
    }
    moves[strlen(moves) - 5] = '\0';
    (void)write_sorted("rook.bin", &book);
    assert_int_equal(MAKEBOOK("convert", "rook.bin", "out.bin", "-q"), 0);
    assert_castling(1);
    book = read_book(path_of("out.bin"));
    assert_int_equal(weight_of(&book, moves, "e1g1"), 1);
    assert_int_equal(weight_of(&book, moves, "e1h1"), -1);

    static const char *const other[] = {"g1f3", "a7a6", "g2g3", "a6a5", "f1g2", "a5a4", "d1g1"};
    struct position pos = position_of("rqbkrbnn/pppppppp/8/8/8/8/PPPPPPPP/RQBKRBNN w KQkq - 0 1");
    book.size = 0;
    for (int i = 0; i < 7; i++) {
        move m;
        struct undo undo;
        put(&book, pos.key, other[i], 1);
        assert_int_equal(move_from_uci(&pos, span_of(other[i]), &m), STATUS_OK);
        position_make(&pos, m, &undo);
    }
    (void)write_sorted("other.bin", &book);
    assert_int_equal(MAKEBOOK("verify", "other.bin"), 1);
    assert_int_equal(MAKEBOOK("convert", "other.bin", "out.bin", "-q"), 0);
    assert_int_equal(MAKEBOOK("verify", "out.bin"), 0);
}

/* Beside e2e4: moves that no piece can make in the start, one that none can make anywhere, and an
 * entry that is there twice. */
static void write_illegal(const char *name)
{
    struct book_bytes book = {.size = 0};
    add(&book, "", "e2e4", 5);
    add(&book, "e2e4", "e7e5", 1);
    add(&book, "e2e4", "e7e5", 1);
    put(&book, position_by_moves("").key, "e2e5", 3);
    put(&book, position_by_moves("").key, "e1g1", 2);
    put(&book, position_by_moves("").key, "b1d2", 1);
    put(&book, 1, "a1b4", 4);
    put(&book, 1, "a2a3", 4);
    (void)write_sorted(name, &book);
}

/* Is the fault told in one line, and the rest of the book there? */
static void assert_legal(const char *name, const char *told)
{
    assert_says(result.errors, told);
    assert_int_equal(MAKEBOOK("verify", name), 0);
    if (strcmp(name, "out.bin") != 0)
        return;
    struct book_bytes book = read_book(path_of(name));
    assert_true(weight_of(&book, "", "e2e4") > 0);
    assert_true(weight_of(&book, "e2e4", "e7e5") >= 0);
    assert_int_equal(weight_of(&book, "", "e2e5"), -1);
}

/* What is written passes verify, whatever the book had that it was made of. */
static void illegal_moves_are_left_out(void **state)
{
    (void)state;
    static const char *const kinds[] = {"abk", "epd", "fen", "pgn", "lines", "tree", "tree-small"};
    static const char all[] = "out.bin: 4 illegal moves left out";
    write_illegal("illegal.bin");
    write_text("won.pgn", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    struct book_bytes book = italian_book(true, "e1h1", 6);
    (void)write_sorted("sound.bin", &book);

    assert_int_equal(MAKEBOOK("convert", "illegal.bin", "out.bin", "-q"), 0);
    assert_legal("out.bin", all);
    assert_int_equal(MAKEBOOK("convert", "out.bin", "again.bin", "-q"), 0);
    assert_string_equal(result.errors, "");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_int_equal(MAKEBOOK("convert", "illegal.bin", "out.bok", "--to", kinds[i], "-q"), 0);
        assert_legal("out.bok", "3 illegal moves left out");
    }
    assert_int_equal(MAKEBOOK("convert", "illegal.bin", "out.bin", "--color", "white", "-q"), 0);
    assert_says(result.errors, "3 illegal moves left out");
    assert_int_equal(MAKEBOOK("verify", "out.bin"), 0);
    assert_int_equal(MAKEBOOK("merge", "illegal.bin", "-o", "out.bin", "-q"), 0);
    assert_legal("out.bin", all);
    assert_int_equal(MAKEBOOK("merge", "illegal.bin", "sound.bin", "-o", "out.pgn", "-q"), 0);
    assert_legal("out.pgn", "3 illegal moves left out");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(MAKEBOOK("merge", "sound.bin", "illegal.bin", "--policy",
                                  i ? "normalised" : "priority", "-o", "out.bin", "-q"),
                         0);
        assert_legal("out.bin", i ? all : "out.bin: 1 illegal move left out");
    }
    assert_int_equal(MAKEBOOK("learn", "won.pgn", "--book", "illegal.bin", "--depth", "2", "-o",
                              "out.bin", "-q"),
                     0);
    assert_legal("out.bin", all);
    assert_int_equal(
        MAKEBOOK("vet", "illegal.bin", "--depth", "2", "--drop", "-o", "out.bin", "-q"), 0);
    assert_legal("out.bin", all);
    write_illegal("out.bin");
    assert_int_equal(MAKEBOOK("add", "out.bin", "e4", "d5", "3", "-q"), 0);
    assert_legal("out.bin", all);
    assert_int_equal(MAKEBOOK("prune", "illegal.bin", "-o", "out.bin"), 0);
    assert_says(result.output, "3  illegal in its position\n");
    assert_legal("out.bin", "");
    assert_int_equal(MAKEBOOK("prune", "illegal.bin", "-o", "out.bin", "--keep-unreached", "-q"),
                     0);
    assert_legal("out.bin", "out.bin: 1 illegal move left out");
    assert_int_equal(MAKEBOOK("verify", "illegal.bin", "--repair", "-o", "out.bin"), 0);
    assert_legal("out.bin", "");

    book.size = 0;
    put(&book, position_by_moves("").key, "e2e5", 3);
    (void)write_book("none.bin", &book);
    assert_int_equal(MAKEBOOK("convert", "none.bin", "none-left.bin", "-q"), 1);
    assert_says(result.errors, "none-left.bin: no move is legal: nothing to write");
}

/* The entries of a book that loses nothing stay as they are, but no move is there twice. */
static void a_move_twice_is_vetted(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    add(&book, "", "d2d4", 1);
    add(&book, "", "e2e4", 2);
    (void)write_book("odd.bin", &book);
    assert_int_equal(MAKEBOOK("vet", "odd.bin", "--depth", "2", "--drop", "-o", "out.bin", "-q"),
                     0);
    struct book_bytes same = read_book(path_of("out.bin"));
    assert_int_equal(same.size, book.size);
    assert_memory_equal(same.bytes, book.bytes, book.size);
    add(&book, "", "d2d4", 3);
    (void)write_book("odd.bin", &book);
    assert_int_equal(MAKEBOOK("vet", "odd.bin", "--depth", "2", "--drop", "-o", "out.bin", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("verify", "out.bin"), 0);
    same = read_book(path_of("out.bin"));
    assert_int_equal(weight_of(&same, "", "d2d4"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(numbers_by_hand_count_games),   TEST(odd_entries),
        TEST(castling_takes_the_rook),       TEST(castling_where_no_line_leads),
        TEST(moves_that_look_like_castling), TEST(illegal_moves_are_left_out),
        TEST(a_move_twice_is_vetted),
    };
    return RUN_TESTS(tests);
}
