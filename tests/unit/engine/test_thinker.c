/* What the thinker makes of a request before it searches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "engine/thinker.h"
#include "search/search.h"

enum { ENOUGH_DEPTH = 20 };

struct watch {
    struct thinker *thinker;
    int depth;
};

static void stop_when_deep(void *context, const struct search_info *info)
{
    struct watch *watch = context;
    watch->depth = info->depth;
    if (info->depth >= ENOUGH_DEPTH)
        search_stop(watch->thinker->search);
}

/* An analysis of a position with one legal move goes on until it is stopped. */
static void one_legal_move_is_analysed(void **state)
{
    (void)state;
    struct thinker thinker;
    assert_int_equal(thinker_init(&thinker, 1), STATUS_OK);
    struct options options = {.multipv = 1};
    struct search_request request;
    search_request_init(&request);
    assert_int_equal(fen_parse(span_of("7k/8/8/8/8/8/1r6/K7 w - - 0 1"), &request.root, NULL),
                     STATUS_OK);
    request.infinite = true;
    request.time_ms[WHITE] = 1000; /* some interfaces send clocks with infinite */
    struct watch watch = {.thinker = &thinker};
    struct search_reporter reporter = {.context = &watch, .info = stop_when_deep};
    struct search_result result;
    search_arm(thinker.search, false, 0);
    thinker_search(&thinker, &options, &request, &reporter, &result);
    assert_int_equal(watch.depth, ENOUGH_DEPTH);
    thinker_free(&thinker);
}

/* The nodes of so many searches in turn, with what an interface would send whose clock does not
 * run. */
static uint64_t search_by_nodes(struct thinker *thinker, int count, int moves_to_go)
{
    struct options options;
    options_init(&options);
    struct search_request request;
    search_request_init(&request);
    request.nodes_per_ms = 100;
    request.time_ms[WHITE] = 500;
    request.moves_to_go = moves_to_go;
    uint64_t nodes = 0;
    for (int i = 0; i < count; i++) {
        struct search_reporter reporter = {0};
        struct search_result result;
        search_arm(thinker->search, false, 0);
        thinker_search(thinker, &options, &request, &reporter, &result);
        nodes += result.nodes;
    }
    return nodes;
}

/* With `nodestime` a game takes no more nodes than its clock stands for; the next game and the next
 * time control have as many again. */
static void nodes_are_taken_from_the_clock(void **state)
{
    (void)state;
    enum { CLOCK = 500 * 100, FIRST = CLOCK / 50 };
    struct thinker thinker;
    assert_int_equal(thinker_init(&thinker, 1), STATUS_OK);
    uint64_t first = search_by_nodes(&thinker, 1, 0);
    assert_in_range(first, FIRST, CLOCK);
    assert_in_range(first + search_by_nodes(&thinker, 60, 0), CLOCK / 2, CLOCK);
    assert_in_range(search_by_nodes(&thinker, 1, 0), 0, FIRST - 1);
    assert_in_range(search_by_nodes(&thinker, 1, 5), FIRST, CLOCK);
    assert_in_range(search_by_nodes(&thinker, 4, 1), CLOCK, 4 * CLOCK); /* four controls */
    assert_in_range(search_by_nodes(&thinker, 1, 0), FIRST, CLOCK);
    thinker_new_game(&thinker);
    assert_int_equal(search_by_nodes(&thinker, 1, 0), first);
    thinker_free(&thinker);
}

/* The nodes of the searches while the moves to go are counted down from `first` to `last`. */
static uint64_t count_down(struct thinker *thinker, int first, int last)
{
    uint64_t nodes = 0;
    for (int moves_to_go = first; moves_to_go >= last; moves_to_go--)
        nodes += search_by_nodes(thinker, 1, moves_to_go);
    return nodes;
}

/* The opponent played another move: no move of ours was made meanwhile. */
static void a_missed_ponder_search_wins_no_nodes(void **state)
{
    (void)state;
    enum { CLOCK = 500 * 100 };
    struct thinker thinker;
    struct options options;
    struct search_request request;
    struct search_reporter reporter = {0};
    struct search_result result;
    assert_int_equal(thinker_init(&thinker, 1), STATUS_OK);
    options_init(&options);
    uint64_t nodes = count_down(&thinker, 40, 21);
    search_request_init(&request);
    request.nodes_per_ms = 100;
    request.time_ms[WHITE] = 500;
    request.increment_ms[WHITE] = 400;
    request.moves_to_go = 20;
    request.ponder = true;
    search_arm(thinker.search, true, 0);
    search_stop(thinker.search);
    thinker_search(&thinker, &options, &request, &reporter, &result);
    assert_true(result.missed);
    nodes += result.nodes + count_down(&thinker, 20, 1);
    assert_in_range(nodes, CLOCK / 2, CLOCK);
    thinker_free(&thinker);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_legal_move_is_analysed),
        cmocka_unit_test(nodes_are_taken_from_the_clock),
        cmocka_unit_test(a_missed_ponder_search_wins_no_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
