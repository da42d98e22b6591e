#include "book/makebook/commands/show_samples.h"

#include <stdio.h>

#include "base/text.h"
#include "book/makebook/cli/command.h"

void show_samples_find(const struct command_line *line, const struct source *source, uint64_t key,
                       struct show_samples *out)
{
    struct diag diag = {.text = ""};
    out->set.count = 0;
    out->file = sample_games_open(line, source);
    if (!out->file)
        return;
    enum caxton_status status = samples_file_find(out->file, key, &out->set, &diag);
    if (status != STATUS_OK && status != STATUS_NOT_FOUND)
        (void)command_fail(line, "warning: no sample games: %s", diag.text);
}

void show_samples_close(struct show_samples *samples)
{
    samples_file_close(samples->file);
    samples->file = NULL;
}

/* A sample_game_sink. */
static void print_line(void *context, const struct pgn_game *game, const struct listed_game *listed)
{
    (void)context;
    (void)game;
    listed_game_print(listed);
}

/* A sample_game_sink. */
static void print_json(void *context, const struct pgn_game *game, const struct listed_game *listed)
{
    (void)game;
    listed_game_print_json(context, listed);
}

static size_t shown(const struct show_samples *samples, size_t wanted)
{
    return wanted < samples->set.count ? wanted : samples->set.count;
}

void show_samples_print(const struct show_samples *samples, size_t wanted)
{
    if (samples->set.count)
        (void)printf("\nsample games:\n");
    for (size_t i = 0; i < shown(samples, wanted); i++) {
        struct diag diag = {.text = ""};
        (void)printf("%3zu ", i + 1);
        if (sample_game_read(samples->file, &samples->set.games[i], print_line, NULL, &diag) ==
            STATUS_OK)
            continue;
        text_put_safe(stdout, span_of(diag.text));
        (void)putchar('\n');
    }
}

void show_samples_print_json(struct json *json, const struct show_samples *samples, size_t wanted)
{
    json_array(json, "samples");
    for (size_t i = 0; i < shown(samples, wanted); i++) {
        struct diag diag = {.text = ""};
        json_line(json);
        if (sample_game_read(samples->file, &samples->set.games[i], print_json, json, &diag) ==
            STATUS_OK)
            continue;
        json_object(json, NULL);
        json_text(json, "fault", diag.text);
        json_end(json);
    }
    json_end(json);
}

/* What is printed, and whether that went well. */
struct printing {
    const struct command_line *line;
    bool good;
};

/* A sample_game_sink. */
static void print_text(void *context, const struct pgn_game *game, const struct listed_game *listed)
{
    struct printing *printing = context;
    struct listed_game whole = *listed;
    (void)game;
    sample_game_find_end(&whole);
    printing->good = listed_game_print_text(printing->line, &whole);
}

bool show_samples_print_game(const struct command_line *line, const struct show_samples *samples,
                             int64_t number)
{
    struct diag diag = {.text = ""};
    struct printing printing = {.line = line};
    if ((uint64_t)number > samples->set.count)
        return command_refuse(line, "there are %zu sample games here", samples->set.count);
    if (sample_game_read(samples->file, &samples->set.games[number - 1], print_text, &printing,
                         &diag) != STATUS_OK)
        return command_refuse(line, "%s", diag.text);
    return printing.good;
}
