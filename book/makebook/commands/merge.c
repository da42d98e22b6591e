/* makebook merge: several books become one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/temp_file.h"
#include "base/text.h"
#include "base/thread.h"
#include "book/book.h"
#include "book/formats/experience/experience.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/graph/prune.h"
#include "book/graph/replies.h"
#include "book/makebook/cli/entries.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/report.h"
#include "book/makebook/cli/sample_games.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/cli/stores.h"
#include "book/makebook/commands/commands.h"
#include "book/statistics/wld_merge.h"

struct merge_command {
    const char *output;
    const char *repertoire; /* NULL: books are added up */
    const char *replies;
    int own;            /* whose repertoire; 0: not said, else 1 + colour */
    int policy;         /* enum gather_policy */
    const char *folder; /* for temporary files, of which only many inputs need some */
    bool reachable;     /* the result holds only what its own moves reach */
    bool force;         /* different options are no fault */
    int64_t min_games;  /* moves of fewer games in the sum are left out of statistics */
    int64_t jobs;       /* threads that add statistics up */
    bool quiet;
    struct command_line line; /* its operands are the inputs, at least one */
};

/* Books ------------------------------------------------------------------------------------ */

static bool add_book(const struct command_line *line, const struct source *source,
                     struct entry_list *entries)
{
    enum caxton_status status = entries_list(&source->book->table, entries);
    return status == STATUS_OK || command_refuse(line, "%s", status_name(status));
}

/* Adds Polyglot entries up. The first book is open already. */
static enum exit_status merge_books(const struct merge_command *command, struct source *source)
{
    struct entry_list entries = {0};
    struct polyglot_report report = {0};
    bool good = add_book(&command->line, source, &entries);
    for (int i = 1; i < command->line.operand_count && good; i++) {
        source_close(source);
        good = source_open_weighed(&command->line, command->line.operands[i], source) &&
               source_make_entries(&command->line, source) &&
               add_book(&command->line, source, &entries);
    }
    size_t read = entries.count;
    good = good && entries_save(&command->line, &entries, NULL, false, command->output, &report);
    if (good && !command->quiet)
        (void)fprintf(outputs_report(command->output),
                      "%zu entries read, %zu written for %zu positions; %zu positions scaled down "
                      "to 16 bits\n",
                      read, entries.count, report.positions, report.scaled);
    entry_list_free(&entries);
    return good ? EXIT_DONE : EXIT_FAILED;
}

/* Statistics take part as a book of their counts, but not in a plain sum. */
static bool gather(const struct merge_command *command, const char *path,
                   struct gathering *gathering)
{
    const struct command_line *line = &command->line;
    struct source source;
    struct diag diag = {.text = ""};
    bool is_sum = command->policy == GATHER_SUM;
    if (!(is_sum ? source_open_weighed(line, path, &source)
                 : source_open_walk(line, path, WLD_WEIGHTS_GAMES, &source)))
        return false;
    bool good = true;
    if (gather_book(gathering, source.book, (enum gather_policy)command->policy, &diag) !=
        STATUS_OK)
        good = command_refuse(line, "%s: %s", source.name, diag.text);
    else if (*diag.text)
        (void)command_fail(line, "warning: %s: %s", source.name, diag.text);
    source_close(&source);
    return good;
}

/* Puts what the moves of *book reach in its place. */
static bool keep_reachable(const struct merge_command *command, struct book **book)
{
    const struct prune_options options = {.reachable = true};
    struct pruning pruning = {.reasons = NULL};
    struct diag diag = {.text = ""};
    enum caxton_status status = prune_book(*book, &options, &pruning, &diag);
    struct gathering gathering = {.list = pruning.list};
    pruning.list = (struct entry_list){0};
    pruning_free(&pruning);
    book_close(*book);
    *book = NULL;
    if (status == STATUS_OK && gathering.list.count == 0) {
        diag_set(&diag, 0, 0, "no move of the sum is reached from the start");
        status = STATUS_NOT_FOUND;
    } else if (status == STATUS_OK) {
        diag_set(&diag, 0, 0, "out of memory");
        status = gather_finish(&gathering, "the sum", book);
    }
    gather_free(&gathering);
    return status == STATUS_OK || command_refuse(&command->line, "%s", diag.text);
}

