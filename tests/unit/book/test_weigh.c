/* Weights, on counts small enough to do by hand; and hand tuning. It is long because each formula
 * has its figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/count/filter/amount.h"
#include "book/polyglot_entry.h"
#include "book/statistics/wld.h"
#include "book/weigh/weigh.h"
#include "chess/attacks.h"
#include "chess/notation.h"

enum { KEY = 9, ENTRIES_MAX = 64 };

static const struct weight_kind *kind_of(const char *name)
{
    size_t count;
    const struct weight_kind *kinds = weight_kinds(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    fail_msg("no weight %s", name);
    return NULL;
}

static struct polyglot_entry written[ENTRIES_MAX];
static size_t written_count;
static struct weigh_report report;

static void weigh_tallies(const struct weigh_options *options, const struct tally *tallies,
                          size_t count)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    struct weigher *weigher = weigher_create(file, options);
    assert_non_null(weigher);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(weigher_take(weigher, &tallies[i]), STATUS_OK);
    assert_int_equal(weigher_finish(weigher, &report), STATUS_OK);
    weigher_destroy(weigher);
    rewind(file);
    uint8_t bytes[POLYGLOT_ENTRY_SIZE];
    for (written_count = 0; fread(bytes, sizeof bytes, 1, file) == 1; written_count++) {
        assert_true(written_count < ENTRIES_MAX);
        written[written_count] = polyglot_decode(bytes);
        if (written_count)
            assert_true(polyglot_compare(&written[written_count - 1], &written[written_count]) < 0);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(report.entries, written_count);
}

/* One position whose i-th move has counts[i]. */
static void weigh(const struct weigh_options *options, const uint64_t (*counts)[OUTCOMES],
                  size_t count)
{
    struct tally tallies[16];
    assert_true(count <= 16);
    for (size_t i = 0; i < count; i++) {
        tallies[i] = (struct tally){.key = KEY, .move = (uint16_t)i};
        memcpy(tallies[i].counts, counts[i], sizeof tallies[i].counts);
    }
    weigh_tallies(options, tallies, count);
}

/* -1: not in the book. */
static int weight_at(uint64_t key, unsigned stored)
{
    for (size_t i = 0; i < written_count; i++)
        if (written[i].key == key && written[i].move == stored)
            return written[i].weight;
    return -1;
}

static int weight_of(unsigned i)
{
    return weight_at(KEY, i);
}

static const uint64_t several[][OUTCOMES] = {
    {3, 0, 1}, /* 6 half points of 8 */
    {1, 2, 1}, /* 4 of 8 */
    {0, 1, 0}, /* 1 of 2 */
    {0, 0, 5}, /* none */
};

static void score_is_two_for_a_win_and_one_for_a_draw(void **state)
{
    (void)state;
    weigh(&(struct weigh_options){.kind = NULL}, several, 4);
    assert_int_equal(weight_of(0), 6);
    assert_int_equal(weight_of(1), 4);
    assert_int_equal(weight_of(2), 1);
    assert_int_equal(weight_of(3), -1);
    assert_int_equal(report.worthless, 1);
    assert_int_equal(report.positions, 1);
}

static void games_count_lost_ones_too(void **state)
{
    (void)state;
    weigh(&(struct weigh_options){.kind = kind_of("games")}, several, 4);
    assert_int_equal(weight_of(0), 4);
    assert_int_equal(weight_of(1), 4);
    assert_int_equal(weight_of(2), 1);
    assert_int_equal(weight_of(3), 5);
}

static void expectation_is_the_share_of_the_points(void **state)
{
    (void)state;
    weigh(&(struct weigh_options){.kind = kind_of("expectation")}, several, 4);
    assert_int_equal(weight_of(0), 65535); /* 3/4 */
    assert_int_equal(weight_of(1), 43690); /* 1/2 */
    assert_int_equal(weight_of(2), 43690);
    assert_int_equal(weight_of(3), -1);
}

