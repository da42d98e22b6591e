/* Books that begin elsewhere, by lines and positions; and moves that are kept. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "tests/support/growing.h"

enum { LINE_PLIES = 12 };

/* A start with room for its line. */
struct lined {
    struct start start;
    move line[LINE_PLIES];
};

static void set_line(struct lined *lined, const char *moves)
{
    struct span rest = span_of(moves);
    struct position pos;
    position_start(&pos);
    lined->start = (struct start){.root = pos, .line = lined->line};
    for (struct span token; (token = span_token(&rest)).size;) {
        assert_true(lined->start.plies < LINE_PLIES);
        move *m = &lined->line[lined->start.plies++];
        assert_int_equal(move_from_uci(&pos, token, m), STATUS_OK);
        position_play(&pos, *m);
    }
}

static struct grow_starts *starts_of(const char *const *lines, size_t count)
{
    struct lined lined[8];
    struct start list[8];
    struct grow_starts *starts = NULL;
    struct diag diag = {.text = ""};
    size_t fault;
    for (size_t i = 0; i < count; i++) {
        set_line(&lined[i], lines[i]);
        list[i] = lined[i].start;
    }
    if (starts_create(list, count, &starts, &fault, &diag) != STATUS_OK)
        fail_msg("%s %s", lines[fault], diag.text);
    return starts;
}

static void refuses(const char *const *lines, size_t count, size_t fault, const char *why)
{
    struct lined lined[8];
    struct start list[8];
    struct grow_starts *starts = NULL;
    struct diag diag = {.text = ""};
    size_t found = 99;
    for (size_t i = 0; i < count; i++) {
        set_line(&lined[i], lines[i]);
        list[i] = lined[i].start;
    }
    assert_int_equal(starts_create(list, count, &starts, &found, &diag), STATUS_ILLEGAL);
    assert_int_equal(found, fault);
    assert_string_equal(diag.text, why);
}

static void lines_that_cannot_be(void **state)
{
    (void)state;
    static const char *const inside[] = {"e2e4 c7c5 g1f3", "d2d4", "e2e4 c7c5"};
    refuses(inside, 3, 2, "is on the way to another start");
    static const char *const again[] = {"d2d4", "g1f3 g8f6 f3g1 f6g8 e2e4"};
    refuses(again, 2, 1, "comes to a position twice");
}

static void assert_node(const struct grow *grow, const char *moves, double probability, int depth)
{
    uint32_t node = node_after(grow, moves);
    if (node == DAG_NONE)
        fail_msg("no position after %s", moves);
    const struct dag_node *found = &grow_dag(grow)->nodes[node];
    if (fabs(found->probability - probability) > 1e-12)
        fail_msg("%s: %.17g", moves, found->probability);
    if (found->depth != depth)
        fail_msg("%s: depth %d", moves, found->depth);
}

/* Three starts for White. D = 10, d = 8, B = 3: log3(1/3) = -1, so the starts with White to move
 * are searched 9 plies.
 *
 *  1. e4 c5 2. Nf3        2/3 begin with e4, 1/3 with d4: White's moves of weights 2 : 1
 *  1. e4 e5
 *  1. d4 d5
 *
 * After 1. e4 Black plays c5 and e5 alike, whatever his book says; behind the starts he plays by
 * his book. 2. Nf3 of the first line needs no search. */
