#include "book/plan/question_trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
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
