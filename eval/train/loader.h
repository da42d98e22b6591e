/* The trainer's reader of packed positions (sample.h describes the 32 bytes, sample_file.h the
 * blocks).
 *
 * Files are mapped, never copied. One pass when a file is added checks every block, drops what the
 * options filter out, and keeps whole games for validation; four bytes are kept for every position
 * that stays. Training positions come in a random order over all files together: each pass over
 * them is another permutation, drawn as it is used. The same files, options and seed give the same
 * positions in the same order. A loader belongs to one thread at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    LOADER_PIECES = 32,
    LOADER_SCORES = 65536,
    LOADER_RELATED = 128, /* relations of a side that are kept: hardly ever there are more */
};

struct loader_options {
    uint64_t seed;  /* which games are for validation, which positions are thinned out */
    uint64_t order; /* another number, another order of the training positions */
    int32_t validation_permille; /* share of the games that is for validation */
    int32_t drop_check;          /* 1: no positions in check */
    int32_t drop_capture;        /* 1: none whose best move is a capture or a promotion */
    int32_t max_score;           /* centipawns, either side's; larger ones are dropped */
    int32_t min_pieces;
    int32_t max_pieces;
    float max_surprise;       /* largest |result - expected result by the score|; 1 = all */
    float score_unit;         /* centipawns at which the odds are e : 1 */
    float flatten;            /* 0: off; 1: drop positions until all piece counts are as frequent */
    uint8_t king_buckets[32]; /* by rank * 4 + file, files a..d */
};

/* What a file brought, for the report. */
struct loader_report {
    uint64_t positions;
    uint64_t games;
    uint64_t kept;
    uint64_t dropped_check;
    uint64_t dropped_capture;
    uint64_t dropped_score;
    uint64_t dropped_pieces;
    uint64_t dropped_surprise;
    uint64_t torn_bytes; /* after the last whole block */
    float scale;         /* factor of the scores: as given, or as fitted */
};

/* Where a batch goes; all arrays are the caller's, `count` long. The side to move comes first. */
struct loader_batch {
    uint16_t *features; /* [count][2][LOADER_PIECES]; unused places hold `padding` */
    uint8_t *pieces;
    uint16_t *relations; /* [count][2][LOADER_RELATED]; NULL: they are not wanted */
    uint8_t *related;    /* [count][2], how many of them there are; the rest are RELATIONS */
    float *score;        /* centipawns, side to move's view, scaled */
    float *result; /* side to move's view: 0, 0.5, 1; expected by the score when it is unknown */
    float *lambda; /* the file's; 1 when the result is unknown */
};

struct loader;

/* NULL when there is no memory. */
struct loader *loader_create(const struct loader_options *options);
void loader_destroy(struct loader *loader);

/* weight: how often each position is drawn in one pass over the data; 0.5 keeps a random half.
 * scale: factor of the file's scores, 0 = fitted so that logistic(score / score_unit) predicts the
 * results best. Returns NULL, or what is wrong in a few words. */
const char *loader_add(struct loader *loader, const char *path, float weight, float lambda,
                       float scale, struct loader_report *report);

/* Samples without end in place of files, from programs that write the blocks of sample_file.h. */
struct loader_streams {
    const int *files; /* descriptors; a block of each is read in turn */
    uint32_t count;
    uint32_t room;       /* training positions that are kept in memory and drawn from */
    uint32_t begin;      /* of these, so many before the first batch; the others join them */
    uint32_t validation; /* validation positions; only games that come before the first batch */
    float reuse;         /* draws for a new position, which takes a free place while there is one,
                            then that of the position drawn last */
    float lambda;
    float scale; /* as for loader_add(), but not fitted */
};

/* Fills the beginning of the room; waits for the programs. streams->files and `report`, which goes
 * on counting, stay the caller's and must outlive the loader. Returns NULL, or what is wrong in a
 * few words. The same bytes of the programs give the same batches. To be called instead of
 * loader_add(). */
const char *loader_open_streams(struct loader *loader, const struct loader_streams *streams,
                                struct loader_report *report);

/* Drops positions of frequent piece counts as options.flatten asks; call once, after the last file.
 * Returns the number of training positions. */
uint64_t loader_finish(struct loader *loader);
uint64_t loader_validation_size(const struct loader *loader);

/* The next `count` training positions. There must be some. Returns NULL, or what is wrong with a
 * stream, in a few words. */
const char *loader_next(struct loader *loader, size_t count, uint16_t padding,
                        const struct loader_batch *batch);

/* `count` validation positions from number `start` on; the order is random but fixed. */
void loader_validation(const struct loader *loader, size_t start, size_t count, uint16_t padding,
                       const struct loader_batch *batch);

/* The 32 packed bytes of validation position `number`. */
const uint8_t *loader_packed(const struct loader *loader, size_t number);
