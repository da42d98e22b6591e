#include "book/weigh/weigh.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/command_line.h"
#include "book/polyglot_entry.h"
#include "book/weigh/threshold.h"

bool weigh_read_score(const char *text, struct least_score *least)
{
    enum { DECIMALS = 4, ALL = 1000000 }; /* one of them is a millionth */
    int64_t ppm = 0;
    bool is_signed = text && (*text == '-' || *text == '+');
    if (text && !options_read_percent(text + is_signed, DECIMALS, ALL, &ppm))
        return false;
    *least =
        (struct least_score){is_signed && *text == '-' ? -(int32_t)ppm : (int32_t)ppm, is_signed};
    return true;
}

/* The value of a move from its counts. The formulas stand in weigh.h. */

__extension__ typedef unsigned __int128 wide;

/* Shares are given in units of 2^-48. */
enum { SHARE_BITS = 48, LOG_BITS = 32, ELO_BITS = 32, ELO_LIMIT = 800 };

static uint64_t at_least_one(wide value)
{
    return value ? (uint64_t)value : 1;
}

/* The largest root with root * root <= x: one bit after the other, from the highest. */
static uint64_t square_root(wide x)
{
    wide root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        wide tried = root | (wide)1 << bit;
        if (tried <= x / tried)
            root = tried;
    }
    return (uint64_t)root;
}

/* In fixed point: zz = 1.96^2 = 2401/625; numerator and denominator of the formula are taken n
 * times, and in units of 2^-40, points and N in units of 2^-16. No intermediate result exceeds 128
 * bits while N <= 2^33; larger numbers are halved until they fit, where the interval is narrower
 * than any weight shows. */
static uint64_t wilson(uint64_t half_points_won, uint64_t half_points_played, uint64_t unit)
{
    enum { GAME = 1 << 16, POINT_SHIFT = 40 - 16 - 1 };
    wide points = (wide)half_points_won * GAME / unit;
    wide most = (wide)half_points_played * GAME / unit;
    if (half_points_won == 0)
        return 0;
    while (most > (wide)GAME << 33) {
        points /= 2;
        most /= 2;
    }
    wide spread = ((points * (most - points) << 31) / most * 2401 << 33) / 1250;
    wide constant = ((wide)2401 * 2401 << 80) / (4 * 625 * 625);
    wide middle = (points << POINT_SHIFT) + ((wide)2401 << 40) / 1250;
    wide root = square_root(spread + constant);
    wide whole = (most << POINT_SHIFT) + ((wide)2401 << 40) / 625;
    return at_least_one(middle > root ? ((middle - root) << SHARE_BITS) / whole : 0);
}

/* log2(a / b) in units of 2^-32, for b <= a < 2^62. Squaring a number doubles its logarithm, which
 * shows one bit of it after the other. Source: Knuth, "The Art of Computer Programming", volume 1,
 * section 1.2.2. */
static uint64_t log2_of_ratio(uint64_t a, uint64_t b)
{
    wide x = ((wide)a << 62) / b;
    uint64_t result = 0;
    for (; x >> 63; x >>= 1)
        result++;
    for (int i = 0; i < LOG_BITS; i++) {
        x = x * x >> 62;
        result <<= 1;
        if (x >> 63) {
            x >>= 1;
            result |= 1;
        }
    }
    return result;
}

/* In units of 2^-32 Elo. */
static uint64_t performance(uint64_t points, uint64_t most)
{
    const uint64_t zero = (uint64_t)ELO_LIMIT << ELO_BITS;
    const uint64_t elo_per_bit = 2020178104; /* 400 log10(2) in units of 2^-24 */
    uint64_t lost = most - points;
    uint64_t more = points > lost ? points : lost;
    uint64_t less = points > lost ? lost : points;
    uint64_t difference = zero;
    if (less > 0 && more / 100 < less) /* odds of 100 are 800 Elo */
        difference = (uint64_t)((wide)log2_of_ratio(more, less) * elo_per_bit >> 24);
    if (difference > zero)
        difference = zero;
    return points > lost ? zero + difference : zero - difference;
}

/* Kinds ------------------------------------------------------------------------------------ */

static uint64_t value_score(const struct tally *tally, uint64_t unit)
{
    (void)unit;
    return tally_points(tally);
}

static uint64_t value_games(const struct tally *tally, uint64_t unit)
{
    (void)unit;
    return tally_games(tally);
}

static uint64_t value_expectation(const struct tally *tally, uint64_t unit)
{
    uint64_t points = tally_points(tally);
    (void)unit;
    return points ? at_least_one(((wide)points << SHARE_BITS) / (2 * tally_games(tally))) : 0;
}

