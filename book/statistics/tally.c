#include "book/statistics/tally.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/thread.h"
#include "base/thread_pool.h"

/* Merging ---------------------------------------------------------------------------------- */

enum caxton_status tally_add(struct tally *sum, const struct tally *more, struct diag *diag)
{
    bool fits = true;
    for (int i = 0; i < OUTCOMES; i++)
        sum->counts[i] += more->counts[i];
    for (int i = 0; i < 2 && (more->ratings[0] | more->ratings[1]); i++) {
        fits = fits && more->ratings[i] <= UINT64_MAX - sum->ratings[i];
        sum->ratings[i] += more->ratings[i];
    }
    if (fits && tally_games(sum) <= TALLY_GAMES_MAX) /* of two terms no larger: no overflow */
        return STATUS_OK;
    return diag_fail(STATUS_RANGE, diag,
                     "a move of position %016llx has more games than can be counted",
                     (unsigned long long)sum->key);
}

/* The head of an input as one number: key; move, facet and the number of the input. */
struct contender {
    uint64_t key;
    uint64_t rest;
};

enum { INPUT_BITS = 64 - 16 - FACET_BITS };

/* A tree of losers, which says what input goes on. Each match is played without a branch, which no
 * processor could predict: keys are hashes. Source: D. E. Knuth, The Art of Computer Programming,
 * volume 3, section 5.4.1. */
struct contest {
    struct tally_input *inputs;
    size_t count;
    struct contender winner;
    struct contender *losers; /* of nodes 1..count; those above node n are n / 2, n / 4 .. 1 */
};

static bool goes_before(struct contender a, struct contender b)
{
    return (a.key < b.key) | ((a.key == b.key) & (a.rest < b.rest));
}

/* Reads the next head of an input; one that has ended comes last of all. */
static enum caxton_status read_head(struct contest *contest, size_t number, struct contender *out,
                                    struct diag *diag)
{
    struct tally_input *input = &contest->inputs[number];
    enum caxton_status status = input->next(input->context, &input->head, diag);
    *out = status != STATUS_OK
               ? (struct contender){UINT64_MAX, UINT64_MAX}
               : (struct contender){input->head.key, (uint64_t)input->head.move << 48 |
                                                         (uint64_t)input->head.facet << INPUT_BITS |
                                                         number};
    return status == STATUS_END ? STATUS_OK : status;
}

/* Plays the first matches, from the leaves up. */
static enum caxton_status contest_open(struct contest *contest, struct diag *diag)
{
    size_t count = contest->count;
    struct contender *winners = malloc(2 * (count + 1) * sizeof *winners);
    contest->losers = malloc((count + 1) * sizeof *contest->losers);
    contest->winner = (struct contender){UINT64_MAX, UINT64_MAX};
    enum caxton_status status = STATUS_OK;
    if (!winners || !contest->losers)
        status = diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = read_head(contest, i, &winners[count + i], diag);
    for (size_t node = count; node-- > 1 && status == STATUS_OK;) {
        bool left = goes_before(winners[2 * node], winners[2 * node + 1]);
        winners[node] = winners[2 * node + !left];
        contest->losers[node] = winners[2 * node + left];
    }
    if (count > 0 && status == STATUS_OK)
        contest->winner = winners[1];
    free(winners);
    return status;
}

/* The winner's next head plays against the losers on its way up. */
static enum caxton_status contest_advance(struct contest *contest, struct diag *diag)
{
    struct contender moving;
    size_t number = contest->winner.rest & ((UINT64_C(1) << INPUT_BITS) - 1);
    enum caxton_status status = read_head(contest, number, &moving, diag);
    for (size_t node = (contest->count + number) / 2; node > 0; node /= 2) {
        struct contender *other = &contest->losers[node];
        uint64_t loses = -(uint64_t)goes_before(*other, moving); /* all bits or none */
        uint64_t key = (other->key ^ moving.key) & loses;
        uint64_t rest = (other->rest ^ moving.rest) & loses;
        *other = (struct contender){other->key ^ key, other->rest ^ rest};
        moving = (struct contender){moving.key ^ key, moving.rest ^ rest};
    }
    contest->winner = moving;
    return status;
}

static const struct tally *contest_head(const struct contest *contest)
{
    return &contest->inputs[contest->winner.rest & ((UINT64_C(1) << INPUT_BITS) - 1)].head;
}

static bool contest_has_ended(const struct contest *contest)
{
    return (contest->winner.key & contest->winner.rest) == UINT64_MAX;
}

