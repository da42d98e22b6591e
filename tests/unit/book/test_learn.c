/* Learning from lost games: what is done about a loss, worked out by hand with a scripted search.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "search/score.h"
#include "tests/support/learning.h"

/* A search prefers 3. d4, +0.40, to 3. Bb5, +0.10. */
static void a_better_move_takes_the_place(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    find(&lesson, SPANISH, "d2d4", 40);
    find(&lesson, SPANISH " f1b5", "", -10);
    learn(&lesson);
    assert_int_equal(weight(&lesson, SPANISH, "f1b5"), 0);
    assert_int_equal(weight(&lesson, SPANISH, "d2d4"), 30);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "g1f3"), 20);
    assert_int_equal(lesson.learnt.lost, 1);
    assert_int_equal(lesson.learnt.lost_good, 1);
    assert_int_equal(lesson.learnt.event_count, 1);
    const struct learn_event *event = &lesson.learnt.events[0];
    assert_int_equal(event->kind, LEARN_BETTER);
    assert_int_equal(event->ply, 4);
    assert_int_equal(event->from_score, 10);
    assert_int_equal(event->to_score, 40);
    assert_int_equal(lesson.learnt.lines[0].exit_score, 25);
    forget(&lesson);
}

/* Of 19 centipawns the margin of 20 takes no notice: no search explains the loss, but the move that
 * it prefers is a way out. */
static void a_move_within_the_margin_is_a_way_out(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    find(&lesson, SPANISH, "d2d4", 29);
    find(&lesson, SPANISH " f1b5", "", -10);
    learn(&lesson);
    assert_int_equal(weight(&lesson, SPANISH, "f1b5"), 0);
    assert_int_equal(weight(&lesson, SPANISH, "d2d4"), 30);
    assert_int_equal(lesson.learnt.kinds[LEARN_DEVIATED], 1);
    assert_int_equal(lesson.learnt.kinds[LEARN_BETTER], 0);
    forget(&lesson);
}

/* The search of the position prefers 3. d4, +0.10, but behind 3. Bb5 it sees +0.60: 3. d4 is no way
 * out, a move before it any is. */
static void a_much_worse_move_is_no_way_out(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    find(&lesson, SPANISH, "d2d4", 10);
    find(&lesson, SPANISH " f1b5", "", -60);
    learn(&lesson);
    assert_int_equal(weight(&lesson, SPANISH, "f1b5"), 30);
    assert_int_equal(weight(&lesson, SPANISH, "d2d4"), -1);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "g1f3"), 0);
    assert_int_equal(lesson.learnt.kinds[LEARN_DEVIATED], 1);
    forget(&lesson);
}

/* The book plays nothing on the third move, so the engine thought: the moves before it are searched
 * after a loss. */
static void moves_before_a_silence_are_searched(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    lesson.bytes.size -= POLYGLOT_ENTRY_SIZE;
    give(&lesson, SPANISH, "f1b5", 0);
    lesson.games = GAME("0-1", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6");
    find(&lesson, "e2e4 e7e5", "f2f4", 40);
    find(&lesson, "e2e4 e7e5 g1f3", "", -10);
    learn(&lesson);
    assert_int_equal(lesson.learnt.kinds[LEARN_AVOIDED], 0);
    assert_int_equal(lesson.learnt.kinds[LEARN_BETTER], 1);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "f2f4"), 20);
    forget(&lesson);
}

/* 3. Bb5 is best but leads to -0.50: the fault came before, 2. f4 is better by 60. */
static void the_fault_can_lie_before(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    find(&lesson, SPANISH, "f1b5", -50);
    find(&lesson, "e2e4 e7e5", "f2f4", 10);
    find(&lesson, "e2e4 e7e5 g1f3", "", 50);
    learn(&lesson);
    assert_int_equal(weight(&lesson, SPANISH, "f1b5"), 30);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "g1f3"), 0);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "f2f4"), 20);
    assert_int_equal(weight(&lesson, "", "e2e4"), 10);
    assert_int_equal(lesson.learnt.kinds[LEARN_BETTER], 1);
    forget(&lesson);
}

/* The same, but only one move back may be looked at. */
static void back_limits_the_look(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    lesson.options.back = 1;
    find(&lesson, SPANISH, "f1b5", -50);
    find(&lesson, "e2e4 e7e5", "f2f4", 10);
    find(&lesson, "e2e4 e7e5 g1f3", "", 50);
    learn(&lesson);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "g1f3"), 20);
    assert_int_equal(weight(&lesson, SPANISH, "f1b5"), 0);
    forget(&lesson);
}

