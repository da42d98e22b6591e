/* Several own moves: which are searched how deep, which are chosen, how often they are played. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "book/grow/own_choice.h"
#include "book/scoring/limit_rule.h"
#include "chess/attacks.h"
#include "search/score.h"
#include "tests/support/book_entries.h"
#include "tests/support/scripted_searcher.h"

static const struct searcher_identity nobody = {.name = "Script"};

struct asking {
    struct script script;
    struct score_store *store;
    struct scorer *scorer;
};

static void open_asking(struct asking *asking, int threads)
{
    struct diag diag;
    assert_int_equal(score_store_open(NULL, &nobody, &asking->store, &diag), STATUS_OK);
    assert_int_equal(scorer_create(&scripted_searcher, &asking->script, threads, asking->store,
                                   &asking->scorer, &diag),
                     STATUS_OK);
}

static void close_asking(struct asking *asking)
{
    scorer_destroy(asking->scorer);
    assert_int_equal(score_store_close(asking->store, NULL), STATUS_OK);
}

/* White has five moves: Kg1, Kg2, Kh2, a3, a4. */
#define FIVE "2k5/8/8/8/8/8/P7/7K w - - 0 1"

/* After `uci` a search of so many plies finds that score for Black; what it plays is no matter. */
static void score_reply(struct script *script, const char *uci, uint64_t depth, int score)
{
    const struct position pos = position_of(FIVE);
    move m;
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    const struct position next = position_after(&pos, m);
    script_score(script, &next, "c8b8", depth, score);
}

static void fill_five(struct asking *asking)
{
    const struct position pos = position_of(FIVE);
    script_score(&asking->script, &pos, "a2a4", 10, 100);
    /* Shallow: 6 plies less. The best has 80, so 80 - 30 - 50 = 0 is close enough. */
    score_reply(&asking->script, "a2a4", 4, -80);
    score_reply(&asking->script, "a2a3", 4, -60);
    score_reply(&asking->script, "h1g2", 4, 0);
    score_reply(&asking->script, "h1h2", 4, 1);
    score_reply(&asking->script, "h1g1", 4, 10);
    /* Deep, for those that are close; the search found a4 and has its score. */
    score_reply(&asking->script, "a2a3", 9, -75);
    score_reply(&asking->script, "h1g2", 9, -110);
    asking->script.only = true;
}

static void assert_chosen(const struct own_move *chosen, const char *uci, int score,
                          double probability)
{
    const struct position pos = position_of(FIVE);
    move m;
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    assert_int_equal(chosen->move, m);
    assert_int_equal(chosen->score, score);
    assert_true(fabs(chosen->probability - probability) < 1e-15);
}

/* Kg2 has 110 by its deep search, a4 100, a3 75: 35 behind. Of a margin of 30, 31 and 21 are left.
 */
static void a_margin_by_hand(void **state)
{
    (void)state;
    struct asking asking = {0};
    struct own_choice choice;
    const struct own_choice_rule rule = {.margin = 30};
    const struct position pos = position_of(FIVE);
    const struct scorer_question question =
        scorer_question_of(&pos, (struct search_limit){SEARCH_TO_DEPTH, 10});
    fill_five(&asking);
    open_asking(&asking, 1);
    assert_int_equal(own_choice_make(&rule, asking.scorer, &question, NULL, NULL, &choice, NULL),
                     STATUS_OK);
    assert_int_equal(choice.count, 2);
    assert_chosen(&choice.moves[0], "h1g2", 110, 31.0 / 52);
    assert_chosen(&choice.moves[1], "a2a4", 100, 21.0 / 52);
    assert_int_equal(choice.searches, 1 + 5 + 2);
    assert_int_equal(choice.depth, 10);
    close_asking(&asking);
}

