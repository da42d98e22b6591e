/* The hand-written evaluation: scores a player would expect, their limits, and the `eval` command's
 * table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    eval_set_network(eval, NULL);
    struct position pos = parse(fen);
    int score = eval_score(eval, &pos);
    eval_destroy(eval);
    return score;
}

static void start_position_is_nearly_even(void **state)
{
    (void)state;
    int score = score_of(fen_start);
    assert_in_range(score, 1, 60); /* the move is worth something */
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

static void endings_that_cannot_be_won_are_near_zero(void **state)
{
    (void)state;
    const char *const drawn[] = {
        "8/8/8/2k5/8/8/3BK3/8 w - - 0 1",     /* a bare bishop */
        "8/8/8/3k4/8/8/2NNK3/8 w - - 0 1",    /* two knights */
        "k7/8/8/8/8/8/P2BK3/8 w - - 0 1",     /* bishop of the wrong shade */
        "8/6k1/8/7P/8/8/4K3/1B6 b - - 0 1",   /* likewise on the h-file */
        "8/8/2k5/8/8/2b5/4K3/3R4 w - - 0 1",  /* rook against bishop */
        "8/8/2k5/8/8/2n5/4K3/3R4 w - - 0 1",  /* rook against knight */
        "8/8/3k4/2r5/8/8/2R1KB2/8 w - - 0 1", /* rook and bishop against rook */
    };
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++)
        assert_in_range(score_of(drawn[i]) + 100, 0, 200);
}

static void won_endings_are_won(void **state)
{
    (void)state;
    assert_true(score_of("8/8/8/2k5/8/8/3RK3/8 w - - 0 1") > 400);
    assert_true(score_of("8/8/8/3k4/8/8/2BNK3/8 w - - 0 1") > 400);
    assert_true(score_of("8/8/8/3k4/8/8/2BBK3/8 w - - 0 1") > 400);
    assert_true(score_of("7k/8/P7/8/8/8/8/K7 w - - 0 1") > 300); /* nobody can catch the pawn */
}

static void bishop_and_knight_know_the_corner(void **state)
{
    (void)state;
    /* The bishop is dark: a1 and h8 are the corners where the king is mated. */
    int right = score_of("7k/5K2/8/8/8/8/8/2BN4 w - - 0 1");
    int wrong = score_of("k7/2K5/8/8/8/8/8/2BN4 w - - 0 1");
    assert_true(right > wrong + 50);
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
        assert_in_range(score_of(extreme[i]), 5000, EVAL_MAX - 1);
    }
}

/* Skips the name at the start of a table line and reads its six numbers. */
static bool read_numbers(const char *line, int out[6])
{
    char name[32];
    return sscanf(line, "%31s %d %d %d %d %d %d", name, &out[0], &out[1], &out[2], &out[3], &out[4],
                  &out[5]) == 7;
}

static void check_table(const char *fen)
{
    char data[8192];
    struct text_buffer out = text_buffer_on(data, sizeof data);
    struct position pos = parse(fen);
    eval_explain(NULL, &pos, &out);
    assert_false(out.cut);
    int mg = 0, eg = 0, total_mg = 0, total_eg = 0, phase = -1, scale = -1, score = -1;
    for (const char *line = data; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        int n[6];
        if (read_numbers(line, n)) {
            assert_int_equal(n[0] - n[2], n[4]);
            assert_int_equal(n[1] - n[3], n[5]);
            mg += n[4];
            eg += n[5];
        } else if (sscanf(line, "sum %d %d", &total_mg, &total_eg) != 2 &&
                   sscanf(line, "phase %d of 24, endgame scale %d", &phase, &scale) != 2) {
            (void)sscanf(line, "score %d", &score);
        }
    }
    assert_int_equal(mg, total_mg);
    assert_int_equal(eg, total_eg);
    assert_int_equal((mg * phase + eg * scale / 64 * (24 - phase)) / 24, score);
    assert_int_equal(pos.turn == WHITE ? score : -score, score_of(fen));
}

static void table_adds_up(void **state)
{
    (void)state;
    check_table(fen_start);
    check_table("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1");
    check_table("8/8/8/3k4/8/8/2BNK3/8 w - - 0 1");
    check_table("8/5pk1/8/3b4/8/1P1B4/1K6/8 b - - 0 1");
    check_table("r1bq1rk1/pp2bppp/2n1pn2/2pp4/4P3/3P1NP1/PPPN1PBP/R1BQR1K1 b - - 5 8");
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
        cmocka_unit_test(endings_that_cannot_be_won_are_near_zero),
        cmocka_unit_test(won_endings_are_won),
        cmocka_unit_test(bishop_and_knight_know_the_corner),
        cmocka_unit_test(extreme_positions_stay_below_mates),
        cmocka_unit_test(table_adds_up),
        cmocka_unit_test(destroying_nothing_is_allowed),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