/* The search prefers the book's move. Another move of the book is as good within the margin. */
static void other_moves_of_the_book_go_on(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    give(&lesson, SPANISH, "f1c4", 7);
    find(&lesson, SPANISH, "f1b5", 30);
    find(&lesson, SPANISH " f1c4", "", -11);
    find(&lesson, "e2e4 e7e5", "g1f3", 30);
    find(&lesson, "", "e2e4", 30);
    learn(&lesson);
    assert_int_equal(weight(&lesson, SPANISH, "f1b5"), 0);
    assert_int_equal(weight(&lesson, SPANISH, "f1c4"), 7);
    assert_int_equal(lesson.learnt.kinds[LEARN_SILENCED], 1);
    forget(&lesson);
}

/* The search prefers the book's moves everywhere, by 30: no move is good enough but one move
 * before, where 2. d4 is 19 behind. */
static void the_last_good_way_out_is_taken(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    find(&lesson, SPANISH, "f1b5", 30);
    find(&lesson, "e2e4 e7e5", "g1f3", 30);
    find(&lesson, "e2e4 e7e5 d2d4", "", -11);
    find(&lesson, "", "e2e4", 30);
    learn(&lesson);
    assert_int_equal(weight(&lesson, SPANISH, "f1b5"), 30);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "g1f3"), 0);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "d2d4"), 20);
    assert_int_equal(lesson.learnt.events[0].kind, LEARN_DEVIATED);
    assert_int_equal(lesson.learnt.events[0].to_score, 11);
    forget(&lesson);
}

/* The search of the position prefers the book's move by mistake: 2. d4 is 50 better. */
static void a_missed_move_is_better(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    find(&lesson, SPANISH, "f1b5", 30);
    find(&lesson, "e2e4 e7e5", "g1f3", 30);
    find(&lesson, "e2e4 e7e5 d2d4", "", -80);
    find(&lesson, "", "e2e4", 30);
    learn(&lesson);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "d2d4"), 20);
    assert_int_equal(lesson.learnt.kinds[LEARN_BETTER], 1);
    assert_int_equal(lesson.learnt.event_count, 1);
    forget(&lesson);
}

static void without_a_way_out_the_engine_thinks(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    find(&lesson, SPANISH, "f1b5", 30);
    find(&lesson, "e2e4 e7e5", "g1f3", 30);
    find(&lesson, "", "e2e4", 30);
    learn(&lesson);
    assert_int_equal(weight(&lesson, SPANISH, "f1b5"), 0);
    assert_int_equal(weight(&lesson, "e2e4 e7e5", "g1f3"), 20);
    assert_int_equal(lesson.learnt.kinds[LEARN_LEFT_OUT], 1);
    assert_int_equal(lesson.learnt.events[0].to, MOVE_NONE);
    forget(&lesson);
}

/* 3. Bb5 lost twice; the second game is avoided already. A third one left the book by itself, for
 * the book has another move there. */
