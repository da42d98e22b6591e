/* Histories: however they are updated, they stay within their bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "search/correction.h"
#include "search/moves.h"
#include "search/params.h"
#include "search/update_histories.h"
#include "tests/support/search_worker.h"

enum { UPDATES = 20000 };

static struct search_worker *made;
static struct rng rng;

static int fresh(void **state)
{
    (void)state;
    rng_seed(&rng, 3);
    made = search_worker_create();
    return made ? 0 : -1;
}

static int gone(void **state)
{
    (void)state;
    search_worker_destroy(made);
    return 0;
}

static void assert_bounded(const int16_t *entries, size_t bytes, int limit)
{
    for (size_t i = 0; i < bytes / sizeof *entries; i++)
        if (entries[i] > limit || entries[i] < -limit)
            fail_msg("entry %zu is %d", i, entries[i]);
}

static void one_entry_stays_within_its_limit(void **state)
{
    (void)state;
    int16_t entry = 0;
    for (int i = 0; i < UPDATES; i++) {
        int bonus =
            (int)rng_below(&rng, (uint64_t)(2 * CONTINUATION_LIMIT + 1)) - CONTINUATION_LIMIT;
        history_update(&entry, bonus, CONTINUATION_LIMIT);
        assert_in_range(entry + CONTINUATION_LIMIT, 0, 2 * CONTINUATION_LIMIT);
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < 100; i++)
            history_update(&entry, sign * CONTINUATION_LIMIT, CONTINUATION_LIMIT);
        assert_int_equal(entry, sign * CONTINUATION_LIMIT);
    }
}

/* A bonus lifts, a malus lowers. */
static void updates_go_the_right_way(void **state)
{
    (void)state;
    for (int value = -CONTINUATION_LIMIT; value <= CONTINUATION_LIMIT; value += 64) {
        int16_t up = (int16_t)value;
        int16_t down = (int16_t)value;
        history_update(&up, 1000, CONTINUATION_LIMIT);
        history_update(&down, -1000, CONTINUATION_LIMIT);
        assert_true(up >= value && down <= value);
        assert_true(up > down);
    }
}

static void pick_searched(const move *legal, int count, bool quiet, move except,
                          struct searched_moves *out)
{
    out->count = 0;
    for (int i = 0; i < count && out->count < SEARCHED_MAX; i++)
        if (legal[i] != except && move_is_quiet(&made->worker->pos, legal[i]) == quiet &&
            rng_below(&rng, 2))
            out->moves[out->count++] = legal[i];
}

static void random_nodes_keep_all_bounds(void **state)
{
    (void)state;
    struct worker *worker = made->worker;
    struct history *history = &worker->history;
    for (int i = 0; i < UPDATES; i++) {
        move legal[MOVES_MAX];
        int count = movegen_legal(&worker->pos, legal);
        if (count == 0 || worker->ply >= 100) {
            worker_prepare(worker);
            continue;
        }
        struct stack *ss = worker_stack(worker);
        struct searched_moves quiets;
        struct searched_moves noisies;
        move best = legal[rng_below(&rng, (uint64_t)count)];
        pick_searched(legal, count, true, best, &quiets);
        pick_searched(legal, count, false, best, &noisies);
        int depth = 1 + (int)rng_below(&rng, SEARCH_DEPTH_MAX);
        move tt_move = rng_below(&rng, 2) ? best : legal[0];
        ss->in_check = position_in_check(&worker->pos);
        ss->static_eval = (int)rng_below(&rng, 1000) - 500;
        update_histories(worker, ss, depth, best, tt_move, rng_below(&rng, 2), &quiets, &noisies);
        update_from_tt(worker, ss, best, depth);
        update_after_fail_low(worker, ss, depth, (int)rng_below(&rng, 1000) - 500);
        update_after_reduction(ss, worker->pos.board[move_from(best)], move_to(best));
        update_from_evaluation(worker, ss, (int)rng_below(&rng, 1000) - 500, rng_below(&rng, 2));
        correction_learn(worker, (int)rng_below(&rng, 2 * SCORE_MATE + 1) - SCORE_MATE,
                         depth * 400);
        int corrected = correction_apply(worker, 0, correction_find(worker));
        assert_in_range(corrected + CORRECTION_LIMIT, 0, 2 * CORRECTION_LIMIT);
        ss->move_history = (int)rng_below(&rng, 60000) - 30000;
        ss->move_count = (int)rng_below(&rng, 20);
        worker_make(worker, best);
    }
    assert_bounded(&history->quiet[0][0][0], sizeof history->quiet, QUIET_LIMIT);
    assert_bounded(&history->noisy[0][0][0], sizeof history->noisy, NOISY_LIMIT);
    assert_bounded(&history->continuation[0][0].value[0][0], sizeof history->continuation,
                   CONTINUATION_LIMIT);
    assert_bounded(&history->pawn[0].value[0][0], sizeof history->pawn, PAWN_LIMIT);
    assert_bounded(&history->low_ply[0][0][0], sizeof history->low_ply, QUIET_LIMIT);
    struct history *fresh_one = calloc(1, sizeof *fresh_one);
    assert_non_null(fresh_one);
    history_clear(fresh_one);
    assert_memory_equal(&history->none, &fresh_one->none, sizeof history->none);
    free(fresh_one);
    assert_bounded(&history->pawn_correction[0][0], sizeof history->pawn_correction,
                   CORRECTION_LIMIT);
    assert_bounded(&history->minor_correction[0][0], sizeof history->minor_correction,
                   CORRECTION_LIMIT);
    assert_bounded(&history->non_pawn_correction[0][0][0], sizeof history->non_pawn_correction,
                   CORRECTION_LIMIT);
    assert_bounded(&history->continuation_correction[0][0].value[0][0],
                   sizeof history->continuation_correction, CORRECTION_LIMIT);
}

/* What the search found above the static evaluation lifts it, below lowers it; other pawns and
 * pieces are left alone. */
static void corrections_go_the_right_way(void **state)
{
    (void)state;
    struct worker *worker = made->worker;
    assert_int_equal(correction_find(worker), 0);
    for (int sign = -1; sign <= 1; sign += 2) {
        history_clear(&worker->history);
        for (int i = 0; i < 100; i++)
            correction_learn(worker, sign * 200, 4000);
        int score = correction_apply(worker, 10, correction_find(worker));
        assert_true(sign > 0 ? score > 10 : score < 10);
    }
    assert_true(search_worker_set(made, "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"));
    assert_int_equal(correction_find(worker), 0);
}

int main(void)
{
    chess_init();
#define HISTORY_TEST(name) cmocka_unit_test_setup_teardown(name, fresh, gone)
    const struct CMUnitTest tests[] = {
        HISTORY_TEST(one_entry_stays_within_its_limit),
        HISTORY_TEST(updates_go_the_right_way),
        HISTORY_TEST(random_nodes_keep_all_bounds),
        HISTORY_TEST(corrections_go_the_right_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
