/* Published perft counts. CAXTON_PERFT_DEPTH sets how deep the large suites go (4, with
 * CAXTON_SHORT_TESTS 3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"

static uint64_t perft_of(const char *fen, int depth)
{
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    return perft(&pos, depth);
}

static void start_position(void **state)
{
    (void)state;
    assert_int_equal(perft_of(fen_start, 0), 1);
    assert_int_equal(perft_of(fen_start, 1), 20);
    assert_int_equal(perft_of(fen_start, 5), 4865609);
}

static void promotions_pins_and_en_passant(void **state)
{
    (void)state;
    assert_int_equal(
        perft_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
        4085603);
    assert_int_equal(perft_of("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5), 674624);
    assert_int_equal(
        perft_of("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4), 422333);
    assert_int_equal(perft_of("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
                     2103487);
}

/* Checks one line "FEN ;D1 n ;D2 n ..". */
static void check_line(const char *path, unsigned line, struct span text, int depth_max)
{
    struct position pos;
    struct span rest;
    struct diag diag;
    if (fen_parse_epd(text, &pos, &rest, &diag) != STATUS_OK)
        fail_msg("%s:%u: %s", path, line, diag.text);
    while (rest.size) {
        struct span label = span_token(&rest);
        struct span count = span_token(&rest);
        int64_t wanted;
        if (label.size != 3 || span_to_int(count, 0, INT64_MAX, &wanted) != STATUS_OK)
            fail_msg("%s:%u: not a perft line", path, line);
        int depth = label.data[2] - '0';
        if (depth > depth_max)
            continue;
        uint64_t got = perft(&pos, depth);
        if (got != (uint64_t)wanted)
            fail_msg("%s:%u: depth %d gives %llu, not %lld", path, line, depth,
                     (unsigned long long)got, (long long)wanted);
    }
}

static void run_suite(const char *path)
{
    const char *wish = getenv("CAXTON_PERFT_DEPTH");
    int64_t depth = getenv("CAXTON_SHORT_TESTS") ? 3 : 4;
    if (wish)
        assert_int_equal(span_to_int(span_of(wish), 1, 9, &depth), STATUS_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[512];
    unsigned number = 0;
    while (fgets(line, sizeof line, file))
        check_line(path, ++number, span_trim(span_of(line)), (int)depth);
    assert_int_equal(fclose(file), 0);
    assert_true(number > 100);
    print_message("%s: %u positions to depth %d\n", path, number, (int)depth);
}

static void standard_suite(void **state)
{
    (void)state;
    run_suite(TEST_DATA_DIR "/perft/standard.epd");
}

static void chess960_suite(void **state)
{
    (void)state;
    run_suite(TEST_DATA_DIR "/perft/chess960.epd");
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_position),
        cmocka_unit_test(promotions_pins_and_en_passant),
        cmocka_unit_test(standard_suite),
        cmocka_unit_test(chess960_suite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
