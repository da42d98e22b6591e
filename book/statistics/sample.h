/* Sample games of a position: which they are, and where their text is; the names of their files;
 * several sequences of them as one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"

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

/* Names ------------------------------------------------------------------------------------ */

/* The names of the files that sample games are in: each once, in the order of their bytes. A number
 * is a place in this list, so that it does not depend on the order in which files were read. Begins
 * as {0}. */
struct sample_names {
    char **list;
    size_t count;
    size_t capacity;
};

void sample_names_free(struct sample_names *names);

/* Adds a name if it is not there. Numbers of others change. Errors: STATUS_NO_MEMORY, STATUS_RANGE
 * (more than SAMPLE_FILES_MAX). */
MUST_CHECK enum caxton_status sample_names_add(struct sample_names *names, const char *name);

/* The number of a name; the count of all where it is not there. */
size_t sample_names_find(const struct sample_names *names, const char *name);

/* Merging ---------------------------------------------------------------------------------- */

/* A sequence that becomes one with others: of each position the first games of all of them. The
 * result does not depend on how the games were divided into sequences, nor on their order. */
struct sample_input {
    sample_source next;
    void *context;
    struct sample_set head; /* private */
};

/* Begins as {inputs, count, most}: the inputs are borrowed, `most` games of a position are kept. */
struct sample_merge {
    struct sample_input *inputs;
    size_t count;
    size_t most;
    struct heap heap; /* private: of inputs that have not ended, by their heads' keys */
};

void sample_merge_end(struct sample_merge *merge);

/* A sample_source. Errors: STATUS_END, those of the inputs. */
MUST_CHECK enum caxton_status sample_merge_next(void *merge, struct sample_set *out,
                                                struct diag *diag);
