#include "book/count/builder.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/temp_file.h"
#include "book/count/counting_pool.h"
#include "book/statistics/samples_file.h"
#include "book/statistics/tally.h"
#include "book/statistics/wld_file.h"

/* Files that are not temporary: the standard streams, input, outputs, and what a library opens. */
enum { OTHER_FILES = 10 };

struct builder {
    struct build_options options;
    struct build_report report;
    struct counting_pool *pool;
    struct wld_reader *base;            /* is added to; NULL: nothing is */
    FILE *samples;                      /* where sample games go; NULL: nowhere */
    struct samples_cursor base_samples; /* those that they are added to; without a file: none */
    uint16_t *base_numbers;
};

struct build_options build_options_default(void)
{
    size_t files = file_open_max();
    return (struct build_options){
        .count = {.filter = filter_default(),
                  .max_plies = 40,
                  .memory_bytes = (size_t)256 << 20,
                  .folder = temp_folder(),
                  .open_files = files > 2 * OTHER_FILES ? files - OTHER_FILES : OTHER_FILES,
                  .jobs = 1},
        .min_games = 3};
}

struct builder *builder_create(const struct build_options *options, enum caxton_status *status)
{
    struct builder *builder = calloc(1, sizeof *builder);
    *status = STATUS_NO_MEMORY;
    if (!builder)
        return NULL;
    builder->options = *options;
    builder->report.unit = filter_unit(&options->count.filter);
    builder->pool = counting_pool_create(&builder->options.count, status);
    if (builder->pool)
        return builder;
    free(builder);
    return NULL;
}

void builder_destroy(struct builder *builder)
{
    if (!builder)
        return;
    counting_pool_destroy(builder->pool);
    free(builder->base_numbers);
    free(builder);
}

void builder_set_samples(struct builder *builder, FILE *out, const struct samples_file *base)
{
    builder->samples = out;
    builder->base_samples.file = base;
}

const struct build_report *builder_report(const struct builder *builder)
{
    return &builder->report;
}

enum caxton_status builder_add_to(struct builder *builder, struct wld_reader *base,
                                  struct diag *diag)
{
    builder->base = base;
    return counting_pool_load_fingerprints(builder->pool, wld_reader_next_fingerprint, base, diag);
}

enum caxton_status builder_read(struct builder *builder, pgn_source source, void *context,
                                const char *name, struct diag *diag)
{
    struct diag reason = {.text = ""};
    enum caxton_status status =
        counting_pool_read(builder->pool, source, context, name, &builder->report.count, &reason);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", name, reason.text);
    return status;
}

enum caxton_status build_options_text(const struct build_options *options,
                                      char out[WLD_OPTIONS_MAX + 1])
{
    char lines[WLD_OPTIONS_MAX + 1] = "";
    struct text_buffer buffer = text_buffer_on(lines, sizeof lines);
    text_append(&buffer, "max-ply %zu\n", options->count.max_plies);
    filter_describe(&options->count.filter, &buffer);
    if (options->count.keep_duplicates)
        text_append(&buffer, "duplicates kept\n");
    if (options->count.keep_fingerprints)
        text_append(&buffer, "%s\n", WLD_FINGERPRINTS_OPTION);
    if (options->stats_min_games > 1)
        text_append(&buffer, "min-games %llu\n", (unsigned long long)options->stats_min_games);
    if (options->count.mirror)
        text_append(&buffer, "mirror white\n");
    if (buffer.cut)
        return STATUS_RANGE;
    out[0] = '\0';
    return wld_unite_options(out, lines);
}

/* So many games in units. No count is as large as what does not fit. */
static uint64_t in_units(const struct build_options *options, uint64_t games)
{
    uint64_t unit = filter_unit(&options->count.filter);
    return games > UINT64_MAX / unit ? UINT64_MAX : games * unit;
}

/* Where the merged counts go. */
struct outputs {
    const struct build_options *options;
    uint64_t taken;
    struct weigher *weigher; /* NULL: no book */
    struct wld_writer *writer;
    struct samples_writer *samples; /* NULL: none are written */
    struct diag *diag;
    uint64_t stats_least; /* games of a move in the statistics, in units */
    uint64_t stats_rare;  /* moves of fewer games */
};

static enum caxton_status take_tally(void *context, const struct tally *tally)
{
    enum { TALLIES_A_LOOK = 1 << 12 };
    struct outputs *outputs = context;
    enum caxton_status status = STATUS_OK;
    if (++outputs->taken % TALLIES_A_LOOK == 0 && outputs->options->merged)
        outputs->options->merged(outputs->options->merged_context, tally->key);
    bool is_rare = tally_games(tally) < outputs->stats_least;
    outputs->stats_rare += is_rare;
    if (outputs->writer && !is_rare)
        status = wld_writer_take(outputs->writer, tally);
    if (outputs->samples && !is_rare && status == STATUS_OK)
        status = samples_writer_follow(outputs->samples, tally->key, outputs->diag);
    if (status == STATUS_OK && outputs->weigher)
        status = weigher_take(outputs->weigher, tally);
    return status;
}

/* Counts on their way into sums with those of the statistics that are added to. */
struct adding {
    struct outputs *outputs;
    struct wld_reader *base;
    struct tally head; /* the next of base, unless it has ended */
    bool has_ended;
    struct diag *diag;
};

static enum caxton_status advance_base(struct adding *adding)
{
    enum caxton_status status = wld_reader_next(adding->base, &adding->head, adding->diag);
    adding->has_ended = status == STATUS_END;
    return adding->has_ended ? STATUS_OK : status;
}

