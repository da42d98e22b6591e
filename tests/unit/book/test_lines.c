/* Reading and writing White's lines. It is long because each rule of the grammar is a case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/book_move.h"
#include "book/formats/white/lines_write.h"
#include "chess/attacks.h"
#include "chess/movegen.h"
#include "tests/unit/book/lines_file.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

/* Two bytes a move, one for `*n`. */
static size_t bytes_by_whites_count(const struct lines *lines)
{
    size_t bytes = 2 * lines_size(lines).moves_written;
    for (size_t i = 0; i < lines->item_count; i++)
        bytes += lines->items[i].shared > 0;
    return bytes;
}

/* White counts 58 bytes for the seven lines and 36 with the front parts shared. */
static void whites_tables(void **state)
{
    (void)state;
    struct lines *lines = read_lines(table_1);
    assert_int_equal(lines->style, LINES_WHITE);
    check_text(lines, table_1);
    assert_int_equal(lines_size(lines).lines, 7);
    assert_int_equal(lines_size(lines).moves_written, 29);
    assert_int_equal(bytes_by_whites_count(lines), 58);
    lines_share(lines);
    check_text(lines, table_2);
    assert_int_equal(lines_size(lines).moves_written, 15);
    assert_int_equal(bytes_by_whites_count(lines), 36);
    lines_destroy(lines);

    lines = read_lines(table_2);
    assert_int_equal(bytes_by_whites_count(lines), 36);
    check_text(lines, table_2);
    lines_destroy(lines);
}

static void canonical_files_stay_as_they_are(void **state)
{
    (void)state;
    check_round_trip("");
    check_round_trip("lines coordinate\n");
    check_round_trip("lines san  ; my book\n"
                     "prefer later 70% ; a remark\n"
                     "transpose listed\n"
                     "\n"
                     "; Open games\n"
                     "   ; further in\n"
                     "e4:30 e5 Nf3:0 Nc6 Bb5 a6\t; Ruy Lopez; with a6\n"
                     "*4 Bc4:4294967295\n"
                     "e4 c5\n"
                     "*1\n"
                     "\n"
                     "c4 e6 d4 = d4 e6 c4 ; \xC3\xA9\n"
                     "*2 Nf3 = Nf3 e6 c4\n"
                     "otherwise e5 except d4 f4 Nf3\n");
}

static void comments_alone_may_follow_any_line(void **state)
{
    (void)state;
    check_round_trip("; nothing but this\n\n;\n");
    check_round_trip("e4 e5;close\n");
    check_round_trip("otherwise e5 ; always\n");
}

static void every_kind_of_move_in_every_style(void **state)
{
    (void)state;
    static const char san[] =
        "lines san\n"
        "e4 d5 exd5 c5 dxc6 Nf6 cxb7 Qb6 bxa8=N Qb3 Nf3 e6 Be2 Be7 O-O O-O Nc7 Rd8\n"
        "f3 e5 g4 Qh4#\n";
    static const char coordinate[] =
        "lines coordinate\n"
        "e2e4 d7d5 e4d5 c7c5 d5c6 g8f6 c6b7 d8b6 b7a8n b6b3 g1f3 e7e6 f1e2 f8e7 e1g1 e8g8 "
        "a8c7 f8d8\n"
        "f2f3 e7e5 g2g4 d8h4\n";
    static const char white[] =
        "lines white\n"
        "e2e4d7d5e4d5c7c5d5c6g8f6c6b7d8b6b7a8nb6b3g1f3e7e6f1e2f8e7e1g1e8g8a8c7f8d8\n"
        "f2f3e7e5g2g4d8h4\n";
    check_round_trip(san);
    check_round_trip(coordinate);
    check_round_trip(white);
    /* Without blanks, a `b` is a promotion only where no square follows. */
    check_round_trip("a2a4b7b5a4b5g8f6b5b6f6g8b6a7g8f6a7b8ba8b8\n");
    struct lines *lines = read_lines("lines coordinate\ne2e4e7e5:3g1f3:5 b8c6\n*1 e7e5f2f4:7\n");
    check_text(lines, "lines coordinate\ne2e4 e7e5:3 g1f3:5 b8c6\n*1 e7e5 f2f4:7\n");
    lines_destroy(lines);
}

