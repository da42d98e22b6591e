#include "book/plan/simulation.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "base/rng.h"
#include "book/book.h"

enum { NO_NUMBER = 0 }; /* numbers of positions are kept with 1 added */

struct tracer {
    struct question_trace trace;
    uint32_t *numbers; /* of nodes of the graph */
    size_t number_capacity;
    enum caxton_status status;
};

/* Answers at once. ---------------------------------------------------------------------------- */

static enum caxton_status create(const void *settings, void **out, struct diag *diag)
{
    struct trace_answers *answers = malloc(sizeof *answers);
    if (!answers)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    *answers = *(const struct trace_answers *)settings;
    *out = answers;
    return STATUS_OK;
}

static bool find_in_store(const struct trace_answers *answers, const struct position *pos,
                          struct search_answer *out)
{
    struct packed_position packed;
    position_pack(pos, &packed);
    for (uint64_t depth = SEARCH_DEPTH_MAX; depth > 0; depth--)
        if (score_store_find(answers->store, &packed, (struct search_limit){SEARCH_TO_DEPTH, depth},
                             out) &&
            movegen_is_legal(pos, out->best))
            return true;
    return false;
}

/* How often a search finds the most played move of the opponent's book, and that or the next, in
 * percent: by how many plies it is less deep than that of the start, the last for all below. A
 * shallower search is of a less played position, and leaves the book earlier. Measured 28 November
 * 2026 in nine books of grow, 2,820 positions that the opponent's book knows, both sides, --depth
 * 13 to 19, five plies more than --min-depth, against gnuchess.bin and books of games and openings.
 * A third move of the book counts as the second, one out of the book that comes back as half. */
static const uint8_t most_played_percent[] = {100, 84, 75, 66, 57, 57, 57};

static const uint8_t in_book_percent[] = {100, 100, 97, 94, 87, 82, 78};

static move play(const struct trace_answers *answers, const struct position *pos, uint64_t depth)
{
    enum { LAST = sizeof in_book_percent - 1, PERCENT = 100 };
    struct book_move known[2];
    move legal[MOVES_MAX];
    uint64_t count = (uint64_t)movegen_legal(pos, legal);
    uint64_t roll = rng_mix(pos->key ^ answers->seed);
    uint64_t chance = rng_mix(roll) % PERCENT;
    uint64_t less = (uint64_t)answers->root_depth - depth;
    less = less < LAST ? less : LAST;
    int moves = answers->book ? book_probe(answers->book, pos, known, 2) : 0;
    if (moves > 0 && known[0].weight > 0 && chance < most_played_percent[less])
        return known[0].move;
    if (moves > 1 && known[1].weight > 0 && chance < in_book_percent[less])
        return known[1].move;
    return legal[roll % count];
}

static enum caxton_status answer(void *searcher, const struct position *pos,
                                 struct search_limit limit, struct search_answer *out,
                                 struct diag *diag)
{
    const struct trace_answers *answers = searcher;
    (void)diag;
    if (!answers->store || !find_in_store(answers, pos, out))
        *out = (struct search_answer){.best = play(answers, pos, limit.value),
                                      .depth = (int)limit.value};
    return STATUS_OK;
}

static void stop(void *searcher)
{
    (void)searcher; /* an answer takes no time */
}

static const struct searcher_kind instant_searcher = {create, free, answer, stop};

/* Writing down. ------------------------------------------------------------------------------- */

/* The number of a node, a new one when it has none. */
static bool number_of(struct tracer *tracer, uint32_t node, uint32_t *out)
{
    size_t before = tracer->number_capacity;
    if (!ARRAY_GROW(tracer->numbers, tracer->number_capacity, (size_t)node + 1))
        return false;
    memset(tracer->numbers + before, NO_NUMBER,
           (tracer->number_capacity - before) * sizeof *tracer->numbers);
    if (tracer->numbers[node] == NO_NUMBER)
        tracer->numbers[node] = (uint32_t)++tracer->trace.position_count;
    *out = tracer->numbers[node] - 1;
    return true;
}

