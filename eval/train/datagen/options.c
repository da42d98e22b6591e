#include "eval/train/datagen/options.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES = 5000, NODES_OF_ENGINE = 1, WAIT_MAX_S = 1000000 };

enum parse_result datagen_options_read(int argc, char **argv, struct datagen_options *out)
{
    *out = (struct datagen_options){
        .positions = 1000000, .seed = 1, .jobs = 1, .chess960_percent = 15};
    const struct option_row rows[] = {
        {"output", 'o', OPTION_TEXT, "FILE", "where they go; a file that exists is continued",
         &out->output, 0, 0},
        {"positions", 0, OPTION_NUMBER, "N", "how many the file holds in the end (1000000)",
         &out->positions, 1, INT64_MAX / 64},
        {"nodes", 0, OPTION_NUMBER, "N", "for each search (5000; 1 with --labeller)", &out->nodes,
         1, INT64_MAX},
        {"labeller", 0, OPTION_TEXT, "COMMAND",
         "a UCI engine that plays and scores instead of Caxton", &out->labeller, 0, 0},
        {"wait", 0, OPTION_NUMBER, "SECONDS",
         "for its answers, then it has failed (60; 10 for its start)", &out->wait_s, 1, WAIT_MAX_S},
        {"siblings", 0, OPTION_NUMBER, "N",
         "of each position, also N after other moves (0 to 16; 0)", &out->siblings, 0,
         OPTIONS_SIBLINGS_MAX},
        {"openings", 0, OPTION_TEXT, "FILE", "FEN or EPD lines to start part of the games from",
         &out->openings, 0, 0},
        {"chess960", 0, OPTION_NUMBER, "PERCENT", "of the games that start as Chess960 (15)",
         &out->chess960_percent, 0, 100},
        {"endings", 0, OPTION_NUMBER, "PERCENT",
         "that start from random positions of 3 to 8 pieces (0)", &out->endings_percent, 0, 100},
        {"seed", 0, OPTION_NUMBER, "N", "another number gives other games (1)", &out->seed, 0,
         INT64_MAX},
        {"jobs", 0, OPTION_NUMBER, "N", "threads (1)", &out->jobs, 1, OPTIONS_JOBS_MAX},
        {"quiet", 0, OPTION_FLAG, NULL, "no progress on the terminal", &out->quiet, 0, 0},
    };
    struct command_line line = {
        .program = "caxton-datagen",
        .command = "",
        .synopsis = "-o FILE [options]",
        .about = "Plays games and writes scored positions to train the evaluation with.",
        .rows = rows,
        .row_count = sizeof rows / sizeof *rows,
    };
    line.operands = calloc((size_t)argc, sizeof *line.operands);
    if (!line.operands) {
        (void)fputs("caxton-datagen: out of memory\n", stderr);
        return PARSE_WRONG;
    }
    enum parse_result result = options_parse(&line, argc - 1, argv + 1);
    free(line.operands);
    if (result != PARSE_RUN)
        return result;
    if (!out->output) {
        (void)fputs("caxton-datagen: an output is needed: -o FILE\n", stderr);
        return PARSE_WRONG;
    }
    if (!out->nodes)
        out->nodes = out->labeller ? NODES_OF_ENGINE : NODES;
    return PARSE_RUN;
}
