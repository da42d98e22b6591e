/* makebook convert, merge and verify on books of every kind; the engine plays from each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "makebook.h"
#include "tests/support/any_book.h"
#include "tests/support/shared_data.h"

#define START_BOARD "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "

static const char *const kinds[] = {"abk", "epd", "lines", "pgn", "tree"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char games[] =
    "[Event \"x\"]\n\n"
    "1. e4 {[%weight 40]} e5 {[%weight 30]} (1... c5 {[%weight 10]} 2. Nf3 {[%weight 5]}) 2. Nf3 "
    "{[%weight 20]} (2. Nc3 {[%weight 2]}) Nc6 {[%weight 9]} 3. Bc4 {[%weight 3]} Bc5 {[%weight "
    "3]} "
    "4. O-O {[%weight 1]} *\n\n"
    "1. Nf3 {[%weight 7]} e5 {[%weight 1]} 2. e4 {[%weight 1]} *\n";

static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0)
        return -1;
    write_text("first.pgn", games);
    return 0;
}

static void assert_same_books(const char *a, const char *b)
{
    struct book *x = any_open_file(a);
    struct book *y = any_open_file(b);
    any_assert_equal(x, y);
    book_close(x);
    book_close(y);
}

static void every_kind_and_back(void **state)
{
    (void)state;
    const char *first = file_of("first", "pgn");
    const char *bin = file_of("first", "bin");
    assert_int_equal(RUN("convert", first, bin), 0);
    assert_says(result.output, "PGN repertoire, 13 moves");
    for (int i = 0; i < KINDS; i++) {
        const char *there = file_of("there", kinds[i]);
        const char *back = file_of("back", "bin");
        assert_int_equal(RUN("convert", bin, there, "-q"), 0);
        assert_string_equal(result.errors, "");
        assert_int_equal(RUN("verify", there), 0);
        assert_says(result.output, ": 0 faults");
        assert_same_books(bin, there);
        assert_int_equal(RUN("convert", there, back, "-q"), 0);
        assert_same_files("first.bin", "back.bin");
        assert_int_equal(RUN("show", there, "e4"), 0);
        assert_says(result.output, "Sicilian Defense");
        assert_int_equal(RUN("dump", there, "--raw"), 0);
        assert_int_equal(RUN("merge", there, bin, "-q", "-o", file_of("both", "bin")), 0);
        struct book *both = any_open_file(file_of("both", "bin"));
        assert_int_equal(any_weight(both, "", "e2e4"), 80);
        book_close(both);
    }
    /* Another name needs --to. */
    const char *odd = file_of("odd", "txt");
    assert_int_equal(RUN("convert", bin, odd), 2);
    assert_says(result.errors,
                "bin, exp, exp-brainlearn, exp-sugar, abk, epd, fen, pgn, lines, tree, "
                "tree-style, tree-small, tree-pure");
    assert_int_equal(RUN("convert", bin, odd, "--to", "fen", "-q"), 0);
    assert_int_equal(RUN("convert", bin, odd, "--to", "epd", "--weight", "games"), 2);
    assert_int_equal(RUN("convert", bin, odd, "--to", "ctg"), 2);
}

/* What the engine answers on the first move, over and over from a book of one line. */
static void engine_plays(const char *book)
{
    static const char wanted[] = "bestmove c2c4";
    char input[400];
    (void)snprintf(input, sizeof input,
                   "setoption name BookFile value %s\nposition startpos\ngo depth 1\nquit\n", book);
    const char *const arguments[] = {process_binary("CAXTON_BINARY"), NULL};
    struct process_result played = process_run(arguments, input);
    assert_int_equal(played.status, 0);
    assert_says(played.output, wanted);
    process_result_free(&played);
}

/* What the engine answers on the first move of a book when it is in that mood. */
static void engine_in_mood(const char *book, const char *style, const char *wanted)
{
    char input[400];
    (void)snprintf(input, sizeof input,
                   "setoption name BookFile value %s\nsetoption name BookStyle value %s\n"
                   "setoption name BestBookMove value true\n"
                   "position startpos\ngo depth 1\nquit\n",
                   book, style);
    const char *const arguments[] = {process_binary("CAXTON_BINARY"), NULL};
    struct process_result played = process_run(arguments, input);
    assert_int_equal(played.status, 0);
    assert_says(played.output, wanted);
    process_result_free(&played);
}

