#include "book/makebook/commands/stats_counts.h"

#include <stdio.h>

#include "base/json.h"
#include "base/terminal.h"
#include "book/makebook/cli/command.h"

/* What --min-games of these numbers keeps. */
static const uint64_t least[] = {1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000};
enum { ROWS = sizeof least / sizeof *least };

struct counts {
    uint64_t unit; /* of what is counted makes one game */
    uint64_t positions;
    uint64_t moves;
    uint64_t row_positions[ROWS];
    uint64_t row_moves[ROWS];
    uint64_t key;  /* of the position at hand */
    uint64_t most; /* games of one of its moves, in units */
};

/* The position at hand has no more moves. */
static void end_position(struct counts *counts)
{
    for (int i = 0; i < ROWS; i++)
        counts->row_positions[i] += counts->most >= least[i] * counts->unit;
    counts->most = 0;
}

static void take(struct counts *counts, const struct tally *tally)
{
    uint64_t games = tally_games(tally);
    if (counts->moves == 0 || tally->key != counts->key) {
        end_position(counts);
        counts->positions++;
        counts->key = tally->key;
    }
    counts->moves++;
    for (int i = 0; i < ROWS; i++)
        counts->row_moves[i] += games >= least[i] * counts->unit;
    if (games > counts->most)
        counts->most = games;
}

static void print_text(const struct counts *counts, const struct source *source)
{
    char text[THOUSANDS_MAX];
    bool mirrored = wld_reader_info(source->stats)->mirrored;
    (void)printf("%s: statistics%s\n\n", text_safe(source->name).text,
                 mirrored ? ", mirrored" : "");
    (void)printf("%-18s %12s\n", "positions", terminal_thousands(counts->positions, text));
    (void)printf("%-18s %12s\n", "moves", terminal_thousands(counts->moves, text));
    (void)printf("\n%-18s %12s %12s\n", "moves of games", "positions", "moves");
    for (int i = 0; i < ROWS; i++) {
        (void)printf("at least %9s", terminal_thousands(least[i], text));
        (void)printf(" %12s", terminal_thousands(counts->row_positions[i], text));
        (void)printf(" %12s\n", terminal_thousands(counts->row_moves[i], text));
    }
}

static void print_json(const struct counts *counts, const struct source *source)
{
    struct json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "book", source->name);
    json_unsigned(&json, "positions", counts->positions);
    json_unsigned(&json, "moves", counts->moves);
    json_array(&json, "counts");
    for (int i = 0; i < ROWS; i++) {
        json_object(&json, NULL);
        json_unsigned(&json, "min_games", least[i]);
        json_unsigned(&json, "positions", counts->row_positions[i]);
        json_unsigned(&json, "moves", counts->row_moves[i]);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
    (void)putchar('\n');
}

int stats_counts(const struct command_line *line, struct source *source, bool json)
{
    struct counts counts = {.unit = wld_reader_info(source->stats)->unit};
    struct diag diag = {.text = ""};
    struct tally tally;
    enum caxton_status status;
    while ((status = wld_reader_next(source->stats, &tally, &diag)) == STATUS_OK)
        take(&counts, &tally);
    if (status != STATUS_END) {
        const char *fault = source_input_fault(source);
        return fault ? command_fail(line, "%s: %s", source->name, fault)
                     : command_fail(line, "%s", diag.text);
    }
    end_position(&counts);
    (json ? print_json : print_text)(&counts, source);
    return EXIT_DONE;
}
