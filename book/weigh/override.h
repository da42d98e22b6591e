/* Weights by hand: a text file that takes precedence over statistics.
 *
 *     # the King's Gambit, always; never 1.f3
 *     1. e4 e5 2. f4 : always
 *     f3             : never
 *     d4 d5 c4       : 500
 *
 * Before the colon stand moves from the start position, in SAN or as UCI writes them; move numbers
 * are skipped. What follows is about the last of them, in the position before it:
 *
 *     a number   its weight in the book, 0..65535, as it stands; 0: known, but never played
 *     never      it is left out
 *     always     it is played: the position keeps only its "always" moves, all as heavy
 *
 * '#' begins a comment at the start of a line or after a blank ("Qxf7#" is a move). A move may have
 * only one line, and a position with "always" no numbers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

enum override_kind { OVERRIDE_WEIGHT, OVERRIDE_NEVER, OVERRIDE_ALWAYS };

struct override {
    uint64_t key;
    uint16_t move;    /* as book/polyglot_entry.h stores it */
    uint16_t journey; /* castling as some books have it, e1g1; else as move */
    uint16_t weight;
    enum override_kind kind;
    size_t line; /* where it stands in the file */
};

struct overrides {
    struct override *list; /* by key, then move */
    size_t count;
};

/* Receives the faults, the first 100, in the order of lines: diag->line, diag->column and what is
 * wrong; then how many more there are. */
typedef void (*override_fault)(void *context, const struct diag *diag);

/* Reads the whole file. mirror: the overrides are for mirrored statistics (wld.h), where they hold
 * for both colours. *out is the caller's, for overrides_free().
 * Errors: STATUS_SYNTAX after faults were named, STATUS_NO_MEMORY; nothing to free then. */
MUST_CHECK enum caxton_status overrides_parse(struct span text, bool mirror, override_fault fault,
                                              void *context, struct overrides *out);
void overrides_free(struct overrides *overrides);