static void people_write_it_in_many_ways(void **state)
{
    (void)state;
    struct lines *lines = read_lines("\xEF\xBB\xBFLines   SAN\r\n"
                                     " # a comment; too\r\n"
                                     "\t prefer  earlier 80%\r\n"
                                     "  e4   e5\tNg1f3 \r\n"
                                     "*2 Nb1-c3;vienna\r\n"
                                     "   \r\n"
                                     "otherwise e5 except d4, f4,Nf3");
    check_text(lines, "lines san\n"
                      " # a comment; too\n"
                      "prefer earlier 80%\n"
                      "e4 e5 Nf3\n"
                      "*2 Nc3;vienna\n"
                      "\n"
                      "otherwise e5 except d4 f4 Nf3\n");
    lines_destroy(lines);
}

static void move_numbers_are_welcome(void **state)
{
    (void)state;
    struct lines *lines = read_lines("1. e4 e5 2.Nf3 (2... Nc6) 3.  Bb5:7 1. ; pasted\n"
                                     "*3 2...d6 3.d4 (3...exd4) 4.Nxd4\n"
                                     "1.c4 e6 2.d4 = 1.d4 e6 2.c4\n");
    check_text(lines, "e4 e5 Nf3 (Nc6) Bb5:7 ; pasted\n"
                      "*3 d6 d4 (exd4) Nxd4\n"
                      "c4 e6 d4 = d4 e6 c4\n");
    lines_destroy(lines);
    lines = read_lines("lines coordinate\n1. e2e4 e7e5 2. g1f3\n");
    check_text(lines, "lines coordinate\ne2e4 e7e5 g1f3\n");
    lines_destroy(lines);
    lines = read_lines("1.e2e4e7e52.g1f3\n");
    check_text(lines, "e2e4e7e5g1f3\n");
    lines_destroy(lines);
}

static void a_chess960_start(void **state)
{
    (void)state;
    check_round_trip("lines coordinate\n"
                     "start 1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w KQkq - 0 1\n"
                     "c1h1 c8b8\n");
    check_round_trip("lines san\n"
                     "start 4k3/8/8/8/8/8/4P3/4K3 w - - 3 40\n"
                     "e4 Ke7\n");
}

/* Moves that are met and not played. */
static void moves_in_brackets(void **state)
{
    (void)state;
    static const char text[] = "lines san\n"
                               "(e4) e5:3 (Nf3) Nc6 ; one side\n"
                               "*2 (f4) (exf4) Nf3\n"
                               "(d4) d5\n"
                               "\n"
                               "Nf3 Nc6 e4 e5 = e4 e5 Nf3 Nc6\n";
    check_round_trip(text);
    check_round_trip("lines coordinate\n(e2e4) e7e5:3 (g1f3) b8c6\n*2 (f2f4)\n");
    check_round_trip("lines white\n(e2e4)e7e5:3(g1f3)b8c6\n*4(f2f4)\n");
    struct lines *lines = read_lines(text);
    check_game(lines, "", "");
    check_game(lines, "e2e4", "e5:3");
    check_game(lines, "e2e4 e7e5", "");
    check_game(lines, "e2e4 e7e5 f2f4", "");
    check_game(lines, "e2e4 e7e5 f2f4 e5f4", "Nf3:10000");
    check_game(lines, "g1f3 b8c6 e2e4 e7e5", "");
    check_position(lines, "e2e4 e7e5 g1f3", "Nc6:10000");
    assert_int_equal(lines_size(lines).moves_written, 9);
    assert_int_equal(lines_size(lines).non_book_moves, 5);
    move non_book[MOVES_MAX];
    struct position pos = position_by_moves("e2e4 e7e5");
    assert_int_equal(lines_non_book_moves(lines, &pos, NULL, non_book), 2);
    lines_destroy(lines);
    /* What one line plays is played. */
    lines = read_lines("(e4) e5\ne4 c5\n(e4)(e6)d4\n");
    check_text(lines, "e4 e5\ne4 c5\ne4 (e6) d4\n");
    check_position(lines, "", "e4:10000");
    check_position(lines, "e2e4", "e5:6000 c5:4000");
    lines_destroy(lines);
    /* Another order may pass where one plays. */
    lines = read_lines("c4 e6 (d4)\nd4 e6 c4\nc4 e6 d4 = d4 e6 c4\n");
    check_position(lines, "c2c4 e7e6", "");
    lines_destroy(lines);
}

