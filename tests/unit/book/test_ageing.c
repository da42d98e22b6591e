/* Games that count in parts, from their tags to the counts of their moves, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/count/builder.h"
#include "book/polyglot_entry.h"
#include "chess/attacks.h"
#include "chess/notation.h"
#include "tests/support/book_entries.h"
#include "tests/support/filters.h"

enum { GAME = TALLY_UNIT, BYTES_MAX = 1 << 20 };

struct bytes {
    char data[BYTES_MAX];
    size_t size;
};

static struct build_options options;
static struct build_report report;
static struct bytes book;
static struct bytes stats;

static int fresh(void **state)
{
    (void)state;
    options = build_options_default();
    options.min_games = 0;
    return 0;
}

static void keep(FILE *file, struct bytes *out)
{
    rewind(file);
    out->size = fread(out->data, 1, sizeof out->data, file);
    assert_true(out->size < sizeof out->data);
    assert_int_equal(fclose(file), 0);
}

/* Builds book and statistics of all the games. */
static void build(const char *games)
{
    struct diag diag = {.text = ""};
    struct span memory = {games, strlen(games)};
    enum caxton_status status;
    struct builder *builder = builder_create(&options, &status);
    assert_non_null(builder);
    assert_int_equal(builder_read(builder, span_read, &memory, "test", &diag), STATUS_OK);
    FILE *files[2] = {tmpfile(), tmpfile()};
    assert_true(files[0] && files[1]);
    assert_int_equal(builder_write(builder, files[0], files[1], &diag), STATUS_OK);
    report = *builder_report(builder);
    builder_destroy(builder);
    keep(files[0], &book);
    keep(files[1], &stats);
}

static struct wld_reader *open_stats(struct span *memory)
{
    struct diag diag = {.text = ""};
    struct wld_reader *reader = NULL;
    *memory = (struct span){stats.data, stats.size};
    assert_int_equal(wld_reader_create(span_read, memory, "test", &reader, &diag), STATUS_OK);
    return reader;
}

/* What the last of the moves (UCI) counts in the statistics; all zero when it is not there. */
static struct tally count_of(const char *moves)
{
    struct span memory;
    struct wld_reader *reader = open_stats(&memory);
    const char *last = strrchr(moves, ' ');
    char before[200] = "";
    if (last)
        (void)snprintf(before, sizeof before, "%.*s", (int)(last - moves), moves);
    uint64_t key = position_by_moves(before).key;
    uint16_t stored = stored_move(last ? last + 1 : moves);
    struct tally tally;
    struct tally found = {.key = key};
    struct diag diag;
    enum caxton_status status;
    while ((status = wld_reader_next(reader, &tally, &diag)) == STATUS_OK)
        if (tally.key == key && tally.move == stored)
            found = tally;
    assert_int_equal(status, STATUS_END);
    wld_reader_destroy(reader);
    return found;
}

static void assert_counts(const char *moves, uint64_t wins, uint64_t draws, uint64_t losses)
{
    struct tally tally = count_of(moves);
    assert_int_equal(tally.counts[OUTCOME_WIN], wins);
    assert_int_equal(tally.counts[OUTCOME_DRAW], draws);
    assert_int_equal(tally.counts[OUTCOME_LOSS], losses);
}

static uint64_t unit_of_stats(void)
{
    struct span memory;
    struct wld_reader *reader = open_stats(&memory);
    uint64_t unit = wld_reader_info(reader)->unit;
    wld_reader_destroy(reader);
    return unit;
}

#define DATED(date, moves) "[Event \"?\"]\n[Date \"" date "\"]\n\n" moves "\n\n"
#define RATED(white, black, moves)                                                                 \
    "[Event \"?\"]\n[WhiteElo \"" white "\"]\n[BlackElo \"" black "\"]\n\n" moves "\n\n"

/* Half of it every 400 years, which are 146097 days. */
static void age_slowly(void)
{
    options.count.filter.amounts.half_life = 400000;
    options.count.filter.amounts.as_of = 20000101;
}

