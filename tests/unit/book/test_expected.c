/* What a repertoire is expected to score: ten positions worked out by hand, with a transposition
 * and a cycle; searches beside few games; the interval. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/graph/expected.h"
#include "chess/attacks.h"
#include "eval/eval.h"
#include "tests/support/any_book.h"
#include "tests/support/counted.h"

static void assert_near(double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-9))
        fail_msg("%.17g is not %.17g", found, wanted);
}

struct setting {
    struct book_bytes bytes; /* of White's repertoire */
    struct counted counted;  /* what is played */
    struct book *mine;
    struct book *database;
    struct expected_rules rules;
    struct expected_graph graph;
};

static void give(struct setting *setting, const char *moves, const char *uci, uint16_t weight)
{
    put(&setting->bytes, position_by_moves(moves).key, uci, weight);
}

static void take(struct setting *setting)
{
    struct diag diag;
    setting->mine = open_bytes(&setting->bytes);
    setting->database = counted_book(&setting->counted, "");
    setting->rules.own = WHITE;
    setting->rules.database = setting->database;
    assert_int_equal(expected_graph_create(setting->mine, &setting->rules, &setting->graph, &diag),
                     STATUS_OK);
}

static void drop(struct setting *setting)
{
    expected_graph_destroy(&setting->graph);
    book_close(setting->mine);
    book_close(setting->database);
}

static struct expected node_of(const struct setting *setting, const char *moves)
{
    uint32_t at = book_graph_find(&setting->graph.graph, position_by_moves(moves).key);
    assert_true(at != BOOK_GRAPH_NONE);
    return setting->graph.nodes[at];
}

static uint32_t edge_of(const struct setting *setting, const char *moves, const char *uci)
{
    const struct book_graph *graph = &setting->graph.graph;
    uint32_t at = book_graph_find(graph, position_by_moves(moves).key);
    assert_true(at != BOOK_GRAPH_NONE);
    uint32_t e = graph->nodes[at].first;
    while (polyglot_from_move(graph->edges[e].move) != stored_move(uci))
        assert_true(++e < graph->nodes[at].first + graph->nodes[at].count);
    return e;
}

/* White plays 1. Nf3 three times of four, else 1. d4. By the games:
 *     1. Nf3   d5 60, Nf6 40
 *     1. Nf3 d5 2. d4 and, by transposition, 1. d4 d5 2. Nf3:   Nf6 20, e6 30
 *     1. d4    d5 30, f5 10
 *     1. Nf3 Nf6 2. Ng1   Ng8 25 (the start again), d5 15
 * Lines end: 2... e6 there, of which White scored 18 of 30; 1. d4 f5 2. Bg5, 6 of 8; 3. c4 after
 * 2... Nf6, which nobody has played: what the 20 games scored, half, as one game; 2... d5 after
 * 2. Ng1, 6 of 15. */
static void give_example(struct setting *setting)
{
    give(setting, "", "g1f3", 3);
    give(setting, "", "d2d4", 1);
    give(setting, "g1f3 d7d5", "d2d4", 1);
    give(setting, "d2d4 d7d5", "g1f3", 1);
    give(setting, "g1f3 d7d5 d2d4 g8f6", "c2c4", 7);
    give(setting, "d2d4 f7f5", "c1g5", 1);
    give(setting, "g1f3 g8f6", "f3g1", 1);
    struct counted *counted = &setting->counted;
    add(counted, "", "g1f3", 50, 10, 40); /* what games scored by the first moves: not asked */
    add(counted, "g1f3", "d7d5", 60, 0, 0);
    add(counted, "g1f3", "g8f6", 40, 0, 0);
    add(counted, "g1f3 d7d5 d2d4", "g8f6", 8, 4, 8);
    add(counted, "g1f3 d7d5 d2d4", "e7e6", 10, 4, 16); /* Black's wins first */
    add(counted, "d2d4", "d7d5", 0, 30, 0);
    add(counted, "d2d4", "f7f5", 0, 10, 0);
    add(counted, "d2d4 f7f5", "c1g5", 5, 2, 1);
    add(counted, "g1f3 g8f6 f3g1", "f6g8", 25, 0, 0);
    add(counted, "g1f3 g8f6 f3g1", "d7d5", 8, 2, 5);
}

/* With V for values, u for 1 / games:
 *     J 3. c4               V .5            u 1
 *     D 1. Nf3 d5 2. d4     .4 J + .6 .6    = .56        .16 + .36/30 = .172
 *     C 1. Nf3 d5, E 1. d4 d5               = D          = D
 *     H 1. d4 f5            .75             u 1/8
 *     B 1. d4               .75 E + .25 H   = .6075      .5625 .172 + .0625/8 = .1045625
 *     G 1. Nf3 Nf6 2. Ng1   .625 S + .375 .4             .390625 uS + .140625/15
 *     F 1. Nf3 Nf6          = G             = G
 *     A 1. Nf3              .6 C + .4 F     = .396 + .25 S      .36 .172 + .16 uG
 *     S the start           .75 A + .25 B   = .448875 + .1875 S
 * so S = .448875 / .8125, and uS = (.5625 (.06192 + .0015) + .0625 .1045625) / (1 - .03515625).
 * No position is worth more games than came there. */