/* The settings that nobody wrote. */
static void styles_and_their_defaults(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum lines_style style;
        const char *answers;
    } cases[] = {
        {"e4\nd4\n", LINES_SAN, "e4:6000 d4:4000"},
        {"e2e4\nd2d4\n", LINES_WHITE, "e4:2500 d4:7500"},
        {"e2e4 e7e5\nd2d4\n", LINES_WHITE, "e4:2500 d4:7500"},
        {"lines white\ne2e4\nd2d4\n", LINES_WHITE, "e4:2500 d4:7500"},
        {"lines coordinate\ne2e4\nd2d4\n", LINES_COORDINATE, "e4:6000 d4:4000"},
        {"prefer earlier 90%\ne2e4\nd2d4\n", LINES_WHITE, "e4:9000 d4:1000"},
        {"otherwise e7e5\ne2e4\n*0d2d4\n", LINES_WHITE, "e4:2500 d4:7500"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lines *lines = read_lines(cases[i].text);
        assert_int_equal(lines->style, cases[i].style);
        check_position(lines, "", cases[i].answers);
        lines_destroy(lines);
    }
}

/* A weight is written where its move is first written, wherever it was stated. */
static void weights_move_to_the_front(void **state)
{
    (void)state;
    struct lines *lines = read_lines("e4 e5 Nf3\ne4:5 c5:2\ne4:5 e6\n");
    check_text(lines, "e4:5 e5 Nf3\ne4 c5:2\ne4 e6\n");
    lines_share(lines);
    check_text(lines, "e4:5 e5 Nf3\n*1 c5:2\n*1 e6\n");
    lines_destroy(lines);
}

static void check_fault(const char *text, size_t line, size_t column, const char *message)
{
    struct lines *lines = NULL;
    struct diag diag;
    assert_int_not_equal(parse_sound(text, strlen(text), &lines, &diag), STATUS_OK);
    assert_string_equal(diag.text, message);
    assert_int_equal(diag.line, line);
    assert_int_equal(diag.column, column);
}

static void faults_in_moves(void **state)
{
    (void)state;
    check_fault("e4 e5\n\n *1 e6 Nd6", 3, 8, "line 3, move 3 `Nd6`: not legal here");
    check_fault("e4 d6 Nf3 Nf6 Be2 Bg4 d3 Nd7", 1, 26,
                "line 1, move 8 `Nd7`: could be more than one move");
    check_fault("e4 e5 hello", 1, 7, "line 1, move 3 `hello`: not a move");
    check_fault("e4 e7e5", 1, 4, "line 1, move 2 `e7e5`: coordinates, where the file is in SAN");
    check_fault("e2e4 e5", 1, 6, "line 1, move 2 `e5`: not a move in coordinates");
    check_fault("e4 \x01\xFF"
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                1, 4, "line 1, move 2 `??aaaaaaaaaaaaaaaaaaaaaaaaaa...`: not a move");
    check_fault("1 e4", 1, 1, "line 1, move 1 `1`: not a move");
    check_fault("1. e4 2. ... e5", 1, 10, "line 1, move 2 `...`: not a move");
    check_fault("e4 3 e5", 1, 4, "line 1, move 2 `3`: not a move");
    check_fault("1.", 1, 3, "line 1, there are no moves");
    check_fault("e4:x", 1, 4, "line 1, move 1: weight `x` is no number from 0 to 4294967295");
    check_fault("e4:4294967296", 1, 4,
                "line 1, move 1: weight `4294967296` is no number from 0 to 4294967295");
    check_fault("e4: e5", 1, 4, "line 1, move 1: weight `` is no number from 0 to 4294967295");
    check_fault("e4:3\ne4:4", 2, 4, "line 2, move 1: weight 4, but a line before says 3");
    check_fault("e4 e5 :7", 1, 7, "line 1, `:` must follow a move, no blank");
}

