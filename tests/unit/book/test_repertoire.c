/* Games with variations as a book. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/format.h"
#include "book/formats/games/repertoire.h"
#include "book/formats/games/repertoire_read.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"

#define TAG "[Event \"x\"]\n\n"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static void all_variations_count(void **state)
{
    (void)state;
    static const char text[] =
        "%escaped\n[Event \"Caf\xc3\xa9 \\\"1\\\"\"]\n[Result \"1-0\"]\n\n"
        "1.e4! {best (by test) [%clk 1:00]} 1...e5 $1 (1...c5 2.Nf3 (2. Nc3 Nc6 ; so\n) 2...d6)\n"
        "2.Nf3 Nc6 (2...Nf6 3.Nxe5) 3.0-0?? 1-0\n\n"
        "1.d4 d5 *\n"
        "[Event \"y\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1/2-1/2\n";
    struct book *book = any_open_text(text);
    assert_string_equal(book_format_name(book), "PGN repertoire");
    assert_int_equal(any_weight(book, "", "e2e4"), 2);
    assert_int_equal(any_weight(book, "", "d2d4"), 1);
    assert_int_equal(any_weight(book, "e2e4", "c7c5"), 1);
    assert_int_equal(any_weight(book, "e2e4 c7c5", "b1c3"), 1);
    assert_int_equal(any_weight(book, "e2e4 c7c5 b1c3", "b8c6"), 1);
    assert_int_equal(any_weight(book, "e2e4 c7c5 g1f3", "d7d6"), 1);
    assert_int_equal(any_weight(book, "e2e4 e7e5 g1f3 g8f6", "f3e5"), 1);
    assert_int_equal(any_weight(book, "e2e4 e7e5 g1f3 b8c6", "f1b5"), 1);
    assert_non_null(strstr(book_warning(book), ":7:30: 0-0 is illegal in ")); /* the bishop */
    book_close(book);
}

static void games_need_no_tags(void **state)
{
    (void)state;
    struct book *book = any_open_text("1. e4 e5 (1... c5)\n2. Nf3 1-0\n\n1.d4 d5 1/2-1/2\n");
    assert_string_equal(book_format_name(book), "PGN repertoire");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "e2e4 e7e5", "g1f3"), 1);
    assert_int_equal(any_weight(book, "e2e4", "c7c5"), 1);
    assert_int_equal(any_weight(book, "d2d4", "d7d5"), 1);
    book_close(book);
    /* Lines of a book have no result. */
    book = any_open_text("1. e4 e5 2. Nf3\n1. d4 d5\n");
    assert_string_equal(book_format_name(book), "White's lines");
    book_close(book);
}

static void moves_in_other_forms(void **state)
{
    (void)state;
    struct book *book = any_open_text(TAG "1. e4 e5 2. \u2658f3 \u265Ec6 3.f1b5\u2026 a7a6 *\n");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "e2e4 e7e5", "g1f3"), 1);
    assert_int_equal(any_weight(book, "e2e4 e7e5", "f2f3"), -1);
    assert_int_equal(any_weight(book, "e2e4 e7e5 g1f3", "b8c6"), 1);
    assert_int_equal(any_weight(book, "e2e4 e7e5 g1f3 b8c6", "f1b5"), 1);
    assert_int_equal(any_weight(book, "e2e4 e7e5 g1f3 b8c6 f1b5", "a7a6"), 1);
    book_close(book);
    book = any_open_text(TAG "1. e4 += e5 N 2. Nf3 \u00b1 2...Nc6 = +- 3. Bb5 +\u2212 *\n");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "e2e4 e7e5 g1f3 b8c6", "f1b5"), 1);
    book_close(book);
}

