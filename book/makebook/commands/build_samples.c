#include "book/makebook/commands/build_samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/sample_games.h"

static int add_name(const struct command_line *line, struct build_samples *samples,
                    const char *name)
{
    enum caxton_status status = sample_names_add(&samples->names, name);
    if (status == STATUS_RANGE)
        return command_fail(line, "--samples: more than %d files", SAMPLE_FILES_MAX);
    return status == STATUS_OK ? EXIT_DONE : command_fail(line, "out of memory");
}

/* The sample games that are there already. */
static int read_base(const struct command_line *line, struct build_samples *samples)
{
    struct diag diag = {.text = ""};
    if (samples_file_open(samples->path, &samples->base, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    const struct samples_info *info = samples_file_info(samples->base);
    if (samples->wanted && (size_t)samples->wanted != info->most)
        return command_fail(line, "%s has %zu games of a position, not %d", samples->path,
                            info->most, (int)samples->wanted);
    samples->wanted = (int64_t)info->most;
    int status = EXIT_DONE;
    for (size_t i = 0; i < info->names.count && status == EXIT_DONE; i++)
        status = add_name(line, samples, info->names.list[i]);
    return status;
}

int build_samples_read(const struct command_line *line, const char *stats, bool is_added_to,
                       struct build_samples *samples, struct count_options *options)
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
    int status = is_added_to && is_there ? read_base(line, samples) : EXIT_DONE;
    if (status == EXIT_DONE && !samples->wanted)
        (void)sample_games_warn_of_old(line, stats);
    if (!samples->wanted) {
        free(samples->path);
        samples->path = NULL;
        return status;
    }
    if (status == EXIT_DONE)
        status = outputs_spare_inputs(line, line->operand_count, samples->path);
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

bool build_samples_fit(const struct command_line *line, const struct build_samples *samples,
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

bool build_samples_open(const struct command_line *line, struct build_samples *samples,
                        struct builder *builder)
{
    if (!outputs_create(line, samples->path, &samples->file))
        return false;
    if (samples->file)
        builder_set_samples(builder, atomic_file_stream(samples->file), samples->base);
    return true;
}

enum caxton_status build_samples_commit(struct build_samples *samples, struct diag *diag)
{
    struct atomic_file *file = samples->file;
    samples->file = NULL;
    samples_file_close(samples->base); /* it is replaced */
    samples->base = NULL;
    return file ? atomic_file_commit(file, diag) : STATUS_OK;
}

void build_samples_end(struct build_samples *samples)
{
    atomic_file_abort(samples->file);
    samples_file_close(samples->base);
    sample_names_free(&samples->names);
    free(samples->path);
}