static void a_line_is_left_once(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    lesson.games =
        GAME("0-1", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6") GAME("0-1", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6")
            GAME("0-1", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6") GAME("0-1", "1. a3 e5 2. a4 a5");
    find(&lesson, SPANISH, "d2d4", 40);
    find(&lesson, SPANISH " f1b5", "", -10);
    learn(&lesson);
    assert_int_equal(lesson.learnt.lost, 4);
    assert_int_equal(lesson.learnt.kinds[LEARN_BETTER], 1);
    assert_int_equal(lesson.learnt.kinds[LEARN_AVOIDED], 3); /* 1. a3 leaves the book, too */
    assert_int_equal(weight(&lesson, SPANISH, "d2d4"), 30);
    forget(&lesson);
}

/* A mate behind a move is a move more before it. */
static void mates_count(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    find(&lesson, SPANISH, "d2d4", 0);
    find(&lesson, SPANISH " f1b5", "", score_mate_in(3));
    learn(&lesson);
    assert_int_equal(lesson.learnt.events[0].from_score, score_mated_in(4));
    assert_int_equal(lesson.learnt.events[0].kind, LEARN_BETTER);
    forget(&lesson);
}

/* A grown book says how deep it was searched: a loss is searched two plies deeper. */
static void deeper_than_the_book_was_grown(void **state)
{
    (void)state;
    struct lesson lesson = spanish();
    struct diag diag;
    struct search_answer answer;
    struct packed_position packed;
    struct store_node node = {
        .side = WHITE, .state = STORE_ENDED, .probability = 1, .ply = 0, .depth = 20};
    const struct position pos = position_by_moves(SPANISH);
    position_pack(&pos, &packed);
    node.pos = packed;
    open_store(&lesson);
    assert_int_equal(score_store_begin_graph(lesson.store, &diag), STATUS_OK);
    assert_int_equal(score_store_add_node(lesson.store, &node, &diag), STATUS_OK);
    assert_int_equal(score_store_end_graph(lesson.store, &diag), STATUS_OK);
    find(&lesson, SPANISH, "d2d4", 40);
    learn(&lesson);
    const struct search_limit deeper = {SEARCH_TO_DEPTH, 22};
    assert_true(score_store_find(lesson.store, &packed, deeper, &answer));
    forget(&lesson);
}

/* Wins add half, draws an eighth; weights are made finer first; where there is no choice they stay.
 * 1. e4 (6), d4 (2): times 16, 96 and 32. e4 won once and drew twice: 4 and 2 eighths more. */
/* 60000 and a half more does not fit 16 bits: both are scaled down. */
/* The game is known when it was learnt into an earlier book, not when the same book learns again.
 */
/* Many random answers: any number of threads and any order of the games makes the same book. */
static void threads_and_order_do_not_matter(void **state)
{
    (void)state;
#define A GAME("0-1", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6")
#define B GAME("0-1", "1. e4 c5 2. Nf3 d6 3. d4 cxd4")
#define C GAME("0-1", "1. d4 d5 2. c4 e6 3. Nc3 Nf6")
#define D GAME("1-0", "1. d4 d5 2. c4 e6 3. Nc3 Be7")
    static const char *const orders[] = {A B C D, D C B A};
    struct book_addition changes[2][32];
    size_t counts[2];
    for (int i = 0; i < 2; i++) {
        struct lesson lesson = {
            .choice = {.sides = {true, true}}, .games = orders[i], .threads = i == 0 ? 1 : 4};
        give(&lesson, "", "e2e4", 10);
        give(&lesson, "", "d2d4", 10);
        give(&lesson, "e2e4 e7e5", "g1f3", 20);
        give(&lesson, SPANISH, "f1b5", 30);
        give(&lesson, "e2e4 c7c5", "g1f3", 20);
        give(&lesson, "d2d4 d7d5", "c2c4", 20);
        give(&lesson, "d2d4 d7d5 c2c4", "e7e6", 20);
        find(&lesson, "d2d4 d7d5 c2c4", "c7c6", 30);
        find(&lesson, "e2e4 c7c5", "c2c3", 30);
        find(&lesson, "e2e4 c7c5 g1f3", "", 5);
        learn(&lesson);
        counts[i] = lesson.learnt.draft.count;
        assert_in_range(counts[i], 4, 32);
        memcpy(changes[i], lesson.learnt.draft.changes, counts[i] * sizeof changes[i][0]);
        forget(&lesson);
    }
    assert_int_equal(counts[0], counts[1]);
    for (size_t i = 0; i < counts[0]; i++) {
        assert_true(changes[0][i].pos.key == changes[1][i].pos.key);
        assert_int_equal(changes[0][i].m, changes[1][i].m);
        assert_int_equal(changes[0][i].weight, changes[1][i].weight);
    }
}

/* A bad game loses only itself; others, unfinished and Chess960 games are counted. */
/* Moves that a tournament gave are not ours. */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_better_move_takes_the_place),
        cmocka_unit_test(a_move_within_the_margin_is_a_way_out),
        cmocka_unit_test(a_much_worse_move_is_no_way_out),
        cmocka_unit_test(moves_before_a_silence_are_searched),
        cmocka_unit_test(the_fault_can_lie_before),
        cmocka_unit_test(back_limits_the_look),
        cmocka_unit_test(other_moves_of_the_book_go_on),
        cmocka_unit_test(the_last_good_way_out_is_taken),
        cmocka_unit_test(a_missed_move_is_better),
        cmocka_unit_test(without_a_way_out_the_engine_thinks),
        cmocka_unit_test(a_line_is_left_once),
        cmocka_unit_test(mates_count),
        cmocka_unit_test(deeper_than_the_book_was_grown),
        cmocka_unit_test(threads_and_order_do_not_matter),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
