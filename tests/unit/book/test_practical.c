/* Our move by what people score and what the engine thinks; and by leaving the opponent's book. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/format.h"
#include "book/formats/statistics/wld_format.h"
#include "book/graph/expected.h"
#include "book/grow/own_choice.h"
#include "book/statistics/wld_file.h"
#include "chess/attacks.h"
#include "eval/eval.h"
#include "search/score.h"
#include "tests/support/counted.h"
#include "tests/support/growing.h"

static void assert_near(double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-14))
        fail_msg("%.17g is not %.17g", found, wanted);
}

/* The same move of two books adds up, also where one counts in parts of games; moves that are not
 * legal are left out. */
static void games_add_up(void **state)
{
    (void)state;
    struct counted whole = {.count = 0};
    struct counted parts = {.count = 0};
    struct book_facts facts;
    struct book_facts more;
    const struct position pos = position_by_moves("");
    add(&whole, "e2e4", "c7c5", 1, 0, 0);
    add(&whole, "", "e2e4", 3, 2, 1);
    add(&whole, "", "e2e5", 1, 1, 1);
    add(&parts, "", "d2d4", 0, TALLY_UNIT, 0);
    add(&parts, "", "e2e4", TALLY_UNIT, TALLY_UNIT / 2, 0);
    struct book *books[] = {counted_book(&whole, ""), counted_book(&parts, "unit 65536\n")};
    assert_int_equal(book_look_up(books[0], &pos, &facts, NULL), STATUS_OK);
    assert_int_equal(facts.count, 1);
    assert_int_equal(facts.unit, 1);
    assert_int_equal(book_look_up(books[1], &pos, &more, NULL), STATUS_OK);
    book_facts_merge(&facts, &more);
    assert_int_equal(facts.count, 2);
    assert_int_equal(facts.unit, TALLY_UNIT);
    assert_int_equal(facts.moves[0].stored, stored_move("e2e4"));
    assert_int_equal(book_move_games(&facts.moves[0]), TALLY_UNIT * 15 / 2);
    assert_int_equal(book_move_points(&facts.moves[0]), TALLY_UNIT * 21 / 2);
    assert_int_equal(facts.moves[1].draws, TALLY_UNIT);
    assert_int_equal(book_move_games(&facts.moves[1]), TALLY_UNIT);
    book_facts_merge(&more, &facts); /* the other way round: as much of the rest again */
    assert_int_equal(book_facts_find(&more, stored_move("d2d4"))->draws, 2 * TALLY_UNIT);
    for (int i = 0; i < 2; i++)
        book_close(books[i]);
}

/* 1. e4 has 30 of 40 points in people's games and is a pawn ahead for the engine, so 0.640065; with
 * 10 games of prior: (30 + 6.40065) / 50 = 0.728013. At 25 %: .75 * .640065 + .25 * .728013. A move
 * without games is worth what the engine thinks. */
static void values(void **state)
{
    (void)state;
    struct counted counted = {.count = 0};
    const struct position pos = position_by_moves("");
    add(&counted, "", "e2e4", 25, 10, 5);
    struct book *book = counted_book(&counted, "");
    struct practical practical = {
        .opponent = &counted.opponent, .share = .25, .prior = 10, .least = 40};
    const double engine = 0.64006499980288518;
    move moves[MOVES_MAX];
    assert_near(practical_value(&practical, &pos, move_make(12, 28), EVAL_HALF),
                .75 * engine + .25 * (30 + 10 * engine) / 50);
    assert_near(practical_value(&practical, &pos, move_make(11, 27), EVAL_HALF), engine);
    assert_int_equal(practical_candidates(&practical, &pos, moves), 1);
    practical.least = 41;
    assert_int_equal(practical_candidates(&practical, &pos, moves), 0);
    practical.share = 0;
    assert_near(practical_value(&practical, &pos, move_make(12, 28), EVAL_HALF), engine);
    practical.share = 1;
    practical.prior = 0;
    assert_near(practical_value(&practical, &pos, move_make(12, 28), EVAL_HALF), .75);
    book_close(book);
}

/* The engine finds 1. d4, 30 units; 1. e4 has 10 by the search behind it, 1. c4 -200, 1. a3 was too
 * rare to be looked at. People score 75 % with 1. e4, 90 % with 1. c4 and 50 % with 1. d4, 100
 * games each, and 100 games are the prior. With E = 1 / (1 + 10^(-units * 100/141 / 400)):
 *
 *          E        S = (P + 100 E) / 200   at 50 %   at 100 %
 *   1. d4  0.53058  0.51529                 0.52294   0.51529
 *   1. e4  0.51021  0.63010                 0.57015   0.63010
 *   1. c4  0.30650  0.60325                 0.45488   0.60325
 *
 * At 0 % the engine's move is played. */
