/* Evaluations that others publish: sides, mates, castling, what is wanted, and lines that lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "book/scoring/deepest_answers.h"
#include "book/scoring/evaluations.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "eval/eval.h"
#include "search/score.h"

static const struct searcher_identity others = {.name = "others"};

static struct evaluations evaluations;

static int set_up(void **state)
{
    (void)state;
    chess_init();
    evaluations = (struct evaluations){.most = 1000};
    return score_store_open(NULL, &others, &evaluations.store, NULL) == STATUS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(evaluations.wanted);
    free(evaluations.table.slots);
    return score_store_close(evaluations.store, NULL) == STATUS_OK ? 0 : -1;
}

static struct position position_of(const char *fen)
{
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    return pos;
}

static enum caxton_status read_line(const char *line)
{
    struct diag diag = {.text = ""};
    enum caxton_status status = evaluations_read_line(&evaluations, span_of(line), &diag);
    assert_true(status == STATUS_OK || *diag.text);
    return status;
}

/* What the move is worth in the position, as makebook shows it: "1.63 45" with its depth, "#3 40";
 * "" when nothing is known. */
static const char *known(const char *fen, const char *uci)
{
    static char text[40];
    struct deepest_answers answers;
    struct search_answer answer;
    const struct position pos = position_of(fen);
    move m = MOVE_NONE;
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    assert_int_equal(deepest_answers_take(evaluations.store, NULL, 0, &answers), STATUS_OK);
    *text = '\0';
    if (deepest_answers_of_move(&answers, &pos, m, &answer)) {
        int score = answer.score;
        int moves = (SCORE_MATE - abs(score) + 1) / 2;
        if (score_is_mate(score))
            (void)snprintf(text, sizeof text, "#%s%d %d", score < 0 ? "-" : "", moves,
                           answer.depth);
        else
            (void)snprintf(text, sizeof text, "%d %d", eval_centipawns(score), answer.depth);
    }
    deepest_answers_free(&answers);
    return text;
}

#define KNOWN(fen, uci, text) assert_string_equal(known(fen, uci), text)

static const char black[] = "7r/1p3k2/p1bPR3/5p2/2B2P1p/8/PP4P1/3K4 b - -";
static const char quiet[] = "2bq1rk1/pr3ppn/1p2p3/7P/2pP1B1P/2P5/PPQ2PB1/R3R1K1 w - -";

/* White's view becomes that of who moves; the second line of play is no best move. */
static void scores_are_whites(void **state)
{
    (void)state;
    assert_int_equal(
        read_line(
            "{\"fen\":\"7r/1p3k2/p1bPR3/5p2/2B2P1p/8/PP4P1/3K4 b - -\",\"evals\":[{\"pvs\":["
            "{\"cp\":69,\"line\":\"f7g7 e6e2 h8d8 e2d2\"},"
            "{\"cp\":163,\"line\":\"h8d8 d1e1 a6a5 a2a3\"}],\"knodes\":4189972,\"depth\":46}]}"),
        STATUS_OK);
    KNOWN(black, "f7g7", "-69 46");
    KNOWN(black, "h8d8", "-163 46");
    KNOWN(black, "h8g8", "");
    const struct position pos = position_of(black);
    struct packed_position packed;
    struct search_answer answer;
    position_pack(&pos, &packed);
    assert_true(score_store_find(evaluations.store, &packed,
                                 (struct search_limit){SEARCH_TO_DEPTH, 46}, &answer));
    assert_int_equal(answer.nodes, 4189972000);
    assert_int_equal(evaluations.used, 1);
}