/* As the reader of games has them, which counts for `build`. */
static void moves_go_on_where_words_end(void **state)
{
    (void)state;
    struct book *book = any_open_text(
        TAG "1.e4 e6(1...e5(1...c5 2.Nf3)2.f4) 2.e5 d5 3.exd6e.p. Nc6 4.dxc7 Nb8 "
            "5.cxb8(Q)(5.cxd8(N)!? Kxd8) 5...Rxb8 *\n\n" TAG
            "1.e4 e6 2.e5 d5 3.exd6 ep Nf6 4.d3 *\n\n" TAG "1.e4 e6 2.e5 d5 3.exd6\ne.p. Bxd6 *\n");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "e2e4 e7e5", "f2f4"), 1);
    assert_int_equal(any_weight(book, "e2e4 c7c5", "g1f3"), 1);
    assert_int_equal(any_weight(book, "e2e4 e7e6 e4e5 d7d5", "e5d6"), 3);
    assert_int_equal(any_weight(book, "e2e4 e7e6 e4e5 d7d5 e5d6", "b8c6"), 1);
    assert_int_equal(any_weight(book, "e2e4 e7e6 e4e5 d7d5 e5d6 g8f6", "d2d3"), 1);
    assert_int_equal(any_weight(book, "e2e4 e7e6 e4e5 d7d5 e5d6", "f8d6"), 1);
    const char *line = "e2e4 e7e6 e4e5 d7d5 e5d6 b8c6 d6c7 c6b8 c7b8q";
    assert_int_equal(any_weight(book, line, "a8b8"), 1);
    line = "e2e4 e7e6 e4e5 d7d5 e5d6 b8c6 d6c7 c6b8 c7d8n";
    assert_int_equal(any_weight(book, line, "e8d8"), 1);
    book_close(book);
}

#define NO_ROOK "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBN1 w Qkq - 0 1\"]"

/* Tags and moves behind a tag on its line count. */
static void tags_that_share_a_line(void **state)
{
    (void)state;
    struct book *book =
        any_open_text("[Event \"a \"\\b\" c\"] 1. e4 e5 2. Nf3 *\n[Event \"C:\\\" ]\n1. d4 *\n");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "e2e4 e7e5", "g1f3"), 1);
    assert_int_equal(any_weight(book, "", "d2d4"), 1);
    book_close(book);
    book = any_open_text("[Event \"a\"] " NO_ROOK " [Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    assert_int_equal(any_weight(book, "", "e2e4"), -1);
    assert_int_equal(book_entry_count(book), 2);
    book_close(book);
}

/* The start of a game that has no move is not that of the next one. */
/* 8 MB, in time that grows as they do: each tag once looked for the end of the line. */
static void a_line_of_a_million_tags(void **state)
{
    (void)state;
    enum { TAGS = 1 << 20 };
    static const char tag[] = "[A \"b\"] ";
    size_t size = sizeof tag - 1;
    char *text = malloc(TAGS * size + 64);
    assert_non_null(text);
    for (size_t i = 0; i < TAGS; i++)
        memcpy(text + i * size, tag, size);
    (void)snprintf(text + TAGS * size, 64, "\n1. e4 c5 *\n");
    struct book *book = any_open_text(text);
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "e2e4", "c7c5"), 1);
    book_close(book);
    free(text);
}

static void games_without_moves(void **state)
{
    (void)state;
    struct book *book = any_open_text("[Event \"a\"]\n" NO_ROOK "\n\n[Event \"b\"]\n[Result "
                                      "\"1-0\"]\n\n1. e4 e5 1-0\n");
    assert_int_equal(any_weight(book, "", "e2e4"), 1);
    book_close(book);
    book = any_open_text("[Event \"a\"]\n[Variant \"Atomic\"]\n\n" TAG "1. e4 e5 *\n");
    assert_int_equal(any_weight(book, "", "e2e4"), 1);
    book_close(book);
}

