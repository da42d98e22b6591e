/* The arithmetic on accumulators, as a table of functions for each kind of vector unit. All of them
 * give the same bits: sums wrap to 16 bits, which network files are checked not to reach, and the
 * sums of the layers are exact. Rows and accumulators have NETWORK_HIDDEN values and are aligned to
 * 64 bytes. */
#pragma once

#include <stdint.h>

#include "eval/relations.h"

struct layers; /* network.h */

enum { INFER_ROWS_MAX = 64 };

/* Rows of weights to add to an accumulator and to take off it. */
struct rows {
    int adds, subs;
    const int8_t *add[INFER_ROWS_MAX];
    const int8_t *sub[INFER_ROWS_MAX];
};

/* Rows of NETWORK_RELATED weights to take off sums of relations, and then some to add to them. */
struct related_rows {
    int subs, count;
    const int8_t *rows[2 * RELATED_MAX];
};

struct infer {
    const char *name;
    /* out = in with as many rows added and taken off as the name says: one pass each, for what the
     * kinds of moves change. `rows` has that many. */
    void (*add_sub)(int16_t *out, const int16_t *in, const struct rows *rows);
    void (*add_sub_sub)(int16_t *out, const int16_t *in, const struct rows *rows);
    void (*add_add_sub_sub)(int16_t *out, const int16_t *in, const struct rows *rows);
    /* The same with any number of rows; the result goes to two places. */
    void (*rebuild)(int16_t *out, int16_t *kept, const int16_t *in, const struct rows *rows);
    /* What the layers make of both accumulators, in units of 1 / NETWORK_OUTPUT_ONE. */
    int32_t (*output)(const int16_t *us, const int16_t *them, const struct layers *layers);
    /* out = in with rows taken off and added. */
    void (*relate)(int16_t *out, const int16_t *in, const struct related_rows *rows);
    /* Like output(), with sums of relations added to the last pairs. */
    int32_t (*output_related)(const int16_t *us, const int16_t *them, const int16_t *related_us,
                              const int16_t *related_them, const struct layers *layers);
};

/* Which of them exist depends on the processor that the program is built for. */
extern const struct infer infer_scalar;
#ifdef __x86_64__
extern const struct infer infer_avx2;
extern const struct infer infer_vnni;
#endif
#ifdef __aarch64__
extern const struct infer infer_neon;
#endif
#ifdef __wasm_simd128__
extern const struct infer infer_wasm;
#endif

/* The index-th kind that this machine can run, the fastest first, the scalar one last; NULL beyond.
 */
const struct infer *infer_kind(int index);