/* Puts books together into one of any kind. */
static enum exit_status merge_kinds(const struct merge_command *command,
                                    const struct book_writer *writer)
{
    struct gathering gathering = {.root_count = 0};
    struct book *book = NULL;
    bool good = true;
    for (int i = 0; i < command->line.operand_count && good; i++)
        good = gather(command, command->line.operands[i], &gathering);
    size_t read = gathering.list.count;
    if (good && gather_finish(&gathering, "the sum", &book) != STATUS_OK)
        good = command_refuse(&command->line, "out of memory");
    gather_free(&gathering);
    good = good && (!command->reachable || keep_reachable(command, &book));
    good = good && save_book(&command->line, book, writer, command->output) == EXIT_DONE;
    if (good && !command->quiet)
        (void)fprintf(outputs_report(command->output), "%zu moves read; %s: %s\n", read,
                      text_safe(command->output).text, writer->about);
    book_close(book);
    return good ? EXIT_DONE : EXIT_FAILED;
}

/* What searches found ----------------------------------------------------------------------- */

struct all_books {
    const struct book **books;
    size_t count;
    const struct book_writer *writer;
};

/* A save_function. */
static enum caxton_status write_all(const struct book *book, const struct book_writer *writer,
                                    FILE *out, struct book_losses *losses, struct diag *diag)
{
    const struct all_books *all = writer->context;
    (void)book;
    return experience_write(all->books, all->count, all->writer, out, losses, diag);
}

/* Puts experience files and stores together, by depth. */
static enum exit_status merge_experience(const struct merge_command *command,
                                         const struct book_writer *writer)
{
    const struct command_line *line = &command->line;
    size_t wanted = (size_t)line->operand_count;
    struct source *sources = calloc(wanted, sizeof *sources);
    const struct book **books = calloc(wanted, sizeof *books);
    struct all_books all = {books, 0, writer};
    struct book_writer together = *writer;
    bool good = sources && books;
    size_t read = 0;
    together.context = &all;
    if (!good)
        (void)command_fail(line, "out of memory");
    while (good && all.count < wanted) {
        good = source_open_weighed(line, line->operands[all.count], &sources[all.count]);
        if (!good)
            break;
        books[all.count] = sources[all.count].book;
        read += book_entry_count(books[all.count++]);
    }
    good = good && save_with(line, NULL, write_all, &together, command->output) == EXIT_DONE;
    if (good && !command->quiet)
        (void)fprintf(outputs_report(command->output), "%zu moves read; %s: %s\n", read,
                      text_safe(command->output).text, writer->about);
    while (all.count > 0)
        source_close(&sources[--all.count]);
    free(books);
    free(sources);
    return good ? EXIT_DONE : EXIT_FAILED;
}

/* Statistics ------------------------------------------------------------------------------- */

enum { TWICE_RECORDS_MIN = 256 }; /* smaller files may be equal by chance */

struct stats_merging {
    const struct merge_command *merge;
    const struct command_line *line;
    struct source *sources; /* by operand; those of [opened, next) are open */
    int opened;
    int next;
    struct wld_sum_options options;
    struct wld_sum *sum;
    bool mirrored;             /* the first input is */
    struct wld_identity *seen; /* by operand; of those that are in a file, */
    bool *is_seen;             /* with enough records */
    int updatable;             /* inputs with fingerprints, */
    const char *plain;         /* and the name of the first without; NULL: none */
    struct progress progress;
    char first[WLD_OPTIONS_MAX + 1];  /* the options of the first input, but for fingerprints, */
    char united[WLD_OPTIONS_MAX + 1]; /* and of all so far */
};

