#include "tests/support/capture.h"

#include "book/uci/go.h"
#include "chess/attacks.h"
#include "chess/fen.h"

/* The complaints of the last parse. */
static struct capture capture;

static struct search_request parse(const char *arguments)
{
    struct position pos;
    struct go go;
    position_start(&pos);
    capture_clear(&capture);
    go_parse(span_of(arguments), &pos, &capture.out, &go);
    return go.request;
}

static void clocks_are_read(void **state)
{
    (void)state;
    struct search_request request =
        parse("wtime 1000 btime 2000 winc 30 binc 40 movestogo 12 ponder");
    assert_int_equal(request.time_ms[WHITE], 1000);
    assert_int_equal(request.time_ms[BLACK], 2000);
    assert_int_equal(request.increment_ms[WHITE], 30);
    assert_int_equal(request.increment_ms[BLACK], 40);
    assert_int_equal(request.moves_to_go, 12);
    assert_true(request.ponder);
    assert_false(request.infinite);
    assert_int_equal(capture_lines(&capture), 0);
}

static void other_limits_are_read(void **state)
{
    (void)state;
    assert_int_equal(parse("depth 7").depth, 7);
    assert_int_equal(parse("nodes 5000000000").nodes, 5000000000);
    assert_int_equal(parse("mate 3").mate, 3);
    assert_int_equal(parse("movetime 250").movetime_ms, 250);
    assert_true(parse("infinite").infinite);
    assert_true(parse("").infinite);
    assert_false(parse("depth 7").infinite);
    assert_int_equal(capture_lines(&capture), 0);
}

static void searchmoves_stand_anywhere(void **state)
{
    (void)state;
    struct search_request request = parse("searchmoves e2e4 d2d4 e2e4 depth 5");
    assert_int_equal(request.move_count, 2);
    assert_int_equal(request.depth, 5);
    request = parse("depth 5 searchmoves g1f3 nodes 9");
    assert_int_equal(request.move_count, 1);
    assert_int_equal(request.moves[0], move_make(G1, 21));
    assert_int_equal(request.nodes, 9);
    request = parse("searchmoves e2e5 a7a6 depth 5");
    assert_int_equal(request.move_count, 0);
    assert_int_equal(request.depth, 5);
    assert_int_equal(capture_lines(&capture), 3);
}

static void numbers_are_brought_into_range(void **state)
{
    (void)state;
    assert_int_equal(parse("wtime -50").time_ms[WHITE], 1);
    assert_int_equal(parse("wtime 0").time_ms[WHITE], 1);
    assert_int_equal(parse("wtime 100 winc -5").increment_ms[WHITE], 0);
    assert_int_equal(parse("depth 0").depth, 1);
    assert_int_equal(parse("depth -3").depth, 1);
    assert_int_equal(parse("depth 1000").depth, SEARCH_DEPTH_MAX);
    assert_int_equal(parse("depth 99999999999999999999").depth, SEARCH_DEPTH_MAX);
    assert_int_equal(parse("nodes 0").nodes, 1);
    assert_int_equal(parse("nodes 99999999999999999999").nodes, INT64_MAX);
    assert_int_equal(parse("movetime -1").movetime_ms, 1);
    assert_true(parse("wtime 99999999999999999999").time_ms[WHITE] > INT64_C(1000000000));
    assert_int_equal(capture_lines(&capture), 0);
}

/* Programs that fill in every limit say 0 for "none". */
static void zero_beside_a_limit_is_none(void **state)
{
    (void)state;
    struct search_request request = parse("depth 0 nodes 0 mate 0 movetime 500");
    assert_int_equal(request.depth, 0);
    assert_int_equal(request.nodes, 0);
    assert_int_equal(request.mate, 0);
    assert_int_equal(request.movetime_ms, 500);
    request = parse("wtime 60000 btime 60000 movetime 0");
    assert_int_equal(request.movetime_ms, -1);
    assert_int_equal(request.time_ms[WHITE], 60000);
    assert_int_equal(parse("depth 0 nodes 1000").depth, 0);
    assert_int_equal(parse("depth 0 infinite").depth, 0);
    request = parse("depth 15 wtime 0 btime 0 winc 0 binc 0 movestogo 0");
    assert_int_equal(request.depth, 15);
    assert_int_equal(request.time_ms[WHITE], -1);
    assert_int_equal(parse("nodes 1000 wtime 0 btime 0").time_ms[WHITE], -1);
    assert_int_equal(parse("depth 15 wtime 0 btime 0 winc 10").time_ms[WHITE], 1);
    assert_int_equal(parse("depth 15 wtime 0 btime 500").time_ms[BLACK], 500);
    assert_int_equal(parse("movetime 0").movetime_ms, 1);
    assert_int_equal(capture_lines(&capture), 0);
}