static uint64_t value_wilson(const struct tally *tally, uint64_t unit)
{
    return wilson(tally_points(tally), 2 * tally_games(tally), unit);
}

static uint64_t value_performance(const struct tally *tally, uint64_t unit)
{
    (void)unit;
    return performance(tally_points(tally), 2 * tally_games(tally));
}

/* clang-format off */
static const struct weight_kind kinds[] = {
    {.name = "score", .whole = true, .value = value_score,
     .help = "  score        2w + d (the default)\n"},
    {.name = "games", .whole = true, .value = value_games,
     .help = "  games        w + d + l\n"},
    {.name = "expectation", .value = value_expectation,
     .help = "  expectation  s = (2w + d) / 2(w + d + l), the share of the points\n"},
    {.name = "wilson", .value = value_wilson,
     .help = "  wilson       the lower end of the 95 % confidence interval of s (Wilson 1927): few games\n"
             "               count for less\n"},
    {.name = "performance", .value = value_performance,
     .help = "  performance  800 + 400 log10(s / (1 - s)), at least 0 and at most 1600: the Elo of that\n"
             "               score against opponents as strong as the player\n"},
};

/* clang-format on */

const struct weight_kind *weight_kinds(size_t *count)
{
    *count = sizeof kinds / sizeof *kinds;
    return kinds;
}

typedef threshold_sum wide;

/* What the book has of a position that many games come to. */
struct near {
    uint64_t key;
    struct weigh_fallen most; /* its most played move, without the line */
    uint16_t move;            /* that move */
    bool is_in_book;
    size_t first, count; /* of its moves in `near_moves` */
};

struct weigher {
    FILE *out;
    struct weigh_options options;
    struct weigh_report report;
    bool open; /* tallies of `key` were seen */
    uint64_t key;
    struct tally tallies[WEIGH_MOVES_MAX];
    uint64_t values[WEIGH_MOVES_MAX];
    struct polyglot_entry entries[WEIGH_MOVES_MAX];
    size_t count;
    size_t overrides_done; /* those of positions that are written */
    uint64_t most_games;   /* of a position so far */
    struct near current;
    struct near *near;
    size_t near_count, near_capacity;
    uint16_t *near_moves;
    size_t move_count, move_capacity;
};

static void set_options(struct weigher *weigher, const struct weigh_options *options)
{
    weigher->options = *options;
    weigher->options.unit = options->unit ? options->unit : 1;
    if (!options->kind) {
        size_t count;
        weigher->options.kind = weight_kinds(&count);
    }
}

struct weigher *weigher_create(FILE *out, const struct weigh_options *options)
{
    struct weigher *weigher = calloc(1, sizeof *weigher);
    if (weigher) {
        weigher->out = out;
        set_options(weigher, options);
    }
    return weigher;
}

void weigher_destroy(struct weigher *weigher)
{
    if (weigher) {
        free(weigher->near);
        free(weigher->near_moves);
    }
    free(weigher);
}

/* Whole numbers stay as they are where they can. */
static uint16_t scale(const struct weigh_options *options, uint64_t value, uint64_t largest)
{
    if (options->unit == 1 && options->kind->whole && !options->factor &&
        largest <= POLYGLOT_WEIGHT_MAX)
        return (uint16_t)value;
    uint64_t scaled = (uint64_t)(((wide)value * POLYGLOT_WEIGHT_MAX + largest / 2) / largest);
    return (uint16_t)(scaled ? scaled : 1);
}

static uint64_t value_of(const struct weigh_options *options, const struct tally *tally)
{
    enum { FINER = 8 }; /* bits: the largest values have 48 */
    uint64_t value = options->kind->value(tally, options->unit);
    if (!options->factor || value == 0)
        return value;
    uint32_t factor = options->factor(options->factor_context, tally->key, tally->move);
    return factor ? at_least_one((wide)value * factor >> FINER) : 0;
}

/* From the tallies of a position to its moves and their values: without those that scored nothing
 * or too little. */
static void drop_low_scores(struct weigher *weigher)
{
    const struct weigh_options *options = &weigher->options;
    struct near *current = &weigher->current;
    struct weigh_fallen *most = &current->most;
    *current = (struct near){.key = weigher->key};
    for (size_t i = 0; i < weigher->count; i++) {
        const struct tally *tally = &weigher->tallies[i];
        most->all_games += tally_games(tally);
        most->all_points += tally_points(tally);
        if (tally_games(tally) <= most->games)
            continue;
        most->games = tally_games(tally);
        most->points = tally_points(tally);
        current->move = tally->move;
    }
    size_t kept = 0;
    most->by_share = true;
    for (size_t i = 0; i < weigher->count; i++) {
        const struct tally *tally = &weigher->tallies[i];
        uint64_t value = value_of(options, tally);
        if (value == 0 ||
            threshold_score_is_below(tally_points(tally), tally_games(tally), most->all_points,
                                     most->all_games, options->min_score)) {
            most->by_share = most->by_share && tally->move != current->move;
            continue;
        }
        weigher->values[kept] = value;
        weigher->entries[kept++] = (struct polyglot_entry){.key = tally->key, .move = tally->move};
    }
    weigher->report.worthless += weigher->count - kept;
    weigher->count = kept;
}

