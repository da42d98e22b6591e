#include "book/makebook/commands/grow_against.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/temp_file.h"
#include "base/terminal.h"
#include "base/thread.h"
#include "book/book.h"
#include "book/count/filter/filter_table.h"
#include "book/count/input/input.h"
#include "book/formats/statistics/wld_format.h"
#include "book/makebook/commands/build_report.h"
#include "search/limits.h"

enum { JOBS_MAX = 256, HEAD_SIZE = 1 << 16, SHARE_MAX = 1000000 };
enum { TEMPERATURE_MAX = 10000 };

/* The options. -------------------------------------------------------------------------------- */

void grow_against_rows(struct grow_against *against, struct option_row *rows)
{
    const struct option_row all[GROW_AGAINST_ROWS] = {
        TEXTS_ROW("against", 0, "FILE", "what the opponent plays; may be given again",
                  &against->names),
        TEXT_ROW("shares", 0, "N,N,..", "how often each of them sits opposite (1,1,..)",
                 &against->shares),
        NUMBER_ROW("shallow", 0, "PLIES", "where their books end, the better moves are likelier",
                   &against->shallow, 1, SEARCH_DEPTH_MAX),
        NUMBER_ROW("temperature", 0, "CP", "for --shallow: so much worse is e times rarer",
                   &against->temperature, 1, TEMPERATURE_MAX, USUAL(50), .needs = "shallow"),
    };
    memcpy(rows, all, sizeof all);
}

/* grow has options of its own of two names: where the book starts, and who has it. */
static bool is_about_games(const char *filter)
{
    return filter && strcmp(filter, "start") != 0 && strcmp(filter, "color") != 0;
}

size_t grow_against_game_rows(struct grow_against *against, struct option_row *rows)
{
    const struct count_options usual = build_options_default().count;
    const struct option_row first[] = {
        PLAYER_FACET_ROWS(against->facets),
        NUMBER_ROW("max-ply", 0, "N", "count the first N plies of games", &against->max_ply, 1,
                   100000, USUAL((int64_t)usual.max_plies)),
        NUMBER_ROW("min-games", 0, "N", "leave out moves of fewer games", &against->min_games, 1,
                   INT32_MAX, USUAL(1)),
        NUMBER_ROW("memory", 0, "MB", "for counting games; the rest goes to disk",
                   &against->memory_mb, 1, 1 << 20, USUAL((int64_t)(usual.memory_bytes >> 20))),
    };
    struct option_row filters[FILTER_ROWS_MAX];
    size_t count = sizeof first / sizeof *first;
    size_t filter_count = filtering_rows(&against->filtering, filters);
    _Static_assert(sizeof first + sizeof filters <= GROW_GAMES_ROWS_MAX * sizeof *rows, "all fit");
    memcpy(rows, first, sizeof first);
    for (size_t i = 0; i < filter_count; i++)
        if (is_about_games(filters[i].name))
            rows[count++] = filters[i];
    return count;
}

/* Does any option ask for games? Dates may be asked of statistics, too. */
static bool wants_games(const struct command_line *line, bool statistics)
{
    for (size_t i = 0; i < filter_row_count; i++) {
        const char *name = filter_rows[i].name;
        bool is_date = name && (strcmp(name, "since") == 0 || strcmp(name, "until") == 0);
        if (is_about_games(name) && options_given(line, name) && !(is_date && statistics))
            return true;
    }
    return options_given(line, "max-ply|min-games|memory");
}

/* --shares into the sources. */
static enum exit_status read_shares(const struct command_line *line, struct grow_against *against)
{
    const char *text = against->shares;
    size_t count = 0;
    for (size_t i = 0; i < against->names.count; i++)
        against->sources[i].share = 1;
    for (; text && count < against->names.count; count++) {
        int64_t share = 0;
        size_t size = strcspn(text, ",");
        if (span_to_int(span_make(text, size), 1, SHARE_MAX, &share) != STATUS_OK)
            break;
        against->sources[count].share = (double)share;
        text = text[size] ? text + size + 1 : NULL;
    }
    if (text || (against->shares && count < against->names.count))
        return command_misuse(line,
                              "--shares %s: wanted is a number from 1 to %d for each of %zu "
                              "--against, with commas between",
                              against->shares, SHARE_MAX, against->names.count);
    return EXIT_DONE;
}

enum exit_status grow_against_read(const struct command_line *line, struct grow_against *against,
                                   struct opponent *out)
{
    struct build_options *build = &against->build;
    *build = build_options_default();
    if (against->names.count == 0 && !against->shallow)
        return command_misuse(line, "against what? --against says it");
    enum exit_status answer = read_shares(line, against);
    if (answer == EXIT_DONE)
        answer = filtering_read(line, &against->filtering, &build->count.filter);
    build->count.max_plies = (size_t)against->max_ply;
    build->count.memory_bytes = (size_t)against->memory_mb << 20;
    build->count.jobs = thread_processors(JOBS_MAX);
    build->stats_min_games = (uint64_t)against->min_games;
    *out = (struct opponent){.sources = against->sources,
                             .source_count = against->names.count,
                             .shallow_depth = (int)against->shallow,
                             .temperature = (double)against->temperature};
    return answer;
}