static void old_games_count_less(void **state)
{
    (void)state;
    age_slowly();
    build(DATED("1600.01.01", "1. e4 e5 1-0") DATED("2000.01.01", "1. e4 c5 0-1")
              DATED("1200.01.01", "1. d4 d5 1/2-1/2") DATED("2024.05.06", "1. d4 d5 1-0"));
    assert_counts("e2e4", GAME / 2, 0, GAME);
    assert_counts("e2e4 e7e5", 0, 0, GAME / 2);
    assert_counts("e2e4 c7c5", GAME, 0, 0);
    assert_counts("d2d4", GAME, GAME / 4, 0); /* what comes later counts in full */
    assert_counts("d2d4 d7d5", 0, GAME / 4, GAME);
    assert_int_equal(report.count.used, 4);
    assert_int_equal(report.unit, GAME);
    assert_int_equal(report.count.amount, GAME / 2 + GAME + GAME / 4 + GAME);
    assert_int_equal(unit_of_stats(), GAME);
    /* 2w + d: 2 * 0.5 of 1.e4 against 2 * 1 + 0.25 of 1.d4, which is 65535. */
    assert_int_equal(book.size % POLYGLOT_ENTRY_SIZE, 0);
    for (size_t i = 0; i < book.size; i += POLYGLOT_ENTRY_SIZE) {
        struct polyglot_entry entry = polyglot_decode((const uint8_t *)book.data + i);
        if (entry.key == position_by_moves("").key)
            assert_int_equal(entry.weight,
                             entry.move == stored_move("d2d4") ? 65535 : 29127); /* 65535 / 2.25 */
    }
}

static void uncertain_dates_age_from_their_middle(void **state)
{
    (void)state;
    age_slowly();
    /* 2 July of 1999 is 183 days before the end: 65536 * 2^(-183/146097) = 65479.1 */
    build(DATED("1999.??.??", "1. e4 1-0") DATED("1999", "1. d4 1-0")
              DATED("1999.07.02", "1. c4 1-0"));
    assert_counts("e2e4", 65479, 0, 0);
    assert_counts("d2d4", 65479, 0, 0);
    assert_counts("c2c4", 65479, 0, 0);
}

static void games_without_a_year_are_left_out(void **state)
{
    (void)state;
    age_slowly();
    build(DATED("????.??.??", "1. e4 1-0") DATED("199?.01.01", "1. e4 1-0")
              DATED("0000.00.00", "1. e4 1-0") DATED("?", "1. e4 1-0")
                  DATED("yesterday", "1. e4 1-0") "[Event \"?\"]\n\n1. e4 1-0\n\n"
                                                  "[UTCDate \"2000.01.01\"]\n\n1. e4 1-0\n");
    assert_int_equal(report.count.left_out[filters_reason("undated")], 6);
    assert_int_equal(report.count.used, 1);
    assert_counts("e2e4", GAME, 0, 0);
}

static void games_too_old_are_left_out(void **state)
{
    (void)state;
    /* Seventeen half-lives of 23.529 years, which are a few hours less than 400 years, leave half a
     * unit, which is rounded up to one; a little more leaves none. */
    options.count.filter.amounts.half_life = 400000 / 17;
    options.count.filter.amounts.as_of = 20001231;
    build(DATED("1600.12.31", "1. e4 1-0") DATED("1601.03.01", "1. d4 1-0"));
    assert_int_equal(report.count.left_out[filters_reason("old")], 1);
    assert_counts("e2e4", 0, 0, 0);
    assert_counts("d2d4", 1, 0, 0);
}

static void stronger_players_count_more(void **state)
{
    (void)state;
    options.count.filter.amounts.elo_points = 200;
    build(RATED("2700", "2700", "1. e4 e5 1-0") RATED("2600", "2400", "1. e4 c5 1-0")
              RATED("2200", "2400", "1. d4 1-0") RATED("2300", "?", "1. c4 1-0")
                  RATED("-", "2300", "1. c4 1-0"));
    assert_counts("e2e4", 2 * GAME + GAME, 0, 0);
    assert_counts("e2e4 e7e5", 0, 0, 2 * GAME); /* the same for both sides */
    assert_counts("d2d4", GAME / 2, 0, 0);
    assert_int_equal(report.count.left_out[filters_reason("unrated")], 2);
    options.count.filter.amounts.elo_unknown = 2100;
    options.count.filter.amounts.elo_reference = 2200;
    build(RATED("2300", "?", "1. c4 1-0") RATED("", "2700", "1. d4 1-0"));
    assert_counts("c2c4", GAME, 0, 0);     /* (2300 + 2100) / 2 = 2200 */
    assert_counts("d2d4", 2 * GAME, 0, 0); /* 2400 */
    assert_int_equal(report.count.left_out[filters_reason("unrated")], 0);
}

static void age_and_elo_multiply(void **state)
{
    (void)state;
    age_slowly();
    options.count.filter.amounts.elo_points = 100;
    build("[Date \"1600.01.01\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2700\"]\n\n1. e4 1-0\n\n"
          "[Date \"1600.01.01\"]\n[WhiteElo \"2350\"]\n[BlackElo \"2350\"]\n\n1. d4 1-0\n");
    assert_counts("e2e4", 2 * GAME, 0, 0);
    assert_counts("d2d4", 11585, 0, 0); /* 2^-2.5 of 65536 */
}

/* Of two copies of a game with other Elo both count when Elo matters, so that it does not matter
 * which comes first; when it does not matter they are one game. */
