/* caxton-convert: lines of labelled positions from standard input become samples in a file.
 *
 *   FEN | centipawns, White's view | result, White's view: 1.0 0.5 0.0 [| engine]
 *
 * Such lines do not say where a game begins. A line continues the game of the line before when the
 * result is the same, the move counter has grown by at most GAP plies and no piece has been added.
 * In shuffled lines this is rare, so nearly each line is a game of its own.
 * With --rescale every engine's scores are multiplied by the factor with which
 * logistic(score / 400) predicts the results of its lines best. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/train/sample_file.h"

enum {
    GAP = 20,
    ENGINES = 1024,
    ENGINE_NAME = 64,
    ENGINE_ENOUGH = 2000, /* fewer lines are not enough for a factor: such engines share one */
    FIT_LIMIT = 3000,     /* centipawns; larger scores do not help to fit the factor */
    SCORE_UNIT = 400,
    FAULTS_SHOWN = 5,
};

struct sample_record {
    uint8_t packed[SAMPLE_SIZE];
    uint16_t engine;
};

struct engine {
    char name[ENGINE_NAME];
    size_t lines;
    double factor;
};

struct collection {
    struct sample_record *records;
    size_t count;
    size_t capacity;
    struct engine engines[ENGINES]; /* the last one: also all for which there is no room */
    size_t engine_count;
    int ply; /* of the line before */
    int pieces;
    int result;
};

static struct span next_field(struct span *rest)
{
    const char *bar = memchr(rest->data, '|', rest->size);
    size_t size = bar ? (size_t)(bar - rest->data) : rest->size;
    struct span field = span_make(rest->data, size);
    size += bar != NULL;
    *rest = span_from(*rest, size);
    return span_trim(field);
}

static uint16_t find_engine(struct collection *all, struct span name)
{
    size_t i = 0;
    name.size = name.size < ENGINE_NAME ? name.size : ENGINE_NAME - 1;
    while (i < all->engine_count && !span_equal(name, all->engines[i].name))
        i++;
    if (i == ENGINES)
        i = ENGINES - 1;
    else if (i == all->engine_count) {
        text_copy(all->engines[i].name, ENGINE_NAME, name);
        all->engine_count++;
    }
    all->engines[i].lines++;
    return (uint16_t)i;
}

/* 0, 1, 2 for a loss, a draw and a win, -1 for anything else. */
static int parse_result(struct span text)
{
    static const char *const names[] = {"0.0", "0", "0-1", "0.5", "1/2-1/2", "", "1.0", "1", "1-0"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text.size && span_equal(text, names[i]))
            return (int)(i / 3);
    return -1;
}

static bool continues_game(const struct collection *all, int ply, int pieces, int result)
{
    return all->count && result == all->result && ply > all->ply && ply <= all->ply + GAP &&
           pieces <= all->pieces;
}

static enum caxton_status add_line(struct collection *all, struct span line, struct diag *diag)
{
    struct position pos;
    struct sample_label label = {.best = MOVE_NONE};
    int64_t score;
    enum caxton_status status = fen_parse(next_field(&line), &pos, diag);
    if (status != STATUS_OK)
        return status;
    if (span_to_int(next_field(&line), -1000000, 1000000, &score) != STATUS_OK) {
        diag_set(diag, 0, 0, "no score in centipawns");
        return STATUS_SYNTAX;
    }
    label.score = (int)score;
    label.result = parse_result(next_field(&line));
    if (label.result < 0) {
        diag_set(diag, 0, 0, "no result");
        return STATUS_SYNTAX;
    }
    if (!ARRAY_GROW(all->records, all->capacity, all->count + 1))
        return STATUS_NO_MEMORY;
    int ply = 2 * pos.fullmove + pos.turn;
    int pieces = bb_count(position_occupied(&pos));
    label.first = !continues_game(all, ply, pieces, label.result);
    all->ply = ply;
    all->pieces = pieces;
    all->result = label.result;
    struct sample_record *record = &all->records[all->count++];
    sample_pack(&pos, &label, record->packed);
    record->engine = find_engine(all, next_field(&line));
    return STATUS_OK;
}

/* All lines of `in`; faulty ones are reported and left out. False when there is no memory. */
static bool read_lines(FILE *in, struct collection *all, size_t *faults)
{
    char *line = NULL; /* of getline() */
    size_t capacity = 0;
    enum caxton_status status = STATUS_OK;
    ssize_t size;
    for (size_t number = 1;
         status != STATUS_NO_MEMORY && (size = getline(&line, &capacity, in)) > 0; number++) {
        struct diag diag = {0};
        status = add_line(all, span_trim(span_make(line, (size_t)size)), &diag);
        if (status != STATUS_OK && (*faults)++ < FAULTS_SHOWN)
            fprintf(stderr, "line %zu: %s\n", number, diag.text);
    }
    free(line);
    return status != STATUS_NO_MEMORY;
}

static bool shares_factor(const struct collection *all, size_t engine)
{
    return all->engines[engine].lines < ENGINE_ENOUGH || engine == ENGINES - 1;
}

