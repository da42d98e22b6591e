/* What the opponent plays: by one book, by several, by shallow searches; and the exponentials that
 * weigh them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/graph/expected.h"
#include "book/grow/opponent.h"
#include "chess/attacks.h"
#include "eval/eval.h"
#include "search/score.h"
#include "tests/support/growing.h"

static void assert_near(double found, double wanted, double error)
{
    if (!(fabs(found - wanted) <= error))
        fail_msg("%.17g is not %.17g", found, wanted);
}

/* Known to more digits than a double has. */
static void exponentials(void **state)
{
    (void)state;
    assert_true(exponential(0) == 1);
    assert_near(exponential(-1), 0.36787944117144232160, 1e-16);
    assert_near(exponential(-10), 4.5399929762484851536e-5, 1e-20);
    assert_near(exponential(-100), 3.7200759760208359630e-44, 1e-59);
    assert_true(exponential(-700) == 0);
    assert_true(exponential(-INFINITY) == 0);
    for (int i = 1; i < 6999; i++) {
        double x = -i / 10.0;
        assert_near(exponential(x) / (exponential(x / 2) * exponential(x / 2)), 1, 2e-15);
        assert_true(exponential(x) < exponential(x + .1));
    }
}

/* A pawn is 64 %, four pawns ten to one; EVAL_HALF is what users see as a pawn. */
static void points_of_scores(void **state)
{
    (void)state;
    assert_true(expected_points(0) == .5);
    assert_near(expected_points(EVAL_HALF), 0.64006499980288518, 1e-15);
    assert_near(expected_points(-4 * EVAL_HALF), 1 / 11.0, 1e-15);
    assert_near(expected_points(300) + expected_points(-300), 1, 1e-15);
    assert_true(expected_points(score_mate_in(3)) == 1);
    assert_true(expected_points(score_mated_in(4)) == 0);
}

static double sum_of(const struct opponent_moves *reply)
{
    double sum = 0;
    for (int i = 0; i < reply->count; i++)
        sum += reply->moves[i].probability;
    return sum;
}

static struct opponent_moves reply_of(const struct opponent *opponent, struct scorer *scorer,
                                      const struct game *game)
{
    struct opponent_moves reply;
    assert_int_equal(opponent_play(opponent, scorer, game, &reply, NULL), STATUS_OK);
    return reply;
}

static void play(struct game *game, const char *uci)
{
    move m;
    assert_int_equal(move_from_uci(game_position(game), span_of(uci), &m), STATUS_OK);
    assert_int_equal(game_play(game, m), STATUS_OK);
}

/* The book's moves by weight; where it plays none, all legal ones. */
static void one_book(void **state)
{
    (void)state;
    struct book_bytes bytes = {.size = 0};
    struct game *game = game_create();
    const struct opponent anyone = {.sources = NULL};
    assert_non_null(game);
    put(&bytes, position_by_moves("").key, "e2e4", 65535);
    put(&bytes, position_by_moves("").key, "d2d4", 21845);
    put(&bytes, position_by_moves("").key, "a2a3", 0);
    put(&bytes, position_by_moves("").key, "e2e5", 9); /* illegal */
    put(&bytes, position_by_moves("e2e4").key, "e7e5", 0);
    struct opponent_source source = {.book = open_bytes(&bytes), .share = 1};
    const struct opponent opponent = {.sources = &source, .source_count = 1};
    struct opponent_moves reply = reply_of(&opponent, NULL, game);
    assert_int_equal(reply.count, 2);
    assert_true(reply.in_book);
    assert_int_equal(reply.moves[0].move, move_make(12, 28));
    assert_true(reply.moves[0].probability == .75);
    assert_true(reply.moves[1].probability == .25);
    reply = reply_of(&anyone, NULL, game);
    assert_int_equal(reply.count, 20);
    assert_false(reply.in_book);
    assert_near(sum_of(&reply), 1, 1e-12);
    play(game, "e2e4");
    reply = reply_of(&opponent, NULL, game); /* weight 0 alone */
    assert_int_equal(reply.count, 20);
    assert_false(reply.in_book);
    book_close((struct book *)source.book);

    /* A book of games: 1. Nf3 d5 2. d4 has no move by this order, but the position has. */
    static const char lines[] = "[Event \"x\"]\n\n1. d4 d5 2. Nf3 Nf6 *\n";
    struct book *book = NULL;
    assert_int_equal(book_open_memory(lines, sizeof lines - 1, "x.pgn", &book, NULL), STATUS_OK);
    source.book = book;
    const struct position start = position_by_moves("");
    game_reset(game, &start);
    play(game, "g1f3");
    play(game, "d7d5");
    play(game, "d2d4");
    reply = reply_of(&opponent, NULL, game);
    assert_int_equal(reply.count, 1);
    assert_true(reply.in_book);
    book_close(book);
    const struct position mate =
        position_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    game_reset(game, &mate);
    assert_int_equal(reply_of(&anyone, NULL, game).count, 0);
    game_destroy(game);
}

/* One of four plays 1. e4 75 %, 1. d4 25 %, three of four 1. d4: e4 has .25 * .75, d4 .25 * .25 +
 * .75. After 1. e4 only the first knows the position: all is his. */
