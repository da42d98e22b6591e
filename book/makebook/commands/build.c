/* makebook build: games in, book out. It is long because one command has the options of all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/command_line.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/thread.h"
#include "book/book.h"
#include "book/count/builder.h"
#include "book/count/input/input.h"
#include "book/format.h"
#include "book/graph/stats.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/sample_games.h"
#include "book/makebook/cli/weighing.h"
#include "book/makebook/commands/build_report.h"
#include "book/makebook/commands/commands.h"
#include "book/open/formats.h"
#include "book/open/open.h"
#include "book/statistics/wld_file.h"

/* Lines of the book's own moves alone, or, of one side's moves, with all replies that lead on.
 * Replies to look for in every book would take longer than some builds. */
static struct leaves count_book(const struct book *book, const struct position *root, bool one_side)
{
    struct book_graph graph = {0};
    struct book_stats stats;
    struct leaves leaves = {.known = false};
    if ((one_side ? book_graph_create : book_graph_create_own)(book, root, &graph, NULL) ==
            STATUS_OK &&
        book_stats_take(&graph, &stats) == STATUS_OK)
        leaves = (struct leaves){true, stats.leaves, graph.positions - graph.known, one_side};
    book_graph_destroy(&graph);
    return leaves;
}

/* Follows the moves of `path`, a book or statistics, from `root`, or from the starts of games,
 * those of Chess960 included, when it is NULL. A move is a leaf when the position behind it is
 * not in the book. one_side: the moves are those of one side or player; then a move is a leaf
 * when the positions behind all replies are not in the book either, and replies belong to lines.
 * Nothing is known when that takes more than `memory_bytes`, when `path` is no plain file, and
 * after a fault: a report without leaves is better than none. */
static struct leaves leaves_count(const char *path, size_t memory_bytes,
                                  const struct position *root, bool one_side)
{
    uint64_t size;
    struct book *book = NULL;
    struct leaves leaves = {.known = false};
    /* A byte of statistics stands for about as much as an entry of a book. */
    if (file_kind_of(path, &size) == FILE_REGULAR && size <= memory_bytes &&
        book_open_whole(path, &book, NULL) == STATUS_OK &&
        book_graph_memory(book_entry_count(book)) <= memory_bytes)
        leaves = count_book(book, root, one_side);
    book_close(book);
    return leaves;
}

/* The statistics that makebook build --add-to adds games to. */

/* Begins as {0}. */
struct build_update {
    bool is_locked;
    int lock;
    struct wld_file *file;
    struct wld_reader *reader;
};

/* Are both lines about the same option? */
static bool name_is_same(struct span a, struct span b)
{
    const char *blank = a.size ? memchr(a.data, ' ', a.size) : NULL;
    size_t size = blank ? (size_t)(blank - a.data) + 1 : a.size;
    return b.size >= size && memcmp(a.data, b.data, size) == 0;
}

static bool options_agree(const struct command_line *line, const char *path, const char *theirs,
                          const char *ours)
{
    struct span a;
    struct span b;
    if (!wld_options_differ(theirs, ours, &a, &b))
        return true;
    if (a.size && b.size && name_is_same(a, b))
        return command_refuse(line, "%s was counted with \"%.*s\", not with \"%.*s\"", path,
                              (int)a.size, a.data, (int)b.size, b.data);
    if (a.size)
        return command_refuse(line, "%s was counted with \"%.*s\", which is not asked for here",
                              path, (int)a.size, a.data);
    return command_refuse(line, "%s was not counted with \"%.*s\"", path, (int)b.size, b.data);
}

/* Can games be added to it? */
static bool check(const struct command_line *line, const char *path,
                  const struct build_options *options, const struct wld_file *file)
{
    char text[WLD_OPTIONS_MAX + 1];
    const struct wld_info *info = &wld_file_header(file)->info;
    if (!info->has_fingerprints)
        return command_refuse(line,
                              "%s does not say which games it counts, as statistics made with "
                              "--updatable do: makebook merge adds up without looking at games",
                              path);
    if (build_options_text(options, text) != STATUS_OK)
        return command_refuse(line, "the options are too long");
    return options_agree(line, path, info->options, text);
}

/* Waits until no other program adds to `path`: two at once would lose the games of one. Before
 * anything is read that belongs to it. To be ended by build_update_unlock(). */
