/* Whole games by a clock that is only counted, on machines that are late: what is left of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/rng.h"
#include "chess/attacks.h"
#include "search/search.h"
#include "search/timeman.h"

/* The clock of one side. Times are milliseconds. */
struct control {
    const char *name;
    int64_t base;
    int64_t increment;
    int moves;        /* after so many the base comes again; 0: never */
    int64_t movetime; /* 0: a clock */
    int64_t overhead; /* Move Overhead */
    int length;       /* the longest game, moves */
    int64_t least[3]; /* so much is always left, by machine */
};

/* Below 0: a stall that comes when the clock, or the time for the move, is as short as the stall.
 */
static const struct control controls[] = {
    {"0.1+0.01", 100, 10, 0, 0, 10, 200, {40, 20, -60}},
    {"0.5+0.005", 500, 5, 0, 0, 10, 150, {200, 60, 20}},
    {"1+0.01", 1000, 10, 0, 0, 10, 200, {60, 40, -20}},
    {"1+0.01, overhead 0", 1000, 10, 0, 0, 0, 200, {60, 40, -30}},
    {"1+0.01, overhead 30", 1000, 10, 0, 0, 30, 100, {600, 600, 500}},
    {"2+0.02", 2000, 20, 0, 0, 10, 200, {100, 80, 40}},
    {"10+0.1", 10000, 100, 0, 0, 10, 200, {300, 300, 250}},
    {"10+0.1, overhead 100", 10000, 100, 0, 0, 100, 200, {300, 300, 250}},
    {"60+1", 60000, 1000, 0, 0, 10, 200, {2000, 2000, 2000}},
    {"1+0", 1000, 0, 0, 0, 10, 80, {300, 60, 20}},
    {"10+0", 10000, 0, 0, 0, 10, 120, {300, 60, 20}},
    {"60+0", 60000, 0, 0, 0, 10, 150, {300, 60, 20}},
    {"60+0, overhead 0", 60000, 0, 0, 0, 0, 150, {40, 20, -40}},
    {"60+0, overhead 200", 60000, 0, 0, 0, 200, 120, {2000, 2000, 2000}},
    {"300+0", 300000, 0, 0, 0, 10, 200, {300, 60, 20}},
    {"1 s for 40 moves", 1000, 0, 40, 0, 10, 200, {40, 20, 0}},
    {"10 s for 40 moves", 10000, 0, 40, 0, 10, 200, {60, 40, 20}},
    {"10 s for 5 moves and 0.1", 10000, 100, 5, 0, 10, 200, {60, 60, 60}},
    {"0.5 s for 1 move", 500, 0, 1, 0, 10, 200, {60, 60, 40}},
    {"0.05 s for 1 move", 50, 0, 1, 0, 10, 200, {20, 5, -60}},
    {"0.2 s a move", 0, 0, 0, 200, 10, 50, {5, -15, -60}},
    {"0.05 s a move", 0, 0, 0, 50, 20, 50, {10, -15, -60}},
};

enum { CONTROLS = sizeof controls / sizeof *controls, GAMES = 1000 / CONTROLS + 1 };

/* How late a machine is: at each move for the way to the engine and back and for the look at the
 * clock, and now and then, while another program runs, for much longer. */
struct machine {
    const char *name;
    int lag;       /* at most */
    int stall;     /* at most */
    int stall_per; /* one move of so many; 0: never */
};

static const struct machine machines[] = {
    {"quiet", 2, 0, 0}, {"busy", 8, 15, 8}, {"stalls", 8, 60, 30}};

static int below(struct rng *rng, int bound)
{
    return (int)rng_below(rng, (uint64_t)bound);
}

/* How long a search with this budget thinks. Each iteration takes longer than the one before, and
 * changes what the time manager thinks of the move. */
