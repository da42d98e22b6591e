/* makebook verify, on small books that are written here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "entries.h"
#include "makebook.h"

static void verify_sound(void **state)
{
    (void)state;
    struct book_bytes book = small_book();
    add(&book, "b2b3 b7b6", "h2h3", 4);
    RUNS(0, "verify", write_sorted("a.bin", &book));
    assert_says(result.output, "a.bin: 7 entries, 5 positions, 4 reached from the start in up to "
                               "3 plies, 1 not reached: 0 faults\n");
    assert_string_equal(result.errors, "");
    RUNS(0, "verify", "builtin");
    assert_says(result.output, ": 0 faults\n");
}

static void verify_names_faults(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    add(&book, "", "e2e4", 30);
    add(&book, "", "e2e4", 5);          /* byte 16 */
    add(&book, "", "e2e5", 5);          /* byte 32 */
    add(&book, "", "d2d4", 0);          /* byte 48 */
    add(&book, "", "c2c4", 7);          /* byte 64: a remark */
    put_raw(&book, 5, 0, 1);            /* byte 80: a1a1, and out of order */
    put_raw(&book, 6, 5 << 12 | 63, 1); /* byte 96: promotion to a king */
    put_raw(&book, 7, stored_move("a1c4"), 1);
    memcpy(book.bytes + book.size, "cut", 3);
    book.size += 3;
    const char *path = write_book("bad.bin", &book);
    RUNS(1, "verify", path);
    assert_line(result.output, "byte 16: e2e4 of key 463b96181691fc9c stands already at byte 0");
    assert_line(result.output, "byte 32: e2e5 is illegal in "
                               "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_line(result.output, "byte 48: d2d4 has weight 0");
    assert_line(result.output, "byte 64: c2c4 of weight 7 after one of 0");
    assert_line(result.output, "byte 80: key 0000000000000005 after 463b96181691fc9c");
    assert_line(result.output, "byte 80: a1a1 (0000) is no move of any piece");
    assert_says(result.output, "byte 96: ");
    assert_line(result.output, "byte 112: a1c4 (001a) is no move of any piece");
    assert_line(result.output, "byte 128: the file ends within an entry, which has 16 bytes");
    assert_says(result.output, "8 entries, 4 positions, 1 reached from the start in up to 0 plies,"
                               " 3 not reached: 7 faults\n");

    const char *output = path_of("repaired.bin");
    RUNS(0, "verify", path, "--repair", "-o", output);
    assert_says(result.output, "repaired.bin: 3 entries written\n");
    struct book_bytes repaired = read_book(output);
    assert_int_equal(repaired.size, 3 * ENTRY);
    assert_int_equal(weight_of(&repaired, "", "d2d4"), 0);
    assert_int_equal(weight_of(&repaired, "", "e2e4"), 35);
    assert_int_equal(weight_of(&repaired, "", "c2c4"), 7);
    RUNS(0, "verify", output);
}

static void verify_noise(void **state)
{
    (void)state;
    uint8_t noise[60 * ENTRY];
    uint32_t seed = 12345;
    for (size_t i = 0; i < sizeof noise; i++) {
        seed = seed * 1664525u + 1013904223u;
        noise[i] = (uint8_t)(seed >> 24);
    }
    const char *path = write_bytes("noise.bin", noise, sizeof noise);
    FAILS(1, "59 of 60 entries hold no possible move", "verify", path);
    FAILS(1, "not a Polyglot book", "show", write_bytes("zeros.bin", (uint8_t[ENTRY]){0}, ENTRY));
    FAILS(1, "59 of 60 entries hold no possible move", "dump", path);

    /* What is no book is not made one by a repair. */
    FAILS(1, "59 of 60 entries hold no possible move", "verify", path, "--repair", "-o",
          path_of("out.bin"));
    FAILS(1, "1 of 1 entries hold no possible move", "verify", path_of("zeros.bin"), "--repair",
          "-o", path_of("out.bin"));
    assert_false(exists("out.bin"));

    /* With half of the moves possible it is a book, of many faults. */
    for (size_t i = 0; i < sizeof noise; i += 2 * ENTRY) {
        noise[i + 8] = 0x03; /* e2e4 */
        noise[i + 9] = 0x1C;
    }
    path = write_bytes("half.bin", noise, sizeof noise);
    RUNS(1, "verify", path);
    assert_says(result.output, "(--all shows each)");
    size_t few = strlen(result.output);
    RUNS(1, "verify", "--all", path);
    assert_null(strstr(result.output, "(--all"));
    assert_true(strlen(result.output) > few);
    assert_says(result.output, "60 not reached");
}