/* The options that the others lack, on one line. */
static void print_options(char *out, size_t capacity, const char *options, const char *others)
{
    struct text_buffer text = text_buffer_on(out, capacity);
    struct span rest = span_of(options);
    for (struct span line; span_line(&rest, &line);) {
        char own[WLD_OPTIONS_MAX + 1];
        text_copy(own, sizeof own, line);
        if (line.size && !wld_options_have(others, own))
            text_append(&text, "%s%s", text.size ? "," : "", own);
    }
}

/* Is it none of the inputs before it? It can be told of files. */
static bool accept_once(struct stats_merging *merging, const struct source *source, int operand)
{
    if (!source->file || merging->merge->force ||
        wld_file_records(source->file) < TWICE_RECORDS_MIN)
        return true;
    const struct wld_identity identity = wld_file_identity(source->file);
    for (int i = 0; i < operand; i++)
        if (merging->is_seen[i] && wld_identity_is_equal(&merging->seen[i], &identity))
            return command_refuse(
                merging->line,
                "%s holds the same counts as %s, which would count twice; --force adds them up all "
                "the same",
                source->name, merging->line->operands[i]);
    merging->seen[operand] = identity;
    merging->is_seen[operand] = true;
    return true;
}

/* Is it counted as the first input is? Fingerprints decide nothing about the counts. */
static bool accept_options(const struct stats_merging *merging, const struct source *source)
{
    char options[WLD_OPTIONS_MAX + 1];
    text_copy(options, sizeof options, span_of(source->book->counts->options));
    wld_options_drop(options, WLD_FINGERPRINTS_OPTION);
    if (merging->merge->force || strcmp(options, merging->first) == 0)
        return true;
    char a[160];
    char b[160];
    print_options(a, sizeof a, merging->first, options);
    print_options(b, sizeof b, options, merging->first);
    return command_refuse(merging->line,
                          "%s and %s were counted with different options (%s; %s); --force "
                          "adds them up all the same",
                          merging->line->operands[0], source->name, *a ? a : "without",
                          *b ? b : "without");
}

/* May `source` be added to the inputs before it? */
static bool accept(struct stats_merging *merging, const struct source *source, int operand)
{
    const char *first_name = merging->line->operands[0];
    if (!source->book->counts)
        return command_refuse(merging->line, "%s is a book and %s is statistics: they do not add",
                              source->name, first_name);
    if (source->book->counts->unit != merging->options.unit)
        return command_refuse(merging->line,
                              "%s and %s do not add: one counts whole games, the other parts of "
                              "them (--half-life, --elo-weight)",
                              first_name, source->name);
    if (source->book->counts->mirrored != merging->mirrored)
        return command_refuse(merging->line, "%s and %s do not add: only one of them is mirrored",
                              first_name, source->name);
    uint64_t least = source->book->counts->min_games;
    if (!merging->merge->force && least > 1 && merging->line->operand_count > 1)
        return command_refuse(merging->line,
                              "%s has no moves of fewer than %llu games, so that sums would be too "
                              "small; --force adds it up all the same",
                              source->name, (unsigned long long)least);
    if (!accept_options(merging, source))
        return false;
    if (source->book->counts->has_fingerprints)
        merging->updatable++;
    else if (!merging->plain)
        merging->plain = merging->line->operands[operand];
    if (wld_unite_options(merging->united, source->book->counts->options) != STATUS_OK)
        return command_refuse(merging->line, "the options of all inputs together are too long");
    return accept_once(merging, source, operand);
}

static void close_sources(struct stats_merging *merging)
{
    while (merging->opened < merging->next)
        source_close(&merging->sources[merging->opened++]);
}

/* The sum of what is open failed. */
static void set_input_fault(const struct stats_merging *merging, struct diag *diag)
{
    for (int i = merging->opened; i < merging->next; i++)
        if (source_input_fault(&merging->sources[i]))
            diag_set(diag, 0, 0, "%s: %s", merging->sources[i].name,
                     source_input_fault(&merging->sources[i]));
}

static bool spill(struct stats_merging *merging)
{
    struct diag diag = {.text = "out of memory"};
    enum caxton_status status = wld_sum_spill(merging->sum, &diag);
    progress_end(&merging->progress);
    if (status != STATUS_OK)
        set_input_fault(merging, &diag);
    close_sources(merging);
    return status == STATUS_OK || command_refuse(merging->line, "%s", diag.text);
}