static int64_t thinking_time(const struct time_budget *budget, struct rng *rng)
{
    struct time_signals signals;
    int last = below(rng, 60) - 30;
    timeman_start(&signals, below(rng, 8) ? &last : NULL);
    int64_t micros = 100 + below(rng, 1000);
    for (int64_t spent = micros;; spent += micros) {
        if (spent / 1000 >= budget->hard_ms)
            return budget->hard_ms;
        if (below(rng, 6) == 0)
            timeman_take_change(&signals);
        move best = move_make(12, below(rng, 8) ? 28 : 20);
        timeman_take_iteration(&signals, best, last - below(rng, 20) + 8,
                               300 + (uint64_t)below(rng, 700), 1000);
        if (spent / 1000 >= timeman_soft_limit(budget, &signals))
            return spent / 1000;
        micros = micros * (100 + below(rng, 200)) / 100;
    }
}

/* The least time that was left at the end of a move; below 0: lost on time. */
static int64_t play_game(const struct control *control, const struct machine *machine,
                         struct rng *rng)
{
    struct search_request request;
    search_request_init(&request);
    request.overhead_ms = control->overhead;
    int64_t left = control->base;
    int64_t least = INT64_MAX;
    int length = control->length / 2 + below(rng, control->length / 2);
    for (int n = 0; n < length; n++) {
        if (control->movetime) {
            request.movetime_ms = left = control->movetime;
        } else {
            request.time_ms[WHITE] = left;
            request.increment_ms[WHITE] = control->increment;
            request.moves_to_go = control->moves ? control->moves - n % control->moves : 0;
        }
        struct time_budget budget = timeman_plan(&request);
        int lag = machine->lag < (int)control->overhead ? machine->lag : (int)control->overhead;
        left -= thinking_time(&budget, rng) + below(rng, lag + 1);
        if (machine->stall_per && below(rng, machine->stall_per) == 0)
            left -= below(rng, machine->stall + 1);
        least = left < least ? left : least;
        if (left < 0)
            break;
        left += control->increment;
        if (control->moves && (n + 1) % control->moves == 0)
            left += control->base;
    }
    return least;
}

static void a_reserve_is_left(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 44);
    for (size_t i = 0; i < CONTROLS; i++)
        for (size_t m = 0; m < sizeof machines / sizeof *machines; m++)
            for (int game = 0; game < GAMES; game++) {
                int64_t least = play_game(&controls[i], &machines[m], &rng);
                if (least < controls[i].least[m])
                    fail_msg("%s, %s: %d ms were left in game %d", controls[i].name,
                             machines[m].name, (int)least, game);
            }
}

/* The clock of this program in place of base/clock.c: each look at it takes up to look_ms. */
static struct ticking {
    struct rng rng;
    int64_t now_ms;
    int look_ms;
} ticking;

int64_t clock_ms(void)
{
    return ticking.now_ms += below(&ticking.rng, ticking.look_ms + 1);
}

int64_t clock_ns(void)
{
    return clock_ms() * 1000000;
}

/* The moves of one side are searched in earnest, by a clock that goes on by 2 ms with a look at it,
 * which is every 256 nodes. */
static void a_search_keeps_its_clock(void **state)
{
    (void)state;
    static const int64_t clocks[][2] = {{1000, 10}, {500, 5}, {1000, 0}, {100, 10}};
    ticking.look_ms = 4;
    rng_seed(&ticking.rng, 44);
    struct search *search = search_create();
    assert_non_null(search);
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        struct search_request request;
        struct search_result result = {.best = MOVE_NONE};
        search_request_init(&request);
        search_clear(search);
        request.overhead_ms = 10;
        int64_t left = clocks[i][0];
        for (int n = 0; n < 80; n++) {
            request.time_ms[WHITE] = request.time_ms[BLACK] = left;
            request.increment_ms[WHITE] = request.increment_ms[BLACK] = clocks[i][1];
            int64_t start = clock_ms();
            search_arm(search, false, start);
            search_run(search, &request, &(struct search_reporter){0}, &result);
            left -= clock_ms() - start;
            assert_true(left >= 40);
            left += clocks[i][1];
            if (result.best != MOVE_NONE)
                position_play(&request.root, result.best);
        }
    }
    search_destroy(search);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reserve_is_left),
        cmocka_unit_test(a_search_keeps_its_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
