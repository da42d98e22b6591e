#include "book/explorer/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "book/count/filter/date_range.h"
#include "book/count/filter/game_mark.h"
#include "book/polyglot_entry.h"
#include "chess/notation.h"

enum { MONTHS = 1 << (FACET_BITS - FACET_GROUP_BITS - FACET_SPEED_BITS) };

/* Counts ----------------------------------------------------------------------------------- */

enum caxton_status explorer_sums_begin(const struct explorer_query *query, uint64_t unit,
                                       struct explorer_sums *out)
{
    out->query = query;
    out->unit = unit;
    out->found.filter = &query->filter;
    out->found.count = 0;
    out->count = 0;
    out->months = NULL;
    if (query->history)
        out->months = calloc(MONTHS, sizeof *out->months); /* what is not used takes no memory */
    return query->history && !out->months ? STATUS_NO_MEMORY : STATUS_OK;
}

void explorer_sums_free(struct explorer_sums *sums)
{
    free(sums->months);
    sums->months = NULL;
}

/* From the view of White: its wins, draws, Black's wins. */
static uint64_t count_of(const struct explorer_query *query, const uint64_t counts[OUTCOMES], int i)
{
    return counts[query->pos.turn == WHITE ? i : OUTCOMES - 1 - i];
}

enum caxton_status explorer_sums_take(void *context, const struct tally *tally)
{
    struct explorer_sums *sums = context;
    const struct explorer_query *query = sums->query;
    if (!query->is_chess)
        return STATUS_OK;
    if (sums->months && facet_passes(&query->filter, tally->facet))
        for (int i = 0; i < OUTCOMES; i++)
            sums->months[facet_month(tally->facet)].counts[i] += count_of(query, tally->counts, i);
    return wld_moves_take(&sums->found, tally);
}

static int compare_sums(const void *a, const void *b)
{
    const struct explorer_sum *one = a;
    const struct explorer_sum *other = b;
    uint64_t games[2] = {tally_games(&one->tally), tally_games(&other->tally)};
    if (games[0] != games[1])
        return games[0] > games[1] ? -1 : 1;
    return one->tally.move < other->tally.move ? -1 : one->tally.move > other->tally.move;
}

void explorer_sums_sort(struct explorer_sums *sums)
{
    for (size_t i = 0; i < sums->found.count; i++) {
        const struct tally *tally = &sums->found.sums[i];
        move m = polyglot_to_move(&sums->query->pos, tally->move);
        if (m != MOVE_NONE)
            sums->moves[sums->count++] =
                (struct explorer_sum){m, *tally, sums->found.more[i].rated};
    }
    qsort(sums->moves, (size_t)sums->count, sizeof *sums->moves, compare_sums);
}

/* Ratings ---------------------------------------------------------------------------------- */

/* sum / count, a half away from zero; 0 of nothing. */
static uint64_t rounded(uint64_t sum, uint64_t count)
{
    if (count == 0)
        return 0;
    return sum / count + (sum % count >= count - sum % count);
}

/* The rating against opponents of that mean. Source: FIDE Handbook B.02 of 2017, table 8.1a. */
static int64_t performance(double opponents, double points, double games)
{
    static const int16_t differences[] = {
        0,   7,   14,  21,  29,  36,  43,  50,  57,  65,  72,  80,  87,  95,  102, 110, 117,
        125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273,
        284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800};
    enum { HALF = 50 };
    double above = 100 * points / games - HALF;
    double distance = above < 0 ? -above : above;
    int whole = (int)distance < HALF ? (int)distance : HALF - 1;
    double difference =
        differences[whole] + (distance - whole) * (differences[whole + 1] - differences[whole]);
    double rating = opponents + (above < 0 ? -difference : difference);
    return rating < 0 ? -(int64_t)(0.5 - rating) : (int64_t)(rating + 0.5);
}

/* Games ------------------------------------------------------------------------------------ */