/* Of the program itself, of EPD with a byte of 0, of PGN as UTF-16: none may become a book. */
static void other_files_are_not_repaired(void **state)
{
    (void)state;
    static const char epd[] = "rnbqkbnr/pppppppp/8/8/\0/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n";
    static const char pgn[] = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n";
    char wide[2 * sizeof pgn];
    for (size_t i = 0; i < sizeof pgn; i++) {
        wide[2 * i] = pgn[i];
        wide[2 * i + 1] = '\0';
    }
    const char *files[] = {process_binary("MAKEBOOK_BINARY"),
                           write_bytes("a.epd", epd, sizeof epd - 1),
                           write_bytes("w.pgn", wide, sizeof wide - 2)};
    const char *output = path_of("out.bin");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FAILS(1, files[i], "verify", files[i], "--repair", "-o", output);
        FAILS(1, files[i], "show", files[i]);
        assert_null(strstr(result.errors, "--repair"));
        assert_false(exists("out.bin"));
    }
}

/* What a foreign file says does nothing to a terminal. */
static void text_of_files_is_safe(void **state)
{
    (void)state;
    write_text("a.pgn", "[Event \"x\"]\n\n1. e4 1-0\n");
    RUNS(0, "build", path_of("a.pgn"), "--player", "Mr \033[31m", "--stats", path_of("a.wld"));
    RUNS(0, "build", path_of("a.pgn"), "--stats", path_of("b.wld"));
    RUNS(0, "verify", path_of("a.wld"));
    assert_null(strchr(result.output, '\033'));
    RUNS(1, "merge", path_of("b.wld"), path_of("a.wld"), "-o", path_of("c.wld"));
    assert_says(result.errors, "Mr ?[31m");
    assert_null(strchr(result.errors, '\033'));
    write_text("a.epd",
               "\033[31m\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm \033[3;\n"
               "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n");
    (void)RUN("verify", path_of("a.epd"));
    assert_null(strchr(result.output, '\033'));
    assert_null(strchr(result.errors, '\033'));
}

/* A weight of 0 says that the move is known and never played: any command keeps it. */
static void weights_of_0_are_kept(void **state)
{
    (void)state;
    struct book_bytes book = small_book();
    const char *path = write_sorted("a.bin", &book);
    RUNS(0, "add", path, "startpos", "c4", "0");
    RUNS(0, "verify", path);
    assert_says(result.output, "c2c4 has weight 0\n");
    assert_says(result.output, "1  weights of 0: moves that are known and never played (a remark)");
    assert_says(result.output, ": 0 faults\n");
    RUNS(0, "verify", path, "--repair", "-o", path_of("b.bin"));
    struct book_bytes repaired = read_book(path_of("b.bin"));
    assert_int_equal(weight_of(&repaired, "", "c2c4"), 0);
    static const char *const kinds[] = {"epd", "abk", "pgn"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        RUNS(0, "convert", path, path_of("c"), "--to", kinds[i]);
        RUNS(0, "verify", path_of("c"));
        RUNS(0, "convert", path_of("c"), path_of("d.bin"));
        struct book_bytes back = read_book(path_of("d.bin"));
        assert_int_equal(weight_of(&back, "", "c2c4"), 0);
    }
}

