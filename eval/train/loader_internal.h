/* What the reader of files and that of streams share. */
#pragma once

#include <stdbool.h>

#include "eval/train/loader.h"
#include "eval/train/sample_file.h"

/* A unit is a sample or the header of a block: 32 bytes both. */
enum { UNIT = SAMPLE_SIZE, MAX_FILES = 256, ROOK_WITH_RIGHT = 6, GROUP = 64 };

_Static_assert((int)SAMPLE_HEADER_SIZE == (int)SAMPLE_SIZE, "headers are units, too");

struct source {
    const uint8_t *data;
    size_t size;
    uint32_t first; /* number of its first 32-byte unit, over all files */
    float lambda;
    float scale;
};

/* A growing array of unit numbers. Block headers are units too, so a number is a place. */
struct list {
    uint32_t *items;
    size_t count;
    size_t capacity;
};

/* What a stream of samples needs besides; loader_stream.c fills it. */
struct stream {
    const int *files;
    size_t count;
    size_t turn;    /* whose block is read next */
    uint8_t *block; /* owned: the samples of one block */
    size_t block_count;
    size_t block_at;     /* the next of them */
    bool for_validation; /* the game that it is of */
    uint32_t room;       /* places for training positions; those of the list are in use */
    float reuse;         /* draws for a new position */
    float credit;        /* draws since the last one */
    struct loader_report *report;
};

struct loader {
    struct loader_options options;
    struct source sources[MAX_FILES];
    size_t source_count;
    uint32_t units;
    struct list training;
    struct list validation;
    size_t drawn; /* of the current pass over `training` */
    uint64_t random;
    struct stream stream; /* count 0: there is none */
};

/* Is the game that begins with this sample for validation? */
bool loader_is_validation(const struct loader_options *options, const uint8_t *first);

/* The counter in `report` for this position: `kept`, or the reason why it is dropped. */
uint64_t *loader_judge(const struct loader_options *options, float scale, const uint8_t *packed,
                       struct loader_report *report);

/* Adds a unit number. False when there is no memory. */
bool loader_list_add(struct list *list, uint32_t item);

/* After `unit` was drawn: takes the next sample of the streams when it is due, into a free place or
 * into that of `unit`. Returns NULL, or what is wrong. */
MUST_CHECK const char *loader_stream_replace(struct loader *loader, uint32_t unit);