static void wilson_trusts_many_games(void **state)
{
    (void)state;
    /* Lower ends: 10 of 10: 10 / 13.8416 = 0.722460; 1 of 1: 1 / 4.8416 = 0.206543;
     * 2 of 4: (0.5 + 0.4802 - 1.96 sqrt(0.122525)) / 1.9604 = 0.150036; draws as half points. */
    static const uint64_t counts[][OUTCOMES] = {
        {10, 0, 0}, {1, 0, 0}, {2, 0, 2}, {0, 4, 0}, {0, 0, 9},
    };
    weigh(&(struct weigh_options){.kind = kind_of("wilson")}, counts, 5);
    assert_int_equal(weight_of(0), 65535);
    assert_int_equal(weight_of(1), 18736);
    assert_int_equal(weight_of(2), 13610);
    assert_int_equal(weight_of(3), 13610);
    assert_int_equal(weight_of(4), -1);
    /* With billions of games the interval is a point: 6/7. */
    static const uint64_t billions[][OUTCOMES] = {
        {UINT64_C(7000000000), 0, 0},
        {UINT64_C(6000000000), 0, UINT64_C(1000000000)},
    };
    weigh(&(struct weigh_options){.kind = kind_of("wilson")}, billions, 2);
    assert_in_range(weight_of(1), 56171, 56173); /* 65535 * 6 / 7 = 56172.9 */
}

static void performance_is_logistic(void **state)
{
    (void)state;
    /* Odds of 10 are 400 Elo, 3 are 190.85; 100 and more are 800, so is every score of 100 %. */
    static const uint64_t counts[][OUTCOMES] = {
        {7, 0, 0}, {10, 0, 1}, {2, 2, 0}, {4, 0, 4}, {1, 0, 10}, {100, 0, 1}, {1, 0, 100},
    };
    weigh(&(struct weigh_options){.kind = kind_of("performance")}, counts, 7);
    assert_int_equal(weight_of(0), 65535);
    assert_int_equal(weight_of(1), 49151); /* 1200 of 1600 */
    assert_int_equal(weight_of(2), 40585); /* 990.85 of 1600 */
    assert_int_equal(weight_of(3), 32768); /* 800 of 1600 */
    assert_int_equal(weight_of(4), 16384); /* 400 of 1600 */
    assert_int_equal(weight_of(5), 65535);
    assert_int_equal(weight_of(6), -1);
}

/* A win more is worth more, a loss more is worth less, in every kind that looks at results. */
static void better_results_never_weigh_less(void **state)
{
    (void)state;
    const struct weight_kind *kinds[] = {kind_of("score"), kind_of("expectation"),
                                         kind_of("wilson"), kind_of("performance")};
    static const uint64_t sizes[] = {0, 1, 2, 7, 1000, UINT64_C(1) << 32, TALLY_GAMES_MAX / 4};
    for (size_t k = 0; k < 8; k++)
        for (size_t i = 0; i < 7; i++)
            for (size_t j = 0; j < 7; j++)
                for (size_t l = 0; l < 7; l++) {
                    struct tally tally = {.counts = {sizes[i], sizes[j], sizes[l] + 1}};
                    struct tally better = tally;
                    uint64_t unit = k < 4 ? 1 : TALLY_UNIT;
                    better.counts[OUTCOME_WIN]++;
                    better.counts[OUTCOME_LOSS]--;
                    assert_true(kinds[k % 4]->value(&better, unit) >=
                                kinds[k % 4]->value(&tally, unit));
                }
}

/* Counts in parts of a game: 8 games of half their weight each are worth 4 games in every way but
 * the scale of whole numbers. */
static void parts_of_games_are_worth_their_sum(void **state)
{
    (void)state;
    uint64_t parts[4][OUTCOMES];
    for (size_t i = 0; i < 4; i++)
        for (int j = 0; j < OUTCOMES; j++)
            parts[i][j] = several[i][j] * 2 * (TALLY_UNIT / 2);
    size_t kinds_count;
    const struct weight_kind *kinds = weight_kinds(&kinds_count);
    for (size_t kind = 0; kind < kinds_count; kind++) {
        struct weigh_options options = {.kind = &kinds[kind], .min_games = 2};
        weigh(&options, several, 4);
        int whole[4] = {weight_of(0), weight_of(1), weight_of(2), weight_of(3)};
        struct weigh_report before = report;
        options.unit = TALLY_UNIT;
        weigh(&options, (const uint64_t(*)[OUTCOMES])parts, 4);
        assert_int_equal(report.rare, before.rare);
        assert_int_equal(report.worthless, before.worthless);
        for (unsigned i = 0; i < 4; i++)
            if (!kinds[kind].whole)
                assert_int_equal(weight_of(i), whole[i]);
    }
    /* 6 and 4 half points, 4 and 4 and 5 games, with 65535 as the largest. */
    struct weigh_options options = {.kind = kind_of("score"), .unit = TALLY_UNIT};
    weigh(&options, (const uint64_t(*)[OUTCOMES])parts, 4);
    assert_int_equal(weight_of(0), 65535);
    assert_int_equal(weight_of(1), 43690);
    options.kind = kind_of("games");
    weigh(&options, (const uint64_t(*)[OUTCOMES])parts, 4);
    assert_int_equal(weight_of(0), 52428);
    assert_int_equal(weight_of(3), 65535);
    /* One unit short of two games is too rare. */
    static const uint64_t short_of_two[][OUTCOMES] = {{2 * TALLY_UNIT - 1, 0, 0},
                                                      {2 * TALLY_UNIT, 0, 0}};
    options.min_games = 2;
    weigh(&options, short_of_two, 2);
    assert_int_equal(weight_of(0), -1);
    assert_int_equal(weight_of(1), 65535);
    options.min_games = INT64_MAX; /* times the unit this is no 64-bit number */
    weigh(&options, short_of_two, 2);
    assert_int_equal(report.rare, 2);
}

