#include "book/makebook/cli/weighing.h"

#include "base/text.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/source.h"

const char *weighing_about(struct weighing *weighing, const char *before)
{
    size_t count;
    const struct weight_kind *kinds = weight_kinds(&count);
    struct text_buffer out = text_buffer_on(weighing->about, sizeof weighing->about);
    text_append(&out, "%s", before);
    text_append(&out, "Of a move with w wins, d draws and l losses of the side that makes it, the "
                      "--weight is\n");
    for (size_t i = 0; i < count; i++)
        text_append(&out, "%s", kinds[i].help);
    text_append(&out, "A position whose largest score or number of games does not fit 16 bits is "
                      "scaled down in\n"
                      "proportion; the other weights are always scaled so that a position's "
                      "largest is 65535. A\n"
                      "weight of 0 is left out. Percents may have decimals and a %%. A file for "
                      "--override has\n"
                      "lines such as \"1. e4 e5 2. f4 : always\", \"f3 : never\", \"d4 d5 c4 : "
                      "500\"; it wins over\n"
                      "all else.");
    return weighing->about;
}

const char *weighing_kinds(struct weighing *weighing)
{
    size_t count;
    const struct weight_kind *kinds = weight_kinds(&count);
    struct text_buffer out = text_buffer_on(weighing->kinds, sizeof weighing->kinds);
    for (size_t i = 0; i < count; i++)
        text_append(&out, "%s%s", i ? "|" : "", kinds[i].name);
    return weighing->kinds;
}

static void name_fault(void *context, const struct diag *diag)
{
    (void)fprintf(stderr, "%s:%zu:", text_safe(context).text, diag->line);
    if (diag->column)
        (void)fprintf(stderr, "%zu:", diag->column);
    (void)fprintf(stderr, " %s\n", text_safe(diag->text).text);
}

enum exit_status weighing_read_overrides(const struct command_line *line, const char *path,
                                         bool mirrored, struct overrides *out)
{
    struct source source;
    if (!source_read_bytes(line, path, "these are statistics, no overrides", &source))
        return EXIT_FAILED;
    char name[256];
    (void)snprintf(name, sizeof name, "%s", source.name);
    enum caxton_status status = overrides_parse(span_make((const char *)source.bytes, source.size),
                                                mirrored, name_fault, name, out);
    source_close(&source);
    if (status == STATUS_SYNTAX)
        return command_fail(line, "%s has faulty lines; nothing was written", name);
    return status == STATUS_OK ? EXIT_DONE : command_fail(line, "%s", status_name(status));
}

enum exit_status weighing_read(const struct command_line *line, struct weighing *weighing,
                               struct weigh_options *out)
{
    size_t count;
    struct weigh_options options = {.kind = weight_kinds(&count) + weighing->kind,
                                    .uniform = weighing->uniform,
                                    .min_games = (uint64_t)weighing->min_games,
                                    .min_share_ppm = (uint32_t)weighing->min_share_ppm};
    if (!weigh_read_score(weighing->min_score, &options.min_score))
        return command_misuse(line, WEIGHING_SCORE_WANTED);
    if (weighing->override_path) {
        enum exit_status status = weighing_read_overrides(line, weighing->override_path,
                                                          weighing->mirrored, &weighing->overrides);
        if (status != EXIT_DONE)
            return status;
        options.overrides = &weighing->overrides;
    }
    *out = options;
    return EXIT_DONE;
}

void weighing_free(struct weighing *weighing)
{
    overrides_free(&weighing->overrides);
}

void weighing_warn(const struct command_line *line, const struct weigh_options *options,
                   const struct weigh_report *report)
{
    struct position start;
    position_start(&start);
    for (size_t i = 0; i < report->fallen_count && i < WEIGH_FALLEN_MAX; i++) {
        const struct weigh_fallen *fallen = &report->fallen[i];
        unsigned percent = (unsigned)(fallen->games * 100 / fallen->all_games);
        (void)fprintf(stderr, "makebook %s: warning: ", line->command);
        moves_print(stderr, &start, fallen->line, fallen->plies);
        (void)fprintf(stderr,
                      ", the most played move there (%u %% of the games), is left out: ", percent);
        if (fallen->by_share)
            (void)fprintf(stderr, "its weight is too small a share\n");
        else
            (void)fprintf(stderr, "it scored %.1f %%, all moves %.1f %%\n",
                          100 * (double)fallen->points / 2 / (double)fallen->games,
                          100 * (double)fallen->all_points / 2 / (double)fallen->all_games);
    }
    if (report->fallen_count > WEIGH_FALLEN_MAX)
        (void)command_fail(line, "warning: and so are %zu more near the start",
                           report->fallen_count - WEIGH_FALLEN_MAX);
    if (report->fallen_count > 0 && options->min_score.ppm > 0 && !options->min_score.relative)
        (void)command_fail(line, "warning: a --min-score with a sign, such as -5, is relative to "
                                 "what all moves scored");
}

void weighing_report_book(struct report *out, const struct weigh_report *report)
{
    report_number(out, "positions", "positions", report->positions, "");
    report_number(out, "moves", "moves", report->entries, "");
}

void weighing_report_left_out(struct report *out, const struct weigh_report *report)
{
    report_nonzero(out, "moves_rare", "  left out", report->rare, "in too few games");
    report_nonzero(out, "moves_worthless", "  left out", report->worthless,
                   "that scored nothing or too little");
    report_nonzero(out, "moves_small", "  left out", report->small, "with too small a share");
    report_nonzero(out, NULL, "  overridden", report->overridden, "");
}

void weighing_report(FILE *out, const struct weigh_report *report)
{
    struct report text = report_begin(out, false);
    weighing_report_book(&text, report);
    weighing_report_left_out(&text, report);
}
