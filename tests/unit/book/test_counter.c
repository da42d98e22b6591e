/* Counting: exact sums, wherever they spill to disk. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>

#include "base/rng.h"
#include "book/count/counter.h"

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

/* A counter and the one worker that counts into it. */
struct table {
    struct counter *counter;
    struct counter_worker *worker;
};

static struct table table_with_files(size_t bytes, const char *folder, size_t files)
{
    struct table table = {.counter = counter_create(bytes, 1, 1000, false, folder, files)};
    assert_non_null(table.counter);
    table.worker = counter_worker_create(table.counter);
    assert_non_null(table.worker);
    return table;
}

static struct table table_create(size_t bytes, const char *folder)
{
    return table_with_files(bytes, folder, 128);
}

static void table_destroy(struct table table)
{
    counter_worker_destroy(table.worker);
    counter_destroy(table.counter);
}

static void add_amount(struct table table, uint64_t key, uint16_t move, enum outcome outcome,
                       uint32_t amount)
{
    struct diag diag;
    assert_int_equal(
        counter_worker_add(table.worker,
                           &(struct counted_move){key, move, outcome, amount, 0, {0, 0}}, &diag),
        STATUS_OK);
}

static void add(struct table table, uint64_t key, uint16_t move, enum outcome outcome)
{
    add_amount(table, key, move, outcome, 1);
}

static void merge(struct table table, uint64_t least, struct sums *out)
{
    struct diag diag;
    out->count = 0;
    assert_int_equal(counter_worker_flush(table.worker, &diag), STATUS_OK);
    assert_int_equal(counter_merge(table.counter, 2, least, collect, out, &diag), STATUS_OK);
}

/* Field by field: the padding between them has no defined value. */
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
    struct table counter = table_create(0, "/tmp");
    add(counter, 7, 3, OUTCOME_WIN);
    add(counter, 7, 3, OUTCOME_WIN);
    add(counter, 7, 3, OUTCOME_LOSS);
    add(counter, 7, 2, OUTCOME_DRAW);
    add(counter, 5, 9, OUTCOME_LOSS);
    merge(counter, 0, &small);
    assert_int_equal(small.count, 3);
    assert_true(small.tallies[0].key == 5 && small.tallies[0].counts[OUTCOME_LOSS] == 1);
    assert_true(small.tallies[1].key == 7 && small.tallies[1].move == 2);
    assert_true(small.tallies[2].counts[OUTCOME_WIN] == 2);
    assert_int_equal(tally_games(&small.tallies[2]), 3);
    table_destroy(counter);
}

/* The least memory there is against plenty: same sums, to the last one. */
static void spilling_changes_nothing(void **state)
{
    (void)state;
    struct table tight = table_create(0, "/tmp");
    struct table roomy = table_create((size_t)64 << 20, "/tmp");
    struct rng rng;
    rng_seed(&rng, 4);
    for (int i = 0; i < 600000; i++) {
        uint64_t key = rng_below(&rng, 150000) * UINT64_C(0x9E3779B97F4A7C15);
        uint16_t move = (uint16_t)rng_below(&rng, 2);
        enum outcome outcome = (enum outcome)rng_below(&rng, OUTCOMES);
        add(tight, key, move, outcome);
        add(roomy, key, move, outcome);
    }
    assert_true(counter_runs(tight.counter) > 5);
    assert_int_equal(counter_runs(roomy.counter), 0);
    for (uint64_t least = 0; least < 4; least += 3) {
        merge(tight, least, &small);
        merge(roomy, least, &large);
        if (least == 0)
            assert_true(small.count > 200000);
        assert_same_sums(&small, &large);
    }
    table_destroy(tight);
    table_destroy(roomy);
}

/* Of every third key the moves occur once, of the others twice. */
static void moves_that_are_too_rare_are_counted(void **state)
{
    (void)state;
    enum { KEYS = 150000 };
    const size_t memory[] = {0, (size_t)64 << 20}; /* with runs on disk, and without */
    for (int i = 0; i < 2; i++) {
        struct table counter = table_create(memory[i], "/tmp");
        for (uint64_t key = 0; key < KEYS; key++)
            add(counter, key * UINT64_C(0x9E3779B97F4A7C15), 1, OUTCOME_WIN);
        for (uint64_t key = 0; key < KEYS; key++)
            if (key % 3)
                add(counter, key * UINT64_C(0x9E3779B97F4A7C15), 1, OUTCOME_LOSS);
        assert_int_equal(counter_runs(counter.counter) > 0, i == 0);
        merge(counter, 2, &small);
        assert_int_equal(small.count, KEYS / 3 * 2);
        assert_int_equal(counter_dropped(counter.counter), KEYS / 3);
        table_destroy(counter);
    }
}