static void build_update_lock(const struct command_line *line, const char *path,
                              struct build_update *update)
{
    update->lock = outputs_lock(line, path);
    update->is_locked = true;
}

/* Lets the builder add to `path`, which is locked; its games are known then. False after one line
 * on standard error: it is not there or damaged, was counted with other options, or does not say
 * which games it counts. */
static bool build_update_start(const struct command_line *line, const char *path,
                               const struct build_options *options, struct builder *builder,
                               struct build_update *update)
{
    struct diag diag = {.text = ""};
    bool is_first = file_kind_of(path, NULL) == FILE_ABSENT;
    enum caxton_status status = wld_file_open(path, &update->file, &diag);
    if (status == STATUS_OK && !check(line, path, options, update->file))
        return false;
    if (status == STATUS_OK)
        status = wld_reader_create_range(update->file, 0, UINT64_MAX, &update->reader, &diag);
    if (status == STATUS_OK)
        status = builder_add_to(builder, update->reader, &diag);
    return status == STATUS_OK ||
           command_refuse(line, "%s%s", diag.text,
                          is_first ? ": the first build makes it, by -o FILE --updatable" : "");
}

/* The file is not read any more. May come twice. */
static void build_update_close(struct build_update *update)
{
    wld_reader_destroy(update->reader);
    wld_file_close(update->file);
    update->reader = NULL;
    update->file = NULL;
}

/* Closes it and lets others add to it. May come without a lock, and twice. */
static void build_update_unlock(struct build_update *update)
{
    build_update_close(update);
    if (update->is_locked)
        atomic_file_unlock(update->lock);
    update->is_locked = false;
}

/* Sample games that makebook build writes beside statistics: --samples. */

/* Begins with `wanted`. */
struct build_samples {
    int64_t wanted; /* games of a position; 0: not asked for */
    char *path;     /* of the file; NULL: none is written */
    struct sample_names names;
    struct samples_file *base; /* of the statistics that games are added to; NULL: none */
    struct atomic_file *file;
};

static enum exit_status add_name(const struct command_line *line, struct build_samples *samples,
                                 const char *name)
{
    enum caxton_status status = sample_names_add(&samples->names, name);
    if (status == STATUS_RANGE)
        return command_fail(line, "--samples: more than %d files", SAMPLE_FILES_MAX);
    return status == STATUS_OK ? EXIT_DONE : command_fail(line, "out of memory");
}