/* Several evaluations of a position: of each move the deepest counts. */
static void the_deepest_counts(void **state)
{
    (void)state;
    assert_int_equal(
        read_line(
            "{ \"evals\": [ {\"depth\": 36, \"pvs\": [{\"line\": \"g2e4 f7f5\", \"cp\": 311}],"
            " \"knodes\": 206765}, {\"pvs\": [{\"cp\": 190, \"line\": \"h5h6 d8h4\"}, {\"cp\":"
            " 186, \"line\": \"g2e4 f7f5\"}], \"knodes\": 162122, \"depth\": 31} ], \"new\": "
            "[{\"fen\": 1}], \"fen\": \"2bq1rk1/pr3ppn/1p2p3/7P/2pP1B1P/2P5/PPQ2PB1/R3R1K1 w"
            " - -\" }"),
        STATUS_OK);
    KNOWN(quiet, "g2e4", "311 36");
    KNOWN(quiet, "h5h6", "190 31");
    KNOWN("2bq1rk1/pr3ppn/1p2p3/7P/2pPBB1P/2P5/PPQ2P2/R3R1K1 b - -", "f7f5", "-311 35");
}

static void mates_of_either_side(void **state)
{
    (void)state;
    assert_int_equal(read_line("{\"fen\":\"8/8/8/8/2n5/k7/2p5/KB6 b - -\",\"evals\":[{\"pvs\":[{"
                               "\"mate\":-3,\"line\":\"c2b1q\"}],\"knodes\":1,\"depth\":40}]}"),
                     STATUS_OK);
    KNOWN("8/8/8/8/2n5/k7/2p5/KB6 b - -", "c2b1q", "#3 40");
    KNOWN("8/8/8/8/2n5/k7/8/Kq6 w - -", "a1b1", "");
    assert_int_equal(
        read_line("{\"fen\":\"6k1/6p1/8/4K3/4NN2/8/8/8 w - -\",\"evals\":[{\"pvs\":[{\"cp\":null,"
                  "\"mate\":15,\"line\":\"e5e6\"}],\"knodes\":589893,\"depth\":95}]}"),
        STATUS_OK);
    KNOWN("6k1/6p1/8/4K3/4NN2/8/8/8 w - -", "e5e6", "#15 95");
    assert_int_equal(
        read_line(
            "{\"fen\":\"7k/8/6K1/8/8/8/8/R7 w - -\",\"evals\":[{\"pvs\":[{\"mate\":1,\"line\":"
            "\"a1a8\"}],\"knodes\":1,\"depth\":245}]}"),
        STATUS_OK);
    KNOWN("7k/8/6K1/8/8/8/8/R7 w - -", "a1a8", "#1 245");
}

/* King takes rook, also where the rooks stand elsewhere. */
static void castling(void **state)
{
    (void)state;
    assert_int_equal(
        read_line(
            "{\"fen\":\"r3k2r/8/8/8/8/8/8/R3K2R w KQkq -\",\"evals\":[{\"depth\":16,\"knodes\":"
            "3,\"pvs\":[{\"cp\":7,\"line\":\"e1h1 e8a8\"},{\"cp\":5,\"line\":\"e1a1\"}]}]}"),
        STATUS_OK);
    KNOWN("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1g1", "7 16");
    KNOWN("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1c1", "5 16");
    KNOWN("r3k2r/8/8/8/8/8/8/R4RK1 b kq -", "e8c8", "-7 15");
    assert_int_equal(
        read_line(
            "{\"fen\":\"1rk4r/8/8/8/8/8/8/1RK4R w KQkq -\",\"evals\":[{\"depth\":9,\"knodes\":"
            "3,\"pvs\":[{\"cp\":-4,\"line\":\"c1h1\"}]}]}"),
        STATUS_OK);
    KNOWN("1rk4r/8/8/8/8/8/8/1RK4R w KQkq -", "c1h1", "-4 9");
}

