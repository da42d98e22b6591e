/* makebook add: to every kind of book, several at once, and what it says when it cannot. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>

#include <cmocka.h>

#include "book/book.h"
#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/any_book.h"

#define START_BOARD "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return create_folder();
}

static const char *const first_moves[] = {"a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3",
                                          "a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4"};
enum { FIRST_MOVES = sizeof first_moves / sizeof *first_moves };

static struct process *start_adding(const char *book, const char *word)
{
    const char *const arguments[] = {
        process_binary("MAKEBOOK_BINARY"), "add", path_of(book), "startpos", word, "9", NULL};
    return process_start(arguments);
}

static void several_at_once_lose_no_move(void **state)
{
    (void)state;
    static const char *const books[] = {"race.bin", "race.pgn", "race.epd"};
    for (size_t i = 0; i < sizeof books / sizeof *books; i++) {
        struct process *adding[FIRST_MOVES];
        for (int j = 0; j < FIRST_MOVES; j++)
            adding[j] = start_adding(books[i], first_moves[j]);
        for (int j = 0; j < FIRST_MOVES; j++) {
            assert_int_equal(process_wait(adding[j]), 0);
            process_destroy(adding[j]);
        }
        assert_int_equal(RUN("show", path_of(books[i])), 0);
        for (int j = 0; j < FIRST_MOVES; j++)
            assert_says(result.output, first_moves[j]);
    }
}

static void one_waits_for_another(void **state)
{
    (void)state;
    enum { LONG_ENOUGH_MS = 200 };
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(lock >= 0);
    if (flock(lock, LOCK_EX) != 0)
        skip(); /* a file system without locks */
    struct process *adding = start_adding("wait.bin", "e4");
    process_wait_for_error(adding,
                           "wait.bin: another program writes in this folder: waiting for it\n");
    assert_true(process_is_silent(adding, "", LONG_ENOUGH_MS));
    assert_false(exists("wait.bin"));
    assert_int_equal(close(lock), 0);
    assert_non_null(process_read_line(adding));
    assert_int_equal(process_wait(adding), 0);
    process_destroy(adding);
    assert_true(exists("wait.bin"));
}

/* A position is named in the same ways everywhere. */
static void positions_are_named_by_moves(void **state)
{
    (void)state;
    static const char fen[] = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    const char *book = path_of("named.bin");
    assert_int_equal(RUN("add", book, "1. e4 e5", "Nf3", "7"), 0);
    assert_int_equal(RUN("add", book, fen, "Nc3", "3"), 0);
    assert_int_equal(RUN("add", book, "startpos moves e2e4 e7e5", "f4", "1"), 0);
    assert_int_equal(RUN("show", book, "e4", "e5"), 0);
    assert_says(result.output, "3 moves in ");
    assert_int_equal(RUN("dump", book, "--start", "1.e4 e5"), 0);
    assert_says(result.output, "start: Nf3 7 63.6%\n");
    assert_int_equal(RUN("verify", book, "--start", "e4 e5"), 0);
    assert_says(result.output, "1 reached ");
    assert_int_equal(RUN("add", book, "1. e4 e4", "Nf3", "7"), 1);
    assert_says(result.errors, "ply 2: e4 is not legal here\n");
}

/* An Arena book is written anew, without the texts of its header: that is said. */
static void what_is_lost_is_said(void **state)
{
    (void)state;
    enum { COMMENT_AT = 12 };
    assert_int_equal(RUN("add", path_of("texts.abk"), "startpos", "e4", "1"), 0);
    assert_string_equal(result.errors, "");
    FILE *file = fopen(path_of("texts.abk"), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, COMMENT_AT, SEEK_SET), 0);
    assert_int_equal(fwrite("\4mine", 1, 5, file), 5);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(RUN("add", path_of("texts.abk"), "startpos", "d4", "1"), 0);
    assert_says(result.errors, "warning: ");
    assert_says(result.errors, "texts.abk: 1 comment");
    assert_int_equal(RUN("add", path_of("texts.abk"), "startpos", "c4", "1"), 0);
    assert_string_equal(result.errors, "");
}

