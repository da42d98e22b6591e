#include "book/scoring/job_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/checksum.h"
#include "base/rng.h"

struct scorer_question scorer_question_of(const struct position *pos, struct search_limit limit)
{
    struct scorer_question question = {.pos = *pos, .limit = limit};
    position_pack(pos, &question.packed);
    return question;
}

bool scorer_question_is_same(const struct scorer_question *a, const struct scorer_question *b)
{
    return a->limit.kind == b->limit.kind && a->limit.value == b->limit.value &&
           memcmp(&a->packed, &b->packed, sizeof a->packed) == 0;
}

static uint64_t hash_of(const struct scorer_question *question)
{
    const struct search_limit limit = question->limit;
    uint64_t sum =
        checksum_add(CHECKSUM_EMPTY, question->packed.bytes, sizeof question->packed.bytes);
    return rng_mix(sum ^ rng_mix(limit.value * 2 + (uint64_t)limit.kind));
}

enum { SLOTS_MIN = 64 };

void job_table_free(struct job_table *table)
{
    free(table->entries);
    free(table->slots);
    *table = (struct job_table){.count = 0};
}

static size_t home_of(const struct job_table *table, const struct scorer_question *question)
{
    return (size_t)hash_of(question) & (table->slot_count - 1);
}

/* The slot of the job, or the free one where it belongs. */
static size_t slot_of(const struct job_table *table, const struct scorer_question *question)
{
    size_t at = home_of(table, question);
    while (table->slots[at] &&
           !scorer_question_is_same(&table->entries[table->slots[at] - 1].question, question))
        at = (at + 1) & (table->slot_count - 1);
    return at;
}

static bool make_room(struct job_table *table)
{
    if (table->count >= UINT32_MAX - 1 ||
        !ARRAY_GROW(table->entries, table->capacity, table->count + 1))
        return false;
    if (table->slot_count > 2 * (table->count + 1))
        return true;
    size_t count = table->slot_count ? 2 * table->slot_count : SLOTS_MIN;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots)
        return false;
    free(table->slots);
    table->slots = slots;
    table->slot_count = count;
    for (size_t i = 0; i < table->count; i++)
        table->slots[slot_of(table, &table->entries[i].question)] = (uint32_t)i + 1;
    return true;
}

struct job_entry *job_table_find(const struct job_table *table,
                                 const struct scorer_question *question)
{
    if (table->count == 0)
        return NULL;
    uint32_t index = table->slots[slot_of(table, question)];
    return index ? &table->entries[index - 1] : NULL;
}

struct job_entry *job_table_add(struct job_table *table, const struct scorer_question *question)
{
    if (!make_room(table))
        return NULL;
    table->slots[slot_of(table, question)] = (uint32_t)table->count + 1;
    table->entries[table->count] = (struct job_entry){.question = *question};
    return &table->entries[table->count++];
}

/* Frees a slot; those behind it that could not stand nearer to their home move up. */
static void free_slot(struct job_table *table, size_t hole)
{
    size_t mask = table->slot_count - 1;
    table->slots[hole] = 0;
    for (size_t at = (hole + 1) & mask; table->slots[at]; at = (at + 1) & mask) {
        size_t home = home_of(table, &table->entries[table->slots[at] - 1].question);
        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        table->slots[hole] = table->slots[at];
        table->slots[at] = 0;
        hole = at;
    }
}

bool job_table_remove(struct job_table *table, const struct scorer_question *question)
{
    if (table->count == 0)
        return false;
    size_t slot = slot_of(table, question);
    uint32_t index = table->slots[slot];
    if (!index)
        return false;
    free_slot(table, slot);
    /* The last entry takes the place of the one that goes. */
    struct job_entry *last = &table->entries[table->count - 1];
    if (index < table->count) {
        table->slots[slot_of(table, &last->question)] = index;
        table->entries[index - 1] = *last;
    }
    table->count--;
    return true;
}