/* Adds the input that is open last. */
static bool add_source(struct stats_merging *merging)
{
    int operand = merging->next - 1;
    const struct source *source = &merging->sources[operand];
    if (!accept(merging, source, operand))
        return false;
    wld_sum_add(merging->sum, source->reader, source->file);
    return true;
}

/* All inputs, of which the first is open. */
static bool add_sources(struct stats_merging *merging)
{
    bool good = add_source(merging);
    while (good && merging->next < merging->line->operand_count) {
        int next = merging->next;
        if (wld_sum_is_full(merging->sum) && !spill(merging))
            return false;
        if (!source_open(merging->line, merging->line->operands[next], &merging->sources[next]))
            return false;
        merging->next++;
        good = add_source(merging);
    }
    return good;
}

/* A struct wld_sum_options.merged. */
static void show_progress(void *context, uint64_t key)
{
    progress_share(context, "adding up", key >> 1, INT64_MAX);
}

/* Sample games of statistics, added up beside them. */
struct merge_samples {
    struct samples_sum *sum; /* NULL: there are none */
    struct atomic_file *file;
    struct samples_writer *writer;
};

static void close_samples(struct merge_samples *samples)
{
    atomic_file_abort(samples->file);
    samples_sum_destroy(samples->sum);
    *samples = (struct merge_samples){.sum = NULL};
}

static bool has_samples(const char *stats)
{
    char *path = sample_games_path(stats);
    bool has = path && file_kind_of(path, NULL) == FILE_REGULAR;
    free(path);
    return has;
}

/* Opens those of all operands. False: the sum has none, for the reason in `diag`. */
static bool add_samples(const struct merge_command *merge, struct samples_sum *sum,
                        struct diag *diag)
{
    const struct command_line *line = &merge->line;
    enum { OTHER_FILES = 160 }; /* what the sum itself has open */
    enum caxton_status status = STATUS_OK;
    diag_set(diag, 0, 0, "the sum goes to standard output");
    if (outputs_is_standard(merge->output))
        return false;
    diag_set(diag, 0, 0, "more files than may be open at once");
    if ((size_t)line->operand_count + OTHER_FILES > file_open_max())
        return false;
    for (int i = 0; i < line->operand_count && status == STATUS_OK; i++) {
        char *path = has_samples(line->operands[i]) ? sample_games_path(line->operands[i]) : NULL;
        diag_set(diag, 0, 0, "%s has none", line->operands[i]);
        status = path ? samples_sum_add(sum, line->operands[i], path, diag) : STATUS_NOT_FOUND;
        free(path);
    }
    return status == STATUS_OK;
}

/* Where all operands have sample games, begins a file of them beside the output. Where only some
 * have, or they do not fit together, one line says that the sum has none. False after one line on
 * standard error. */
static bool open_samples(const struct merge_command *merge, struct merge_samples *out)
{
    const struct command_line *line = &merge->line;
    struct diag diag = {.text = "out of memory"};
    bool any = false;
    for (int i = 0; i < line->operand_count && !any; i++)
        any = has_samples(line->operands[i]);
    if (!any)
        return sample_games_warn_of_old(line, merge->output);
    out->sum = samples_sum_create((size_t)line->operand_count);
    if (!out->sum)
        return command_refuse(line, "out of memory");
    if (!add_samples(merge, out->sum, &diag)) {
        (void)command_fail(line, "warning: no sample games in the sum: %s", diag.text);
        close_samples(out);
        return true;
    }
    char *path = sample_games_path(merge->output);
    diag_set(&diag, 0, 0, "out of memory");
    enum caxton_status status =
        path ? atomic_file_create(path, &out->file, &diag) : STATUS_NO_MEMORY;
    free(path);
    if (status == STATUS_OK)
        status = samples_sum_begin(out->sum, atomic_file_stream(out->file), &out->writer, &diag);
    return status == STATUS_OK || command_refuse(line, "%s", diag.text);
}

