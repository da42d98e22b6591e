/* The move picker: every legal move exactly once, whatever the table says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "search/movepick.h"
#include "search/moves.h"
#include "search/params.h"
#include "tests/support/search_worker.h"

enum { WALKS = 60, WALK_PLIES = 100 };

static struct search_worker *made;
static struct rng rng;

static int fresh(void **state)
{
    (void)state;
    rng_seed(&rng, 7);
    made = search_worker_create();
    return made ? 0 : -1;
}

static int gone(void **state)
{
    (void)state;
    search_worker_destroy(made);
    return 0;
}

static int compare_moves(const void *a, const void *b)
{
    return (int)*(const move *)a - (int)*(const move *)b;
}

static void assert_same_set(move *picked, int picked_count, move *wanted, int wanted_count)
{
    qsort(picked, (size_t)picked_count, sizeof *picked, compare_moves);
    qsort(wanted, (size_t)wanted_count, sizeof *wanted, compare_moves);
    assert_int_equal(picked_count, wanted_count);
    assert_memory_equal(picked, wanted, (size_t)wanted_count * sizeof *wanted);
}

/* What the table may hold: a legal move, any 16 bits, nothing. */
static move random_hint(const move *legal, int count)
{
    switch (rng_below(&rng, 3)) {
    case 0:
        return count ? legal[rng_below(&rng, (uint64_t)count)] : MOVE_NONE;
    case 1:
        return (move)rng_next(&rng);
    default:
        return MOVE_NONE;
    }
}

static void fill(int16_t *entries, size_t bytes, int limit)
{
    for (size_t i = 0; i < bytes / sizeof *entries; i++)
        entries[i] = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)limit + 1) - limit);
}

static void fill_histories(struct history *history)
{
    fill(&history->quiet[0][0][0], sizeof history->quiet, QUIET_LIMIT);
    fill(&history->noisy[0][0][0], sizeof history->noisy, NOISY_LIMIT);
    fill(&history->pawn[0].value[0][0], sizeof history->pawn, PAWN_LIMIT);
    fill(&history->continuation[0][0].value[0][0], sizeof history->continuation,
         CONTINUATION_LIMIT);
}

/* From a move on, skip_quiets may be said; never when `skip_from` is negative. */
static int pick_all(struct picker *picker, int skip_from, move *out)
{
    int count = 0;
    move m;
    while ((m = picker_next(picker, skip_from >= 0 && count >= skip_from)) != MOVE_NONE) {
        assert_true(count < MOVES_MAX);
        out[count++] = m;
    }
    assert_int_equal(picker_next(picker, false), MOVE_NONE);
    return count;
}

static void check_all_moves(struct worker *worker, move tt_move, move *legal, int count)
{
    struct picker picker;
    move picked[MOVES_MAX];
    picker_init(&picker, worker, tt_move, true);
    assert_same_set(picked, pick_all(&picker, -1, picked), legal, count);
    if (tt_move != MOVE_NONE && movegen_is_legal(&worker->pos, tt_move)) {
        picker_init(&picker, worker, tt_move, true);
        assert_int_equal(picker_next(&picker, false), tt_move);
    }
}

/* Quiescence: the noisy moves and the table's move. */
static void check_noisy_moves(struct worker *worker, move tt_move, move *legal, int count)
{
    struct picker picker;
    const struct position *pos = &worker->pos;
    move picked[MOVES_MAX];
    move wanted[MOVES_MAX];
    picker_init(&picker, worker, tt_move, false);
    int picked_count = pick_all(&picker, -1, picked);
    if (position_in_check(pos)) {
        assert_same_set(picked, picked_count, legal, count);
        return;
    }
    int wanted_count = 0;
    for (int i = 0; i < count; i++)
        if (!move_is_quiet(pos, legal[i]) || legal[i] == tt_move)
            wanted[wanted_count++] = legal[i];
    assert_same_set(picked, picked_count, wanted, wanted_count);
}

/* Late move pruning: no noisy move is lost, none comes twice. */
static void check_skipped_quiets(struct worker *worker, move tt_move, const move *legal, int count)
{
    struct picker picker;
    move picked[MOVES_MAX];
    picker_init(&picker, worker, tt_move, true);
    int picked_count = pick_all(&picker, (int)rng_below(&rng, 20), picked);
    for (int i = 0; i < count; i++) {
        int seen = 0;
        for (int j = 0; j < picked_count; j++)
            seen += picked[j] == legal[i];
        bool noisy = !move_is_quiet(&worker->pos, legal[i]);
        assert_true(noisy ? seen == 1 : seen <= 1);
    }
}

static void every_legal_move_is_picked_once(void **state)
{
    (void)state;
    struct worker *worker = made->worker;
    fill_histories(&worker->history);
    for (int walk = 0; walk < WALKS; walk++) {
        worker_prepare(worker);
        for (int ply = 0; ply < WALK_PLIES; ply++) {
            move legal[MOVES_MAX];
            int count = movegen_legal(&worker->pos, legal);
            if (count == 0)
                break;
            move m = legal[rng_below(&rng, (uint64_t)count)];
            move tt_move = random_hint(legal, count);
            check_all_moves(worker, tt_move, legal, count);
            check_noisy_moves(worker, tt_move, legal, count);
            check_skipped_quiets(worker, tt_move, legal, count);
            worker_make(worker, m);
        }
    }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_legal_move_is_picked_once, fresh, gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