static void the_most_moves(void **state)
{
    (void)state;
    struct asking asking = {0};
    struct own_choice choice;
    const struct position pos = position_of(FIVE);
    const struct scorer_question question =
        scorer_question_of(&pos, (struct search_limit){SEARCH_TO_DEPTH, 10});
    fill_five(&asking);
    open_asking(&asking, 1);

    /* Without a margin, and with one move, nothing but the position is searched. */
    const struct own_choice_rule none = {0};
    const struct own_choice_rule one = {.margin = 30, .most = 1};
    assert_int_equal(own_choice_make(&none, asking.scorer, &question, NULL, NULL, &choice, NULL),
                     STATUS_OK);
    assert_int_equal(choice.count, 1);
    assert_chosen(&choice.moves[0], "a2a4", 100, 1);
    assert_int_equal(own_choice_make(&one, asking.scorer, &question, NULL, NULL, &choice, NULL),
                     STATUS_OK);
    assert_int_equal(choice.count, 1);
    assert_chosen(&choice.moves[0], "a2a4", 100, 1);
    assert_int_equal(atomic_load(&asking.script.searched), 1);

    /* 41, 31 and 6 of 78; two moves at most: 41 and 31 of 72. */
    const struct own_choice_rule three = {.margin = 40, .most = 3};
    const struct own_choice_rule two = {.margin = 40, .most = 2};
    score_reply(&asking.script, "h1h2", 9, 300);
    score_reply(&asking.script, "h1g1", 9, 300);
    assert_int_equal(own_choice_make(&three, asking.scorer, &question, NULL, NULL, &choice, NULL),
                     STATUS_OK);
    assert_int_equal(choice.count, 3);
    assert_chosen(&choice.moves[2], "a2a3", 75, 6.0 / 78);
    assert_int_equal(own_choice_make(&two, asking.scorer, &question, NULL, NULL, &choice, NULL),
                     STATUS_OK);
    assert_int_equal(choice.count, 2);
    assert_chosen(&choice.moves[1], "a2a4", 100, 31.0 / 72);
    close_asking(&asking);
}

/* A mate at once needs no search, and is no centipawns better than what does not mate. */
static void a_mate_behind_a_move(void **state)
{
    (void)state;
    struct asking asking = {0};
    struct own_choice choice;
    const struct own_choice_rule rule = {.margin = 500};
    const struct position pos = position_of("7k/5K2/8/8/8/8/8/6R1 w - - 0 1");
    const struct scorer_question question =
        scorer_question_of(&pos, (struct search_limit){SEARCH_TO_DEPTH, 8});
    script_score(&asking.script, &question.pos, "g1h1", 8, score_mate_in(1));
    open_asking(&asking, 1);
    assert_int_equal(own_choice_make(&rule, asking.scorer, &question, NULL, NULL, &choice, NULL),
                     STATUS_OK);
    assert_int_equal(choice.count, 1);
    assert_int_equal(choice.moves[0].score, score_mate_in(1));
    /* The position, and all moves but the mate and Rg7, stalemate. */
    assert_int_equal(choice.searches, 1 + movegen_count(&question.pos) - 2);
    close_asking(&asking);

    struct child_position children[MOVES_MAX];
    const struct position stalemate = position_of("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1");
    int count = children_of(&stalemate, children);
    int draws = 0;
    int mates = 0;
    for (int i = 0; i < count; i++) {
        draws += children[i].ended && children[i].score == 0;
        mates += children[i].ended && children[i].score == score_mate_in(1);
    }
    assert_int_equal(draws, 2); /* Qg6, Qf5 */
    assert_int_equal(mates, 5); /* Qg7, Qg8, Qh6, Qh5, Qh4 */
}

static void scores_from_behind(void **state)
{
    (void)state;
    assert_int_equal(score_of_child(-37), 37);
    assert_int_equal(score_of_child(0), 0);
    assert_int_equal(score_of_child(score_mated_in(2)), score_mate_in(3));
    assert_int_equal(score_of_child(score_mate_in(1)), score_mated_in(2));
    const struct search_limit deep = {SEARCH_TO_DEPTH, 20};
    const struct search_limit flat = {SEARCH_TO_DEPTH, 3};
    const struct search_limit many = {SEARCH_NODES, 64000};
    const struct search_limit few = {SEARCH_NODES, 700};
    assert_int_equal(limit_behind(deep).value, 19);
    assert_int_equal(limit_shallow(deep).value, 14);
    assert_int_equal(limit_behind(flat).value, 2);
    assert_int_equal(limit_shallow(flat).value, 1);
    assert_int_equal(limit_behind(many).value, 32000);
    assert_int_equal(limit_shallow(many).value, 2000);
    assert_int_equal(limit_shallow(many).kind, SEARCH_NODES);
    assert_int_equal(limit_behind(few).value, 500);
}