static void equal_games_are_told_apart_by_what_they_count(void **state)
{
    (void)state;
    static const char one[] = RATED("2700", "2700", "1. e4 1-0") RATED("2300", "2300", "1. e4 1-0")
        RATED("2700", "2700", "1. e4 1-0");
    static const char other[] = RATED("2300", "2300", "1. e4 1-0")
        RATED("2700", "2700", "1. e4 1-0") RATED("2300", "2300", "1. e4 1-0");
    build(one);
    assert_int_equal(report.count.used, 1);
    assert_int_equal(report.count.amount, 1);
    assert_int_equal(unit_of_stats(), 1);
    options.count.filter.amounts.elo_points = 200;
    build(one);
    assert_int_equal(report.count.used, 2);
    assert_int_equal(report.count.left_out[filters_reason("duplicate")], 1);
    assert_counts("e2e4", 2 * GAME + GAME / 2, 0, 0);
    static struct bytes before;
    before = stats;
    build(other);
    assert_int_equal(stats.size, before.size);
    assert_memory_equal(stats.data, before.data, stats.size);
}

static void a_minimum_of_games_is_a_sum_of_what_they_count(void **state)
{
    (void)state;
    static const char games[] =
        DATED("1600.01.01", "1. e4 e5 1-0") DATED("1600.01.01", "1. e4 c5 1-0")
            DATED("1600.01.01", "1. d4 d5 1-0") DATED("1999.12.31", "1. c4 c5 1-0");
    age_slowly();
    options.min_games = 1;
    build(games);
    /* Two halves are one game; a game of yesterday counts 65536 * 2^(-1/146097) = 65535.7. */
    assert_int_equal(report.weights.entries, 2);
    assert_int_equal(report.weights.rare, 5 - 1 - 1 + 1); /* d4 and all replies */
    options.min_games = 0;
    build(games);
    assert_int_equal(report.weights.rare, 0);
    assert_int_equal(report.weights.entries, 3);
    assert_int_equal(report.weights.worthless, 4);
}

/* Thousands of games of all ages and strengths: neither threads nor memory nor order change what is
 * counted. */
static void threads_memory_and_order_change_nothing(void **state)
{
    (void)state;
    enum { GAMES = 20000, GAME_BYTES = 200 };
    static const char *const firsts[] = {"a3", "a4", "b3", "b4", "c3", "c4", "d3", "d4"};
    static const char *const seconds[] = {"a6", "a5", "b6", "b5", "c6", "c5", "d6", "d5"};
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2"};
    char *forward = malloc(GAMES * (size_t)GAME_BYTES);
    char *backward = malloc(GAMES * (size_t)GAME_BYTES);
    assert_true(forward && backward);
    struct text_buffer to[2] = {text_buffer_on(forward, GAMES * (size_t)GAME_BYTES),
                                text_buffer_on(backward, GAMES * (size_t)GAME_BYTES)};
    for (int n = 0; n < 2 * GAMES; n++) {
        int i = n < GAMES ? n : 2 * GAMES - 1 - n;
        text_append(&to[n / GAMES],
                    "[Event \"?\"]\n[White \"%d\"]\n[Date \"%d.%02d.%02d\"]\n[WhiteElo \"%d\"]\n"
                    "[BlackElo \"%d\"]\n\n1. %s %s 2. %s %s\n\n",
                    i % 15000, 1900 + i % 120, 1 + i % 12, 1 + i % 28, 1500 + i % 1300,
                    1600 + i % 1100, firsts[i & 7], seconds[i >> 3 & 7], "Nf3", results[i % 3]);
    }
    assert_false(to[0].cut || to[1].cut);
    options.count.filter.amounts = (struct amount_rule){
        .half_life = 7500, .as_of = 20200101, .elo_points = 150, .elo_reference = 2200};
    build(forward);
    assert_true(report.count.used > 10000 && report.count.used < GAMES);
    static struct bytes expected;
    static struct bytes expected_book;
    expected = stats;
    expected_book = book;
    struct build_report before = report;
    options.count.jobs = 3;
    options.count.memory_bytes = 1;
    build(backward);
    assert_int_equal(report.count.amount, before.count.amount);
    assert_int_equal(stats.size, expected.size);
    assert_memory_equal(stats.data, expected.data, stats.size);
    assert_int_equal(book.size, expected_book.size);
    assert_memory_equal(book.data, expected_book.data, book.size);
    free(forward);
    free(backward);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        TEST(old_games_count_less),
        TEST(uncertain_dates_age_from_their_middle),
        TEST(games_without_a_year_are_left_out),
        TEST(games_too_old_are_left_out),
        TEST(stronger_players_count_more),
        TEST(age_and_elo_multiply),
        TEST(equal_games_are_told_apart_by_what_they_count),
        TEST(a_minimum_of_games_is_a_sum_of_what_they_count),
        TEST(threads_memory_and_order_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