static void three_lines(void **state)
{
    (void)state;
    struct setting setting = {.threads = 1};
    static const char *const lines[] = {"e2e4 c7c5 g1f3", "e2e4 e7e5", "d2d4 d7d5"};
    struct grow_starts *starts = starts_of(lines, 3);
    give(&setting, "e2e4", "a7a6", 1);
    give(&setting, "e2e4 c7c5 g1f3", "d7d6", 1);
    give(&setting, "e2e4 e7e5 b1c3", "g8f6", 1);
    give(&setting, "d2d4 d7d5 c2c4", "e7e6", 1);
    find(&setting, "e2e4 c7c5 g1f3 d7d6", "d2d4");
    find(&setting, "e2e4 e7e5", "b1c3");
    find(&setting, "e2e4 e7e5 b1c3 g8f6", "g1f3");
    find(&setting, "d2d4 d7d5", "c2c4");
    find(&setting, "d2d4 d7d5 c2c4 e7e6", "b1c3");
    setting.script.only = true;
    setting.options = (struct grow_options){
        .side = WHITE, .root_depth = 10, .min_depth = 9, .branch = 3, .starts = starts};
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    assert_node(setting.grow, "", 1, 0);
    assert_node(setting.grow, "e2e4", 2 / 3.0, 0);
    assert_node(setting.grow, "e2e4 c7c5", 1 / 3.0, 0);
    assert_node(setting.grow, "e2e4 c7c5 g1f3", 1 / 3.0, 0);
    assert_node(setting.grow, "e2e4 c7c5 g1f3 d7d6", 1 / 3.0, 9);
    assert_node(setting.grow, "e2e4 e7e5", 1 / 3.0, 9);
    assert_node(setting.grow, "d2d4 d7d5", 1 / 3.0, 9);
    assert_int_equal(node_after(setting.grow, "e2e4 a7a6"), DAG_NONE);
    assert_int_equal(grow_counts(setting.grow)->own_known, 2);

    struct entry_list list = {0};
    assert_int_equal(grow_own_entries(setting.grow, &list), STATUS_OK);
    entry_list_sort(&list);
    const struct entry_table own = {.entries = list.entries, .count = list.count};
    struct book_move moves[MOVES_MAX];
    const struct position root = position_by_moves("");
    assert_int_equal(entry_table_probe(&own, &root, moves), 2);
    book_moves_sort(moves, 2);
    assert_int_equal(moves[0].move, move_make(12, 28));
    assert_int_equal(moves[0].weight, 43690); /* 65535 * 2/3 */
    assert_int_equal(moves[1].weight, 21845);
    const struct position after = position_by_moves("e2e4 c7c5");
    assert_int_equal(entry_table_probe(&own, &after, moves), 1);
    assert_int_equal(moves[0].move, move_make(6, 21));
    assert_int_equal(moves[0].weight, 1);
    entry_list_free(&list);
    close_setting(&setting);
    starts_destroy(starts);
}

/* Two positions, one with Black to move: each is a root of 1/2, and each side's own moves are found
 * by who is to move there. The second is reached from the first, too: 1/2 + 1/2. */
static void two_positions(void **state)
{
    (void)state;
    struct setting setting = {.threads = 1};
    const struct start list[] = {{.root = position_by_moves("e2e4 e7e5")},
                                 {.root = position_by_moves("e2e4 e7e5 g1f3")}};
    struct grow_starts *starts = NULL;
    size_t fault;
    assert_int_equal(starts_create(list, 2, &starts, &fault, NULL), STATUS_OK);
    give(&setting, "e2e4 e7e5 g1f3", "b8c6", 1);
    give(&setting, "e2e4 e7e5 g1f3", "d7d6", 1);
    find(&setting, "e2e4 e7e5", "g1f3");
    find(&setting, "e2e4 e7e5 g1f3 b8c6", "f1b5");
    find(&setting, "e2e4 e7e5 g1f3 d7d6", "d2d4");
    setting.script.only = true;
    setting.options = (struct grow_options){
        .side = WHITE, .root_depth = 10, .min_depth = 9, .branch = 3, .starts = starts};
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    assert_node(setting.grow, "e2e4 e7e5", .5, 9);
    assert_node(setting.grow, "e2e4 e7e5 g1f3", 1, 0);
    assert_node(setting.grow, "e2e4 e7e5 g1f3 b8c6", .5, 9);
    assert_node(setting.grow, "e2e4 e7e5 g1f3 d7d6", .5, 9);
    assert_int_equal(grow_counts(setting.grow)->own_moves, 3);
    close_setting(&setting);
    starts_destroy(starts);
}

