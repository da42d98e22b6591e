#include "book/makebook/commands/build_report.h"

#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/terminal.h"
#include "book/makebook/cli/ageing.h"
#include "book/makebook/cli/weighing.h"

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
    (void)fprintf(out, "%s:%zu:%zu: game %llu: %s", bad->file, bad->diag.line, bad->diag.column,
                  (unsigned long long)bad->number, bad->diag.text);
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
    (void)fprintf(out, "leaves           %12llu  moves that end lines from the start\n",
                  (unsigned long long)leaves->leaves);
    if (leaves->unreached)
        (void)fprintf(out, "  not looked at  %12llu  positions that no line reaches\n",
                      (unsigned long long)leaves->unreached);
}

void build_report_text(FILE *out, const struct build_summary *summary)
{
    const struct build_report *report = summary->report;
    double seconds = seconds_of(summary);
    (void)fprintf(out, "games read       %12llu\n", (unsigned long long)report->count.games);
    (void)fprintf(out, "games used       %12llu\n", (unsigned long long)report->count.used);
    put_amount(out, summary);
    if (report->count.bad_used)
        (void)fprintf(out, "  bad            %12llu  up to their faults\n",
                      (unsigned long long)report->count.bad_used);
    for (int i = 0; i < LEFT_REASONS; i++)
        if (report->count.left[i])
            (void)fprintf(out, "  left out       %12llu  %s\n",
                          (unsigned long long)report->count.left[i],
                          left_out_text((enum left_out)i));
    for (uint64_t i = 0; i < shown(report); i++) {
        (void)fprintf(out, "  ");
        build_report_bad_game(out, &report->count.bad[i]);
        (void)fprintf(out, "\n");
    }
    (void)fprintf(out, "plies counted    %12llu\n", (unsigned long long)report->count.plies);
    if (summary->has_book)
        weighing_report(out, &report->weights);
    put_leaves(out, &summary->leaves);
    if (summary->has_stats)
        (void)fprintf(out, "statistics       %12llu  moves\n", (unsigned long long)report->records);
    (void)fprintf(out, "time             %12.2f  s, %.1f MB/s, %.0f games/s\n", seconds,
                  (double)summary->bytes / 1e6 / seconds, (double)report->count.games / seconds);
    (void)fprintf(out, "peak memory      %12.1f  MB\n", (double)memory_peak_bytes() / 1e6);
}

/* JSON ------------------------------------------------------------------------------------- */

static void put_number(FILE *out, const char *name, uint64_t value)
{
    (void)fprintf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

static void put_leaf_numbers(FILE *out, const struct leaves *leaves)
{
    if (!leaves->known)
        return;
    put_number(out, "leaves", leaves->leaves);
    put_number(out, "positions_not_reached", leaves->unreached);
}

static void put_games(FILE *out, const struct build_report *report)
{
    (void)fprintf(out, "\"games\":%llu", (unsigned long long)report->count.games);
    put_number(out, "used", report->count.used);
    (void)fprintf(out, ",\"left_out\":{");
    for (int i = 0; i < LEFT_REASONS; i++)
        (void)fprintf(out, "%s\"%s\":%llu", i ? "," : "", left_out_name((enum left_out)i),
                      (unsigned long long)report->count.left[i]);
    (void)fprintf(out, "}");
    put_number(out, "bad_games", report->count.bad_games);
    put_number(out, "bad_games_used", report->count.bad_used);
    (void)fprintf(out, ",\"first_bad_games\":[");
    for (uint64_t i = 0; i < shown(report); i++) {
        const struct bad_game *bad = &report->count.bad[i];
        (void)fprintf(out, "%s{\"file\":", i ? "," : "");
        json_put_text(out, bad->file);
        put_number(out, "line", bad->diag.line);
        put_number(out, "column", bad->diag.column);
        put_number(out, "game", bad->number);
        (void)fprintf(out, ",\"reason\":");
        json_put_text(out, bad->diag.text);
        (void)fprintf(out, "}");
    }
    (void)fprintf(out, "]");
}

void build_report_json(FILE *out, const struct build_summary *summary)
{
    const struct build_report *report = summary->report;
    double seconds = seconds_of(summary);
    (void)fprintf(out, "{");
    put_games(out, report);
    put_number(out, "unit", report->unit);
    put_number(out, "amount", report->count.amount);
    if (summary->as_of)
        put_number(out, "as_of", (uint64_t)summary->as_of);
    put_number(out, "plies", report->count.plies);
    if (summary->has_book) {
        put_number(out, "positions", report->weights.positions);
        put_number(out, "moves", report->weights.entries);
        put_leaf_numbers(out, &summary->leaves);
        put_number(out, "moves_rare", report->weights.rare);
        put_number(out, "moves_worthless", report->weights.worthless);
        put_number(out, "moves_small", report->weights.small);
    }
    if (summary->has_stats && !summary->has_book)
        put_leaf_numbers(out, &summary->leaves);
    if (summary->has_stats)
        put_number(out, "statistics", report->records);
    put_number(out, "bytes", summary->bytes);
    (void)fprintf(out, ",\"seconds\":%.3f,\"mb_per_s\":%.1f,\"games_per_s\":%.0f", seconds,
                  (double)summary->bytes / 1e6 / seconds, (double)report->count.games / seconds);
    put_number(out, "peak_memory_bytes", memory_peak_bytes());
    (void)fprintf(out, "}\n");
}