static void drop_small_shares(struct weigher *weigher)
{
    wide sum = 0;
    size_t kept = 0;
    for (size_t i = 0; i < weigher->count; i++)
        sum += weigher->values[i];
    for (size_t i = 0; i < weigher->count; i++) {
        if (threshold_share_is_below(weigher->values[i], sum, weigher->options.min_share_ppm))
            continue;
        weigher->values[kept] = weigher->values[i];
        weigher->entries[kept++] = weigher->entries[i];
    }
    weigher->report.small += weigher->count - kept;
    weigher->count = kept;
}

static void set_weights(struct weigher *weigher)
{
    const struct weigh_options *options = &weigher->options;
    uint64_t largest = 0;
    for (size_t i = 0; i < weigher->count; i++)
        if (weigher->values[i] > largest)
            largest = weigher->values[i];
    for (size_t i = 0; i < weigher->count; i++)
        weigher->entries[i].weight =
            options->uniform ? 1 : scale(options, weigher->values[i], largest);
}

static void apply_override(struct weigher *weigher, const struct override *override)
{
    size_t i = 0;
    while (i < weigher->count && weigher->entries[i].move != override->move)
        i++;
    if (override->kind == OVERRIDE_NEVER) {
        if (i < weigher->count) {
            weigher->entries[i] = weigher->entries[--weigher->count];
            weigher->report.overridden++;
        }
        return;
    }
    if (i == WEIGH_MOVES_MAX)
        return;
    if (i == weigher->count)
        weigher->count++;
    weigher->entries[i] = (struct polyglot_entry){
        .key = override->key, .move = override->move, .weight = override->weight};
    weigher->report.overridden++;
}

/* Leaves only the moves that overrides of the position decide. */
static void keep_decided(struct weigher *weigher, const struct override *list, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < weigher->count; i++) {
        size_t at = 0;
        while (at < count && list[at].move != weigher->entries[i].move)
            at++;
        if (at < count)
            weigher->entries[kept++] = weigher->entries[i];
        else
            weigher->report.overridden++;
    }
    weigher->count = kept;
}

/* Applies the overrides of the position; they are next in the list. */
static void apply_overrides(struct weigher *weigher)
{
    const struct overrides *overrides = weigher->options.overrides;
    if (!overrides)
        return;
    size_t first = weigher->overrides_done;
    size_t end = first;
    bool always = false;
    while (end < overrides->count && overrides->list[end].key == weigher->key)
        always |= overrides->list[end++].kind == OVERRIDE_ALWAYS;
    if (always)
        keep_decided(weigher, overrides->list + first, end - first);
    for (size_t i = first; i < end; i++)
        apply_override(weigher, &overrides->list[i]);
    weigher->overrides_done = end;
}

/* From the tallies of a position to its entries. */
static void finish_position(struct weigher *weigher)
{
    drop_low_scores(weigher);
    drop_small_shares(weigher);
    set_weights(weigher);
    apply_overrides(weigher);
    qsort(weigher->entries, weigher->count, sizeof *weigher->entries, polyglot_compare);
}

/* Keeps what the book has of a position, for name_fallen(), if one game in a hundred of the most
 * that a position had so far came to it. */
static enum caxton_status keep_near(struct weigher *weigher)
{
    enum { GAMES_LEAST = 20, ONE_IN = 100 };
    struct near near = weigher->current;
    if (near.most.all_games > weigher->most_games)
        weigher->most_games = near.most.all_games;
    if (near.most.all_games < GAMES_LEAST * weigher->options.unit ||
        near.most.all_games < weigher->most_games / ONE_IN)
        return STATUS_OK;
    near.first = weigher->move_count;
    near.count = weigher->count;
    if (!ARRAY_GROW(weigher->near, weigher->near_capacity, weigher->near_count + 1) ||
        !ARRAY_GROW(weigher->near_moves, weigher->move_capacity, near.first + near.count + 1))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < near.count; i++) {
        near.is_in_book |= weigher->entries[i].move == near.move;
        weigher->near_moves[weigher->move_count++] = weigher->entries[i].move;
    }
    weigher->near[weigher->near_count++] = near;
    return STATUS_OK;
}

