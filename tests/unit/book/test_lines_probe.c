/* What White's lines answer: order of merit, rewrites, the universal reply, hints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/book_move.h"
#include "chess/attacks.h"
#include "tests/unit/book/lines_file.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

/* Following his seven lines as his section 5 does. */
static void whites_example(void **state)
{
    (void)state;
    struct lines *lines = read_lines(table_2);
    check_game(lines, "", "e4:10000");
    check_game(lines, "e2e4", "e5:625 c5:1875 e6:7500");
    check_game(lines, "e2e4 e7e5", "Nf3:2500 f4:7500");
    check_game(lines, "e2e4 e7e5 g1f3 b8c6", "Bb5:2500 Bc4:7500");
    check_game(lines, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", "");
    check_game(lines, "d2d4", "");
    check_position(lines, "e2e4 c7c5 g1f3", "d6:2500 Nc6:7500");
    lines_destroy(lines);
}

/* White's walk, played out: the first alternative is taken, each later one takes its place with the
 * stated chance. The weights are the chances of where it ends. */
static void weights_are_the_chances_of_the_walk(void **state)
{
    (void)state;
    enum { WALKS = 100000, MOVES = 5 };
    struct lines *lines = read_lines("lines san\nprefer later 60%\na3\nb3\nc3\nd3\ne3\n");
    struct position pos = position_by_moves("");
    struct book_move moves[MOVES_MAX];
    assert_int_equal(lines_probe(lines, &pos, NULL, moves), MOVES);
    int ended[MOVES] = {0};
    struct rng rng;
    rng_seed(&rng, 1986);
    for (int walk = 0; walk < WALKS; walk++) {
        int at = 0;
        for (int i = 1; i < MOVES; i++)
            if (rng_below(&rng, 100) < 60)
                at = i;
        ended[at]++;
    }
    uint32_t sum = 0;
    for (int i = 0; i < MOVES; i++) {
        sum += moves[i].weight;
        assert_in_range(moves[i].weight * WALKS / LINES_MERIT_SUM + 600, ended[i], ended[i] + 1200);
    }
    assert_int_equal(sum, LINES_MERIT_SUM);
    lines_destroy(lines);
}

static void order_of_merit(void **state)
{
    (void)state;
    struct lines *lines = read_lines("e4\nd4\nc4\nNf3\n");
    check_position(lines, "", "e4:6000 d4:2400 c4:960 Nf3:640");
    lines_destroy(lines);
    lines = read_lines("prefer earlier 100%\ne4\nd4\nc4\n");
    check_position(lines, "", "e4:10000 d4:0 c4:0");
    lines_destroy(lines);
    /* However many there are, the last can still come about. */
    lines = read_lines("prefer earlier 99%\na3\na4\nb3\nb4\nc3\nc4\n");
    check_position(lines, "", "a3:9900 a4:99 b3:1 b4:1 c3:1 c4:1");
    lines_destroy(lines);
    /* A move ranks where it is first written, not where most lines are. */
    lines = read_lines("e4 e5\nd4\ne4 c5\ne4 e6\n");
    check_position(lines, "", "e4:6000 d4:4000");
    lines_destroy(lines);
}

static void stated_weights(void **state)
{
    (void)state;
    struct lines *lines = read_lines("e4:30 e5:0\nd4\nc4:4294967295\n*1 c5\n");
    check_position(lines, "", "e4:30 d4:1 c4:4294967295");
    check_position(lines, "e2e4", "e5:0");
    check_position(lines, "c2c4", "c5:10000");
    lines_destroy(lines);
    /* Known but never played, the others by merit. */
    lines = read_lines("e4:0\nd4\nf3:0\nc4\n");
    check_position(lines, "", "e4:0 d4:6000 f3:0 c4:4000");
    lines_destroy(lines);
}

/* "These moves in this order count as that order." */
static void rewrites(void **state)
{
    (void)state;
    static const char text[] = "lines san\n"
                               "transpose listed\n"
                               "d4 e6 c4 Nf6 Nc3 Bb4\n"
                               "c4 e6 d4 = d4 e6 c4\n"
                               "*1 Nf6 Nc3 e6 d4 = d4 e6 c4 Nf6 Nc3 ; White's Buffer1\n";
    struct lines *lines = read_lines(text);
    check_game(lines, "c2c4", "");
    check_game(lines, "c2c4 e7e6", "");
    check_game(lines, "c2c4 e7e6 d2d4", "Nf6:10000");
    check_game(lines, "c2c4 e7e6 d2d4 g8f6", "Nc3:10000");
    check_game(lines, "c2c4 g8f6 b1c3 e7e6 d2d4", "Bb4:10000");
    check_game(lines, "c2c4 g8f6 b1c3 e7e6", "");
    /* Not listed; but without a game only the position is there to go by. */
    check_game(lines, "d2d4 g8f6 c2c4 e7e6", "");
    check_position(lines, "d2d4 g8f6 c2c4 e7e6", "Nc3:10000");
    check_text(lines, text);
    lines_destroy(lines);
}

static void rewrites_of_rewrites(void **state)
{
    (void)state;
    struct lines *lines = read_lines("transpose listed\n"
                                     "d4 d5 Nf3 Nf6 c4 e6\n"
                                     "Nf3 d5 d4 = d4 d5 Nf3\n"
                                     "Nf3 Nf6 d4 d5 = Nf3 d5 d4 Nf6\n"
                                     "c4 d5 d4 = d4 d5 c4\n"
                                     "c4 Nf6 d4 d5 Nf3 = Nf3 Nf6 d4 d5 c4\n"
                                     "Nf3 Nf6 d4 d5 c4 = d4 d5 Nf3 Nf6 c4\n");
    check_game(lines, "g1f3 d7d5 d2d4", "Nf6:10000");
    check_game(lines, "g1f3 d7d5 d2d4 g8f6", "c4:10000");
    check_game(lines, "c2c4 g8f6 d2d4 d7d5 g1f3", "e6:10000");
    /* Led to where no line is. */
    check_game(lines, "c2c4 d7d5 d2d4", "");
    /* A rewrite leads where it says, and what its own moves might become does not matter. */
    check_game(lines, "g1f3 g8f6 d2d4 d7d5", "");
    lines_destroy(lines);
}

static void positions_where_no_line_leads(void **state)
{
    (void)state;
    struct lines *lines = read_lines("d4 d5 c4 e6 Nc3\n"
                                     "c4 d5 d4 c6\n"
                                     "e4 e6 d4 d5\n");
    /* A game on a line is answered by that line... */
    check_game(lines, "d2d4 d7d5 c2c4", "e6:10000");
    check_game(lines, "c2c4 d7d5 d2d4", "c6:10000");
    /* ...any other by all lines that reach its position, by the order of the file. */
    check_position(lines, "c2c4 d7d5 d2d4", "e6:6000 c6:4000");
    check_game(lines, "d2d4 e7e6 e2e4", "d5:10000");
    check_game(lines, "d2d4 e7e6 c2c4 d7d5", "Nc3:10000");
    /* A game that began elsewhere is asked about by its position. */
    struct game *game = game_of("");
    struct position pos = position_by_moves("d2d4 d7d5");
    struct book_move moves[MOVES_MAX];
    move c4;
    game_reset(game, &pos);
    assert_int_equal(move_from_san(&pos, span_of("c4"), &c4), STATUS_OK);
    assert_int_equal(game_play(game, c4), STATUS_OK);
    assert_int_equal(lines_probe(lines, game_position(game), game, moves), 2);
    /* So is a position that is not the one of the game. */
    pos = position_by_moves("e2e4 e7e6");
    assert_int_equal(lines_probe(lines, &pos, game, moves), 1);
    game_destroy(game);
    lines_destroy(lines);
}

static void the_same_move_twice_is_one(void **state)
{
    (void)state;
    struct lines *lines = read_lines("d4 d5 c4 e6:5\n"
                                     "c4 d5 d4 c6\n"
                                     "*3 e6:9\n"
                                     "Nf3 Nf6 Ng1 Ng8 d4\n"
                                     "*4 e4\n");
    check_position(lines, "d2d4 d7d5 c2c4", "e6:5 c6:1");
    check_position(lines, "", "d4:6000 c4:2400 Nf3:960 e4:640");
    lines_destroy(lines);
}

/* "Answer e5 to any first move except d4, f4 and Nf3." */
static void the_universal_reply(void **state)
{
    (void)state;
    struct lines *lines = read_lines("lines san\n"
                                     "e4 c5\n"
                                     "d4 d5\n"
                                     "otherwise e5 except d4 f4 Nf3\n");
    check_game(lines, "", "e4:6000 d4:4000");
    check_game(lines, "e2e4", "c5:10000");
    check_game(lines, "d2d4", "d5:10000");
    check_game(lines, "b2b3", "e5:10000");
    check_position(lines, "g1h3", "e5:10000");
    check_game(lines, "f2f4", "");
    check_game(lines, "g1f3", "");
    check_game(lines, "b2b3 d7d5", "");
    check_game(lines, "b2b3 g8f6 c1b2", "");
    lines_destroy(lines);
    lines = read_lines("transpose listed\notherwise Nf6\n");
    check_game(lines, "", "");
    check_game(lines, "e2e4", "Nf6:10000");
    lines_destroy(lines);
}

static void check_hint(const struct lines *lines, const char *moves, const char *ours,
                       const char *expected)
{
    struct game *game = game_of(moves);
    struct position pos = *game_position(game);
    move m;
    char text[SAN_MAX] = "";
    assert_int_equal(move_from_san(&pos, span_of(ours), &m), STATUS_OK);
    move hint = lines_hint(lines, &pos, game, m);
    if (hint != MOVE_NONE) {
        struct undo undo;
        position_make(&pos, m, &undo);
        move_to_san(&pos, hint, text);
    }
    assert_string_equal(text, expected);
    game_destroy(game);
}

static void the_reply_after_ours_is_a_hint(void **state)
{
    (void)state;
    struct lines *lines = read_lines("e4:1 e5:7 Nf3 Nc6:0\n"
                                     "*3 Nf6\n"
                                     "*1 c5:9 Nf3\n"
                                     "d4 d5 c4 c6\n"
                                     "c4 d5 d4 = d4 d5 c4\n"
                                     "otherwise e5\n");
    check_hint(lines, "", "e4", "c5");
    check_hint(lines, "e2e4 e7e5", "Nf3", "Nf6");
    check_hint(lines, "c2c4 d7d5", "d4", "c6");
    check_hint(lines, "", "b3", "e5");
    check_hint(lines, "e2e4 c7c5", "Nf3", "");
    check_hint(lines, "e2e4 g7g6", "d4", "");
    lines_destroy(lines);
    lines = read_lines(table_1);
    check_hint(lines, "e2e4 e7e5", "Nf3", "Nf6");
    lines_destroy(lines);
}

static void lines_from_another_start(void **state)
{
    (void)state;
    struct lines *lines =
        read_lines("start 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\ne4 Kd7\n*1 Ke7\notherwise Kf7\n");
    struct position pos = position_of("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    struct book_move moves[MOVES_MAX];
    assert_int_equal(lines_probe(lines, &pos, NULL, moves), 2);
    pos = position_of("4k3/8/8/8/8/4P3/8/4K3 b - - 0 1");
    assert_int_equal(lines_probe(lines, &pos, NULL, moves), 1);
    check_game(lines, "", "");
    lines_destroy(lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whites_example),
        cmocka_unit_test(weights_are_the_chances_of_the_walk),
        cmocka_unit_test(order_of_merit),
        cmocka_unit_test(stated_weights),
        cmocka_unit_test(rewrites),
        cmocka_unit_test(rewrites_of_rewrites),
        cmocka_unit_test(positions_where_no_line_leads),
        cmocka_unit_test(the_same_move_twice_is_one),
        cmocka_unit_test(the_universal_reply),
        cmocka_unit_test(the_reply_after_ours_is_a_hint),
        cmocka_unit_test(lines_from_another_start),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