static void faults_in_brackets(void **state)
{
    (void)state;
    check_fault("(e4 e5) Nf3", 1, 1, "line 1, move 1: brackets hold one move, no blank");
    check_fault("( e4) e5", 1, 1, "line 1, move 1: brackets hold one move, no blank");
    check_fault("e4 (e5", 1, 4, "line 1, move 2: brackets hold one move, no blank");
    check_fault("e4 e5) Nf3", 1, 4, "line 1, move 2 `e5)`: not a move");
    check_fault("((e4)) e5", 1, 2, "line 1, move 1 `(e4`: not a move");
    check_fault("e4 (e6) Nd6", 1, 9, "line 1, move 3 `Nd6`: not legal here");
    check_fault("e4 (e5):3", 1, 8,
                "line 1, move 2: a move in brackets is not played and has no weight");
    check_fault("c4 (e6) d4 = d4 e6 c4", 1, 4, "line 1, move 2: a rewrite has no brackets");
    check_fault("(e2e4)(e7e5", 1, 7, "line 1, move 2: brackets hold one move, no blank");
}

static void faults_in_sharing(void **state)
{
    (void)state;
    check_fault("*1 e4", 1, 1, "line 1, `*1`: the line before has only 0 moves");
    check_fault("e4 e5\n*3 Nf3", 2, 1, "line 2, `*3`: the line before has only 2 moves");
    check_fault("e4 e5\n*99999999999999999999 d4", 2, 1,
                "line 2, `*99999999999999999999`: the line before has only 2 moves");
    check_fault("e4 e5\n*-1 Nf3", 2, 1, "line 2, `*`: a number must follow the star");
    check_fault("e4 e5\n* Nf3", 2, 1, "line 2, `*`: a number must follow the star");
    check_fault("e4 e5\n*0", 2, 3, "line 2, there are no moves");
    check_fault("e4 *1", 1, 4, "line 1, move 2 `*1`: not a move");
    check_fault("e2e4e7e5\n*1g1f3", 2, 1,
                "line 2, `*1` counts bytes, two a move (`lines coordinate` as the first line "
                "makes it count moves)");
    /* Rewrites share with rewrites. */
    check_fault("e4 e5\n*1 c5 Nf3 = Nf3 c5 e4\n", 2, 1,
                "line 2, `*1`: the rewrite before has only 0 moves");
    check_fault("Nf3 c5 e4 = *4\n", 1, 13, "line 1, `*4`: the left side has only 3 moves");
}

static void faults_in_rewrites(void **state)
{
    (void)state;
    check_fault("c4 e6 d4 = d4 e6 c5", 1, 18, "line 1, move 3 `c5`: not legal here");
    check_fault("c4 e6 d4 = d4 e6", 1, 12, "line 1, the two orders lead to different positions");
    check_fault("c4 e6 = *1 e6", 1, 9, "line 1, both sides are the same order");
    check_fault("= d4", 1, 1, "line 1, there are no moves");
    check_fault("d4 =", 1, 5, "line 1, there are no moves");
    check_fault("c4 e6 d4 = d4 e6 c4\n*3 = d4 e6 c4", 2, 1,
                "line 2, a line before rewrites the same moves");
    check_fault("c4:3 e6 d4 = d4 e6 c4", 1, 3, "line 1, move 1: a rewrite has no weights");
    check_fault("\nc4 e6 d4 = d4 e6 c4\nd4 e6 c4 = c4 e6 d4\n", 2, 1,
                "line 2, rewrites lead in a circle, this one among them");
    check_round_trip("Nf3 Nf6 Ng1 Ng8 e4 = e4 Nf6 Nf3 Ng8 Ng1\n");
}

static void faults_in_settings(void **state)
{
    (void)state;
    check_fault("lines", 1, 6, "line 1, ``: the style is san, coordinate or white");
    check_fault("lines uci", 1, 7, "line 1, `uci`: the style is san, coordinate or white");
    check_fault("lines san x", 1, 11, "line 1, `x`: nothing may stand here");
    check_fault("prefer later 60%\nlines san", 2, 1,
                "line 2, `lines` must stand before everything else");
    check_fault("lines san\nlines san", 2, 1, "line 2, `lines` stands here a second time");
    check_fault("e4\nprefer later 60%", 2, 1, "line 2, `prefer` must stand before the lines");
    check_fault("prefer better 60%", 1, 8, "line 1, `better`: prefer earlier or later lines");
    check_fault("prefer later 50%", 1, 14,
                "line 1, `50%`: the chance is a number from 51% to 100%");
    check_fault("prefer later 70", 1, 14, "line 1, `70`: the chance is a number from 51% to 100%");
    check_fault("transpose some", 1, 11, "line 1, `some`: transpose any or listed");
    check_fault("start e4", 1, 7, "line 1, not a piece letter, digit or slash");
}

