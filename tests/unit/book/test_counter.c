/* Counting: exact sums, wherever they spill to disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "book/build/counter.h"
#include "chess/rng.h"

enum { SUMS_MAX = 400000 };

struct sums {
    struct tally tallies[SUMS_MAX];
    size_t count;
};

static struct sums small;
static struct sums large;

static enum caxton_status collect(void *context, const struct tally *tally)
{
    struct sums *sums = context;
    assert_true(sums->count < SUMS_MAX);
    if (sums->count > 0)
        assert_true(tally_compare(&sums->tallies[sums->count - 1], tally) < 0);
    sums->tallies[sums->count++] = *tally;
    return STATUS_OK;
}

static void add_amount(struct counter *counter, uint64_t key, uint16_t move, enum outcome outcome,
                       uint32_t amount)
{
    struct diag diag;
    uint8_t byte = (uint8_t)outcome;
    assert_int_equal(counter_add(counter, &key, &move, &byte, 1, amount, &diag), STATUS_OK);
}

static void add(struct counter *counter, uint64_t key, uint16_t move, enum outcome outcome)
{
    add_amount(counter, key, move, outcome, 1);
}

static void merge(struct counter **counters, size_t count, uint64_t min_games, struct sums *out)
{
    struct diag diag;
    out->count = 0;
    assert_int_equal(counter_merge(counters, count, min_games, collect, out, &diag), STATUS_OK);
}

/* Field by field: the bytes between them are nobody's. */
static void assert_same_sums(const struct sums *a, const struct sums *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_int_equal(a->tallies[i].key, b->tallies[i].key);
        assert_int_equal(a->tallies[i].move, b->tallies[i].move);
        assert_memory_equal(a->tallies[i].counts, b->tallies[i].counts,
                            sizeof a->tallies[i].counts);
    }
}

static void counts_by_outcome(void **state)
{
    (void)state;
    struct counter *counter = counter_create(0, "/tmp");
    add(counter, 7, 3, OUTCOME_WIN);
    add(counter, 7, 3, OUTCOME_WIN);
    add(counter, 7, 3, OUTCOME_LOSS);
    add(counter, 7, 2, OUTCOME_DRAW);
    add(counter, 5, 9, OUTCOME_LOSS);
    merge(&counter, 1, 0, &small);
    assert_int_equal(small.count, 3);
    assert_true(small.tallies[0].key == 5 && small.tallies[0].counts[OUTCOME_LOSS] == 1);
    assert_true(small.tallies[1].key == 7 && small.tallies[1].move == 2);
    assert_true(small.tallies[2].counts[OUTCOME_WIN] == 2);
    assert_int_equal(tally_games(&small.tallies[2]), 3);
    counter_destroy(counter);
}

/* The least memory there is against plenty: same sums, to the last one. */
static void spilling_changes_nothing(void **state)
{
    (void)state;
    struct counter *tight = counter_create(0, "/tmp");
    struct counter *roomy = counter_create((size_t)64 << 20, "/tmp");
    struct rng rng;
    rng_seed(&rng, 4);
    for (int i = 0; i < 600000; i++) {
        uint64_t key = rng_below(&rng, 150000) * UINT64_C(0x9E3779B97F4A7C15);
        uint16_t move = (uint16_t)rng_below(&rng, 2);
        enum outcome outcome = (enum outcome)rng_below(&rng, OUTCOMES);
        add(tight, key, move, outcome);
        add(roomy, key, move, outcome);
    }
    assert_true(counter_runs(tight) > 5);
    assert_int_equal(counter_runs(roomy), 0);
    for (uint64_t least = 0; least < 4; least += 3) {
        merge(&tight, 1, least, &small);
        merge(&roomy, 1, least, &large);
        if (least == 0)
            assert_true(small.count > 200000);
        assert_same_sums(&small, &large);
    }
    counter_destroy(tight);
    counter_destroy(roomy);
}

static void a_counter_counts_afresh_after_a_merge(void **state)
{
    (void)state;
    struct counter *counter = counter_create(0, "/tmp");
    for (int round = 0; round < 3; round++) {
        for (uint64_t key = 0; key < 20000; key++)
            add(counter, key, 1, OUTCOME_DRAW);
        merge(&counter, 1, 0, &small);
        assert_int_equal(small.count, 20000);
        assert_int_equal(tally_games(&small.tallies[19999]), 1);
        merge(&counter, 1, 0, &small);
        assert_int_equal(small.count, 0);
    }
    assert_int_equal(counter_runs(counter), 0);
    counter_destroy(counter);
}

