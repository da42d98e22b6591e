/* The set of fingerprints, in memory and on disk, from one thread and from several. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>

#include "book/count/duplicates.h"

enum { SMALL = 1 << 16, LARGE = 1 << 24, PRINTS = 60000, THREADS = 4, FILES = 512 };

static struct fingerprint print_of(uint64_t number)
{
    struct fingerprint print = {0, 0};
    fingerprint_add(&print, number);
    return fingerprint_finish(print);
}

static bool add(struct duplicates *duplicates, struct fingerprint print)
{
    struct diag diag = {.text = ""};
    bool is_new;
    assert_int_equal(duplicates_add(duplicates, print, &is_new, &diag), STATUS_OK);
    return is_new;
}

static void each_is_new_once(size_t memory, size_t files, bool spills)
{
    struct duplicates *duplicates = duplicates_create(memory, "/tmp", files);
    assert_non_null(duplicates);
    for (uint64_t i = 0; i < PRINTS; i++) {
        assert_true(add(duplicates, print_of(i)));
        assert_false(add(duplicates, print_of(i / 2)));
    }
    for (uint64_t i = 0; i < PRINTS; i++)
        assert_false(add(duplicates, print_of(i)));
    assert_true((duplicates_spilled(duplicates) > 0) == spills);
    duplicates_destroy(duplicates);
}

static void each_is_new_once_in_memory(void **state)
{
    (void)state;
    each_is_new_once(LARGE, FILES, false);
}

static void each_is_new_once_on_disk(void **state)
{
    (void)state;
    each_is_new_once(SMALL, FILES, true);
    each_is_new_once(SMALL, 1, true);
}

static void both_halves_count(void **state)
{
    (void)state;
    struct duplicates *duplicates = duplicates_create(SMALL, "/tmp", FILES);
    assert_non_null(duplicates);
    static const struct fingerprint prints[] = {
        {0, 0}, {0, 1}, {1, 0}, {UINT64_MAX, 0}, {UINT64_MAX, UINT64_MAX}};
    for (size_t i = 0; i < sizeof prints / sizeof *prints; i++)
        assert_true(add(duplicates, prints[i]));
    for (size_t i = 0; i < sizeof prints / sizeof *prints; i++)
        assert_false(add(duplicates, prints[i]));
    duplicates_destroy(duplicates);
}

/* A fingerprint_source of print_of(0), print_of(2), .. in their order. */
struct evens {
    struct fingerprint prints[PRINTS / 2];
    size_t at;
};

static int compare(const void *a, const void *b)
{
    return fingerprint_compare(*(const struct fingerprint *)a, *(const struct fingerprint *)b);
}

static enum caxton_status next_even(void *context, struct fingerprint *out, struct diag *diag)
{
    struct evens *evens = context;
    (void)diag;
    if (evens->at == PRINTS / 2)
        return STATUS_END;
    *out = evens->prints[evens->at++];
    return STATUS_OK;
}

struct list {
    uint64_t count;
    struct fingerprint last;
};

static enum caxton_status take(void *context, struct fingerprint print)
{
    struct list *list = context;
    assert_true(list->count == 0 || fingerprint_compare(list->last, print) < 0);
    list->count++;
    list->last = print;
    return STATUS_OK;
}

/* What was there before is no news, and the list has all, in order, whatever the memory. */
static void a_set_is_loaded_and_listed(void **state)
{
    (void)state;
    static struct evens evens;
    static const size_t memories[] = {SMALL, LARGE};
    for (size_t i = 0; i < PRINTS / 2; i++)
        evens.prints[i] = i ? print_of(2 * i) : (struct fingerprint){0, 0};
    qsort(evens.prints, PRINTS / 2, sizeof *evens.prints, compare);
    for (size_t m = 0; m < 2; m++) {
        struct diag diag = {.text = ""};
        struct list list = {0};
        struct duplicates *duplicates = duplicates_create(memories[m], "/tmp", FILES);
        assert_non_null(duplicates);
        evens.at = 0;
        assert_int_equal(duplicates_load(duplicates, next_even, &evens, &diag), STATUS_OK);
        for (uint64_t i = 1; i < PRINTS; i++)
            assert_int_equal(add(duplicates, print_of(i)), i % 2);
        assert_false(add(duplicates, (struct fingerprint){0, 0}));
        assert_int_equal(duplicates_list(duplicates, take, &list, &diag), STATUS_OK);
        assert_int_equal(list.count, PRINTS);
        duplicates_destroy(duplicates);
    }
}

struct crowd {
    struct duplicates *duplicates;
    _Atomic uint64_t found; /* atomic, relaxed: read when all threads have ended */
    _Atomic uint64_t faults;
};

static void *add_all(void *argument)
{
    struct crowd *crowd = argument;
    for (uint64_t i = 0; i < PRINTS; i++) {
        bool is_new = false;
        if (duplicates_add(crowd->duplicates, print_of(i), &is_new, NULL) != STATUS_OK)
            atomic_fetch_add_explicit(&crowd->faults, 1, memory_order_relaxed);
        if (is_new)
            atomic_fetch_add_explicit(&crowd->found, 1, memory_order_relaxed);
    }
    return NULL;
}

/* All threads add the same: each fingerprint is new to exactly one of them. */
static void threads_share_a_set(void **state)
{
    (void)state;
    struct crowd crowd = {.duplicates = duplicates_create(SMALL, "/tmp", FILES)};
    pthread_t threads[THREADS];
    assert_non_null(crowd.duplicates);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_all, &crowd), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(crowd.faults, 0);
    assert_int_equal(crowd.found, PRINTS);
    duplicates_destroy(crowd.duplicates);
}

static void a_missing_folder_is_named(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct duplicates *duplicates = duplicates_create(SMALL, "/no/such/folder", FILES);
    assert_non_null(duplicates);
    enum caxton_status status = STATUS_OK;
    for (uint64_t i = 0; i < PRINTS && status == STATUS_OK; i++) {
        bool is_new;
        status = duplicates_add(duplicates, print_of(i), &is_new, &diag);
    }
    assert_int_equal(status, STATUS_IO);
    assert_memory_equal(diag.text, "/no/such/folder: ", 17);
    duplicates_destroy(duplicates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_new_once_in_memory), cmocka_unit_test(each_is_new_once_on_disk),
        cmocka_unit_test(both_halves_count),          cmocka_unit_test(threads_share_a_set),
        cmocka_unit_test(a_missing_folder_is_named),  cmocka_unit_test(a_set_is_loaded_and_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