/* What is played instead of a move does not hang on it. */
static void alternatives_of_a_lost_move(void **state)
{
    (void)state;
    struct book *book =
        any_open_text(TAG "1. d4 d5 2. -- {to see the threat} (2. c4 e6) (2. Nf3 Z0) "
                          "2... e5 (2... c5) 3. dxe5 *\n");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(book_entry_count(book), 5);
    assert_int_equal(any_weight(book, "d2d4 d7d5", "c2c4"), 1);
    assert_int_equal(any_weight(book, "d2d4 d7d5 c2c4", "e7e6"), 1);
    assert_int_equal(any_weight(book, "d2d4 d7d5", "g1f3"), 1);
    book_close(book);
    book = any_open_text(TAG "1. d4 d5 2. Nf4 (2. c4) 2... e5 (2... c5) *\n");
    assert_non_null(strstr(book_warning(book), ":3:13: Nf4 is illegal"));
    assert_int_equal(any_weight(book, "d2d4 d7d5", "c2c4"), 1);
    assert_int_equal(any_weight(book, "d2d4 d7d5 c2c4", "c7c5"), -1);
    book_close(book);
}

static void other_variants_are_left_out(void **state)
{
    (void)state;
    struct book *book =
        any_open_text("[Event \"a\"]\n[Variant \"Antichess\"]\n[FEN \"rnbqkbnr/pppppppp/8/"
                      "8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e3 (1. d3) b5 *\n\n"
                      "[Event \"b\"]\n[Variant \"Fischer random\"]\n\n1. e4 *\n");
    assert_non_null(strstr(book_warning(book), ":2:11: the variant is neither chess nor Chess960"));
    assert_int_equal(book_entry_count(book), 1);
    assert_int_equal(any_weight(book, "", "e2e4"), 1);
    book_close(book);
}

/* Of moves with the same weight the main line's comes first. */
static void the_main_line_goes_first(void **state)
{
    (void)state;
    struct position pos;
    struct book_move moves[4];
    struct book *book = any_open_text(TAG "1. e4 (1. c4) (1. d4) e5 2. Nf3 *\n");
    position_start(&pos);
    assert_int_equal(book_probe(book, &pos, moves, 4), 3);
    assert_int_equal(moves[0].move, move_make(12, 28));
    assert_int_equal(moves[1].move, move_make(10, 26));
    assert_int_equal(moves[2].move, move_make(11, 27));
    book_close(book);
}

static void movetext_is_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool games;
    } cases[] = {
        {"1. e4 e5 *", true},
        {"1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3", true},
        {"1. e4 {best} e5", true},
        {"{ My repertoire }\n{ of 2026 } 1. e4 e5", true},
        {"1. e4 (1... e5) 2. Nf3 ; {", false},
        {"1. e4 e5 2. Nf3", false},
        {"{ e4", false},
        {"e4 e5 *", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            repertoire_format.recognises((const uint8_t *)cases[i].text, strlen(cases[i].text)),
            cases[i].games);
}

/* As makebook build finds the first game. */
static void tags_may_stand_behind_anything(void **state)
{
    (void)state;
    static const char *const beginnings[] = {
        "{a comment}\n[Event \"x\"]",
        "{1. e4 wins}\n[Event \"x\"]\n{and}\n[White \"y\"]",
        "[ Event \"x\"]",
        "[Event\t\"x\"]",
        "[Event\"x\"]",
        "[White-Elo \"x\"]",
        "The games of a club\n[Event \"x\"]",
        "Games of 2001, by e4 fans:\n\n[Event \"x\"]",
        "\xEF\xBB\xBF\xEF\xBB\xBF[Event \"x\"]",
        "\xEF\xBB\xBF\xEF\xBB\xBF",
    };
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "%s\n\n1. e4 {[%%weight 5]} e5 *\n", beginnings[i]);
        struct book *book = any_open_text(text);
        assert_string_equal(book_format_name(book), "PGN repertoire");
        assert_string_equal(book_warning(book), "");
        assert_int_equal(any_weight(book, "", "e2e4"), 5);
        assert_int_equal(any_weight(book, "e2e4", "e7e5"), 1);
        book_close(book);
    }
    struct book *book =
        any_open_text("The end of a game\n[ FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]"
                      "\n\n1. e4 *\n");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(book->root_count, 1);
    book_close(book);
}