/* Games. -------------------------------------------------------------------------------------- */

/* Do the first bytes hold a game that was finished? What has tags and no result is a repertoire. */
static bool has_finished_game(struct span text)
{
    static const char *const results[] = {"[Result \"1-0\"]", "[Result \"0-1\"]",
                                          "[Result \"1/2-1/2\"]"};
    text = span_trim(span_skip_bom(text));
    if (text.size == 0 || text.data[0] != '[')
        return false;
    for (struct span line; span_line(&text, &line);)
        for (size_t i = 0; i < sizeof results / sizeof *results; i++)
            if (span_equal(span_trim(line), results[i]))
                return true;
    return false;
}

/* Faults are those of whoever reads the file next. */
static bool holds_games(const char *name, uint64_t memory)
{
    struct input *input;
    size_t size = 0;
    size_t got = 1;
    char *head = file_kind_of(name, NULL) == FILE_REGULAR ? malloc(HEAD_SIZE) : NULL;
    if (!head || input_open_within(name, memory, &input, NULL) != STATUS_OK) {
        free(head);
        return false;
    }
    while (got > 0 && size < HEAD_SIZE &&
           input_read(input, head + size, HEAD_SIZE - size, &got) == STATUS_OK)
        size += got;
    bool holds = has_finished_game(span_make(head, size));
    input_close(input);
    free(head);
    return holds;
}

/* Reads statistics to the end: into a book, with their results where these are wanted. */
static enum caxton_status read_counts(struct grow_against *against, struct wld_reader *reader,
                                      const char *name, struct book **out, struct diag *diag)
{
    const struct wld_book_options options = {.weights = WLD_WEIGHTS_UNITS,
                                             .facts = against->wants_results};
    if (against->wants_results && wld_reader_info(reader)->mirrored)
        return diag_fail(STATUS_FORMAT, diag,
                         "%s: mirrored statistics do not tell who scored; count without --mirror",
                         name);
    struct book *book = NULL;
    enum caxton_status status = wld_book_read(reader, name, &options, &book, diag);
    if (status != STATUS_OK)
        return status;
    against->has_results = against->has_results || book_entry_count(book) > 0;
    book_close(*out);
    *out = book;
    return status;
}

/* A book of what was counted, by way of a temporary file of statistics. */
static enum caxton_status take_counts(struct grow_against *against, struct builder *builder,
                                      const char *name, struct book **out, struct diag *diag)
{
    struct file_stream stream;
    FILE *file = NULL;
    struct wld_reader *reader = NULL;
    enum caxton_status status = temp_file_stream(temp_folder(), &stream, &file, diag);
    if (status != STATUS_OK)
        return status;
    status = builder_write(builder, NULL, file, diag);
    if (status == STATUS_OK && (file_stream_flush(&stream, file) != 0 || fseek(file, 0, SEEK_SET)))
        status = temp_file_fault(temp_folder(), "written", diag);
    if (status == STATUS_OK)
        status = wld_reader_create(wld_read_stream, file, name, &reader, diag);
    if (status == STATUS_OK)
        status = read_counts(against, reader, name, out, diag);
    wld_reader_destroy(reader);
    (void)fclose(file);
    return status;
}

/* Games on their way through a builder. */
struct counting {
    struct input *input;
    const struct builder *builder;
    struct progress progress;
};

static enum caxton_status read_some(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct counting *counting = context;
    progress_update(&counting->progress, input_bytes_read(counting->input),
                    builder_report(counting->builder)->count.games);
    return input_read(counting->input, buffer, capacity, size);
}

static enum caxton_status read_games(struct builder *builder, const char *name, uint64_t memory,
                                     bool quiet, struct diag *diag)
{
    struct counting counting = {.builder = builder};
    enum caxton_status status = input_open_within(name, memory, &counting.input, diag);
    if (status != STATUS_OK)
        return status;
    progress_start(&counting.progress, quiet, input_bytes_total(counting.input));
    status = builder_read(builder, read_some, &counting, name, diag);
    progress_end(&counting.progress);
    if (status != STATUS_OK && *input_fault(counting.input))
        diag_set(diag, 0, 0, "%s: %s", name, input_fault(counting.input));
    input_close(counting.input);
    return status;
}

