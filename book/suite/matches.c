#include "book/suite/matches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/xxh64.h"

struct match_game {
    uint64_t round; /* of file and Round; 0: any */
    uint32_t exit;
    uint32_t low; /* the players' names, the smaller number first */
    uint32_t high;
    uint32_t order;
    uint8_t turned; /* high is White */
    uint8_t points; /* of low: 0, 1, 2 */
    bool paired;
    enum match_pair pair; /* of low, in the one that is not turned */
};

void matches_free(struct matches *matches)
{
    for (size_t i = 0; i < matches->name_count; i++)
        free(matches->names[i].text);
    suite_free(&matches->exits);
    free(matches->counts);
    free(matches->names);
    free(matches->name_table.slots);
    free(matches->couples);
    free(matches->games);
    *matches = (struct matches){.read = 0};
}

/* Reading ------------------------------------------------------------------------------------- */

static enum caxton_status find_name(struct matches *matches, struct span text, uint32_t *out)
{
    uint64_t key = xxh64(text.data, text.size, 0);
    matches->name_table.item_size = sizeof *matches->names;
    if (key_table_reserve(&matches->name_table, matches->name_count + 1, matches->names, 0,
                          matches->name_count) != STATUS_OK ||
        !ARRAY_GROW(matches->names, matches->name_capacity, matches->name_count + 1))
        return STATUS_NO_MEMORY;
    uint32_t *slot = key_table_slot(&matches->name_table, matches->names, key);
    if (!*slot) {
        struct match_name name = {key, span_duplicate(text)};
        if (!name.text)
            return STATUS_NO_MEMORY;
        matches->names[matches->name_count++] = name;
        *slot = (uint32_t)matches->name_count;
    }
    *out = *slot - 1;
    return STATUS_OK;
}

/* How many moves of the game were given. */
static size_t given_plies(const struct pgn_game *game)
{
    static const char end[] = "End of opening";
    size_t count = 0;
    while (count < game->ply_count && strcmp(game->comments[count].text, "book") == 0)
        count++;
    for (size_t i = 0; count == 0 && i < game->ply_count; i++)
        if (strncmp(game->comments[i].text, end, sizeof end - 1) == 0)
            return i + 1;
    return count;
}

static enum caxton_status find_exit(struct matches *matches, const struct pgn_game *game,
                                    uint32_t *out)
{
    size_t before = matches->exits.count;
    size_t given = given_plies(game);
    enum caxton_status status = suite_add(&matches->exits, &game->start, game->moves, given, out);
    if (status == STATUS_OK && matches->exits.count > before) {
        if (!ARRAY_GROW(matches->counts, matches->count_capacity, before + 1))
            return STATUS_NO_MEMORY;
        matches->counts[before] = (struct match_exit){.opening = (uint32_t)before};
    }
    matches->without_exit += given == 0 && !pgn_tag_value(game, "FEN").size;
    return status;
}

