#include "book/makebook/commands/build_report.h"

#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "book/makebook/cli/ageing.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/weighing.h"

enum { NAMES_SHOWN = 5 };

static double seconds_of(const struct build_summary *summary)
{
    return (double)(summary->elapsed_ms > 0 ? summary->elapsed_ms : 1) / 1000;
}

static uint64_t shown(const struct build_report *report)
{
    return report->count.bad_games < BAD_GAMES_SHOWN ? report->count.bad_games : BAD_GAMES_SHOWN;
}

void build_report_bad_game(FILE *out, const struct bad_game *bad)
{
    text_put_safe(out, span_of(bad->file));
    (void)fprintf(out, ":%zu:%zu: game %llu: %s", bad->diag.line, bad->diag.column,
                  (unsigned long long)bad->number, bad->diag.text);
}

void build_warn_no_games(const struct command_line *line, const char *name,
                         const struct file_begin *begin)
{
    const char *type = file_type_name(begin->bytes, begin->size);
    (void)command_fail(line, "warning: %s: no games found%s%s", name, type ? ": it is " : "",
                       type ? type : "");
}

/* What the games counted, where that is not one each. */
static void put_amount(FILE *out, const struct build_summary *summary)
{
    enum { DECIMALS = 2 };
    const struct build_report *report = summary->report;
    char games[GAMES_TEXT_MAX];
    if (report->unit == 1)
        return;
    (void)fprintf(out, "  counted as     %12s  whole games",
                  ageing_games_text(report->count.amount, report->unit, DECIMALS, games));
    if (summary->as_of)
        (void)fprintf(out, ", aged to %04lld.%02lld.%02lld", (long long)summary->as_of / 10000,
                      (long long)summary->as_of / 100 % 100, (long long)summary->as_of % 100);
    (void)fprintf(out, "\n");
}

static void put_leaves(FILE *out, const struct leaves *leaves)
{
    if (!leaves->known)
        return;
    report_count(out, "leaves", leaves->leaves, "moves that end lines from the start");
    report_part(out, "  not looked at", leaves->unreached,
                leaves->one_side
                    ? "positions that no line reaches"
                    : "positions that the book's own moves do not reach: kept, others lead there");
}

/* Games that were read although something is odd about them. */
static void put_notes(FILE *out, const struct count_report *report)
{
    for (int i = 0; i < PGN_NOTES; i++) {
        const struct noted_games *noted = &report->notes[i];
        if (!noted->games)
            continue;
        (void)fprintf(out, "  note           %12llu  %s; first: ", (unsigned long long)noted->games,
                      pgn_note_text((enum pgn_note)i));
        text_put_safe(out, span_of(noted->file));
        (void)fprintf(out, ":%llu: game %llu\n", (unsigned long long)noted->line,
                      (unsigned long long)noted->number);
    }
}

/* How many games end early, when they are half of all and nearly all have the result *most: they
 * are openings, and their results tell nothing. Else 0. */
static uint64_t openings(const struct count_report *report, int *most)
{
    enum { MANY = 100, RARE = 20 /* one of so many may have another result */ };
    uint64_t early = 0;
    *most = PGN_UNKNOWN;
    for (int i = PGN_UNKNOWN; i <= PGN_DRAW; early += report->early[i++])
        if (report->early[i] > report->early[*most])
            *most = i;
    bool alike = *most != PGN_UNKNOWN && report->early[*most] >= early - early / RARE;
    return alike && early >= MANY && 2 * early >= report->used ? early : 0;
}

static void put_openings(FILE *out, const struct count_report *report)
{
    static const char *const results[] = {"*", "1-0", "0-1", "1/2-1/2"};
    int most;
    unsigned long long count = openings(report, &most);
    if (count)
        (void)fprintf(out,
                      "  note           %12llu  end before move 15, %llu of them %s: openings, not "
                      "games? --weight games does not count results\n",
                      count, (unsigned long long)report->early[most], results[most]);
}

/* Names that may be the player's, too, when they have more games than were used. */
static struct near_names other_names(const struct count_report *report)
{
    struct near_names names = report->near_players;
    uint64_t games = 0;
    near_names_sort(&names);
    if (names.count > NAMES_SHOWN)
        names.count = NAMES_SHOWN;
    for (size_t i = 0; i < names.count; i++)
        games += names.list[i].games;
    if (games <= report->used)
        names.count = 0;
    return names;
}