/* Puts the sum in its place, or drops it when it could not be written. */
static enum exit_status end_stats(const struct stats_merging *merging, enum caxton_status status,
                                  struct atomic_file *file, struct merge_samples *samples,
                                  struct diag *diag)
{
    if (status != STATUS_OK && !atomic_file_has_failed(file, diag) && samples->file)
        (void)atomic_file_has_failed(samples->file, diag);
    /* Both are on the disk before one is renamed. */
    if (status == STATUS_OK)
        status = atomic_file_finish(file, diag);
    if (status == STATUS_OK && samples->file) {
        status = atomic_file_commit(samples->file, diag);
        samples->file = NULL;
    }
    if (status == STATUS_OK)
        status = atomic_file_commit(file, diag);
    else
        atomic_file_abort(file);
    return status == STATUS_OK ? EXIT_DONE : command_fail(merging->line, "%s", diag->text);
}

static void report_stats(const struct stats_merging *merging, const struct wld_sum_output *sum)
{
    FILE *report = outputs_report(merging->merge->output);
    if (merging->merge->quiet)
        return;
    (void)fprintf(report, "%d file%s of statistics merged, %llu moves written\n",
                  merging->line->operand_count, text_plural((uint64_t)merging->line->operand_count),
                  (unsigned long long)sum->records);
    if (sum->min_games > 1)
        (void)fprintf(report, "%llu moves left out, of fewer than %llu games\n",
                      (unsigned long long)sum->rare, (unsigned long long)sum->min_games);
}

/* One line on standard error where fingerprints of the inputs were lost. */
static void warn_of_loss(const struct stats_merging *merging)
{
    const struct command_line *line = merging->line;
    uint64_t twice = wld_sum_twice(merging->sum);
    static const char loss[] = "build --add-to cannot add games to the sum";
    if (twice > 0)
        (void)command_fail(line, "warning: %llu game%s twice: %s", (unsigned long long)twice,
                           twice == 1 ? " counts" : "s count", loss);
    else if (merging->updatable > 0 && merging->plain)
        (void)command_fail(line, "warning: %s does not say which games it counts (--updatable): %s",
                           merging->plain, loss);
    else if (merging->updatable > 1 && merging->merge->force)
        (void)command_fail(line, "warning: added up with --force: %s", loss);
}

static enum exit_status write_stats(struct stats_merging *merging)
{
    const struct merge_command *merge = merging->merge;
    struct diag diag = {.text = "out of memory"};
    struct atomic_file *file = NULL;
    struct merge_samples samples = {.sum = NULL};
    if (!outputs_create(merging->line, merge->output, &file) || !open_samples(merge, &samples)) {
        atomic_file_abort(file);
        close_samples(&samples);
        return EXIT_FAILED;
    }
    struct wld_sum_output to = {.out = atomic_file_stream(file),
                                .min_games = (uint64_t)merge->min_games,
                                .forget_games = merge->force && merging->line->operand_count > 1,
                                .samples = samples.writer};
    enum caxton_status status = wld_sum_write(merging->sum, &to, &diag);
    progress_end(&merging->progress);
    if (status != STATUS_OK)
        set_input_fault(merging, &diag);
    enum exit_status result = end_stats(merging, status, file, &samples, &diag);
    close_samples(&samples);
    if (result != EXIT_DONE)
        return result;
    warn_of_loss(merging);
    report_stats(merging, &to);
    return EXIT_DONE;
}

