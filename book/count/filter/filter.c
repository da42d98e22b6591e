#include "book/count/filter/filter.h"

#include <string.h>

#include "base/bytes.h"
#include "book/count/filter/date_range.h"
#include "book/count/filter/filter_table.h"
#include "book/count/filter/player.h"

_Static_assert(FILTER_ROWS_MAX <= 32, "struct filter has a bit for each row");

struct filter filter_default(void)
{
    struct filter filter = {.colors = {true, true}, .amounts = {.elo_reference = 2500}};
    for (size_t i = 0; i < filter_row_count; i++)
        if (filter_rows[i].judge && filter_rows[i].always)
            filter.judges |= UINT32_C(1) << i;
    return filter;
}

static bool is_given(const struct filter_setting *setting)
{
    return setting->flag || setting->choice || setting->number || setting->text;
}

static size_t row_named(const char *name)
{
    size_t i = 0;
    while (i < filter_row_count && (!filter_rows[i].name || strcmp(filter_rows[i].name, name) != 0))
        i++;
    return i;
}

static void *target_of(struct filter_setting *setting, enum option_kind kind)
{
    switch (kind) {
    case OPTION_FLAG:
        return &setting->flag;
    case OPTION_CHOICE:
        return &setting->choice;
    case OPTION_NUMBER:
    case OPTION_DECIMAL:
    case OPTION_PERCENT:
        return &setting->number;
    case OPTION_TEXT:
    case OPTION_TEXTS: /* no filter has several */
        break;
    }
    return &setting->text;
}

struct option_row filter_option(const struct filter_row *row, struct filter_setting *setting)
{
    return (struct option_row){.name = row->name,
                               .kind = row->kind,
                               .argument = row->argument,
                               .help = row->help,
                               .target = target_of(setting, row->kind),
                               .min = row->min,
                               .max = row->max};
}

enum caxton_status filter_set(struct filter *filter, const char *name,
                              const struct filter_setting *setting, struct diag *diag)
{
    size_t i = row_named(name);
    if (i == filter_row_count)
        return diag_fail(STATUS_NOT_FOUND, diag, "there is no filter %s", name);
    if (!is_given(setting))
        return STATUS_OK;
    struct filter_value value = {.is_set = true, .number = setting->number + setting->choice};
    if (filter_rows[i].set) {
        enum caxton_status status =
            filter_rows[i].set(filter, &filter_rows[i], &value, setting, diag);
        if (status != STATUS_OK)
            return status;
    }
    filter->values[i] = value;
    if (filter_rows[i].judge)
        filter->judges |= UINT32_C(1) << i;
    return STATUS_OK;
}

static bool asks_for_players(const struct filter *filter)
{
    return filter->player || filter->player_as[WHITE] || filter->player_as[BLACK];
}

enum caxton_status filter_check(const struct filter *filter, struct diag *diag)
{
    static const char *const ranges[][2] = {{"min-elo", "max-elo"}, {"since", "until"}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const struct filter_value *least = &filter->values[row_named(ranges[i][0])];
        const struct filter_value *most = &filter->values[row_named(ranges[i][1])];
        if (least->is_set && most->is_set && least->number > most->number)
            return diag_fail(STATUS_RANGE, diag, "no game lies between --%s and --%s", ranges[i][0],
                             ranges[i][1]);
    }
    if (filter->values[row_named("player-result")].is_set && !asks_for_players(filter))
        return diag_fail(STATUS_RANGE, diag,
                         "--player-result needs --player, --player-white or --player-black");
    return STATUS_OK;
}

/* Reasons ---------------------------------------------------------------------------------- */

const struct filter_row *filter_reason(size_t index)
{
    return index < filter_row_count && filter_rows[index].reason_name ? &filter_rows[index] : NULL;
}

size_t filter_reason_duplicate(void)
{
    return filter_row_count - 1;
}

/* Games ------------------------------------------------------------------------------------ */

uint64_t filter_unit(const struct filter *filter)
{
    return amount_unit(&filter->amounts);
}

size_t filter_plies_needed(const struct filter *filter, size_t depth)
{
    return depth > filter->min_plies ? depth : filter->min_plies;
}

struct verdict filter_judge(const struct filter *filter, const struct pgn_game *game, bool bad,
                            size_t depth)
{
    struct verdict verdict = {.end = game->ply_count < depth ? game->ply_count : depth};
    struct filter_case now = {
        .filter = filter, .game = game, .bad = bad, .depth = depth, .verdict = &verdict};
    for (size_t i = 0; filter->judges >> i; i++) {
        if (!(filter->judges >> i & 1))
            continue;
        now.value = &filter->values[i];
        if (filter_rows[i].judge(&now))
            continue;
        for (verdict.reason = i; !filter_rows[verdict.reason].reason_name;)
            verdict.reason--;
        return verdict;
    }
    verdict.counts = true;
    if (filter->opponents)
        verdict.colors[WHITE] = verdict.colors[BLACK] = true;
    return verdict;
}