static void put_names(FILE *out, const struct count_report *report)
{
    const struct near_names names = other_names(report);
    for (size_t i = 0; i < names.count; i++) {
        (void)fprintf(out, "  not asked for  %12llu  by a player of a similar name: ",
                      (unsigned long long)names.list[i].games);
        text_put_safe(out, span_of(names.list[i].text));
        (void)fprintf(out, "\n");
    }
}

void build_report_text(FILE *out, const struct build_summary *summary)
{
    const struct build_report *report = summary->report;
    double seconds = seconds_of(summary);
    report_count(out, "games read", report->count.games, "");
    report_count(out, "games used", report->count.used, "");
    put_amount(out, summary);
    report_part(out, "  bad", report->count.bad_used, "up to their faults");
    for (size_t i = 0; i < FILTER_ROWS_MAX; i++)
        if (report->count.left_out[i])
            report_count(out, "  left out", report->count.left_out[i], filter_reason(i)->reason);
    put_names(out, &report->count);
    for (uint64_t i = 0; i < shown(report); i++) {
        (void)fprintf(out, "  ");
        build_report_bad_game(out, &report->count.bad[i]);
        (void)fprintf(out, "\n");
    }
    put_notes(out, &report->count);
    put_openings(out, &report->count);
    report_count(out, "plies counted", report->count.plies, "");
    if (summary->has_book)
        weighing_report(out, &report->weights);
    put_leaves(out, &summary->leaves);
    if (summary->has_stats && report->sampled)
        report_count(out, "sample games", report->sampled, "positions");
    if (summary->has_stats) {
        report_count(out, "statistics", report->records, "moves");
        report_part(out, "  left out", report->records_rare,
                    "in too few games; --stats FILE keeps them");
    }
    (void)fprintf(out, "time             %12.2f  s, %.1f MB/s, %.0f games/s\n", seconds,
                  (double)summary->bytes / 1e6 / seconds, (double)report->count.games / seconds);
    (void)fprintf(out, "peak memory      %12.1f  MB\n", (double)memory_peak_bytes() / 1e6);
}

/* JSON ------------------------------------------------------------------------------------- */

static void put_leaf_numbers(struct json *json, const struct leaves *leaves)
{
    if (!leaves->known)
        return;
    json_unsigned(json, "leaves", leaves->leaves);
    json_unsigned(json, "positions_not_looked_at", leaves->unreached);
}

static void put_bad_games(struct json *json, const struct build_report *report)
{
    json_unsigned(json, "bad_games", report->count.bad_games);
    json_unsigned(json, "bad_games_used", report->count.bad_used);
    json_array(json, "first_bad_games");
    for (uint64_t i = 0; i < shown(report); i++) {
        const struct bad_game *bad = &report->count.bad[i];
        json_object(json, NULL);
        json_text(json, "file", bad->file);
        json_unsigned(json, "line", bad->diag.line);
        json_unsigned(json, "column", bad->diag.column);
        json_unsigned(json, "game", bad->number);
        json_text(json, "reason", bad->diag.text);
        json_end(json);
    }
    json_end(json);
}

static void put_name_numbers(struct json *json, const struct count_report *report)
{
    const struct near_names names = other_names(report);
    json_array(json, "similar_names");
    for (size_t i = 0; i < names.count; i++) {
        json_object(json, NULL);
        json_text(json, "name", names.list[i].text);
        json_unsigned(json, "games", names.list[i].games);
        json_end(json);
    }
    json_end(json);
}

static void put_note_numbers(struct json *json, const struct count_report *report)
{
    json_object(json, "notes");
    for (int i = 0; i < PGN_NOTES; i++)
        json_unsigned(json, pgn_note_name((enum pgn_note)i), report->notes[i].games);
    int most;
    json_unsigned(json, "openings", openings(report, &most));
    json_end(json);
}

static void put_games(struct json *json, const struct build_report *report)
{
    json_unsigned(json, "games", report->count.games);
    json_unsigned(json, "used", report->count.used);
    json_object(json, "left_out");
    for (size_t i = 0; i < FILTER_ROWS_MAX; i++)
        if (filter_reason(i))
            json_unsigned(json, filter_reason(i)->reason_name, report->count.left_out[i]);
    json_end(json);
    put_name_numbers(json, &report->count);
    put_bad_games(json, report);
    put_note_numbers(json, &report->count);
}

