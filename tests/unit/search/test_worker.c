/* One worker's board: draws, lines, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/notation.h"
#include "search/moves.h"
#include "tests/support/search_worker.h"

static struct search_worker *made;
static struct worker *worker;

static int fresh(void **state)
{
    (void)state;
    made = search_worker_create();
    worker = made ? made->worker : NULL;
    return made ? 0 : -1;
}

static int gone(void **state)
{
    (void)state;
    search_worker_destroy(made);
    return 0;
}

static move move_of(const char *uci)
{
    move m = MOVE_NONE;
    assert_int_equal(move_from_uci(&worker->pos, span_of(uci), &m), STATUS_OK);
    return m;
}

static void play(const char *uci)
{
    worker_make(worker, move_of(uci));
}

/* A position that stood before inside the search is a draw at once. */
static void a_repetition_inside_the_search_is_a_draw(void **state)
{
    (void)state;
    static const char *const shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    for (int i = 0; i < 4; i++) {
        assert_false(worker_is_draw(worker));
        play(shuffle[i]);
    }
    assert_true(worker_is_draw(worker)); /* the root's position */
}

/* Of positions before the root, two are needed. */
static void a_repetition_of_the_game_needs_two(void **state)
{
    (void)state;
    struct search_request *request = &made->shared.request;
    request->root.rule50 = 20;
    struct position next = request->root;
    struct undo undo;
    position_make(&next, move_of("g1f3"), &undo);
    for (int times = 1; times <= 2; times++) {
        request->key_count = 16;
        for (int i = 0; i < 16; i++)
            request->keys[i] = (uint64_t)i;
        request->keys[13] = next.key;
        if (times == 2)
            request->keys[9] = next.key;
        worker_prepare(worker);
        play("g1f3");
        assert_int_equal(worker_is_draw(worker), times == 2);
    }
    /* Nothing before a capture or pawn move counts. */
    request->root.rule50 = 6;
    worker_prepare(worker);
    play("g1f3");
    assert_false(worker_is_draw(worker));
}

static void no_repetition_reaches_over_a_null_move(void **state)
{
    (void)state;
    play("g1f3");
    worker_make_null(worker);
    play("f3g1");
    worker_make_null(worker);
    assert_false(worker_is_draw(worker));
}

static bool a_move_repeats(void)
{
    move legal[MOVES_MAX];
    int count = movegen_legal(&worker->pos, legal);
    bool repeats = false;
    for (int i = 0; i < count && !repeats; i++) {
        worker_make(worker, legal[i]);
        repeats = worker_is_draw(worker) && !position_insufficient_material(&worker->pos);
        worker_unmake(worker, legal[i]);
    }
    return repeats;
}

/* Random walks of few pieces, which come back often. The 50-move rule does not come into it. */
static void a_repetition_is_seen_a_ply_before(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "r3k3/8/8/8/8/8/8/R3K2B w Qq - 0 1",
        "k7/p7/8/8/8/8/7P/K6Q b - - 0 1",
        "k2r4/3p4/8/8/8/8/3PN3/K2R4 w - - 0 1",
    };
    struct rng rng;
    rng_seed(&rng, 7);
    int seen = 0;
    for (int walk = 0; walk < 300; walk++) {
        assert_true(search_worker_set(made, starts[walk % 3]));
        for (int ply = 0; ply < 60; ply++) {
            move legal[MOVES_MAX];
            int count = movegen_legal(&worker->pos, legal);
            if (count == 0 || position_insufficient_material(&worker->pos))
                break;
            assert_int_equal(worker_upcoming_repetition(worker), a_move_repeats());
            seen += worker_upcoming_repetition(worker);
            /* Mostly back the way, so that pieces stay near. */
            move last = ply < 2 ? MOVE_NONE : worker_stack(worker)[-2].current_move;
            move back = move_make(move_to(last), move_from(last));
            bool can_go_back = last != MOVE_NONE && movegen_is_legal(&worker->pos, back);
            move next = can_go_back && rng_below(&rng, 2) == 0
                            ? back
                            : legal[rng_below(&rng, (uint64_t)count)];
            worker_make(worker, next);
            if (worker_is_draw(worker))
                break;
        }
    }
    assert_true(seen > 200);
}

