#include "book/makebook/cli/sample_games.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "book/count/filter/game_mark.h"
#include "book/count/input/input.h"
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

/* Such a name leads to another machine: Windows would tell it who the user is. The file of sample
 * games may come from anybody. */
static bool is_remote(const char *name)
{
    return strspn(name, "/\\") >= 2;
}

char *sample_games_file(const struct samples_file *samples, size_t number)
{
    const char *name = samples_file_info(samples)->names.list[number];
    const char *beside = samples_file_name(samples);
    size_t folder = (size_t)(file_name_of(beside) - beside);
    size_t size = folder + strlen(name) + 1;
    char *path = malloc(size);
    if (!path)
        return NULL;
    (void)snprintf(path, size, "%s", name);
    if (is_remote(name) || file_kind_of(path, NULL) != FILE_REGULAR)
        (void)snprintf(path, size, "%.*s%s", (int)folder, beside, file_name_of(name));
    if (file_kind_of(path, NULL) == FILE_REGULAR)
        return path;
    free(path);
    return NULL;
}

/* A game to be read, and who gets it. */
struct game_reading {
    const struct samples_file *samples;
    const struct sample *sample;
    const char *path;
    sample_game_sink sink;
    void *context;
};

static enum caxton_status changed(const struct game_reading *reading, struct diag *diag)
{
    return diag_fail(STATUS_NOT_FOUND, diag,
                     "%s: the game at byte %llu is another one: the file has changed",
                     reading->path, (unsigned long long)reading->sample->at);
}

/* What pgn_next() answered for the game at the place; is_there: it begins at that byte. */
static enum caxton_status give(const struct game_reading *reading, enum caxton_status status,
                               bool is_there, const struct pgn_game *game,
                               const struct input *input, struct diag *diag)
{
    uint64_t plies = samples_file_info(reading->samples)->plies;
    if (status == STATUS_END)
        return changed(reading, diag);
    if (status != STATUS_OK && !pgn_is_game_fault(status))
        return diag_fail(status, diag, "%s: %s", reading->path,
                         *input_fault(input) ? input_fault(input) : status_name(status));
    if (!is_there || game_mark(game, plies) != reading->sample->mark)
        return changed(reading, diag);
    struct listed_game listed = listed_game_of(game, reading->path);
    listed.number = 0;
    listed.start = reading->sample->at;
    reading->sink(reading->context, game, &listed);
    return STATUS_OK;
}

static enum caxton_status no_file(const struct samples_file *samples, const struct sample *sample,
                                  struct diag *diag)
{
    const char *name = samples_file_info(samples)->names.list[sample->file];
    return diag_fail(STATUS_NOT_FOUND, diag, "%s is %s", name,
                     is_remote(name) ? "not beside the sample games: other machines are not asked"
                                     : "not there any more");
}

/* A pgn_source: a little at once, for one game is wanted. */
static enum caxton_status read_little(void *input, char *buffer, size_t capacity, size_t *size)
{
    enum { LITTLE = 1 << 12 };
    return input_read(input, buffer, capacity < LITTLE ? capacity : LITTLE, size);
}

enum caxton_status sample_game_read(const struct samples_file *samples, const struct sample *sample,
                                    sample_game_sink sink, void *context, struct diag *diag)
{
    char *path = sample_games_file(samples, sample->file);
    const struct game_reading reading = {samples, sample, path, sink, context};
    struct pgn_reader *reader = NULL;
    struct input *input = NULL;
    struct pgn_game game = {.number = 0};
    if (!path)
        return no_file(samples, sample, diag);
    enum caxton_status status = input_open(path, &input, diag);
    if (status == STATUS_OK) {
        status = input_skip(input, sample->at);
        reader = status == STATUS_OK ? pgn_create(read_little, input) : NULL;
        if (reader) {
            status = pgn_next(reader, &game, NULL);
            status = give(&reading, status, game.offset == 0, &game, input, diag);
        } else if (status == STATUS_OK)
            status = diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", path);
        else
            (void)diag_fail(status, diag, "%s: %s", path, input_fault(input));
    }
    pgn_destroy(reader);
    input_close(input);
    free(path);
    return status;
}

/* Several games --------------------------------------------------------------------------- */

struct sample_reader {
    const struct samples_file *samples; /* borrowed */
    char *path;                         /* of the file that is open; NULL: none is */
    uint16_t file;                      /* its number */
    struct input *input;
    struct pgn_reader *pgn;    /* of a packed file; NULL: games are read at their places */
    struct pgn_game game;      /* the last that was read of it */
    enum caxton_status status; /* what pgn_next() said of it */
    bool has_game;
};

struct sample_reader *sample_reader_create(const struct samples_file *samples)
{
    struct sample_reader *reader = calloc(1, sizeof *reader);
    if (reader)
        reader->samples = samples;
    return reader;
}

static void close_file(struct sample_reader *reader)
{
    pgn_destroy(reader->pgn);
    input_close(reader->input);
    free(reader->path);
    *reader = (struct sample_reader){.samples = reader->samples};
}

void sample_reader_destroy(struct sample_reader *reader)
{
    if (!reader)
        return;
    close_file(reader);
    free(reader);
}

/* Opens the file that the game is in. */
static enum caxton_status open_file(struct sample_reader *reader, const struct sample *sample,
                                    struct diag *diag)
{
    close_file(reader);
    reader->path = sample_games_file(reader->samples, sample->file);
    if (!reader->path)
        return no_file(reader->samples, sample, diag);
    reader->file = sample->file;
    enum caxton_status status = input_open(reader->path, &reader->input, diag);
    if (status == STATUS_OK && strcmp(input_packing(reader->input), "plain") != 0) {
        reader->pgn = pgn_create(input_read, reader->input);
        if (!reader->pgn)
            status = diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", reader->path);
    }
    if (status != STATUS_OK)
        close_file(reader);
    return status;
}

enum caxton_status sample_reader_read(struct sample_reader *reader, const struct sample *sample,
                                      sample_game_sink sink, void *context, struct diag *diag)
{
    if (!reader->path || reader->file != sample->file) {
        enum caxton_status status = open_file(reader, sample, diag);
        if (status != STATUS_OK)
            return status;
    }
    if (!reader->pgn)
        return sample_game_read(reader->samples, sample, sink, context, diag);
    const struct game_reading reading = {reader->samples, sample, reader->path, sink, context};
    while ((reader->status == STATUS_OK || pgn_is_game_fault(reader->status)) &&
           (!reader->has_game || reader->game.offset < sample->at)) {
        reader->status = pgn_next(reader->pgn, &reader->game, NULL);
        reader->has_game = true;
    }
    return give(&reading, reader->status, reader->game.offset == sample->at, &reader->game,
                reader->input, diag);
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
