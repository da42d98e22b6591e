#include "book/makebook/cli/filtering.h"

#include <stdio.h>

#include "book/makebook/cli/command.h"

typedef enum caxton_status (*read_text)(struct filter *filter, const char *text, struct diag *diag);

static enum caxton_status read_elo_diff(struct filter *filter, const char *text, struct diag *diag)
{
    if (span_to_int(span_of(text), 0, 9999, &filter->max_elo_diff) == STATUS_OK)
        return STATUS_OK;
    diag_set(diag, 0, 0, "\"%.40s\" is no number from 0 to 9999", text);
    return STATUS_SYNTAX;
}

int filtering_read(const struct command_line *line, const struct filtering *filtering,
                   struct filter *out)
{
    enum { COLOR_BOTH, COLOR_WHITE, COLOR_BLACK };
    const struct {
        const char *name;
        const char *text;
        read_text read;
    } texts[] = {
        {"since", filtering->since, filter_read_since},
        {"until", filtering->until, filter_read_until},
        {"time-control", filtering->times, filter_read_times},
        {"result", filtering->results, filter_read_results},
        {"eco", filtering->eco, filter_read_eco},
        {"start", filtering->start, filter_read_start},
        {"max-elo-diff", filtering->max_elo_diff, read_elo_diff},
    };
    struct filter filter = filter_default();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct diag diag = {.text = ""};
        if (!texts[i].text || texts[i].read(&filter, texts[i].text, &diag) == STATUS_OK)
            continue;
        char message[256];
        (void)snprintf(message, sizeof message, "--%s: %s", texts[i].name, diag.text);
        return command_misuse(line, message);
    }
    filter.colors[WHITE] = filtering->color != COLOR_BLACK;
    filter.colors[BLACK] = filtering->color != COLOR_WHITE;
    filter.player = filtering->player;
    filter.player_as[WHITE] = filtering->player_white;
    filter.player_as[BLACK] = filtering->player_black;
    filter.unfinished = filtering->unfinished;
    filter.fen_games = filtering->fen_games;
    filter.chess960 = filtering->variant != 0;
    filter.no_blunders = filtering->no_blunders;
    filter.bad_games = (enum bad_games)filtering->bad_games;
    filter.min_elo = filtering->min_elo;
    filter.min_plies = (size_t)filtering->min_plies;
    *out = filter;
    return EXIT_DONE;
}