static void name_fallen(struct weigher *weigher, const struct position *pos,
                        struct weigh_fallen *line, uint32_t plies)
{
    size_t at = 0;
    while (at < weigher->near_count && weigher->near[at].key != pos->key)
        at++;
    if (at == weigher->near_count || weigher->near[at].most.all_games < weigher->most_games / 100)
        return;
    struct near *near = &weigher->near[at];
    if (line->plies == plies && !near->is_in_book) {
        struct weigh_report *report = &weigher->report;
        struct weigh_fallen *fallen = &near->most;
        memcpy(fallen->line, line->line, plies * sizeof *line->line);
        fallen->line[plies] = polyglot_to_move(pos, near->move);
        fallen->plies = plies + 1;
        near->is_in_book = true; /* named once */
        if (report->fallen_count++ < WEIGH_FALLEN_MAX)
            report->fallen[report->fallen_count - 1] = *fallen;
    }
    for (size_t i = 0; i < near->count && plies < line->plies; i++) {
        struct position next = *pos;
        move m = polyglot_to_move(pos, weigher->near_moves[near->first + i]);
        if (m == MOVE_NONE)
            continue;
        line->line[plies] = m;
        position_play(&next, m);
        name_fallen(weigher, &next, line, plies + 1);
    }
}

static enum caxton_status write_position(struct weigher *weigher)
{
    finish_position(weigher);
    if (keep_near(weigher) != STATUS_OK)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < weigher->count; i++) {
        uint8_t bytes[POLYGLOT_ENTRY_SIZE];
        polyglot_encode(&weigher->entries[i], bytes);
        if (fwrite(bytes, sizeof bytes, 1, weigher->out) != 1)
            return STATUS_IO;
    }
    weigher->report.positions += weigher->count > 0;
    weigher->report.entries += weigher->count;
    weigher->count = 0;
    weigher->open = false;
    return STATUS_OK;
}

/* Writes the positions that only overrides know and whose keys come before `key`; NULL: all. */
static enum caxton_status write_overrides(struct weigher *weigher, const uint64_t *key)
{
    const struct overrides *overrides = weigher->options.overrides;
    enum caxton_status status = STATUS_OK;
    while (overrides && weigher->overrides_done < overrides->count && status == STATUS_OK) {
        weigher->key = overrides->list[weigher->overrides_done].key;
        if (key && weigher->key >= *key)
            break;
        status = write_position(weigher);
    }
    return status;
}

/* Ends the position before and begins that of `key`. */
static enum caxton_status turn_to(struct weigher *weigher, uint64_t key)
{
    enum caxton_status status = weigher->open ? write_position(weigher) : STATUS_OK;
    if (status == STATUS_OK)
        status = write_overrides(weigher, &key);
    weigher->open = true;
    weigher->key = key;
    return status;
}

/* Adds a move to the position, unless it is too rare. */
static void consider(struct weigher *weigher, const struct tally *tally)
{
    const struct weigh_options *options = &weigher->options;
    if (threshold_is_rare(tally_games(tally), options->min_games, options->unit))
        weigher->report.rare++;
    /* More moves than any position has: two positions share a key, which books cannot tell apart.
     */
    else if (weigher->count < WEIGH_MOVES_MAX)
        weigher->tallies[weigher->count++] = *tally;
}

enum caxton_status weigher_take(void *context, const struct tally *tally)
{
    struct weigher *weigher = context;
    if (!weigher->open || tally->key != weigher->key) {
        enum caxton_status status = turn_to(weigher, tally->key);
        if (status != STATUS_OK)
            return status;
    }
    consider(weigher, tally);
    return STATUS_OK;
}

size_t weigh_position(const struct weigh_options *options, const struct tally *tallies,
                      size_t count, struct polyglot_entry *out)
{
    struct weigher weigher = {.key = count ? tallies[0].key : 0};
    set_options(&weigher, options);
    for (size_t i = 0; i < count; i++)
        consider(&weigher, &tallies[i]);
    finish_position(&weigher);
    if (weigher.count > 0)
        memcpy(out, weigher.entries, weigher.count * sizeof *out);
    return weigher.count;
}

enum caxton_status weigher_finish(struct weigher *weigher, struct weigh_report *report)
{
    enum caxton_status status = weigher->open ? write_position(weigher) : STATUS_OK;
    if (status == STATUS_OK)
        status = write_overrides(weigher, NULL);
    struct position start;
    struct weigh_fallen line = {.plies = 0};
    position_start(&start);
    for (; line.plies <= WEIGH_NEAR_PLIES; line.plies++)
        name_fallen(weigher, &start, &line, 0);
    *report = weigher->report;
    return status;
}
