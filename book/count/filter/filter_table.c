/* Every filter: its option, how it judges, what is said of the games that it leaves out. A new
 * filter is a row of the table at the end, with its functions above; nothing else changes. */
#include "book/count/filter/filter_table.h"

#include <string.h>

#include "book/count/filter/date_range.h"
#include "book/count/filter/player.h"
#include "book/statistics/facets.h"
#include "chess/eco.h"
#include "chess/position_text.h"

/* Reads names into bits: 1 << 1 for names[1] and so on. Errors: STATUS_SYNTAX, *bits untouched. */
static enum caxton_status name_list_read(struct span list, const struct name_set *set,
                                         unsigned *bits, struct diag *diag)
{
    enum { SHOWN_MAX = 40 };
    unsigned found = 0;
    for (struct span part; span_item(&list, &part);) {
        part = span_trim(part);
        int index = 1;
        while (index < set->count && !span_equal(part, set->names[index]))
            index++;
        if (index == set->count)
            return diag_fail(STATUS_SYNTAX, diag, "\"%.*s\" is no %s",
                             (int)(part.size < SHOWN_MAX ? part.size : SHOWN_MAX), part.data,
                             set->what);
        found |= 1u << index;
    }
    *bits = found;
    return STATUS_OK;
}

/* The names whose bits are set, as a line "OPTION NAME,NAME" of a statistics file. */
static void name_list_describe(struct text_buffer *out, const char *option, unsigned bits,
                               const struct name_set *set)
{
    const char *before = " ";
    text_append(out, "%s", option);
    for (int i = 0; i < set->count; i++)
        if (bits & 1u << i) {
            text_append(out, "%s%s", before, set->names[i]);
            before = ",";
        }
    text_append(out, "\n");
}

/* Sets of ECO codes, A00 to E99. */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The number of the code that `text` begins with, -1 when it begins with none: "B33a" is B33. */
static int eco_code_read(struct span text)
{
    if (text.size < 3 || text.data[0] < 'A' || text.data[0] > 'E' || !is_digit(text.data[1]) ||
        !is_digit(text.data[2]))
        return -1;
    return 100 * (text.data[0] - 'A') + 10 * (text.data[1] - '0') + text.data[2] - '0';
}

static bool eco_codes_have(const struct eco_codes *codes, int code)
{
    return codes->words[code / 64] >> code % 64 & 1;
}

/* Codes and ranges, as in "B20-B99,C42". Errors: STATUS_SYNTAX, *codes untouched. */
static enum caxton_status eco_codes_read(struct span text, struct eco_codes *codes,
                                         struct diag *diag)
{
    struct eco_codes found = {{0}};
    for (struct span part; span_item(&text, &part);) {
        part = span_trim(part);
        bool is_range = part.size == 7 && part.data[3] == '-';
        int first = eco_code_read(part);
        int last = is_range ? eco_code_read(span_from(part, 4)) : first;
        if (first < 0 || last < first || (!is_range && part.size != 3))
            return diag_fail(STATUS_SYNTAX, diag,
                             "\"%.*s\" is no ECO code or range such as C42 or B20-B99",
                             (int)(part.size < 40 ? part.size : 40), part.data);
        for (int code = first; code <= last; code++)
            found.words[code / 64] |= UINT64_C(1) << code % 64;
    }
    *codes = found;
    return STATUS_OK;
}

/* The same as text, with ranges as long as possible: a line "OPTION CODES" of a statistics file. */
static void eco_codes_describe(struct text_buffer *out, const char *option,
                               const struct eco_codes *codes)
{
    const char *before = " ";
    text_append(out, "%s", option);
    for (int first = 0; first < ECO_CODES; first++) {
        int last = first;
        if (!eco_codes_have(codes, first))
            continue;
        while (last + 1 < ECO_CODES && eco_codes_have(codes, last + 1))
            last++;
        text_append(out, "%s%c%02d", before, 'A' + first / 100, first % 100);
        if (last > first)
            text_append(out, "-%c%02d", 'A' + last / 100, last % 100);
        before = ",";
        first = last;
    }
    text_append(out, "\n");
}

