#include "book/count/builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/temp_file.h"
#include "base/thread.h"
#include "base/thread_pool.h"
#include "book/count/game_counter.h"
#include "book/count/input/chunks.h"

/* The way of a game: builder_read() cuts an input into chunks (input/chunks.h); a worker, which is
 * a thread, or this one where there is one worker, reads the games of a chunk, judges and counts
 * them (game_counter.h) into one counter (counter.h); the reports of chunks are put together in the
 * order of the input, so that the result does not depend on the number of threads. builder_write()
 * merges the counts and gives them to the outputs. */

/* Files that are not temporary: the standard streams, input, outputs, and what a library opens. */
enum { OTHER_FILES = 10 };

enum {
    JOBS_MAX = 256,
    DUPLICATES_SHARE = 4, /* one part in so many of the memory is to find duplicates */
    SAMPLES_SHARE = 2,    /* and of what is left for sample games, where they are chosen */
    BYTES_A_MOVE = 10,    /* of text, for each item that is counted: a guess on the safe side */
    SKETCH_BYTES = 4,     /* for each byte of input at most: enough for text that is packed, too */
};

/* A chunk on its way round the ring: filled and emptied by the calling thread, counted by a worker
 * in between. */
struct chunk_slot {
    bool done;      /* it is counted; guarded by the ring */
    uint16_t file;  /* number of the input */
    uint64_t start; /* byte of it that the chunk begins with */
    struct chunk chunk;
    struct chunk_report report;
    enum caxton_status status;
    struct diag diag;
};

