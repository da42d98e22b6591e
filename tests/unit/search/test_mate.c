/* `go mate N`: nothing is missed and nothing is claimed that is not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "search/search.h"

static struct search *search;
static struct search_request request;
static struct search_result result;

static int fresh(void **state)
{
    (void)state;
    search = search_create();
    search_request_init(&request);
    return search ? 0 : -1;
}

static int gone(void **state)
{
    (void)state;
    search_destroy(search);
    return 0;
}

static void run(void)
{
    static const struct search_reporter silent = {0};
    search_arm(search, false, clock_ms());
    search_run(search, &request, &silent, &result);
}

/* Did the search find a mate in `moves` or fewer? */
static bool found(int moves)
{
    return result.score >= score_mate_in(2 * moves - 1);
}

/* Ends of games between masters: the side to move mates in so many moves and no fewer. */
static const struct {
    const char *fen;
    int moves;
} mates[] = {
    {"5b2/pp2r1pk/2pp1R1p/4rP1N/2P1P3/1P4Q1/P3q1PP/5R1K w - - 0 1", 3},
    {"3rr1k1/pbp2ppp/8/1NP1N3/2P1qR2/P3p3/4Q1PP/R1B4K b - - 0 1", 3},
    {"r2qr1k1/p1p2p2/1pn1b1nQ/3pP1N1/3P4/2PB4/P1P3PP/1R3RK1 w - - 0 1", 3},
    {"2k4r/1pp3p1/p7/5qp1/BPP1n3/P2p2B1/4nPPP/4QR1K b - - 0 1", 3},
    {"r1b2r1k/pp4pp/3p4/3B4/8/1QN3Pn/PP3q1P/R3R2K b - - 0 1", 3},
    {"5r1k/1b2Np1q/p4P2/1p1p4/2rR3Q/1B5P/PP4PK/8 w - - 0 1", 3},
    {"1Q6/5pk1/2p3p1/1p2N2p/1b5P/1b4n1/r5P1/2K5 b - - 0 1", 3},
    {"r4rk1/ppq2p1p/1b2nPpQ/3p4/6N1/8/PB3PPP/R4RK1 w - - 0 1", 3},
    {"3q1r1k/2p4p/1p1pBrp1/p2Pp3/2PnP3/5PP1/PP1Q2K1/5R1R w - - 0 1", 3},
    {"3r1b2/1p5R/2rPB1k1/p3P1p1/2p5/4PK2/PP6/7R w - - 0 1", 3},
    {"5kbQ/8/p1n2p2/1p1q2p1/2p2P1N/2P5/PP3rPP/4R2K w - - 0 1", 3},
    {"1Q6/5pk1/2p3p1/1p1bN2p/1b5P/6n1/r5P1/3K4 b - - 0 1", 4},
    {"3r1b2/1p4k1/2rPB3/p3P1p1/2p5/4PK2/PP5R/7R w - - 0 1", 4},
    {"5k2/5b2/p1n2p2/1p1q2pQ/2p2P1N/2P5/PP3rPP/4R2K w - - 0 1", 4},
    {"r2qr2k/pp2n2p/2p1PppB/3p4/4P3/2b4R/P2Q2PP/5R1K w - - 0 1", 4},
    {"4r2k/5p1q/pp3Pp1/2pbr1Q1/3p3R/2P5/P5PP/2B3K1 w - - 0 1", 4},
};

static void set_mate(size_t i)
{
    assert_int_equal(fen_parse(span_of(mates[i].fen), &request.root, NULL), STATUS_OK);
}

static void mates_of_games_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mates / sizeof *mates; i++) {
        set_mate(i);
        request.mate = mates[i].moves;
        search_clear(search);
        run();
        if (!found(mates[i].moves))
            fail_msg("no mate in %d: %s", mates[i].moves, mates[i].fen);
    }
}

/* Bounds that a search with pruning left in the table prove nothing. */
static void earlier_searches_hide_no_mate(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mates / sizeof *mates && mates[i].moves == 3; i++) {
        set_mate(i);
        search_clear(search);
        request.mate = 0;
        request.depth = 6;
        run();
        request.depth = 0;
        request.mate = mates[i].moves;
        run();
        if (!found(mates[i].moves))
            fail_msg("no mate in %d: %s", mates[i].moves, mates[i].fen);
    }
}

/* Brute force: does the side to move mate in `moves` or fewer? */
static bool mates_in(struct position *pos, int moves)
{
    move list[MOVES_MAX];
    int count = movegen_legal(pos, list);
    for (int i = 0; i < count; i++) {
        struct undo undo;
        position_make(pos, list[i], &undo);
        move replies[MOVES_MAX];
        int reply_count = movegen_legal(pos, replies);
        bool mated = reply_count > 0 ? moves > 1 : position_in_check(pos);
        for (int j = 0; j < reply_count && mated; j++) {
            struct undo reply_undo;
            position_make(pos, replies[j], &reply_undo);
            mated = mates_in(pos, moves - 1);
            position_unmake(pos, replies[j], &reply_undo);
        }
        position_unmake(pos, list[i], &undo);
        if (mated)
            return true;
    }
    return false;
}

/* Both kings and a few more pieces anywhere, the black king near a corner; false when the position
 * is not allowed. */
static bool random_position(struct rng *rng, struct position *pos)
{
    static const char *const sets[] = {"QR", "RRp", "QNp", "QPr", "BNQn", "RPPp", "QBq", "RRbp"};
    char board[64];
    for (int i = 0; i < 64; i++)
        board[i] = '1';
    board[rng_below(rng, 3) * 8 + rng_below(rng, 3)] = 'k';
    int at = (int)(rng_below(rng, 64));
    if (board[at] != '1')
        return false;
    board[at] = 'K';
    for (const char *piece = sets[rng_below(rng, sizeof sets / sizeof *sets)]; *piece; piece++) {
        at = (int)(rng_below(rng, 64));
        if (board[at] != '1')
            return false;
        board[at] = *piece;
    }
    char fen[100];
    int length = 0;
    for (int i = 0; i < 64; i++) {
        bool after_empty = i % 8 != 0 && fen[length - 1] >= '1' && fen[length - 1] <= '7';
        if (board[i] == '1' && after_empty)
            fen[length - 1]++;
        else
            fen[length++] = board[i];
        if (i % 8 == 7)
            fen[length++] = i == 63 ? ' ' : '/';
    }
    static const char rest[] = "w - - 0 1";
    for (size_t i = 0; i < sizeof rest; i++)
        fen[length++] = rest[i];
    return fen_parse(span_of(fen), pos, NULL) == STATUS_OK;
}

static void brute_force_agrees(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 12);
    int with_mate = 0;
    for (int n = 0; n < 250;) {
        if (!random_position(&rng, &request.root))
            continue;
        n++;
        request.mate = n % 10 ? 2 : 3;
        struct position pos = request.root;
        bool expected = mates_in(&pos, request.mate);
        run();
        if (found(request.mate) != expected) {
            char text[FEN_MAX];
            fen_format(&request.root, text);
            fail_msg("mate in %d: %d expected, score %d: %s", request.mate, expected, result.score,
                     text);
        }
        with_mate += expected;
    }
    assert_in_range(with_mate, 25, 225);
}

int main(void)
{
    chess_init();
#define MATE_TEST(name) cmocka_unit_test_setup_teardown(name, fresh, gone)
    const struct CMUnitTest tests[] = {
        MATE_TEST(mates_of_games_are_found),
        MATE_TEST(earlier_searches_hide_no_mate),
        MATE_TEST(brute_force_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