static void a_counter_counts_afresh_after_a_merge(void **state)
{
    (void)state;
    struct table counter = table_create(0, "/tmp");
    for (int round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < 20000; i++)
            add(counter, i * UINT64_C(0x9E3779B97F4A7C15), 1, OUTCOME_DRAW);
        merge(counter, 0, &small);
        assert_int_equal(small.count, 20000);
        assert_int_equal(tally_games(&small.tallies[19999]), 1);
        merge(counter, 0, &small);
        assert_int_equal(small.count, 0);
    }
    assert_int_equal(counter_runs(counter.counter), 0);
    table_destroy(counter);
}

/* What one thread adds: its share of the numbers up to a limit, each into a key that others use. */
struct adder {
    struct counter *counter;
    int first;
    enum caxton_status status;
};

enum { ADDERS = 3, ADDITIONS = 300000 };

static uint64_t spread(int i)
{
    return (uint64_t)(i % 50000) * UINT64_C(0x9E3779B97F4A7C15);
}

static void *add_share(void *argument)
{
    struct adder *adder = argument;
    struct diag diag;
    struct counter_worker *worker = counter_worker_create(adder->counter);
    adder->status = worker ? STATUS_OK : STATUS_NO_MEMORY;
    for (int i = adder->first; i < ADDITIONS && adder->status == STATUS_OK; i += ADDERS)
        adder->status = counter_worker_add(
            worker,
            &(struct counted_move){
                .key = spread(i), .move = 1, .outcome = (enum outcome)(i % 7 % 3), .amount = 1},
            &diag);
    if (adder->status == STATUS_OK)
        adder->status = counter_worker_flush(worker, &diag);
    counter_worker_destroy(worker);
    return NULL;
}

/* In so little memory that they spill while the others count. */
static void several_threads_count_as_one(void **state)
{
    (void)state;
    struct table shared = table_create(0, "/tmp");
    struct table whole = table_create((size_t)64 << 20, "/tmp");
    struct adder adders[ADDERS];
    pthread_t threads[ADDERS];
    for (int i = 0; i < ADDERS; i++) {
        adders[i] = (struct adder){.counter = shared.counter, .first = i};
        assert_int_equal(pthread_create(&threads[i], NULL, add_share, &adders[i]), 0);
    }
    for (int i = 0; i < ADDERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(adders[i].status, STATUS_OK);
    }
    for (int i = 0; i < ADDITIONS; i++)
        add(whole, spread(i), 1, (enum outcome)(i % 7 % 3));
    assert_true(counter_runs(shared.counter) > 5);
    merge(shared, 2, &small);
    merge(whole, 2, &large);
    assert_int_equal(small.count, 50000);
    assert_same_sums(&small, &large);
    table_destroy(shared);
    table_destroy(whole);
}

static size_t open_files(void)
{
    size_t count = 0;
    for (int file = 0; file < 256; file++)
        count += fcntl(file, F_GETFD) >= 0;
    return count;
}

static void few_files_are_enough(void **state)
{
    (void)state;
    for (size_t files = 1; files <= 16; files += 5) {
        struct table few = table_with_files(0, "/tmp", files);
        struct table whole = table_create((size_t)64 << 20, "/tmp");
        size_t before = open_files();
        for (int i = 0; i < ADDITIONS; i++) {
            add(few, spread(i), 1, (enum outcome)(i % 7 % 3));
            add(whole, spread(i), 1, (enum outcome)(i % 7 % 3));
        }
        assert_true(counter_runs(few.counter) > 0);
        assert_in_range(open_files() - before, 1, files);
        merge(few, 2, &small);
        merge(whole, 2, &large);
        assert_same_sums(&small, &large);
        table_destroy(few);
        table_destroy(whole);
    }
}

/* Counts far beyond the 46 bits of an item, added little by little. */
static void counts_are_wide(void **state)
{
    (void)state;
    enum { TIMES = 1 << 16 };
    struct table counter = table_create(0, "/tmp");
    for (int i = 0; i < TIMES; i++) {
        add_amount(counter, 1, 2, OUTCOME_WIN, UINT32_MAX);
        add_amount(counter, 1, 2, OUTCOME_LOSS, 3);
    }
    merge(counter, 0, &small);
    assert_int_equal(small.count, 1);
    assert_true(small.tallies[0].counts[OUTCOME_WIN] == (uint64_t)UINT32_MAX * TIMES);
    assert_true(small.tallies[0].counts[OUTCOME_DRAW] == 0);
    assert_true(small.tallies[0].counts[OUTCOME_LOSS] == 3 * TIMES);
    table_destroy(counter);
}

