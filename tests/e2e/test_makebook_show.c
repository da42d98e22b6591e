/* makebook show and dump, on small books that are written here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"
#include "makebook.h"

static void show_table(void **state)
{
    (void)state;
    struct book_bytes book = small_book();
    const char *path = write_sorted("a.bin", &book);
    RUNS(0, "show", path);
    assert_says(result.output, "key 463b96181691fc9c, 2 moves in ");
    const char *e4 = strstr(result.output, "\ne4 ");
    const char *d4 = strstr(result.output, "\nd4 ");
    assert_true(e4 && d4 && e4 < d4);
    assert_says(e4, " 30 ");
    assert_says(e4, " 75.0%");
    assert_says(e4, "B00 King's Pawn Game");
    assert_says(d4, " 25.0%");
    assert_string_equal(result.errors, "");

    /* The ways to say where. */
    static const char *const ways[][8] = {
        {"e4", "e5"},
        {"1.e4", "e5"},
        {"1. e4 e5"},
        {"e2e4", "e7e5"},
        {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"},
        {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "w", "KQkq", "-", "0", "2"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "moves", "e7e5"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *words[12] = {"show", path};
        memcpy(words + 2, ways[i], sizeof ways[i]);
        runs(0, words);
        assert_says(result.output, "C20 King's Pawn Game\n");
        assert_says(result.output, "1 move in ");
        assert_says(result.output, "\nNf3 ");
    }
}

static void show_json(void **state)
{
    (void)state;
    struct book_bytes book = small_book();
    const char *path = write_sorted("a\"b.bin", &book);
    RUNS(0, "show", "--json", path, "e4");
    assert_says(result.output, "/a\\\"b.bin\"");
    assert_says(result.output, "\"key\": \"823c9b50fd114196\"");
    assert_says(result.output, "{\"san\": \"c5\", \"uci\": \"c7c5\", \"weight\": 2, "
                               "\"share_permille\": 500, \"learn\": 0, \"eco\": \"B20\", "
                               "\"opening\": \"Sicilian Defense\"}");
    RUNS(0, "show", "--json", path, "startpos");
    assert_says(result.output, "{\"san\": \"e4\"");
    RUNS(0, "show", "--json", write_sorted("l\xE9<.bin", &book));
    assert_says(result.output, "/l\\ufffd\\u003c.bin\"");
    RUNS(1, "show", "--json", path, "a4");
    assert_says(result.output, "\"moves\": []}");
}

/* Also where a start is wanted; which opening it is goes to standard error. */
static void openings_are_positions(void **state)
{
    (void)state;
    static const char *const texts[] = {"B20", "sicilian", "Sicilian Defence", "siciliann"};
    for (int i = 0; i < 3; i++) {
        RUNS(0, "show", "builtin", texts[i]);
        assert_says(result.output, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        assert_says(result.errors, "is B20 Sicilian Defense, 1. e4 c5");
    }
    FAILS(1, "siciliann is no move, and no opening is called so; did you mean Sicilian Defense",
          "show", "builtin", texts[3]);
    RUNS(0, "show", "builtin", "caro", "kann");
    assert_says(result.output, "B10 Caro-Kann Defense\n");
    RUNS(0, "dump", "builtin", "--start", "KID");
    assert_says(result.errors, "KID is E61 King's Indian Defense");
    /* Moves may follow, here and wherever a position is read. */
    RUNS(0, "show", "builtin", "najdorf Be3");
    assert_says(result.errors, "najdorf is B90 Sicilian Defense: Najdorf Variation, 1. e4 c5 ");
    assert_says(result.output, "B90 Sicilian Defense: Najdorf Variation, English Attack\n");
    RUNS(0, "show", "builtin", "najdorf", "6.", "Be3", "e5");
    assert_says(result.output, "rnbqkb1r/1p3ppp/p2p1n2/4p3/3NP3/2N1B3/PPP2PPP/R2QKB1R w");
    RUNS(1, "show", "builtin", "najdorf Be3 e4");
    assert_says(result.errors, "ply 12: e4 is not legal here\n");
    RUNS(1, "show", "builtin", "najdorv Be3");
    assert_says(result.errors, "ply 1: najdorv is no move, and no opening is called so; did you "
                               "mean Sicilian Defense: Najdorf Variation");
    RUNS(0, "show", "builtin", "e4", "c5");
    assert_string_equal(result.errors, "");
}

static void show_refuses(void **state)
{
    (void)state;
    struct book_bytes book = small_book();
    const char *path = write_sorted("a.bin", &book);
    FAILS(1, "knows no move here", "show", path, "a4");
    FAILS(1, "ply 2: Nf3 is not legal here", "show", path, "e4", "Nf3");
    FAILS(1, "ply 1: hello is no move", "show", path, "hello");
    FAILS(1, "FEN, column", "show", path, "8/8/8/8/8/8/8/8 w - - 0 1");
    RUNS(0, "show", "builtin");
    assert_says(result.output, "\ne4 ");
}

static void dump_lines(void **state)
{
    (void)state;
    struct book_bytes book = small_book();
    add(&book, "", "g1f3", 1); /* 1.Nf3 e5 2.e4 is a position of 1.e4 */
    add(&book, "g1f3", "e7e5", 1);
    add(&book, "g1f3 e7e5", "e2e4", 1);
    add(&book, "a2a3", "h7h6", 4);
    add(&book, "e2e4", "e7e4", 9);
    add(&book, "b2b3 b7b6", "h2h3", 4); /* two moves that the book does not know */
    const char *path = write_book("unsorted.bin", &book);
    RUNS(0, "dump", path);
    assert_says(result.errors, "not sorted");
    char expected[1000];
    (void)snprintf(expected, sizeof expected,
                   "start: e4 30 73.2%%\n"
                   "start: d4 10 24.4%%\n"
                   "start: Nf3 1 2.4%%\n"
                   "1. e4: e7e4 9 illegal\n"
                   "1. e4: c5 2 50.0%%\n"
                   "1. e4: e5 2 50.0%%\n"
                   "1. e4 e5: Nf3 5 100.0%%\n"
                   "1. e4 e5 2. Nf3: Nc6 7 100.0%%\n"
                   "1. Nf3: e5 1 100.0%%\n"
                   "1. Nf3 e5: e4 1 100.0%%\n"
                   "1. a3: h6 4 100.0%%\n"
                   "# 1 position that no line of the book reaches:\n"
                   "%016llx: h2h3 4\n",
                   (unsigned long long)position_by_moves("b2b3 b7b6").key);
    assert_string_equal(result.output, expected);

    RUNS(0, "dump", "--start", "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1", path);
    assert_memory_equal(result.output, "start: h6 4 100.0%\n", 19);
    FAILS(2, "--start: ply 1: nonsense is no move", "dump", "builtin", "--start", "nonsense");
    FAILS(2, "--start: FEN, column", "dump", "builtin", "--start", "8/8/8/8/8/8/8/8 w - - 0 1");
}

/* What is more than a Polyglot book can say. */
static void dump_of_large_weights(void **state)
{
    (void)state;
    static const char book[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
                               "bm e4 d4; c0 \"e4=100000, d4=25000\";\n";
    RUNS(0, "dump", write_bytes("large.epd", book, sizeof book - 1));
    assert_string_equal(result.output, "start: e4 100000 80.0%\nstart: d4 25000 20.0%\n");
}

/* A book of Black's moves knows no move of White's, not even the first. */
static void dump_of_one_color(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    add(&book, "e2e4", "c7c5", 3);
    add(&book, "e2e4 c7c5 g1f3", "d7d6", 2);
    add(&book, "e2e4 c7c5 b1c3", "b8c6", 1);
    RUNS(0, "dump", write_sorted("black.bin", &book));
    assert_string_equal(result.output, "1. e4: c5 3 100.0%\n"
                                       "1. e4 c5 2. Nc3: Nc6 1 100.0%\n"
                                       "1. e4 c5 2. Nf3: d6 2 100.0%\n");
    add(&book, "e2e4 c7c5 d2d4", "d7d4", 1);
    RUNS(1, "verify", write_sorted("black.bin", &book));
    assert_says(result.output, "d7d4 is illegal in rnbqkbnr/pp1ppppp/8/2p5/3PP3/8/PPP2PPP/RNBQKBNR"
                               " b KQkq - 0 2\n");
    assert_says(result.output, "0 not reached: 1 fault\n");
}

static void dump_goes_round(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    add(&book, "", "g1f3", 1);
    add(&book, "g1f3", "g8f6", 1);
    add(&book, "g1f3 g8f6", "f3g1", 1);
    add(&book, "g1f3 g8f6 f3g1", "f6g8", 1); /* the start again */
    RUNS(0, "dump", write_sorted("round.bin", &book));
    assert_string_equal(result.output, "start: Nf3 1 100.0%\n"
                                       "1. Nf3: Nf6 1 100.0%\n"
                                       "1. Nf3 Nf6: Ng1 1 100.0%\n"
                                       "1. Nf3 Nf6 2. Ng1: Ng8 1 100.0%\n");
}

static void dump_raw(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    put_raw(&book, 9, stored_move("e7e8q"), 65535);
    put_raw(&book, 3, stored_move("e1h1"), 0);
    RUNS(0, "dump", "--raw", write_book("raw.bin", &book));
    assert_string_equal(result.output, "0000000000000009 e7e8q 65535 0\n"
                                       "0000000000000003 e1h1 0 0\n");
    FAILS(2, "--raw shows all entries: no --start", "dump", "--raw", "--start", "e4",
          path_of("raw.bin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(show_table),      TEST(show_json),  TEST(openings_are_positions),
        TEST(show_refuses),    TEST(dump_lines), TEST(dump_of_one_color),
        TEST(dump_goes_round), TEST(dump_raw),   TEST(dump_of_large_weights),
    };
    return RUN_TESTS(tests);
}