static void several_books(void **state)
{
    (void)state;
    struct book_bytes bytes[2] = {{.size = 0}};
    struct opponent_source sources[2];
    struct game *game = game_create();
    put(&bytes[0], position_by_moves("").key, "e2e4", 3);
    put(&bytes[0], position_by_moves("").key, "d2d4", 1);
    put(&bytes[0], position_by_moves("e2e4").key, "c7c5", 7);
    put(&bytes[1], position_by_moves("").key, "d2d4", 9);
    struct book *books[2] = {open_bytes(&bytes[0]), open_bytes(&bytes[1])};
    sources[0] = (struct opponent_source){.book = books[0], .share = 1};
    sources[1] = (struct opponent_source){.book = books[1], .share = 3};
    const struct opponent opponent = {.sources = sources, .source_count = 2};
    struct opponent_moves reply = reply_of(&opponent, NULL, game);
    assert_int_equal(reply.count, 2);
    assert_int_equal(reply.moves[0].move, move_make(12, 28));
    assert_true(reply.moves[0].probability == .1875);
    assert_true(reply.moves[1].probability == .8125);
    assert_true(opponent_knows(&opponent, game_position(game)) == 1);
    play(game, "e2e4");
    reply = reply_of(&opponent, NULL, game);
    assert_int_equal(reply.count, 1);
    assert_true(reply.moves[0].probability == 1);
    assert_true(opponent_knows(&opponent, game_position(game)) == .25);
    play(game, "c7c5");
    assert_true(opponent_knows(&opponent, game_position(game)) == 0);
    book_close(books[0]);
    book_close(books[1]);
    game_destroy(game);
}

/* Black has Kg8, Kg7 and Kh7, of a pawn, 0 and minus a pawn. With a temperature of a pawn they are
 * played as 1 : 1/e : 1/e^2; the sum is 1.50321472440805459. */
static void soft_max(void **state)
{
    (void)state;
    struct setting setting = {.threads = 2};
    const struct position root = position_of("7k/8/8/8/8/8/8/K7 b - - 0 1");
    struct game *game = game_create();
    game_reset(game, &root);
    static const struct {
        const char *fen;
        const char *best;
        int score; /* White's view */
        double probability;
    } moves[] = {
        {"6k1/8/8/8/8/8/8/K7 w - - 0 1", "a1a2", -EVAL_HALF, 1 / 1.50321472440805459},
        {"8/6k1/8/8/8/8/8/K7 w - - 0 1", "a1b1", 0, .36787944117144232 / 1.50321472440805459},
        {"8/7k/8/8/8/8/8/K7 w - - 0 1", "a1b2", EVAL_HALF,
         .13533528323661270 / 1.50321472440805459},
    };
    for (int i = 0; i < 3; i++) {
        const struct position pos = position_of(moves[i].fen);
        script_score(&setting.script, &pos, moves[i].best, 5, moves[i].score);
    }
    setting.script.only = true;
    setting.options = (struct grow_options){
        .side = WHITE, .root_depth = 6, .min_depth = 6, .branch = 3, .root = root};
    open_setting(&setting);
    const struct opponent opponent = {.shallow_depth = 5, .temperature = 100};
    struct scorer_question missing[MOVES_MAX];
    assert_int_equal(opponent_missing(&opponent, setting.scorer, &root, missing, 2), 2);
    assert_int_equal(opponent_missing(&opponent, setting.scorer, &root, missing, MOVES_MAX), 3);
    assert_int_equal(missing[2].limit.value, 5);
    const struct opponent_moves reply = reply_of(&opponent, setting.scorer, game);
    assert_int_equal(opponent_missing(&opponent, setting.scorer, &root, missing, MOVES_MAX), 0);
    assert_int_equal(reply.count, 3);
    assert_int_equal(reply.searches, 3);
    assert_true(reply.nodes >= 3000);
    assert_false(reply.in_book);
    for (int i = 0; i < 3; i++) {
        const struct position behind = position_after(&root, reply.moves[i].move);
        for (int j = 0; j < 3; j++)
            if (position_of(moves[j].fen).key == behind.key)
                assert_near(reply.moves[i].probability, moves[j].probability, 1e-15);
    }
    close_setting(&setting);
    game_destroy(game);
}

/* Mate at once is certain: nothing is so likely beside it. A mated side plays nothing. */
static void soft_max_of_mates(void **state)
{
    (void)state;
    struct setting setting = {.threads = 1};
    const struct position root = position_of("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
    const struct position mated = position_of("4R1k1/5ppp/8/8/8/8/8/K7 b - - 0 1");
    const struct opponent opponent = {.shallow_depth = 1, .temperature = 1000};
    struct game *game = game_create();
    setting.options = (struct grow_options){
        .side = BLACK, .root_depth = 6, .min_depth = 6, .branch = 3, .root = root};
    open_setting(&setting);
    game_reset(game, &root);
    struct opponent_moves reply = reply_of(&opponent, setting.scorer, game);
    double largest = 0;
    for (int i = 0; i < reply.count; i++)
        if (reply.moves[i].probability > largest)
            largest = reply.moves[i].probability;
    assert_true(largest > .999999);
    game_reset(game, &mated);
    assert_int_equal(reply_of(&opponent, setting.scorer, game).count, 0);
    scorer_stop(setting.scorer);
    game_reset(game, &setting.options.root);
    assert_int_equal(opponent_play(&opponent, setting.scorer, game, &reply, NULL), STATUS_END);
    close_setting(&setting);
    game_destroy(game);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials), cmocka_unit_test(points_of_scores),
        cmocka_unit_test(one_book),     cmocka_unit_test(several_books),
        cmocka_unit_test(soft_max),     cmocka_unit_test(soft_max_of_mates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
