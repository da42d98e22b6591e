/* Tallies made in parts by several threads: the order, parts of any size, faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_come_in_order),
        cmocka_unit_test(the_first_fault_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
