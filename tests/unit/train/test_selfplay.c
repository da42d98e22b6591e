/* How games of data generation are recorded and adjudicated, with labels made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/open/open.h"
#include "chess/attacks.h"
#include "eval/train/datagen/selfplay.h"

static struct book *book;
static struct datagen_starts starts;
static struct selfplay play;

static int open_book(void **state)
{
    (void)state;
    chess_init();
    if (book_open_builtin(&book) != STATUS_OK)
        return 1;
    starts.books[0] = book;
    starts.book_count = 1;
    starts.percent[START_BOOK] = 20;
    return 0;
}

static int close_book(void **state)
{
    (void)state;
    book_close(book);
    return 0;
}

static int free_game(void **state)
{
    (void)state;
    selfplay_free(&play);
    return 0;
}

static void start(uint64_t seed, int siblings, int endings_percent)
{
    starts.percent[START_ENDING] = endings_percent;
    struct datagen_options options = {.plies = OPTIONS_PLIES_MAX, .siblings = siblings};
    assert_int_equal(selfplay_init(&play, seed, &options), STATUS_OK);
    assert_int_equal(selfplay_start(&play, &starts), STATUS_OK);
}

/* Gives the position that is asked about a score in White's view. Returns whether the game is over.
 * The best move is the first one that is generated. */
static bool advance(int white_score)
{
    move moves[MOVES_MAX];
    const struct position *pos = game_position(play.game);
    bool over;
    assert_true(movegen_legal(pos, moves) > 0);
    struct label label = {.score = pos->turn == WHITE ? white_score : -white_score,
                          .best = play.sibling != MOVE_NONE ? play.sibling : moves[0]};
    assert_int_equal(selfplay_advance(&play, &label, &over), STATUS_OK);
    return over;
}

static int result_of(int record)
{
    return play.records[record].sample[SAMPLE_RESULT_AT];
}

static void a_game_that_starts_uneven_is_left_out(void **state)
{
    (void)state;
    start(1, 0, 0);
    assert_true(advance(-401));
    assert_int_equal(play.record_count, 0);
}

static void six_large_scores_win(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        start(2, 0, 0);
        assert_false(advance(side * 400));
        for (int i = 0; i < 3; i++)
            assert_false(advance(side * 1000));
        assert_false(advance(side * 999)); /* begins to count anew */
        for (int i = 0; i < 5; i++)
            assert_false(advance(side * 1000));
        assert_true(advance(side * 1000));
        assert_int_equal(play.record_count, 11);
        for (int i = 0; i < play.record_count; i++) {
            assert_int_equal(result_of(i), side > 0 ? 2 : 0);
            assert_int_equal(play.records[i].sample[SAMPLE_FLAGS_AT] & SAMPLE_FIRST, i == 0);
        }
        assert_int_equal(sample_score(play.records[3].sample), side * 1000);
        if (side < 0)
            selfplay_free(&play);
    }
}

static void endings_are_played_on(void **state)
{
    (void)state;
    start(3, 0, 100);
    bool over = false;
    for (int i = 0; i < 20 && !over; i++)
        over = advance(2000);
    assert_true(play.record_count > 6); /* the score of the first one, too, ends nothing */
    assert_true(bb_count(position_occupied(game_start(play.game))) <= 8);
}

/* Siblings are labelled after their position, and never have a result. */
static void siblings_follow_their_position(void **state)
{
    (void)state;
    start(4, 3, 0);
    int siblings = 0;
    int positions = 0;
    bool over = false;
    while (!over) {
        bool is_sibling = play.sibling != MOVE_NONE;
        over = advance(positions < 5 ? 0 : 1500);
        siblings += is_sibling;
        positions += !is_sibling;
        assert_int_equal(result_of(play.record_count - 1) == SAMPLE_NO_RESULT, is_sibling);
    }
    assert_int_equal(positions, 11);
    assert_int_equal(play.record_count, positions + siblings);
    assert_in_range(siblings, 10, 30); /* of ten positions; the last one ends the game */
    for (int i = 0; i < play.record_count; i++)
        assert_true(result_of(i) == 2 || result_of(i) == SAMPLE_NO_RESULT);
}

/* Only positions of searches are kept, and a game that is cut off has no result. */
static void searched_positions_of_a_short_game(void **state)
{
    (void)state;
    struct datagen_options options = {.plies = 3, .searched = 2};
    struct position pos;
    position_start(&pos);
    pos.turn = BLACK;
    starts.percent[START_ENDING] = 0;
    assert_int_equal(selfplay_init(&play, 5, &options), STATUS_OK);
    assert_int_equal(selfplay_start(&play, &starts), STATUS_OK);
    for (int ply = 1; ply <= 3; ply++) {
        selfplay_record_searched(&play, &pos, 70);
        selfplay_record_searched(&play, &pos, 80);
        assert_int_equal(advance(0), ply == 3);
    }
    assert_int_equal(play.record_count, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(result_of(i), SAMPLE_NO_RESULT);
        assert_int_equal(sample_score(play.records[i].sample), i % 2 ? -80 : -70);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_game_that_starts_uneven_is_left_out, free_game),
        cmocka_unit_test_teardown(six_large_scores_win, free_game),
        cmocka_unit_test_teardown(endings_are_played_on, free_game),
        cmocka_unit_test_teardown(siblings_follow_their_position, free_game),
        cmocka_unit_test_teardown(searched_positions_of_a_short_game, free_game),
    };
    return cmocka_run_group_tests(tests, open_book, close_book);
}
