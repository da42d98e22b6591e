#include "book/makebook/commands/build_report.h"

#include <string.h>

#include "base/memory.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/weighing.h"

enum { NAMES_SHOWN = 5 };

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
static void put_amount(const struct report *to, const struct build_summary *summary)
{
    enum { DECIMALS = 2 };
    const struct build_report *report = summary->report;
    char games[GAMES_TEXT_MAX];
    if (report->unit == 1)
        return;
    report_say(to, "  counted as     %12s  whole games",
               ageing_games_text(report->count.amount, report->unit, DECIMALS, games));
    if (summary->as_of)
        report_say(to, ", aged to %04lld.%02lld.%02lld", (long long)summary->as_of / 10000,
                   (long long)summary->as_of / 100 % 100, (long long)summary->as_of % 100);
    report_say(to, "\n");
}

static void put_leaves(struct report *to, const struct leaves *leaves)
{
    if (!leaves->known)
        return;
    report_number(to, "leaves", "leaves", leaves->leaves, "moves that end lines from the start");
    report_nonzero(to, "positions_not_looked_at", "  not looked at", leaves->unreached,
                   leaves->one_side ? "positions that no line reaches"
                                    : "positions that the book's own moves do not reach: kept, "
                                      "others lead there");
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

static void put_left_out(struct report *to, const struct count_report *report)
{
    json_object(&to->json, "left_out");
    for (size_t i = 0; i < FILTER_ROWS_MAX; i++)
        if (filter_reason(i))
            report_nonzero(to, filter_reason(i)->reason_name, "  left out", report->left_out[i],
                           filter_reason(i)->reason);
    json_end(&to->json);
}

static void put_names(struct report *to, const struct count_report *report)
{
    const struct near_names names = other_names(report);
    json_array(&to->json, "similar_names");
    for (size_t i = 0; i < names.count; i++) {
        report_say(to, "  not asked for  %12llu  by a player of a similar name: %s\n",
                   (unsigned long long)names.list[i].games, text_safe(names.list[i].text).text);
        json_object(&to->json, NULL);
        json_text(&to->json, "name", names.list[i].text);
        json_unsigned(&to->json, "games", names.list[i].games);
        json_end(&to->json);
    }
    json_end(&to->json);
}

static void put_bad_games(struct report *to, const struct count_report *report)
{
    report_number(to, "bad_games", NULL, report->bad_games, "");
    report_number(to, "bad_games_used", NULL, report->bad_used, "");
    json_array(&to->json, "first_bad_games");
    for (uint64_t i = 0; i < report->bad_games && i < BAD_GAMES_SHOWN; i++) {
        const struct bad_game *bad = &report->bad[i];
        if (to->text) {
            report_say(to, "  ");
            build_report_bad_game(to->text, bad);
            report_say(to, "\n");
        }
        json_object(&to->json, NULL);
        json_text(&to->json, "file", bad->file);
        json_unsigned(&to->json, "line", bad->diag.line);
        json_unsigned(&to->json, "column", bad->diag.column);
        json_unsigned(&to->json, "game", bad->number);
        json_text(&to->json, "reason", bad->diag.text);
        json_end(&to->json);
    }
    json_end(&to->json);
}

void build_report_left_out(struct report *to, const struct count_report *report)
{
    report_nonzero(to, NULL, "  bad", report->bad_used, "up to their faults");
    put_left_out(to, report);
    put_names(to, report);
    put_bad_games(to, report);
}

/* Games that were read although something is odd about them. */
static void put_notes(struct report *to, const struct count_report *report)
{
    static const char *const results[] = {"*", "1-0", "0-1", "1/2-1/2"};
    int most;
    const unsigned long long short_games = openings(report, &most);
    json_object(&to->json, "notes");
    for (int i = 0; i < PGN_NOTES; i++) {
        const struct noted_games *noted = &report->notes[i];
        json_unsigned(&to->json, pgn_note_name((enum pgn_note)i), noted->games);
        if (noted->games)
            report_say(to, "  note           %12llu  %s; first: %s:%llu: game %llu\n",
                       (unsigned long long)noted->games, pgn_note_text((enum pgn_note)i),
                       text_safe(noted->file).text, (unsigned long long)noted->line,
                       (unsigned long long)noted->number);
    }
    json_unsigned(&to->json, "openings", short_games);
    json_end(&to->json);
    if (short_games)
        report_say(to,
                   "  note           %12llu  end before move 15, %llu of them %s: openings, not "
                   "games? --weight games does not count results\n",
                   short_games, (unsigned long long)report->early[most], results[most]);
}

/* The book and the statistics. JSON has the leaves, and sample games, at other places. */
static void put_outputs(struct report *to, const struct build_summary *summary)
{
    const struct build_report *report = summary->report;
    if (summary->has_book)
        weighing_report_book(to, &report->weights);
    if (!to->text && (summary->has_book || summary->has_stats))
        put_leaves(to, &summary->leaves);
    if (summary->has_book)
        weighing_report_left_out(to, &report->weights);
    if (to->text)
        put_leaves(to, &summary->leaves);
    if (!summary->has_stats)
        return;
    report_nonzero(to, NULL, "sample games", report->sampled, "positions");
    report_number(to, "statistics", "statistics", report->records, "moves");
    if (report->sampled)
        report_number(to, "sample_positions", NULL, report->sampled, "");
    if (report->records_rare)
        report_number(to, "statistics_rare", "  left out", report->records_rare,
                      "in too few games; --stats FILE keeps them");
}

/* What the second of two passes did not count. */
static void put_passes(struct report *to, const struct build_report *report)
{
    enum { MOVES_TEXT_MAX = 100 };
    char what[MOVES_TEXT_MAX];
    uint64_t skipped = report->skipped / report->unit;
    uint64_t all = report->looked_at / report->unit;
    if (!report->sketch_bytes)
        return;
    (void)snprintf(what, sizeof what, "of %llu plies: too few games, by a first pass in %.1f MB",
                   (unsigned long long)all, (double)report->sketch_bytes / 1e6);
    report_number(to, "plies_skipped", "  not counted", skipped, what);
    json_unsigned(&to->json, "first_pass_bytes", report->sketch_bytes);
}

static void put_time(struct report *to, const struct build_summary *summary)
{
    double seconds = (double)(summary->elapsed_ms > 0 ? summary->elapsed_ms : 1) / 1000;
    double mb_per_s = (double)summary->bytes / 1e6 / seconds;
    double games_per_s = (double)summary->report->count.games / seconds;
    report_say(to, "time             %12.2f  s, %.1f MB/s, %.0f games/s\n", seconds, mb_per_s,
               games_per_s);
    report_say(to, "peak memory      %12.1f  MB\n", (double)memory_peak_bytes() / 1e6);
    json_unsigned(&to->json, "bytes", summary->bytes);
    json_decimal(&to->json, "seconds", seconds, 3);
    json_decimal(&to->json, "mb_per_s", mb_per_s, 1);
    json_decimal(&to->json, "games_per_s", games_per_s, 0);
    json_unsigned(&to->json, "peak_memory_bytes", memory_peak_bytes());
}

void build_report_write(FILE *out, bool as_json, const struct build_summary *summary)
{
    const struct build_report *report = summary->report;
    struct report to = report_begin(out, as_json);
    json_object(&to.json, NULL);
    report_number(&to, "games", "games read", report->count.games, "");
    report_number(&to, "used", "games used", report->count.used, "");
    put_amount(&to, summary);
    build_report_left_out(&to, &report->count);
    put_notes(&to, &report->count);
    report_number(&to, "unit", NULL, report->unit, "");
    report_number(&to, "amount", NULL, report->count.amount, "");
    if (summary->as_of)
        json_number(&to.json, "as_of", summary->as_of);
    report_number(&to, "plies", "plies counted", report->count.plies, "");
    put_passes(&to, report);
    put_outputs(&to, summary);
    put_time(&to, summary);
    json_end(&to.json);
    if (as_json)
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
        {weights->rare + report->records_rare + report->skipped / report->unit, rare},
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
