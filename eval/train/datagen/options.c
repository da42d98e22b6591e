#include "eval/train/datagen/options.h"

#include <stdio.h>
#include <string.h>

enum {
    NODES = 5000,
    NODES_OF_ENGINE = 1,
    WAIT_MAX_S = 1000000,
    POSITIONS = 1000000,
    CHESS960_PERCENT = 15,
    BOOK_PERCENT = 20,
    OPENINGS_PERCENT = 40, /* with a file of openings */
};

/* Shares that are not given are taken of what the others leave. False, with a line that says why,
 * when they do not fit. */
static bool shares_fit(struct datagen_options *options)
{
    static const int64_t usual[START_KINDS] = {[START_CHESS960] = CHESS960_PERCENT,
                                               [START_BOOK] = BOOK_PERCENT,
                                               [START_OPENING] = OPENINGS_PERCENT};
    int64_t *percent = options->percent;
    int64_t sum = 0;
    if (!options->openings && percent[START_OPENING] > 0) {
        (void)fputs("caxton-datagen: --openings-share needs --openings\n", stderr);
        return false;
    }
    if (!options->openings)
        percent[START_OPENING] = 0;
    for (int kind = 0; kind < START_KINDS; kind++)
        sum += percent[kind] > 0 ? percent[kind] : 0;
    if (sum > 100) {
        (void)fprintf(stderr, "caxton-datagen: the shares of starts are %lld %%, 100 at most\n",
                      (long long)sum);
        return false;
    }
    for (int kind = 0; kind < START_KINDS; kind++)
        if (percent[kind] < 0)
            percent[kind] = usual[kind] * (100 - sum) / 100;
    return true;
}

/* Fills in what depends on other options. */
static bool complete(struct datagen_options *options)
{
    if (!options->output) {
        (void)fputs("caxton-datagen: an output is needed: -o FILE\n", stderr);
        return false;
    }
    if (options->searched && (!options->teacher_net || options->labeller || options->siblings)) {
        (void)fputs("caxton-datagen: --searched needs --teacher-net, and excludes --labeller and "
                    "--siblings\n",
                    stderr);
        return false;
    }
    if (options->teacher_net && (options->labeller || (options->nodes && !options->searched))) {
        (void)fputs(
            "caxton-datagen: --teacher-net excludes --labeller, and --nodes without --searched\n",
            stderr);
        return false;
    }
    bool endless = strcmp(options->output, "-") == 0;
    if (!options->positions)
        options->positions = endless ? INT64_MAX / 64 : POSITIONS;
    if (!options->nodes)
        options->nodes = options->labeller ? NODES_OF_ENGINE : NODES;
    return shares_fit(options);
}

#define SHARE_ROW(name, text, kind)                                                                \
    NUMBER_ROW(name, 0, "PERCENT", "of the games, from " text, &out->percent[kind], 0, 100)

enum parse_result datagen_options_read(int argc, char **argv, struct datagen_options *out)
{
    *out = (struct datagen_options){
        .percent = {[START_CHESS960] = -1, [START_BOOK] = -1, [START_OPENING] = -1},
    };
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "FILE",
                 "where they go; a file that exists is continued; -: a stream", &out->output),
        NUMBER_ROW("positions", 0, "N",
                   "how many the file holds in the end (1000000; a stream: no end)",
                   &out->positions, 1, INT64_MAX / 64),
        NUMBER_ROW("nodes", 0, "N", "for each search (5000; 1 with --labeller)", &out->nodes, 1,
                   INT64_MAX),
        TEXT_ROW("labeller", 0, "COMMAND", "a UCI engine that plays and scores instead of Caxton",
                 &out->labeller),
        TEXT_ROW("teacher-net", 0, "FILE", "a network of Stockfish 15.1 to 19 plays and scores",
                 &out->teacher_net),
        NUMBER_ROW("wait", 0, "SECONDS",
                   "for its answers, then it has failed (60; 10 for its start)", &out->wait_s, 1,
                   WAIT_MAX_S),
        NUMBER_ROW("plies", 0, "N", "end a game after so many, without a result", &out->plies, 1,
                   OPTIONS_PLIES_MAX, USUAL(OPTIONS_PLIES_MAX)),
        NUMBER_ROW("siblings", 0, "N", "of each position, also N after other moves", &out->siblings,
                   0, OPTIONS_SIBLINGS_MAX, USUAL(0)),
        NUMBER_ROW("searched", 0, "N",
                   "of each of Caxton's searches, keep N positions that the teacher values",
                   &out->searched, 0, SEARCHED_MAX, USUAL(0)),
        TEXT_ROW("openings", 0, "FILE", "FEN or EPD lines to start part of the games from",
                 &out->openings),
        SHARE_ROW("openings-share", "these (40 of what is left)", START_OPENING),
        TEXTS_ROW("book", 0, "FILE",
                  "start part of the games from its moves; may be given again (the built-in book)",
                  &out->books),
        SHARE_ROW("book-share", "books (20 of what is left)", START_BOOK),
        SHARE_ROW("chess960", "Chess960 positions (15 of what is left)", START_CHESS960),
        SHARE_ROW("double-chess960", "one such position for each side (0)", START_DOUBLE_CHESS960),
        SHARE_ROW("endings", "random positions of 3 to 8 pieces (0)", START_ENDING),
        NUMBER_ROW("seed", 0, "N", "another number gives other games", &out->seed, 0, INT64_MAX,
                   USUAL(1)),
        NUMBER_ROW("jobs", 0, "N", "threads", &out->jobs, 1, OPTIONS_JOBS_MAX, USUAL(1)),
        FLAG_ROW("quiet", 0, "no progress on the terminal", &out->quiet),
    };
    struct command_line line = {
        .program = "caxton-datagen",
        .command = "",
        .synopsis = "-o FILE [options]",
        .about = "Plays games and writes scored positions to train the evaluation with.",
        .rows = rows,
        .row_count = ROW_COUNT(rows),
    };
    enum parse_result result = options_parse(&line, argc - 1, argv + 1);
    if (result != PARSE_RUN)
        return result;
    return complete(out) ? PARSE_RUN : PARSE_WRONG;
}
