/* Positions and moves as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/book.h"
#include "book/formats/epd/epd.h"
#include "book/open/open.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
#define OPEN  "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - "

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

/* The line in Fishburn's paper: in the position after 1. e4 e5 White should play Nf3. */
static void the_line_of_the_paper(void **state)
{
    (void)state;
    static const char line[] = "Nf3 rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n";
    struct book *book = any_open_text(line);
    assert_string_equal(book_format_name(book), "EPD");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "e2e4 e7e5", "g1f3"), 1);
    assert_int_equal(any_weight(book, "", "g1f3"), -1);
    size_t size;
    char *text = any_write(book, "fen", &size);
    assert_string_equal(text, line);
    free(text);
    book_close(book);
}

static void weights_and_moves_to_avoid(void **state)
{
    (void)state;
    static const char text[] =
        "# by hand\r\n\r\n" START "c0 \"e4=20, d4=x, c4=9\"; bm e4 d4; id \"a;b\"; am f3;\r\n" OPEN
        "0 2 bm Nf3\n";
    struct book *book = any_open_text(text);
    assert_string_equal(book_warning(book), "");
    assert_int_equal(book_entry_count(book), 4);
    assert_int_equal(any_weight(book, "", "e2e4"), 20);
    assert_int_equal(any_weight(book, "", "d2d4"), 1);
    assert_int_equal(any_weight(book, "", "f2f3"), 0);
    assert_int_equal(any_weight(book, "", "c2c4"), -1); /* scored, but no best move */
    assert_int_equal(any_weight(book, "e2e4 e7e5", "g1f3"), 1);
    size_t size;
    char *written = any_write(book, "epd", &size);
    assert_string_equal(written, START "bm e4 d4; am f3; c0 \"e4=20, d4=1\";\n" OPEN
                                       "bm Nf3; c0 \"Nf3=1\";\n");
    struct book *again = any_open_text(written);
    any_assert_equal(book, again);
    book_close(again);
    free(written);
    book_close(book);
}

static void weights_as_people_write_them(void **state)
{
    (void)state;
    struct book *book = any_open_text(
        "; mine\n" START "bm e4 d2d4 c4; c0 \"not = 1\"; c3 \"e4 = 5,d4 =3 , c2c4=2\";\n");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "", "e2e4"), 5);
    assert_int_equal(any_weight(book, "", "d2d4"), 3);
    assert_int_equal(any_weight(book, "", "c2c4"), 2);
    book_close(book);
}

/* A quote inside the operands could not be written back as part of a list of weights. */
static void operands_with_a_quote_inside_are_a_comment(void **state)
{
    (void)state;
    struct book *book = any_open_text(START "bm e4 d4; c0 \"so; c0 \"e4=20, d4=7\r;\n");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "", "d2d4"), 1);
    book_close(book);
}

/* What a terminal might mind does not get into messages. */
static void messages_are_plain_text(void **state)
{
    (void)state;
    static const char text[] = START "bm e4 N\x1B[31m\xFF;\n";
    struct any_faults faults = any_check(&epd_format, text, strlen(text));
    assert_int_equal(faults.sum, 1);
    assert_memory_equal(faults.first.text, "N?[31m? is no move", 18);
}

static void same_move_in_two_lines_adds_up(void **state)
{
    (void)state;
    static const char text[] = "e4 " START "\ne4 " START "\nd4 " START "\n";
    struct book *book = any_open_text(text);
    assert_int_equal(any_weight(book, "", "e2e4"), 2);
    assert_int_equal(any_weight(book, "", "d2d4"), 1);
    book_close(book);
    struct any_faults faults = any_check(&epd_format, text, strlen(text));
    assert_int_equal(faults.sum, 1);
    assert_int_equal(faults.counts[BOOK_FAULT_DUPLICATE], 1);
    assert_int_equal(faults.first.line, 2);
}

static void check_fault(const char *text, enum book_fault fault, size_t line, size_t column)
{
    struct any_faults faults = any_check(&epd_format, text, strlen(text));
    assert_int_equal(faults.sum, 1);
    assert_int_equal(faults.counts[fault], 1);
    assert_int_equal(faults.first.line, line);
    assert_int_equal(faults.first.column, column);
}

static void faults_have_line_and_column(void **state)
{
    (void)state;
    check_fault(START "bm e5;", BOOK_FAULT_ILLEGAL, 1, 57);
    check_fault("\n  " START "bm e4 xyz;", BOOK_FAULT_SYNTAX, 2, 62);
    check_fault("4k3/8/8/8/8/8/8/N1N1K3 w - - bm Nb3;", BOOK_FAULT_AMBIGUOUS, 1, 33);
    check_fault(START "id \"no move\";", BOOK_FAULT_SYNTAX, 1, 1);
    check_fault(START "bm e4 e4;", BOOK_FAULT_DUPLICATE, 1, 60);
    check_fault(START "bm e4 d4; c0 \"e4=5; d4=3\";", BOOK_FAULT_SYNTAX, 1, 68);
    check_fault(START "bm e4 d4; c0 \"e4=5 d4=3\";", BOOK_FAULT_SYNTAX, 1, 68);
    check_fault(START "bm e4 d4; c0 \"e4=5, d4=99999999999\";", BOOK_FAULT_SYNTAX, 1, 74);
    check_fault(START "bm e4 d4; c0 \"e4=-5\";", BOOK_FAULT_SYNTAX, 1, 68);
    check_fault("e4 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq -", BOOK_FAULT_SYNTAX, 1,
                48);
}

static void what_is_sound_is_kept(void **state)
{
    (void)state;
    struct book *book = any_open_text(START "bm e5 d4;\nnonsense\nNf3 " OPEN "\n");
    assert_string_equal(
        book_warning(book),
        "test:1:57: e5 is illegal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 "
        "(faults: 2)");
    assert_int_equal(any_weight(book, "", "d2d4"), 1);
    assert_int_equal(any_weight(book, "e2e4 e7e5", "g1f3"), 1);
    book_close(book);

    struct diag diag;
    struct book *none = NULL;
    static const char bad[] = START "bm e5;\n";
    assert_int_equal(book_open_memory(bad, strlen(bad), "bad.epd", &none, &diag), STATUS_FORMAT);
    assert_int_equal(diag.line, 1);
    assert_int_equal(diag.column, 57);
    assert_non_null(strstr(diag.text, "bad.epd:1:57: e5 is illegal"));
}

/* A book may hold positions that no line from the start reaches: it names them itself. */
static void positions_out_of_reach_are_written(void **state)
{
    (void)state;
    static const char text[] = "4k3/P7/8/8/8/8/8/4K3 w - - bm a8=Q+ Kd2; c0 \"a8=Q+=12, Kd2=3\";\n";
    struct book *book = any_open_text(text);
    size_t size;
    char *written = any_write(book, "epd", &size);
    assert_string_equal(written, text);
    free(written);
    book_close(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_of_the_paper),
        cmocka_unit_test(weights_and_moves_to_avoid),
        cmocka_unit_test(weights_as_people_write_them),
        cmocka_unit_test(messages_are_plain_text),
        cmocka_unit_test(operands_with_a_quote_inside_are_a_comment),
        cmocka_unit_test(same_move_in_two_lines_adds_up),
        cmocka_unit_test(faults_have_line_and_column),
        cmocka_unit_test(what_is_sound_is_kept),
        cmocka_unit_test(positions_out_of_reach_are_written),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