/* Arena's record of the move e2 to `to`, among the first moves. */
static void read_record(const char *name, uint8_t to, uint8_t record[16])
{
    enum { RECORDS_AT = 25200, SIZE = 28, E2 = 12 };
    FILE *file = fopen(path_of(name), "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, RECORDS_AT, SEEK_SET), 0);
    uint8_t bytes[SIZE];
    do
        assert_int_equal(fread(bytes, 1, SIZE, file), SIZE);
    while (bytes[0] != E2 || bytes[1] != to);
    assert_int_equal(fclose(file), 0);
    memcpy(record, bytes, 16);
}

/* Priority 8, 1000 games, 600 won, 300 lost: the weight alone does not say so. */
static void other_moves_of_arena_keep_their_numbers(void **state)
{
    (void)state;
    enum { PRIORITY_AT = 25200 + 3, E4 = 28, E3 = 20 };
    static const char said[13] = {8, '\xE8', 3, 0, 0, 0x58, 2, 0, 0, 0x2C, 1, 0, 0};
    static const char *const made[] = {"said.abk", "white.abk", "few.abk", "hand.abk"};
    const char *book = path_of("said.abk");
    uint8_t record[16];
    assert_int_equal(RUN("add", book, "startpos", "e4", "1"), 0);
    FILE *file = fopen(book, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, PRIORITY_AT, SEEK_SET), 0);
    assert_int_equal(fwrite(said, 1, sizeof said, file), sizeof said);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(RUN("add", book, "startpos", "e3", "100"), 0);
    assert_int_equal(RUN("convert", book, path_of("white.abk"), "--color", "white", "-q"), 0);
    assert_int_equal(RUN("prune", book, "-o", path_of("few.abk"), "--min-share", "50", "-q"), 0);
    write_text("hand.txt", "e3 : 50\n");
    assert_int_equal(
        RUN("prune", book, "-o", path_of("hand.abk"), "--override", path_of("hand.txt"), "-q"), 0);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        read_record(made[i], E4, record);
        assert_memory_equal(record + 3, said, sizeof said);
    }
    read_record("said.abk", E3, record);
    assert_int_equal(record[3], 5);
    assert_int_equal(record[4], 100);
    /* A weight that was changed is the number of games. */
    assert_int_equal(RUN("add", book, "startpos", "e4", "7"), 0);
    read_record("said.abk", E4, record);
    assert_memory_equal(record + 3, "\5\7\0\0\0\0\0\0\0\0\0\0\0", sizeof said);
}

static void the_case_of_an_ending_does_not_matter(void **state)
{
    (void)state;
    assert_int_equal(RUN("add", path_of("X.ABK"), "startpos", "e4", "7"), 0);
    assert_int_equal(RUN("verify", path_of("X.ABK")), 0);
    assert_says(result.output, "X.ABK: Arena, 1 move, ");
    assert_int_equal(RUN("convert", path_of("X.ABK"), path_of("X.Bin"), "-q"), 0);
    assert_int_equal(RUN("verify", path_of("X.Bin")), 0);
    assert_int_equal(RUN("add", path_of("X.ABKX"), "startpos", "e4", "7"), 1);
}

