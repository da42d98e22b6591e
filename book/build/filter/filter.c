/* Games judged. The options' text is read in filter_read.c. */
#include "book/build/filter/filter.h"

#include <string.h>

#include "book/build/filter/filter_internal.h"
#include "book/build/filter/player.h"
#include "chess/eco.h"

static const struct {
    const char *name;
    const char *text;
} reasons[LEFT_REASONS] = {
    [LEFT_BAD] = {"bad", "bad"},
    [LEFT_UNFINISHED] = {"unfinished", "without a result"},
    [LEFT_VARIANT] = {"variant", "of another variant"},
    [LEFT_SET_UP] = {"set_up", "that began elsewhere (FEN)"},
    [LEFT_RESULT] = {"result", "with other results"},
    [LEFT_PLAYER] = {"player", "by other players"},
    [LEFT_ELO] = {"elo", "by players of less or unknown Elo"},
    [LEFT_ELO_DIFF] = {"elo_diff", "by players too far apart or of unknown Elo"},
    [LEFT_DATE] = {"date", "of other or unknown dates"},
    [LEFT_TIME_CONTROL] = {"time_control", "at other or unknown time controls"},
    [LEFT_UNDATED] = {"undated", "without a date, so of unknown age"},
    [LEFT_UNRATED] = {"unrated", "by players of unknown Elo, so of unknown weight"},
    [LEFT_OLD] = {"old", "too old, or too old and weak, to count at all"},
    [LEFT_EMPTY] = {"empty", "without moves"},
    [LEFT_SHORT] = {"short", "too short"},
    [LEFT_START] = {"start", "not through the start position asked for"},
    [LEFT_ECO] = {"eco", "of other openings"},
    [LEFT_DUPLICATE] = {"duplicate", "counted already"},
};

const char *left_out_text(enum left_out reason)
{
    return reasons[reason].text;
}

const char *left_out_name(enum left_out reason)
{
    return reasons[reason].name;
}

struct filter filter_default(void)
{
    return (struct filter){
        .colors = {true, true}, .max_elo_diff = -1, .amounts = {.elo_reference = 2500}};
}

size_t filter_plies_needed(const struct filter *filter, size_t depth)
{
    return depth > filter->min_plies ? depth : filter->min_plies;
}

/* Tags ------------------------------------------------------------------------------------- */

static const char *const color_tags[2] = {"White", "Black"};

static bool is_color_wanted(const struct filter *filter, const struct pgn_game *game, int color)
{
    if (!filter->colors[color])
        return false;
    if (!filter->player && !filter->player_as[WHITE] && !filter->player_as[BLACK])
        return true;
    struct span name = pgn_tag_value(game, color_tags[color]);
    return (filter->player && player_matches(name, filter->player)) ||
           (filter->player_as[color] && player_matches(name, filter->player_as[color]));
}

/* 0 = unknown. */
static int64_t elo_of(const struct pgn_game *game, const char *tag)
{
    int64_t elo = 0;
    if (span_to_int(span_trim(pgn_tag_value(game, tag)), 1, 9999, &elo) != STATUS_OK)
        return 0;
    return elo;
}

static enum left_out judge_elo(const struct filter *filter, const struct pgn_game *game)
{
    if (filter->min_elo <= 0 && filter->max_elo_diff < 0)
        return LEFT_REASONS;
    int64_t white = elo_of(game, "WhiteElo");
    int64_t black = elo_of(game, "BlackElo");
    if (filter->min_elo > 0 && (white < filter->min_elo || black < filter->min_elo))
        return LEFT_ELO;
    int64_t difference = white > black ? white - black : black - white;
    if (filter->max_elo_diff >= 0 && (!white || !black || difference > filter->max_elo_diff))
        return LEFT_ELO_DIFF;
    return LEFT_REASONS;
}

/* The Date tag; games of some servers have only UTCDate. */
static struct span date_of(const struct pgn_game *game)
{
    struct span date = span_trim(pgn_tag_value(game, "Date"));
    return date.size ? date : span_trim(pgn_tag_value(game, "UTCDate"));
}

