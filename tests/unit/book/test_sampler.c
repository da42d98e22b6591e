/* Sample games: those that the rule keeps of each position, wherever they spill to disk. */
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

/* marks: so many different ones, so that some are equal. */
static void make_games(uint64_t marks, bool by_facets)
{
    struct rng rng;
    rng_seed(&rng, 7);
    for (size_t i = 0; i < GAMES; i++) {
        struct seen *one = &seen[i];
        *one = (struct seen){.key = rng_below(&rng, POSITIONS) * rng_below(&rng, 4),
                             .sample = {.at = rng_below(&rng, 1000),
                                        .mark = (uint32_t)rng_below(&rng, marks),
                                        .elos = (uint16_t)rng_below(&rng, 3),
                                        .file = (uint16_t)rng_below(&rng, 2)}};
        if (!by_facets)
            continue;
        one->key = rng_below(&rng, 100) ? 1 + rng_below(&rng, POSITIONS) : 0;
        /* Some are rare. */
        uint64_t speed = rng_below(&rng, 1 + rng_below(&rng, SPEEDS));
        uint64_t month = month_make(2026 - (unsigned)rng_below(&rng, 1 + rng_below(&rng, 100)),
                                    (unsigned)rng_below(&rng, MONTHS_A_YEAR));
        one->sample.facet = facet_make((uint32_t)month, (enum speed)speed,
                                       (int)rng_below(&rng, 1 + rng_below(&rng, RATING_GROUPS)));
        one->sample.move = (uint16_t)rng_below(&rng, 1 + rng_below(&rng, 80));
    }
}

/* Gives all games, in an order that depends on `step`, and merges them; the workers' turns are of
 * different lengths. */
static struct sampler *give(size_t memory, const struct sample_rule *rule, size_t step,
                            struct sample_merge **merged)
{
    struct diag diag = {.text = ""};
    struct sampler *sampler = sampler_create(memory, WORKERS, rule, temp_folder());
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

/* The rule of sample.h once more, in another way: games of one position without equal ones, in
 * order, are dealt out group by group. */

enum { MOVE = 1, KIND = 2, YEAR = 4 };

static bool have_in_common(int what, const struct sample *a, const struct sample *b)
{
    return (!(what & MOVE) || a->move == b->move) &&
           (!(what & KIND) || (facet_speed(a->facet) == facet_speed(b->facet) &&
                               facet_group(a->facet) == facet_group(b->facet))) &&
           (!(what & YEAR) ||
            facet_month(a->facet) / MONTHS_A_YEAR == facet_month(b->facet) / MONTHS_A_YEAR);
}

static void deal(const struct sample *games, size_t count, int what, size_t each, size_t most,
                 bool *kept)
{
    size_t *rank = calloc(count, sizeof *rank);
    assert_non_null(rank);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i && rank[i] < each; j++)
            rank[i] += have_in_common(what, &games[i], &games[j]);
    for (size_t round = 0; round < each; round++)
        for (size_t i = 0; i < count && most > 0; i++)
            if (rank[i] == round) {
                kept[i] = true;
                most--;
            }
    free(rank);
}

static int by_month(const void *a, const void *b)
{
    const struct sample *one = a;
    const struct sample *other = b;
    uint32_t months[2] = {facet_month(one->facet), facet_month(other->facet)};
    return months[0] != months[1] ? (months[0] > months[1] ? -1 : 1) : sample_compare(one, other);
}

static int by_order(const void *a, const void *b)
{
    return sample_compare(a, b);
}

/* games[0..count): in order; those that are kept come to the front. Returns how many. */
static size_t keep(struct sample *games, size_t count, const struct sample_rule *rule)
{
    size_t each = rule->most < 8 ? rule->most : 8;
    bool *kept = calloc(count, sizeof *kept);
    assert_non_null(kept);
    size_t left = 0;
    if (rule->by_facets) {
        qsort(games, count, sizeof *games, by_month);
        deal(games, count, KIND, each, 448, kept);
        deal(games, count, MOVE, 1, 64, kept);
        deal(games, count, MOVE | KIND, 1, 64, kept);
        for (size_t i = 0; i < count; i++)
            games[i].chosen = kept[i];
        qsort(games, count, sizeof *games, by_order);
        for (size_t i = 0; i < count; i++) {
            kept[i] = games[i].chosen;
            games[i].chosen = 0;
        }
        deal(games, count, YEAR, each, 64, kept);
    }
    deal(games, count, 0, rule->most, rule->most, kept);
    for (size_t i = 0; i < count; i++)
        if (kept[i])
            games[left++] = games[i];
    free(kept);
    return left;
}