static void each_kind_takes_moves(void **state)
{
    (void)state;
    static const char *const all[] = {"bin", "abk", "epd", "lines", "pgn", "tree"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *path = file_of("added", all[i]);
        assert_int_equal(RUN("add", path, "startpos", "d4", "12"), 0); /* a new book */
        assert_int_equal(RUN("add", path, START_BOARD, "e2e4", "30"), 0);
        assert_int_equal(RUN("add", path,
                             "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "c5",
                             "4"),
                         0);
        assert_int_equal(RUN("add", path, "startpos", "d4", "13"), 0); /* another weight */
        struct book *book = any_open_file(path);
        assert_string_equal(book_warning(book), "");
        assert_int_equal(any_weight(book, "", "d2d4"), 13);
        assert_int_equal(any_weight(book, "", "e2e4"), 30);
        assert_int_equal(any_weight(book, "e2e4", "c7c5"), 4);
        book_close(book);

        assert_int_equal(RUN("add", path, "startpos", "e5", "1"), 1);
        assert_says(result.errors, "e5 is illegal in");
        assert_int_equal(RUN("add", path, "startpos", "e4", "many"), 2);
        assert_int_equal(RUN("add", path, "nonsense", "e4", "1"), 1);
        assert_says(result.errors, "ply 1: nonsense is no move");
    }
    /* Weights have 16 bits there, and lines begin at the start. */
    assert_int_equal(RUN("add", file_of("added", "bin"), "startpos", "e4", "65536"), 1);
    assert_says(result.errors, "this kind of book (bin) holds weights from 0 to 65535 only\n");
    assert_int_equal(RUN("add", file_of("added", "abk"), "startpos", "e4", "2147483648"), 1);
    assert_says(result.errors, "(abk) holds weights from 0 to 2147483647 only\n");
    assert_int_equal(RUN("add", file_of("added", "abk"), "startpos", "e4", "2147483647"), 0);
    static const char lonely[] = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    assert_int_equal(RUN("add", file_of("added", "abk"), lonely, "a8=Q", "1"), 1);
    assert_says(result.errors, "(abk) cannot hold that move there\n");
    assert_int_equal(RUN("add", file_of("fresh", "fen"), "1. d4 d5", "c4", "7"), 1);
    assert_says(result.errors, "(fen) cannot hold that weight there\n");
    assert_int_equal(RUN("add", file_of("fresh", "abk"), "1. d4 d5", "c4", "7"), 1);
    assert_null(strstr(result.errors, "mend it"));
    assert_int_equal(RUN("add", file_of("added", "epd"), lonely, "a8=Q", "1"), 0);
    struct book *book = any_open_file(file_of("added", "bin"));
    assert_int_equal(any_weight(book, "", "e2e4"), 30);
    book_close(book);
}

/* What is added ends its lines as the first line of the file does. */
static void the_line_ends_stay(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"crlf.epd", START_BOARD "bm e4;"},
        {"crlf.pgn", "[Event \"x\"]\r\n\r\n1. e4 e5 {my note} (1... c5) *"},
        {"crlf.lines", "# mine\r\ne4 e5 Nf3\r\n*1 c5"},
    };
    char bytes[FILE_MAX];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int ended = 0; ended < 2; ended++) {
            (void)snprintf(bytes, sizeof bytes, "%s%s", texts[i][1], ended ? "\r\n" : "");
            write_text(texts[i][0], bytes);
            assert_int_equal(RUN("add", path_of(texts[i][0]), "1. e4 c5", "Nf3", "1"), 0);
            bytes[read_bytes(texts[i][0], bytes)] = '\0';
            assert_int_equal(strncmp(bytes, texts[i][1], 6), 0);
            bool crlf = ended || i > 0; /* the only line of the file may have no end */
            for (const char *at = bytes; (at = strchr(at, '\n')); at++)
                assert_int_equal(at[-1] == '\r', crlf);
        }
}

