/* Sorted sequences of tallies added up; tallies made in parts by several threads: the order, parts
 * of any size, faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/rng.h"
#include "book/statistics/tally.h"

enum { PARTS = 40, LARGE = 100000 };

/* Part 3 is larger than what a thread holds at once; every fifth is empty. */
static uint64_t size_of(uint64_t part)
{
    return part % 5 == 0 ? 0 : part == 3 ? LARGE : part;
}

struct making {
    uint64_t fails_at; /* a part */
};

static enum caxton_status make(void *context, uint64_t part, tally_sink sink, void *sink_context,
                               struct diag *diag)
{
    const struct making *making = context;
    for (uint64_t i = 0; i < size_of(part); i++) {
        const struct tally tally = {.key = part << 32 | i, .counts = {1, 0, 0}};
        enum caxton_status status = sink(sink_context, &tally);
        if (status != STATUS_OK)
            return status;
    }
    if (part >= making->fails_at)
        return diag_fail(STATUS_FORMAT, diag, "part %llu", (unsigned long long)part);
    return STATUS_OK;
}

struct taking {
    uint64_t last;
    uint64_t count;
    uint64_t full; /* so many are too many */
};

static enum caxton_status take(void *context, const struct tally *tally)
{
    struct taking *taking = context;
    assert_true(taking->count == 0 || tally->key > taking->last);
    taking->last = tally->key;
    return ++taking->count == taking->full ? STATUS_IO : STATUS_OK;
}

static const int jobs[] = {1, 2, 3, 8};

static void parts_come_in_order(void **state)
{
    (void)state;
    uint64_t all = 0;
    for (uint64_t part = 0; part < PARTS; part++)
        all += size_of(part);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct making making = {UINT64_MAX};
        struct taking taking = {0};
        struct diag diag = {.text = ""};
        assert_int_equal(tally_parts(PARTS, jobs[i], make, &making, take, &taking, &diag),
                         STATUS_OK);
        assert_int_equal(taking.count, all);
        assert_int_equal(tally_parts(0, jobs[i], make, &making, take, &taking, &diag), STATUS_OK);
    }
}

static void the_first_fault_ends_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct making making = {7};
        struct taking taking = {0};
        struct diag diag = {.text = ""};
        assert_int_equal(tally_parts(PARTS, jobs[i], make, &making, take, &taking, &diag),
                         STATUS_FORMAT);
        assert_string_equal(diag.text, "part 7");
        making.fails_at = UINT64_MAX;
        taking = (struct taking){.full = LARGE / 2};
        assert_int_equal(tally_parts(PARTS, jobs[i], make, &making, take, &taking, &diag),
                         STATUS_IO);
        assert_int_equal(taking.count, LARGE / 2);
    }
}

/* A sorted sequence. */
enum { SEQUENCES = 9, SEQUENCE_MAX = 40 };
struct sequence {
    struct tally tallies[SEQUENCE_MAX];
    size_t count;
    size_t at;
};

static enum caxton_status next_of(void *context, struct tally *out, struct diag *diag)
{
    struct sequence *sequence = context;
    (void)diag;
    if (sequence->at == sequence->count)
        return STATUS_END;
    *out = sequence->tallies[sequence->at++];
    return STATUS_OK;
}

static int order_of(const void *a, const void *b)
{
    return tally_compare(a, b);
}

/* Few different ones, the first and the last that there can be among them. */
static void fill(struct sequence *sequence, uint64_t *chance)
{
    static const uint64_t keys[] = {0, 1, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX};
    static const uint16_t moves[] = {0, 7, UINT16_MAX};
    static const uint32_t facets[] = {0, 1, (1u << FACET_BITS) - 1};
    size_t wanted = rng_splitmix(chance) % SEQUENCE_MAX;
    struct tally *list = sequence->tallies;
    for (size_t i = 0; i < wanted; i++)
        list[i] = (struct tally){.key = keys[rng_splitmix(chance) % 5],
                                 .move = moves[rng_splitmix(chance) % 3],
                                 .facet = facets[rng_splitmix(chance) % 3],
                                 .counts = {rng_splitmix(chance) % 9, 1, 2}};
    qsort(list, wanted, sizeof *list, order_of);
    sequence->count = 0;
    sequence->at = 0;
    for (size_t i = 0; i < wanted; i++)
        if (sequence->count == 0 || tally_compare(&list[sequence->count - 1], &list[i]) != 0)
            list[sequence->count++] = list[i];
}

struct summing {
    const struct sequence *sequences;
    size_t count;
    struct tally last;
    uint64_t wins;
    size_t taken;
};

/* Is it what the sequences have of the move together? */
static enum caxton_status check_sum(void *context, const struct tally *tally)
{
    struct summing *summing = context;
    uint64_t wins = 0;
    assert_true(summing->taken == 0 || tally_compare(&summing->last, tally) < 0);
    for (size_t s = 0; s < summing->count; s++)
        for (size_t i = 0; i < summing->sequences[s].count; i++)
            if (tally_compare(&summing->sequences[s].tallies[i], tally) == 0)
                wins += summing->sequences[s].tallies[i].counts[OUTCOME_WIN];
    assert_int_equal(tally->counts[OUTCOME_WIN], wins);
    summing->wins += wins;
    summing->last = *tally;
    summing->taken++;
    return STATUS_OK;
}

static void sequences_add_up(void **state)
{
    (void)state;
    static struct sequence sequences[SEQUENCES];
    uint64_t chance = 1;
    for (int round = 0; round < 1000; round++) {
        struct tally_input inputs[SEQUENCES];
        struct summing summing = {.sequences = sequences, .count = (size_t)round % SEQUENCES};
        uint64_t wins = 0;
        for (size_t s = 0; s < summing.count; s++) {
            fill(&sequences[s], &chance);
            inputs[s] = (struct tally_input){.next = next_of, .context = &sequences[s]};
            for (size_t i = 0; i < sequences[s].count; i++)
                wins += sequences[s].tallies[i].counts[OUTCOME_WIN];
        }
        assert_int_equal(tally_merge(inputs, summing.count, check_sum, &summing, NULL), STATUS_OK);
        assert_int_equal(summing.wins, wins);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences_add_up),
        cmocka_unit_test(parts_come_in_order),
        cmocka_unit_test(the_first_fault_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