static void wilson_counts_parts_of_games(void **state)
{
    (void)state;
    /* The lower ends of half a win and of a quarter: n / (n + 3.8416) = 0.115164 and 0.061100. */
    static const uint64_t counts[][OUTCOMES] = {{TALLY_UNIT / 2, 0, 0}, {TALLY_UNIT / 4, 0, 0}};
    weigh(&(struct weigh_options){.kind = kind_of("wilson"), .unit = TALLY_UNIT}, counts, 2);
    assert_int_equal(weight_of(0), 65535);
    assert_int_equal(weight_of(1), 34770); /* 65535 * (0.25 / 4.0916) / (0.5 / 4.3416) */
}

static void large_positions_keep_their_ratios(void **state)
{
    (void)state;
    static const uint64_t counts[][OUTCOMES] = {
        {TALLY_GAMES_MAX, 0, 0}, {TALLY_GAMES_MAX / 4, 0, 0}, {0, 1, 0}};
    weigh(&(struct weigh_options){.kind = NULL}, counts, 3);
    assert_int_equal(weight_of(0), 65535);
    assert_int_equal(weight_of(1), 16384);
    assert_int_equal(weight_of(2), 1);
}

static void uniform_weights_are_one(void **state)
{
    (void)state;
    weigh(&(struct weigh_options){.uniform = true, .min_share_ppm = 200000}, several, 4);
    assert_int_equal(weight_of(0), 1);
    assert_int_equal(weight_of(1), 1);
    assert_int_equal(weight_of(2), -1); /* 1 of 11 is less than 20 % */
}

static void limits_leave_moves_out(void **state)
{
    (void)state;
    weigh(&(struct weigh_options){.min_games = 4}, several, 4);
    assert_int_equal(weight_of(0), 6);
    assert_int_equal(weight_of(1), 4);
    assert_int_equal(weight_of(2), -1);
    assert_int_equal(report.rare, 1);

    /* Exactly half the points is not below half. */
    weigh(&(struct weigh_options){.min_score = {500000, false}}, several, 4);
    assert_int_equal(weight_of(1), 4);
    weigh(&(struct weigh_options){.min_score = {500001, false}}, several, 4);
    assert_int_equal(weight_of(0), 6);
    assert_int_equal(weight_of(1), -1);
    assert_int_equal(weight_of(2), -1);
    assert_int_equal(report.worthless, 3);

    /* All three moves together have half of the points, the last none of its two. */
    static const uint64_t loses[][OUTCOMES] = {{4, 0, 2}, {1, 0, 1}, {0, 0, 2}};
    weigh(&(struct weigh_options){.min_score = {0, true}}, loses, 3);
    assert_int_equal(weight_of(0), 8);
    assert_int_equal(weight_of(1), 2);
    assert_int_equal(weight_of(2), -1);
    weigh(&(struct weigh_options){.min_score = {1, true}}, loses, 3);
    assert_int_equal(weight_of(1), -1);
    /* Rare moves are not among those: the others have 5 of 8 points then. */
    static const uint64_t rare_one[][OUTCOMES] = {{4, 0, 2}, {1, 0, 1}, {0, 0, 1}};
    weigh(&(struct weigh_options){.min_games = 2, .min_score = {-125000, true}}, rare_one, 3);
    assert_int_equal(weight_of(1), 2);
    weigh(&(struct weigh_options){.min_games = 2, .min_score = {-124999, true}}, rare_one, 3);
    assert_int_equal(weight_of(1), -1);

    /* 0.5 % of 200 is 1: not below. */
    static const uint64_t rare[][OUTCOMES] = {{99, 1, 0}, {0, 1, 0}};
    weigh(&(struct weigh_options){.min_share_ppm = 5000}, rare, 2);
    assert_int_equal(weight_of(1), 1);
    weigh(&(struct weigh_options){.min_share_ppm = 5001}, rare, 2);
    assert_int_equal(weight_of(0), 199);
    assert_int_equal(weight_of(1), -1);
    assert_int_equal(report.small, 1);
}