/* Passes on what stands before `end` in the statistics; NULL: all that is left. */
static enum caxton_status pass_base(struct adding *adding, const struct tally *end)
{
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && !adding->has_ended &&
           (!end || tally_compare(&adding->head, end) < 0)) {
        status = take_tally(adding->outputs, &adding->head);
        if (status == STATUS_OK)
            status = advance_base(adding);
    }
    return status;
}

/* A tally_sink. */
static enum caxton_status add_tally(void *context, const struct tally *tally)
{
    struct adding *adding = context;
    struct tally sum = *tally;
    enum caxton_status status = pass_base(adding, tally);
    if (status == STATUS_OK && !adding->has_ended && tally_compare(&adding->head, tally) == 0) {
        status = tally_add(&sum, &adding->head, adding->diag);
        if (status == STATUS_OK)
            status = advance_base(adding);
    }
    return status == STATUS_OK ? take_tally(adding->outputs, &sum) : status;
}

/* Gives all counts to the outputs. least: of fewer games none is needed. *dropped: those. */
static enum caxton_status write_counts(struct builder *builder, struct outputs *outputs,
                                       uint64_t least, uint64_t *dropped, struct diag *diag)
{
    struct adding adding = {.outputs = outputs, .base = builder->base, .diag = diag};
    enum caxton_status status = STATUS_OK;
    if (builder->options.count.keep_fingerprints && outputs->writer)
        status = counting_pool_list_fingerprints(builder->pool, wld_writer_take_fingerprint,
                                                 outputs->writer, diag);
    if (status != STATUS_OK || !builder->base)
        return status != STATUS_OK
                   ? status
                   : counting_pool_merge(builder->pool, least, take_tally, outputs, dropped, diag);
    status = advance_base(&adding);
    if (status == STATUS_OK)
        status = counting_pool_merge(builder->pool, 0, add_tally, &adding, dropped, diag);
    return status == STATUS_OK ? pass_base(&adding, NULL) : status;
}

/* Begins the file of sample games. */
static enum caxton_status create_samples(struct builder *builder, struct outputs *outputs)
{
    const struct count_options *count = &builder->options.count;
    const struct samples_info info = {
        .most = count->samples, .plies = count->max_plies, .names = *count->sample_names};
    struct sample_merge *merged = NULL;
    struct samples_cursor *base = &builder->base_samples;
    if (base->file) {
        builder->base_numbers = samples_file_numbers(base->file, count->sample_names);
        if (!builder->base_numbers)
            return STATUS_NO_MEMORY;
        base->numbers = builder->base_numbers;
    }
    enum caxton_status status = counting_pool_samples(
        builder->pool, base->file ? samples_cursor_next : NULL, base, &merged, outputs->diag);
    if (status == STATUS_OK)
        status = samples_writer_create(builder->samples, &info, sample_merge_next, merged,
                                       &outputs->samples);
    return status;
}

static enum caxton_status create_outputs(const struct build_options *options, FILE *book,
                                         FILE *stats, struct outputs *outputs)
{
    enum caxton_status status = STATUS_OK;
    if (book) {
        struct weigh_options weigh = options->weigh;
        weigh.min_games = options->min_games;
        weigh.unit = filter_unit(&options->count.filter);
        outputs->weigher = weigher_create(book, &weigh);
        if (!outputs->weigher)
            return STATUS_NO_MEMORY;
    }
    if (stats) {
        outputs->stats_least = in_units(options, options->stats_min_games);
        char text[WLD_OPTIONS_MAX + 1];
        status = build_options_text(options, text);
        if (status == STATUS_OK)
            status = wld_writer_create(stats, text, &outputs->writer);
    }
    return status;
}

static enum caxton_status finish_samples(struct builder *builder, struct outputs *outputs)
{
    const struct wld_identity identity = wld_writer_identity(outputs->writer);
    builder->report.sampled = samples_writer_records(outputs->samples);
    return samples_writer_finish(outputs->samples, &identity);
}

enum caxton_status builder_write(struct builder *builder, FILE *book, FILE *stats,
                                 struct diag *diag)
{
    struct diag reason = {.text = ""};
    struct outputs outputs = {.options = &builder->options, .diag = &reason};
    struct build_report *report = &builder->report;
    uint64_t dropped = 0; /* too rare for either */
    enum caxton_status status = create_outputs(&builder->options, book, stats, &outputs);
    /* What is too rare for one of the two it leaves out itself. */
    uint64_t least = book ? in_units(&builder->options, builder->options.min_games) : UINT64_MAX;
    if (stats && outputs.stats_least < least)
        least = outputs.stats_least;
    if (status == STATUS_OK && builder->samples)
        status = create_samples(builder, &outputs);
    if (status == STATUS_OK)
        status = write_counts(builder, &outputs, least, &dropped, &reason);
    if (status == STATUS_OK && outputs.weigher)
        status = weigher_finish(outputs.weigher, &report->weights);
    if (status == STATUS_OK && outputs.writer)
        status = wld_writer_finish(outputs.writer, &report->records);
    if (status == STATUS_OK && outputs.samples)
        status = finish_samples(builder, &outputs);
    report->weights.rare += book ? dropped : 0;
    report->records_rare = stats ? outputs.stats_rare + dropped : 0;
    weigher_destroy(outputs.weigher);
    wld_writer_destroy(outputs.writer);
    samples_writer_destroy(outputs.samples);
    if (status != STATUS_OK && *reason.text)
        diag_set(diag, 0, 0, "%s", reason.text);
    else if (status != STATUS_OK)
        diag_set(diag, 0, 0, "cannot write: %s", status_name(status));
    return status;
}