bool explorer_game_id(const struct pgn_game *game, char out[EXPLORER_ID_MAX])
{
    static const char *const sites[] = {"https://lichess.org/", "http://lichess.org/"};
    struct span site = span_trim(pgn_tag_value(game, "Site"));
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++) {
        size_t size = strlen(sites[i]);
        if (site.size != size + EXPLORER_ID_MAX - 1 || memcmp(site.data, sites[i], size) != 0)
            continue;
        text_copy(out, EXPLORER_ID_MAX, span_from(site, size));
        for (const char *c = out; *c; c++)
            if (!((*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z')))
                return false;
        return true;
    }
    return false;
}

static unsigned day_of(const struct pgn_game *game)
{
    enum { MONTH = 100 };
    struct date_range days;
    bool is_known = date_range_of_tag(date_known_of_game(game), &days) && days.first == days.last;
    return is_known ? (unsigned)(days.first % MONTH) : 0;
}

bool explorer_game_of(const struct explorer_query *query, const struct pgn_game *game,
                      struct explorer_game *out)
{
    static const char *const tags[2][2] = {{"White", "WhiteElo"}, {"Black", "BlackElo"}};
    struct explorer_game read = {
        .sample = out->sample, .source = out->source, .move = MOVE_NONE, .result = game->result};
    uint64_t keys[2];
    (void)movegen_keys(&query->pos, keys);
    for (size_t ply = 0; ply < game->ply_count && read.move == MOVE_NONE; ply++)
        if (game->keys[ply] == keys[0] || game->keys[ply] == keys[1])
            read.move = game->moves[ply]; /* the one that statistics count */
    memcpy(read.id, out->id, sizeof read.id);
    uint16_t both[2];
    read.facet = game_facet(game, FACETS_ALL, both);
    read.day = day_of(game);
    struct span event = pgn_tag_value(game, "Event");
    read.is_casual = event.size >= 6 && span_equal_nocase(span_make(event.data, 6), "casual");
    for (int i = 0; i < 2; i++) {
        int64_t rating;
        text_copy_utf8(read.names[i], EXPLORER_PLAYER_MAX,
                       span_trim(pgn_tag_value(game, tags[i][0])));
        if (span_to_int(span_trim(pgn_tag_value(game, tags[i][1])), 1, RATING_MAX, &rating) ==
            STATUS_OK)
            read.ratings[i] = (unsigned)rating;
    }
    if (!movegen_is_legal(&query->pos, read.move) || !facet_passes(&query->filter, read.facet))
        return false;
    *out = read;
    return true;
}

bool explorer_wants_games(const struct explorer_sums *sums)
{
    const struct explorer_query *query = sums->query;
    if (query->top_games > 0 || query->recent_games > 0)
        return sums->count > 0;
    bool wanted = false;
    for (int i = 0; i < sums->count && (unsigned)i < query->moves; i++)
        wanted = wanted || tally_games(&sums->moves[i].tally) == sums->unit;
    return wanted && query->kind != EXPLORER_LICHESS && query->kind != EXPLORER_HISTORY;
}

/* Newest first, then any order that does not depend on the one before. */
static int compare_dates(const void *a, const void *b)
{
    const struct explorer_game *one = a;
    const struct explorer_game *other = b;
    unsigned dates[2][2] = {{facet_month(one->facet), one->day},
                            {facet_month(other->facet), other->day}};
    for (int i = 0; i < 2; i++)
        if (dates[0][i] != dates[1][i])
            return dates[0][i] > dates[1][i] ? -1 : 1;
    int ids = strcmp(one->id, other->id);
    return ids ? ids : sample_compare(&one->sample, &other->sample);
}

static int compare_ratings(const void *a, const void *b)
{
    const struct explorer_game *one = a;
    const struct explorer_game *other = b;
    unsigned ratings[2] = {one->ratings[WHITE] + one->ratings[BLACK],
                           other->ratings[WHITE] + other->ratings[BLACK]};
    if (ratings[0] != ratings[1])
        return ratings[0] > ratings[1] ? -1 : 1;
    return compare_dates(a, b);
}

/* How good a game of a site is: the less, the better. */
static int grade_of(const struct explorer_game *game)
{
    enum { LAST_GROUP = 2800 };
    static const int speeds[SPEEDS] = {2533, 2644, 3352, 2974, 2949, 2533, 4000};
    unsigned mean = (game->ratings[WHITE] + game->ratings[BLACK]) / 2;
    int start = rating_group_starts[facet_group(game->facet)];
    return speeds[facet_speed(game->facet)] - (mean >= LAST_GROUP ? LAST_GROUP : start);
}

static int compare_grades(const void *a, const void *b)
{
    int grades[2] = {grade_of(a), grade_of(b)};
    return grades[0] != grades[1] ? (grades[0] < grades[1] ? -1 : 1) : compare_dates(a, b);
}

/* The least group of the games that are listed as the best: of those asked for in one run from the
 * strongest down to 2000. */
static int least_top_group(const struct explorer_query *query)
{
    enum { TOP_START = 2000 };
    int group = RATING_GROUPS;
    while (rating_group_starts[group - 1] >= TOP_START && query->filter.groups >> (group - 1) & 1)
        group--;
    return group;
}

/* Brings the best games to the front and returns how many they are. */
static size_t choose_top(const struct explorer_query *query, struct explorer_game *games,
                         size_t count)
{
    if (query->kind == EXPLORER_PLAYER)
        return 0;
    size_t top = 0;
    if (query->kind == EXPLORER_MASTERS) {
        qsort(games, count, sizeof *games, compare_ratings);
        top = count;
    } else {
        qsort(games, count, sizeof *games, compare_grades);
        for (size_t i = 0; i < count && top < query->top_games; i++)
            if (facet_group(games[i].facet) >= least_top_group(query)) {
                struct explorer_game game = games[i];
                memmove(&games[top + 1], &games[top], (i - top) * sizeof game);
                games[top++] = game;
            }
    }
    return top < query->top_games ? top : query->top_games;
}

/* So many of the latest games are listed beside `top` of the best. */
static size_t recent_most(const struct explorer_query *query, size_t top)
{
    if (query->kind == EXPLORER_MASTERS)
        return 0;
    return query->recent_games + top > EXPLORER_RECENT ? EXPLORER_RECENT - top
                                                       : query->recent_games;
}

/* Is the move played once, and listed? */
static bool is_only(const struct explorer_sums *sums, uint16_t stored)
{
    for (int i = 0; i < sums->count && (unsigned)i < sums->query->moves; i++)
        if (sums->moves[i].tally.move == stored)
            return tally_games(&sums->moves[i].tally) == sums->unit;
    return false;
}

size_t explorer_choose_games(const struct explorer_sums *sums, struct explorer_game *games,
                             size_t count)
{
    const struct explorer_query *query = sums->query;
    size_t passing = 0;
    for (size_t i = 0; i < count; i++)
        if (games[i].sample.chosen || facet_passes(&query->filter, games[i].facet))
            games[passing++] = games[i];
    if (passing == 0) /* there may be no list */
        return 0;
    size_t kept = choose_top(query, games, passing);
    qsort(games + kept, passing - kept, sizeof *games, compare_dates);
    size_t recent = recent_most(query, kept);
    for (size_t i = kept; i < passing; i++)
        if (recent > 0 || games[i].sample.chosen || is_only(sums, games[i].sample.move)) {
            games[kept++] = games[i];
            recent -= recent > 0;
        }
    return kept;
}

/* The answer ------------------------------------------------------------------------------- */

static void put_opening(struct json *json, const struct eco *opening)
{
    if (!opening) {
        json_literal(json, "opening", "null");
        return;
    }
    json_object(json, "opening");
    json_text(json, "eco", opening->code);
    json_text(json, "name", opening->name);
    json_end(json);
}

static void put_counts(struct json *json, const uint64_t counts[OUTCOMES], uint64_t unit)
{
    static const char *const names[OUTCOMES] = {"white", "draws", "black"};
    for (int i = 0; i < OUTCOMES; i++)
        json_unsigned(json, names[i], rounded(counts[i], unit));
}

/* name: NULL in a list, where the move that was played stands before the rest. */
static void put_game(struct json *json, const char *name, const struct explorer_query *query,
                     const struct explorer_game *game)
{
    static const char *const winners[] = {[PGN_WHITE_WINS] = "white", [PGN_BLACK_WINS] = "black"};
    char text[UCI_MAX];
    char month[MONTH_TEXT_MAX];
    enum speed speed = facet_speed(game->facet);
    uint32_t number = facet_month(game->facet);
    json_object(json, name);
    move_to_uci(game->move, true, text);
    if (!name)
        json_text(json, "uci", text);
    json_text(json, "id", game->id);
    json_text(json, "winner", game->result < PGN_DRAW ? winners[game->result] : NULL);
    if (query->kind != EXPLORER_MASTERS) {
        json_text(json, "speed", speed ? speed_names[speed] : NULL);
        json_text(json, "mode", game->is_casual ? "casual" : "rated");
    }
    for (int color = BLACK; color >= WHITE; color--) {
        json_object(json, color == WHITE ? "white" : "black");
        json_text(json, "name", game->names[color]);
        json_unsigned(json, "rating", game->ratings[color]);
        json_end(json);
    }
    json_unsigned(json, "year", number / MONTHS_A_YEAR);
    json_text(json, "month", number % MONTHS_A_YEAR ? month_text(number, month) : NULL);
    json_end(json);
}

static void put_games(struct json *json, const char *name, const struct explorer_query *query,
                      const struct explorer_game *games, size_t count)
{
    json_array(json, name);
    for (size_t i = 0; i < count; i++)
        put_game(json, NULL, query, &games[i]);
    json_end(json);
}

static void put_ratings(struct json *json, const struct explorer_query *query,
                        const struct explorer_sum *sum)
{
    if (query->kind != EXPLORER_PLAYER) {
        json_unsigned(json, "averageRating", rounded(sum->tally.ratings[0], sum->rated));
        return;
    }
    bool to_move = query->pos.turn == query->color;
    uint64_t opponents = sum->tally.ratings[to_move];
    double points = 2.0 * (double)sum->tally.counts[to_move ? OUTCOME_WIN : OUTCOME_LOSS] +
                    (double)sum->tally.counts[OUTCOME_DRAW];
    double mean = sum->rated ? (double)opponents / (double)sum->rated : 0;
    json_unsigned(json, "averageOpponentRating", rounded(opponents, sum->rated));
    json_number(json, "performance",
                sum->rated ? performance(mean, points / 2, (double)tally_games(&sum->tally)) : 0);
}

/* game: the only one, where it is known. */
static void put_move(struct json *json, const struct explorer_sums *sums,
                     const struct explorer_sum *sum, const struct explorer_game *game)
{
    const struct explorer_query *query = sums->query;
    const struct position after = position_after(&query->pos, sum->move);
    char text[SAN_MAX];
    uint64_t counts[OUTCOMES];
    for (int i = 0; i < OUTCOMES; i++)
        counts[i] = count_of(query, sum->tally.counts, i);
    json_object(json, NULL);
    move_to_uci(sum->move, true, text);
    json_text(json, "uci", text);
    move_to_san(&query->pos, sum->move, text);
    json_text(json, "san", text);
    put_ratings(json, query, sum);
    put_counts(json, counts, sums->unit);
    if (game)
        put_game(json, "game", query, game);
    else
        json_literal(json, "game", "null");
    put_opening(json, eco_find(after.key));
    json_end(json);
}

static void put_moves(struct json *json, const struct explorer_sums *sums,
                      const struct explorer_game *games, size_t count)
{
    json_array(json, "moves");
    for (int i = 0; i < sums->count && (unsigned)i < sums->query->moves; i++) {
        const struct explorer_sum *sum = &sums->moves[i];
        const struct explorer_game *only = NULL;
        for (size_t k = 0; k < count && tally_games(&sum->tally) == sums->unit && !only; k++)
            only = games[k].move == sum->move ? &games[k] : NULL;
        put_move(json, sums, sum, only);
    }
    json_end(json);
}

/* Not of games of which only the year is known. */
static bool month_has_games(const struct explorer_sums *sums, uint32_t month)
{
    const uint64_t *counts = sums->months[month].counts;
    return month % MONTHS_A_YEAR > 0 && (counts[0] | counts[1] | counts[2]) > 0;
}

/* From the first month asked for, or else the first with games, to the last with games. */
static void put_history(struct json *json, const struct explorer_sums *sums)
{
    uint32_t first = MONTHS;
    uint32_t last = 0;
    for (size_t i = 0; i < sums->found.count; i++) {
        const struct wld_move_more *more = &sums->found.more[i];
        first = more->first && more->first < first ? more->first : first;
        last = more->last > last ? more->last : last;
    }
    while (last > 0 && !month_has_games(sums, last))
        last--;
    if (sums->query->filter.since)
        first = sums->query->filter.since;
    while (!sums->query->filter.since && first < last && !month_has_games(sums, first))
        first++;
    json_array(json, "history");
    for (uint32_t month = first; month <= last && last > 0; month++) {
        char text[MONTH_TEXT_MAX];
        if (month % MONTHS_A_YEAR == 0)
            continue;
        json_object(json, NULL);
        json_text(json, "month", month_text(month, text));
        put_counts(json, sums->months[month].counts, sums->unit);
        json_end(json);
    }
    json_end(json);
}

void explorer_answer_json(const struct explorer_sums *sums, struct explorer_game *games,
                          size_t count, FILE *out)
{
    const struct explorer_query *query = sums->query;
    uint64_t counts[OUTCOMES] = {0};
    for (int i = 0; i < sums->count; i++)
        for (int k = 0; k < OUTCOMES; k++)
            counts[k] += count_of(query, sums->moves[i].tally.counts, k);
    struct json json = json_start(out);
    json.tight = true; /* as the reference: some programs search the text */
    json_object(&json, NULL);
    put_counts(&json, counts, sums->unit);
    put_moves(&json, sums, games, count);
    size_t top = choose_top(query, games, count);
    if (query->kind != EXPLORER_MASTERS) {
        size_t recent = count - top;
        size_t most = recent_most(query, top);
        qsort(games + top, recent, sizeof *games, compare_dates);
        put_games(&json, "recentGames", query, games + top, recent < most ? recent : most);
    }
    if (query->kind != EXPLORER_PLAYER)
        put_games(&json, "topGames", query, games, top);
    put_opening(&json, query->opening);
    if (query->kind == EXPLORER_PLAYER)
        json_number(&json, "queuePosition", 0);
    if (sums->months)
        put_history(&json, sums);
    json_end(&json);
}