static bool add_wait(struct tracer *tracer, const struct dag *dag, uint32_t node,
                     struct search_limit limit)
{
    struct question_trace *trace = &tracer->trace;
    const struct dag_node *found = &dag->nodes[node];
    uint32_t number;
    if (!ARRAY_GROW(trace->waits, trace->wait_capacity, trace->wait_count + 1) ||
        !number_of(tracer, node, &number))
        return false;
    trace->waits[trace->wait_count++] = (struct trace_wait){.key = found->key,
                                                            .probability = found->probability,
                                                            .cause = TRACE_NO_CAUSE,
                                                            .position = number,
                                                            .ply = found->ply,
                                                            .depth = (uint8_t)limit.value};
    return true;
}

static void note_wait(void *context, const struct grow *grow, uint32_t node,
                      struct search_limit limit)
{
    struct tracer *tracer = context;
    struct position pos;
    dag_position(grow_dag(grow), node, &pos, NULL);
    if (movegen_count(&pos) > 0 && !add_wait(tracer, grow_dag(grow), node, limit))
        tracer->status = STATUS_NO_MEMORY;
}

/* waits: how many there were before the position was taken. */
static bool add_ask(struct tracer *tracer, const struct dag *dag, uint32_t node, size_t waits)
{
    struct question_trace *trace = &tracer->trace;
    const struct dag_node *found = &dag->nodes[node];
    uint32_t number;
    if (!ARRAY_GROW(trace->asks, trace->ask_capacity, trace->ask_count + 1) ||
        !number_of(tracer, node, &number))
        return false;
    trace->asks[trace->ask_count++] = (struct trace_ask){.key = found->key,
                                                         .probability = found->probability,
                                                         .waits = waits,
                                                         .position = number,
                                                         .depth = found->depth};
    return true;
}

/* The positions that were found by the step to `node` go back to an answer: to that of the node, if
 * it is ours, or else of the one that it was found from. */
static void set_causes(struct tracer *tracer, const struct dag *dag, uint32_t node, size_t waits)
{
    const struct dag_node *taken = &dag->nodes[node];
    uint32_t cause = taken->depth > 0 ? node : taken->parent;
    uint32_t number;
    if (cause == DAG_NONE || !number_of(tracer, cause, &number))
        return; /* the root, or one that has its number already */
    for (; waits < tracer->trace.wait_count; waits++)
        tracer->trace.waits[waits].cause = number;
}

static enum caxton_status trace_grow(struct tracer *tracer, struct grow *grow, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && !grow_is_done(grow)) {
        uint32_t node = DAG_NONE;
        size_t waits = tracer->trace.wait_count;
        status = grow_step(grow, &node, diag);
        if (status != STATUS_OK)
            break;
        if (grow_dag(grow)->nodes[node].depth > 0 && !add_ask(tracer, grow_dag(grow), node, waits))
            tracer->status = STATUS_NO_MEMORY;
        set_causes(tracer, grow_dag(grow), node, waits);
        status = tracer->status;
    }
    tracer->trace.counts = *grow_counts(grow);
    return status;
}

enum caxton_status question_trace_make(const struct grow_options *options,
                                       const struct trace_answers *answers,
                                       struct question_trace *out, struct diag *diag)
{
    static const struct searcher_identity nobody = {.name = "at once"};
    struct tracer tracer = {.status = STATUS_OK};
    struct grow_options traced = *options;
    struct score_store *store = NULL;
    struct scorer *scorer = NULL;
    struct grow *grow = NULL;
    traced.context = &tracer;
    traced.progress = NULL;
    traced.waits = note_wait;
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = score_store_open(NULL, &nobody, &store, diag);
    if (status == STATUS_OK)
        status = scorer_create(&instant_searcher, answers, 1, store, &scorer, diag);
    if (status == STATUS_OK)
        status = grow_create(&traced, scorer, &grow);
    if (status == STATUS_OK)
        status = trace_grow(&tracer, grow, diag);
    grow_destroy(grow);
    scorer_destroy(scorer);
    enum caxton_status closed = score_store_close(store, NULL);
    free(tracer.numbers);
    status = status == STATUS_OK ? closed : status;
    if (status == STATUS_OK)
        *out = tracer.trace;
    else
        question_trace_free(&tracer.trace);
    return status;
}

void question_trace_free(struct question_trace *trace)
{
    free(trace->waits);
    free(trace->asks);
    *trace = (struct question_trace){.waits = NULL};
}

