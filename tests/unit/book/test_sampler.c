/* Sample games: the first of each position, wherever they spill to disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/temp_file.h"
#include "book/count/sampler.h"

enum { GAMES = 560000, POSITIONS = 50000, WORKERS = 3 };

struct seen {
    uint64_t key;
    struct sample sample;
};

static struct seen seen[GAMES];

static int compare(const void *a, const void *b)
{
    const struct seen *one = a;
    const struct seen *other = b;
    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return sample_compare(&one->sample, &other->sample);
}

static void make_games(void)
{
    struct rng rng;
    rng_seed(&rng, 7);
    for (size_t i = 0; i < GAMES; i++)
        seen[i] =
            (struct seen){.key = rng_below(&rng, POSITIONS) * rng_below(&rng, 4),
                          .sample = {.at = rng_below(&rng, 1000),
                                     .mark = (uint32_t)rng_below(&rng, 50), /* some are equal */
                                     .elos = (uint16_t)rng_below(&rng, 3),
                                     .file = (uint16_t)rng_below(&rng, 2)}};
}

/* Gives all games, in an order that depends on `step`, and merges them; the workers' turns are of
 * different lengths. */
static struct sampler *give(size_t memory, size_t most, size_t step, struct sample_merge **merged)
{
    struct diag diag = {.text = ""};
    struct sampler *sampler = sampler_create(memory, WORKERS, most, temp_folder());
    assert_non_null(sampler);
    for (size_t i = 0; i < GAMES; i++) {
        const struct seen *one = &seen[i * step % GAMES];
        int worker = i / 1000 % 5 < WORKERS ? (int)(i / 1000 % 5) : 0;
        assert_int_equal(
            sampler_add(sampler_worker(sampler, worker), one->key, &one->sample, &diag), STATUS_OK);
    }
    assert_int_equal(sampler_merge(sampler, NULL, NULL, merged, &diag), STATUS_OK);
    return sampler;
}

static void assert_first(struct sample_merge *merged, size_t most)
{
    struct sample_set set;
    struct diag diag = {.text = ""};
    for (size_t at = 0; at < GAMES;) {
        uint64_t key = seen[at].key;
        struct sample_set first = {.key = key};
        for (; at < GAMES && seen[at].key == key; at++)
            sample_set_add(&first, &seen[at].sample, most);
        assert_int_equal(sample_merge_next(merged, &set, &diag), STATUS_OK);
        assert_true(set.key == key);
        assert_int_equal(set.count, first.count);
        for (size_t i = 0; i < set.count; i++)
            assert_int_equal(sample_compare(&set.games[i], &first.games[i]), 0);
    }
    assert_int_equal(sample_merge_next(merged, &set, &diag), STATUS_END);
}

static void the_first_are_chosen(void **state)
{
    (void)state;
    static const struct {
        size_t memory;
        size_t most;
        size_t step; /* has no factor in common with GAMES */
        size_t runs; /* at least; 512 are joined */
    } cases[] = {{(size_t)1 << 30, 4, 1, 0}, {0, 4, 1, 514}, {1 << 22, 100, 99989, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample_merge *merged;
        make_games();
        struct sampler *sampler = give(cases[i].memory, cases[i].most, cases[i].step, &merged);
        if (cases[i].runs)
            assert_true(sampler_runs(sampler) >= cases[i].runs);
        else
            assert_int_equal(sampler_runs(sampler), 0);
        qsort(seen, GAMES, sizeof *seen, compare);
        assert_first(merged, cases[i].most);
        sampler_destroy(sampler);
    }
}

static void a_missing_folder_is_named(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct sampler *sampler = sampler_create(0, 1, 4, "/nonexistent");
    enum caxton_status status = STATUS_OK;
    assert_non_null(sampler);
    for (size_t i = 0; i < 2000 && status == STATUS_OK; i++) {
        const struct sample sample = {.mark = 1};
        status = sampler_add(sampler_worker(sampler, 0), i, &sample, &diag);
    }
    assert_int_equal(status, STATUS_IO);
    assert_non_null(strstr(diag.text, "/nonexistent"));
    sampler_destroy(sampler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_are_chosen),
        cmocka_unit_test(a_missing_folder_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