/* The first of `sources`, one for each operand, is open. */
static enum exit_status add_up_stats(struct stats_merging *merging)
{
    const struct command_line *line = merging->line;
    const struct wld_info *info = merging->sources[0].book->counts;
    size_t count = (size_t)line->operand_count;
    merging->options = (struct wld_sum_options){.folder = merging->merge->folder,
                                                .options = merging->united,
                                                .unit = info->unit,
                                                .force = merging->merge->force,
                                                .jobs = (int)merging->merge->jobs,
                                                .merged = show_progress,
                                                .merged_context = &merging->progress};
    merging->mirrored = info->mirrored;
    text_copy(merging->first, sizeof merging->first, span_of(info->options));
    wld_options_drop(merging->first, WLD_FINGERPRINTS_OPTION);
    merging->next = 1;
    merging->seen = calloc(count, sizeof *merging->seen);
    merging->is_seen = calloc(count, sizeof *merging->is_seen);
    merging->sum = wld_sum_create(count, &merging->options);
    enum exit_status status = EXIT_FAILED;
    if (!merging->seen || !merging->is_seen || !merging->sum)
        status = command_fail(line, "out of memory");
    else if (add_sources(merging))
        status = write_stats(merging);
    close_sources(merging);
    wld_sum_destroy(merging->sum);
    free(merging->is_seen);
    free(merging->seen);
    return status;
}

static enum exit_status merge_stats(const struct merge_command *merge, struct source *sources)
{
    struct stats_merging *merging = calloc(1, sizeof *merging);
    if (!merging) {
        source_close(&sources[0]);
        return command_fail(&merge->line, "out of memory");
    }
    merging->merge = merge;
    merging->line = &merge->line;
    merging->sources = sources;
    progress_start(&merging->progress, merge->quiet, 0);
    enum exit_status status = add_up_stats(merging);
    free(merging);
    return status;
}

/* A repertoire with the replies of a database ------------------------------------------------- */

static void print_report(const struct merge_command *merge, const struct book_writer *writer,
                         const struct replies_report *report)
{
    FILE *out = outputs_report(merge->output);
    struct report text = report_begin(out, false);
    report_number(&text, NULL, "own moves", report->own, "");
    report_nonzero(&text, NULL, "  left out", report->left_out, "positions that no line reaches");
    report_number(&text, NULL, "replies", report->replies, "");
    report_nonzero(&text, NULL, "  of them", report->unanswered,
                   "to which the repertoire has no answer");
    (void)fprintf(out, "%s: %s\n", text_safe(merge->output).text, writer->about);
}

static enum exit_status join(const struct merge_command *merge, const struct book_writer *writer,
                             const struct source *mine, const struct source *database, int own)
{
    struct gathering gathering = {.root_count = 0};
    struct replies_report report;
    struct diag diag = {.text = ""};
    enum caxton_status status =
        replies_join(mine->book, database->book, own, &gathering.list, &report, &diag);
    if (status == STATUS_OK)
        status = gather_roots(&gathering, mine->book, &diag);
    if (status == STATUS_OK && report.own == 0) {
        diag_set(&diag, 0, 0, "%s: no move of %s", mine->name, own == WHITE ? "White" : "Black");
        status = STATUS_NOT_FOUND;
    }
    enum exit_status answer =
        save_gathered(&merge->line, &gathering, status, &diag, NULL, writer, merge->output);
    if (answer == EXIT_DONE && !merge->quiet)
        print_report(merge, writer, &report);
    return answer;
}

/* Writes the repertoire with the replies of the database. */
static enum exit_status merge_repertoire(const struct merge_command *merge,
                                         const struct book_writer *writer)
{
    struct source mine;
    struct source database;
    int own = WHITE;
    if (!source_open_walk(&merge->line, merge->repertoire, WLD_WEIGHTS_GAMES, &mine))
        return EXIT_FAILED;
    enum exit_status answer = source_find_own(&merge->line, &mine, merge->own, &own);
    if (answer == EXIT_DONE &&
        !source_open_walk(&merge->line, merge->replies, WLD_WEIGHTS_GAMES, &database)) {
        answer = EXIT_FAILED;
    } else if (answer == EXIT_DONE) {
        answer = join(merge, writer, &mine, &database, own);
        source_close(&database);
    }
    source_close(&mine);
    return answer;
}

/* The command -------------------------------------------------------------------------------- */

/* Returns EXIT_DONE, or EXIT_USAGE for what adds up statistics alone. */
static enum exit_status refuse_stats_options(const struct merge_command *command)
{
    if (!command->min_games && !command->force)
        return EXIT_DONE;
    return command_misuse(&command->line, "%s is for statistics (.wld), in a plain sum",
                          command->min_games ? "--min-games" : "--force");
}

