/* Sample games of a position: which they are, and where their text is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { SAMPLES_MAX = 100, SAMPLE_FILES_MAX = UINT16_MAX };

struct sample {
    uint64_t at;   /* the byte of its file, unpacked, that the game begins with */
    uint32_t mark; /* tells games apart: game_mark() */
    uint16_t elos; /* the sum of both players' Elo, an unknown one is 0 */
    uint16_t file; /* its number among the names of files */
};

/* The order of preference: strong players first; then any order that does not depend on how the
 * games were read. */
static inline int sample_compare(const struct sample *a, const struct sample *b)
{
    if (a->elos != b->elos)
        return a->elos > b->elos ? -1 : 1;
    if (a->mark != b->mark)
        return a->mark < b->mark ? -1 : 1;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Games of one position in this order, each mark once: the first of all that came there. */
struct sample_set {
    uint64_t key;
    size_t count; /* at least 1 */
    struct sample games[SAMPLES_MAX];
};

/* Adds one that does not come before the others; not one whose mark is there. most: so many stay.
 */
static inline void sample_set_add(struct sample_set *set, const struct sample *sample, size_t most)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->games[i].mark == sample->mark)
            return;
    if (set->count < most)
        set->games[set->count++] = *sample;
}

/* Gives the next set of a sequence, by ascending keys; STATUS_END at its end. */
typedef enum caxton_status (*sample_source)(void *context, struct sample_set *out,
                                            struct diag *diag);
