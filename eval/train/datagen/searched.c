#include "eval/train/datagen/searched.h"

#include "base/memory.h"
#include "base/rng.h"
#include "eval/train/datagen/teacher_search.h"

struct searched {
    struct teacher_accumulator accumulators[2]; /* of the last position asked for, and before */
    struct position positions[SEARCHED_MAX];
    struct teacher *teacher;
    struct rng rng;
    uint64_t met; /* positions that the search has scored */
    int room;
};

struct searched *searched_create(const struct teacher_net *net, int room, uint64_t seed)
{
    struct searched *searched = large_memory(sizeof *searched);
    struct teacher *teacher = searched ? teacher_create(net, NULL) : NULL;
    if (!teacher) {
        large_memory_free(searched);
        return NULL;
    }
    searched->teacher = teacher;
    searched->room = room;
    searched->met = 0;
    rng_seed(&searched->rng, seed);
    return searched;
}

void searched_destroy(struct searched *searched)
{
    if (searched)
        teacher_destroy(searched->teacher);
    large_memory_free(searched);
}

void searched_begin(struct searched *searched)
{
    searched->met = 0;
}

/* Each position has the same chance to be kept: the n-th takes the place of another with the chance
 * room / n. Source: https://en.wikipedia.org/wiki/Reservoir_sampling */
void searched_watch(void *context, const struct position *pos)
{
    struct searched *searched = context;
    uint64_t room = (uint64_t)searched->room;
    uint64_t place = searched->met;
    if (++searched->met > room)
        place = rng_below(&searched->rng, searched->met);
    if (place < room)
        searched->positions[place] = *pos;
}

int searched_count(const struct searched *searched)
{
    uint64_t room = (uint64_t)searched->room;
    return (int)(searched->met < room ? searched->met : room);
}

const struct position *searched_position(struct searched *searched, int index, int *score)
{
    const struct position *pos = &searched->positions[index];
    struct teacher_accumulator *now = &searched->accumulators[index & 1];
    if (index == 0)
        teacher_refresh(searched->teacher, pos, now);
    else
        teacher_update(searched->teacher, pos - 1, &searched->accumulators[~index & 1], pos, now);
    *score = teacher_centipawns(teacher_value(searched->teacher, pos, now));
    return pos;
}