/* A file that is named twice counts once, also by two names. Of files with an index their copies
 * are found, too. */
static enum exit_status refuse_named_twice(const struct merge_command *command)
{
    const struct command_line *line = &command->line;
    for (int i = 1; i < line->operand_count && !command->force; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(line->operands[i], line->operands[j]) == 0 ||
                outputs_are_one(line->operands[i], line->operands[j]))
                return command_fail(line, "%s is named twice; --force adds it up all the same",
                                    line->operands[i]);
    return EXIT_DONE;
}

/* A plain sum: of statistics, or of books as Polyglot entries. writer: of another kind, or NULL.
 * The first of `sources`, one for each operand, is open and is closed. */
static enum exit_status merge_sum(const struct merge_command *command,
                                  const struct book_writer *writer, struct source *sources)
{
    const struct command_line *line = &command->line;
    bool is_stats = sources[0].book->counts != NULL;
    enum exit_status status = is_stats ? EXIT_DONE : refuse_stats_options(command);
    if (status == EXIT_DONE && (is_stats || !writer))
        status = outputs_are_named(line, command->output, is_stats ? "wld" : "bin");
    if (status == EXIT_DONE && is_stats)
        status = refuse_named_twice(command);
    if (status == EXIT_DONE && is_stats)
        return merge_stats(command, sources);
    if (status == EXIT_DONE && !writer)
        status = merge_books(command, &sources[0]);
    source_close(&sources[0]);
    return status == EXIT_DONE && writer ? merge_kinds(command, writer) : status;
}

static enum exit_status open_and_merge_sum(const struct merge_command *command,
                                           const struct book_writer *writer)
{
    const struct command_line *line = &command->line;
    struct source *sources = calloc((size_t)line->operand_count, sizeof *sources);
    enum exit_status status = EXIT_FAILED;
    if (!sources)
        return command_fail(line, "out of memory");
    if (source_open(line, line->operands[0], &sources[0]) &&
        (writer || sources[0].book->counts || source_make_entries(line, &sources[0])))
        status = merge_sum(command, writer, sources);
    free(sources);
    return status;
}

/* What the options leave to do. Returns an exit status. */
static enum exit_status merge(const struct merge_command *command)
{
    const struct command_line *line = &command->line;
    const struct book_writer *writer = formats_writer_of_path(command->output);
    bool is_plain = !command->repertoire && !command->reachable && command->policy == GATHER_SUM;
    bool is_store = stores_is_name(command->output) && is_plain;
    if (is_plain && formats_of_path(command->output) == &experience_format)
        return refuse_stats_options(command) == EXIT_DONE ? merge_experience(command, writer)
                                                          : EXIT_USAGE;
    if (is_plain && !is_store)
        return open_and_merge_sum(command, writer && !writer->writes_entries ? writer : NULL);
    if (refuse_stats_options(command) != EXIT_DONE)
        return EXIT_USAGE;
    if (is_store)
        return stores_write(line, line->operand_count, command->output, command->quiet);
    enum exit_status status = save_find_writer(line, command->output, &writer);
    if (status != EXIT_DONE)
        return status;
    return command->repertoire ? merge_repertoire(command, writer) : merge_kinds(command, writer);
}

static enum exit_status run(void *context)
{
    const struct merge_command *command = context;
    const struct command_line *line = &command->line;
    if (command->repertoire && line->operand_count > 0)
        return command_misuse(line, "--repertoire and --replies name the books: no others");
    if (!command->repertoire && line->operand_count == 0)
        return command_misuse(line, "wanted: %s", line->synopsis);
    enum exit_status status = source_is_read_once(line);
    if (status == EXIT_DONE)
        status = outputs_protect_inputs(line, line->operand_count, command->output);
    if (status == EXIT_DONE)
        status = outputs_protect(line, command->repertoire, command->output);
    if (status == EXIT_DONE)
        status = outputs_protect(line, command->replies, command->output);
    return command_end(line, status == EXIT_DONE ? merge(command) : status);
}