static void faults_in_the_universal_reply(void **state)
{
    (void)state;
    check_fault("otherwise e5 but d4", 1, 14, "line 1, `but`: only `except` may stand here");
    check_fault("otherwise e5 except", 1, 14, "line 1, `except` what?");
    check_fault("otherwise e5 except d4 d4", 1, 24, "line 1, `d4`: stands here twice");
    check_fault("otherwise e5 except e5", 1, 21, "line 1, `e5`: not legal here as a first move");
    check_fault("otherwise Nb6", 1, 11, "line 1, `Nb6`: not legal here after a3");
    check_fault("otherwise e5\notherwise d5", 2, 1,
                "line 2, `otherwise` stands here a second time");
    check_fault("start 7k/8/8/8/8/8/8/K7 w - - 0 1\notherwise Kg7 except Ka2 Kb1 Kb2", 2, 11,
                "line 2, `Kg7`: no first move is left to answer");
}

static void known_by_their_first_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_lines;
    } cases[] = {
        {table_1, true},
        {"\n; e\n\n  lines san ; x\nrubbish", true},
        {"# mine\nLines SAN\n", true},
        {"lines of another kind", false},
        {"e4 e5", true},
        {"Nf3:20 d5", true},
        {"; \x01\x02\ne4 e5", true},
        {"Nh6", true}, /* damaged */
        {"e2e5", true},
        {"(e4) e5", true},
        {"(e2e4)e7e5", true},
        {"()", false},
        {"prefer later 20%", true},
        {"otherwise e5", true},
        {"otherwise", false},
        {"Nf3 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", false},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;", false},
        {"[Event \"x\"]\n\n1. e4 e5", false},
        {"1. e4 e5", true},
        {"1.e4 e5", true},
        {"1951 e4", false},
        {"1. hello", false},
        {"hello", false},
        {"\x01\ne4\n", false},
        {"; only comments\n", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            lines_format.recognises((const uint8_t *)cases[i].text, strlen(cases[i].text)),
            cases[i].is_lines);
}

static void as_a_kind_of_book(void **state)
{
    (void)state;
    static const char bad[] = "lines san\ne4 e5 Nd6\n";
    struct book *book = NULL;
    struct diag diag;
    assert_int_equal(book_create(&lines_format, (const uint8_t *)bad, NULL, strlen(bad), "my.lines",
                                 &book, &diag),
                     STATUS_FORMAT);
    assert_null(book);
    assert_string_equal(diag.text, "my.lines: line 2, move 3 `Nd6`: not legal here");
    assert_int_equal(diag.line, 2);
    assert_int_equal(diag.column, 7);
    assert_int_equal(diag.offset, 16);

    assert_int_equal(book_create(&lines_format, (const uint8_t *)table_2, NULL, strlen(table_2),
                                 "t", &book, NULL),
                     STATUS_OK);
    assert_string_equal(book_warning(book), "");
    assert_int_equal(book_entry_count(book), 15);
    struct book_move moves[MOVES_MAX];
    struct position pos = position_by_moves("e2e4");
    assert_int_equal(book_probe(book, &pos, moves, MOVES_MAX), 3);
    struct game *game = game_of("e2e4 c7c5");
    assert_int_equal(book_probe_game(book, game, moves, MOVES_MAX), 1);
    game_destroy(game);
    book_close(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whites_tables),
        cmocka_unit_test(canonical_files_stay_as_they_are),
        cmocka_unit_test(comments_alone_may_follow_any_line),
        cmocka_unit_test(every_kind_of_move_in_every_style),
        cmocka_unit_test(people_write_it_in_many_ways),
        cmocka_unit_test(move_numbers_are_welcome),
        cmocka_unit_test(a_chess960_start),
        cmocka_unit_test(styles_and_their_defaults),
        cmocka_unit_test(weights_move_to_the_front),
        cmocka_unit_test(faults_in_moves),
        cmocka_unit_test(moves_in_brackets),
        cmocka_unit_test(faults_in_brackets),
        cmocka_unit_test(faults_in_sharing),
        cmocka_unit_test(faults_in_rewrites),
        cmocka_unit_test(faults_in_settings),
        cmocka_unit_test(faults_in_the_universal_reply),
        cmocka_unit_test(known_by_their_first_line),
        cmocka_unit_test(as_a_kind_of_book),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
