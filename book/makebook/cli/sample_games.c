#include "book/makebook/cli/sample_games.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "book/build/filter/game_mark.h"
#include "book/build/input/input.h"
#include "book/makebook/cli/command.h"

char *sample_games_path(const char *stats)
{
    size_t size = strlen(stats) + sizeof SAMPLES_ENDING;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%s%s", stats, SAMPLES_ENDING);
    return path;
}

struct samples_file *sample_games_open(const struct command_line *line, const struct source *source)
{
    struct samples_file *samples = NULL;
    struct diag diag = {.text = ""};
    char *path = source->file ? sample_games_path(source->name) : NULL;
    if (path && file_kind_of(path, NULL) != FILE_ABSENT) {
        const struct wld_identity identity = wld_file_identity(source->file);
        if (samples_file_open(path, &samples, &diag) != STATUS_OK) {
            (void)command_fail(line, "warning: no sample games: %s", diag.text);
        } else if (!samples_file_belongs_to(samples, &identity)) {
            (void)command_fail(line, "warning: no sample games: %s belongs to other statistics",
                               path);
            samples_file_close(samples);
            samples = NULL;
        }
    }
    free(path);
    return samples;
}

bool sample_games_warn_of_old(const struct command_line *line, const char *stats)
{
    char *path = sample_games_path(stats);
    if (path && file_kind_of(path, NULL) == FILE_REGULAR)
        (void)command_fail(line, "warning: %s stays as it is, for other statistics", path);
    free(path);
    return true;
}

/* The file that is called so, or the one beside the sample games. NULL: neither is there, or there
 * is no memory. To be freed. */
static char *find_file(const struct samples_file *samples, const char *name)
{
    const char *beside = samples_file_name(samples);
    size_t folder = (size_t)(file_name_of(beside) - beside);
    size_t size = folder + strlen(name) + 1;
    char *path = malloc(size);
    if (!path)
        return NULL;
    (void)snprintf(path, size, "%s", name);
    if (file_kind_of(path, NULL) != FILE_REGULAR)
        (void)snprintf(path, size, "%.*s%s", (int)folder, beside, file_name_of(name));
    if (file_kind_of(path, NULL) == FILE_REGULAR)
        return path;
    free(path);
    return NULL;
}

/* The game that begins at the place, if it is the one that was counted. */
struct reading {
    const struct samples_file *samples;
    const struct sample *sample;
    const char *path;
    struct input *input;
    sample_game_sink sink;
    void *context;
};

static enum caxton_status changed(const struct reading *reading, struct diag *diag)
{
    return diag_fail(STATUS_NOT_FOUND, diag,
                     "%s: the game at byte %llu is another one: the file has changed",
                     reading->path, (unsigned long long)reading->sample->at);
}

static enum caxton_status read_game(const struct reading *reading, struct pgn_reader *reader,
                                    struct diag *diag)
{
    struct pgn_game game;
    uint64_t plies = samples_file_info(reading->samples)->plies;
    enum caxton_status status = pgn_next(reader, &game, NULL);
    if (status == STATUS_END)
        return changed(reading, diag);
    if (status != STATUS_OK && !pgn_is_game_fault(status))
        return diag_fail(status, diag, "%s: %s", reading->path,
                         *input_fault(reading->input) ? input_fault(reading->input)
                                                      : status_name(status));
    if (game.offset != 0 || game_mark(&game, plies) != reading->sample->mark)
        return changed(reading, diag);
    struct listed_game listed = listed_game_of(&game, reading->path);
    listed.number = 0;
    listed.start = reading->sample->at;
    reading->sink(reading->context, &game, &listed);
    return STATUS_OK;
}

enum caxton_status sample_game_read(const struct samples_file *samples, const struct sample *sample,
                                    sample_game_sink sink, void *context, struct diag *diag)
{
    const char *name = samples_file_info(samples)->names.list[sample->file];
    char *path = find_file(samples, name);
    struct reading reading = {
        .samples = samples, .sample = sample, .path = path, .sink = sink, .context = context};
    struct pgn_reader *reader = NULL;
    if (!path)
        return diag_fail(STATUS_NOT_FOUND, diag, "%s is not there any more", name);
    enum caxton_status status = input_open(path, &reading.input, diag);
    if (status == STATUS_OK) {
        status = input_skip(reading.input, sample->at);
        reader = status == STATUS_OK ? pgn_create(input_read, reading.input) : NULL;
        if (reader)
            status = read_game(&reading, reader, diag);
        else
            (void)diag_fail(status, diag, "%s: %s", path, input_fault(reading.input));
        if (status == STATUS_OK && !reader)
            status = diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", path);
    }
    pgn_destroy(reader);
    input_close(reading.input);
    free(path);
    return status;
}

void sample_game_find_end(struct listed_game *listed)
{
    struct pgn_reader *reader = NULL;
    struct input *input = NULL;
    struct pgn_game game;
    enum caxton_status status = input_open(listed->path, &input, NULL);
    if (status == STATUS_OK)
        status = input_skip(input, listed->start);
    if (status == STATUS_OK)
        reader = pgn_create(input_read, input);
    for (int i = 0; i < 2 && reader && (status == STATUS_OK || pgn_is_game_fault(status)); i++)
        status = pgn_next(reader, &game, NULL);
    if (reader && (status == STATUS_OK || pgn_is_game_fault(status)))
        listed->end = listed->start + game.offset; /* of the next one */
    pgn_destroy(reader);
    input_close(input);
}