struct builder {
    struct build_options options;
    struct build_report report;
    struct wld_reader *base;            /* is added to; NULL: nothing is */
    FILE *samples;                      /* where sample games go; NULL: nowhere */
    struct samples_cursor base_samples; /* those that they are added to; without a file: none */
    uint16_t *base_numbers;
    /* Counting. */
    struct duplicates *duplicates; /* NULL: equal games count each time */
    struct counter *counter;
    struct sampler *sampler; /* NULL: no sample games are chosen */
    struct sketch *sketch;   /* of two passes; NULL: there is one */
    bool is_second;
    size_t sealed_bytes;       /* of the sketch in the second pass */
    struct count_report first; /* of the first pass */
    struct game_counter *workers[JOBS_MAX];
    int count;
    struct thread_pool *threads; /* one for each worker; NULL: there is one worker */
    struct chunk_slot *slots;
    int slot_count;
    struct monitor ring;
    bool ended;       /* the input has; guarded by ring */
    uint64_t filled;  /* chunks ever read; guarded by ring */
    uint64_t taken;   /* chunks ever taken by workers; guarded by ring */
    uint64_t emptied; /* chunks ever put together; calling thread only */
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

/* Threads ---------------------------------------------------------------------------------- */

static struct chunk_slot *slot_at(struct builder *builder, uint64_t number)
{
    return &builder->slots[number % (uint64_t)builder->slot_count];
}

static void count_slot(struct game_counter *games, struct chunk_slot *slot)
{
    memset(&slot->report, 0, sizeof slot->report);
    game_counter_set_place(games, slot->file, slot->start);
    slot->status = game_counter_run_text(games, slot->chunk.data, slot->chunk.size, &slot->report,
                                         &slot->diag);
    slot->report.bytes = slot->chunk.size;
}

/* Counts one chunk after the other until the input ends. */
static void run_worker(void *context, int index)
{
    struct builder *builder = context;
    (void)pthread_mutex_lock(&builder->ring.mutex);
    for (;;) {
        while (builder->taken == builder->filled && !builder->ended)
            (void)pthread_cond_wait(&builder->ring.changed, &builder->ring.mutex);
        if (builder->taken == builder->filled)
            break;
        struct chunk_slot *slot = slot_at(builder, builder->taken++);
        (void)pthread_mutex_unlock(&builder->ring.mutex);
        count_slot(builder->workers[index], slot);
        (void)pthread_mutex_lock(&builder->ring.mutex);
        slot->done = true;
        (void)pthread_cond_broadcast(&builder->ring.changed);
    }
    (void)pthread_mutex_unlock(&builder->ring.mutex);
}

/* Of so many bytes, with its sketch. False: there is no memory. */
static bool create_counter(struct builder *builder, size_t left, size_t files)
{
    const struct count_options *options = &builder->options.count;
    uint64_t games = builder->options.two_pass_games;
    bool notes = games && !builder->is_second;
    if (notes) {
        uint64_t most = options->expected_bytes ? options->expected_bytes : left;
        most = most < left / SKETCH_BYTES ? most * SKETCH_BYTES : left;
        builder->sketch = sketch_create((size_t)most, games, builder->report.unit);
        builder->report.sketch_bytes = most;
    }
    builder->counter = counter_create(notes ? 0 : left - builder->sealed_bytes, builder->count,
                                      options->expected_bytes / BYTES_A_MOVE, options->facets != 0,
                                      options->folder, files);
    if (builder->counter && games)
        counter_set_sketch(builder->counter, builder->sketch, builder->is_second);
    return builder->counter && (builder->sketch || !games);
}

/* What a pass over the games needs. False: there is no memory. */
static bool create_counting(struct builder *builder)
{
    const struct count_options *options = &builder->options.count;
    size_t share = options->keep_duplicates ? 0 : options->memory_bytes / DUPLICATES_SHARE;
    size_t files = options->open_files / 2;
    if (!options->keep_duplicates)
        builder->duplicates = duplicates_create(share, options->folder, files);
    size_t left = options->memory_bytes - share;
    size_t samples = options->samples ? left / SAMPLES_SHARE : 0;
    const struct sample_rule rule = {options->samples, options->facets != 0};
    bool chooses = options->samples && (!builder->options.two_pass_games || builder->is_second);
    if (chooses)
        builder->sampler = sampler_create(samples, builder->count, &rule, options->folder);
    bool enough =
        create_counter(builder, left - samples - options->memory_bytes / OPENINGS_SHARE, files) &&
        (builder->duplicates || options->keep_duplicates) && (builder->sampler || !chooses);
    for (int i = 0; i < builder->count && enough; i++) {
        builder->workers[i] =
            game_counter_create(options, builder->duplicates, builder->counter,
                                builder->sampler ? sampler_worker(builder->sampler, i) : NULL);
        enough = builder->workers[i] != NULL;
    }
    return enough;
}

static void destroy_counting(struct builder *builder)
{
    for (int i = 0; i < builder->count; i++) {
        game_counter_destroy(builder->workers[i]);
        builder->workers[i] = NULL;
    }
    sampler_destroy(builder->sampler);
    counter_destroy(builder->counter);
    duplicates_destroy(builder->duplicates);
    builder->sampler = NULL;
    builder->counter = NULL;
    builder->duplicates = NULL;
}

static enum caxton_status create_parts(struct builder *builder)
{
    bool enough = create_counting(builder);
    builder->slot_count = builder->count == 1 ? 1 : 2 * builder->count + 1;
    builder->slots = calloc((size_t)builder->slot_count, sizeof *builder->slots);
    enough = enough && builder->slots;
    for (int i = 0; i < builder->slot_count && enough; i++)
        enough = chunk_init(&builder->slots[i].chunk);
    if (!enough)
        return STATUS_NO_MEMORY;
    if (builder->count == 1)
        return STATUS_OK;
    return thread_pool_create(builder->count, run_worker, builder, &builder->threads);
}

struct builder *builder_create(const struct build_options *options, enum caxton_status *status)
{
    struct builder *builder = calloc(1, sizeof *builder);
    *status = STATUS_NO_MEMORY;
    if (!builder || monitor_init(&builder->ring) != STATUS_OK) {
        free(builder);
        return NULL;
    }
    int jobs = options->count.jobs;
    builder->options = *options;
    builder->report.unit = filter_unit(&options->count.filter);
    builder->count = jobs < 1 ? 1 : jobs < JOBS_MAX ? jobs : JOBS_MAX;
    *status = create_parts(builder);
    if (*status == STATUS_OK)
        return builder;
    builder_destroy(builder);
    return NULL;
}

void builder_destroy(struct builder *builder)
{
    if (!builder)
        return;
    thread_pool_destroy(builder->threads);
    destroy_counting(builder);
    sketch_destroy(builder->sketch);
    for (int i = 0; builder->slots && i < builder->slot_count; i++)
        chunk_free(&builder->slots[i].chunk);
    free(builder->slots);
    monitor_destroy(&builder->ring);
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
    return duplicates_load(builder->duplicates, wld_reader_next_fingerprint, base, diag);
}

/* Reports ---------------------------------------------------------------------------------- */

/* How much of an input comes before a chunk. */
struct chunk_start {
    uint64_t games;
    uint64_t lines;
    uint64_t bytes;
};

static void add_bad_games(struct count_report *sum, const struct chunk_report *chunk,
                          const struct chunk_start *start, const char *name)
{
    uint64_t at = sum->bad_games;
    for (uint64_t i = 0; i < chunk->counts.bad_games && at < BAD_GAMES_SHOWN; i++, at++) {
        struct bad_game *bad = &sum->bad[at];
        *bad = chunk->counts.bad[i];
        bad->number += start->games;
        bad->diag.line += start->lines;
        bad->diag.offset += start->bytes;
        text_copy(bad->file, sizeof bad->file, span_of(name));
    }
    sum->bad_games += chunk->counts.bad_games;
    sum->bad_used += chunk->counts.bad_used;
}

static void add_notes(struct count_report *sum, const struct chunk_report *chunk,
                      const struct chunk_start *start, const char *name)
{
    for (int i = 0; i < PGN_NOTES; i++) {
        struct noted_games *to = &sum->notes[i];
        const struct noted_games *more = &chunk->counts.notes[i];
        if (more->games && !to->games) {
            to->number = start->games + more->number;
            to->line = start->lines + more->line;
            text_copy(to->file, sizeof to->file, span_of(name));
        }
        to->games += more->games;
    }
}

/* Adds what a chunk of the input `name` brought, and moves *start behind it. */
static void count_report_add(struct count_report *sum, const struct chunk_report *chunk,
                             struct chunk_start *start, const char *name)
{
    const struct count_report *more = &chunk->counts;
    add_bad_games(sum, chunk, start, name);
    add_notes(sum, chunk, start, name);
    near_names_merge(&sum->near_players, &more->near_players);
    sum->games += more->games;
    sum->used += more->used;
    sum->amount += more->amount;
    sum->plies += more->plies;
    for (int i = 0; i <= PGN_DRAW; i++)
        sum->early[i] += more->early[i];
    for (int i = 0; i < FILTER_ROWS_MAX; i++)
        sum->left_out[i] += more->left_out[i];
    start->games += more->games;
    start->lines += chunk->lines;
    start->bytes += chunk->bytes;
}

/* Reading --------------------------------------------------------------------------------- */

/* One input as far as it has been put together. */
struct input_reading {
    struct builder *builder;
    const char *name;
    uint16_t file; /* number of the input, for sample games */
    struct cutter cutter;
    uint64_t cut;             /* bytes of the input that chunks were made of */
    struct chunk_start start; /* of the next chunk that is put together */
    struct diag *diag;
};

static enum caxton_status finish_slot(struct input_reading *reading, struct chunk_slot *slot)
{
    count_report_add(&reading->builder->report.count, &slot->report, &reading->start,
                     reading->name);
    if (slot->status != STATUS_OK)
        *reading->diag = slot->diag;
    return slot->status;
}

/* Takes the oldest chunk off the ring when it is counted. */
static enum caxton_status retire(struct input_reading *reading)
{
    struct builder *builder = reading->builder;
    struct chunk_slot *slot = slot_at(builder, builder->emptied++);
    (void)pthread_mutex_lock(&builder->ring.mutex);
    while (!slot->done)
        (void)pthread_cond_wait(&builder->ring.changed, &builder->ring.mutex);
    slot->done = false;
    (void)pthread_mutex_unlock(&builder->ring.mutex);
    return finish_slot(reading, slot);
}

/* Takes all chunks off the ring. */
static enum caxton_status drain(struct input_reading *reading)
{
    enum caxton_status status = STATUS_OK;
    while (reading->builder->emptied < reading->builder->filled) {
        enum caxton_status now = retire(reading);
        status = status == STATUS_OK ? now : status;
    }
    return status;
}

/* Text without any cut is read to its end by one thread. */
static enum caxton_status read_without_cuts(struct input_reading *reading, struct chunk_slot *slot)
{
    enum caxton_status status = drain(reading);
    if (status != STATUS_OK)
        return status;
    memset(&slot->report, 0, sizeof slot->report);
    game_counter_set_place(reading->builder->workers[0], reading->file, reading->cut);
    slot->status = game_counter_run(reading->builder->workers[0], cutter_read, &reading->cutter,
                                    &slot->report, &slot->diag);
    return finish_slot(reading, slot);
}

/* Reads the next chunk and sees to it that it gets counted. */
static enum caxton_status read_chunk(struct input_reading *reading)
{
    struct builder *builder = reading->builder;
    enum caxton_status status = STATUS_OK;
    if (builder->filled - builder->emptied == (uint64_t)builder->slot_count)
        status = retire(reading);
    if (status != STATUS_OK)
        return status;
    struct chunk_slot *slot = slot_at(builder, builder->filled);
    status = cutter_next(&reading->cutter, &slot->chunk);
    if (status != STATUS_OK) {
        if (status != STATUS_END)
            diag_set(reading->diag, 0, 0, "%s", status_name(status));
        return status;
    }
    if (slot->chunk.size == 0)
        return read_without_cuts(reading, slot);
    slot->file = reading->file;
    slot->start = reading->cut;
    reading->cut += slot->chunk.size;
    if (!builder->threads) {
        count_slot(builder->workers[0], slot);
        return finish_slot(reading, slot);
    }
    (void)pthread_mutex_lock(&builder->ring.mutex);
    builder->filled++;
    (void)pthread_cond_broadcast(&builder->ring.changed);
    (void)pthread_mutex_unlock(&builder->ring.mutex);
    return STATUS_OK;
}

/* No more chunks come: lets the workers go. */
static void end_input(struct builder *builder)
{
    (void)pthread_mutex_lock(&builder->ring.mutex);
    builder->ended = true;
    (void)pthread_cond_broadcast(&builder->ring.changed);
    (void)pthread_mutex_unlock(&builder->ring.mutex);
    thread_pool_wait(builder->threads);
}

enum caxton_status builder_read(struct builder *builder, pgn_source source, void *context,
                                const char *name, struct diag *diag)
{
    struct diag reason = {.text = "out of memory"};
    struct input_reading reading = {.builder = builder, .name = name, .diag = &reason};
    if (builder->sampler)
        reading.file = (uint16_t)sample_names_find(builder->options.count.sample_names, name);
    enum caxton_status status = cutter_init(&reading.cutter, source, context);
    enum caxton_status rest = STATUS_OK;
    if (status == STATUS_OK) {
        builder->ended = false;
        if (builder->threads)
            thread_pool_start(builder->threads);
        while (status == STATUS_OK)
            status = read_chunk(&reading);
        rest = drain(&reading);
        if (builder->threads)
            end_input(builder);
        cutter_free(&reading.cutter);
    }
    status = status == STATUS_END ? rest : status;
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", name, reason.text);
    return status;
}

enum caxton_status builder_look_again(struct builder *builder, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < builder->count && status == STATUS_OK; i++)
        status = game_counter_finish(builder->workers[i], diag);
    if (status != STATUS_OK)
        return status;
    destroy_counting(builder);
    builder->first = builder->report.count;
    builder->report.count = (struct count_report){.games = 0};
    builder->is_second = true;
    builder->sealed_bytes = sketch_seal(builder->sketch);
    return create_counting(builder) ? STATUS_OK
                                    : diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
}

