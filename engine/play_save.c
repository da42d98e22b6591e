#include <errno.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/program.h"
#include "chess/pgn_write.h"
#include "engine/play_internal.h"

static void append_seconds(struct text_buffer *text, int64_t ms)
{
    text_append(text, "%lld.%02llds", (long long)(ms / 1000), (long long)(ms % 1000 / 10));
}

static const char *comment_on(void *context, size_t ply)
{
    struct play *play = context;
    const struct match_record *record = &play->match.records[ply];
    struct text_buffer text = text_buffer_on(play->comment, sizeof play->comment);
    if (record->from_book) {
        text_append(&text, "book");
        return play->comment;
    }
    if (!record->by_person) {
        report_pawns(&text, record->score);
        text_append(&text, "/%d ", record->depth);
    }
    append_seconds(&text, record->spent_ms);
    return play->comment;
}

static struct pgn_tag tag(const char *name, const char *value)
{
    return (struct pgn_tag){span_of(name), span_of(value)};
}

/* Who made the moves of a side; both did after `switch` or `watch`. */
static void name_player(const struct play *play, int color, char out[64])
{
    struct text_buffer text = text_buffer_on(out, 64);
    int first = play->start.turn == color ? 0 : 1;
    int plies[2] = {0}; /* of the engine, of a person */
    for (size_t ply = (size_t)first; ply < game_plies(play->match.game); ply += 2)
        plies[play->match.records[ply].by_person]++;
    if (plies[true] == 0 && plies[false] == 0)
        plies[color == play->person] = 1;
    if (plies[true] > 0)
        text_append(&text, plies[false] > 0 ? "Human and " : "Human");
    if (plies[false] == 0)
        return;
    if (play->options.limit_strength)
        text_append(&text, "Caxton %s at %d Elo", program_version, play->options.elo);
    else
        text_append(&text, "Caxton %s", program_version);
}

/* The field as the PGN standard has it: "1/1" is a move in one second, "-" no limit. */
static void describe_clock(const struct play *play, char out[64])
{
    const struct time_control *control = &play->control;
    struct text_buffer text = text_buffer_on(out, 64);
    if (control->base_ms)
        text_append(&text, "%.9g+%.9g", (double)control->base_ms / 1000,
                    (double)control->increment_ms / 1000);
    else if (play->person == PLAY_NOBODY)
        text_append(&text, "1/%.9g", (double)control->movetime_ms / 1000);
    else
        text_append(&text, "-");
}

static enum caxton_status write_game(struct play *play, const struct match_outcome *outcome,
                                     FILE *out)
{
    const struct match *match = &play->match;
    const struct eco *opening = match_opening(match);
    const char *started = play->started;
    char date[40];
    char control[64];
    char plies[32];
    char names[2][64];
    (void)snprintf(date, sizeof date, "%.4s.%.2s.%.2s", started, started + 4, started + 6);
    (void)snprintf(plies, sizeof plies, "%zu", game_plies(match->game));
    describe_clock(play, control);
    name_player(play, WHITE, names[WHITE]);
    name_player(play, BLACK, names[BLACK]);
    struct pgn_tag tags[] = {
        tag("Event", play->input ? "A game against Caxton" : "Caxton plays itself"),
        tag("Date", date),
        tag("White", names[WHITE]),
        tag("Black", names[BLACK]),
        tag("TimeControl", control),
        tag("PlyCount", plies),
        tag("Termination", outcome->termination),
        tag("ECO", opening ? opening->code : ""),
        tag("Opening", opening ? opening->name : ""),
    };
    size_t count = sizeof tags / sizeof *tags - (opening ? 0 : 2);
    return pgn_write(out, match->game, tags, count, outcome->result, comment_on, play);
}

/* The games that --pgn's file has already come first, with an empty line after them. */
static enum caxton_status copy_old_games(const char *path, FILE *out, struct diag *diag)
{
    FILE *old = file_open(path);
    char buffer[4096];
    char end[2] = "\n";
    size_t size;
    if (!old)
        return diag_fail(STATUS_IO, diag, "%s: %s", path, strerror(errno));
    while ((size = fread(buffer, 1, sizeof buffer, old)) > 0) {
        (void)fwrite(buffer, 1, size, out); /* commit reports its errors */
        end[0] = size > 1 ? buffer[size - 2] : end[1];
        end[1] = buffer[size - 1];
    }
    enum caxton_status status =
        ferror(old) ? diag_fail(STATUS_IO, diag, "%s: cannot be read", path) : STATUS_OK;
    (void)fclose(old);
    if (end[1] && end[1] != '\n')
        (void)fputs("\n\n", out);
    else if (end[1] && end[0] != '\n')
        (void)fputc('\n', out);
    return status;
}

static enum caxton_status save(struct play *play, const struct match_outcome *outcome,
                               struct diag *diag)
{
    struct atomic_file *file = NULL;
    uint64_t old_size;
    bool appends = file_kind_of(play->path, &old_size) == FILE_REGULAR && old_size > 0;
    enum caxton_status status = atomic_file_create(play->path, &file, diag);
    if (status == STATUS_OK && appends)
        status = copy_old_games(play->path, atomic_file_stream(file), diag);
    if (status == STATUS_OK)
        status = write_game(play, outcome, atomic_file_stream(file));
    if (status == STATUS_OK)
        return atomic_file_commit(file, diag);
    atomic_file_abort(file);
    return status;
}

/* Another game may have begun in the same second. */
static void take_free_name(struct play *play)
{
    for (int number = 2; file_kind_of(play->path, NULL) != FILE_ABSENT; number++) {
        struct text_buffer text = text_buffer_on(play->path, PLAY_PATH_MAX);
        text_append(&text, PLAY_PATH_FORM "-%d.pgn", play->started, number);
    }
}

/* An atomic_file_waits. */
static void say_waiting(void *context)
{
    const struct play *play = context;
    (void)fprintf(stderr, "%s: another program writes in this folder: waiting for it\n",
                  text_safe(play->path).text);
}

enum caxton_status play_save(struct play *play, const struct match_outcome *outcome,
                             struct diag *diag)
{
    /* Other games may end at the same time, and be saved in the same file or folder. */
    int lock = atomic_file_lock(play->path, say_waiting, play);
    diag_set(diag, 0, 0, "out of memory");
    if (!play->arguments.pgn)
        take_free_name(play);
    enum caxton_status status = save(play, outcome, diag);
    atomic_file_unlock(lock);
    return status;
}
