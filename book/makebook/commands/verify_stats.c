/* makebook verify, of statistics. */
#include "base/text.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/commands/verify.h"
#include "book/makebook/commands/verify_samples.h"
#include "book/polyglot_entry.h"
#include "book/statistics/wld_header.h"

/* Writes the options that they were counted with, a line each, as they stand in the file; not the
 * one that only says that there are fingerprints. */
static void print_options(FILE *out, const char *options)
{
    struct span rest = span_of(options);
    struct span line;
    while (span_line(&rest, &line)) {
        if (span_equal(line, WLD_PRINTS_OPTION))
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
    while ((status = wld_reader_next_print(verify->source.stats, &print, &diag)) == STATUS_OK)
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
                            "%s: these are statistics (.wld), which have no lines for --fen: "
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
