/* Learning from games: which games count, what scored, what the store remembers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "search/score.h"
#include "tests/support/learning.h"

static void what_scored_is_played_more(void **state)
{
    (void)state;
    struct lesson lesson = {.choice = {.sides = {true, false}},
                            .games = GAME("1-0", "1. e4 e5 2. Nf3 Nc6") GAME("1/2-1/2", "1. e4 c5")
                                GAME("1/2-1/2", "1. e4 e6") GAME("1-0", "1. e4 e5 2. Nf3 Nc6")};
    give(&lesson, "", "e2e4", 6);
    give(&lesson, "", "d2d4", 2);
    give(&lesson, "e2e4 e7e5", "g1f3", 5);
    learn(&lesson);
    assert_int_equal(lesson.read.twice, 1);
    assert_int_equal(lesson.learnt.won, 1);
    assert_int_equal(lesson.learnt.drawn, 2);
    assert_int_equal(weight(&lesson, "", "e2e4"), 96 + 72);
    assert_int_equal(weight(&lesson, "", "d2d4"), 32);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "g1f3"), 5);
    assert_int_equal(lesson.learnt.raised, 1);
    forget(&lesson);
}

static void weights_stay_within_polyglots(void **state)
{
    (void)state;
    struct lesson lesson = {.choice = {.sides = {true, false}}, .games = GAME("1-0", "1. e4 e5")};
    give(&lesson, "", "e2e4", 60000);
    give(&lesson, "", "d2d4", 30000);
    learn(&lesson);
    assert_int_equal(weight(&lesson, "", "e2e4"), 65535);
    assert_int_equal(weight(&lesson, "", "d2d4"), 30000 * 65535 / 90000);
    forget(&lesson);
}

static void a_game_is_learnt_once(void **state)
{
    (void)state;
    struct diag diag;
    struct lesson first = spanish();
    struct played_games games;
    struct chosen_move chosen;
    struct packed_position packed;
    first.options.token = 1;
    find(&first, SPANISH, "d2d4", 40);
    find(&first, SPANISH " f1b5", "", -10);
    learn(&first);
    assert_int_equal(learn_remember(&first.options, &first.learnt, first.store, &diag), STATUS_OK);
    const struct position pos = position_by_moves(SPANISH);
    position_pack(&pos, &packed);
    assert_true(score_store_played(first.store, &packed, first.learnt.events[0].from, &games));
    assert_int_equal(games.losses, 1);
    assert_int_equal(games.wins + games.draws, 0);
    assert_true(score_store_chosen(first.store, &packed, &chosen));
    assert_int_equal(chosen.move, first.learnt.events[0].to);
    assert_int_equal(chosen.reason, CHOSEN_BY_LOSSES);
    assert_int_equal(chosen.games, 1);
    for (uint64_t token = 1; token <= 2; token++) {
        struct lesson again = spanish();
        again.options.token = token;
        again.rows = first.rows;
        again.store = first.store;
        learn(&again);
        assert_int_equal(again.learnt.known, token == 2);
        assert_int_equal(again.learnt.lost, token == 1);
        assert_int_equal(weight(&again, SPANISH, "d2d4"), token == 1 ? 30 : -1);
        assert_int_equal(weight(&again, SPANISH, "f1b5"), token == 1 ? 0 : 30);
        assert_int_equal(learn_remember(&again.options, &again.learnt, again.store, &diag),
                         STATUS_OK);
        again.store = NULL;
        forget(&again);
        assert_true(score_store_played(first.store, &packed, first.learnt.events[0].from, &games));
        assert_int_equal(games.losses, 1);
    }
    forget(&first);
}

static void games_are_counted(void **state)
{
    (void)state;
    struct lesson lesson = {.choice = {.player = "us", .sides = {true, false}},
                            .games = GAME("0-1", "1. e4 e5 2. Ke3 Nc6") GAME("0-1", "1. e4 e5")
                                GAME("*", "1. e4 c5") "[Event \"y\"]\n[White \"Them\"]\n[Black "
                                                      "\"Us\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n"};
    read_games(&lesson);
    assert_int_equal(lesson.read.read, 4);
    assert_int_equal(lesson.read.bad, 1);
    assert_int_equal(lesson.read.bad_shown[0].number, 1);
    assert_string_equal(lesson.read.bad_shown[0].file, "games.pgn");
    assert_int_equal(lesson.read.unfinished, 1);
    assert_int_equal(lesson.read.other, 1);
    assert_int_equal(lesson.read.count, 1);
    assert_int_equal(lesson.read.list[0].number, 2);
    learn_games_free(&lesson.read);
}

/* A clock, a broken line or an illegal move says nothing about the opening. */
static void forfeits_are_no_evidence(void **state)
{
    (void)state;
    static const char *const left_out[] = {"time forfeit", "Time forfeit", "abandoned",
                                           "illegal move", "stalled connection"};
    static const char *const counted[] = {"normal", "Normal", "adjudication"};
    for (size_t i = 0; i < 8; i++) {
        char games[200];
        (void)snprintf(games, sizeof games,
                       "[Event \"y\"]\n[Result \"1-0\"]\n[Termination \"%s\"]\n\n1. e4 1-0\n",
                       i < 5 ? left_out[i] : counted[i - 5]);
        struct lesson lesson = {.choice = {.sides = {true, true}}, .games = games};
        read_games(&lesson);
        assert_int_equal(lesson.read.forfeited, i < 5);
        assert_int_equal(lesson.read.count, i >= 5);
        learn_games_free(&lesson.read);
    }
}