static void practical_moves(void **state)
{
    (void)state;
    static const double shares[] = {0, .5, 1};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        struct setting setting = {.threads = 4};
        struct counted counted = {.count = 0};
        const struct position pos = position_by_moves("");
        const struct position e4 = position_by_moves("e2e4");
        const struct position c4 = position_by_moves("c2c4");
        const struct position d4 = position_by_moves("d2d4");
        add(&counted, "", "d2d4", 50, 0, 50);
        add(&counted, "", "e2e4", 60, 30, 10);
        add(&counted, "", "c2c4", 90, 0, 10);
        add(&counted, "", "a2a3", 9, 0, 0);
        struct book *book = counted_book(&counted, "");
        const struct practical practical = {
            .opponent = &counted.opponent, .share = shares[i], .prior = 100, .least = 10};
        const struct own_preference preference = preference_practical(&practical);
        script_score(&setting.script, &pos, "d2d4", 10, 30);
        script_score(&setting.script, &e4, "e7e5", 9, -10);
        script_score(&setting.script, &c4, "e7e5", 9, 200);
        setting.script.only = true;
        setting.options = (struct grow_options){.side = WHITE,
                                                .root_depth = 10,
                                                .min_depth = 10,
                                                .branch = 3,
                                                .own.preference = &preference,
                                                .max_positions = 2,
                                                .root = pos};
        open_setting(&setting);
        assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
        move played = grow_own_move(setting.grow, DAG_ROOT);
        const struct position behind = position_after(&pos, played);
        assert_true(behind.key == (i == 0 ? d4.key : e4.key));
        assert_int_equal(grow_dag(setting.grow)->nodes[DAG_ROOT].count, 1);
        assert_int_equal(grow_dag(setting.grow)->nodes[DAG_ROOT].score, i == 0 ? 30 : 10);
        assert_int_equal(grow_counts(setting.grow)->preferred, i > 0);
        assert_int_equal(atomic_load(&setting.script.searched), 3);
        close_setting(&setting);
        book_close(book);
    }
}

/* Black has Kg8, Kg7 and Kh7, of 10, 0 and -5 units; a margin of 20 lets all be chosen. The
 * opponent is three books: all know what follows Kg8, one knows Kg7, none Kh7, so Kh7 is played;
 * within 12 units it is not looked at, and Kg7 is. Where moves are known alike the score decides.
 */
static void leaving_the_book(void **state)
{
    (void)state;
    static const struct {
        int margin;
        const char *known[3]; /* 'g' Kg8, 'G' Kg7, 'h' Kh7 */
        const char *played;
    } rows[] = {
        {20, {"gG", "g", "g"}, "h8h7"},      {12, {"gG", "g", "g"}, "h8g7"},
        {20, {"gGh", "gGh", "gGh"}, "h8g8"}, {20, {"g", "Gh", "Gh"}, "h8g8"},
        {20, {"", "g", ""}, "h8g7"},
    };
    static const char letters[] = "gGh";
    static const char *const fens[] = {"6k1/8/8/8/8/8/8/K7 w - - 0 1",
                                       "8/6k1/8/8/8/8/8/K7 w - - 0 1",
                                       "8/7k/8/8/8/8/8/K7 w - - 0 1"};
    const struct position root = position_of("7k/8/8/8/8/8/8/K7 b - - 0 1");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct setting setting = {.threads = 2};
        struct book_bytes bytes[3] = {{.size = 0}};
        struct opponent_source sources[3];
        for (int j = 0; j < 3; j++) {
            put(&bytes[j], 1, "a1a2", 1); /* a book is never empty */
            for (const char *at = rows[i].known[j]; *at; at++) {
                const struct position pos = position_of(fens[strchr(letters, *at) - letters]);
                put(&bytes[j], pos.key, "a1b1", 1);
            }
            sources[j] = (struct opponent_source){.book = open_bytes(&bytes[j]), .share = 1};
        }
        const struct opponent opponent = {.sources = sources, .source_count = 3};
        const struct own_preference preference = preference_leave(&opponent);
        static const int scores[] = {-10, 0, 5};
        script_score(&setting.script, &root, "h8g8", 10, 10);
        for (int j = 0; j < 3; j++) {
            const struct position pos = position_of(fens[j]);
            script_score(&setting.script, &pos, "a1a2", 0, scores[j]);
        }
        setting.options =
            (struct grow_options){.own = {.margin = rows[i].margin, .preference = &preference},
                                  .side = BLACK,
                                  .root_depth = 10,
                                  .min_depth = 10,
                                  .branch = 3,
                                  .max_positions = 2,
                                  .root = root};
        open_setting(&setting);
        assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
        char uci[UCI_MAX];
        move_to_uci(grow_own_move(setting.grow, DAG_ROOT), false, uci);
        assert_string_equal(uci, rows[i].played);
        assert_int_equal(grow_dag(setting.grow)->nodes[DAG_ROOT].count, 1);
        close_setting(&setting);
        for (int j = 0; j < 3; j++)
            book_close((struct book *)sources[j].book);
    }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_add_up),
        cmocka_unit_test(values),
        cmocka_unit_test(practical_moves),
        cmocka_unit_test(leaving_the_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
