/* makebook verify, of statistics. */
#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/sample_games.h"
#include "book/makebook/commands/verify.h"
#include "book/polyglot_entry.h"
#include "book/statistics/wld_file.h"

/* Sample games that makebook verify reads along with the statistics that they stand beside. */

struct verify_samples {
    const struct command_line *line;
    struct samples_file *file; /* NULL: there are none, or they cannot be opened */
    struct samples_cursor cursor;
    struct sample_set head; /* the next, unless has_ended */
    bool has_ended;
    bool is_other; /* they belong to other statistics */
    bool is_bad;   /* a fault has been named */
    uint64_t positions;
    uint64_t games;
    uint64_t strangers;  /* positions that the statistics do not have, */
    uint64_t first;      /* the first of them, */
    uint64_t first_byte; /* and where it is */
};

static void advance(struct verify_samples *samples)
{
    struct diag diag = {.text = ""};
    enum caxton_status status = samples_cursor_next(&samples->cursor, &samples->head, &diag);
    samples->has_ended = status != STATUS_OK;
    if (status == STATUS_OK) {
        samples->positions++;
        samples->games += samples->head.count;
    } else if (status != STATUS_END) {
        samples->is_bad = true;
        (void)command_fail(samples->line, "%s", diag.text);
    }
}

/* Takes the file, which may be NULL. */
static void begin(const struct command_line *line, struct samples_file *file,
                  struct verify_samples *out)
{
    *out = (struct verify_samples){
        .line = line, .file = file, .cursor = {.file = file}, .has_ended = file == NULL};
    if (file)
        advance(out);
}

/* Those beside `source`, if there are any. Faults are named on standard error. */
static void verify_samples_open(const struct command_line *line, const struct source *source,
                                struct verify_samples *out)
{
    struct samples_file *file = NULL;
    struct diag diag = {.text = "out of memory"};
    bool is_bad = false;
    bool is_other = false;
    char *path = source->file ? sample_games_path(source->name) : NULL;
    if (path && file_kind_of(path, NULL) != FILE_ABSENT) {
        is_bad = samples_file_open(path, &file, &diag) != STATUS_OK;
        if (is_bad)
            (void)command_fail(line, "%s", diag.text);
    }
    if (file) {
        const struct wld_identity identity = wld_file_identity(source->file);
        is_other = !samples_file_belongs_to(file, &identity);
        if (is_other)
            (void)command_fail(line, "%s belongs to other statistics than %s", path, source->name);
    }
    free(path);
    begin(line, file, out);
    out->is_other = is_other;
    out->is_bad = out->is_bad || is_bad || is_other;
}

/* The next is of a position that the statistics do not have. */
static void skip(struct verify_samples *samples)
{
    if (samples->strangers++ == 0) {
        samples->first = samples->head.key;
        samples->first_byte = samples->cursor.record;
    }
    advance(samples);
}

/* The statistics have a position with this key; keys ascend, each comes once. */
static void verify_samples_follow(struct verify_samples *samples, uint64_t key)
{
    while (!samples->has_ended && samples->head.key < key)
        skip(samples);
    if (!samples->has_ended && samples->head.key == key)
        advance(samples);
}

/* Reads on to the end, says what was found and closes them. is_whole: all positions of the
 * statistics were read. False: there is a fault. */
static bool verify_samples_end(struct verify_samples *samples, bool is_whole)
{
    while (!samples->has_ended)
        skip(samples);
    if (is_whole && !samples->is_other && samples->strangers) {
        (void)command_fail(samples->line,
                           "%s: byte %llu: games of position %016llx, which the statistics do not "
                           "have: %llu such position%s",
                           samples_file_name(samples->file),
                           (unsigned long long)samples->first_byte,
                           (unsigned long long)samples->first,
                           (unsigned long long)samples->strangers, text_plural(samples->strangers));
        samples->is_bad = true;
    }
    if (samples->file && !samples->is_bad) {
        const struct samples_info *info = samples_file_info(samples->file);
        (void)printf(
            "%s: %llu sample game%s of %llu position%s, at most %zu of one, in %zu file%s\n",
            text_safe(samples_file_name(samples->file)).text, (unsigned long long)samples->games,
            text_plural(samples->games), (unsigned long long)samples->positions,
            text_plural(samples->positions), info->most, info->names.count,
            text_plural(info->names.count));
    }
    samples_file_close(samples->file);
    samples->file = NULL;
    return !samples->is_bad;
}

