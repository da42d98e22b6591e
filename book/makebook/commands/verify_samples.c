#include "book/makebook/commands/verify_samples.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/commands/verify.h"

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

void verify_samples_open(const struct command_line *line, const struct source *source,
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

void verify_samples_follow(struct verify_samples *samples, uint64_t key)
{
    while (!samples->has_ended && samples->head.key < key)
        skip(samples);
    if (!samples->has_ended && samples->head.key == key)
        advance(samples);
}

bool verify_samples_end(struct verify_samples *samples, bool is_whole)
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
        (void)command_fail(&verify->line, "%s: sample games go without --repair and --fen", path);
        samples_file_close(file);
    } else {
        begin(&verify->line, file, &samples);
        *exit = verify_samples_end(&samples, false) ? EXIT_DONE : EXIT_FAILED;
    }
    return true;
}