static void weights_in_comments_win(void **state)
{
    (void)state;
    struct book *book =
        any_open_text(TAG "1. e4 {good [%weight 12]} e5 {[%weight\n 3]} 2. Nf3 {[%weight 0]} *\n"
                          "1. e4 e5 {[%weight 2]} 2. Nf3 Nc6 {[%weight -]} 3. Bb5 *\n");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "", "e2e4"), 12);
    assert_int_equal(any_weight(book, "e2e4", "e7e5"), 3);
    assert_int_equal(any_weight(book, "e2e4 e7e5", "g1f3"), 0);
    assert_int_equal(any_weight(book, "e2e4 e7e5 g1f3", "b8c6"), -1);
    assert_int_equal(any_weight(book, "e2e4 e7e5 g1f3 b8c6", "f1b5"), 1);
    book_close(book);
}

static void games_begin_where_they_say(void **state)
{
    (void)state;
    static const char text[] = "[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n"
                               "1. a8=Q+ (1. a8=N) Kd7 *\n\n" TAG "1. c4 *\n";
    struct book *book = any_open_text(text);
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "", "c2c4"), 1);
    size_t size;
    char *written = any_write(book, "pgn", &size);
    assert_non_null(strstr(written, "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]"));
    struct book *again = any_open_text(written);
    any_assert_equal(book, again);
    book_close(again);
    free(written);
    book_close(book);
}

static void check_fault(const char *text, enum book_fault fault, size_t line, size_t column,
                        const char *part)
{
    struct any_faults faults = any_check(&repertoire_format, text, strlen(text));
    assert_int_equal(faults.sum, 1);
    assert_int_equal(faults.counts[fault], 1);
    assert_int_equal(faults.first.line, line);
    assert_int_equal(faults.first.column, column);
    assert_non_null(strstr(faults.first.text, part));
}

static void faults_have_line_and_column(void **state)
{
    (void)state;
    check_fault(TAG "1. e4 e5\n2. Kd3 Nc6 (3. xx) *", BOOK_FAULT_ILLEGAL, 4, 4, "Kd3");
    check_fault(TAG "1. Nc3 e5 2. Nf3 e4 3. Ng5 e3 4. Ne4 *", BOOK_FAULT_AMBIGUOUS, 3, 34, "Ne4");
    check_fault(TAG "1. e4 (1. what) e5 *", BOOK_FAULT_SYNTAX, 3, 11, "what");
    check_fault(TAG "(1. e4) 1. d4 *", BOOK_FAULT_SYNTAX, 3, 1, "without a move");
    check_fault(TAG "1. e4) e5 *", BOOK_FAULT_SYNTAX, 3, 6, "')'");
    check_fault(TAG "1. e4 (1. d4", BOOK_FAULT_SYNTAX, 3, 13, "not closed");
    check_fault(TAG "1. e4 (1. d4) {[%weight 5]} e5 *", BOOK_FAULT_SYNTAX, 3, 15,
                "stands behind a variation");
    check_fault(TAG "1. e4 {text", BOOK_FAULT_SYNTAX, 3, 7, "not closed");
    check_fault(TAG "1. e4 {[%weight x]} *", BOOK_FAULT_SYNTAX, 3, 7, "weight");
    check_fault("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *", BOOK_FAULT_SYNTAX, 1, 7, "");
}

/* A fault costs the rest of its variation; the lines around it stay. */
static void the_rest_is_kept(void **state)
{
    (void)state;
    struct book *book = any_open_text(TAG "1. e4 (1. d4 xx (1... f5) 2. c4) e5 2. Nf3 *");
    assert_int_equal(any_weight(book, "", "d2d4"), 1);
    assert_int_equal(any_weight(book, "d2d4", "f7f5"), 1);
    assert_int_equal(any_weight(book, "d2d4 f7f5", "c2c4"), -1);
    assert_int_equal(any_weight(book, "e2e4 e7e5", "g1f3"), 1);
    book_close(book);
}