/* Measured 22 November 2026: the store of White against Debian's gnuchess.bin, --depth 23
 * --min-depth 14. The means are of 3,705 searches of 14 plies to 67 of 20, the spread is of all
 * 6,798. */
#define USUAL_NODES 354000.0 /* of a search of USUAL_DEPTH plies */

#define USUAL_GROWTH 1.50 /* a ply more, between 14 and 20 plies */

#define LONGEST_US 1e18 /* of a search: fits 64 bits */

enum { USUAL_DEPTH = 16, ENOUGH = 10 /* searches for a mean */ };

static const double usual_spread[SEARCH_TIME_SPREAD] = {0.444, 0.587, 0.652, 0.707, 0.760, 0.812,
                                                        0.861, 0.912, 0.967, 1.022, 1.080, 1.150,
                                                        1.237, 1.354, 1.531, 1.924};

/* Fills in depths below `low` and above `high` by the growth of a ply. */
static void extend(struct search_time *time, int low, int high, double growth)
{
    for (int depth = low - 1; depth >= 0; depth--)
        time->mean_us[depth] = time->mean_us[depth + 1] / growth;
    for (int depth = high + 1; depth <= SEARCH_DEPTH_MAX; depth++)
        time->mean_us[depth] = time->mean_us[depth - 1] * growth;
}

void search_time_usual(double nodes_per_second, uint64_t seed, struct search_time *out)
{
    out->seed = seed;
    memcpy(out->spread, usual_spread, sizeof usual_spread);
    out->mean_us[USUAL_DEPTH] = USUAL_NODES / nodes_per_second * 1e6;
    extend(out, USUAL_DEPTH, USUAL_DEPTH, USUAL_GROWTH);
}