/* What is left out is right for the games of the first pass alone. */
static enum caxton_status check_passes(const struct builder *builder, struct diag *diag)
{
    const struct count_report *one = &builder->first;
    const struct count_report *other = &builder->report.count;
    if (!builder->sketch || (one->games == other->games && one->used == other->used &&
                             one->amount == other->amount && one->plies == other->plies))
        return STATUS_OK;
    return diag_fail(STATUS_IO, diag, "the games were changed while they were read twice");
}

/* Writing ---------------------------------------------------------------------------------- */

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
    if (options->count.facets) {
        char facets[WLD_FACETS_OPTION_MAX];
        wld_facets_option(options->count.facets, facets);
        text_append(&buffer, "%s\n", facets);
    }
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
struct merge_outputs {
    const struct build_options *options;
    uint64_t taken;
    struct weigher *weigher; /* NULL: no book */
    struct wld_writer *writer;
    struct samples_writer *samples; /* NULL: none are written */
    struct diag *diag;
    struct tally_group stats;   /* what the statistics get, */
    struct tally_group weighed; /* and the book */
};

/* A tally_sink. */
static enum caxton_status write_tally(void *context, const struct tally *tally)
{
    struct merge_outputs *outputs = context;
    enum caxton_status status = wld_writer_take(outputs->writer, tally);
    if (status == STATUS_OK && outputs->samples)
        status = samples_writer_follow(outputs->samples, tally->key, outputs->diag);
    return status;
}