static const char about[] =
    "Adds books up: the weights of the same move in the same position are "
    "added. Where the largest\n"
    "weight of a position no longer fits 16 bits, all of its weights are "
    "scaled down in proportion.\n"
    "The order of the books does not matter. \"-\" is standard input. The "
    "sum is a Polyglot book, or\n"
    "of the kind that its name says (all.pgn), as makebook convert writes "
    "it. It does not go over a\n"
    "book that is read.\n\n"
    "Statistics (.wld, recognised by content) are added up exactly, in "
    "little memory, any number of\n"
    "them. Any order and grouping gives the same bytes. The same counts "
    "are added once: a copy\n"
    "is refused.\n\n"
    "--policy normalised weighs books alike: the weights of a position are scaled to the same sum "
    "in each\n"
    "book before they are added. --policy priority puts patches over a main "
    "book: the first book\n"
    "that plays a move in a position has all its moves; moves that it "
    "knows with weight 0 stay so.\n"
    "Here statistics count as books whose weights are numbers of games, "
    "and the order matters.\n\n"
    "--repertoire MINE --replies DATABASE takes one side's moves from MINE, "
    "the other side's from\n"
    "DATABASE, both of any kind, and only what can arise when that side "
    "keeps to MINE. --color says\n"
    "which side it is, where MINE plays moves of both. No move of that side "
    "is lost because\n"
    "DATABASE is small: lines also go on by any reply to which MINE knows "
    "an answer.\n\n"
    "Stores of searches (.store, of one program, network and hash size) "
    "become one store, without\n"
    "what is out of use. Of two answers to one question the first store's "
    "is kept, of two chosen\n"
    "moves that of more games, and the first graph. A game counts once, "
    "however many stores have it.\n\n"
    "Experience files (.exp) become one, and stores with them: of the same move in the same "
    "position\n"
    "the deepest search stands, and counts are added up. The sum has the layout of the first.";

static enum exit_status command_main(int argc, char **argv)
{
    enum { JOBS_MAX = 256 };
    struct merge_command command = {.folder = temp_folder(), .jobs = thread_processors(JOBS_MAX)};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "BOOK", "where the book goes; \"-\" is standard output",
                 &command.output, .required = "no output given; use -o BOOK"),
        CHOICE_ROW("policy", "sum|normalised|priority", "how the books become one; see above",
                   &command.policy, .without = "repertoire",
                   .why = "--policy is for books that are named without an option"),
        TEXT_ROW("repertoire", 0, "MINE", "the book with one side's moves", &command.repertoire,
                 .needs = "replies"),
        TEXT_ROW("replies", 0, "DATABASE", "the book with the other side's", &command.replies,
                 .needs = "repertoire"),
        CHOICE_ROW("color", "auto|white|black", "whose moves are those of MINE", &command.own,
                   .needs = "repertoire", .old = "own"),
        FLAG_ROW("reachable", 0, "keep only what the moves of the result reach, as prune does",
                 &command.reachable, .without = "repertoire",
                 .why = "--reachable: all of a --repertoire is"),
        FLAG_ROW("force", 0, "add statistics up that were counted with other options, or twice",
                 &command.force),
        NUMBER_ROW("min-games", 0, "N",
                   "of statistics, leave moves out with fewer games in the sum", &command.min_games,
                   0, INT64_MAX),
        NUMBER_ROW("jobs", 'j', "N", "threads that add statistics up (as many as processors)",
                   &command.jobs, 1, JOBS_MAX),
        TEXT_ROW("temp", 0, "FOLDER",
                 "where temporary files go, of which many statistics need some ($TMPDIR or /tmp)",
                 &command.folder),
        FLAG_ROW("quiet", 'q', "no closing report", &command.quiet),
    };
    command.line = COMMAND_LINE("merge", "BOOKS... -o BOOK", about, rows, ROW_COUNT(rows), 0, argc);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_merge = {"merge", "add books up, or statistics", command_main};
