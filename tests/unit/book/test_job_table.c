/* A table of questions, beside a plain list of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "book/scoring/job_table.h"
#include "chess/attacks.h"

enum { QUESTIONS = 500, STEPS = 20000 };

static struct scorer_question question_of(size_t number)
{
    struct position pos;
    position_start(&pos);
    return scorer_question_of(
        &pos, (struct search_limit){number % 2 ? SEARCH_TO_DEPTH : SEARCH_NODES, number / 2});
}

static void added_found_removed(void **state)
{
    (void)state;
    struct rng rng;
    struct job_table table = {.count = 0};
    bool is_in[QUESTIONS] = {false};
    size_t count = 0;
    rng_seed(&rng, 9);
    for (int step = 0; step < STEPS; step++) {
        size_t number = (size_t)rng_below(&rng, QUESTIONS);
        const struct scorer_question question = question_of(number);
        struct job_entry *entry = job_table_find(&table, &question);
        assert_int_equal(entry != NULL, is_in[number]);
        if (entry) {
            assert_int_equal(entry->failed, number);
            assert_true(job_table_remove(&table, &question));
        } else {
            assert_false(job_table_remove(&table, &question));
            entry = job_table_add(&table, &question);
            assert_non_null(entry);
            assert_int_equal(entry->failed, 0);
            entry->failed = (unsigned)number;
        }
        is_in[number] = !is_in[number];
        count += is_in[number] ? 1 : (size_t)-1;
        assert_int_equal(table.count, count);
    }
    job_table_free(&table);
    assert_int_equal(table.count, 0);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {cmocka_unit_test(added_found_removed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