/* Functions that store what is more than a number or a choice, see struct filter_row. */
#define SET(name)                                                                                  \
    static enum caxton_status name(struct filter *filter __attribute__((unused)),                  \
                                   const struct filter_row *row __attribute__((unused)),           \
                                   struct filter_value *value __attribute__((unused)),             \
                                   const struct filter_setting *setting __attribute__((unused)),   \
                                   struct diag *diag __attribute__((unused)))

/* A line "NAME VALUE" in which nothing of the value ends the line. */
static void describe_text(const struct filter_row *row, const struct filter_value *value,
                          struct text_buffer *out)
{
    text_append(out, "%s ", row->name);
    for (const char *at = value->text; *at; at++)
        text_append(out, "%c", *at == '\n' || *at == '\r' ? ' ' : *at);
    text_append(out, "\n");
}

/* Several of row->names. */
SET(set_names)
{
    return name_list_read(span_of(setting->text), row->names, &value->bits, diag);
}

static void describe_names(const struct filter_row *row, const struct filter_value *value,
                           struct text_buffer *out)
{
    name_list_describe(out, row->name, value->bits, row->names);
}

/* What kind of game ------------------------------------------------------------------------ */

static bool judge_bad_games(struct filter_case *now)
{
    size_t plies = now->game->ply_count;
    if (!now->bad)
        return true;
    if (now->value->number == BAD_GAMES_AUTO)
        return plies >= now->depth;
    return now->value->number == BAD_GAMES_KEEP_PREFIX && plies > 0;
}

static bool judge_unfinished(struct filter_case *now)
{
    return !now->game->unfinished || now->value->is_set;
}

static bool judge_variant(struct filter_case *now)
{
    return !now->game->other_variant && now->game->chess960 == (now->value->number != 0);
}

/* Chess960 begins anywhere. */
static bool judge_first_position(struct filter_case *now)
{
    /* The key of the usual start position, which the description of Polyglot's books gives, too. */
    const uint64_t usual_start = 0x463b96181691fc9c;
    return now->value->is_set || now->filter->has_start || now->game->chess960 ||
           now->game->start.key == usual_start;
}

static const char *const result_names[] = {
    [PGN_UNKNOWN] = "", [PGN_WHITE_WINS] = "1-0", [PGN_BLACK_WINS] = "0-1", [PGN_DRAW] = "1/2-1/2"};

static const struct name_set results = {result_names, sizeof result_names / sizeof *result_names,
                                        "result (1-0, 0-1, 1/2-1/2)"};

static bool judge_results(struct filter_case *now)
{
    return now->value->bits & 1u << now->game->result;
}

/* Players ---------------------------------------------------------------------------------- */

SET(set_color)
{
    enum { COLOR_BOTH, COLOR_WHITE, COLOR_BLACK, COLOR_ALL };
    filter->opponents = setting->choice == COLOR_ALL;
    filter->colors[WHITE] = setting->choice != COLOR_BLACK;
    filter->colors[BLACK] = setting->choice != COLOR_WHITE;
    return STATUS_OK;
}

SET(set_player)
{
    if (!span_trim(span_of(setting->text)).size)
        return diag_fail(STATUS_SYNTAX, diag, "the name is empty");
    const char **names[] = {&filter->player, &filter->player_as[WHITE], &filter->player_as[BLACK]};
    *names[row->choice] = value->text = setting->text;
    return STATUS_OK;
}

static bool is_color_wanted(const struct filter *filter, const struct pgn_game *game, int color)
{
    static const char *const tags[2] = {"White", "Black"};
    if (!filter->colors[color])
        return false;
    if (!filter->player && !filter->player_as[WHITE] && !filter->player_as[BLACK])
        return true;
    struct span name = pgn_tag_value(game, tags[color]);
    return (filter->player && player_matches(name, filter->player)) ||
           (filter->player_as[color] && player_matches(name, filter->player_as[color]));
}

static bool judge_players(struct filter_case *now)
{
    bool *colors = now->verdict->colors;
    colors[WHITE] = is_color_wanted(now->filter, now->game, WHITE);
    colors[BLACK] = is_color_wanted(now->filter, now->game, BLACK);
    return colors[WHITE] || colors[BLACK];
}