static void engine_plays_what_it_is_in_the_mood_for(void **state)
{
    (void)state;
    write_text("moods.pgn", "[Event \"x\"]\n\n1. e4 {[%weight 9]} (1. d4 {[%weight 5]} d5 2. c4) "
                            "(1. c4 {[%weight 3]} c5) 1... e5 2. Nf3 Nc6 3. Bc4 Bc5 *\n");
    const char *pgn = file_of("moods", "pgn");
    const char *tree = file_of("moods", "tree");
    const char *bin = file_of("moods", "bin");
    assert_int_equal(RUN("convert", pgn, bin, "-q"), 0);
    assert_int_equal(RUN("convert", pgn, tree, "--to", "tree-style", "-q"), 0);
    assert_int_equal(RUN("verify", tree), 0);
    engine_in_mood(tree, "any", "bestmove e2e4");
    engine_in_mood(tree, "open", "bestmove e2e4");
    engine_in_mood(tree, "closed", "bestmove d2d4");
    engine_in_mood(tree, "flank", "bestmove c2c4");
    engine_in_mood(tree, "half-open", "bestmove e2e4"); /* it knows none */
    engine_in_mood(bin, "closed", "bestmove e2e4");     /* it does not say */
    assert_int_equal(RUN("convert", tree, file_of("again", "bin"), "-q"), 0);
    assert_same_files("moods.bin", "again.bin");

    /* Eleven moves, eleven bytes. */
    static char bytes[FILE_MAX];
    assert_int_equal(RUN("convert", pgn, tree, "--to", "tree-pure", "-q"), 0);
    assert_int_equal(read_bytes("moods.tree", bytes), 11);
    assert_int_equal(RUN("verify", tree), 0);
    engine_in_mood(tree, "closed", "bestmove e2e4");
    assert_int_equal(RUN("convert", file_of("one", "pgn"), tree, "--to", "tree-pure", "-q"), 1);
    assert_says(result.errors, "no choice in it");
}

static void engine_plays_from_each(void **state)
{
    (void)state;
    write_text("one.pgn", "[Event \"x\"]\n\n1. c4 Nh6 2. a4 *\n");
    write_text("games.pgn", "[Result \"1-0\"]\n\n1. c4 e5 1-0\n\n[Result \"1-0\"]\n\n1. c4 1-0\n");
    engine_plays(file_of("one", "pgn"));
    static const char *const all[] = {"bin", "abk", "epd", "fen", "lines", "tree"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(RUN("convert", file_of("one", "pgn"), file_of("one", all[i]), "-q"), 0);
        engine_plays(file_of("one", all[i]));
    }
    assert_int_equal(
        RUN("build", file_of("games", "pgn"), "--stats", file_of("games", "wld"), "-q"), 0);
    engine_plays(file_of("games", "wld"));
    assert_int_equal(
        RUN("convert", file_of("games", "wld"), file_of("games", "abk"), "-q", "--min-games", "1"),
        0);
    engine_plays(file_of("games", "abk"));
}

/* Fishburn's lines hold no move that is never played. */
static void nothing_that_is_played(void **state)
{
    (void)state;
    write_text("zero.epd", START_BOARD "am e4;\n");
    assert_int_equal(RUN("convert", file_of("zero", "epd"), file_of("zero", "fen")), 1);
    assert_says(result.errors,
                "this kind of book (fen) leaves moves of weight 0 out: none is left");
    assert_false(exists("zero.fen"));
}

static void merge_into_any_kind(void **state)
{
    (void)state;
    write_text("one.pgn",
               "[Event \"x\"]\n\n1. e4 {[%weight 70000]} (1. d4 {[%weight 2]} d5) e5 *\n");
    write_text("two.epd", START_BOARD "bm e4 c4; c0 \"e4=5, c4=3\";\n"
                                      "4k3/P7/8/8/8/8/8/4K3 w - - bm a8=Q;\n");
    static const char *const kinds_out[] = {"pgn", "epd"};
    for (size_t i = 0; i < sizeof kinds_out / sizeof *kinds_out; i++) {
        const char *sum = file_of("sum", kinds_out[i]);
        assert_int_equal(RUN("merge", file_of("one", "pgn"), file_of("two", "epd"), "-o", sum), 0);
        assert_int_equal(RUN("verify", sum), 0);
        struct book *book = any_open_file(sum);
        struct position lonely;
        struct book_move found;
        assert_int_equal(fen_parse(span_of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), &lonely, NULL),
                         STATUS_OK);
        assert_int_equal(any_weight(book, "", "e2e4"), 70005);
        assert_int_equal(any_weight(book, "", "d2d4"), 2);
        assert_int_equal(any_weight(book, "", "c2c4"), 3);
        assert_int_equal(any_weight(book, "d2d4", "d7d5"), 1);
        assert_int_equal(book_probe(book, &lonely, &found, 1), 1);
        book_close(book);
        assert_int_equal(RUN("dump", sum), 0);
        assert_says(result.output, "\n# 1 position that no line of the book reaches:\n"
                                   "4k3/P7/8/8/8/8/8/4K3 w - - 0 1: a8=Q+ 1\n");
    }
    assert_int_equal(RUN("merge", file_of("one", "pgn"), "-o", file_of("one", "pgn")), 2);
    assert_says(result.errors, "is read: it would be lost");
}