static void openings_are_not_ours(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct lesson lesson = spanish();
        lesson.games =
            GAME("0-1", "1. e4 {book} e5 {book} 2. Nf3 {book} Nc6 3. Bb5 {+0.1/1} a6 4. Ba4");
        lesson.choice.openings = i == 0;
        learn(&lesson);
        assert_int_equal(lesson.learnt.lines[0].count, i == 0 ? 1 : 3);
        forget(&lesson);
    }
}

static void scores_of_comments(void **state)
{
    (void)state;
    static const struct {
        const char *comment;
        int turn;
        int score;
    } rows[] = {
        {"+0.30/12 0.5s", WHITE, 30},
        {"-1.05/9 0.010s, n=11", BLACK, -105},
        {"0.00/1", WHITE, 0},
        {" +12.5/3", WHITE, 1250},
        {"-M3/20 0.1s", BLACK, 6 - SCORE_MATE},
        {"+M12/20 0.1s", WHITE, SCORE_MATE - 24},
        {"+M0/1 0s", WHITE, SCORE_MATE - 1},
        {"[%eval #-0]", WHITE, 1 - SCORE_MATE},
        {"[%eval 0.17]", BLACK, -17},
        {"[%eval -1.2,20]", WHITE, -120},
        {"[%eval #-3]", BLACK, SCORE_MATE - 6},
        {"book", WHITE, LEARN_NO_SCORE},
        {"", WHITE, LEARN_NO_SCORE},
        {"+/- 3", WHITE, LEARN_NO_SCORE},
        {"12 moves", WHITE, LEARN_NO_SCORE},
        {"+99999.00/3", WHITE, LEARN_NO_SCORE},
        {"M/3", WHITE, LEARN_NO_SCORE},
        {"+M999/3", WHITE, LEARN_NO_SCORE},
        {"[%eval", WHITE, LEARN_NO_SCORE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(learn_comment_score(rows[i].comment, rows[i].turn), rows[i].score);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_scored_is_played_more),
        cmocka_unit_test(weights_stay_within_polyglots),
        cmocka_unit_test(a_game_is_learnt_once),
        cmocka_unit_test(games_are_counted),
        cmocka_unit_test(forfeits_are_no_evidence),
        cmocka_unit_test(openings_are_not_ours),
        cmocka_unit_test(scores_of_comments),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