/* seen[] is sorted. Returns the most games of a position. */
static size_t assert_kept(struct sample_merge *merged, const struct sample_rule *rule)
{
    static struct sample games[GAMES];
    struct sample_set set;
    struct diag diag = {.text = ""};
    size_t largest = 0;
    for (size_t at = 0; at < GAMES;) {
        uint64_t key = seen[at].key;
        size_t count = 0;
        for (; at < GAMES && seen[at].key == key; at++) {
            const struct sample *next = &seen[at].sample;
            bool is_there = false;
            for (size_t i = 0; i < count && !is_there; i++)
                is_there = games[i].mark == next->mark && games[i].facet == next->facet &&
                           games[i].move == next->move;
            if (!is_there)
                games[count++] = *next;
        }
        count = keep(games, count, rule);
        assert_int_equal(sample_merge_next(merged, &set, &diag), STATUS_OK);
        assert_true(set.key == key);
        assert_int_equal(set.count, count);
        for (size_t i = 0; i < set.count; i++)
            assert_int_equal(sample_compare(&set.games[i], &games[i]), 0);
        largest = count > largest ? count : largest;
    }
    assert_int_equal(sample_merge_next(merged, &set, &diag), STATUS_END);
    return largest;
}

static void the_rule_is_kept(void **state)
{
    (void)state;
    static const struct {
        size_t memory;
        struct sample_rule rule;
        size_t step;    /* has no factor in common with GAMES */
        size_t runs;    /* at least; 512 are joined */
        uint64_t marks; /* different ones */
        size_t largest; /* games of a position */
    } cases[] = {
        {(size_t)1 << 30, {4, false}, 1, 0, 50, 4}, {0, {4, false}, 1, 514, 50, 4},
        {1 << 22, {100, false}, 99989, 2, 50, 50},  {(size_t)1 << 30, {8, true}, 1, 0, 1, 400},
        {0, {4, true}, 99989, 514, 1, 300},         {1 << 22, {100, true}, 99989, 2, 2, 400}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample_merge *merged;
        make_games(cases[i].marks, cases[i].rule.by_facets);
        struct sampler *sampler = give(cases[i].memory, &cases[i].rule, cases[i].step, &merged);
        if (cases[i].runs)
            assert_true(sampler_runs(sampler) >= cases[i].runs);
        else
            assert_int_equal(sampler_runs(sampler), 0);
        qsort(seen, GAMES, sizeof *seen, compare);
        assert_true(assert_kept(merged, &cases[i].rule) >= cases[i].largest);
        sampler_destroy(sampler);
    }
}

/* What is chosen of parts, and then of these, is what is chosen of all at once. */
static void parts_give_the_same(void **state)
{
    (void)state;
    enum { PARTS = 3, ALL = 1500 };
    make_games(40, true);
    struct rng rng;
    rng_seed(&rng, 1);
    for (int round = 0; round < 60; round++) {
        static struct sample_set parts[PARTS];
        static struct sample_set sum;
        static struct sample games[ALL];
        size_t count = (size_t)rng_below(&rng, round % 10 ? 60 : ALL);
        const struct sample_rule rule = {1 + rng_below(&rng, 12), true};
        size_t from = (size_t)rng_below(&rng, GAMES - ALL);
        for (int i = 0; i < PARTS; i++)
            parts[i].count = 0;
        for (size_t i = 0; i < count; i++)
            sample_set_add(&parts[rng_below(&rng, PARTS)], &seen[from + i].sample, &rule);
        for (size_t i = 0; i < count; i++)
            games[i] = seen[from + i].sample;
        sum.count = 0;
        for (int i = 0; i < PARTS; i++) {
            sample_set_choose(&parts[i], &rule);
            assert_true(parts[i].count <= SAMPLE_SET_MAX);
            for (size_t k = 0; k < parts[i].count; k++)
                sample_set_add(&sum, &parts[i].games[k], &rule);
        }
        sample_set_choose(&sum, &rule);
        qsort(games, count, sizeof *games, by_order);
        size_t different = 0;
        for (size_t i = 0; i < count; i++) {
            bool is_there = false;
            for (size_t k = 0; k < different && !is_there; k++)
                is_there = games[k].mark == games[i].mark && games[k].facet == games[i].facet &&
                           games[k].move == games[i].move;
            if (!is_there)
                games[different++] = games[i];
        }
        assert_int_equal(sum.count, keep(games, different, &rule));
        for (size_t i = 0; i < sum.count; i++)
            assert_int_equal(sample_compare(&sum.games[i], &games[i]), 0);
    }
}

static void a_missing_folder_is_named(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct sampler *sampler = sampler_create(0, 1, &(struct sample_rule){4, false}, "/nonexistent");
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
        cmocka_unit_test(the_rule_is_kept),
        cmocka_unit_test(parts_give_the_same),
        cmocka_unit_test(a_missing_folder_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