/* chessdb.cn's scores are those of the side to move, its mates are plies. */
static void chessdb(void **state)
{
    (void)state;
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    static const struct {
        const char *line, *fen, *uci, *score;
    } cases[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ; cdb eval: 17, ply: 0;", start,
         "e2e4", ""},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 ; cdb eval: -20;", start,
         "e2e4", "20 0"},
        {"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - ; cdb eval: 30; PV: d7d5 c2c4",
         start, "d2d4", "-30 0"},
        {"# a comment", start, "e2e4", "20 0"},
        {"", start, "e2e4", "20 0"},
        {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - bm Qh4#; cdb eval: M1; PV: "
         "d8h4",
         "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq -", "d8h4", "#1 0"},
        {"7k/8/5K2/8/8/8/8/R7 b - - ; cdb eval: -M4;", "7k/8/4K3/8/8/8/8/R7 w - -", "e6f6", "#3 0"},
        {"7k/5K2/8/8/8/8/8/R7 b - - ; cdb eval: -29996;", "7k/8/4K3/8/8/8/8/R7 w - -", "e6f7",
         "#3 0"},
        {"7k/4K3/8/8/8/8/8/R7 b - - ; cdb eval: -20000;", "7k/8/4K3/8/8/8/8/R7 w - -", "e6e7",
         "10000 0"},
        {"R6k/8/6K1/8/8/8/8/8 b - - ; cdb eval: mated;", "7k/8/6K1/8/8/8/8/R7 w - -", "a1a8",
         "#1 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_line(cases[i].line), STATUS_OK);
        KNOWN(cases[i].fen, cases[i].uci, cases[i].score);
    }
    size_t before = score_store_count(evaluations.store);
    assert_int_equal(read_line("8/8/8/8/8/4k3/8/4K3 w - - bm Kd1; id \"none\";"), STATUS_OK);
    assert_int_equal(score_store_count(evaluations.store), before);
}

/* What stands in a line that nobody wants is not looked at. */
static void only_what_is_wanted(void **state)
{
    (void)state;
    assert_int_equal(evaluations_want(&evaluations, position_of(quiet).key), STATUS_OK);
    assert_int_equal(evaluations_want(&evaluations, position_of(quiet).key), STATUS_OK);
    assert_int_equal(evaluations.wanted_count, 1);
    assert_int_equal(
        read_line("{\"fen\":\"7r/1p3k2/p1bPR3/5p2/2B2P1p/8/PP4P1/3K4 b - -\",\"evals\""),
        STATUS_OK);
    assert_int_equal(read_line("7r/1p3k2/p1bPR3/5p2/2B2P1p/8/PP4P1/3K4 b - - cdb eval: x;"),
                     STATUS_OK);
    assert_int_equal(evaluations.used, 0);
    assert_int_equal(
        read_line("2bq1rk1/pr3ppn/1p2p3/7P/2pP1B1P/2P5/PPQ2PB1/R3R1K1 w - - cdb eval: 9"),
        STATUS_OK);
    assert_int_equal(evaluations.used, 1);
    evaluations.most = 1; /* no more memory */
    assert_int_equal(
        read_line("2bq1rk1/pr3ppn/1p2p3/7P/2pP1B1P/2P5/PPQ2PB1/R3R1K1 w - - cdb eval: 9"),
        STATUS_END);
}

#define LINE(pvs, numbers)                                                                         \
    "{\"fen\":\"7k/8/6K1/8/8/8/8/R7 w - -\",\"evals\":[{\"pvs\":" pvs "," numbers "}]}"
#define DEEP "\"knodes\":1,\"depth\":9"