/* Overrides -------------------------------------------------------------------------------- */

static char faults[1024];

static void note_fault(void *context, const struct diag *diag)
{
    (void)context;
    size_t size = strlen(faults);
    (void)snprintf(faults + size, sizeof faults - size, "%zu:%zu %s\n", diag->line, diag->column,
                   diag->text);
}

static struct overrides parse(const char *text)
{
    struct overrides overrides = {0};
    faults[0] = '\0';
    assert_int_equal(overrides_parse(span_of(text), false, note_fault, NULL, &overrides),
                     STATUS_OK);
    assert_string_equal(faults, "");
    return overrides;
}

/* Key before, and stored form of, the last move of a UCI line. */
static struct tally tally_after(const char *moves, uint64_t wins)
{
    struct position pos;
    struct tally tally = {.counts = {wins, 0, 0}};
    position_start(&pos);
    struct span rest = span_of(moves);
    for (struct span word; (word = span_token(&rest)).size;) {
        struct undo undo;
        move m;
        assert_int_equal(move_from_uci(&pos, word, &m), STATUS_OK);
        tally.key = pos.key;
        tally.move = polyglot_from_move(m);
        position_make(&pos, m, &undo);
    }
    return tally;
}

static int compare(const void *a, const void *b)
{
    return tally_compare(a, b);
}

static int book_weight(const char *moves)
{
    struct tally tally = tally_after(moves, 1);
    return weight_at(tally.key, tally.move);
}

static void tune(const char *text)
{
    struct overrides overrides = parse(text);
    struct tally tallies[] = {
        tally_after("e2e4", 10),     tally_after("d2d4", 20),          tally_after("c2c4", 5),
        tally_after("e2e4 e7e5", 3), tally_after("e2e4 c7c5", 4),      tally_after("d2d4 d7d5", 9),
        tally_after("e2e4 e7e6", 2), tally_after("e2e4 e7e5 g1f3", 7),
    };
    qsort(tallies, sizeof tallies / sizeof *tallies, sizeof *tallies, compare);
    weigh_tallies(&(struct weigh_options){.overrides = &overrides}, tallies,
                  sizeof tallies / sizeof *tallies);
    overrides_free(&overrides);
}

static void a_weight_replaces_or_adds(void **state)
{
    (void)state;
    tune("1. e4 : 500\n"
         "b2b3:7 # new here\n"
         "1.e4 a6 2.d4 : 65535\n"); /* after a move that no game has */
    assert_int_equal(book_weight("e2e4"), 500);
    assert_int_equal(book_weight("d2d4"), 40);
    assert_int_equal(book_weight("b2b3"), 7);
    assert_int_equal(book_weight("e2e4 a7a6 d2d4"), 65535);
    assert_int_equal(book_weight("e2e4 a7a6"), -1);
    assert_int_equal(written_count, 10);
    assert_int_equal(report.overridden, 3);
}

/* Each move that was decided counts once. */
static void decisions_are_counted(void **state)
{
    (void)state;
    tune("1. e4 : always\n");
    assert_int_equal(report.overridden, 3);
    tune("1. e4 : always\n1. d4 : never\n");
    assert_int_equal(report.overridden, 3);
    assert_int_equal(book_weight("d2d4"), -1);
    assert_int_equal(book_weight("c2c4"), -1);
}

/* Known, but never played: the entry stays. */
static void a_weight_of_0_is_written(void **state)
{
    (void)state;
    tune("1. e4 : 0\n");
    assert_int_equal(book_weight("e2e4"), 0);
    assert_int_equal(report.overridden, 1);
}

static void never_removes(void **state)
{
    (void)state;
    tune("d4 : never\nd4 d5 : NEVER\n1. e4 e5 2. Qh5 : never\n");
    assert_int_equal(book_weight("d2d4"), -1);
    assert_int_equal(book_weight("d2d4 d7d5"), -1);
    assert_int_equal(book_weight("e2e4"), 20);
    assert_int_equal(written_count, 6);
}

