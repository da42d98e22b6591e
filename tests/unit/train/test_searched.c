/* Positions that a search evaluates: which are kept, and what the teacher says of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "chess/attacks.h"
#include "eval/train/datagen/searched.h"
#include "eval/train/datagen/teacher_search.h"
#include "search/search.h"
#include "tests/support/teacher_sample.h"

static struct teacher_net *net;
static struct search *search;

static int set_up(void **state)
{
    (void)state;
    chess_init();
    size_t size;
    uint8_t *bytes = teacher_sample_bytes(TEACHER_SAMPLE_15, &size);
    enum caxton_status status = bytes ? teacher_net_parse(bytes, size, &net, NULL) : STATUS_IO;
    free(bytes);
    search = search_create();
    return status == STATUS_OK && search ? 0 : 1;
}

static int tear_down(void **state)
{
    (void)state;
    search_destroy(search);
    teacher_net_free(net);
    return 0;
}

static void search_start_position(struct searched *searched, uint64_t nodes)
{
    struct search_request request;
    struct search_reporter silent = {0};
    struct search_result result;
    search_request_init(&request);
    position_start(&request.root);
    request.nodes = nodes;
    search_clear(search);
    search_set_watch(search, searched_watch, searched);
    searched_begin(searched);
    search_arm(search, false, clock_ms());
    search_run(search, &request, &silent, &result);
    search_set_watch(search, NULL, NULL);
}

static void values_are_those_of_the_position_alone(void **state)
{
    (void)state;
    struct searched *searched = searched_create(net, 40, 1);
    struct teacher *teacher = teacher_create(net, NULL);
    assert_non_null(searched);
    assert_non_null(teacher);
    search_start_position(searched, 2000);
    assert_int_equal(searched_count(searched), 40);
    for (int i = 0; i < 40; i++) {
        struct teacher_accumulator accumulator;
        int score;
        const struct position *pos = searched_position(searched, i, &score);
        teacher_refresh(teacher, pos, &accumulator);
        assert_int_equal(score, teacher_centipawns(teacher_value(teacher, pos, &accumulator)));
        assert_false(position_in_check(pos));
    }
    teacher_destroy(teacher);
    searched_destroy(searched);
}

static uint64_t sum_of_keys(struct searched *searched)
{
    uint64_t sum = 0;
    int score;
    for (int i = 0; i < searched_count(searched); i++)
        sum += searched_position(searched, i, &score)->key;
    return sum;
}

static void the_seed_decides_which_are_kept(void **state)
{
    (void)state;
    uint64_t sums[3];
    for (int i = 0; i < 3; i++) {
        struct searched *searched = searched_create(net, 8, (uint64_t)(i / 2));
        assert_non_null(searched);
        search_start_position(searched, 2000);
        sums[i] = sum_of_keys(searched);
        searched_destroy(searched);
    }
    assert_true(sums[0] == sums[1]);
    assert_true(sums[0] != sums[2]);
}

/* Fewer than there is room for: all of them, and none is left of an earlier search. */
static void a_short_search_gives_what_it_has(void **state)
{
    (void)state;
    struct searched *searched = searched_create(net, SEARCHED_MAX, 1);
    assert_non_null(searched);
    search_start_position(searched, 2000);
    assert_int_equal(searched_count(searched), SEARCHED_MAX);
    search_start_position(searched, 1);
    assert_in_range(searched_count(searched), 1, SEARCHED_MAX - 1);
    int score;
    struct position start;
    position_start(&start);
    assert_true(searched_position(searched, 0, &score)->key == start.key);
    searched_begin(searched);
    assert_int_equal(searched_count(searched), 0);
    searched_destroy(searched);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_position_alone),
        cmocka_unit_test(the_seed_decides_which_are_kept),
        cmocka_unit_test(a_short_search_gives_what_it_has),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