static enum caxton_status take_tally(void *context, const struct tally *tally)
{
    enum { TALLIES_A_LOOK = 1 << 12 };
    struct merge_outputs *outputs = context;
    enum caxton_status status = STATUS_OK;
    if (++outputs->taken % TALLIES_A_LOOK == 0 && outputs->options->merged)
        outputs->options->merged(outputs->options->merged_context, tally->key);
    if (outputs->writer)
        status = tally_group_take(&outputs->stats, tally);
    if (status == STATUS_OK && outputs->weigher)
        status = tally_group_take(&outputs->weighed, tally);
    return status;
}

static enum caxton_status end_moves(struct merge_outputs *outputs)
{
    enum caxton_status stats = tally_group_end(&outputs->stats);
    enum caxton_status weighed = tally_group_end(&outputs->weighed);
    return stats == STATUS_OK ? weighed : stats;
}

/* Counts on their way into sums with those of the statistics that are added to. */
struct adding {
    struct merge_outputs *outputs;
    struct wld_reader *base;
    struct tally head; /* the next of base, unless it has ended */
    bool has_ended;
    struct diag *diag;
};

static enum caxton_status advance_base(struct adding *adding)
{
    enum caxton_status status = wld_reader_next_facet(adding->base, &adding->head, adding->diag);
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

/* Gives all counts of at least `least` to `sink`; none are left afterwards. *dropped: the moves
 * that were too rare. */
static enum caxton_status merge_counts(struct builder *builder, uint64_t least, tally_sink sink,
                                       void *context, uint64_t *dropped, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < builder->count && status == STATUS_OK; i++)
        status = game_counter_finish(builder->workers[i], diag);
    if (status == STATUS_OK)
        status = counter_merge(builder->counter, builder->count, least, sink, context, diag);
    *dropped = counter_dropped(builder->counter);
    if (builder->sketch)
        builder->report.skipped = counter_left_out(builder->counter, &builder->report.looked_at);
    return status;
}