static void ten_positions_by_hand(void **state)
{
    struct setting setting = {.bytes = {.size = 0}};
    (void)state;
    give_example(&setting);
    take(&setting);
    const double start = .448875 / .8125;
    const double spread = (.5625 * .06342 + .0625 * .1045625) / .96484375;
    const double cycle = .390625 * spread + .140625 / 15;
    assert_near(node_of(&setting, "").score, start);
    assert_near(node_of(&setting, "").games, 1 / spread);
    assert_near(node_of(&setting, "g1f3").score, .396 + .25 * start);
    assert_near(node_of(&setting, "g1f3").games, 1 / (.06192 + .16 * cycle));
    assert_near(node_of(&setting, "d2d4").score, .6075);
    assert_near(node_of(&setting, "d2d4").games, 1 / .1045625);
    assert_near(node_of(&setting, "g1f3 d7d5").score, .56);
    assert_near(node_of(&setting, "d2d4 d7d5").score, .56);
    assert_near(node_of(&setting, "d2d4 d7d5 g1f3").games, 1 / .172);
    assert_near(node_of(&setting, "g1f3 d7d5 d2d4 g8f6").score, .5);
    assert_near(node_of(&setting, "g1f3 d7d5 d2d4 g8f6").games, 1);
    assert_near(node_of(&setting, "d2d4 f7f5").score, .75);
    assert_near(node_of(&setting, "g1f3 g8f6").score, .15 + .625 * start);
    assert_near(node_of(&setting, "g1f3 g8f6 f3g1").games, 1 / cycle);
    /* Of moves, and what games scored with them. */
    uint32_t e = edge_of(&setting, "", "g1f3");
    assert_near(setting.graph.moves[e].score, .396 + .25 * start);
    assert_near(setting.graph.games[e].score, .55);
    assert_near(setting.graph.games[e].games, 100);
    e = edge_of(&setting, "g1f3 d7d5 d2d4", "e7e6");
    assert_near(setting.graph.moves[e].score, .6);
    e = edge_of(&setting, "g1f3 g8f6 f3g1", "f6g8");
    assert_near(setting.graph.moves[e].score, start);
    drop(&setting);
}

/* As games: .6075 of 9.5636 for 1. d4. */
static void own_moves_as_games(void **state)
{
    struct setting setting = {.bytes = {.size = 0}};
    struct book_facts facts;
    struct diag diag;
    (void)state;
    give_example(&setting);
    take(&setting);
    book_facts_clear(&facts);
    (void)book_facts_add(&facts, stored_move("d2d4"), MOVE_NONE);
    (void)book_facts_add(&facts, stored_move("a2a3"), MOVE_NONE);
    assert_int_equal(
        expected_graph_facts(&setting.graph, position_by_moves("").key, NULL, &facts, &diag),
        STATUS_OK);
    assert_int_equal(facts.unit, 65536);
    assert_int_equal(book_move_games(&facts.moves[0]), (uint64_t)(65536 / .1045625 + .5));
    assert_int_equal(facts.moves[0].wins, (uint64_t)(.6075 * 65536 / .1045625 + .5));
    assert_int_equal(book_move_games(&facts.moves[1]), 0);
    /* Of the others' moves nothing is said. */
    book_facts_clear(&facts);
    (void)book_facts_add(&facts, stored_move("d7d5"), MOVE_NONE);
    assert_int_equal(
        expected_graph_facts(&setting.graph, position_by_moves("d2d4").key, NULL, &facts, &diag),
        STATUS_OK);
    assert_int_equal(book_move_games(&facts.moves[0]), 0);
    drop(&setting);
}

/* Where all that is played is the repertoire's, it scores what the games scored, and is worth as
 * many: also by two orders of moves to one position. */
static void all_that_is_played(void **state)
{
    struct setting setting = {.bytes = {.size = 0}};
    struct counted *counted = &setting.counted;
    (void)state;
    give(&setting, "", "e2e4", 1);
    give(&setting, "e2e4 e7e5", "g1f3", 1);
    give(&setting, "e2e4 b8c6", "g1f3", 1);
    add(counted, "", "e2e4", 12, 4, 4);
    add(counted, "e2e4", "e7e5", 1, 2, 7);
    add(counted, "e2e4", "b8c6", 3, 2, 5);
    add(counted, "e2e4 e7e5", "g1f3", 7, 2, 1);
    add(counted, "e2e4 b8c6", "g1f3", 5, 2, 3);
    add(counted, "e2e4 e7e5 g1f3", "b8c6", 1, 2, 7);
    add(counted, "e2e4 b8c6 g1f3", "e7e5", 3, 2, 5);
    give(&setting, "e2e4 e7e5 g1f3 b8c6", "f1b5", 1);
    add(counted, "e2e4 e7e5 g1f3 b8c6", "f1b5", 12, 4, 4);
    take(&setting);
    assert_near(node_of(&setting, "").score, .7);
    assert_near(node_of(&setting, "").games, 20);
    drop(&setting);
}