void filter_note_names(const struct filter *filter, const struct pgn_game *game,
                       const struct verdict *verdict, struct near_names *names)
{
    static const char *const tags[2] = {"White", "Black"};
    if (!asks_for_players(filter) ||
        strcmp(filter_rows[verdict->reason].reason_name, "player") != 0)
        return;
    for (int color = WHITE; color <= BLACK; color++) {
        const char *const wanted[] = {filter->player, filter->player_as[color]};
        struct span name = span_trim(pgn_tag_value(game, tags[color]));
        int distance = -1;
        for (int i = 0; i < 2 && filter->colors[color]; i++) {
            int now = wanted[i] ? player_distance(name, wanted[i]) : -1;
            if (now >= 0 && (distance < 0 || now < distance))
                distance = now;
        }
        if (distance >= 0)
            near_names_add(names, name, distance, 1);
    }
}

static bool is_blunder(const struct pgn_game *game, size_t ply)
{
    enum { NAG_MISTAKE = 2, NAG_BLUNDER = 4 };
    return game->marks[ply] == NAG_MISTAKE || game->marks[ply] == NAG_BLUNDER;
}

bool filter_takes_ply(const struct filter *filter, const struct pgn_game *game,
                      const struct verdict *verdict, size_t ply)
{
    return verdict->colors[game->start.turn ^ (int)(ply & 1)] &&
           !(filter->no_blunders && is_blunder(game, ply));
}

/* Filters as text -------------------------------------------------------------------------- */

/* The choice number `index` of "a|b|c". */
static struct span choice_name(const char *choices, int64_t index)
{
    for (; index > 0; index--)
        choices += strcspn(choices, "|") + 1;
    return span_make(choices, strcspn(choices, "|"));
}

static void describe(const struct filter_row *row, const struct filter_value *value,
                     struct text_buffer *out)
{
    if (row->describe) {
        row->describe(row, value, out);
    } else if (row->line) {
        text_append(out, "%s\n", row->line);
    } else if (row->kind == OPTION_CHOICE) {
        struct span choice = choice_name(row->argument, value->number);
        text_append(out, "%s %.*s\n", row->name, (int)choice.size, choice.data);
    } else {
        text_append(out, "%s %lld\n", row->name, (long long)value->number);
    }
}

void filter_describe(const struct filter *filter, struct text_buffer *out)
{
    for (size_t i = 0; i < filter_row_count; i++)
        if (filter->values[i].is_set)
            describe(&filter_rows[i], &filter->values[i], out);
    amount_describe(&filter->amounts, out);
}

/* Fingerprints ----------------------------------------------------------------------------- */

/* The length goes first, so that texts cannot run into each other. */
static void add_text(struct fingerprint *print, struct span text)
{
    fingerprint_add(print, text.size);
    const uint8_t *at = (const uint8_t *)text.data;
    for (; text.size >= 8; text.size -= 8, at += 8)
        fingerprint_add(print, bytes_get_u64le(at));
    if (text.size)
        fingerprint_add(print, bytes_get_le(at, (int)text.size));
}

struct fingerprint filter_fingerprint(const struct filter *filter, const struct pgn_game *game,
                                      const struct verdict *verdict, const struct diag *fault,
                                      uint64_t facets)
{
    struct fingerprint print = {0, 0};
    add_text(&print, span_trim(pgn_tag_value(game, "White")));
    add_text(&print, span_trim(pgn_tag_value(game, "Black")));
    add_text(&print, date_of_game(game));
    add_text(&print, span_of(fault ? fault->text : game->beyond_fault));
    fingerprint_add(&print, (uint64_t)game->result);
    fingerprint_add(&print, verdict->amount);
    if (facets)
        fingerprint_add(&print, facets);
    fingerprint_add(&print, game->start.key);
    fingerprint_add(&print, game->plies_read);
    for (size_t ply = 0; ply < game->plies_read;) {
        uint64_t word = 0;
        size_t end = ply + 4 < game->plies_read ? ply + 4 : game->plies_read;
        while (ply < end)
            word = word << 16 | game->moves[ply++];
        fingerprint_add(&print, word);
    }
    for (size_t ply = verdict->first; filter->no_blunders && ply < verdict->end; ply++)
        if (is_blunder(game, ply))
            fingerprint_add(&print, ply);
    return fingerprint_finish(print);
}
