/* What is searched ahead: positions that wait, and those behind answers that are there already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/grow/look_ahead.h"
#include "book/scoring/packed_position.h"
#include "chess/attacks.h"
#include "tests/support/growing.h"

enum { WANTED = 8 };

/* After 1. e4 the opponent plays e5 in one of two games, c5 and d6 in one of four each. */
struct scene {
    struct setting setting;
    struct limit_rule rule;
    struct dag dag;
    struct frontier frontier;
    struct look_ahead *look;
    struct scorer_question found[WANTED];
};

static uint32_t add(struct scene *scene, const char *before, const char *uci, double probability)
{
    const struct position pos = position_by_moves(before);
    enum dag_outcome outcome;
    move m;
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    assert_int_equal(
        dag_add_move(&scene->dag, dag_find(&scene->dag, pos.key), &pos, m, probability, &outcome),
        STATUS_OK);
    return (uint32_t)scene->dag.node_count - 1;
}

static void answer(struct scene *scene, const char *before, uint64_t depth, const char *uci)
{
    const struct position pos = position_by_moves(before);
    struct packed_position packed;
    struct search_answer found = {.depth = (int)depth};
    position_pack(&pos, &packed);
    assert_int_equal(move_from_uci(&pos, span_of(uci), &found.best), STATUS_OK);
    assert_int_equal(score_store_add(scene->setting.store, &packed,
                                     (struct search_limit){SEARCH_TO_DEPTH, depth}, &found, NULL),
                     STATUS_OK);
}

static void open_scene(struct scene *scene)
{
    struct setting *setting = &scene->setting;
    const struct dag_root root = {.pos = position_by_moves(""), .probability = 1};
    setting->options = (struct grow_options){.side = WHITE, .branch = 4};
    setting->options.root_depth = 10;
    setting->options.min_depth = 8;
    setting->options.root = root.pos;
    open_setting(setting);
    limit_rule_by_depth(10, 8, 4, &scene->rule);
    assert_int_equal(dag_create(&root, 1, &scene->dag), STATUS_OK);
    (void)add(scene, "", "e2e4", 1);
    (void)add(scene, "e2e4", "e7e5", 0.5);
    (void)add(scene, "e2e4", "c7c5", 0.25);
    (void)add(scene, "e2e4", "d7d6", 0.25);
    for (uint32_t node = 3; node <= 4; node++)
        assert_int_equal(frontier_put(&scene->frontier, &scene->dag, node), STATUS_OK);
    const struct look_ahead_view view = {.side = WHITE,
                                         .opponent = &setting->options.opponent,
                                         .own = &setting->options.own,
                                         .rule = &scene->rule,
                                         .dag = &scene->dag,
                                         .frontier = &scene->frontier,
                                         .scorer = setting->scorer};
    assert_int_equal(look_ahead_create(&view, &scene->look), STATUS_OK);
}

static void close_scene(struct scene *scene)
{
    look_ahead_destroy(scene->look);
    frontier_free(&scene->frontier);
    dag_destroy(&scene->dag);
    close_setting(&scene->setting);
}

/* 1. e4 e5 is at hand. */
static void assert_found(struct scene *scene, const char *const *lines, const uint64_t *depths)
{
    size_t count = look_ahead_find(scene->look, 2, scene->found, WANTED);
    for (size_t i = 0; i < count && lines[i]; i++) {
        assert_true(scene->found[i].pos.key == position_by_moves(lines[i]).key);
        assert_int_equal(scene->found[i].limit.kind, SEARCH_TO_DEPTH);
        assert_int_equal(scene->found[i].limit.value, depths[i]);
    }
    assert_null(lines[count]);
}

/* One game in two is searched to 10 plies (B = 4, rounded up), one in four to 9. */
static void what_waits(void **state)
{
    (void)state;
    struct scene scene = {.setting = {.threads = 2}};
    open_scene(&scene);
    static const char *const all[] = {"e2e4 e7e5", "e2e4 c7c5", "e2e4 d7d6", NULL};
    static const char *const others[] = {"e2e4 e7e5", "e2e4 d7d6", "e2e4 c7c5", NULL};
    static const uint64_t depths[] = {10, 9, 9};
    (void)look_ahead_find(scene.look, 2, scene.found, WANTED);
    bool c5_first = scene.found[1].pos.key == position_by_moves("e2e4 c7c5").key;
    assert_found(&scene, c5_first ? all : others, depths);
    assert_int_equal(look_ahead_find(scene.look, 2, scene.found, 1), 1);
    assert_int_equal(look_ahead_find(scene.look, 2, scene.found, 0), 0);
    close_scene(&scene);
    look_ahead_destroy(NULL);
}

/* The answers for c5 and d6 are there: 2. Nf3, and then 2.. d6 and 2.. c5, to the same position. It
 * is as probable as both lines together: one game in two. */
static void behind_answers(void **state)
{
    (void)state;
    struct scene scene = {.setting = {.threads = 2}};
    give(&scene.setting, "e2e4 c7c5 g1f3", "d7d6", 7);
    give(&scene.setting, "e2e4 d7d6 g1f3", "c7c5", 1);
    open_scene(&scene);
    answer(&scene, "e2e4 c7c5", 9, "g1f3");
    static const char *const one[] = {"e2e4 e7e5", "e2e4 d7d6", "e2e4 c7c5 g1f3 d7d6", NULL};
    static const char *const other[] = {"e2e4 e7e5", "e2e4 c7c5 g1f3 d7d6", "e2e4 d7d6", NULL};
    static const uint64_t before[] = {10, 9, 9};
    (void)look_ahead_find(scene.look, 2, scene.found, WANTED);
    bool d6_first = scene.found[1].pos.key == position_by_moves("e2e4 d7d6").key;
    assert_found(&scene, d6_first ? one : other, before);
    answer(&scene, "e2e4 d7d6", 9, "g1f3");
    static const char *const joined[] = {"e2e4 e7e5", "e2e4 c7c5 g1f3 d7d6", NULL};
    static const uint64_t depths[] = {10, 10};
    assert_found(&scene, joined, depths);
    close_scene(&scene);
}

/* Outside the given book each of some twenty replies is too improbable for a search. */
static void not_behind_improbable_moves(void **state)
{
    (void)state;
    struct scene scene = {.setting = {.threads = 2}};
    open_scene(&scene);
    answer(&scene, "e2e4 c7c5", 9, "g1f3");
    answer(&scene, "e2e4 d7d6", 9, "g1f3");
    static const char *const at_hand[] = {"e2e4 e7e5", NULL};
    static const uint64_t depths[] = {10};
    assert_found(&scene, at_hand, depths);
    answer(&scene, "e2e4 e7e5", 10, "g1f3");
    static const char *const nothing[] = {NULL};
    assert_found(&scene, nothing, NULL);
    close_scene(&scene);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits),
        cmocka_unit_test(behind_answers),
        cmocka_unit_test(not_behind_improbable_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