/* Newton's method on the likelihood of the results, for all factors at once; place ENGINES is the
 * one shared by the engines with few lines. */
static void fit_factors(struct collection *all)
{
    static double factor[ENGINES + 1], slope[ENGINES + 1], bend[ENGINES + 1];
    for (size_t i = 0; i <= ENGINES; i++)
        factor[i] = 1;
    for (int round = 0; round < 12; round++) {
        memset(slope, 0, sizeof slope);
        memset(bend, 0, sizeof bend);
        for (size_t i = 0; i < all->count; i++) {
            const struct sample_record *record = &all->records[i];
            int score = sample_score(record->packed);
            if (abs(score) > FIT_LIMIT)
                continue;
            size_t at = shares_factor(all, record->engine) ? ENGINES : record->engine;
            double x = (double)score / SCORE_UNIT;
            double expected = 1 / (1 + exp(-factor[at] * x));
            slope[at] += x * (record->packed[SAMPLE_RESULT_AT] / 2.0 - expected);
            bend[at] += x * x * expected * (1 - expected);
        }
        for (size_t i = 0; i <= ENGINES; i++) {
            double wanted = factor[i] + (bend[i] > 0 ? slope[i] / bend[i] : 0);
            factor[i] = fmin(fmax(wanted, factor[i] / 2), factor[i] * 2);
        }
    }
    for (size_t i = 0; i < all->engine_count; i++)
        all->engines[i].factor = factor[shares_factor(all, i) ? ENGINES : i];
}

static void rescale(struct collection *all)
{
    fit_factors(all);
    for (size_t i = 0; i < all->count; i++) {
        struct sample_record *record = &all->records[i];
        double score = sample_score(record->packed) * all->engines[record->engine].factor;
        int rounded = (int)lround(fmin(fmax(score, -32000), 32000));
        bytes_put_le(record->packed + SAMPLE_SCORE_AT, (uint64_t)(int64_t)rounded, 2);
    }
    for (size_t i = 0; i < all->engine_count; i++)
        if (!shares_factor(all, i))
            printf("%-24s %8zu positions, scores times %.3f\n",
                   all->engines[i].name[0] ? all->engines[i].name : "(no name)",
                   all->engines[i].lines, all->engines[i].factor);
}

/* Blocks as large as whole games allow. */
static enum caxton_status write_records(const struct collection *all, struct sample_file *file,
                                        struct diag *diag)
{
    static uint8_t block[SAMPLE_BLOCK_MAX * SAMPLE_SIZE];
    enum caxton_status status = STATUS_OK;
    for (size_t start = 0; start < all->count && status == STATUS_OK;) {
        size_t end = all->count - start > SAMPLE_BLOCK_MAX ? start + SAMPLE_BLOCK_MAX : all->count;
        while (end < all->count && end > start + 1 &&
               !(all->records[end].packed[SAMPLE_FLAGS_AT] & SAMPLE_FIRST))
            end--;
        for (size_t i = start; i < end; i++)
            memcpy(block + (i - start) * SAMPLE_SIZE, all->records[i].packed, SAMPLE_SIZE);
        status = sample_file_append(file, block, end - start, diag);
        start = end;
    }
    return status;
}

static int write_file(const struct collection *all, const char *path)
{
    struct diag diag = {0};
    struct sample_file *file;
    uint64_t before;
    enum caxton_status status = sample_file_open(path, &file, &before, &diag);
    if (status == STATUS_OK) {
        status = write_records(all, file, &diag);
        enum caxton_status closed = sample_file_close(file, status == STATUS_OK ? &diag : NULL);
        status = status == STATUS_OK ? closed : status;
    }
    if (status != STATUS_OK) {
        fprintf(stderr, "%s: %s\n", path, diag.text[0] ? diag.text : status_name(status));
        return EXIT_FAILURE;
    }
    size_t games = 0;
    for (size_t i = 0; i < all->count; i++)
        games += all->records[i].packed[SAMPLE_FLAGS_AT] & SAMPLE_FIRST;
    printf("%s: %zu positions of %zu games added to %llu\n", path, all->count, games,
           (unsigned long long)before);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    bool scale = argc == 3 && !strcmp(argv[1], "--rescale");
    if (argc != 2 + scale || argv[argc - 1][0] == '-') {
        fputs("usage: caxton-convert [--rescale] FILE < LINES\n"
              "Appends `FEN | centipawns | result [| engine]` (White's view) to FILE as samples.\n",
              stderr);
        return 2;
    }
    chess_init();
    struct collection *all = calloc(1, sizeof *all);
    size_t faults = 0;
    if (!all || !read_lines(stdin, all, &faults) || ferror(stdin)) {
        fputs(ferror(stdin) ? "the lines cannot be read\n" : "out of memory\n", stderr);
        return EXIT_FAILURE;
    }
    if (faults)
        fprintf(stderr, "%zu lines left out\n", faults);
    if (scale)
        rescale(all);
    int code = write_file(all, argv[argc - 1]);
    free(all->records);
    free(all);
    return code;
}