/* The sample games that are there already. */
static enum exit_status read_base(const struct command_line *line, struct build_samples *samples,
                                  bool by_facets)
{
    struct diag diag = {.text = ""};
    if (samples_file_open(samples->path, &samples->base, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    const struct samples_info *info = samples_file_info(samples->base);
    if (info->rule.by_facets != by_facets)
        return command_fail(line, "%s is of other --facets: remove it to add games without them",
                            samples->path);
    if (samples->wanted && (size_t)samples->wanted != info->rule.most)
        return command_fail(line, "%s has %zu games of a position, not %d", samples->path,
                            info->rule.most, (int)samples->wanted);
    samples->wanted = (int64_t)info->rule.most;
    enum exit_status status = EXIT_DONE;
    for (size_t i = 0; i < info->names.count && status == EXIT_DONE; i++)
        status = add_name(line, samples, info->names.list[i]);
    return status;
}

/* Sets what the counting needs to know. stats: where statistics go, or NULL; is_added_to: they are
 * there, and what they have beside them is gone on with. Returns the exit status after naming a
 * fault. To be ended in any case. */
static enum exit_status build_samples_read(const struct command_line *line, const char *stats,
                                           bool is_added_to, struct build_samples *samples,
                                           struct count_options *options)
{
    if (!stats && !samples->wanted)
        return EXIT_DONE;
    if (!stats || outputs_is_standard(stats))
        return samples->wanted ? command_misuse(line, "--samples is for statistics in a file, -o "
                                                      "FILE.wld or --stats FILE")
                               : EXIT_DONE;
    samples->path = sample_games_path(stats);
    if (!samples->path)
        return command_fail(line, "out of memory");
    bool is_there = file_kind_of(samples->path, NULL) == FILE_REGULAR;
    if (is_added_to && samples->wanted && !is_there)
        return command_fail(line,
                            "%s has no sample games, which only a build of all games can "
                            "choose",
                            stats);
    enum exit_status status =
        is_added_to && is_there ? read_base(line, samples, options->facets != 0) : EXIT_DONE;
    if (status == EXIT_DONE && !samples->wanted)
        (void)sample_games_warn_of_old(line, stats);
    if (!samples->wanted) {
        free(samples->path);
        samples->path = NULL;
        return status;
    }
    if (status == EXIT_DONE)
        status = outputs_protect_inputs(line, line->operand_count, samples->path);
    for (int i = 0; i < line->operand_count && status == EXIT_DONE; i++) {
        if (strcmp(line->operands[i], "-") == 0)
            status = command_misuse(line, "--samples wants files: games of standard input cannot "
                                          "be found again");
        else
            status = add_name(line, samples, line->operands[i]);
    }
    options->samples = (size_t)samples->wanted;
    options->sample_names = &samples->names;
    return status;
}

/* Do sample games that are gone on with belong to `base`, the statistics that are added to? False
 * after naming the fault. To be asked before games are read. */
static bool build_samples_fit(const struct command_line *line, const struct build_samples *samples,
                              const struct wld_file *base)
{
    if (!samples->base)
        return true;
    const struct wld_identity identity = wld_file_identity(base);
    return samples_file_belongs_to(samples->base, &identity) ||
           command_refuse(line,
                          "%s belongs to other statistics: remove it to add games without sample "
                          "games",
                          samples->path);
}

/* Lets the builder write to the file, if one is written. False after naming a fault. */
static bool build_samples_open(const struct command_line *line, struct build_samples *samples,
                               struct builder *builder)
{
    if (!outputs_create(line, samples->path, &samples->file))
        return false;
    if (samples->file)
        builder_set_samples(builder, atomic_file_stream(samples->file), samples->base);
    return true;
}

/* Puts the file in its place, if there is one. Errors: STATUS_IO; `diag` says more. */
static enum caxton_status build_samples_commit(struct build_samples *samples, struct diag *diag)
{
    struct atomic_file *file = samples->file;
    samples->file = NULL;
    samples_file_close(samples->base); /* it is replaced */
    samples->base = NULL;
    return file ? atomic_file_commit(file, diag) : STATUS_OK;
}

static void build_samples_end(struct build_samples *samples)
{
    atomic_file_abort(samples->file);
    samples_file_close(samples->base);
    sample_names_free(&samples->names);
    free(samples->path);
}

/* The games: operands read one after the other. */

/* Begins with builder and progress, which are borrowed. */
struct build_reading {
    struct builder *builder;
    struct progress *progress;
    uint64_t memory;         /* bytes that unpacking may take */
    struct input *input;     /* the present one */
    struct file_begin begin; /* of it, unpacked */
    uint64_t unpacked;       /* bytes of all inputs so far */
    uint64_t bytes_before;   /* of the files before this one, as they lie on disk */
    bool is_second;          /* all have been read once */
};

/* A pgn_source. */
static enum caxton_status read_some(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct build_reading *reading = context;
    enum caxton_status status = input_read(reading->input, buffer, capacity, size);
    if (status == STATUS_OK) {
        reading->unpacked += *size;
        file_begin_add(&reading->begin, buffer, *size);
    }
    progress_update(reading->progress, reading->bytes_before + input_bytes_read(reading->input),
                    builder_report(reading->builder)->count.games);
    return status;
}

/* The bytes of all inputs, 0 when one of them is no plain file. */
static uint64_t build_input_bytes(const struct command_line *line)
{
    uint64_t sum = 0;
    for (int i = 0; i < line->operand_count; i++) {
        uint64_t size;
        if (file_kind_of(line->operands[i], &size) != FILE_REGULAR)
            return 0;
        sum += size;
    }
    return sum;
}

static bool read_file(const struct command_line *line, struct build_reading *reading,
                      const char *name)
{
    struct diag diag = {.text = ""};
    if (input_open_within(name, reading->memory, &reading->input, &diag) != STATUS_OK)
        return command_refuse(line, "%s", diag.text);
    const struct count_report *report = &builder_report(reading->builder)->count;
    uint64_t before = report->games;
    reading->begin.size = 0;
    const char *shown = strcmp(name, "-") == 0 ? "standard input" : name;
    enum caxton_status status = builder_read(reading->builder, read_some, reading, shown, &diag);
    progress_end(reading->progress);
    if (status != STATUS_OK && *input_fault(reading->input))
        (void)command_fail(line, "%s: %s", shown, input_fault(reading->input));
    else if (pgn_is_game_fault(status)) { /* with --strict */
        (void)fprintf(stderr, "makebook build: ");
        build_report_bad_game(stderr, &report->bad[0]);
        (void)fprintf(stderr, "\n");
    } else if (status != STATUS_OK)
        (void)command_fail(line, "%s", diag.text);
    else if (report->games == before && !reading->is_second)
        build_warn_no_games(line, shown, &reading->begin);
    reading->bytes_before += input_bytes_read(reading->input);
    input_close(reading->input);
    return status == STATUS_OK;
}

/* False after one line on standard error. */
static bool build_read_all(const struct command_line *line, struct build_reading *reading)
{
    bool good = true;
    reading->unpacked = 0;
    for (int i = 0; i < line->operand_count && good; i++)
        good = read_file(line, reading, line->operands[i]);
    return good;
}

/* The same once more, between the first of two passes and the end. */
static bool build_read_again(const struct command_line *line, struct build_reading *reading)
{
    struct diag diag = {.text = ""};
    reading->is_second = true;
    return builder_look_again(reading->builder, &diag) == STATUS_OK
               ? build_read_all(line, reading)
               : command_refuse(line, "%s", diag.text);
}

/* What the command line asks for. */
struct build_command {
    struct build_options options;
    struct weighing weighing;
    const char *output; /* NULL: no book */
    const char *stats;  /* NULL: no statistics */
    const char *add_to; /* statistics that the games are added to; `stats` is the same then */
    struct build_update update;
    struct build_samples samples;
    int64_t max_plies;
    int64_t memory_mb;
    int64_t jobs;
    struct filtering filtering;
    struct ageing ageing;
    const char *facets;
    bool stats_are_the_book; /* given as -o FILE.wld */
    bool stats_replace;      /* a file is there already */
    bool two_pass;
    bool quiet;
    bool json;
    struct command_line line;
};

/* Of the book or the statistics that were written. */
static struct leaves count_leaves(const struct build_command *command)
{
    const struct filter *filter = &command->options.count.filter;
    const struct position *root = filter->has_start ? &filter->start : NULL;
    bool one_side = !filter->colors[WHITE] || !filter->colors[BLACK] || filter->player ||
                    filter->player_as[WHITE] || filter->player_as[BLACK];
    const char *path = command->stats_are_the_book ? command->stats : command->output;
    if (!path || outputs_is_standard(path))
        return (struct leaves){.known = false};
    return leaves_count(path, command->options.count.memory_bytes, root, one_side);
}

/* A book without a move is none; statistics without one are a part like others, unless they are the
 * book or would replace others. */
static bool is_empty(const struct build_command *command, const struct build_report *report)
{
    return (command->output && report->weights.entries == 0) ||
           (command->stats && report->records == 0 &&
            (command->stats_are_the_book || command->stats_replace));
}

static void print_report(const struct build_command *command, const struct build_report *report,
                         const struct build_reading *reading, int64_t elapsed_ms)
{
    const struct leaves none = {.known = false};
    bool empty = is_empty(command, report); /* then nothing was written */
    if (command->quiet && !command->json)
        return;
    const struct amount_rule *amounts = &command->options.count.filter.amounts;
    bool nothing_new = command->add_to && report->count.used == 0;
    FILE *out = outputs_is_standard(command->output) || outputs_is_standard(command->stats)
                    ? stderr
                    : stdout;
    const struct build_summary summary = {.report = report,
                                          .bytes = reading->unpacked,
                                          .elapsed_ms = elapsed_ms,
                                          .as_of = amounts->half_life ? amounts->as_of : 0,
                                          .leaves = empty ? none : count_leaves(command),
                                          .has_book = command->output != NULL,
                                          .has_stats = command->stats && !nothing_new &&
                                                       (!empty || !command->output)};
    build_report_write(out, command->json, &summary);
    if (!command->json && nothing_new)
        (void)fprintf(out, "no game is new: %s stays as it is\n", text_safe(command->add_to).text);
}

/* No game is to be lost, and no output. */
static enum exit_status check_names(const struct build_command *command)
{
    const struct command_line *line = &command->line;
    for (int i = 0; i < line->operand_count; i++) {
        const char *name = line->operands[i];
        const struct book_format *format = formats_of_path(name);
        if (format && strcmp(format->extension, "pgn") != 0)
            return command_misuse(
                line,
                "%s: named as a book (%s), not as games: -o %s where the new book "
                "is to go there; merge and convert read books",
                name, format->name, name);
    }
    if (!command->output && !command->stats && !command->add_to)
        return command_misuse(line, "no output given; use -o BOOK or --stats FILE");
    if (outputs_are_named(line, command->output, "bin") != EXIT_DONE ||
        outputs_are_named(line, command->stats, "wld") != EXIT_DONE ||
        outputs_protect_inputs(line, line->operand_count, command->output) != EXIT_DONE ||
        outputs_protect_inputs(line, line->operand_count, command->stats) != EXIT_DONE ||
        outputs_protect(line, command->weighing.override_path, command->output) != EXIT_DONE ||
        outputs_protect(line, command->weighing.override_path, command->stats) != EXIT_DONE)
        return EXIT_USAGE;
    return outputs_are_one(command->output, command->stats)
               ? command_misuse(line, "book and statistics cannot both go to one file")
               : EXIT_DONE;
}

/* Book and statistics, as asked for; neither when they are empty or would stay the same. */
static bool write_outputs(struct build_command *command, struct builder *builder)
{
    struct diag diag = {.text = ""};
    struct atomic_file *book = NULL;
    struct atomic_file *stats = NULL;
    if (command->add_to && builder_report(builder)->count.used == 0)
        return true;
    if (!outputs_create(&command->line, command->output, &book) ||
        !outputs_create(&command->line, command->stats, &stats) ||
        !build_samples_open(&command->line, &command->samples, builder)) {
        atomic_file_abort(stats);
        atomic_file_abort(book);
        return false;
    }
    enum caxton_status status = builder_write(builder, book ? atomic_file_stream(book) : NULL,
                                              stats ? atomic_file_stream(stats) : NULL, &diag);
    if (status != STATUS_OK && !atomic_file_has_failed(book, &diag) &&
        !atomic_file_has_failed(stats, &diag))
        (void)atomic_file_has_failed(command->samples.file, &diag);
    build_update_close(&command->update); /* it is replaced */
    bool wanted = status == STATUS_OK && !is_empty(command, builder_report(builder));
    /* All are on the disk before one is renamed: a fault leaves none of them behind, and
     * statistics and their sample games belong together. */
    if (wanted && book)
        status = atomic_file_finish(book, &diag);
    if (wanted && status == STATUS_OK && stats)
        status = atomic_file_finish(stats, &diag);
    if (wanted && status == STATUS_OK)
        status = build_samples_commit(&command->samples, &diag);
    if (wanted && status == STATUS_OK && stats) {
        status = atomic_file_commit(stats, &diag);
        stats = NULL;
    }
    if (wanted && status == STATUS_OK && book) {
        status = atomic_file_commit(book, &diag);
        book = NULL;
    }
    atomic_file_abort(stats);
    atomic_file_abort(book);
    return status == STATUS_OK || command_refuse(&command->line, "%s", diag.text);
}

/* After the report, which tells more. */
static enum exit_status complain_of_nothing(const struct build_command *command,
                                            const struct build_report *report)
{
    char reason[200];
    struct text_buffer out = text_buffer_on(reason, sizeof reason);
    build_report_nothing(report, command->options.min_games, &out);
    return command_fail(&command->line, "no move is left for the %s: %s; nothing is written",
                        command->output ? "book" : "statistics", reason);
}

/* How far merging is. */
static void show_merged(void *progress, uint64_t key)
{
    progress_share(progress, "writing", key >> 1, INT64_MAX);
}

static enum exit_status build(struct build_command *command)
{
    enum caxton_status status;
    if (!outputs_try(&command->line, command->output) ||
        !outputs_try(&command->line, command->stats) ||
        !outputs_try(&command->line, command->samples.path))
        return EXIT_FAILED;
    command->stats_replace =
        command->stats && !command->add_to && file_kind_of(command->stats, NULL) == FILE_REGULAR;
    command->options.count.expected_bytes = build_input_bytes(&command->line);
    struct progress progress;
    command->options.merged = show_merged;
    command->options.merged_context = &progress;
    struct builder *builder = builder_create(&command->options, &status);
    if (!builder)
        return command_fail(&command->line, "%s", status_name(status));
    struct build_reading reading = {
        .builder = builder, .progress = &progress, .memory = command->options.count.memory_bytes};
    progress_start(&progress, command->quiet,
                   command->options.count.expected_bytes * (command->two_pass ? 2 : 1));
    bool good =
        !command->add_to || build_update_start(&command->line, command->add_to, &command->options,
                                               builder, &command->update);
    good = good && build_samples_fit(&command->line, &command->samples, command->update.file);
    good = good && build_read_all(&command->line, &reading);
    good = good && (!command->two_pass || build_read_again(&command->line, &reading));

    progress_stage(&progress, "sorting");
    good = good && write_outputs(command, builder);
    progress_end(&progress);
    build_update_unlock(&command->update);
    const struct build_report report = *builder_report(builder);
    builder_destroy(builder); /* the report wants memory of its own */
    if (good)
        weighing_warn(&command->line, &command->options.weigh, &report.weights);
    if (good)
        print_report(command, &report, &reading, progress_elapsed_ms(&progress));
    enum exit_status answer = command_end(&command->line, good ? EXIT_DONE : EXIT_FAILED);
    return good && is_empty(command, &report) ? complain_of_nothing(command, &report) : answer;
}

static const char about[] =
    "Counts the games of PGN files (\"-\" is standard input; gzip, bzip2, xz, zstd and ZIP are "
    "unpacked)\n"
    "into a Polyglot book, or into statistics, or both. A position counts once a game. A bad game\n"
    "is reported and left out; the others count. What is odd about games that count is "
    "noted.\n\n" FILTERING_ABOUT "\n\n" AGEING_ABOUT "\n\n"
    "Statistics (.wld) keep the wins, draws and losses of every move, however rare: makebook "
    "merge\n"
    "adds them up, makebook convert makes books of them without reading the games "
    "again.\n"
    "-o FILE.wld is --stats FILE.wld, but that --min-games, if given, leaves moves out of it. "
    "With\n"
    "--mirror every position counts as if White were to move, so that positions that differ in\n"
    "their colours only share their counts.\n\n"
    "--updatable keeps a fingerprint of every game, 16 bytes each. --add-to FILE adds games to "
    "such\n"
    "statistics: those that they count already are left out, and the file is then that of a build "
    "of\n"
    "all games at once. The options that decide what is counted must be those of the file.\n\n";

/* Where no book is written there is nothing to weigh. Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status check_weighing(const struct build_command *command)
{
    if (command->output && !command->stats_are_the_book)
        return EXIT_DONE;
    if (options_given(&command->line, WEIGHING_OTHERS))
        return command_misuse(&command->line, "statistics are not weighed: makebook convert "
                                              "makes a book of them");
    if (options_given(&command->line, "min-games") && !command->stats_are_the_book)
        return command_misuse(&command->line, "--stats and --add-to keep every move: --min-games "
                                              "is for -o BOOK or -o FILE.wld");
    return EXIT_DONE;
}

/* -o FILE.wld: statistics, of the moves that --min-games lets through, or of all. */
static enum exit_status take_stats_as_book(struct build_command *command)
{
    command->stats_are_the_book = command->output && outputs_is_stats_name(command->output);
    if (command->stats_are_the_book && command->stats)
        return command_misuse(&command->line, "-o FILE.wld and --stats are the same: use one");
    if (check_weighing(command) != EXIT_DONE)
        return EXIT_USAGE;
    if (command->stats_are_the_book) {
        if (!options_given(&command->line, "min-games"))
            command->weighing.min_games = 0;
        command->stats = command->output;
        command->output = NULL;
    }
    if (command->add_to)
        command->stats = command->add_to;
    if (command->options.count.mirror && command->output)
        return command_misuse(&command->line,
                              "--mirror is for statistics, -o FILE.wld or --stats FILE: makebook "
                              "convert makes a book of them");
    return EXIT_DONE;
}

/* Whether the statistics keep what tells games apart. */
static enum exit_status read_updatable(struct build_command *command)
{
    struct count_options *count = &command->options.count;
    count->keep_fingerprints = count->keep_fingerprints || command->add_to;
    if (!count->keep_fingerprints)
        return EXIT_DONE;
    if (!command->stats)
        return command_misuse(&command->line, "--updatable is for statistics, -o FILE.wld or "
                                              "--stats FILE");
    if (command->stats_are_the_book && command->weighing.min_games > 1)
        return command_misuse(&command->line, "--updatable needs every move: not with -o FILE.wld "
                                              "--min-games");
    return EXIT_DONE;
}

/* Which games the statistics tell apart: all that they can, or as in the file that is added to. */
static enum exit_status read_facets(struct build_command *command)
{
    unsigned *facets = &command->options.count.facets;
    struct wld_file *file = NULL;
    bool is_given = options_given(&command->line, "facets");
    if (!command->stats)
        return is_given ? command_misuse(&command->line, "--facets is for statistics, -o FILE.wld "
                                                         "or --stats FILE")
                        : EXIT_DONE;
    if (command->add_to && !is_given) {
        if (wld_file_open(command->add_to, &file, NULL) == STATUS_OK)
            *facets = wld_file_header(file)->info.facets;
        wld_file_close(file); /* what is wrong with it is said when it is opened again */
        return EXIT_DONE;
    }
    if (strcmp(command->facets, "none") != 0 && !facets_read(span_of(command->facets), facets))
        return command_misuse(&command->line,
                              "--facets %s: a list of rating, speed and month, or none",
                              command->facets);
    return EXIT_DONE;
}

/* With --two-pass: how many games a move needs for the one output that there is then. */
static enum exit_status read_two_pass(struct build_command *command)
{
    const struct command_line *line = &command->line;
    struct build_options *options = &command->options;
    if (!command->two_pass)
        return EXIT_DONE;
    if (command->stats && !command->stats_are_the_book)
        return command_misuse(line, "--two-pass: --stats and --add-to keep every move");
    if (options->min_games < 2)
        return command_misuse(line, "--two-pass needs --min-games of 2 or more");
    for (int i = 0; i < line->operand_count; i++) {
        const char *name = line->operands[i];
        bool is_standard = strcmp(name, "-") == 0;
        if (is_standard || file_kind_of(name, NULL) == FILE_OTHER)
            return command_misuse(line, "--two-pass reads games twice: %s is no file",
                                  is_standard ? "standard input" : name);
    }
    options->two_pass_games = options->min_games;
    return EXIT_DONE;
}

/* From what the command line says to what the builder understands. */
static enum exit_status read_options(struct build_command *command)
{
    struct build_options *options = &command->options;
    const struct command_line *line = &command->line;
    enum exit_status result = take_stats_as_book(command);
    if (result == EXIT_DONE)
        result = read_updatable(command);
    if (result == EXIT_DONE)
        result = read_facets(command);
    if (result == EXIT_DONE)
        result = filtering_read(line, &command->filtering, &options->count.filter);
    if (result == EXIT_DONE)
        result =
            ageing_read(line, &command->ageing, command->stats != NULL, &options->count.filter);
    if (result == EXIT_DONE)
        result = weighing_read(line, &command->weighing, &options->weigh);
    options->count.max_plies = (size_t)command->max_plies;
    options->min_games = options->weigh.min_games;
    options->stats_min_games = command->stats_are_the_book ? options->weigh.min_games : 0;
    options->count.memory_bytes = (size_t)command->memory_mb << 20;
    options->count.jobs = (int)command->jobs;
    return result == EXIT_DONE ? read_two_pass(command) : result;
}

static enum exit_status run(void *context)
{
    struct build_command *command = context;
    enum exit_status result = EXIT_USAGE;
    if (outputs_is_standard(command->output) && outputs_is_standard(command->stats))
        (void)command_fail(&command->line, "book and statistics cannot both go to standard output");
    else
        result = read_options(command);
    if (result == EXIT_DONE)
        result = check_names(command);
    if (result == EXIT_DONE && command->add_to)
        build_update_lock(&command->line, command->add_to, &command->update);
    if (result == EXIT_DONE)
        result = build_samples_read(&command->line, command->stats, command->add_to != NULL,
                                    &command->samples, &command->options.count);
    return result == EXIT_DONE ? build(command) : result;
}

/* OTHER_ROWS: room for the options that are no filters. */
enum { OTHER_ROWS = 30, ROWS_MAX = FILTER_ROWS_MAX + OTHER_ROWS, JOBS_MAX = 256 };

/* The options of the command, in the order of --help. Returns how many they are. */
static size_t make_rows(struct build_command *command, struct option_row rows[ROWS_MAX])
{
    struct build_options *options = &command->options;
    const struct option_row outputs[] = {
        TEXT_ROW("output", 'o', "BOOK",
                 "where the book goes (.wld: statistics); \"-\" is standard output",
                 &command->output),
        TEXT_ROW("stats", 0, "FILE", "where the counts of all moves go (.wld)", &command->stats),
        FLAG_ROW("updatable", 0, "keep in statistics which games they count, for --add-to",
                 &options->count.keep_fingerprints),
        TEXT_ROW("add-to", 0, "FILE", "count what is new into these statistics, in place",
                 &command->add_to, .without = "output|stats",
                 .why = "--add-to has no other output: the sums go to its file"),
        TEXT_ROW("facets", 0, "KIND,..",
                 "tell games apart in statistics by rating, speed, month; or none",
                 &command->facets, .usual_text = "rating,speed,month"),
        NUMBER_ROW("samples", 0, "N",
                   "remember where N games of each position are, in FILE.wld.games",
                   &command->samples.wanted, 1, SAMPLES_MAX),
        NUMBER_ROW("max-ply", 0, "N", "count the first N plies of a game", &command->max_plies, 1,
                   100000, USUAL((int64_t)options->count.max_plies)),
        FLAG_ROW("mirror", 0, "count positions of both colours as one (statistics only)",
                 &options->count.mirror),
    };
    const struct option_row counting[] = {
        AGEING_ROWS(command->ageing),
        FLAG_ROW("keep-duplicates", 0, "count equal games each time",
                 &options->count.keep_duplicates, .without = "updatable|add-to",
                 .why = "--updatable and --add-to leave equal games out: not with "
                        "--keep-duplicates"),
        FLAG_ROW("strict", 0, "the first bad game ends the work", &options->count.strict),
        WEIGHING_ROWS(command->weighing),
        NUMBER_ROW("memory", 0, "MB", "memory for counting; the rest goes to disk",
                   &command->memory_mb, 1, 1 << 20,
                   USUAL((int64_t)(options->count.memory_bytes >> 20))),
        FLAG_ROW("two-pass", 0,
                 "read files twice and count only what may reach --min-games: less goes to disk",
                 &command->two_pass),
        NUMBER_ROW("jobs", 'j', "N", "threads (as many as processors)", &command->jobs, 1,
                   JOBS_MAX),
        TEXT_ROW("temp", 0, "FOLDER", "where temporary files go ($TMPDIR or /tmp)",
                 &options->count.folder),
        FLAG_ROW("json", 0, "the closing report as JSON", &command->json),
        FLAG_ROW("quiet", 'q', "no progress and no closing report", &command->quiet),
    };
    _Static_assert(sizeof outputs + sizeof counting <= OTHER_ROWS * sizeof *rows, "all fit");
    size_t count = sizeof outputs / sizeof *outputs;
    memcpy(rows, outputs, sizeof outputs);
    count += filtering_rows(&command->filtering, rows + count);
    memcpy(rows + count, counting, sizeof counting);
    return count + sizeof counting / sizeof *counting;
}

static enum exit_status command_main(int argc, char **argv)
{
    struct build_command command = {.options = build_options_default(),
                                    .jobs = thread_processors(JOBS_MAX)};
    struct option_row rows[ROWS_MAX];
    command.line = COMMAND_LINE("build", "GAMES... -o BOOK [--stats FILE] [options]",
                                weighing_about(&command.weighing, about), rows,
                                make_rows(&command, rows), 1, argc);
    enum exit_status result = command_run(&command.line, argc, argv, run, &command);
    weighing_free(&command.weighing);
    build_update_unlock(&command.update);
    build_samples_end(&command.samples);
    return result;
}

const struct command command_build = {"build", "count games (PGN) into a book", command_main};