/* A move that nobody has played, where others have; and where nobody has come to. */
static void moves_that_nobody_knows(void **state)
{
    struct setting setting = {.bytes = {.size = 0}};
    struct counted *counted = &setting.counted;
    (void)state;
    give(&setting, "", "e2e4", 1);
    give(&setting, "e2e4 e7e5", "a2a3", 1);
    add(counted, "e2e4", "e7e5", 0, 0, 10); /* all ended otherwise; not asked */
    add(counted, "e2e4 e7e5", "g1f3", 5, 4, 1);
    add(counted, "e2e4 e7e5", "f1c4", 0, 0, 10);
    take(&setting);
    assert_near(node_of(&setting, "").score, 7 / 20.);
    assert_near(node_of(&setting, "").games, 1);
    drop(&setting);
    struct setting other = {.bytes = {.size = 0}};
    give(&other, "", "a2a3", 1);
    add(&other.counted, "d2d4", "d7d5", 1, 0, 0);
    take(&other);
    assert_near(node_of(&other, "").score, .5);
    assert_near(node_of(&other, "").games, 1);
    drop(&other);
}

/* A struct book_format.facts: a pawn for whoever moves. */
static enum caxton_status a_pawn(const void *known, uint64_t key, const struct position *pos,
                                 struct book_facts *out, struct diag *diag)
{
    (void)known;
    (void)key;
    (void)pos;
    (void)diag;
    for (int i = 0; i < out->count; i++) {
        out->moves[i].searched = true;
        out->moves[i].score = EVAL_HALF;
    }
    return STATUS_OK;
}

/* Where lines end: .640065 for White's moves, .359935 for Black's. */
static void searches_beside_few_games(void **state)
{
    const double pawn = 1 / (1 + pow(10, -.25));
    struct setting setting = {.rules = {.facts = a_pawn, .prior = 10}};
    (void)state;
    give_example(&setting);
    take(&setting);
    assert_near(node_of(&setting, "d2d4 f7f5").score, (6 + 10 * pawn) / 18);
    assert_near(node_of(&setting, "d2d4 f7f5").games, 18);
    assert_near(node_of(&setting, "g1f3 d7d5 d2d4 g8f6").score, pawn);
    assert_near(setting.graph.moves[edge_of(&setting, "g1f3 d7d5 d2d4", "e7e6")].score,
                (18 + 10 * (1 - pawn)) / 40);
    drop(&setting);
}

/* From ply 2 on: what searches say of Black's first moves is all. */
static void evaluations_from_a_ply_on(void **state)
{
    const double pawn = 1 / (1 + pow(10, -.25));
    struct setting setting = {.rules = {.facts = a_pawn, .prior = 10, .eval_ply = 2}};
    (void)state;
    give_example(&setting);
    take(&setting);
    assert_near(node_of(&setting, "").score, 1 - pawn);
    assert_near(node_of(&setting, "g1f3").score, 1 - pawn);
    assert_near(node_of(&setting, "g1f3").games, 10 / (.36 + .16));
    drop(&setting);
}

/* Nobody leaves it. */
static void an_endless_cycle_is_a_draw(void **state)
{
    struct setting setting = {.bytes = {.size = 0}};
    (void)state;
    give(&setting, "", "g1f3", 1);
    give(&setting, "g1f3 g8f6", "f3g1", 1);
    add(&setting.counted, "g1f3", "g8f6", 0, 0, 5);
    add(&setting.counted, "g1f3 g8f6 f3g1", "f6g8", 0, 0, 5);
    take(&setting);
    assert_near(node_of(&setting, "").score, .5);
    drop(&setting);
}

/* s = .6 of 30: (.6 + .064024 - 1.96 sqrt(.008 + .0010671)) / 1.128049 = .4232. */
static void the_interval_is_wilsons(void **state)
{
    double low;
    double high;
    (void)state;
    wilson_interval(18, 30, &low, &high);
    assert_true(fabs(low - .4232) < 1e-4);
    assert_true(fabs(high - .7541) < 1e-4);
    assert_near(expected_at_least((struct expected){.6, 30}), low);
    wilson_interval(0, 0, &low, &high);
    assert_true(low == 0 && high == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_positions_by_hand),      cmocka_unit_test(own_moves_as_games),
        cmocka_unit_test(all_that_is_played),         cmocka_unit_test(searches_beside_few_games),
        cmocka_unit_test(moves_that_nobody_knows),    cmocka_unit_test(evaluations_from_a_ply_on),
        cmocka_unit_test(an_endless_cycle_is_a_draw), cmocka_unit_test(the_interval_is_wilsons),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