static bool is_date_wanted(const struct filter *filter, const struct pgn_game *game)
{
    if (!filter->since && !filter->until)
        return true;
    int64_t first;
    int64_t last;
    if (!filter_date_range(date_of(game), true, &first, &last))
        return false;
    return (!filter->since || first >= filter->since) && (!filter->until || last <= filter->until);
}

static bool digits(struct span *text, int64_t *value)
{
    size_t size = 0;
    while (size < text->size && text->data[size] >= '0' && text->data[size] <= '9')
        size++;
    if (!size)
        return false;
    struct span number = span_make(text->data, size);
    *text = span_from(*text, size);
    return span_to_int(number, 0, INT32_MAX, value) == STATUS_OK;
}

static bool take(struct span *text, char c)
{
    if (!text->size || text->data[0] != c)
        return false;
    *text = span_from(*text, 1);
    return true;
}

enum time_class time_class_of(struct span control)
{
    enum { BULLET_S = 180, BLITZ_S = 480, RAPID_S = 1500, CLASSICAL_S = 86400, MOVES = 40 };
    int64_t moves = MOVES;
    int64_t base;
    int64_t increment = 0;
    struct span rest = span_trim(control);
    if (span_equal(rest, "-"))
        return TIME_CORRESPONDENCE;
    if (!digits(&rest, &base))
        return TIME_UNKNOWN;
    if (take(&rest, '/')) {
        moves = base;
        if (!moves || !digits(&rest, &base))
            return TIME_UNKNOWN;
    }
    if (take(&rest, '+') && !digits(&rest, &increment))
        return TIME_UNKNOWN;
    if (rest.size && rest.data[0] != ':')
        return TIME_UNKNOWN;
    int64_t seconds = base * MOVES / moves + MOVES * increment;
    return seconds < BULLET_S       ? TIME_BULLET
           : seconds < BLITZ_S      ? TIME_BLITZ
           : seconds < RAPID_S      ? TIME_RAPID
           : seconds <= CLASSICAL_S ? TIME_CLASSICAL
                                    : TIME_CORRESPONDENCE;
}

/* By the ECO tag ("B33", "B33a"), else by the deepest named position of the moves that were read:
 * the tag saw the whole game. */
static bool is_opening_wanted(const struct filter *filter, const struct pgn_game *game,
                              size_t plies)
{
    int code = filter_eco_code(span_trim(pgn_tag_value(game, "ECO")));
    for (size_t ply = plies; code < 0 && ply > 0; ply--) {
        const struct eco *named = eco_find(game->keys[ply - 1]);
        if (named)
            code = filter_eco_code(span_make(named->code, 3));
    }
    return code >= 0 && filter->eco[code];
}

/* A year has to be certain, day and month need not be. */
static bool read_date(const struct pgn_game *game, int64_t *first, int64_t *last)
{
    return filter_date_range(date_of(game), true, first, last) && *first >= 10000 &&
           *first / 10000 == *last / 10000;
}

/* What the game counts. */
static enum left_out judge_amount(const struct filter *filter, const struct pgn_game *game,
                                  struct verdict *verdict)
{
    const struct amount_rule *rule = &filter->amounts;
    int64_t halvings = 0;
    verdict->amount = 1;
    if (amount_unit(rule) == 1)
        return LEFT_REASONS;
    if (rule->half_life) {
        int64_t first;
        int64_t last;
        if (!read_date(game, &first, &last))
            return LEFT_UNDATED;
        halvings += amount_age_halvings(rule, first, last);
    }
    if (rule->elo_points) {
        int64_t white = elo_of(game, "WhiteElo");
        int64_t black = elo_of(game, "BlackElo");
        white = white ? white : rule->elo_unknown;
        black = black ? black : rule->elo_unknown;
        if (!white || !black)
            return LEFT_UNRATED;
        halvings += amount_elo_halvings(rule, white, black);
    }
    verdict->amount = amount_halved(halvings);
    return verdict->amount ? LEFT_REASONS : LEFT_OLD;
}

/* Games ------------------------------------------------------------------------------------ */

/* The key of the usual start position, which the description of Polyglot's books gives, too. */
static const uint64_t usual_start = 0x463b96181691fc9c;

