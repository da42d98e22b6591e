/* Results and distances of the reader of endgame tables against those that python-chess gave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "search/tb.h"
#include "tests/support/shared_data.h"

#define FOLDER SHARED_DATA_DIR "/syzygy"

/* A line: result, distance, FEN; "- -" where castling rights keep it out of the tables. */
static void assert_line(const struct tb *tb, const char *text)
{
    struct span rest = span_of(text);
    struct span wanted_result = span_token(&rest);
    struct span wanted_distance = span_token(&rest);
    struct position pos;
    enum tb_wdl result;
    int distance;
    int64_t number;
    assert_int_equal(fen_parse(span_trim(rest), &pos, NULL), STATUS_OK);
    bool is_known = !span_equal(wanted_result, "-");
    assert_int_equal(tb_find_wdl(tb, &pos, &result), is_known);
    assert_int_equal(tb_find_dtz(tb, &pos, &distance), is_known);
    if (!is_known)
        return;
    assert_int_equal(span_to_int(wanted_result, -2, 2, &number), STATUS_OK);
    assert_int_equal(result, number);
    assert_int_equal(span_to_int(wanted_distance, -1000, 1000, &number), STATUS_OK);
    assert_int_equal(distance, number);
}

static void as_python_chess(void **state)
{
    (void)state;
    struct tb *tb;
    struct diag diag;
    shared_data_want(FOLDER "/KQvKR.rtbw");
    enum caxton_status status = tb_open(FOLDER, &tb, &diag);
    if (status == STATUS_NOT_FOUND) {
        print_message("skipped: %s\n", diag.text);
        skip();
    }
    assert_int_equal(status, STATUS_OK);
    FILE *file = fopen(TEST_DATA_DIR "/tables/positions.txt", "r");
    assert_non_null(file);
    char line[256];
    int lines = 0;
    for (; fgets(line, sizeof line, file); lines++)
        assert_line(tb, line);
    assert_int_equal(lines, 1000);
    assert_int_equal(fclose(file), 0);
    tb_close(tb);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_python_chess)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