bool verify_samples_alone(const struct verify *verify, int *exit)
{
    const char *path = verify->line.operands[0];
    struct verify_samples samples;
    struct samples_file *file = NULL;
    struct diag diag = {.text = ""};
    enum caxton_status status = samples_file_open(path, &file, &diag);
    if (status == STATUS_NOT_FOUND || status == STATUS_IO)
        return false; /* something else, or nothing that can be read */
    *exit = EXIT_FAILED;
    if (status != STATUS_OK) {
        (void)command_fail(&verify->line, "%s", diag.text);
    } else if (verify->output || verify->fen) {
        (void)command_fail(&verify->line, "%s: sample games go without --repair and --start", path);
        samples_file_close(file);
    } else {
        begin(&verify->line, file, &samples);
        *exit = verify_samples_end(&samples, false) ? EXIT_DONE : EXIT_FAILED;
    }
    return true;
}

/* Writes the options that they were counted with, a line each, as they stand in the file; not the
 * one that only says that there are fingerprints. */
static void print_options(FILE *out, const char *options)
{
    struct span rest = span_of(options);
    struct span line;
    while (span_line(&rest, &line)) {
        if (span_equal(line, WLD_FINGERPRINTS_OPTION))
            continue;
        text_put_safe(out, line);
        (void)fputc('\n', out);
    }
}

/* Reads the fingerprints that stand before the moves. False after naming a fault. */
static bool verify_prints(const struct verify *verify, uint64_t *games)
{
    struct fingerprint print;
    struct diag diag = {.text = ""};
    enum caxton_status status;
    while ((status = wld_reader_next_fingerprint(verify->source.stats, &print, &diag)) == STATUS_OK)
        ++*games;
    return status == STATUS_END || command_refuse(&verify->line, "%s", diag.text);
}

/* What was read. */
struct reading {
    uint64_t records;
    uint64_t positions;
    uint64_t wrong; /* moves that no piece can make */
    uint64_t games; /* fingerprints */
};

/* Reads the moves to the end, which checks everything that can be wrong with them. False after
 * naming a fault. */
static bool read_moves(const struct verify *verify, struct verify_samples *samples,
                       struct reading *reading)
{
    const struct source *source = &verify->source;
    struct tally tally;
    struct diag diag = {.text = ""};
    enum caxton_status status;
    uint64_t key = 0;
    for (; (status = wld_reader_next(source->stats, &tally, &diag)) == STATUS_OK;
         reading->records++) {
        bool is_new = reading->records == 0 || tally.key != key;
        if (is_new)
            verify_samples_follow(samples, tally.key);
        reading->positions += is_new;
        reading->wrong += !polyglot_is_conceivable(tally.move);
        key = tally.key;
    }
    const char *fault = source_input_fault(source);
    if (status != STATUS_END && fault)
        return command_refuse(&verify->line, "%s: %s", source->name, fault);
    return status == STATUS_END || command_refuse(&verify->line, "%s", diag.text);
}

static void print_summary(const struct source *source, const struct reading *reading)
{
    (void)printf("%s: statistics, %llu move%s in %llu position%s\n", text_safe(source->name).text,
                 (unsigned long long)reading->records, text_plural(reading->records),
                 (unsigned long long)reading->positions, text_plural(reading->positions));
    if (reading->games)
        (void)printf("fingerprints of %llu game%s\n", (unsigned long long)reading->games,
                     text_plural(reading->games));
    print_options(stdout, wld_reader_info(source->stats)->options);
}

int verify_stats(struct verify *verify)
{
    struct source *source = &verify->source;
    struct verify_samples samples;
    struct reading reading = {.records = 0};
    if (verify->output)
        return command_fail(&verify->line, "%s: statistics cannot be repaired", source->name);
    if (verify->root)
        return command_fail(&verify->line,
                            "%s: these are statistics (.wld), which have no lines for --start: "
                            "makebook convert makes a book of them",
                            source->name);
    source_skip_damaged(&verify->line, source); /* to name all of them */
    verify_samples_open(&verify->line, source, &samples);
    bool good_prints = verify_prints(verify, &reading.games);
    bool is_read = read_moves(verify, &samples, &reading);
    if (is_read)
        print_summary(source, &reading);
    bool good_samples = verify_samples_end(&samples, is_read && !source->damaged);
    if (!is_read)
        return EXIT_FAILED;
    uint64_t faults = source->damaged + reading.wrong + !good_prints + !good_samples;
    (void)printf("%s: %llu fault%s\n", text_safe(source->name).text, (unsigned long long)faults,
                 text_plural(faults));
    if (source->damaged)
        return command_fail(&verify->line, "%s: %zu block%s damaged", source->name, source->damaged,
                            source->damaged == 1 ? " is" : "s are");
    if (reading.wrong)
        return command_fail(&verify->line, "%s: %llu moves that no piece can make", source->name,
                            (unsigned long long)reading.wrong);
    return faults ? EXIT_FAILED : EXIT_DONE;
}
