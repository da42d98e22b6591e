/* Scores of the built-in network that a player would expect, and their limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/eval.h"

static struct position parse(const char *fen)
{
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    return pos;
}

/* The score from the side to move's view. */
static int score_of(const char *fen)
{
    struct eval *eval = eval_create();
    assert_non_null(eval);
    struct position pos = parse(fen);
    eval_reset(eval);
    int score = eval_score(eval, &pos);
    eval_destroy(eval);
    return score;
}

static void start_position_is_nearly_even(void **state)
{
    (void)state;
    int score = score_of(fen_start);
    assert_true(score > -40 && score < 80);
    assert_int_equal(score_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"), score);
}

static void material_counts(void **state)
{
    (void)state;
    const char *const missing[] = {
        /* pawn, knight, bishop, rook, queen of Black: each more than the one before */
        "rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    };
    int before = score_of(fen_start);
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        int score = score_of(missing[i]);
        assert_true(score > before);
        before = score;
    }
}

static void bare_kings_are_beaten(void **state)
{
    (void)state;
    static const char *const won[] = {
        "8/8/8/2k5/8/8/3RK3/8 w - - 0 1", "8/8/8/3k4/8/8/2BNK3/8 w - - 0 1",
        "8/8/8/3k4/8/8/2BBK3/8 w - - 0 1", "8/8/8/3k4/8/8/2QK4/8 w - - 0 1",
        "NNN5/8/8/3k4/8/8/8/4K3 w - - 0 1"};
    for (size_t i = 0; i < sizeof won / sizeof *won; i++)
        assert_in_range(score_of(won[i]), 1500, EVAL_MAX - 1);
    /* More wins, too, and so does a pawn on its way. */
    assert_true(score_of("8/8/8/2k5/8/8/3QK3/8 w - - 0 1") > score_of(won[0]));
    assert_true(score_of("7k/8/P7/8/8/8/8/K7 w - - 0 1") > 300);
    static const char *const drawn[] = {
        "8/8/8/3k4/8/8/2NNK3/8 w - - 0 1", "8/8/8/3k4/8/8/1B1BK3/8 b - - 0 1",
        "8/8/8/3k4/8/8/4K3/2N5 b - - 0 1", "8/8/8/3k4/8/8/4K3/8 w - - 0 1"};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        assert_int_equal(score_of(drawn[i]), 0);
}

static void bare_kings_are_driven(void **state)
{
    (void)state;
    static const char *const better_and_worse[][2] = {
        /* to an edge, and with the help of the king */
        {"4k3/8/4K3/8/8/8/8/R7 w - - 0 1", "8/8/4K3/8/4k3/8/8/R7 w - - 0 1"},
        {"4k3/8/4K3/8/8/8/8/R7 w - - 0 1", "4k3/8/8/8/8/4K3/8/R7 w - - 0 1"},
        /* a dark bishop and a knight mate on a1 or h8 */
        {"7k/5K2/8/8/8/8/8/2BN4 w - - 0 1", "k7/2K5/8/8/8/8/8/2BN4 w - - 0 1"},
        {"k7/2K5/8/8/8/8/8/3BN3 w - - 0 1", "7k/5K2/8/8/8/8/8/3BN3 w - - 0 1"},
        /* a rook is not given for that */
        {"8/8/3k4/8/8/8/8/R1BNK3 w - - 0 1", "7k/5K2/8/8/8/8/8/2BN4 w - - 0 1"},
    };
    for (size_t i = 0; i < sizeof better_and_worse / sizeof *better_and_worse; i++)
        assert_true(score_of(better_and_worse[i][0]) > score_of(better_and_worse[i][1]));
}

static void extreme_positions_stay_below_mates(void **state)
{
    (void)state;
    const char *const extreme[] = {
        "QQQQQQQ1/QQ6/8/8/8/8/7k/RRBBNNK1 w - - 0 1",
        "qqqqqqq1/qq6/8/8/8/8/7K/rrbbnnk1 b - - 0 1",
        "6k1/8/8/QQQQQQQQ/Q7/RBN5/R1BN4/K7 w - - 0 1",
        "k7/7Q/6Q1/5Q2/4Q3/3Q4/QQQ5/RNBQKBNR w KQ - 0 1",
    };
    for (size_t i = 0; i < sizeof extreme / sizeof extreme[0]; i++) {
        struct position pos;
        if (fen_parse(span_of(extreme[i]), &pos, NULL) != STATUS_OK)
            continue; /* stricter rules of what is a position are welcome */
        assert_in_range(score_of(extreme[i]), 1000, EVAL_MAX - 1);
    }
}

static void destroying_nothing_is_allowed(void **state)
{
    (void)state;
    eval_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_position_is_nearly_even),
        cmocka_unit_test(material_counts),
        cmocka_unit_test(bare_kings_are_beaten),
        cmocka_unit_test(bare_kings_are_driven),
        cmocka_unit_test(extreme_positions_stay_below_mates),
        cmocka_unit_test(destroying_nothing_is_allowed),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