/* Gives all counts to the outputs. least: of fewer games none is needed. *dropped: those. */
static enum caxton_status write_counts(struct builder *builder, struct merge_outputs *outputs,
                                       uint64_t least, uint64_t *dropped, struct diag *diag)
{
    struct adding adding = {.outputs = outputs, .base = builder->base, .diag = diag};
    enum caxton_status status = STATUS_OK;
    if (builder->options.count.keep_fingerprints && outputs->writer)
        status = duplicates_list(builder->duplicates, wld_writer_take_fingerprint, outputs->writer,
                                 diag);
    if (status != STATUS_OK || !builder->base)
        return status != STATUS_OK
                   ? status
                   : merge_counts(builder, least, take_tally, outputs, dropped, diag);
    status = advance_base(&adding);
    if (status == STATUS_OK)
        status = merge_counts(builder, 0, add_tally, &adding, dropped, diag);
    return status == STATUS_OK ? pass_base(&adding, NULL) : status;
}

/* Begins the file of sample games. */
static enum caxton_status create_samples(struct builder *builder, struct merge_outputs *outputs)
{
    const struct count_options *count = &builder->options.count;
    const struct samples_info info = {
        {count->samples, count->facets != 0}, count->max_plies, *count->sample_names};
    struct sample_merge *merged = NULL;
    struct samples_cursor *base = &builder->base_samples;
    if (base->file) {
        builder->base_numbers = samples_file_numbers(base->file, count->sample_names);
        if (!builder->base_numbers)
            return STATUS_NO_MEMORY;
        base->numbers = builder->base_numbers;
    }
    enum caxton_status status = sampler_merge(
        builder->sampler, base->file ? samples_cursor_next : NULL, base, &merged, outputs->diag);
    if (status == STATUS_OK)
        status = samples_writer_create(builder->samples, &info, sample_merge_next, merged,
                                       &outputs->samples);
    return status;
}