enum player_result { PLAYER_WON = 1, PLAYER_DREW, PLAYER_LOST };

static const char *const player_result_names[] = {
    [PLAYER_WON] = "win", [PLAYER_DREW] = "draw", [PLAYER_LOST] = "loss"};

static const struct name_set player_results = {
    player_result_names, sizeof player_result_names / sizeof *player_result_names,
    "result of a player (win, draw, loss)"};

/* A side whose player had another result does not count. An unknown result is none of the three. */
static bool judge_player_results(struct filter_case *now)
{
    static const enum player_result of_white[] = {
        [PGN_WHITE_WINS] = PLAYER_WON, [PGN_DRAW] = PLAYER_DREW, [PGN_BLACK_WINS] = PLAYER_LOST};
    static const enum player_result of_black[] = {
        [PGN_WHITE_WINS] = PLAYER_LOST, [PGN_DRAW] = PLAYER_DREW, [PGN_BLACK_WINS] = PLAYER_WON};
    bool *colors = now->verdict->colors;
    colors[WHITE] &= now->value->bits >> of_white[now->game->result] & 1;
    colors[BLACK] &= now->value->bits >> of_black[now->game->result] & 1;
    return colors[WHITE] || colors[BLACK];
}

/* 0 = unknown. */
static int64_t elo_of(const struct pgn_game *game, const char *tag)
{
    int64_t elo = 0;
    if (span_to_int(span_trim(pgn_tag_value(game, tag)), 1, 9999, &elo) != STATUS_OK)
        return 0;
    return elo;
}

SET(set_elo)
{
    filter->needs_elo = true;
    return STATUS_OK;
}

/* What is not known may be enough, here and below: judge_known_elo() comes last. */
static bool judge_min_elo(struct filter_case *now)
{
    int64_t white = elo_of(now->game, "WhiteElo");
    int64_t black = elo_of(now->game, "BlackElo");
    return (!white || white >= now->value->number) && (!black || black >= now->value->number);
}

static bool judge_max_elo(struct filter_case *now)
{
    return elo_of(now->game, "WhiteElo") <= now->value->number &&
           elo_of(now->game, "BlackElo") <= now->value->number;
}

SET(set_max_elo_diff)
{
    if (span_to_int(span_of(setting->text), 0, 9999, &value->number) != STATUS_OK)
        return diag_fail(STATUS_SYNTAX, diag, "\"%.40s\" is no number from 0 to 9999",
                         setting->text);
    filter->needs_elo = true;
    return STATUS_OK;
}

static bool judge_max_elo_diff(struct filter_case *now)
{
    int64_t white = elo_of(now->game, "WhiteElo");
    int64_t black = elo_of(now->game, "BlackElo");
    int64_t difference = white > black ? white - black : black - white;
    return !white || !black || difference <= now->value->number;
}

static bool judge_known_elo(struct filter_case *now)
{
    return !now->filter->needs_elo ||
           (elo_of(now->game, "WhiteElo") && elo_of(now->game, "BlackElo"));
}

/* Lichess marks programs by a title, and its explorer leaves their games out. */
static bool judge_no_bots(struct filter_case *now)
{
    return !span_equal_nocase(span_trim(pgn_tag_value(now->game, "WhiteTitle")), "BOT") &&
           !span_equal_nocase(span_trim(pgn_tag_value(now->game, "BlackTitle")), "BOT");
}

/* Dates and clocks ------------------------------------------------------------------------- */

SET(set_date)
{
    struct date_range range;
    enum caxton_status status = date_range_read(setting->text, &range, diag);
    if (status == STATUS_OK)
        value->number = row->choice ? range.last : range.first;
    return status;
}

/* A date that may lie before it is too old. */
static bool judge_since(struct filter_case *now)
{
    struct date_range range;
    return date_range_of_tag(date_known_of_game(now->game), &range) &&
           range.first >= now->value->number;
}

static bool judge_until(struct filter_case *now)
{
    struct date_range range;
    return date_range_of_tag(date_known_of_game(now->game), &range) &&
           range.last <= now->value->number;
}