static enum left_out judge_tags(const struct filter *filter, const struct pgn_game *game,
                                struct verdict *verdict)
{
    if (game->unfinished && !filter->unfinished)
        return LEFT_UNFINISHED;
    if (game->chess960 != filter->chess960)
        return LEFT_VARIANT;
    if (!filter->fen_games && !filter->has_start && !filter->chess960 &&
        game->start.key != usual_start)
        return LEFT_SET_UP;
    if (filter->results && !(filter->results & 1u << game->result))
        return LEFT_RESULT;
    if (!verdict->colors[WHITE] && !verdict->colors[BLACK])
        return LEFT_PLAYER;
    enum left_out elo = judge_elo(filter, game);
    if (elo != LEFT_REASONS)
        return elo;
    if (!is_date_wanted(filter, game))
        return LEFT_DATE;
    if (filter->times && !(filter->times & 1u << time_class_of(pgn_tag_value(game, "TimeControl"))))
        return LEFT_TIME_CONTROL;
    return judge_amount(filter, game, verdict);
}

static enum left_out judge_moves(const struct filter *filter, const struct pgn_game *game,
                                 struct verdict *verdict)
{
    if (!game->ply_count)
        return LEFT_EMPTY;
    if (game->ply_count < filter->min_plies)
        return LEFT_SHORT;
    if (filter->has_start) {
        while (verdict->first < verdict->end && game->keys[verdict->first] != filter->start)
            verdict->first++;
        if (verdict->first == verdict->end)
            return LEFT_START;
    }
    if (filter->has_eco && !is_opening_wanted(filter, game, verdict->end))
        return LEFT_ECO;
    return LEFT_REASONS;
}

static bool is_prefix_kept(const struct filter *filter, const struct pgn_game *game, size_t depth)
{
    if (filter->bad_games == BAD_GAMES_AUTO)
        return game->ply_count >= depth;
    return filter->bad_games == BAD_GAMES_KEEP_PREFIX && game->ply_count > 0;
}

struct verdict filter_judge(const struct filter *filter, const struct pgn_game *game, bool bad,
                            size_t depth)
{
    struct verdict verdict = {.reason = LEFT_BAD,
                              .end = game->ply_count < depth ? game->ply_count : depth};
    if (bad && !is_prefix_kept(filter, game, depth))
        return verdict;
    for (int color = WHITE; color <= BLACK; color++)
        verdict.colors[color] = is_color_wanted(filter, game, color);
    verdict.reason = judge_tags(filter, game, &verdict);
    if (verdict.reason == LEFT_REASONS)
        verdict.reason = judge_moves(filter, game, &verdict);
    return verdict;
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

/* Fingerprints ----------------------------------------------------------------------------- */

/* The length goes first, so that texts cannot run into each other. */
static void add_text(struct fingerprint *print, struct span text)
{
    fingerprint_add(print, text.size);
    for (size_t i = 0; i < text.size; i += 8) {
        uint64_t word = 0;
        for (size_t j = 0; j < 8 && i + j < text.size; j++)
            word |= (uint64_t)(uint8_t)text.data[i + j] << 8 * j;
        fingerprint_add(print, word);
    }
}

struct fingerprint filter_fingerprint(const struct filter *filter, const struct pgn_game *game,
                                      const struct verdict *verdict, const struct diag *fault)
{
    struct fingerprint print = {0, 0};
    add_text(&print, span_trim(pgn_tag_value(game, "White")));
    add_text(&print, span_trim(pgn_tag_value(game, "Black")));
    add_text(&print, date_of(game));
    add_text(&print, span_of(fault ? fault->text : ""));
    fingerprint_add(&print, (uint64_t)game->result);
    fingerprint_add(&print, verdict->amount);
    fingerprint_add(&print, game->start.key);
    fingerprint_add(&print, game->ply_count);
    uint64_t word = 0;
    for (size_t ply = 0; ply < game->ply_count; ply++) {
        word = word << 16 | game->moves[ply];
        if ((ply & 3) == 3 || ply + 1 == game->ply_count) {
            fingerprint_add(&print, word);
            word = 0;
        }
    }
    fingerprint_add(&print, game->rest.high);
    fingerprint_add(&print, game->rest.low);
    for (size_t ply = verdict->first; filter->no_blunders && ply < verdict->end; ply++)
        if (is_blunder(game, ply))
            fingerprint_add(&print, ply);
    return fingerprint_finish(print);
}