/* EPD and PGN are written anew; lines keep what stands around their moves. */
static void a_repair_says_what_it_does_not_keep(void **state)
{
    (void)state;
    static const char line[] =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"x\";\n";
    static const char game[] = "[Event \"x\"]\n\n1. e4 {best} e5 *\n";
    write_text("a.epd", line);
    write_text("a.pgn", game);
    write_text("a.lines", "; best\ne4 e5\n");
    static const char *const kinds[][2] = {{"a.epd", "b.epd"}, {"a.pgn", "b.pgn"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *book = path_of(kinds[i][0]);
        RUNS(0, "verify", book);
        assert_null(strstr(result.output, "not kept"));
        RUNS(0, "verify", book, "--repair", "-o", path_of(kinds[i][1]));
        assert_says(result.output,
                    ": written without the faults; comments and names are not kept\n");
        FAILS(2, "is the book itself: a repair does not keep its comments and names", "verify",
              book, "--repair", "-o", book);
        assert_string_equal(result.output, "");
    }
    assert_file("a.epd", line);
    assert_file("a.pgn", game);
    RUNS(0, "verify", path_of("a.lines"), "--repair", "-o", path_of("a.lines"));
    assert_says(result.output, ": written without the faults\n");
    assert_file("a.lines", "; best\ne4 e5\n");
    RUNS(0, "verify", "--help");
    assert_says(result.output, "comments, names and marks are not kept");
}

static void one_is_no_plural(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    add(&book, "", "e2e4", 1);
    RUNS(0, "verify", write_sorted("one.bin", &book));
    assert_says(result.output, "one.bin: 1 entry, 1 position, 1 reached from the start in up to 0 "
                               "plies, 0 not reached: 0 faults\n");
    RUNS(0, "verify", path_of("one.bin"), "--repair", "-o", path_of("two.bin"));
    assert_says(result.output, "two.bin: 1 entry written\n");
    write_text("one.lines", "e4\n");
    RUNS(0, "verify", path_of("one.lines"));
    assert_says(result.output, " 1 move, 1 position, 1 reached in up to 0 plies: 0 faults\n");
    write_text("two.lines", "e4 e5\n");
    RUNS(0, "verify", path_of("two.lines"));
    assert_says(result.output, " 2 moves, 2 positions, 2 reached in up to 1 ply: 0 faults\n");
    add(&book, "d2d4 d7d5", "c2c4", 1);
    RUNS(0, "stats", write_sorted("far.bin", &book));
    assert_says(result.output, "on no line, with 1 move\n");
}

/* The remark about positions that no line comes to counts what the summary calls not reached. */
static void starts_of_chess960_are_starts(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    struct position start;
    struct undo undo;
    move m;
    fen_chess960(0, &start);
    put(&book, start.key, "e2e4", 5);
    assert_int_equal(move_from_uci(&start, span_of("e2e4"), &m), STATUS_OK);
    position_make(&start, m, &undo);
    put(&book, start.key, "e7e5", 5);
    add(&book, "b2b3 b7b6", "h2h3", 4);
    const char *path = write_sorted("960.bin", &book);
    static const char *const remark = "           1  positions that no line comes to (a remark";
    RUNS(0, "verify", path);
    assert_says(result.output, "960.bin: 3 entries, 3 positions, 2 reached from 1 start of Chess960"
                               " in up to 1 ply, 1 not reached: 0 faults\n");
    assert_says(result.output, remark);
    RUNS(0, "verify", path, "--all");
    assert_says(result.output, remark);
    char named[80];
    (void)snprintf(named, sizeof named, "no line comes to the position %016llx: 1 move\n",
                   (unsigned long long)position_by_moves("b2b3 b7b6").key);
    assert_memory_equal(result.output, named, strlen(named));
    RUNS(0, "verify", path, "--start", "b3 b6");
    assert_says(result.output, ", 3 reached from the position of --start and 1 start of games in ");
    assert_null(strstr(result.output, "no line comes to"));
    add(&book, "", "e2e4", 1);
    RUNS(0, "verify", write_sorted("both.bin", &book));
    assert_says(result.output, ", 3 reached from the start and 1 start of Chess960 in up to 1 ply,"
                               " 1 not reached: 0 faults\n");
    assert_says(result.output, remark);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(verify_sound),
        TEST(verify_names_faults),
        TEST(verify_noise),
        TEST(a_repair_says_what_it_does_not_keep),
        TEST(one_is_no_plural),
        TEST(other_files_are_not_repaired),
        TEST(text_of_files_is_safe),
        TEST(weights_of_0_are_kept),
        TEST(starts_of_chess960_are_starts),
    };
    return RUN_TESTS(tests);
}
