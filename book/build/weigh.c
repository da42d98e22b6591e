#include "book/build/weigh.h"

#include <stdlib.h>

#include "book/polyglot.h"

enum { MOVES_PER_POSITION = 1 << 10 };

struct weigher {
    FILE *out;
    struct weigh_report report;
    uint64_t key;
    uint64_t scores[MOVES_PER_POSITION];
    struct polyglot_entry entries[MOVES_PER_POSITION];
    size_t count;
};

struct weigher *weigher_create(FILE *out)
{
    struct weigher *weigher = calloc(1, sizeof *weigher);
    if (weigher)
        weigher->out = out;
    return weigher;
}

void weigher_destroy(struct weigher *weigher)
{
    free(weigher);
}

/* Counts stay below 2^63 / 2 in any collection that a disk can hold. */
static uint64_t score_of(const struct tally *tally)
{
    return 2 * tally->counts[OUTCOME_WIN] + tally->counts[OUTCOME_DRAW];
}

static uint16_t scale(uint64_t score, uint64_t largest)
{
    if (largest <= POLYGLOT_WEIGHT_MAX)
        return (uint16_t)score;
    __extension__ typedef unsigned __int128 wide;
    uint64_t scaled = (uint64_t)(((wide)score * POLYGLOT_WEIGHT_MAX + largest / 2) / largest);
    return (uint16_t)(scaled ? scaled : 1);
}

static enum caxton_status write_position(struct weigher *weigher)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < weigher->count; i++)
        if (weigher->scores[i] > largest)
            largest = weigher->scores[i];
    for (size_t i = 0; i < weigher->count; i++)
        weigher->entries[i].weight = scale(weigher->scores[i], largest);
    qsort(weigher->entries, weigher->count, sizeof *weigher->entries, polyglot_compare);
    for (size_t i = 0; i < weigher->count; i++) {
        uint8_t bytes[POLYGLOT_ENTRY_SIZE];
        polyglot_encode(&weigher->entries[i], bytes);
        if (fwrite(bytes, sizeof bytes, 1, weigher->out) != 1)
            return STATUS_IO;
    }
    weigher->report.positions += weigher->count > 0;
    weigher->report.entries += weigher->count;
    weigher->count = 0;
    return STATUS_OK;
}

enum caxton_status weigher_take(void *context, const struct tally *tally)
{
    struct weigher *weigher = context;
    if (weigher->count > 0 && tally->key != weigher->key) {
        enum caxton_status status = write_position(weigher);
        if (status != STATUS_OK)
            return status;
    }
    uint64_t score = score_of(tally);
    if (score == 0) {
        weigher->report.worthless++;
        return STATUS_OK;
    }
    /* More moves than any position has: two positions share a key, which books cannot tell apart.
     */
    if (weigher->count == MOVES_PER_POSITION)
        return STATUS_OK;
    weigher->key = tally->key;
    weigher->scores[weigher->count] = score;
    weigher->entries[weigher->count++] =
        (struct polyglot_entry){.key = tally->key, .move = tally->move};
    return STATUS_OK;
}

enum caxton_status weigher_finish(struct weigher *weigher, struct weigh_report *report)
{
    enum caxton_status status = write_position(weigher);
    *report = weigher->report;
    return status;
}
