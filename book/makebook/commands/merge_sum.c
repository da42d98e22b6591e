#include "book/makebook/commands/merge_sum.h"

#include "base/text.h"
#include "book/statistics/wld_file.h"
#include "book/statistics/wld_merge.h"

struct summing {
    struct merge_sum *sum;
    struct wld_writer *writer;
    struct diag *diag;
    uint64_t least; /* units of a move that is kept */
    uint64_t taken;
};

/* A tally_sink. Keys are spread evenly, so that the key tells how much is done. */
static enum caxton_status take_sum(void *context, const struct tally *tally)
{
    enum { TALLIES_A_LOOK = 1 << 12 };
    struct summing *summing = context;
    if (++summing->taken % TALLIES_A_LOOK == 0)
        progress_share(summing->sum->progress, "adding up", tally->key >> 1, INT64_MAX);
    if (tally_games(tally) < summing->least) {
        summing->sum->rare++;
        return STATUS_OK;
    }
    enum caxton_status status = wld_writer_take(summing->writer, tally);
    if (status == STATUS_OK && summing->sum->samples)
        status = samples_writer_follow(summing->sum->samples, tally->key, summing->diag);
    return status;
}

/* Do the readers know the games of all that is written? */
static bool know_games(const struct merge_sum *sum, struct wld_reader *const *readers, size_t count)
{
    bool know = count > 0 && sum->min_games <= 1;
    for (size_t i = 0; i < count && know; i++)
        know = wld_reader_info(readers[i])->has_fingerprints;
    return know;
}

/* A fingerprint_sink. */
static enum caxton_status forget_print(void *context, struct fingerprint print)
{
    (void)context;
    (void)print;
    return STATUS_OK;
}

/* Games that two inputs have would count twice. */
static enum caxton_status take_prints(struct merge_sum *sum, struct wld_reader *const *readers,
                                      size_t count, struct wld_writer *writer, struct diag *diag)
{
    struct wld_common_games common = {0};
    enum caxton_status status = wld_merge_fingerprints(
        readers, count, sum->forget_games ? forget_print : wld_writer_take_fingerprint, writer,
        &common, diag);
    sum->twice = common.games;
    if (status != STATUS_OK || common.games == 0 || sum->force)
        return status;
    return diag_fail(STATUS_AMBIGUOUS, diag,
                     "%llu game%s would count twice, the first of them in %s and %s; --force adds "
                     "them up all the same",
                     (unsigned long long)common.games, text_plural(common.games), common.one,
                     common.other);
}

/* The options of what is written, min_games among them. */
static enum caxton_status make_options(const struct merge_sum *sum, bool keeps,
                                       char out[WLD_OPTIONS_MAX + 1])
{
    char line[40] = "";
    text_copy(out, WLD_OPTIONS_MAX + 1, span_of(sum->options));
    if (sum->min_games > 1)
        (void)snprintf(line, sizeof line, "min-games %llu\n", (unsigned long long)sum->min_games);
    if (!keeps)
        wld_options_drop(out, WLD_FINGERPRINTS_OPTION);
    return wld_unite_options(out, line);
}

enum caxton_status merge_sum_write(struct merge_sum *sum, struct wld_reader *const *readers,
                                   size_t count, struct diag *diag)
{
    char options[WLD_OPTIONS_MAX + 1];
    struct summing summing = {.sum = sum, .diag = diag};
    /* No sum has as many games as what does not fit. */
    summing.least =
        sum->min_games > UINT64_MAX / sum->unit ? UINT64_MAX : sum->min_games * sum->unit;
    bool knows_games = know_games(sum, readers, count);
    enum caxton_status status = make_options(sum, knows_games && !sum->forget_games, options);
    if (status == STATUS_OK)
        status = wld_writer_create(sum->out, options, &summing.writer);
    if (status == STATUS_OK && knows_games)
        status = take_prints(sum, readers, count, summing.writer, diag);
    if (status == STATUS_OK && sum->files && sum->jobs > 1)
        status = wld_merge_ranges(sum->files, count, sum->jobs, take_sum, &summing, diag);
    else if (status == STATUS_OK)
        status = wld_merge(readers, count, take_sum, &summing, diag);
    if (status == STATUS_OK)
        status = wld_writer_finish(summing.writer, &sum->records);
    if (status == STATUS_OK && sum->samples) {
        const struct wld_identity identity = wld_writer_identity(summing.writer);
        status = samples_writer_finish(sum->samples, &identity);
    }
    wld_writer_destroy(summing.writer);
    progress_end(sum->progress);
    return status;
}