/* Takes the sum of the least (key, move, facet). */
static enum caxton_status take_sum(struct contest *contest, struct tally *sum, struct diag *diag)
{
    struct contender first = contest->winner;
    *sum = *contest_head(contest);
    enum caxton_status status = contest_advance(contest, diag);
    while (status == STATUS_OK && contest->winner.key == first.key &&
           (contest->winner.rest ^ first.rest) >> INPUT_BITS == 0 && !contest_has_ended(contest)) {
        status = tally_add(sum, contest_head(contest), diag);
        if (status == STATUS_OK)
            status = contest_advance(contest, diag);
    }
    return status;
}

enum caxton_status tally_merge(struct tally_input *inputs, size_t count, tally_sink sink,
                               void *context, struct diag *diag)
{
    struct contest contest = {.inputs = inputs, .count = count};
    enum caxton_status status = contest_open(&contest, diag);
    while (status == STATUS_OK && !contest_has_ended(&contest)) {
        struct tally sum;
        status = take_sum(&contest, &sum, diag);
        if (status == STATUS_OK)
            status = sink(context, &sum);
    }
    free(contest.losers);
    return status;
}

/* Move by move ----------------------------------------------------------------------------- */

/* Gives the move that is complete to the sink, if there is one. */
static enum caxton_status give_move(struct tally_group *group)
{
    uint64_t games = tally_games(&group->sum);
    enum caxton_status status = STATUS_OK;
    if (games > 0 && games < group->least)
        group->left_out++;
    else if (games > 0 && group->adds_up)
        status = group->sink(group->context, &group->sum);
    else
        for (size_t i = 0; i < group->count && status == STATUS_OK; i++)
            status = group->sink(group->context, &group->list[i]);
    group->count = 0;
    group->sum = (struct tally){.key = 0};
    return status;
}

enum caxton_status tally_group_take(void *context, const struct tally *tally)
{
    struct tally_group *group = context;
    if (group->are_moves) {
        bool is_rare = group->least && tally_games(tally) < group->least;
        group->left_out += is_rare;
        return is_rare ? STATUS_OK : group->sink(group->context, tally);
    }
    bool is_first = tally_games(&group->sum) == 0;
    if (!is_first && !tally_is_same_move(&group->sum, tally)) {
        enum caxton_status status = give_move(group);
        if (status != STATUS_OK)
            return status;
        is_first = true;
    }
    if (!group->adds_up) {
        if (!ARRAY_GROW(group->list, group->capacity, group->count + 1))
            return STATUS_NO_MEMORY;
        group->list[group->count++] = *tally;
    }
    if (!is_first)
        return tally_add(&group->sum, tally, NULL);
    group->sum = *tally;
    group->sum.facet = 0;
    return STATUS_OK;
}

enum caxton_status tally_group_end(struct tally_group *group)
{
    enum caxton_status status = give_move(group);
    free(group->list);
    group->list = NULL;
    group->capacity = 0;
    return status;
}

/* In parts --------------------------------------------------------------------------------- */

enum { SLOT_TALLIES = 1 << 15, MAKERS_MAX = 32 };

/* A part on its way: filled by the thread that makes it, emptied by the calling one. */
struct part_slot {
    struct tally *tallies;
    size_t count;
    bool is_full; /* it is the calling thread's; guarded by the ring */
    bool is_last; /* no more of this part follows */
    enum caxton_status status;
    struct diag diag;
};

struct making {
    uint64_t parts;
    tally_part make;
    void *context;
    struct part_slot *slots;
    uint64_t slot_count;
    struct monitor ring;
    uint64_t taken;   /* parts that a thread makes or has made; guarded by ring */
    uint64_t emptied; /* parts that are done; guarded by ring */
    bool stopped;     /* nothing more is wanted; guarded by ring */
};

/* In parts: making
 * ----------------------------------------------------------------------------------- */

struct part_sink {
    struct making *making;
    struct part_slot *slot;
};

/* Gives the slot to the calling thread. With the ring's mutex. */
static void hand_over(struct making *making, struct part_slot *slot, bool is_last)
{
    slot->is_last = is_last;
    slot->is_full = true;
    (void)pthread_cond_broadcast(&making->ring.changed);
}

/* A tally_sink. A part that is larger than its slot goes on when that is empty. */
static enum caxton_status put(void *context, const struct tally *tally)
{
    const struct part_sink *to = context;
    struct making *making = to->making;
    struct part_slot *slot = to->slot;
    bool stopped = false;
    if (slot->count == SLOT_TALLIES) {
        (void)pthread_mutex_lock(&making->ring.mutex);
        hand_over(making, slot, false);
        while (slot->is_full && !making->stopped)
            (void)pthread_cond_wait(&making->ring.changed, &making->ring.mutex);
        stopped = making->stopped;
        (void)pthread_mutex_unlock(&making->ring.mutex);
    }
    if (stopped)
        return STATUS_END; /* nobody looks at it */
    slot->tallies[slot->count++] = *tally;
    return STATUS_OK;
}

