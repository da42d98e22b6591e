#include "book/makebook/commands/build_empty.h"

/* What the games of each reason did, and the options that decide about it. */
static const char *const games_did[LEFT_REASONS] = {
    [LEFT_BAD] = "had faults (--bad-games=keep-prefix counts what comes before them)",
    [LEFT_UNFINISHED] = "had no result (--unfinished counts them)",
    [LEFT_VARIANT] = "belonged to another variant (--variant)",
    [LEFT_SET_UP] = "began elsewhere (--fen-games counts them)",
    [LEFT_RESULT] = "had other results (--result)",
    [LEFT_PLAYER] = "had other players (--player, --player-white, --player-black)",
    [LEFT_ELO] = "had players of less or unknown Elo (--min-elo)",
    [LEFT_ELO_DIFF] = "had players too far apart or of unknown Elo (--max-elo-diff)",
    [LEFT_DATE] = "had other or unknown dates (--since, --until)",
    [LEFT_TIME_CONTROL] = "had other or unknown time controls (--time-control)",
    [LEFT_UNDATED] = "had no date and so no age (--half-life)",
    [LEFT_UNRATED] = "had players of unknown Elo (--elo-unknown says what they count as)",
    [LEFT_OLD] = "counted nothing for their age or Elo (--half-life, --elo-weight)",
    [LEFT_EMPTY] = "had no moves",
    [LEFT_SHORT] = "had too few moves (--min-plies)",
    [LEFT_START] = "never came to the position asked for (--start)",
    [LEFT_ECO] = "had other openings (--eco)",
    [LEFT_DUPLICATE] = "were counted already (--keep-duplicates)",
};

static void tell_games(const struct build_report *report, struct text_buffer *out)
{
    int most = 0;
    for (int i = 1; i < LEFT_REASONS; i++)
        if (report->count.left[i] > report->count.left[most])
            most = i;
    text_append(out, "%llu of %llu games %s", (unsigned long long)report->count.left[most],
                (unsigned long long)report->count.games, games_did[most]);
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
