/* The command line of `caxton play`. */
#ifndef CAXTON_ENGINE_PLAY_ARGUMENTS_H
#define CAXTON_ENGINE_PLAY_ARGUMENTS_H

#include "engine/options.h"

struct play_arguments {
    int64_t base_ms;
    int64_t increment_ms;
    const char *pgn; /* NULL = a new file in games/ */
    uint64_t seed;
    bool plain;              /* no colours, no redrawing */
    bool ascii;              /* letters for pieces */
    bool help;               /* asked for */
    struct options *options; /* hash, threads, book; borrowed */
};

extern const char play_help[];

/* Fills `out`, whose options are set to their defaults first; seed stays when none is given.
 * Errors: STATUS_SYNTAX, with one sentence in `diag`. */
MUST_CHECK enum caxton_status play_arguments_read(int argc, char **argv, struct play_arguments *out,
                                                  struct diag *diag);

#endif