static void put_outputs(struct json *json, const struct build_summary *summary)
{
    const struct build_report *report = summary->report;
    if (summary->has_book) {
        json_unsigned(json, "positions", report->weights.positions);
        json_unsigned(json, "moves", report->weights.entries);
        put_leaf_numbers(json, &summary->leaves);
        json_unsigned(json, "moves_rare", report->weights.rare);
        json_unsigned(json, "moves_worthless", report->weights.worthless);
        json_unsigned(json, "moves_small", report->weights.small);
    }
    if (summary->has_stats && !summary->has_book)
        put_leaf_numbers(json, &summary->leaves);
    if (summary->has_stats)
        json_unsigned(json, "statistics", report->records);
    if (summary->has_stats && report->sampled)
        json_unsigned(json, "sample_positions", report->sampled);
    if (summary->has_stats && report->records_rare)
        json_unsigned(json, "statistics_rare", report->records_rare);
}

void build_report_json(FILE *out, const struct build_summary *summary)
{
    const struct build_report *report = summary->report;
    double seconds = seconds_of(summary);
    struct json json = json_start(out);
    json_object(&json, NULL);
    put_games(&json, report);
    json_unsigned(&json, "unit", report->unit);
    json_unsigned(&json, "amount", report->count.amount);
    if (summary->as_of)
        json_number(&json, "as_of", summary->as_of);
    json_unsigned(&json, "plies", report->count.plies);
    put_outputs(&json, summary);
    json_unsigned(&json, "bytes", summary->bytes);
    json_decimal(&json, "seconds", seconds, 3);
    json_decimal(&json, "mb_per_s", (double)summary->bytes / 1e6 / seconds, 1);
    json_decimal(&json, "games_per_s", (double)report->count.games / seconds, 0);
    json_unsigned(&json, "peak_memory_bytes", memory_peak_bytes());
    json_end(&json);
    (void)fprintf(out, "\n");
}

/* Nothing to report ------------------------------------------------------------------------- */

static void tell_games(const struct build_report *report, struct text_buffer *out)
{
    const uint64_t *left_out = report->count.left_out;
    size_t most = 0;
    for (size_t i = 1; i < FILTER_ROWS_MAX; i++)
        if (left_out[i] > left_out[most])
            most = i;
    text_append(out, "%llu of %llu games %s", (unsigned long long)left_out[most],
                (unsigned long long)report->count.games, filter_reason(most)->hint);
}

/* Every move that was counted has one of these reasons. */
static void tell_moves(const struct build_report *report, uint64_t min_games,
                       struct text_buffer *out)
{
    const struct weigh_report *weights = &report->weights;
    char rare[80];
    (void)snprintf(rare, sizeof rare, "occur in fewer than %llu games (--min-games)",
                   (unsigned long long)min_games);
    const struct {
        uint64_t count;
        const char *do_what;
    } reasons[] = {
        {weights->rare + report->records_rare, rare},
        {weights->worthless, "scored nothing or too little (--min-score, --weight)"},
        {weights->small, "have too small a share (--min-share)"},
        {weights->overridden, "are left out by hand (--override)"},
    };
    enum { REASONS = sizeof reasons / sizeof *reasons };
    uint64_t all = 0;
    int most = 0;
    for (int i = 0; i < REASONS; i++) {
        all += reasons[i].count;
        if (reasons[i].count > reasons[most].count)
            most = i;
    }
    uint64_t count = reasons[most].count;
    if (count == all)
        text_append(out, "all %llu moves %s", (unsigned long long)all, reasons[most].do_what);
    else
        text_append(out, "%llu of %llu moves %s", (unsigned long long)count,
                    (unsigned long long)all, reasons[most].do_what);
}

void build_report_nothing(const struct build_report *report, uint64_t min_games,
                          struct text_buffer *out)
{
    if (report->count.games == 0)
        text_append(out, "there are no games");
    else if (report->count.used == 0)
        tell_games(report, out);
    else if (report->count.plies == 0)
        text_append(out, "no move of the games is one to count (--color, --player, "
                         "--exclude-annotated-blunders)");
    else
        tell_moves(report, min_games, out);
}