static enum caxton_status take(struct matches *matches, const struct pgn_game *game)
{
    static const uint8_t white_points[] = {
        [PGN_WHITE_WINS] = 2, [PGN_DRAW] = 1, [PGN_BLACK_WINS] = 0};
    enum pgn_end end = pgn_end_of(game);
    struct span round = pgn_tag_value(game, "Round");
    struct match_game kept = {.round = xxh64(round.data, round.size, matches->files) | 1};
    uint32_t white;
    uint32_t black;
    matches->ends[end]++;
    enum caxton_status status = find_exit(matches, game, &kept.exit);
    if (status == STATUS_OK && end != PGN_END_PLAYED) {
        matches->counts[kept.exit].apart++;
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        status = find_name(matches, pgn_tag_value(game, "White"), &white);
    if (status == STATUS_OK)
        status = find_name(matches, pgn_tag_value(game, "Black"), &black);
    if (status == STATUS_OK &&
        (matches->game_count >= UINT32_MAX ||
         !ARRAY_GROW(matches->games, matches->game_capacity, matches->game_count + 1)))
        status = STATUS_NO_MEMORY;
    if (status != STATUS_OK)
        return status;
    kept.turned = white > black;
    kept.low = kept.turned ? black : white;
    kept.high = kept.turned ? white : black;
    kept.points = white_points[game->result];
    kept.points = kept.turned ? (uint8_t)(2 - kept.points) : kept.points;
    kept.order = (uint32_t)matches->game_count;
    matches->counts[kept.exit].results[game->result]++;
    matches->games[matches->game_count++] = kept;
    return STATUS_OK;
}

enum caxton_status matches_read(struct matches *matches, pgn_source source, void *context)
{
    struct pgn_reader *reader = pgn_create(source, context);
    enum caxton_status status = reader ? STATUS_OK : STATUS_NO_MEMORY;
    matches->files++;
    if (reader) {
        pgn_set_comments(reader, true);
        pgn_set_ply_limit(reader, SUITE_PLIES_MAX);
    }
    while (status == STATUS_OK) {
        struct pgn_game game;
        struct diag fault = {.text = ""};
        status = pgn_next(reader, &game, &fault);
        matches->read += status == STATUS_OK || pgn_is_game_fault(status);
        if (status == STATUS_OK && !game.other_variant) {
            status = take(matches, &game);
        } else if (pgn_is_game_fault(status) || status == STATUS_OK) {
            if (status == STATUS_OK)
                diag_set(&fault, game.line, 1, "another variant than chess");
            if (matches->bad++ == 0)
                matches->first_bad = fault;
            status = STATUS_OK;
        }
    }
    pgn_destroy(reader);
    return status == STATUS_END ? STATUS_OK : status;
}

/* Pairs --------------------------------------------------------------------------------------- */

/* By players, exit and round. */
static int compare_groups(const struct match_game *x, const struct match_game *y)
{
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    if (x->exit != y->exit)
        return x->exit < y->exit ? -1 : 1;
    return (x->round > y->round) - (x->round < y->round);
}

static int compare_games(const void *a, const void *b)
{
    const struct match_game *x = a;
    const struct match_game *y = b;
    int order = compare_groups(x, y);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

enum match_pair match_pair_of(int first, int second)
{
    static const enum match_pair kinds[] = {PAIR_LL, PAIR_LD, PAIR_WL, PAIR_WD, PAIR_WW};
    return first == 1 && second == 1 ? PAIR_DD : kinds[first + second];
}

static enum match_pair pair_turned(enum match_pair kind)
{
    return kind == PAIR_WL || kind == PAIR_DD ? kind : PAIR_WW - kind;
}

/* Pairs the n-th game of one colour with the n-th of the other, in each group of the sorted games:
 * those that are in no pair yet. */
static void pair_groups(struct matches *matches)
{
    struct match_game *games = matches->games;
    for (size_t first = 0, end = 0; first < matches->game_count; first = end) {
        size_t next[2] = {first, first};
        while (end < matches->game_count && compare_groups(&games[first], &games[end]) == 0)
            end++;
        while (games[first].low != games[first].high) {
            for (unsigned color = 0; color < 2; color++)
                while (next[color] < end &&
                       (games[next[color]].turned != color || games[next[color]].paired))
                    next[color]++;
            if (next[0] == end || next[1] == end)
                break;
            games[next[0]].pair = match_pair_of(games[next[0]].points, games[next[1]].points);
            games[next[0]].paired = games[next[1]].paired = true;
            matches->alone -= 2;
        }
    }
}

/* Counts the pairs of two players, games[0..count). The better one comes first. */
static enum caxton_status count_pairs(struct matches *matches, const struct match_game *games,
                                      size_t count)
{
    struct match_couple couple = {.names = {games->low, games->high}};
    uint64_t low[MATCH_PAIRS] = {0}; /* as games[] say it */
    for (size_t i = 0; i < count; i++)
        low[games[i].pair] += games[i].paired && !games[i].turned;
    struct match_score score = match_score_of(low);
    bool turn = score.mean < .5;
    if (turn)
        couple.names[0] = games->high, couple.names[1] = games->low;
    for (size_t i = 0; i < count; i++)
        if (games[i].paired && !games[i].turned) {
            enum match_pair kind = turn ? pair_turned(games[i].pair) : games[i].pair;
            couple.pairs[kind]++;
            matches->counts[games[i].exit].pairs[kind]++;
        }
    if (score.pairs == 0)
        return STATUS_OK;
    if (!ARRAY_GROW(matches->couples, matches->couple_capacity, matches->couple_count + 1))
        return STATUS_NO_MEMORY;
    matches->couples[matches->couple_count++] = couple;
    return STATUS_OK;
}

/* The least useful first. */
static int compare_exits(const void *a, const void *b)
{
    const struct match_exit *x = a;
    const struct match_exit *y = b;
    const struct match_score score[] = {match_score_of(x->pairs), match_score_of(y->pairs)};
    double left = (double)(score[0].decided + 1) / (double)(score[0].pairs + 2);
    double right = (double)(score[1].decided + 1) / (double)(score[1].pairs + 2);
    if (left < right || left > right)
        return left < right ? -1 : 1;
    return (x->opening > y->opening) - (x->opening < y->opening);
}

static void judge(struct matches *matches, uint64_t wanted)
{
    for (size_t i = 0; i < matches->exits.count; i++) {
        for (int kind = 0; kind < MATCH_PAIRS; kind++)
            matches->all.pairs[kind] += matches->counts[i].pairs[kind];
        for (int result = 0; result < 4; result++)
            matches->all.results[result] += matches->counts[i].results[result];
        matches->all.apart += matches->counts[i].apart;
    }
    const struct match_score all = match_score_of(matches->all.pairs);
    double share = all.pairs ? (double)all.decided / (double)all.pairs : 0;
    if (wanted == 0 && share > 0)
        wanted = share < 1 ? (uint64_t)ceil(log(.05) / log1p(-share)) : 1;
    matches->wanted = wanted;
    for (size_t i = 0; i < matches->exits.count; i++) {
        const struct match_score score = match_score_of(matches->counts[i].pairs);
        matches->counts[i].useless = wanted > 0 && score.decided == 0 && score.pairs >= wanted;
        matches->useless += matches->counts[i].useless;
    }
    if (matches->exits.count > 0)
        qsort(matches->counts, matches->exits.count, sizeof *matches->counts, compare_exits);
}

enum caxton_status matches_pair(struct matches *matches, uint64_t wanted)
{
    struct match_game *games = matches->games;
    enum caxton_status status = STATUS_OK;
    matches->alone = matches->game_count;
    for (int pass = 0; pass < 2 && matches->game_count > 0; pass++) {
        qsort(games, matches->game_count, sizeof *games, compare_games);
        pair_groups(matches);
        for (size_t i = 0; i < matches->game_count; i++)
            games[i].round = 0; /* of no matter for games without a partner in their round */
    }
    for (size_t first = 0, end = 0; first < matches->game_count && status == STATUS_OK;
         first = end) {
        while (end < matches->game_count && games[end].low == games[first].low &&
               games[end].high == games[first].high)
            end++;
        status = count_pairs(matches, games + first, end - first);
    }
    judge(matches, wanted);
    return status;
}

/* Numbers ------------------------------------------------------------------------------------- */

static const double Z95 = 1.959963984540054; /* of the normal distribution */

struct match_score match_score_of(const uint64_t pairs[MATCH_PAIRS])
{
    static const double points[] = {[PAIR_LL] = 0,  [PAIR_LD] = .25, [PAIR_WL] = .5,
                                    [PAIR_DD] = .5, [PAIR_WD] = .75, [PAIR_WW] = 1};
    const double nelo_unit = 800 / log(10);
    struct match_score score = {.mean = .5};
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < MATCH_PAIRS; i++) {
        score.pairs += pairs[i];
        sum += points[i] * (double)pairs[i];
    }
    score.decided = score.pairs - pairs[PAIR_WL] - pairs[PAIR_DD];
    if (score.pairs == 0)
        return score;
    score.mean = sum / (double)score.pairs;
    for (int i = 0; i < MATCH_PAIRS; i++)
        squares += (points[i] - score.mean) * (points[i] - score.mean) * (double)pairs[i];
    score.deviation = sqrt(squares / (double)score.pairs);
    score.error = Z95 * score.deviation / sqrt((double)score.pairs);
    score.nelo_error = nelo_unit * Z95 / sqrt(2 * (double)score.pairs);
    if (score.deviation > 0) /* a game's share of the deviation of a pair is 1 / sqrt(2) */
        score.nelo = nelo_unit * (score.mean - .5) / (score.deviation * sqrt(2));
    return score;
}

double match_los(const struct match_score *score)
{
    double sigmas = score->deviation > 0 ? Z95 * (score->mean - .5) / score->error : 0;
    return erfc(-sigmas / sqrt(2)) / 2;
}

/* The SPRT's results of a pair: 0 to 2 points, as points of a game. */
enum { SPRT_RESULTS = 5 };
static const double sprt_points[SPRT_RESULTS] = {0, .25, .5, .75, 1};

/* The most likely shares under which the mean of `phi` is 0, when `seen` were seen: seen / (1 +
 * theta phi), with the theta between the poles that makes it so. */
static void likeliest(const double seen[SPRT_RESULTS], const double phi[SPRT_RESULTS],
                      double out[SPRT_RESULTS])
{
    enum { STEPS = 80 };
    double low = -INFINITY;
    double high = INFINITY;
    for (int i = 0; i < SPRT_RESULTS; i++) {
        low = phi[i] > 0 ? fmax(low, -1 / phi[i]) : low;
        high = phi[i] < 0 ? fmin(high, -1 / phi[i]) : high;
    }
    for (int step = 0; step < STEPS; step++) {
        double theta = (low + high) / 2;
        double mean = 0;
        for (int i = 0; i < SPRT_RESULTS; i++) {
            out[i] = seen[i] / (1 + theta * phi[i]);
            mean += out[i] * phi[i];
        }
        *(mean > 0 ? &low : &high) = theta;
    }
}

/* The same of shares with (mean - 1/2) / deviation = t: again and again with the mean and deviation
 * of the last ones. */
static void likeliest_at(const double seen[SPRT_RESULTS], double t, double out[SPRT_RESULTS])
{
    enum { STEPS = 40 };
    for (int i = 0; i < SPRT_RESULTS; i++)
        out[i] = 1 / (double)SPRT_RESULTS;
    for (int step = 0; step < STEPS; step++) {
        double mean = 0;
        double variance = 0;
        double phi[SPRT_RESULTS];
        for (int i = 0; i < SPRT_RESULTS; i++)
            mean += out[i] * sprt_points[i];
        for (int i = 0; i < SPRT_RESULTS; i++)
            variance += out[i] * (sprt_points[i] - mean) * (sprt_points[i] - mean);
        for (int i = 0; i < SPRT_RESULTS; i++) {
            double off = (sprt_points[i] - mean) * (sprt_points[i] - mean) / variance;
            phi[i] = sprt_points[i] - .5 - t * sqrt(variance) * (1 + off) / 2;
        }
        likeliest(seen, phi, out);
    }
}

double match_llr(const uint64_t pairs[MATCH_PAIRS], double nelo0, double nelo1)
{
    static const double unseen = 1e-3; /* so that no result is impossible */
    const double unit = sqrt(2) * log(10) / 800;
    const uint64_t counts[SPRT_RESULTS] = {pairs[PAIR_LL], pairs[PAIR_LD],
                                           pairs[PAIR_WL] + pairs[PAIR_DD], pairs[PAIR_WD],
                                           pairs[PAIR_WW]};
    double seen[SPRT_RESULTS];
    double likely[2][SPRT_RESULTS];
    double total = 0;
    double llr = 0;
    for (int i = 0; i < SPRT_RESULTS; i++) {
        seen[i] = counts[i] ? (double)counts[i] : unseen;
        total += seen[i];
    }
    for (int i = 0; i < SPRT_RESULTS; i++)
        seen[i] /= total;
    likeliest_at(seen, nelo0 * unit, likely[0]);
    likeliest_at(seen, nelo1 * unit, likely[1]);
    for (int i = 0; i < SPRT_RESULTS; i++)
        llr += total * seen[i] * log(likely[1][i] / likely[0][i]);
    return llr;
}

double match_elo(double mean)
{
    return 400 * log10(mean / (1 - mean));
}