struct ahead {
    struct asking *asking;
    const struct own_choice_rule *rule;
    const struct scorer_question *question;
    size_t most;
};

static void suggest(void *context)
{
    struct ahead *ahead = context;
    struct scorer_question missing[64];
    size_t count = own_choice_missing(ahead->rule, ahead->asking->scorer, ahead->question, missing,
                                      sizeof missing / sizeof *missing);
    ahead->most = count > ahead->most ? count : ahead->most;
    scorer_suggest(ahead->asking->scorer, missing, count);
}

/* All moves are asked for at a time, and the choice is the same. */
static void many_threads(void **state)
{
    (void)state;
    static const char *const games[] = {"", "e2e4", "e2e4 e7e5", "d2d4 d7d5 c2c4", "g1f3 g8f6"};
    const struct own_choice_rule rule = {.margin = 60};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct own_choice choices[2];
        memset(choices, 0, sizeof choices);
        for (int many = 0; many < 2; many++) {
            struct asking asking = {0};
            const struct position pos = position_by_moves(games[i]);
            const struct scorer_question question =
                scorer_question_of(&pos, (struct search_limit){SEARCH_NODES, 100000});
            struct ahead ahead = {&asking, &rule, &question, 0};
            open_asking(&asking, many ? 4 : 1);
            assert_int_equal(own_choice_make(&rule, asking.scorer, &question, suggest, &ahead,
                                             &choices[many], NULL),
                             STATUS_OK);
            if (!many) /* the search itself does not wait for them */
                assert_int_equal(ahead.most, 1 + movegen_count(&question.pos));
            close_asking(&asking);
        }
        assert_int_equal(choices[0].count, choices[1].count);
        assert_int_equal(choices[0].searches, choices[1].searches);
        assert_int_equal(choices[0].nodes, choices[1].nodes);
        for (int j = 0; j < choices[0].count; j++) {
            assert_int_equal(choices[0].moves[j].move, choices[1].moves[j].move);
            assert_int_equal(choices[0].moves[j].score, choices[1].moves[j].score);
        }
    }
}

static void faults(void **state)
{
    (void)state;
    struct asking asking = {0};
    struct own_choice choice = {.count = -1};
    struct diag diag = {.text = ""};
    const struct own_choice_rule rule = {.margin = 60};
    const struct position pos = position_by_moves("");
    const struct scorer_question question =
        scorer_question_of(&pos, (struct search_limit){SEARCH_TO_DEPTH, 9});
    asking.script.fail_after = 5;
    open_asking(&asking, 1);
    assert_int_equal(own_choice_make(&rule, asking.scorer, &question, NULL, NULL, &choice, &diag),
                     STATUS_IO);
    assert_string_equal(diag.text, "the engine has died");
    assert_int_equal(choice.count, -1);
    close_asking(&asking);

    /* Stopped: also when all answers are known. */
    struct asking stopped = {0};
    const struct own_choice_rule alone = {0};
    open_asking(&stopped, 1);
    assert_int_equal(own_choice_make(&alone, stopped.scorer, &question, NULL, NULL, &choice, &diag),
                     STATUS_OK);
    scorer_stop(stopped.scorer);
    assert_int_equal(own_choice_make(&alone, stopped.scorer, &question, NULL, NULL, &choice, &diag),
                     STATUS_END);
    close_asking(&stopped);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_margin_by_hand),     cmocka_unit_test(the_most_moves),
        cmocka_unit_test(a_mate_behind_a_move), cmocka_unit_test(scores_from_behind),
        cmocka_unit_test(many_threads),         cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