static enum caxton_status create_outputs(const struct build_options *options, FILE *book,
                                         FILE *stats, struct merge_outputs *outputs)
{
    enum caxton_status status = STATUS_OK;
    if (book) {
        struct weigh_options weigh = options->weigh;
        weigh.min_games = options->min_games;
        weigh.unit = filter_unit(&options->count.filter);
        outputs->weigher = weigher_create(book, &weigh);
        if (!outputs->weigher)
            return STATUS_NO_MEMORY;
        outputs->weighed = (struct tally_group){.sink = weigher_take,
                                                .context = outputs->weigher,
                                                .adds_up = true,
                                                .are_moves = !options->count.facets};
    }
    if (stats) {
        outputs->stats = (struct tally_group){.sink = write_tally,
                                              .context = outputs,
                                              .are_moves = !options->count.facets,
                                              .least = in_units(options, options->stats_min_games)};
        char text[WLD_OPTIONS_MAX + 1];
        status = build_options_text(options, text);
        if (status == STATUS_OK)
            status = wld_writer_create(stats, text, &outputs->writer);
    }
    return status;
}

static enum caxton_status finish_samples(struct builder *builder, struct merge_outputs *outputs)
{
    const struct wld_identity identity = wld_writer_identity(outputs->writer);
    builder->report.sampled = samples_writer_records(outputs->samples);
    return samples_writer_finish(outputs->samples, &identity);
}

enum caxton_status builder_write(struct builder *builder, FILE *book, FILE *stats,
                                 struct diag *diag)
{
    struct diag reason = {.text = ""};
    struct merge_outputs outputs = {.options = &builder->options, .diag = &reason};
    struct build_report *report = &builder->report;
    uint64_t dropped = 0; /* too rare for either */
    enum caxton_status status = check_passes(builder, &reason);
    if (status == STATUS_OK)
        status = create_outputs(&builder->options, book, stats, &outputs);
    /* What is too rare for one of the two it leaves out itself. */
    uint64_t least = book ? in_units(&builder->options, builder->options.min_games) : UINT64_MAX;
    if (stats && outputs.stats.least < least)
        least = outputs.stats.least;
    if (status == STATUS_OK && builder->samples)
        status = create_samples(builder, &outputs);
    if (status == STATUS_OK)
        status = write_counts(builder, &outputs, least, &dropped, &reason);
    enum caxton_status ended = end_moves(&outputs);
    if (status == STATUS_OK)
        status = ended;
    if (status == STATUS_OK && outputs.weigher)
        status = weigher_finish(outputs.weigher, &report->weights);
    if (status == STATUS_OK && outputs.writer)
        status = wld_writer_finish(outputs.writer, &report->records);
    if (status == STATUS_OK && outputs.samples)
        status = finish_samples(builder, &outputs);
    report->weights.rare += book ? dropped : 0;
    report->records_rare = stats ? outputs.stats.left_out + dropped : 0;
    weigher_destroy(outputs.weigher);
    wld_writer_destroy(outputs.writer);
    samples_writer_destroy(outputs.samples);
    if (status != STATUS_OK && *reason.text)
        diag_set(diag, 0, 0, "%s", reason.text);
    else if (status != STATUS_OK)
        diag_set(diag, 0, 0, "cannot write: %s", status_name(status));
    return status;
}
