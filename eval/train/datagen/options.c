#include "eval/train/datagen/options.h"

#include <stdio.h>

enum { NODES = 5000, NODES_OF_ENGINE = 1, WAIT_MAX_S = 1000000 };

enum parse_result datagen_options_read(int argc, char **argv, struct datagen_options *out)
{
    *out = (struct datagen_options){
        .positions = 1000000, .seed = 1, .jobs = 1, .chess960_percent = 15};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "FILE", "where they go; a file that exists is continued",
                 &out->output),
        NUMBER_ROW("positions", 0, "N", "how many the file holds in the end (1000000)",
                   &out->positions, 1, INT64_MAX / 64),
        NUMBER_ROW("nodes", 0, "N", "for each search (5000; 1 with --labeller)", &out->nodes, 1,
                   INT64_MAX),
        TEXT_ROW("labeller", 0, "COMMAND", "a UCI engine that plays and scores instead of Caxton",
                 &out->labeller),
        TEXT_ROW("teacher-net", 0, "FILE",
                 "a network that Stockfish 15.1 exported plays and scores", &out->teacher_net),
        NUMBER_ROW("wait", 0, "SECONDS",
                   "for its answers, then it has failed (60; 10 for its start)", &out->wait_s, 1,
                   WAIT_MAX_S),
        NUMBER_ROW("siblings", 0, "N", "of each position, also N after other moves (0 to 16; 0)",
                   &out->siblings, 0, OPTIONS_SIBLINGS_MAX),
        TEXT_ROW("openings", 0, "FILE", "FEN or EPD lines to start part of the games from",
                 &out->openings),
        NUMBER_ROW("chess960", 0, "PERCENT", "of the games that start as Chess960 (15)",
                   &out->chess960_percent, 0, 100),
        NUMBER_ROW("endings", 0, "PERCENT", "that start from random positions of 3 to 8 pieces (0)",
                   &out->endings_percent, 0, 100),
        NUMBER_ROW("seed", 0, "N", "another number gives other games (1)", &out->seed, 0,
                   INT64_MAX),
        NUMBER_ROW("jobs", 0, "N", "threads (1)", &out->jobs, 1, OPTIONS_JOBS_MAX),
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
    if (!out->output) {
        (void)fputs("caxton-datagen: an output is needed: -o FILE\n", stderr);
        return PARSE_WRONG;
    }
    if (out->teacher_net && (out->labeller || out->nodes)) {
        (void)fputs("caxton-datagen: --teacher-net excludes --labeller and --nodes\n", stderr);
        return PARSE_WRONG;
    }
    if (!out->nodes)
        out->nodes = out->labeller ? NODES_OF_ENGINE : NODES;
    return PARSE_RUN;
}