/* Amounts of every size, in little memory and in plenty; the largest ones exceed 32 bits after a
 * few games. */
static void amounts_add_up_exactly(void **state)
{
    (void)state;
    struct table tight = table_create(0, "/tmp");
    struct table roomy = table_create((size_t)64 << 20, "/tmp");
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
    struct diag diag;
    assert_int_equal(counter_worker_flush(tight.worker, &diag), STATUS_OK);
    assert_int_equal(counter_worker_flush(roomy.worker, &diag), STATUS_OK);
    assert_true(counter_runs(tight.counter) > 1);
    assert_int_equal(counter_runs(roomy.counter), 0);
    merge(tight, 0, &small);
    merge(roomy, 0, &large);
    assert_same_sums(&small, &large);
    assert_true(small.tallies[0].key == 0);
    assert_memory_equal(small.tallies[0].counts, expected, sizeof expected);
    table_destroy(tight);
    table_destroy(roomy);
}

static void missing_folder_is_named(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct table counter = table_create(0, "/no/such/folder");
    enum caxton_status status = STATUS_OK;
    for (uint64_t i = 0; i < 100000 && status == STATUS_OK; i++)
        status = counter_worker_add(counter.worker,
                                    &(struct counted_move){.key = i * UINT64_C(0x9E3779B97F4A7C15),
                                                           .move = 1,
                                                           .outcome = OUTCOME_DRAW,
                                                           .amount = 1},
                                    &diag);
    if (status == STATUS_OK)
        status = counter_worker_flush(counter.worker, &diag);
    assert_int_equal(status, STATUS_IO);
    assert_non_null(strstr(diag.text, "/no/such/folder"));
    table_destroy(counter);
}

enum { SKETCHED = 8000, PLAYED = 20000 };

/* Few keys come often, most once or twice; amounts in units. */
static void play(struct table table, uint64_t unit)
{
    uint64_t chance = 5;
    for (int i = 0; i < PLAYED; i++) {
        uint64_t number = rng_splitmix(&chance) % SKETCHED;
        if (i % 3 == 0)
            number %= SKETCHED / 64;
        uint64_t key = number;
        uint32_t amount = (uint32_t)(unit > 1 ? rng_splitmix(&chance) % (2 * unit) + 1 : 1);
        add_amount(table, rng_splitmix(&key), (uint16_t)(number % 3), OUTCOME_DRAW, amount);
    }
}

/* Whatever the sketch's memory, no move with enough games is lost; with much, most of what is too
 * rare is not counted. */
static void a_sketch_loses_no_frequent_move(void **state)
{
    (void)state;
    static const uint64_t games[] = {2, 3, 10, 16, 300};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++)
        for (size_t memory = 0; memory <= 1 << 20; memory += 1 << 20)
            for (uint64_t unit = 1; unit <= TALLY_UNIT; unit *= TALLY_UNIT) {
                uint64_t all;
                struct diag diag;
                struct sketch *sketch = sketch_create(memory, games[i], unit);
                assert_non_null(sketch);
                struct table first = table_create(0, "/tmp");
                counter_set_sketch(first.counter, sketch, false);
                play(first, unit);
                assert_int_equal(counter_worker_flush(first.worker, &diag), STATUS_OK);
                table_destroy(first);
                (void)sketch_seal(sketch);
                struct table second = table_create(0, "/tmp");
                struct table exact = table_create(0, "/tmp");
                counter_set_sketch(second.counter, sketch, true);
                play(second, unit);
                play(exact, unit);
                merge(second, games[i] * unit, &small);
                merge(exact, games[i] * unit, &large);
                assert_same_sums(&small, &large);
                assert_true(small.count > 0 || games[i] > 100);
                uint64_t left_out = counter_left_out(second.counter, &all);
                assert_true(all >= left_out && (unit > 1 || all == PLAYED));
                if (memory && unit == 1) /* nearly all that can be */
                    assert_true(counter_dropped(second.counter) <
                                counter_dropped(exact.counter) / 10);
                table_destroy(second);
                table_destroy(exact);
                sketch_destroy(sketch);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sketch_loses_no_frequent_move),
        cmocka_unit_test(few_files_are_enough),
        cmocka_unit_test(a_counter_counts_afresh_after_a_merge),
        cmocka_unit_test(counts_by_outcome),
        cmocka_unit_test(spilling_changes_nothing),
        cmocka_unit_test(moves_that_are_too_rare_are_counted),
        cmocka_unit_test(several_threads_count_as_one),
        cmocka_unit_test(counts_are_wide),
        cmocka_unit_test(missing_folder_is_named),
        cmocka_unit_test(amounts_add_up_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
