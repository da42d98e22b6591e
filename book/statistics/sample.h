/* Sample games of a position: which they are, and where their text is; the names of their files;
 * several sequences of them as one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "book/statistics/facets.h"

enum {
    SAMPLES_MAX = 100,
    SAMPLE_SET_MAX = 740, /* games of a position where they are told apart by facets */
    SAMPLE_SET_ROOM = 1024,
    SAMPLE_FILES_MAX = UINT16_MAX
};

struct sample {
    uint64_t at;     /* the byte of its file, unpacked, that the game begins with */
    uint32_t mark;   /* tells games apart: game_mark() */
    uint32_t facet;  /* of game_facet(), */
    uint16_t move;   /* and what is played in the position, as Polyglot stores it: 0 where games are
                        not told apart by facets */
    uint16_t elos;   /* the sum of both players' Elo, an unknown one is 0 */
    uint16_t file;   /* its number among the names of files */
    uint16_t chosen; /* while some are chosen; else 0 */
};

/* The order of games: strong players first; then any order that does not depend on how the games
 * were read. */
int sample_compare(const struct sample *a, const struct sample *b);

/* Which games of a position are kept. Without facets: the first `most`, each mark once.
 * With facets these, and, as far as they are not among them: of each speed and rating group the 8
 * of the latest months, 448 in all; of each move the latest one, 64 in all; of each move, speed and
 * group the latest one, 64 in all; of each year the first 8, 64 in all. `most` instead of 8 where
 * it is less. Where there are more, the first ones of each are kept, then the second ones, and so
 * on; of one such round those that come first. Equal games are those of one mark, facet and move.
 *
 * What is chosen from what was chosen of parts is what is chosen from the whole (README.md). */
struct sample_rule {
    size_t most;
    bool by_facets;
};

/* Games of one position, in the order of sample_compare() unless they are being collected. */
struct sample_set {
    uint64_t key;
    size_t count; /* at least 1 */
    struct sample games[SAMPLE_SET_ROOM];
};

/* Leaves what the rule keeps, in order. */
void sample_set_choose(struct sample_set *set, const struct sample_rule *rule);

/* Adds one to those that are collected. sample_set_choose() has to follow. */
static inline void sample_set_add(struct sample_set *set, const struct sample *sample,
                                  const struct sample_rule *rule)
{
    if (set->count == SAMPLE_SET_ROOM)
        sample_set_choose(set, rule);
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

/* A sequence that becomes one with others: of each position what is chosen of all their games. The
 * result does not depend on how the games were divided into sequences, nor on their order. */
struct sample_input {
    sample_source next;
    void *context;
    struct sample_set head; /* private */
};

/* Begins as {inputs, count, rule}: the inputs are borrowed. */
struct sample_merge {
    struct sample_input *inputs;
    size_t count;
    struct sample_rule rule;
    struct heap heap; /* private: of inputs that have not ended, by their heads' keys */
};

void sample_merge_end(struct sample_merge *merge);

/* A sample_source. Errors: STATUS_END, those of the inputs. */
MUST_CHECK enum caxton_status sample_merge_next(void *merge, struct sample_set *out,
                                                struct diag *diag);
