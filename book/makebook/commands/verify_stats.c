/* makebook verify, of statistics. */
#include "base/text.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/commands/verify.h"
#include "book/polyglot_entry.h"

/* Writes the options that they were counted with, a line each, as they stand in the file. */
static void print_options(FILE *out, const char *options)
{
    struct span rest = span_of(options);
    struct span line;
    while (span_line(&rest, &line)) {
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

/* Reads statistics to the end, which checks everything that can be wrong with them. */
int verify_stats(struct verify *verify)
{
    struct source *source = &verify->source;
    struct wld_reader *reader = verify->source.stats;
    struct tally tally;
    struct diag diag = {.text = ""};
    enum caxton_status status;
    uint64_t key = 0;
    uint64_t positions = 0;
    uint64_t records = 0;
    uint64_t wrong = 0;
    uint64_t games = 0;
    if (verify->output)
        return command_fail(&verify->line, "%s: statistics cannot be repaired", source->name);
    if (verify->root)
        return command_fail(&verify->line,
                            "%s: these are statistics (.wld), which have no lines for --fen: "
                            "makebook convert makes a book of them",
                            source->name);
    source_skip_damaged(&verify->line, source); /* to name all of them */
    bool good = verify_prints(verify, &games);
    for (; (status = wld_reader_next(reader, &tally, &diag)) == STATUS_OK; records++) {
        positions += records == 0 || tally.key != key;
        wrong += !polyglot_is_conceivable(tally.move);
        key = tally.key;
    }
    const char *fault = source_input_fault(source);
    if (status != STATUS_END && fault)
        return command_fail(&verify->line, "%s: %s", source->name, fault);
    if (status != STATUS_END)
        return command_fail(&verify->line, "%s", diag.text);
    (void)printf("%s: statistics, %llu move%s in %llu position%s\n", source->name,
                 (unsigned long long)records, text_plural(records), (unsigned long long)positions,
                 text_plural(positions));
    if (games)
        (void)printf("fingerprints of %llu game%s\n", (unsigned long long)games,
                     text_plural(games));
    print_options(stdout, wld_reader_info(reader)->options);
    if (source->damaged)
        return command_fail(&verify->line, "%s: %zu block%s damaged", source->name, source->damaged,
                            source->damaged == 1 ? " is" : "s are");
    if (wrong)
        return command_fail(&verify->line, "%s: %llu moves that no piece can make", source->name,
                            (unsigned long long)wrong);
    return good ? EXIT_DONE : EXIT_FAILED;
}