static void always_leaves_nothing_else(void **state)
{
    (void)state;
    tune("# the Sicilian or nothing\n\n1. e4 c5 : always\r\nNf3 : always\nc4:always\nd4 : never");
    assert_int_equal(book_weight("e2e4 c7c5"), 65535);
    assert_int_equal(book_weight("e2e4 e7e5"), -1);
    assert_int_equal(book_weight("e2e4 e7e6"), -1);
    assert_int_equal(book_weight("e2e4"), -1);
    assert_int_equal(book_weight("g1f3"), 65535);
    assert_int_equal(book_weight("c2c4"), 65535);
    assert_int_equal(book_weight("e2e4 e7e5 g1f3"), 14);
}

static void moves_are_read_as_people_write_them(void **state)
{
    (void)state;
    struct overrides overrides =
        parse("\xEF\xBB\xBF# a mate, and castling\n"
              "1. f3 e5 2. g4 Qh4# : 9\n"
              "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 O-O : 8 # comment: with a colon\n");
    assert_int_equal(overrides.count, 2);
    overrides_free(&overrides);
    overrides = parse("");
    assert_int_equal(overrides.count, 0);
    overrides_free(&overrides);
}

static void every_fault_is_named(void **state)
{
    (void)state;
    static const char text[] = "e4 e5 Ke3 : 5\n"
                               "d4 d5\n"
                               "  : 5\n"
                               "a3 : -1\n"
                               "a4 : 65536\n"
                               "h3 :\n"
                               "hello : never\n"
                               "# fine\n"
                               "e4 : always\n"
                               "d4 : 4\n"
                               "1. e4 : never\n"
                               "a2 : 1\n";
    struct overrides overrides = {0};
    faults[0] = '\0';
    assert_int_equal(overrides_parse(span_of(text), false, note_fault, NULL, &overrides),
                     STATUS_SYNTAX);
    assert_null(overrides.list);
    assert_string_equal(faults,
                        "1:7 Ke3 is not legal here\n"
                        "2:1 a colon is missing: MOVES : WEIGHT, never or always\n"
                        "3:1 no moves before the colon\n"
                        "4:6 -1 is neither a weight from 0 to 65535 nor never nor always\n"
                        "5:6 65536 is neither a weight from 0 to 65535 nor never nor always\n"
                        "6:5 a weight, never or always is missing after the colon\n"
                        "7:1 hello is no move\n"
                        "10:0 a weight is no use in a position with \"always\", see line 9\n"
                        "11:0 the same move in the same position as in line 9\n"
                        "12:1 a2 is not legal here\n");
}

static size_t fault_count;

static void count_fault(void *context, const struct diag *diag)
{
    fault_count++;
    *(struct diag *)context = *diag;
}

/* The first hundred are named, in memory that the file does not bound. */
static void faults_without_number_are_counted(void **state)
{
    (void)state;
    enum { LINES = 5000 };
    char text[2 * LINES + 1] = "";
    struct overrides overrides = {0};
    struct diag last;
    for (size_t i = 0; i < LINES; i++)
        memcpy(text + 2 * i, "a\n", 3);
    assert_int_equal(overrides_parse(span_of(text), false, count_fault, &last, &overrides),
                     STATUS_SYNTAX);
    assert_int_equal(fault_count, 101);
    assert_int_equal(last.line, LINES);
    assert_string_equal(last.text, "there are 4900 more faults");
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(score_is_two_for_a_win_and_one_for_a_draw),
        cmocka_unit_test(games_count_lost_ones_too),
        cmocka_unit_test(expectation_is_the_share_of_the_points),
        cmocka_unit_test(wilson_trusts_many_games),
        cmocka_unit_test(performance_is_logistic),
        cmocka_unit_test(better_results_never_weigh_less),
        cmocka_unit_test(parts_of_games_are_worth_their_sum),
        cmocka_unit_test(wilson_counts_parts_of_games),
        cmocka_unit_test(large_positions_keep_their_ratios),
        cmocka_unit_test(uniform_weights_are_one),
        cmocka_unit_test(limits_leave_moves_out),
        cmocka_unit_test(a_weight_replaces_or_adds),
        cmocka_unit_test(decisions_are_counted),
        cmocka_unit_test(a_weight_of_0_is_written),
        cmocka_unit_test(never_removes),
        cmocka_unit_test(always_leaves_nothing_else),
        cmocka_unit_test(moves_are_read_as_people_write_them),
        cmocka_unit_test(every_fault_is_named),
        cmocka_unit_test(faults_without_number_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
