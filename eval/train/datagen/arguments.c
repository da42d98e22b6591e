#include "eval/train/datagen/arguments.h"

#include <string.h>

#include "base/text.h"
#include "eval/train/datagen/lane.h"

const char datagen_help[] =
    "caxton-datagen: plays games and writes scored positions to train the evaluation with\n"
    "\n"
    "  -o FILE            where they go; a file that exists is continued (required)\n"
    "  --positions N      how many the file shall hold in the end (1000000)\n"
    "  --nodes N          nodes for each move (5000; 1 with --teacher)\n"
    "  --teacher COMMAND  a UCI engine that plays and scores in the place of Caxton\n"
    "  --wait SECONDS     for its answers; then it has failed (60, and 10 for its start)\n"
    "  --siblings N       and of each position so many others, one other move later (0 to 16; 0)\n"
    "  --openings FILE    FEN or EPD lines to start a part of the games from\n"
    "  --chess960 PERCENT so many of the games start as Chess960 (15)\n"
    "  --endings PERCENT  so many start from random positions of 3 to 8 pieces (0)\n"
    "  --seed N           other games for another number (1)\n"
    "  --jobs N           threads (1)\n"
    "  --quiet            no progress on the terminal\n"
    "  --help             this text\n";

enum { START_MS = 10000, ANSWER_MS = 60000, WAIT_MAX_S = 1000000 };

static bool read_number(const char *value, int64_t min, int64_t max, int64_t *out)
{
    return span_to_int(span_of(value), min, max, out) == STATUS_OK;
}

/* 1: read; 0: no such option; -1: a bad value. */
static int read_valued(const char *name, const char *value, struct datagen_arguments *out)
{
    int64_t number = 0;
    bool good = *value != '\0';
    if (strcmp(name, "-o") == 0) {
        out->output = value;
    } else if (strcmp(name, "--teacher") == 0) {
        out->teacher = value;
    } else if (strcmp(name, "--openings") == 0) {
        out->openings = value;
    } else if (strcmp(name, "--positions") == 0) {
        good = read_number(value, 1, INT64_MAX / 64, &number);
        out->samples = (uint64_t)number;
    } else if (strcmp(name, "--nodes") == 0) {
        good = read_number(value, 1, INT64_MAX, &number);
        out->nodes = (uint64_t)number;
    } else if (strcmp(name, "--wait") == 0) {
        good = read_number(value, 1, WAIT_MAX_S, &number);
        out->start_ms = out->answer_ms = number * 1000;
    } else if (strcmp(name, "--seed") == 0) {
        good = read_number(value, 0, INT64_MAX, &number);
        out->seed = (uint64_t)number;
    } else if (strcmp(name, "--jobs") == 0) {
        good = read_number(value, 1, 256, &number);
        out->jobs = (int)number;
    } else if (strcmp(name, "--siblings") == 0) {
        good = read_number(value, 0, LANE_SIBLINGS_MAX, &number);
        out->siblings = (int)number;
    } else if (strcmp(name, "--chess960") == 0) {
        good = read_number(value, 0, 100, &number);
        out->chess960_percent = (int)number;
    } else if (strcmp(name, "--endings") == 0) {
        good = read_number(value, 0, 100, &number);
        out->endings_percent = (int)number;
    } else {
        return 0;
    }
    return good ? 1 : -1;
}

static enum caxton_status read_all(int argc, char **argv, struct datagen_arguments *out,
                                   struct diag *diag)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            out->help = true;
            continue;
        }
        if (strcmp(argv[i], "--quiet") == 0) {
            out->quiet = true;
            continue;
        }
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        int read = read_valued(argv[i], value, out);
        if (read <= 0) {
            if (read == 0)
                diag_set(diag, 0, 0, "unknown option %s", argv[i]);
            else if (i + 1 == argc)
                diag_set(diag, 0, 0, "%s needs a value", argv[i]);
            else
                diag_set(diag, 0, 0, "%s cannot be '%s'", argv[i], value);
            return STATUS_SYNTAX;
        }
        i++;
    }
    return STATUS_OK;
}

enum caxton_status datagen_arguments_read(int argc, char **argv, struct datagen_arguments *out,
                                          struct diag *diag)
{
    *out = (struct datagen_arguments){.samples = 1000000,
                                      .seed = 1,
                                      .start_ms = START_MS,
                                      .answer_ms = ANSWER_MS,
                                      .jobs = 1,
                                      .chess960_percent = 15};
    enum caxton_status status = read_all(argc, argv, out, diag);
    if (status != STATUS_OK || out->help)
        return status;
    if (!out->output) {
        diag_set(diag, 0, 0, "an output is needed: -o FILE");
        return STATUS_SYNTAX;
    }
    if (!out->nodes)
        out->nodes = out->teacher ? 1 : 5000;
    return STATUS_OK;
}
