#include "book/makebook/commands/build_empty.h"

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

void build_empty_reason(const struct build_report *report, uint64_t min_games,
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