static void several_counters_are_one(void **state)
{
    (void)state;
    struct counter *parts[3];
    struct counter *whole = counter_create(0, "/tmp");
    struct rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < 3; i++)
        parts[i] = counter_create(0, "/tmp");
    for (int i = 0; i < 90000; i++) {
        uint64_t key = rng_below(&rng, 60000);
        enum outcome outcome = (enum outcome)rng_below(&rng, OUTCOMES);
        add(parts[rng_below(&rng, 3)], key, 1, outcome);
        add(whole, key, 1, outcome);
    }
    merge(parts, 3, 2, &small);
    merge(&whole, 1, 2, &large);
    assert_same_sums(&small, &large);
    for (int i = 0; i < 3; i++)
        counter_destroy(parts[i]);
    counter_destroy(whole);
}

/* Counts far beyond the 32 bits of a table's slot, in one and over several additions. */
static void counts_are_wide(void **state)
{
    (void)state;
    struct diag diag;
    struct counter *counter = counter_create(0, "/tmp");
    struct tally tally = {.key = 1, .move = 2, .counts = {6000000000, 5, 300}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(counter_add_tally(counter, &tally, &diag), STATUS_OK);
    merge(&counter, 1, 0, &small);
    assert_int_equal(small.count, 1);
    assert_true(small.tallies[0].counts[OUTCOME_WIN] == 12000000000);
    assert_true(small.tallies[0].counts[OUTCOME_DRAW] == 10);
    assert_true(small.tallies[0].counts[OUTCOME_LOSS] == 600);
    counter_destroy(counter);
}

/* Amounts of every size, in little memory and in plenty; the largest ones exceed 32 bits after a
 * few games and the 37 of a slot after some thousand. */
static void amounts_add_up_exactly(void **state)
{
    (void)state;
    struct counter *tight = counter_create(0, "/tmp");
    struct counter *roomy = counter_create((size_t)64 << 20, "/tmp");
    struct rng rng;
    uint64_t expected[OUTCOMES] = {0};
    rng_seed(&rng, 6);
    for (int i = 0; i < 200000; i++) {
        uint64_t key = rng_below(&rng, 90000) * UINT64_C(0x9E3779B97F4A7C15) | 1;
        enum outcome outcome = (enum outcome)rng_below(&rng, OUTCOMES);
        uint32_t amount = 1 + (uint32_t)rng_below(&rng, UINT64_C(1) << rng_below(&rng, 25));
        add_amount(tight, key, 1, outcome, amount);
        add_amount(roomy, key, 1, outcome, amount);
        if (i % 8)
            continue;
        enum { LARGEST = 1 << 24 };
        expected[outcome] += LARGEST;
        add_amount(tight, 0, 1, outcome, LARGEST);
        add_amount(roomy, 0, 1, outcome, LARGEST);
    }
    assert_true(counter_runs(tight) > 1);
    assert_int_equal(counter_runs(roomy), 1); /* one count was full: 2^37 */
    merge(&tight, 1, 0, &small);
    merge(&roomy, 1, 0, &large);
    assert_same_sums(&small, &large);
    assert_true(small.tallies[0].key == 0);
    assert_memory_equal(small.tallies[0].counts, expected, sizeof expected);
    counter_destroy(tight);
    counter_destroy(roomy);
}

static void missing_folder_is_named(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct counter *counter = counter_create(0, "/no/such/folder");
    enum caxton_status status = STATUS_OK;
    for (uint64_t i = 0; i < 100000 && status == STATUS_OK; i++) {
        uint16_t move = 1;
        uint8_t outcome = OUTCOME_DRAW;
        status = counter_add(counter, &i, &move, &outcome, 1, 1, &diag);
    }
    assert_int_equal(status, STATUS_IO);
    assert_non_null(strstr(diag.text, "/no/such/folder"));
    counter_destroy(counter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter_counts_afresh_after_a_merge),
        cmocka_unit_test(counts_by_outcome),
        cmocka_unit_test(spilling_changes_nothing),
        cmocka_unit_test(several_counters_are_one),
        cmocka_unit_test(counts_are_wide),
        cmocka_unit_test(missing_folder_is_named),
        cmocka_unit_test(amounts_add_up_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