static void faults(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        enum caxton_status status;
    } cases[] = {
        {"{\"fen\":\"7k/8/6K1/8/8/8/8/R7 w - -\"}", STATUS_SYNTAX},
        {"{\"evals\":[]}", STATUS_SYNTAX},
        {"{\"fen\":7,\"evals\":[]}", STATUS_SYNTAX},
        {"{\"fen\":\"7k/8/6K1/8/8/8/8/R7 w - -\",\"evals\":[", STATUS_SYNTAX},
        {"{\"fen\":\"7k/8/6K1/8/8/8/8/R7 w - -\",\"evals\":[{}]}", STATUS_SYNTAX},
        {"{\"fen\":\"7k/8/6K1/8/8/8/8/R7 w - -\",\"evals\":7}", STATUS_SYNTAX},
        {"{\"fen\":\"7k/8/6K1/8/8/8/8 w - -\",\"evals\":[]}", STATUS_ILLEGAL},
        {"{\"fen\":\"7R/8/6K1/8/8/8/8/R7 w - -\",\"evals\":[]}", STATUS_ILLEGAL},
        {LINE("[{\"cp\":1}]", DEEP), STATUS_SYNTAX},
        {LINE("[{\"cp\":1,\"line\":\"a1a8\"", DEEP), STATUS_SYNTAX},
        {LINE("[{\"cp\":1,\"line\":\"\"}]", DEEP), STATUS_ILLEGAL},
        {LINE("[{\"cp\":1,\"line\":\"a1b8\"}]", DEEP), STATUS_ILLEGAL},
        {LINE("[{\"cp\":1,\"line\":\"g6h7\"}]", DEEP), STATUS_ILLEGAL},
        {LINE("[{\"line\":\"a1a8\"}]", DEEP), STATUS_ILLEGAL},
        {LINE("[{\"cp\":1.5,\"line\":\"a1a8\"}]", DEEP), STATUS_ILLEGAL},
        {LINE("[{\"cp\":99999999999,\"line\":\"a1a8\"}]", DEEP), STATUS_ILLEGAL},
        {LINE("[{\"cp\":1,\"line\":\"a1a8\"}]", "\"knodes\":1"), STATUS_ILLEGAL},
        {LINE("[{\"cp\":1,\"line\":\"a1a8\"}]", "\"knodes\":1,\"depth\":1000"), STATUS_ILLEGAL},
        {LINE("[{\"cp\":1,\"line\":\"a1a8\"}]", "\"knodes\":-1,\"depth\":1"), STATUS_ILLEGAL},
        {"nonsense", STATUS_SYNTAX},
        {"7k/8/6K1/8/8/8/8/R7 w - - cdb eval: x;", STATUS_ILLEGAL},
        {"7k/8/6K1/8/8/8/8/R7 w - - cdb eval: --M3;", STATUS_ILLEGAL},
        {"7k/8/6K1/8/8/8/8/R7 w - - cdb eval: M-3;", STATUS_ILLEGAL},
        {"7k/8/6K1/8/8/8/8/R7 w - - cdb eval: 99999;", STATUS_ILLEGAL},
        {"7k/8/6K1/8/8/8/8/R7 w - - cdb eval: 1; PV: a1b8", STATUS_ILLEGAL},
        {"7k/8/6K1/8/8/8/8/R6R w KQ - cdb eval: 1", STATUS_ILLEGAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum caxton_status status = read_line(cases[i].line);
        if (status != cases[i].status)
            fail_msg("%s: %s", cases[i].line, status_name(status));
    }
    assert_int_equal(score_store_count(evaluations.store), 0);
    /* Numbers that are too large are the largest. */
    assert_int_equal(read_line(LINE("[{\"cp\":-999999,\"line\":\"a1a8\"}]", DEEP)), STATUS_OK);
    KNOWN("7k/8/6K1/8/8/8/8/R7 w - -", "a1a8", "-10000 9");
    assert_int_equal(
        read_line(LINE("[{\"mate\":-9999999,\"line\":\"a1a7\"}]", "\"knodes\":1,\"depth\":10")),
        STATUS_OK);
    KNOWN("7k/8/6K1/8/8/8/8/R7 w - -", "a1a7", "#-128 10");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(scores_are_whites),
        CASE(the_deepest_counts),
        CASE(mates_of_either_side),
        CASE(castling),
        CASE(chessdb),
        CASE(only_what_is_wanted),
        CASE(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