static void one_side_of_a_book(void **state)
{
    (void)state;
    write_text("both.pgn", "[Event \"x\"]\n\n1. e4 e5 (1... c5 2. Nf3 d6) 2. Nc3 *\n");
    const char *white = file_of("white", "lines");
    const char *black = file_of("black", "bin");
    assert_int_equal(RUN("convert", file_of("both", "pgn"), white, "--color", "white"), 0);
    assert_int_equal(RUN("convert", file_of("both", "pgn"), black, "--color", "black"), 0);
    struct book *book = any_open_file(white);
    assert_int_equal(any_weight(book, "", "e2e4"), 1);
    assert_int_equal(any_weight(book, "e2e4", "e7e5"), -1);
    assert_int_equal(any_weight(book, "e2e4 c7c5", "g1f3"), 1);
    book_close(book);
    book = any_open_file(black);
    assert_int_equal(any_weight(book, "", "e2e4"), -1);
    assert_int_equal(any_weight(book, "e2e4", "c7c5"), 1);
    assert_int_equal(any_weight(book, "e2e4 c7c5 g1f3", "d7d6"), 1);
    book_close(book);
    assert_int_equal(RUN("convert", black, file_of("none", "bin"), "--color", "white"), 1);
    assert_says(result.errors, "no move is left");
}

