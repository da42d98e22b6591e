/* The command line of caxton-datagen. */
#pragma once

#include "base/command_line.h"
#include "eval/train/datagen/searched.h"
#include "eval/train/datagen/starts.h"

enum { OPTIONS_JOBS_MAX = 256, OPTIONS_SIBLINGS_MAX = 16, OPTIONS_PLIES_MAX = 400 };

struct datagen_options {
    const char *output;
    const char *labeller;    /* command of a UCI engine; NULL: our own search */
    const char *teacher_net; /* file of a network of Stockfish; NULL: none */
    const char *openings;    /* file; NULL: none */
    int64_t positions;       /* how many the file holds in the end */
    int64_t nodes;           /* for each search */
    int64_t wait_s;          /* for an engine's answers; 0: the default */
    int64_t plies;           /* of a game, at most */
    int64_t siblings;
    int64_t searched;             /* of each search, positions that the teacher labels */
    int64_t percent[START_KINDS]; /* of the games, by their start */
    struct option_texts books;    /* files; none: the built-in book */
    int64_t seed;
    int64_t jobs;
    bool quiet;
};

/* Reads a command line. Strings are borrowed from argv. A fault is one line on standard error. */
enum parse_result datagen_options_read(int argc, char **argv, struct datagen_options *out);