/* The hundredth ply ends the game, except by mate. */
static void mate_goes_before_the_fifty_moves(void **state)
{
    (void)state;
    assert_true(search_worker_set(made, "7k/8/6K1/8/8/8/8/R7 w - - 99 90"));
    play("a1a2");
    assert_true(worker_is_draw(worker));
    assert_true(search_worker_set(made, "7k/8/6K1/8/8/8/8/R7 w - - 99 90"));
    play("a1a8");
    assert_false(worker_is_draw(worker));
}

static void the_line_grows_from_below(void **state)
{
    (void)state;
    move first = move_of("e2e4");
    worker_make(worker, first);
    move second = move_of("e7e5");
    worker_make(worker, second);
    worker_stack(worker)->pv_length = 0;
    worker_unmake(worker, second);
    worker_keep_pv(worker, second);
    worker_unmake(worker, first);
    worker_keep_pv(worker, first);
    const struct stack *ss = worker_stack(worker);
    assert_int_equal(ss->pv_length, 2);
    assert_int_equal(ss->pv[0], first);
    assert_int_equal(ss->pv[1], second);
    worker->stack[STACK_BEFORE + 1].pv_length = SEARCH_PLY_MAX;
    worker_keep_pv(worker, first);
    assert_int_equal(worker_stack(worker)->pv_length, SEARCH_PLY_MAX);
}

/* A random game: what a move takes is what leaves the board, and taking back restores all. */
static void victims_are_what_leaves_the_board(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 5);
    for (int walk = 0; walk < 30; walk++) {
        worker_prepare(worker);
        for (int ply = 0; ply < 120; ply++) {
            move legal[MOVES_MAX];
            int count = movegen_legal(&worker->pos, legal);
            for (int i = 0; i < count; i++) {
                if (move_kind(legal[i]) == MOVE_CASTLING)
                    continue;
                struct position before = worker->pos;
                int victim = move_victim(&before, legal[i]);
                worker_make(worker, legal[i]);
                for (int type = PAWN; type <= KING; type++)
                    assert_int_equal(
                        bb_count(position_pieces(&before, !before.turn, type)) -
                            bb_count(position_pieces(&worker->pos, !before.turn, type)),
                        type == victim);
                assert_int_equal(victim != PIECE_TYPES, position_is_capture(&before, legal[i]));
                worker_unmake(worker, legal[i]);
                assert_memory_equal(&worker->pos, &before, sizeof before);
            }
            if (count == 0)
                break;
            worker_make(worker, legal[rng_below(&rng, (uint64_t)count)]);
        }
    }
}

/* Where threads outnumber processors, the first may not be running when the time is up. */
static void every_worker_looks_at_the_clock(void **state)
{
    (void)state;
    made->shared.budget = (struct time_budget){.timed = true, .soft_ms = 10, .hard_ms = 10};
    for (int index = 0; index < 2; index++) {
        signals_arm(&made->shared.signals, false);
        worker->index = index;
        worker->completed_depth = 1;
        made->shared.start_ms = clock_ms();
        worker->next_poll = 0;
        made->shared.budget.hard_ms = INT32_MAX;
        assert_false(worker_must_stop(worker));
        made->shared.budget.hard_ms = 0;
        worker->next_poll = 0;
        assert_true(worker_must_stop(worker));
    }
}

int main(void)
{
    chess_init();
#define WORKER_TEST(name) cmocka_unit_test_setup_teardown(name, fresh, gone)
    const struct CMUnitTest tests[] = {
        WORKER_TEST(a_repetition_inside_the_search_is_a_draw),
        WORKER_TEST(a_repetition_of_the_game_needs_two),
        WORKER_TEST(a_repetition_is_seen_a_ply_before),
        WORKER_TEST(no_repetition_reaches_over_a_null_move),
        WORKER_TEST(mate_goes_before_the_fifty_moves),
        WORKER_TEST(the_line_grows_from_below),
        WORKER_TEST(victims_are_what_leaves_the_board),
        WORKER_TEST(every_worker_looks_at_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