/* Makes one part after the other, as far ahead as there are slots. */
static void run_maker(void *context, int index)
{
    struct making *making = context;
    (void)index;
    (void)pthread_mutex_lock(&making->ring.mutex);
    for (;;) {
        while (!making->stopped && making->taken < making->parts &&
               making->taken - making->emptied == making->slot_count)
            (void)pthread_cond_wait(&making->ring.changed, &making->ring.mutex);
        if (making->stopped || making->taken == making->parts)
            break;
        uint64_t part = making->taken++;
        struct part_slot *slot = &making->slots[part % making->slot_count];
        (void)pthread_mutex_unlock(&making->ring.mutex);
        struct part_sink to = {making, slot};
        slot->status = making->make(making->context, part, put, &to, &slot->diag);
        (void)pthread_mutex_lock(&making->ring.mutex);
        hand_over(making, slot, true);
    }
    (void)pthread_mutex_unlock(&making->ring.mutex);
}

/* In parts: taking
 * ----------------------------------------------------------------------------------- */

/* Takes what the slot holds, when it is full. *is_last: that was the end of the part. */
static enum caxton_status take_slot(struct making *making, struct part_slot *slot, tally_sink sink,
                                    void *context, bool *is_last, struct diag *diag)
{
    (void)pthread_mutex_lock(&making->ring.mutex);
    while (!slot->is_full)
        (void)pthread_cond_wait(&making->ring.changed, &making->ring.mutex);
    (void)pthread_mutex_unlock(&making->ring.mutex);
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < slot->count && status == STATUS_OK; i++)
        status = sink(context, &slot->tallies[i]);
    *is_last = slot->is_last;
    if (status == STATUS_OK && slot->is_last && slot->status != STATUS_OK) {
        status = slot->status;
        if (diag)
            *diag = slot->diag;
    }
    (void)pthread_mutex_lock(&making->ring.mutex);
    slot->count = 0;
    slot->is_full = false;
    making->emptied += *is_last;
    making->stopped = status != STATUS_OK;
    (void)pthread_cond_broadcast(&making->ring.changed);
    (void)pthread_mutex_unlock(&making->ring.mutex);
    return status;
}

static enum caxton_status take_all(struct making *making, tally_sink sink, void *context,
                                   struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (uint64_t part = 0; part < making->parts && status == STATUS_OK; part++) {
        struct part_slot *slot = &making->slots[part % making->slot_count];
        for (bool is_last = false; status == STATUS_OK && !is_last;)
            status = take_slot(making, slot, sink, context, &is_last, diag);
    }
    return status;
}

/* In parts: the whole
 * -------------------------------------------------------------------------------- */

static void free_slots(struct making *making)
{
    for (uint64_t i = 0; making->slots && i < making->slot_count; i++)
        free(making->slots[i].tallies);
    free(making->slots);
}

static bool create_slots(struct making *making, uint64_t count)
{
    making->slot_count = count;
    making->slots = calloc(count, sizeof *making->slots);
    bool enough = making->slots != NULL;
    for (uint64_t i = 0; i < count && enough; i++) {
        making->slots[i].tallies = malloc(SLOT_TALLIES * sizeof(struct tally));
        enough = making->slots[i].tallies != NULL;
    }
    return enough;
}

/* Without other threads. */
static enum caxton_status make_all(const struct making *making, tally_sink sink, void *context,
                                   struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (uint64_t part = 0; part < making->parts && status == STATUS_OK; part++)
        status = making->make(making->context, part, sink, context, diag);
    return status;
}

enum caxton_status tally_parts(uint64_t parts, int jobs, tally_part make, void *context,
                               tally_sink sink, void *sink_context, struct diag *diag)
{
    struct making making = {.parts = parts, .make = make, .context = context};
    int makers = jobs < MAKERS_MAX ? jobs : MAKERS_MAX;
    struct thread_pool *threads = NULL;
    if (makers < 2 || monitor_init(&making.ring) != STATUS_OK)
        return make_all(&making, sink, sink_context, diag);
    enum caxton_status status;
    if (create_slots(&making, (uint64_t)makers + 1) &&
        thread_pool_create(makers, run_maker, &making, &threads) == STATUS_OK) {
        thread_pool_start(threads);
        status = take_all(&making, sink, sink_context, diag);
        thread_pool_destroy(threads);
    } else {
        status = make_all(&making, sink, sink_context, diag);
    }
    free_slots(&making);
    monitor_destroy(&making.ring);
    return status;
}
