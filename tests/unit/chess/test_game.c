/* Games: their length, repetition, and their end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/notation.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static void play(struct game *game, const char *moves)
{
    struct span rest = span_of(moves);
    for (struct span word; (word = span_token(&rest)).size;) {
        move m;
        assert_int_equal(move_from_san(game_position(game), word, &m), STATUS_OK);
        assert_int_equal(game_play(game, m), STATUS_OK);
    }
}

static struct game *game_from(const char *fen, const char *moves)
{
    struct game *game = game_create();
    struct position pos;
    assert_non_null(game);
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    game_reset(game, &pos);
    play(game, moves);
    return game;
}

static void check_state(const char *fen, const char *moves, enum game_state wanted)
{
    struct game *game = game_from(fen, moves);
    assert_string_equal(game_state_name(game_state(game)), game_state_name(wanted));
    game_destroy(game);
}

static void a_new_game_stands_at_the_start(void **state)
{
    (void)state;
    struct game *game = game_create();
    assert_non_null(game);
    assert_int_equal(game_plies(game), 0);
    assert_false(game_take_back(game));
    assert_true(game_position(game)->key == UINT64_C(0x463b96181691fc9c));
    assert_true(game_keys(game)[0] == game_position(game)->key);
    assert_int_equal(game_state(game), GAME_OPEN);
    game_destroy(game);
    game_destroy(NULL);
}

static void games_end(void **state)
{
    (void)state;
    check_state(fen_start, "f3 e5 g4 Qh4", GAME_CHECKMATE);
    check_state("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", GAME_STALEMATE);
    check_state("8/8/8/8/8/4k3/4p3/4K2B w - - 0 1", "Bc6 Kf4 Kxe2", GAME_INSUFFICIENT_MATERIAL);
    check_state(fen_start, "e4 e5", GAME_OPEN);
}

static void the_fifty_move_rule_counts_plies(void **state)
{
    (void)state;
    check_state("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "Ra2", GAME_OPEN);
    check_state("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "Ra2 Kd8", GAME_FIFTY_MOVES);
    check_state("4k3/8/4K3/8/8/8/8/R7 w - - 99 80", "Ra8", GAME_CHECKMATE);
    check_state("4k3/p7/8/8/8/8/8/R3K3 w - - 99 80", "Rxa7", GAME_OPEN);
}

static void the_third_occurrence_is_a_draw(void **state)
{
    (void)state;
    struct game *game = game_from(fen_start, "Nf3 Nf6 Ng1");
    move back;
    assert_int_equal(move_from_san(game_position(game), span_of("Ng8"), &back), STATUS_OK);
    assert_true(game_would_repeat(game, back));
    play(game, "Ng8");
    assert_int_equal(game_state(game), GAME_OPEN);
    play(game, "Nf3 Nf6 Ng1 Ng8");
    assert_int_equal(game_state(game), GAME_REPETITION);
    assert_true(game_take_back(game));
    assert_int_equal(game_state(game), GAME_OPEN);
    game_destroy(game);
}

/* Positions with other castling rights, or with an en passant capture, are other positions. */
static void rights_tell_positions_apart(void **state)
{
    (void)state;
    struct game *game = game_from("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", "Rg1 Rg8 Rh1 Rh8");
    play(game, "Rg1 Rg8 Rh1 Rh8");
    assert_int_equal(game_state(game), GAME_OPEN); /* twice without rights, once with them */
    play(game, "Rg1 Rg8 Rh1 Rh8");
    assert_int_equal(game_state(game), GAME_REPETITION);
    game_destroy(game);

    game = game_from("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e4 Kd8 Kd1 Ke8 Ke1");
    play(game, "Kd8 Kd1 Ke8 Ke1");
    assert_int_equal(game_state(game), GAME_OPEN); /* at first d4xe3 was possible */
    play(game, "Kd8 Kd1 Ke8 Ke1");
    assert_int_equal(game_state(game), GAME_REPETITION);
    game_destroy(game);
}

/* The pawn d4 is pinned: it can never capture en passant, so the first position counts. */
static void an_illegal_en_passant_does_not_count(void **state)
{
    (void)state;
    struct game *game = game_from("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e4 Ke8 Kf2 Kd8 Ke1");
    assert_int_equal(game_state(game), GAME_OPEN);
    play(game, "Ke8 Kf2 Kd8 Ke1");
    assert_int_equal(game_state(game), GAME_REPETITION);
    assert_true(game_keys(game)[1] != game_start(game)->key);
    game_destroy(game);
}

static void long_games_are_kept_and_taken_back(void **state)
{
    (void)state;
    const char *cycle[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    enum { PLIES = 10000 };
    struct game *game = game_create();
    assert_non_null(game);
    for (int i = 0; i < PLIES; i++)
        play(game, cycle[i % 4]);
    assert_int_equal(game_plies(game), PLIES);
    assert_int_equal(game_state(game), GAME_FIFTY_MOVES);
    for (int i = 0; i < PLIES; i++) {
        assert_true(game_keys(game)[PLIES - i] == game_position(game)->key);
        assert_true(game_take_back(game));
    }
    assert_memory_equal(game_position(game), game_start(game), sizeof(struct position));
    assert_int_equal(game_state(game), GAME_OPEN);
    game_destroy(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_game_stands_at_the_start),
        cmocka_unit_test(games_end),
        cmocka_unit_test(the_fifty_move_rule_counts_plies),
        cmocka_unit_test(the_third_occurrence_is_a_draw),
        cmocka_unit_test(rights_tell_positions_apart),
        cmocka_unit_test(an_illegal_en_passant_does_not_count),
        cmocka_unit_test(long_games_are_kept_and_taken_back),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