static void verify_names_and_repairs(void **state)
{
    (void)state;
    const char *bad = file_of("bad", "epd");
    FILE *file = fopen(bad, "wb");
    assert_non_null(file);
    assert_true(
        fputs(START_BOARD "bm e4 e5;\n" START_BOARD "bm e4 d4;\nd5 " START_BOARD "\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(RUN("verify", bad), 1);
    assert_says(result.output, "line 1, column 60: e5 is illegal in ");
    assert_says(result.output, "line 3, column 1: d5 is illegal in ");
    assert_says(result.output, "line 2: e2e4 of the same position stands already in line 1");
    assert_says(result.output, ": 3 faults");
    assert_int_equal(RUN("verify", bad, "--repair", "-o", file_of("good", "epd")), 0);
    assert_int_equal(RUN("verify", file_of("good", "epd")), 0);
    struct book *book = any_open_file(file_of("good", "epd"));
    assert_int_equal(any_weight(book, "", "e2e4"), 2);
    assert_int_equal(any_weight(book, "", "d2d4"), 1);
    book_close(book);

    /* Knights that come back to where they were. */
    write_text("round.pgn", "[Event \"x\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *\n");
    assert_int_equal(RUN("verify", file_of("round", "pgn"), "--all"), 0);
    assert_says(result.output, "Ng8 in ");
    assert_says(result.output, "comes back to an earlier position");
}

static void polyglot_castling_is_repaired(void **state)
{
    (void)state;
    enum { WANTED = 4 << 6 | 7, JOURNEY = 4 << 6 | 6 }; /* e1h1, e1g1 */
    static char bytes[FILE_MAX];
    assert_int_equal(RUN("convert", file_of("first", "pgn"), file_of("first", "bin"), "-q"), 0);
    size_t size = read_bytes("first.bin", bytes);
    int changed = 0;
    for (size_t at = 0; at < size; at += POLYGLOT_ENTRY_SIZE) {
        struct polyglot_entry entry = polyglot_decode((const uint8_t *)bytes + at);
        if (entry.move != WANTED)
            continue;
        entry.move = JOURNEY;
        polyglot_encode(&entry, (uint8_t *)bytes + at);
        changed++;
    }
    assert_int_equal(changed, 1);
    FILE *file = fopen(file_of("castling", "bin"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(RUN("verify", file_of("castling", "bin")), 1);
    assert_says(result.output, "e1g1 should be e1h1 in ");
    assert_int_equal(RUN("verify", file_of("castling", "bin"), "--repair", "-o",
                         file_of("repaired", "bin"), "--all"),
                     0);
    assert_same_files("first.bin", "repaired.bin");
}

/* Data beside the project under a name in the folder; skips the test when it is not there. */
static void borrow(const char *from, const char *name, const char *kind)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/books/%s", SHARED_DATA_DIR, from);
    shared_data_want(path);
    assert_int_equal(symlink(path, file_of(name, kind)), 0);
}

/* In short the last kind, a tree, which has the most to do. */
static void gnuchess_through_each_kind(void **state)
{
    (void)state;
    borrow("gnuchess.bin", "gnu", "bin");
    for (int i = getenv("CAXTON_SHORT_TESTS") ? KINDS - 1 : 0; i < KINDS; i++) {
        const char *there = file_of("gnu", kinds[i]);
        assert_int_equal(RUN("convert", file_of("gnu", "bin"), there, "-q"), 0);
        assert_says(result.errors, "18561 of 149694 positions left out");
        struct book *book = any_open_file(there);
        assert_string_equal(book_warning(book), "");
        book_close(book);
        assert_int_equal(RUN("convert", there, file_of("gnu-back", "bin"), "-q"), 0);
        assert_same_books(file_of("gnu", "bin"), file_of("gnu-back", "bin"));
    }
}

static void a_real_arena_book(void **state)
{
    (void)state;
    borrow("libra8.abk.zst", "libra", "zst");
    int status = RUN("convert", file_of("libra", "zst"), file_of("libra", "bin"));
    if (status != 0 && strstr(result.errors, "zstd"))
        skip();
    assert_int_equal(status, 0);
    assert_string_equal(result.errors, "");
    assert_says(result.output, "Arena, 80994 moves");
    struct book *book = any_open_file(file_of("libra", "bin"));
    assert_int_equal(book_entry_count(book), 80994);
    assert_int_equal(any_weight(book, "", "e2e4"), 16269);
    assert_int_equal(any_weight(book, "", "d2d4"), 15002);
    assert_int_equal(any_weight(book, "e2e4", "c7c5"), 8267);
    book_close(book);
    assert_int_equal(RUN("verify", file_of("libra", "bin")), 0); /* every move is legal */
    assert_says(result.output, "0 not reached: 0 faults");
    assert_int_equal(RUN("convert", file_of("libra", "bin"), file_of("libra", "abk"), "-q"), 0);
    assert_int_equal(RUN("verify", file_of("libra", "abk")), 0);
    assert_same_books(file_of("libra", "bin"), file_of("libra", "abk"));
    assert_int_equal(RUN("convert", file_of("libra", "zst"), file_of("libra", "tree"), "-q"), 0);
    assert_int_equal(RUN("verify", file_of("libra", "tree")), 0);
    assert_says(result.output, "80994 moves of the book in ");
    assert_same_books(file_of("libra", "bin"), file_of("libra", "tree"));
}

/* A frame of zstd: `blocks` times 128 KB of one byte, in 4 bytes each. */
static void write_packed(const char *path, int blocks)
{
    static const uint8_t begin[] = {0x28, 0xB5, 0x2F, 0xFD, 0, 0x38};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(begin, 1, sizeof begin, file), sizeof begin);
    for (int i = 1; i <= blocks; i++)
        assert_int_equal(fwrite((uint8_t[]){i < blocks ? 2 : 3, 0, 0x10, 0}, 1, 4, file), 4);
    assert_int_equal(fclose(file), 0);
}

static void a_book_packed_too_much(void **state)
{
    (void)state;
    const char *packed = file_of("zeros", "zst");
    write_packed(packed, 1 << 13); /* 1 GB in 32 KB */
    assert_int_equal(RUN("show", packed), 1);
    if (strstr(result.errors, "built without"))
        skip();
    assert_says(result.errors, ": unpacked, it is more than 64 times as large, as no book is");
    write_packed(packed, 1 << 7); /* 16 MB are read */
    assert_int_equal(RUN("show", packed), 1);
    assert_says(result.errors, "not a Polyglot book: 1048576 of 1048576 entries");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_and_back),
        cmocka_unit_test(engine_plays_from_each),
        cmocka_unit_test(engine_plays_what_it_is_in_the_mood_for),
        cmocka_unit_test(nothing_that_is_played),
        cmocka_unit_test(merge_into_any_kind),
        cmocka_unit_test(one_side_of_a_book),
        cmocka_unit_test(verify_names_and_repairs),
        cmocka_unit_test(polyglot_castling_is_repaired),
        cmocka_unit_test(gnuchess_through_each_kind),
        cmocka_unit_test(a_real_arena_book),
        cmocka_unit_test(a_book_packed_too_much),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