static const struct name_set speeds = {
    speed_names, SPEEDS, "speed (ultraBullet, bullet, blitz, rapid, classical, correspondence)"};

static bool judge_time_control(struct filter_case *now)
{
    enum speed speed = speed_of_time_control(pgn_tag_value(now->game, "TimeControl"));
    /* To players, ultraBullet is bullet, too. */
    unsigned fitting = 1u << speed | (speed == SPEED_ULTRABULLET ? 1u << SPEED_BULLET : 0);
    return now->value->bits & fitting;
}

/* How much the game counts ----------------------------------------------------------------- */

/* The year has to be known, day and month need not be. */
static bool judge_age(struct filter_case *now)
{
    const struct amount_rule *rule = &now->filter->amounts;
    struct date_range range;
    if (!rule->half_life)
        return true;
    if (!date_range_of_tag(date_known_of_game(now->game), &range) || range.first < 10000 ||
        range.first / 10000 != range.last / 10000)
        return false;
    now->halvings += amount_age_halvings(rule, range.first, range.last);
    return true;
}

static bool judge_strength(struct filter_case *now)
{
    const struct amount_rule *rule = &now->filter->amounts;
    if (!rule->elo_points)
        return true;
    int64_t white = elo_of(now->game, "WhiteElo");
    int64_t black = elo_of(now->game, "BlackElo");
    white = white ? white : rule->elo_unknown;
    black = black ? black : rule->elo_unknown;
    if (!white || !black)
        return false;
    now->halvings += amount_elo_halvings(rule, white, black);
    return true;
}

static bool judge_amount(struct filter_case *now)
{
    bool in_parts = amount_unit(&now->filter->amounts) != 1;
    now->verdict->amount = in_parts ? amount_halved(now->halvings) : 1;
    return now->verdict->amount > 0;
}

/* Moves ------------------------------------------------------------------------------------ */

static bool judge_any_moves(struct filter_case *now)
{
    return now->game->ply_count > 0;
}

SET(set_min_plies)
{
    filter->min_plies = (size_t)setting->number;
    return STATUS_OK;
}

static bool judge_min_plies(struct filter_case *now)
{
    return now->game->ply_count >= now->filter->min_plies;
}

SET(set_start)
{
    struct position start;
    char room[ECO_LINE_MAX];
    struct span line;
    enum caxton_status status = eco_line(span_of(setting->text), room, &line, diag);
    if (status == STATUS_OK)
        status = position_from_text(line, &start, diag);
    if (status != STATUS_OK)
        return status;
    filter->has_start = true;
    filter->start = start;
    value->number = (int64_t)start.key;
    return STATUS_OK;
}

static void describe_start(const struct filter_row *row, const struct filter_value *value,
                           struct text_buffer *out)
{
    text_append(out, "%s %016llx\n", row->name, (unsigned long long)value->number);
}

static bool judge_start(struct filter_case *now)
{
    struct verdict *verdict = now->verdict;
    while (verdict->first < verdict->end &&
           now->game->keys[verdict->first] != now->filter->start.key)
        verdict->first++;
    return verdict->first < verdict->end;
}

SET(set_eco)
{
    return eco_codes_read(span_of(setting->text), &value->codes, diag);
}

static void describe_eco(const struct filter_row *row, const struct filter_value *value,
                         struct text_buffer *out)
{
    eco_codes_describe(out, row->name, &value->codes);
}

/* By the ECO tag ("B33", "B33a"), else by the deepest named position that the moves up to the depth
 * reach. The tag is better: it was set for the whole game. */
static bool judge_eco(struct filter_case *now)
{
    int code = eco_code_read(span_trim(pgn_tag_value(now->game, "ECO")));
    const struct eco *named =
        code < 0 ? eco_find_last(now->game->keys, now->verdict->end + 1) : NULL;
    if (named)
        code = eco_code_read(span_make(named->code, 3));
    return code >= 0 && eco_codes_have(&now->value->codes, code);
}

SET(set_no_blunders)
{
    filter->no_blunders = setting->flag;
    return STATUS_OK;
}

/* The table -------------------------------------------------------------------------------- */