static void deep_nesting_is_refused_not_followed(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    static char text[sizeof TAG + DEPTH * 6 + DEPTH + 10];
    size_t size = (size_t)snprintf(text, sizeof text, TAG "1. e4 ");
    for (int i = 0; i < DEPTH; i++, size += 6)
        memcpy(text + size, i % 2 ? "(1.e4 " : "(1.d4 ", 6);
    memset(text + size, ')', DEPTH);
    size += DEPTH;
    text[size++] = '*';
    struct any_faults faults = any_check(&repertoire_format, text, size);
    assert_int_equal(faults.sum, 1);
    assert_non_null(strstr(faults.first.text, "too deep"));
    struct book *book = any_open(text, size);
    assert_int_equal(any_weight(book, "", "e2e4"), 1 + REPERTOIRE_DEPTH_MAX / 2);
    book_close(book);
}

static void written_as_games_with_names(void **state)
{
    (void)state;
    struct book *book = any_open_text(TAG "1. e4 {[%weight 9]} c5 {[%weight 4]} (1... e5 "
                                          "{[%weight 5]} 2. f4 {[%weight 1]}) 2. Nf3 *");
    size_t size;
    char *written = any_write(book, "pgn", &size);
    assert_non_null(strstr(written, "[ECO \"C30\"]\n[Opening \"King's Gambit\"]"));
    assert_non_null(
        strstr(written, "1. e4 {[%weight 9]} 1... e5 {[%weight 5]} 2. f4 {[%weight 1]} *"));
    assert_non_null(strstr(written, "1. e4 c5 {[%weight 4]} 2. Nf3 {[%weight 1]} *"));
    int games = 0; /* one for each line of play, no variations */
    for (const char *at = written; (at = strstr(at, "[Event ")); at++)
        games++;
    assert_int_equal(games, 2);
    assert_null(strchr(written, '('));
    struct book *again = any_open_text(written);
    assert_string_equal(book_warning(again), "");
    any_assert_equal(book, again);
    book_close(again);
    free(written);
    book_close(book);
}

/* Fishburn's books know the moves of one side: games need the other's as well. */
static void books_of_one_side_are_written(void **state)
{
    (void)state;
    struct book *book =
        any_open_text("e4 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"
                      "Nf3 rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n"
                      "c3 rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n"
                      "Bb5 r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n");
    static const char *const names[] = {"pgn", "abk", "epd", "fen", "bin", "lines"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size;
        char *written = any_write(book, names[i], &size);
        struct book *again = any_open(written, size);
        assert_string_equal(book_warning(again), "");
        any_assert_equal(book, again);
        book_close(again);
        free(written);
    }
    book_close(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_variations_count),
        cmocka_unit_test(games_need_no_tags),
        cmocka_unit_test(tags_that_share_a_line),
        cmocka_unit_test(a_line_of_a_million_tags),
        cmocka_unit_test(games_without_moves),
        cmocka_unit_test(moves_in_other_forms),
        cmocka_unit_test(moves_go_on_where_words_end),
        cmocka_unit_test(alternatives_of_a_lost_move),
        cmocka_unit_test(other_variants_are_left_out),
        cmocka_unit_test(the_main_line_goes_first),
        cmocka_unit_test(movetext_is_recognised),
        cmocka_unit_test(tags_may_stand_behind_anything),
        cmocka_unit_test(weights_in_comments_win),
        cmocka_unit_test(games_begin_where_they_say),
        cmocka_unit_test(faults_have_line_and_column),
        cmocka_unit_test(the_rest_is_kept),
        cmocka_unit_test(deep_nesting_is_refused_not_followed),
        cmocka_unit_test(written_as_games_with_names),
        cmocka_unit_test(books_of_one_side_are_written),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