/* The growth of one of `plies` plies that make `factor` together, 1 .. 16, by bisection. */
static double growth_of(double factor, int plies)
{
    double low = 1;
    double high = 16;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        double power = 1;
        for (int ply = 0; ply < plies; ply++)
            power *= middle;
        if (power < factor)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the factors; the mean of each sixteenth of them is a factor of the spread. */
static void make_spread(double *factors, size_t count, double *out)
{
    double sum = 0;
    qsort(factors, count, sizeof *factors, compare);
    for (size_t i = 0; i < SEARCH_TIME_SPREAD; i++) {
        size_t from = count * i / SEARCH_TIME_SPREAD;
        size_t to = count * (i + 1) / SEARCH_TIME_SPREAD;
        out[i] = 0;
        for (size_t at = from; at < to; at++)
            out[i] += factors[at] / (double)(to - from);
        sum += out[i];
    }
    for (size_t i = 0; i < SEARCH_TIME_SPREAD; i++)
        out[i] *= SEARCH_TIME_SPREAD / sum;
}

/* The mean nodes of depths with enough searches; others are 0. */
static void find_means(const struct score_store *store, double *means)
{
    size_t counts[SEARCH_DEPTH_MAX + 1] = {0};
    size_t cursor = 0;
    struct packed_position pos;
    struct search_limit limit;
    struct search_answer answer;
    memset(means, 0, (SEARCH_DEPTH_MAX + 1) * sizeof *means);
    while (score_store_next_answer(store, &cursor, &pos, &limit, &answer)) {
        if (limit.kind != SEARCH_TO_DEPTH || limit.value > SEARCH_DEPTH_MAX || answer.nodes == 0)
            continue;
        means[limit.value] += (double)answer.nodes;
        counts[limit.value]++;
    }
    for (int depth = 0; depth <= SEARCH_DEPTH_MAX; depth++)
        means[depth] = counts[depth] < ENOUGH ? 0 : means[depth] / (double)counts[depth];
}

/* How each search of the store compares with the mean of its depth. */
static size_t find_factors(const struct score_store *store, const double *means, double *factors)
{
    size_t count = 0;
    size_t cursor = 0;
    struct packed_position pos;
    struct search_limit limit;
    struct search_answer answer;
    while (score_store_next_answer(store, &cursor, &pos, &limit, &answer))
        if (limit.kind == SEARCH_TO_DEPTH && limit.value <= SEARCH_DEPTH_MAX && answer.nodes > 0 &&
            means[limit.value] > 0)
            factors[count++] = (double)answer.nodes / means[limit.value];
    return count;
}

bool search_time_of_store(const struct score_store *store, double nodes_per_second, uint64_t seed,
                          struct search_time *out)
{
    double means[SEARCH_DEPTH_MAX + 1];
    int low = 0;
    int high = SEARCH_DEPTH_MAX;
    find_means(store, means);
    while (low <= SEARCH_DEPTH_MAX && means[low] <= 0)
        low++;
    while (high > low && means[high] <= 0)
        high--;
    double *factors = malloc((score_store_count(store) + 1) * sizeof *factors);
    size_t count = factors && low <= high ? find_factors(store, means, factors) : 0;
    if (count < SEARCH_TIME_SPREAD) {
        free(factors);
        return false;
    }
    make_spread(factors, count, out->spread);
    free(factors);
    double growth = low < high ? growth_of(means[high] / means[low], high - low) : USUAL_GROWTH;
    for (int depth = low; depth <= high; depth++)
        out->mean_us[depth] = means[depth] > 0 ? means[depth] / nodes_per_second * 1e6
                                               : out->mean_us[depth - 1] * growth;
    extend(out, low, high, growth);
    out->seed = seed;
    return true;
}

int64_t search_time_us(const struct search_time *time, uint64_t key, int depth)
{
    uint64_t chance = rng_mix(rng_mix(key ^ time->seed) + (uint64_t)depth);
    double us = time->mean_us[depth] * time->spread[chance % SEARCH_TIME_SPREAD];
    return us < 1 ? 1 : us < LONGEST_US ? (int64_t)us : (int64_t)LONGEST_US;
}

enum { SECOND_US = 1000000 };

/* One of our positions. */
struct place {
    uint64_t key;
    double probability;
    uint32_t heap; /* place in the heap of those that wait + 1; 0: not in it */
    uint16_t ply;
    uint8_t depth;   /* of its search, as it is now */
    uint8_t started; /* the deepest search that was begun, */
    uint8_t done;    /* and that is done */
    uint8_t asked;   /* the one that is asked for; 0: never */
    bool passed;     /* it was asked for */
};

/* A search that runs. */
struct running {
    int64_t end_us;
    int64_t start_us;
    int64_t search_us;
    uint32_t place;
    uint8_t depth;
};

struct simulation {
    const struct question_trace *trace;
    const struct search_time *time;
    struct simulation_options options;
    struct simulation_result result;
    struct place *places;
    struct number_heap waiting; /* places: not begun yet as deep as they would be now */
    struct running *running;    /* that run, and free places for others */
    struct number_heap ends;    /* of them: the first to end first; behind these the free ones */
    size_t running_made;
    size_t running_capacity;
    size_t end_capacity;
    size_t *first;  /* of each place the first wait that it causes + 1; 0: none; */
    size_t *follow; /* of each wait the next one of the same cause + 1; 0: none */
    size_t next;    /* the question at hand */
    size_t applied; /* of trace->waits */
    size_t ahead;   /* places that were begun and not asked for yet */
    int64_t now_us;
    int64_t second; /* of the answers that are counted */
    size_t answers;
};

/* The heap of those that wait. ---------------------------------------------------------------- */

/* As the frontier of grow is ordered. */
static bool goes_before(const void *context, uint32_t a, uint32_t b)
{
    const struct simulation *sim = context;
    const struct place *x = &sim->places[a];
    const struct place *y = &sim->places[b];
    if (x->probability != y->probability)
        return x->probability > y->probability;
    return x->ply != y->ply ? x->ply < y->ply : x->key < y->key;
}

static uint32_t *place_of(void *context, uint32_t place)
{
    const struct simulation *sim = context;
    return &sim->places[place].heap;
}

static const struct number_order by_probability = {goes_before, place_of};

/* Puts a place into the heap, or moves it up there. */
static void wait_put(struct simulation *sim, uint32_t place)
{
    size_t at = sim->places[place].heap;
    if (at > 0)
        number_heap_up(&sim->waiting, at - 1, place, &by_probability, sim);
    else
        number_heap_add(&sim->waiting, place, &by_probability, sim);
}

static void wait_remove(struct simulation *sim, uint32_t place)
{
    size_t at = sim->places[place].heap;
    if (at > 0)
        (void)number_heap_take(&sim->waiting, at - 1, &by_probability, sim);
}

/* The heap of those that run. ----------------------------------------------------------------- */

/* Of searches that end at the same time the order does not matter: all of them end then. */
static bool ends_before(const void *context, uint32_t a, uint32_t b)
{
    const struct simulation *sim = context;
    return sim->running[a].end_us < sim->running[b].end_us;
}

static const struct number_order by_end = {.before = ends_before};

static bool run_put(struct simulation *sim, struct running search)
{
    struct number_heap *ends = &sim->ends;
    if (ends->count == sim->running_made) {
        if (!ARRAY_GROW(sim->running, sim->running_capacity, sim->running_made + 1) ||
            !ARRAY_GROW(ends->items, sim->end_capacity, sim->running_made + 1))
            return false;
        ends->items[ends->count] = (uint32_t)sim->running_made++;
    }
    uint32_t free_one = ends->items[ends->count];
    sim->running[free_one] = search;
    number_heap_add(ends, free_one, &by_end, sim);
    return true;
}

static struct running run_take(struct simulation *sim)
{
    uint32_t first = number_heap_take(&sim->ends, 0, &by_end, sim);
    sim->ends.items[sim->ends.count] = first;
    return sim->running[first];
}

/* The run. ------------------------------------------------------------------------------------ */

static const struct trace_ask *at_hand(const struct simulation *sim)
{
    return &sim->trace->asks[sim->next];
}

/* A position begins to wait, or is raised. Known earlier by an answer, it keeps what it has. */
static void apply_wait(struct simulation *sim, const struct trace_wait *wait)
{
    struct place *place = &sim->places[wait->position];
    if (place->passed || place->probability > wait->probability)
        return;
    place->key = wait->key;
    place->probability = wait->probability;
    place->ply = wait->ply;
    place->depth = wait->depth;
    if (place->depth > place->started && sim->options.ahead != AHEAD_NONE)
        wait_put(sim, wait->position);
}

/* Positions begin to wait, or are raised, up to the question at hand. */
static void apply_waits(struct simulation *sim)
{
    for (; sim->applied < at_hand(sim)->waits; sim->applied++)
        apply_wait(sim, &sim->trace->waits[sim->applied]);
}

/* What the answer for a place, to the depth that will be asked for, makes known. */
static void apply_answer(struct simulation *sim, uint32_t place)
{
    for (size_t at = sim->first[place]; at > 0; at = sim->follow[at - 1])
        apply_wait(sim, &sim->trace->waits[at - 1]);
}

/* Takes all answers that are there in the order of the questions. False: that was the last one. */
static bool take_answers(struct simulation *sim)
{
    for (; sim->next < sim->trace->ask_count; sim->next++) {
        apply_waits(sim);
        struct place *place = &sim->places[at_hand(sim)->position];
        wait_remove(sim, at_hand(sim)->position);
        if (!place->passed)
            sim->ahead -= place->started > 0;
        place->passed = true;
        if (place->done != at_hand(sim)->depth)
            return true;
    }
    return false;
}

static bool begin(struct simulation *sim, uint32_t number, uint64_t key, int depth)
{
    struct place *place = &sim->places[number];
    int64_t us = search_time_us(sim->time, key, depth);
    sim->ahead += !place->passed && place->started == 0;
    place->started = (uint8_t)depth;
    sim->result.searches++;
    return run_put(sim, (struct running){.start_us = sim->now_us,
                                         .end_us = sim->now_us + us + sim->options.overhead_us,
                                         .search_us = us,
                                         .place = number,
                                         .depth = (uint8_t)depth});
}

/* Gives work to the workers that are free. */
static bool dispatch(struct simulation *sim)
{
    const struct trace_ask *ask = at_hand(sim);
    if (sim->ends.count < sim->options.workers && sim->places[ask->position].started < ask->depth &&
        !begin(sim, ask->position, ask->key, ask->depth))
        return false;
    while (sim->ends.count < sim->options.workers && sim->waiting.count > 0 &&
           sim->ahead < sim->options.ahead_max) {
        uint32_t first = sim->waiting.items[0];
        wait_remove(sim, first);
        if (!begin(sim, first, sim->places[first].key, sim->places[first].depth))
            return false;
    }
    return true;
}

static struct simulation_moment moment_of(const struct simulation *sim)
{
    return (struct simulation_moment){sim->now_us, at_hand(sim)->probability, at_hand(sim)->depth};
}

/* Lets time pass with the workers as they are now. */
static void pass_time(struct simulation *sim, int64_t until_us)
{
    struct simulation_result *result = &sim->result;
    size_t free_workers = sim->options.workers - sim->ends.count;
    int64_t idle = (int64_t)free_workers * (until_us - sim->now_us);
    if (free_workers == 0 && !result->filled) {
        result->filled = true;
        result->full = moment_of(sim);
    }
    result->idle_us += idle;
    if (!result->filled)
        result->idle_before_us += idle;
    sim->now_us = until_us;
    if (free_workers == 0 || !result->filled) {
        result->drained = moment_of(sim);
        result->idle_after_us = 0;
    } else {
        result->idle_after_us += idle;
    }
}

/* Counts what a worker did for a search until now. */
static void count_search(struct simulation *sim, const struct running *search)
{
    struct simulation_result *result = &sim->result;
    int64_t passed = sim->now_us - search->start_us;
    int64_t searched = passed < search->search_us ? passed : search->search_us;
    result->busy_us += searched;
    result->overhead_us += passed - searched;
    if (search->depth == sim->places[search->place].asked)
        return;
    result->wasted++;
    result->wasted_us += searched;
}

static void count_answer(struct simulation *sim)
{
    if (sim->now_us / SECOND_US != sim->second)
        sim->answers = 0;
    sim->second = sim->now_us / SECOND_US;
    sim->answers++;
    if (sim->answers > sim->result.per_second)
        sim->result.per_second = sim->answers;
}

/* The next searches end. */
static void end_searches(struct simulation *sim)
{
    pass_time(sim, sim->running[sim->ends.items[0]].end_us);
    while (sim->ends.count > 0 && sim->running[sim->ends.items[0]].end_us == sim->now_us) {
        struct running search = run_take(sim);
        struct place *place = &sim->places[search.place];
        count_search(sim, &search);
        count_answer(sim);
        if (search.depth > place->done)
            place->done = search.depth;
        if (search.depth == place->asked && sim->options.ahead == AHEAD_ANSWERS)
            apply_answer(sim, search.place);
    }
}

static bool prepare(struct simulation *sim)
{
    const struct question_trace *trace = sim->trace;
    sim->places = calloc(trace->position_count + 1, sizeof *sim->places);
    sim->waiting.items = calloc(trace->position_count + 1, sizeof *sim->waiting.items);
    sim->first = calloc(trace->position_count + 1, sizeof *sim->first);
    sim->follow = calloc(trace->wait_count + 1, sizeof *sim->follow);
    if (!sim->places || !sim->waiting.items || !sim->first || !sim->follow)
        return false;
    for (size_t i = 0; i < trace->ask_count; i++)
        sim->places[trace->asks[i].position].asked = trace->asks[i].depth;
    for (size_t i = trace->wait_count; i-- > 0;) {
        uint32_t cause = trace->waits[i].cause;
        if (cause == TRACE_NO_CAUSE)
            continue;
        sim->follow[i] = sim->first[cause];
        sim->first[cause] = i + 1;
    }
    return true;
}

enum caxton_status simulation_run(const struct question_trace *trace,
                                  const struct search_time *time,
                                  const struct simulation_options *options,
                                  struct simulation_result *out)
{
    struct simulation sim = {.trace = trace, .time = time, .options = *options};
    bool good = prepare(&sim);
    while (good && take_answers(&sim)) {
        good = dispatch(&sim);
        if (good)
            end_searches(&sim);
    }
    for (size_t i = 0; i < sim.ends.count; i++) /* they are broken off */
        count_search(&sim, &sim.running[sim.ends.items[i]]);
    sim.result.wall_us = sim.now_us;
    *out = sim.result;
    free(sim.places);
    free(sim.waiting.items);
    free(sim.first);
    free(sim.follow);
    free(sim.running);
    free(sim.ends.items);
    return good ? STATUS_OK : STATUS_NO_MEMORY;
}

int64_t simulation_total_us(const struct question_trace *trace, const struct search_time *time)
{
    int64_t total = 0;
    for (size_t i = 0; i < trace->ask_count; i++) {
        int64_t us = search_time_us(time, trace->asks[i].key, trace->asks[i].depth);
        total = us < INT64_MAX - total ? total + us : INT64_MAX;
    }
    return total;
}