/* clang-format off */
const struct filter_row filter_rows[] = {
    {.name = "bad-games", .kind = OPTION_CHOICE, .argument = "auto|keep-prefix|drop",
     .help = "games with a fault; auto: keep-prefix behind the book's depth, else drop",
     .help_place = 18,
     .judge = judge_bad_games, .always = true, .reason_name = "bad", .reason = "bad",
     .hint = "had faults (--bad-games=keep-prefix counts what comes before them)"},
    {.name = "unfinished", .kind = OPTION_FLAG, .help = "count games without a result, as draws",
     .help_place = 16, .line = "unfinished draws",
     .judge = judge_unfinished, .always = true, .reason_name = "unfinished",
     .reason = "without a result", .hint = "had no result (--unfinished counts them)"},
    {.name = "variant", .kind = OPTION_CHOICE, .argument = "standard|chess960",
     .help = "which chess", .help_place = 13,
     .judge = judge_variant, .always = true, .reason_name = "variant",
     .reason = "of another variant", .hint = "belonged to another variant (--variant)"},
    {.name = "fen-games", .kind = OPTION_FLAG, .help = "count games that began elsewhere, too",
     .help_place = 15, .line = "fen-games counted",
     .judge = judge_first_position, .always = true, .reason_name = "set_up",
     .reason = "that began elsewhere (FEN)",
     .hint = "began elsewhere (--fen-games counts them)"},
    {.name = "result", .kind = OPTION_TEXT, .example = "1-0", .argument = "RESULT,..", .help = "1-0, 0-1, 1/2-1/2",
     .help_place = 10, .names = &results, .set = set_names, .describe = describe_names,
     .judge = judge_results, .reason_name = "result", .reason = "with other results",
     .hint = "had other results (--result)"},
    {.name = "no-bots", .kind = OPTION_FLAG,
     .help = "leave out games of programs (WhiteTitle or BlackTitle BOT)", .help_place = 14,
     .line = "bots left out", .judge = judge_no_bots, .reason_name = "bot",
     .reason = "of bots", .hint = "had a bot (--no-bots)"},
    {.name = "color", .kind = OPTION_CHOICE, .argument = "both|white|black|all",
     .help = "whose moves count; all: those of a player's opponents, too",
     .help_place = 1, .set = set_color,
     .judge = judge_players, .always = true, .reason_name = "player",
     .reason = "by other players",
     .hint = "had other players (--player, --player-white, --player-black)"},
    {.name = "player", .kind = OPTION_TEXT, .example = "Fischer R", .argument = "NAME",
     .help = "only this player's moves: \"Fischer R\" fits \"Fischer, Robert J\"",
     .help_place = 2, .set = set_player, .choice = 0, .describe = describe_text},
    {.name = "player-white", .kind = OPTION_TEXT, .example = "Fischer R", .argument = "NAME",
     .help = "likewise, with White", .help_place = 3,
     .set = set_player, .choice = 1, .describe = describe_text},
    {.name = "player-black", .kind = OPTION_TEXT, .example = "Fischer R", .argument = "NAME",
     .help = "likewise, with Black; any name may fit", .help_place = 4,
     .set = set_player, .choice = 2, .describe = describe_text},
    {.name = "player-result", .kind = OPTION_TEXT, .example = "win,draw", .argument = "LIST",
     .help = "only games that these players won, drew or lost: win, draw, loss",
     .help_place = 4, .names = &player_results, .set = set_names, .describe = describe_names,
     .judge = judge_player_results, .reason_name = "player_result",
     .reason = "with other results of the player",
     .hint = "had other results of the player (--player-result)"},
    {.name = "min-elo", .kind = OPTION_NUMBER, .argument = "N", .min = 1, .max = 9999,
     .help = "both players have at least this Elo", .help_place = 5, .set = set_elo,
     .judge = judge_min_elo, .reason_name = "elo",
     .reason = "by players of less Elo", .hint = "had players of less Elo (--min-elo)"},
    {.name = "max-elo", .kind = OPTION_NUMBER, .argument = "N", .min = 1, .max = 9999,
     .help = "both have at most this", .help_place = 5, .set = set_elo,
     .judge = judge_max_elo, .reason_name = "max_elo",
     .reason = "by players of more Elo", .hint = "had players of more Elo (--max-elo)"},
    {.name = "max-elo-diff", .kind = OPTION_TEXT, .example = "200", .argument = "N",
     .help = "their Elo differs by no more", .help_place = 6,
     .set = set_max_elo_diff,
     .judge = judge_max_elo_diff, .reason_name = "elo_diff",
     .reason = "by players too far apart",
     .hint = "had players too far apart (--max-elo-diff)"},
    {.judge = judge_known_elo, .always = true, .reason_name = "elo_unknown",
     .reason = "by players of unknown Elo",
     .hint = "had players of unknown Elo (--min-elo, --max-elo, --max-elo-diff)"},
    {.name = "since", .kind = OPTION_TEXT, .example = "1990", .argument = "DATE",
     .help = "YYYY, YYYY.MM or YYYY.MM.DD", .help_place = 7,
     .set = set_date,
     .judge = judge_since, .reason_name = "date", .reason = "of other or unknown dates",
     .hint = "had other or unknown dates (--since, --until)"},
    {.name = "until", .kind = OPTION_TEXT, .example = "2020.06", .argument = "DATE",
     .help = "likewise; to the last day of it", .help_place = 8,
     .set = set_date, .choice = 1, .judge = judge_until},
    {.name = "time-control", .kind = OPTION_TEXT, .example = "blitz,rapid", .argument = "CLASS,..",
     .help = "bullet, blitz, rapid, classical, correspondence", .help_place = 9,
     .names = &speeds, .set = set_names, .describe = describe_names,
     .judge = judge_time_control, .reason_name = "time_control",
     .reason = "at other or unknown time controls",
     .hint = "had other or unknown time controls (--time-control)"},
    {.judge = judge_age, .always = true, .reason_name = "undated",
     .reason = "without a date, so of unknown age",
     .hint = "had no date and so no age (--half-life)"},
    {.judge = judge_strength, .always = true, .reason_name = "unrated",
     .reason = "by players of unknown Elo, so of unknown weight",
     .hint = "had players of unknown Elo (--elo-unknown says what they count as)"},
    {.judge = judge_amount, .always = true, .reason_name = "old",
     .reason = "too old, or too old and weak, to count at all",
     .hint = "counted nothing for their age or Elo (--half-life, --elo-weight)"},
    {.judge = judge_any_moves, .always = true, .reason_name = "empty",
     .reason = "without moves", .hint = "had no moves"},
    {.name = "min-plies", .kind = OPTION_NUMBER, .argument = "N", .min = 1, .max = 1000000,
     .help = "games of at least N plies", .help_place = 14, .set = set_min_plies,
     .judge = judge_min_plies, .reason_name = "short", .reason = "too short",
     .hint = "had too few moves (--min-plies)"},
    {.name = "start", .kind = OPTION_TEXT, .example = "1. e4 e5", .argument = "FEN|MOVES|ECO|NAME",
     .help = "games through this position, from there on",
     .help_place = 12, .set = set_start, .describe = describe_start,
     .judge = judge_start, .reason_name = "start",
     .reason = "not through the start position asked for",
     .hint = "never came to the position asked for (--start)"},
    {.name = "eco", .kind = OPTION_TEXT, .example = "B20-B99,C42", .argument = "CODES", .help = "as in B20-B99,C42",
     .help_place = 11, .set = set_eco, .describe = describe_eco,
     .judge = judge_eco, .reason_name = "eco", .reason = "of other openings",
     .hint = "had other openings (--eco)"},
    {.name = "exclude-annotated-blunders", .kind = OPTION_FLAG,
     .help = "moves marked ? or ?? do not count", .help_place = 17, .set = set_no_blunders,
     .line = "annotated-blunders excluded"},
    {.reason_name = "duplicate", .reason = "counted already",
     .hint = "were counted already (--keep-duplicates)"},
};

/* clang-format on */

const size_t filter_row_count = sizeof filter_rows / sizeof *filter_rows;

_Static_assert(sizeof filter_rows / sizeof *filter_rows <= FILTER_ROWS_MAX,
               "a filter has a value for each row");