/* Text that somebody wrote stays as it is around the move. */
static void what_people_wrote_stays(void **state)
{
    (void)state;
    static const char after_e4[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    write_text("kept.epd",
               "# suite\n" START_BOARD "bm e4 d4; id \"a; b\"; c0 \"hello; there\";\n\n");
    const char *epd = file_of("kept", "epd");
    assert_int_equal(RUN("add", epd, "startpos", "c4", "1"), 0);
    assert_file("kept.epd",
                "# suite\n" START_BOARD "bm e4 d4 c4; id \"a; b\"; c0 \"hello; there\";\n\n");
    assert_int_equal(RUN("add", epd, "startpos", "e4", "8"), 0);
    assert_int_equal(RUN("add", epd, "startpos", "d4", "0"), 0);
    assert_int_equal(RUN("add", epd, after_e4, "c5", "1"), 0);
    assert_file("kept.epd", "# suite\n" START_BOARD
                            "bm e4 c4; id \"a; b\"; c0 \"hello; there\"; c1 \"e4=8\"; am d4;\n\n"
                            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm c5;\n");

    write_text("kept.pgn",
               "[White \"Me\"]\n\n1. e4! $1 {best} e5 (1... c5 {[%weight 3] dark}) *\n");
    const char *pgn = file_of("kept", "pgn");
    assert_int_equal(RUN("add", pgn, "startpos", "e4", "5"), 0);
    assert_int_equal(RUN("add", pgn, after_e4, "c5", "1"), 0);
    assert_file("kept.pgn", "[White \"Me\"]\n\n"
                            "1. e4! $1 {[%weight 5] best} e5 (1... c5 {[%weight 1] dark}) *\n");
    assert_int_equal(RUN("add", pgn, "startpos", "d4", "2"), 0);
    struct book *book = any_open_file(pgn);
    assert_int_equal(any_weight(book, "", "d2d4"), 2);
    assert_int_equal(any_weight(book, "", "e2e4"), 5);
    book_close(book);

    /* Some programs read a glyph only before a comment, and a mate only with its result. */
    write_text("kept.pgn", "[White \"Me\"]\n\n1. e4 $1 e5\n{good} 2. f4 $5 *\n");
    assert_int_equal(RUN("add", pgn, "startpos", "e4", "5"), 0);
    assert_int_equal(RUN("add", pgn, after_e4, "e5", "6"), 0);
    assert_int_equal(RUN("add", pgn, "1. e4 e5", "f4", "7"), 0);
    assert_file("kept.pgn", "[White \"Me\"]\n\n1. e4 $1 {[%weight 5]} e5\n"
                            "{[%weight 6] good} 2. f4 $5 {[%weight 7]} *\n");
    assert_int_equal(RUN("add", pgn, "1. f3 e5 2. g4", "Qh4#", "1"), 0);
    book = any_open_file(pgn);
    assert_int_equal(any_weight(book, "f2f3 e7e5 g2g4", "d8h4"), 1);
    book_close(book);
    char text[FILE_MAX];
    text[read_bytes("kept.pgn", text)] = '\0';
    assert_says(text, "[Result \"0-1\"]");
    assert_says(text, "2... Qh4# {[%weight 1]} 0-1\n");

    /* A book of games written by Fishburn's program has a line for each move, and no weights. */
    write_text("kept.fen", "e4 " START_BOARD "\n");
    const char *fen = file_of("kept", "fen");
    assert_int_equal(RUN("add", fen, "startpos", "d4", "1"), 0);
    assert_file("kept.fen",
                "e4 " START_BOARD "\nd4 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    assert_int_equal(RUN("add", fen, "startpos", "e4", "7"), 1);
    assert_says(result.errors, "have no weights");
}

/* A new move in games stands behind the moves that lead there. These do not count again. */
static void a_line_goes_on(void **state)
{
    (void)state;
    static const char kept[] = "[White \"Me\"]\n\n1. e4 e5 {mine} (1... c5 {[%weight 3]}) *\n";
    static const char roster[] = "\n[Event \"Opening book\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"
                                 "[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";
    char wanted[FILE_MAX];
    write_text("line.pgn", kept);
    const char *path = file_of("line", "pgn");
    assert_int_equal(RUN("add", path, "1. e4 c5", "Nf3", "7"), 0);
    (void)snprintf(wanted, sizeof wanted,
                   "%s%s\n1. e4 {[%%weight -]} 1... c5 {[%%weight -]} 2. Nf3 {[%%weight 7]} *\n\n",
                   kept, roster);
    assert_file("line.pgn", wanted);
    assert_int_equal(RUN("add", path, "1. e4 c5 2. Nf3", "d6", "2"), 0);
    struct book *book = any_open_file(path);
    assert_int_equal(any_weight(book, "", "e2e4"), 1);
    assert_int_equal(any_weight(book, "e2e4", "c7c5"), 3);
    assert_int_equal(any_weight(book, "e2e4 c7c5", "g1f3"), 7);
    assert_int_equal(any_weight(book, "e2e4 c7c5 g1f3", "d7d6"), 2);
    book_close(book);
    /* Where the book has no 1. d4, or no line is given, the position stands alone. */
    assert_int_equal(RUN("add", path, "1. d4 d5", "c4", "1"), 0);
    book = any_open_file(path);
    assert_int_equal(any_weight(book, "", "d2d4"), -1);
    assert_int_equal(any_weight(book, "d2d4 d7d5", "c2c4"), 1);
    book_close(book);
    write_text("line.pgn", kept);
    assert_int_equal(
        RUN("add", path, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e6", "1"),
        0);
    (void)snprintf(wanted, sizeof wanted,
                   "%s%s[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq "
                   "- 0 1\"]\n\n1... e6 {[%%weight 1]} *\n\n",
                   kept, roster);
    assert_file("line.pgn", wanted);
}

/* What cannot be written again as it was read stays. */
static void refusals(void **state)
{
    (void)state;
    write_text("twice.epd", START_BOARD "bm e4;\n" START_BOARD "bm d4 e4;\n");
    assert_int_equal(RUN("add", file_of("twice", "epd"), "startpos", "e4", "7"), 1);
    assert_says(result.errors, "e4 stands in 2 lines");
    write_text("quote.epd", START_BOARD "bm e4; id \"x;\n");
    assert_int_equal(RUN("add", file_of("quote", "epd"), "startpos", "d4", "7"), 1);
    assert_says(result.errors, "line 1: a quote is not closed; mend it first, nothing was added\n");
    write_text("short.lines", "e4 e5\n");
    assert_int_equal(
        RUN("add", file_of("short", "lines"), "8/8/8/8/8/8/k6P/7K w - - 0 1", "h4", "1"), 1);
    assert_says(result.errors, "no line reaches the position\n");
    write_text("bad.lines", "e4 e5\nd4 Nd4\n");
    assert_int_equal(RUN("add", file_of("bad", "lines"), "startpos", "c4", "1"), 1);
    assert_says(result.errors, "line 2, move 2 `Nd4`: not legal here");
    assert_says(result.errors, "; mend it first, nothing was added\n");
    write_text("open.pgn", "[Event \"x\"]\n\n1. e4 e5 {for ever\n");
    assert_int_equal(RUN("add", file_of("open", "pgn"), "startpos", "c4", "1"), 1);
    assert_says(result.errors, "line 3: a comment is not closed");
    assert_says(result.errors, "; mend it first, nothing was added\n");
    assert_int_equal(RUN("add", "builtin", "startpos", "e4", "1"), 1);
    assert_says(result.errors, "builtin is part of the program");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_takes_moves),
        cmocka_unit_test(the_line_ends_stay),
        cmocka_unit_test(what_people_wrote_stays),
        cmocka_unit_test(a_line_goes_on),
        cmocka_unit_test(refusals),
        cmocka_unit_test(several_at_once_lose_no_move),
        cmocka_unit_test(one_waits_for_another),
        cmocka_unit_test(positions_are_named_by_moves),
        cmocka_unit_test(what_is_lost_is_said),
        cmocka_unit_test(other_moves_of_arena_keep_their_numbers),
        cmocka_unit_test(the_case_of_an_ending_does_not_matter),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