/* Warns of bad games, and fails where none counts. */
static enum caxton_status check_games(const struct command_line *line, const char *name,
                                      const struct build_report *report, struct diag *diag)
{
    const struct count_report *count = &report->count;
    char reason[200];
    struct text_buffer out = text_buffer_on(reason, sizeof reason);
    if (count->bad_games > 0)
        (void)command_fail(line, "warning: %s: %zu bad game%s, the first is game %zu, line %zu: %s",
                           name, (size_t)count->bad_games, text_plural(count->bad_games),
                           (size_t)count->bad[0].number, count->bad[0].diag.line,
                           count->bad[0].diag.text);
    if (report->records > 0)
        return STATUS_OK;
    build_report_nothing(report, 0, &out);
    return diag_fail(STATUS_NOT_FOUND, diag, "%s: no move counts: %s", name, reason);
}

static enum caxton_status count_games(const struct command_line *line, struct grow_against *against,
                                      size_t index, struct diag *diag)
{
    const char *name = against->names.items[index];
    struct grow_opponent *opponent = &against->opponents[index];
    enum caxton_status status = STATUS_OK;
    struct build_options own = against->build;
    (void)file_kind_of(name, &own.count.expected_bytes);
    struct builder *builder = builder_create(&own, &status);
    if (!builder)
        return diag_fail(status, diag, "%s", status_name(status));
    status = read_games(builder, name, own.count.memory_bytes, against->quiet, diag);
    if (status == STATUS_OK)
        status = take_counts(against, builder, name, &opponent->counted, diag);
    if (status == STATUS_OK)
        status = check_games(line, name, builder_report(builder), diag);
    opponent->games = builder_report(builder)->count.used;
    opponent->games_read = builder_report(builder)->count.games;
    builder_destroy(builder);
    against->sources[index].book = opponent->counted;
    return status;
}

/* All of them. -------------------------------------------------------------------------------- */

/* Of counts in memory: an entry, a result; lists that grow are up to twice as large. */
enum { MOVE_BYTES = 50, MOVE_BYTES_WITH_RESULTS = 100 };

/* A book or statistics. */
static enum exit_status open_source(const struct command_line *line, struct grow_against *against,
                                    size_t index)
{
    struct source *source = &against->opponents[index].source;
    struct diag diag = {.text = ""};
    uint64_t move_bytes = against->wants_results ? MOVE_BYTES_WITH_RESULTS : MOVE_BYTES;
    if (!source_open(line, against->names.items[index], source))
        return EXIT_FAILED;
    if (source->book->counts && !source_fits(line, source, move_bytes, SIZE_MAX))
        return EXIT_FAILED;
    if (source->book->counts &&
        read_counts(against, source->reader, source->name, &source->book, &diag) != STATUS_OK) {
        const char *fault = source_input_fault(source);
        return fault ? command_fail(line, "%s: %s", source->name, fault)
                     : command_fail(line, "%s", diag.text);
    }
    against->sources[index].book = source->book;
    return EXIT_DONE;
}

/* Where no game is read an option about games is a mistake. */
static enum exit_status check_sources(const struct command_line *line, struct grow_against *against)
{
    bool any = false;
    bool statistics = false;
    for (size_t i = 0; i < against->names.count; i++) {
        any = any || against->opponents[i].counted;
        statistics = statistics || against->opponents[i].source.reader;
    }
    if (options_given(line, "rating|speed") && !statistics)
        return command_misuse(line, "--rating and --speed are for statistics (.wld) in --against");
    if (!any && wants_games(line, statistics))
        return command_misuse(line, "options about games are given, but --against names none");
    if (against->wants_results && !against->has_results)
        return command_misuse(line,
                              "--practical wants results: statistics (.wld) or games in --against");
    return EXIT_DONE;
}

enum exit_status grow_against_open(const struct command_line *line, struct grow_against *against)
{
    enum exit_status answer = EXIT_DONE;
    against->opponents = calloc(against->names.count + 1, sizeof *against->opponents);
    if (!against->opponents)
        return command_fail(line, "out of memory");
    for (size_t i = 0; i < against->names.count && answer == EXIT_DONE; i++) {
        struct diag diag = {.text = ""};
        if (!holds_games(against->names.items[i], against->build.count.memory_bytes))
            answer = open_source(line, against, i);
        else if (count_games(line, against, i, &diag) != STATUS_OK)
            answer = command_fail(line, "%s", diag.text);
    }
    return answer == EXIT_DONE ? check_sources(line, against) : answer;
}

void grow_against_report(FILE *out, const struct grow_against *against)
{
    for (size_t i = 0; i < against->names.count; i++) {
        const struct grow_opponent *opponent = &against->opponents[i];
        char games[THOUSANDS_MAX];
        char read[THOUSANDS_MAX];
        if (opponent->counted)
            (void)fprintf(out, "%s: %s of %s games count\n",
                          text_safe(against->names.items[i]).text,
                          terminal_thousands(opponent->games, games),
                          terminal_thousands(opponent->games_read, read));
    }
}

void grow_against_close(struct grow_against *against)
{
    for (size_t i = 0; i < against->names.count && against->opponents; i++) {
        book_close(against->opponents[i].counted);
        source_close(&against->opponents[i].source);
    }
    free(against->opponents);
    against->opponents = NULL;
}