static void the_other_clock_is_better_than_none(void **state)
{
    (void)state;
    assert_int_equal(parse("btime 3000").time_ms[WHITE], 3000);
}

/* Without a clock: an engine that waited for `stop` would never answer. */
static void increments_alone_are_the_clock(void **state)
{
    (void)state;
    struct search_request request = parse("winc 500 binc 700");
    assert_false(request.infinite);
    assert_int_equal(request.time_ms[WHITE], 500);
    assert_int_equal(request.increment_ms[WHITE], 500);
    assert_int_equal(capture_count(&capture, "info string go: increment"), 1);
    request = parse("binc 700");
    assert_int_equal(request.time_ms[WHITE], 700);
    static const char *const none[] = {"winc 0 binc 0", "movestogo 40", "movestogo 3 winc -1"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        request = parse(none[i]);
        assert_false(request.infinite);
        assert_int_equal(request.depth, 1);
        assert_int_equal(capture_lines(&capture), 1);
    }
    assert_int_equal(parse("winc 500 depth 9").time_ms[WHITE], -1);
    assert_int_equal(parse("wtime 90 winc 500").time_ms[WHITE], 90);
    assert_true(parse("infinite winc 500").infinite);
    assert_int_equal(capture_lines(&capture), 0);
}

static void ponder_alone_ends_at_ponderhit(void **state)
{
    (void)state;
    struct search_request request = parse("ponder");
    assert_true(request.ponder);
    assert_false(request.infinite);
    assert_int_equal(request.movetime_ms, -1);
    assert_int_equal(capture_lines(&capture), 0);
}

static bool has_end(const char *arguments)
{
    struct position pos;
    struct go go;
    position_start(&pos);
    go_parse(span_of(arguments), &pos, &capture.out, &go);
    return go.has_end;
}

static void a_go_that_nobody_ends_is_known(void **state)
{
    (void)state;
    assert_false(has_end(""));
    assert_false(has_end("searchmoves e2e4"));
    assert_false(has_end("ponder wtime 1000 btime 1000"));
    assert_true(has_end("infinite")); /* meant so */
    assert_true(has_end("perft 1"));
    assert_true(has_end("winc 100"));
    assert_true(has_end("nodes 5 searchmoves e2e4"));
}

static void unreadable_limit_makes_a_short_search(void **state)
{
    (void)state;
    static const char *const faulty[] = {"depth",    "depth x", "nodes 1e6",    "movetime",
                                         "dpeth 10", "wtime",   "depth ponder", "mate infinit"};
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        struct search_request request = parse(faulty[i]);
        assert_int_equal(request.depth, 1);
        assert_false(request.infinite);
        assert_true(capture_lines(&capture) >= 1);
        assert_int_equal(capture_count(&capture, "info string go: "), capture_lines(&capture));
    }
}

static void a_fault_leaves_the_other_limits(void **state)
{
    (void)state;
    struct search_request request = parse("depth wtime 1000 btime 1000");
    assert_int_equal(request.depth, 0);
    assert_int_equal(request.time_ms[WHITE], 1000);
    assert_int_equal(capture_lines(&capture), 1);
    request = parse("fast depth 4");
    assert_int_equal(request.depth, 4);
    assert_int_equal(capture_lines(&capture), 1);
    assert_true(parse("infinite now").infinite);
}

static void castling_in_searchmoves(void **state)
{
    (void)state;
    struct position pos;
    struct go go;
    const char *fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    go_parse(span_of("searchmoves e1g1 e1h1 e1a1"), &pos, &capture.out, &go);
    assert_int_equal(go.request.move_count, 2);
}

static void perft_depth(void **state)
{
    (void)state;
    struct position pos;
    struct go go;
    position_start(&pos);
    go_parse(span_of("perft 4"), &pos, &capture.out, &go);
    assert_int_equal(go.perft_depth, 4);
    go_parse(span_of("perft"), &pos, &capture.out, &go);
    assert_int_equal(go.perft_depth, 0);
    assert_int_equal(go.request.depth, 1);
}

int main(void)
{
    chess_init();
    capture_start(&capture);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_are_read),
        cmocka_unit_test(other_limits_are_read),
        cmocka_unit_test(searchmoves_stand_anywhere),
        cmocka_unit_test(numbers_are_brought_into_range),
        cmocka_unit_test(zero_beside_a_limit_is_none),
        cmocka_unit_test(the_other_clock_is_better_than_none),
        cmocka_unit_test(increments_alone_are_the_clock),
        cmocka_unit_test(ponder_alone_ends_at_ponderhit),
        cmocka_unit_test(a_go_that_nobody_ends_is_known),
        cmocka_unit_test(unreadable_limit_makes_a_short_search),
        cmocka_unit_test(a_fault_leaves_the_other_limits),
        cmocka_unit_test(castling_in_searchmoves),
        cmocka_unit_test(perft_depth),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    capture_end(&capture);
    return failed;
}