/* The kept book plays 1. e4 three times of four, 1. d4 once, and 2. Nf3 after 1. e4 e5. The search
 * fills the gaps: after 1. e4 c5 and 1. d4 d5. No search is made where the kept book knows. */
static void kept_moves(void **state)
{
    (void)state;
    struct setting setting = {.threads = 4};
    struct book_bytes mine = {.size = 0};
    put(&mine, position_by_moves("").key, "e2e4", 3);
    put(&mine, position_by_moves("").key, "d2d4", 1);
    put(&mine, position_by_moves("e2e4 e7e5").key, "g1f3", 1);
    put(&mine, position_by_moves("e2e4 c7c5").key, "g1f3", 0); /* never played: a gap */
    struct book *kept = open_bytes(&mine);
    give(&setting, "e2e4", "e7e5", 1);
    give(&setting, "e2e4", "c7c5", 1);
    give(&setting, "d2d4", "d7d5", 1);
    find(&setting, "e2e4 c7c5", "b1c3");
    find(&setting, "d2d4 d7d5", "c2c4");
    setting.script.only = true;
    setting.options = (struct grow_options){
        .side = WHITE, .root_depth = 10, .min_depth = 9, .branch = 3, .kept = kept};
    position_start(&setting.options.root);
    open_setting(&setting);
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    assert_node(setting.grow, "e2e4", .75, 0);
    assert_node(setting.grow, "e2e4 e7e5", .375, 0);
    assert_node(setting.grow, "e2e4 c7c5", .375, 9);
    assert_node(setting.grow, "d2d4 d7d5", .25, 9);
    const struct grow_counts *counts = grow_counts(setting.grow);
    assert_int_equal(counts->own_known, 2);
    assert_int_equal(counts->own_moves, 5);
    assert_int_equal(counts->searches, 2);
    assert_int_equal(atomic_load(&setting.script.searched), 2);
    close_setting(&setting);
    book_close(kept);
}

/* A move that the store has as chosen is played without a search, unless the kept book knows the
 * position; one that is not legal counts for nothing. */
static void chosen_moves(void **state)
{
    (void)state;
    struct setting setting = {.threads = 1};
    struct book_bytes mine = {.size = 0};
    struct packed_position packed;
    put(&mine, position_by_moves("").key, "e2e4", 1);
    struct book *kept = open_bytes(&mine);
    give(&setting, "e2e4", "e7e5", 1);
    give(&setting, "e2e4", "c7c5", 1);
    find(&setting, "e2e4 c7c5", "g1f3");
    setting.script.only = true;
    setting.options = (struct grow_options){
        .side = WHITE, .root_depth = 10, .min_depth = 9, .branch = 3, .kept = kept};
    position_start(&setting.options.root);
    open_setting(&setting);
    static const struct {
        const char *moves;
        int from;
        int to;
    } chosen[] = {
        {"", 11, 27 /* d4 */}, {"e2e4 e7e5", 5, 26 /* Bc4 */}, {"e2e4 c7c5", 0, 63 /* Ra1xh8 */}};
    for (int i = 0; i < 3; i++) {
        const struct position pos = position_by_moves(chosen[i].moves);
        position_pack(&pos, &packed);
        assert_int_equal(score_store_choose(setting.store, &packed,
                                            move_make(chosen[i].from, chosen[i].to),
                                            CHOSEN_BY_LOSSES, 3, NULL),
                         STATUS_OK);
    }
    assert_int_equal(grow_run(setting.grow, NULL), STATUS_OK);
    assert_node(setting.grow, "e2e4", 1, 0);
    assert_node(setting.grow, "e2e4 e7e5 f1c4", .5, 0);
    assert_node(setting.grow, "e2e4 c7c5 g1f3", .5, 0);
    assert_int_equal(grow_counts(setting.grow)->own_known, 2);
    assert_int_equal(grow_counts(setting.grow)->searches, 1);
    close_setting(&setting);
    book_close(kept);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_cannot_be), cmocka_unit_test(three_lines),
        cmocka_unit_test(two_positions),        cmocka_unit_test(kept_moves),
        cmocka_unit_test(chosen_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
