/* From games to a book, on games small enough to count by hand. It is long because each rule of
 * counting is a case with its games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/count/builder.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "book/statistics/wld_file.h"
#include "chess/attacks.h"
#include "chess/notation.h"
#include "tests/support/filters.h"

/* 1.e4 scores a win, a draw and a loss, 1.d4 a win; the last game has no result. */
static const char five_games[] =
    "[White \"Alpha, A\"]\n[Black \"Beta\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
    "[White \"Beta\"]\n[Black \"Alpha, A\"]\n[Result \"1/2-1/2\"]\n\n1. e4 c5 1/2-1/2\n\n"
    "[White \"Beta\"]\n[Black \"Gamma\"]\n[Result \"0-1\"]\n\n1. e4 e5 0-1\n\n"
    "[White \"Gamma\"]\n[Black \"Beta\"]\n[Result \"1-0\"]\n\n1. d4 1-0\n\n"
    "[White \"Gamma\"]\n[Black \"Alpha, A\"]\n[Result \"*\"]\n\n1. c4 *\n";

static struct build_report report;

/* Builds from `games`; the caller closes the book (NULL when it has no entries). */
static struct book *build(const struct build_options *options, const char *games)
{
    static char bytes[1 << 16];
    struct diag diag = {.text = ""};
    struct span memory = {games, strlen(games)};
    enum caxton_status status;
    struct builder *builder = builder_create(options, &status);
    assert_non_null(builder);
    assert_int_equal(builder_read(builder, span_read, &memory, "test", &diag), STATUS_OK);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(builder_write(builder, file, NULL, &diag), STATUS_OK);
    report = *builder_report(builder);
    builder_destroy(builder);
    rewind(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    struct book *book = NULL;
    if (size)
        assert_int_equal(book_open_memory(bytes, size, "test", &book, &diag), STATUS_OK);
    return book;
}

static struct build_options every_game(void)
{
    struct build_options options = build_options_default();
    options.min_games = 1;
    options.count.keep_duplicates = true;
    return options;
}

/* The weight of the last of `moves` in the position before it; -1 when it is not in the book. */
static int weight_of(const struct book *book, const char *moves)
{
    struct position pos;
    struct position before;
    struct undo undo;
    move m = MOVE_NONE;
    position_start(&pos);
    struct span rest = span_of(moves);
    for (struct span text; (text = span_token(&rest)).size;) {
        before = pos;
        assert_int_equal(move_from_san(&pos, text, &m), STATUS_OK);
        position_make(&pos, m, &undo);
    }
    struct book_move known[MOVES_MAX];
    int count = book_probe(book, &before, known, MOVES_MAX);
    for (int i = 0; i < count; i++)
        if (known[i].move == m)
            return (int)known[i].weight;
    return -1;
}

static void scores_are_the_movers(void **state)
{
    (void)state;
    struct build_options options = every_game();
    struct book *book = build(&options, five_games);
    assert_int_equal(weight_of(book, "e4"), 2 + 1 + 0);
    assert_int_equal(weight_of(book, "d4"), 2);
    assert_int_equal(weight_of(book, "c4"), -1);
    assert_int_equal(weight_of(book, "e4 e5"), 0 + 2);
    assert_int_equal(weight_of(book, "e4 c5"), 1);
    assert_int_equal(weight_of(book, "e4 e5 Nf3"), 2);
    assert_int_equal(report.count.games, 5);
    assert_int_equal(report.count.used, 4);
    assert_int_equal(report.count.left_out[filters_reason("unfinished")], 1);
    assert_int_equal(report.weights.positions, 3);
    assert_int_equal(report.weights.entries, 5);
    book_close(book);
}

static void unfinished_games_are_draws_when_wanted(void **state)
{
    (void)state;
    struct build_options options = every_game();
    assert_int_equal(filters_flag(&options.count.filter, "unfinished"), STATUS_OK);
    struct book *book = build(&options, five_games);
    assert_int_equal(weight_of(book, "c4"), 1);
    assert_int_equal(report.count.used, 5);
    book_close(book);
}

static void depth_games_and_color_limit(void **state)
{
    (void)state;
    struct build_options options = every_game();
    options.count.max_plies = 2;
    options.min_games = 2;
    struct book *book = build(&options, five_games);
    assert_int_equal(weight_of(book, "e4"), 3);
    assert_int_equal(weight_of(book, "d4"), -1);
    assert_int_equal(weight_of(book, "e4 e5"), 2);
    assert_int_equal(weight_of(book, "e4 e5 Nf3"), -1);
    book_close(book);

    options = every_game();
    assert_int_equal(filters_choice(&options.count.filter, "color", 2), STATUS_OK);
    book = build(&options, five_games);
    assert_int_equal(weight_of(book, "e4"), -1);
    assert_int_equal(weight_of(book, "e4 c5"), 1);
    book_close(book);
}

static void player_means_his_own_moves(void **state)
{
    (void)state;
    struct build_options options = every_game();
    assert_int_equal(filters_text(&options.count.filter, "player", "alpha"), STATUS_OK);
    struct book *book = build(&options, five_games);
    assert_int_equal(weight_of(book, "e4"), 2);    /* as White, won */
    assert_int_equal(weight_of(book, "e4 c5"), 1); /* as Black, drawn */
    assert_int_equal(weight_of(book, "e4 e5"), -1);
    assert_int_equal(report.count.left_out[filters_reason("player")], 2);
    book_close(book);
}

static void a_position_counts_once_a_game(void **state)
{
    (void)state;
    struct build_options options = every_game();
    /* The start position stands three times, left by Nf3, Nf3 and e4. */
    struct book *book = build(&options, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 1-0\n");
    assert_int_equal(weight_of(book, "Nf3"), 2);
    assert_int_equal(weight_of(book, "e4"), -1);
    book_close(book);
}

static void moves_that_only_lose_are_left_out(void **state)
{
    (void)state;
    struct build_options options = every_game();
    struct book *book = build(&options, "1. f3 e5 0-1\n");
    assert_int_equal(weight_of(book, "f3"), -1);
    assert_int_equal(weight_of(book, "f3 e5"), 2);
    assert_int_equal(report.weights.worthless, 1);
    book_close(book);
}

static void bad_games_lose_only_themselves(void **state)
{
    (void)state;
    struct build_options options = every_game();
    struct book *book = build(&options, "[Event \"a\"]\n\n1. e4 1-0\n\n"
                                        "[Event \"b\"]\n\n1. e4 e5 2. Ke3 1-0\n\n"
                                        "[Event \"c\"]\n\n1. e4 1-0\n");
    assert_int_equal(weight_of(book, "e4"), 4);
    assert_int_equal(report.count.games, 3);
    assert_int_equal(report.count.left_out[filters_reason("bad")], 1);
    assert_int_equal(report.count.bad[0].number, 2);
    assert_int_equal(report.count.bad[0].diag.line, 7);
    assert_string_equal(report.count.bad[0].file, "test");
    book_close(book);
}

static void equal_games_count_once(void **state)
{
    (void)state;
    /* The second differs in its comment only, the third in its last move, beyond the depth. */
    static const char games[] = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n"
                                "[White \"A\"]\n[Black \"B\"]\n\n1.e4 {x} e5 2.Nf3! Nc6 1-0\n\n"
                                "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nf6 1-0\n";
    struct build_options options = every_game();
    options.count.max_plies = 2;
    options.count.keep_duplicates = false;
    struct book *book = build(&options, games);
    assert_int_equal(weight_of(book, "e4"), 4);
    assert_int_equal(report.count.used, 2);
    assert_int_equal(report.count.left_out[filters_reason("duplicate")], 1);
    book_close(book);
    options.count.keep_duplicates = true;
    book = build(&options, games);
    assert_int_equal(weight_of(book, "e4"), 6);
    book_close(book);
}

static void equal_games_count_once_whatever_the_threads(void **state)
{
    (void)state;
    enum { GAMES = 30000, DIFFERENT = 700 };
    size_t capacity = GAMES * (size_t)128;
    char *games = malloc(capacity);
    assert_non_null(games);
    struct text_buffer text = text_buffer_on(games, capacity);
    for (int i = 0; i < GAMES; i++)
        text_append(&text,
                    "[Event \"%d\"]\n[Site \"somewhere on this earth\"]\n[White \"%d\"]\n\n"
                    "1. e4 {how %d} 1-0\n\n",
                    i, i % DIFFERENT, i);
    assert_false(text.cut);
    struct build_options options = every_game();
    options.count.keep_duplicates = false;
    for (options.count.jobs = 1; options.count.jobs <= 4; options.count.jobs += 3) {
        struct book *book = build(&options, games);
        assert_int_equal(weight_of(book, "e4"), 2 * DIFFERENT);
        assert_int_equal(report.count.used, DIFFERENT);
        assert_int_equal(report.count.left_out[filters_reason("duplicate")], GAMES - DIFFERENT);
        book_close(book);
    }
    free(games);
}

/* The third ply of the second game is illegal. */
static const char one_bad_game[] = "[Event \"a\"]\n\n1. e4 1-0\n\n"
                                   "[Event \"b\"]\n[Result \"1-0\"]\n\n1. d4 d5 2. Ke3 1-0\n";

static void bad_games_count_up_to_their_fault_when_wanted(void **state)
{
    (void)state;
    struct build_options options = every_game();
    assert_int_equal(filters_choice(&options.count.filter, "bad-games", BAD_GAMES_KEEP_PREFIX),
                     STATUS_OK);
    struct book *book = build(&options, one_bad_game);
    assert_int_equal(weight_of(book, "d4"), 2);
    assert_int_equal(report.count.used, 2);
    assert_int_equal(report.count.bad_games, 1);
    assert_int_equal(report.count.bad_used, 1);
    assert_int_equal(report.count.left_out[filters_reason("bad")], 0);
    assert_int_equal(report.count.bad[0].number, 2);
    book_close(book);
}

static void the_first_bad_game_is_fatal_when_strict(void **state)
{
    (void)state;
    struct build_options options = every_game();
    options.count.strict = true;
    struct diag diag = {.text = ""};
    struct span memory = {one_bad_game, strlen(one_bad_game)};
    enum caxton_status status;
    struct builder *builder = builder_create(&options, &status);
    assert_non_null(builder);
    assert_int_equal(builder_read(builder, span_read, &memory, "test", &diag), STATUS_ILLEGAL);
    assert_int_equal(builder_report(builder)->count.bad[0].number, 2);
    assert_int_equal(builder_report(builder)->count.bad[0].diag.line, 8);
    builder_destroy(builder);
}

/* Three megabytes, so that they are cut; every hundredth game is bad. The counts, the numbers and
 * the lines are the same for one thread and for four. */
static void threads_change_nothing(void **state)
{
    (void)state;
    enum { GAMES = 30000 };
    static const char *const movetexts[] = {"1. e4 e5 2. Nf3 Nc6 1-0", "1. d4 d5\n2. c4 e6 0-1",
                                            "1. c4 {a\n\ncomment} e5 1/2-1/2"};
    size_t capacity = GAMES * (size_t)128;
    char *games = malloc(capacity);
    assert_non_null(games);
    struct text_buffer text = text_buffer_on(games, capacity);
    for (int i = 0; i < GAMES; i++)
        text_append(&text, "[Event \"%d\"]\n[Site \"somewhere on this earth\"]\n\n%s\n\n", i,
                    i % 100 == 99 ? "1. e5 1-0" : movetexts[i % 3]);
    assert_false(text.cut);
    assert_true(text.size > 2000000);

    struct build_options options = every_game();
    struct book *book = build(&options, games);
    struct build_report alone = report;
    int weight = weight_of(book, "d4 d5");
    book_close(book);
    options.count.jobs = 4;
    book = build(&options, games);
    assert_int_equal(weight_of(book, "d4 d5"), weight);
    assert_int_equal(weight, 2 * 9900);
    assert_int_equal(alone.count.games, GAMES);
    assert_int_equal(alone.count.left_out[filters_reason("bad")], GAMES / 100);
    assert_int_equal(report.count.used, alone.count.used);
    assert_int_equal(report.count.plies, alone.count.plies);
    assert_memory_equal(report.count.left_out, alone.count.left_out, sizeof alone.count.left_out);
    for (uint64_t i = 0; i < BAD_GAMES_SHOWN; i++) {
        assert_int_equal(report.count.bad[i].number, 100 * (i + 1));
        assert_int_equal(report.count.bad[i].diag.line, alone.count.bad[i].diag.line);
        assert_int_equal(report.count.bad[i].diag.offset, alone.count.bad[i].diag.offset);
        assert_string_equal(report.count.bad[i].diag.text, alone.count.bad[i].diag.text);
    }
    /* Five lines a game, one more for every second text of three, two for every third. */
    assert_int_equal(report.count.bad[0].diag.line, 99 * 5 + 33 * 1 + 33 * 2 + 4);
    book_close(book);
    free(games);
}

static void weigh(const uint64_t (*counts)[OUTCOMES], size_t count, uint16_t *weights)
{
    FILE *file = tmpfile();
    const struct weigh_options options = {.kind = NULL};
    struct weigher *weigher = weigher_create(file, &options);
    struct weigh_report done;
    assert_non_null(weigher);
    for (size_t i = 0; i < count; i++) {
        struct tally tally = {.key = 9, .move = (uint16_t)i};
        memcpy(tally.counts, counts[i], sizeof tally.counts);
        assert_int_equal(weigher_take(weigher, &tally), STATUS_OK);
    }
    assert_int_equal(weigher_finish(weigher, &done), STATUS_OK);
    weigher_destroy(weigher);
    rewind(file);
    uint8_t bytes[POLYGLOT_ENTRY_SIZE];
    for (size_t i = 0; i < count; i++)
        weights[i] = 0;
    while (fread(bytes, sizeof bytes, 1, file) == 1) {
        struct polyglot_entry entry = polyglot_decode(bytes);
        weights[entry.move] = entry.weight;
    }
    assert_int_equal(fclose(file), 0);
}

static void weights_keep_their_ratios(void **state)
{
    (void)state;
    /* As they are while they fit. */
    static const uint64_t fitting[2][OUTCOMES] = {{32767, 1, 0}, {0, 1, 70000}};
    uint16_t weights[3];
    weigh(fitting, 2, weights);
    assert_int_equal(weights[0], 65535);
    assert_int_equal(weights[1], 1);

    /* 688 to 1 stays 688 to 1; what is rare does not vanish. */
    static const uint64_t wide[3][OUTCOMES] = {{344000000, 0, 0}, {500000, 0, 0}, {0, 1, 0}};
    weigh(wide, 3, weights);
    assert_int_equal(weights[0], 65535);
    assert_int_equal(weights[1], 95); /* 65535 / 688 = 95.25 */
    assert_int_equal(weights[2], 1);
}

/* Moves without any tag, more than a chunk of them, and then a failure. */
static enum caxton_status fail_late(void *context, char *buffer, size_t capacity, size_t *size)
{
    enum { MANY = 3 << 20 };
    static const char game[] = "1. e4 e5 1-0\n";
    size_t *given = context;
    if (*given > MANY)
        return STATUS_FORMAT;
    for (size_t i = 0; i < capacity; i++)
        buffer[i] = game[(*given + i) % (sizeof game - 1)];
    *size = capacity;
    *given += capacity;
    return STATUS_OK;
}

static void a_source_that_fails_ends_the_work(void **state)
{
    (void)state;
    struct build_options options = every_game();
    for (options.count.jobs = 1; options.count.jobs <= 2; options.count.jobs++) {
        struct diag diag = {.text = ""};
        size_t given = 0;
        enum caxton_status status;
        struct builder *builder = builder_create(&options, &status);
        assert_non_null(builder);
        assert_int_equal(builder_read(builder, fail_late, &given, "test", &diag), STATUS_FORMAT);
        assert_int_equal(builder_report(builder)->count.bad_games, 0);
        builder_destroy(builder);
    }
}

/* A comment that holds games and lies where the text would be cut into chunks. */
static void a_comment_with_games_is_not_cut(void **state)
{
    (void)state;
    enum { SIZE = 3 << 20, QUOTED = 400 };
    static char text[SIZE + (1 << 16)];
    static const char game[] = "[Event \"x\"]\n\n1. e4 e5 1-0\n\n";
    struct build_options options = every_game();
    size_t size = 0;
    uint64_t games = 0;
    while (size < SIZE) {
        size +=
            (size_t)snprintf(text + size, sizeof text - size, "[Event \"y\"]\n\n1. d4 {as in\n");
        for (int i = 0; i < QUOTED; i++)
            size += (size_t)snprintf(text + size, sizeof text - size, "%s", game);
        size += (size_t)snprintf(text + size, sizeof text - size, "} d5 1/2-1/2\n\n");
        games++;
    }
    for (options.count.jobs = 1; options.count.jobs <= 3; options.count.jobs += 2) {
        struct book *book = build(&options, text);
        assert_int_equal(report.count.games, games);
        assert_int_equal(report.count.bad_games, 0);
        assert_int_equal(weight_of(book, "d4"), games);
        assert_int_equal(weight_of(book, "e4"), -1);
        book_close(book);
    }
}

/* One game more of a move that has as many as a file can hold. */
static void a_sum_too_large_is_named(void **state)
{
    (void)state;
    struct build_options options = every_game();
    char text[WLD_OPTIONS_MAX + 1];
    struct span memory = span_of(five_games);
    struct diag diag = {.text = ""};
    struct wld_writer *writer;
    struct wld_reader *reader;
    struct position start;
    move e4;
    uint64_t records;
    enum caxton_status status;
    position_start(&start);
    assert_int_equal(move_from_uci(&start, span_of("e2e4"), &e4), STATUS_OK);
    const struct tally most = {
        .key = start.key, .counts = {TALLY_GAMES_MAX, 0, 0}, .move = polyglot_from_move(e4)};
    FILE *base = tmpfile();
    FILE *sum = tmpfile();
    assert_true(base && sum);
    options.count.keep_duplicates = false;
    options.count.keep_fingerprints = true;
    assert_int_equal(build_options_text(&options, text), STATUS_OK);
    assert_int_equal(wld_writer_create(base, text, &writer), STATUS_OK);
    assert_int_equal(wld_writer_take(writer, &most), STATUS_OK);
    assert_int_equal(wld_writer_finish(writer, &records), STATUS_OK);
    wld_writer_destroy(writer);
    rewind(base);
    assert_int_equal(wld_reader_create(wld_read_stream, base, "base", &reader, &diag), STATUS_OK);
    struct builder *builder = builder_create(&options, &status);
    assert_non_null(builder);
    assert_int_equal(builder_add_to(builder, reader, &diag), STATUS_OK);
    assert_int_equal(builder_read(builder, span_read, &memory, "test", &diag), STATUS_OK);
    assert_int_equal(builder_write(builder, NULL, sum, &diag), STATUS_RANGE);
    assert_string_equal(diag.text, "a move of position 463b96181691fc9c has more games than can be "
                                   "counted");
    builder_destroy(builder);
    wld_reader_destroy(reader);
    assert_int_equal(fclose(base), 0);
    assert_int_equal(fclose(sum), 0);
}

/* Openings that many games share are counted by the place where a game leaves them. */
static void shared_openings_count_every_game(void **state)
{
    (void)state;
    static const char *const ways[] = {"1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n",
                                       "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 0-1\n\n", /* comes again */
                                       "1. e4 {x} e5! 2. Nf3 d6 1/2-1/2\n\n",
                                       "1. Nf3 Nc6 2. e4 e5 3. Bb5 1-0\n\n"}; /* transposes */
    static char games[1 << 16];
    size_t size = 0;
    enum { ROUNDS = 300 };
    for (int i = 0; i < ROUNDS * 4; i++)
        size += (size_t)snprintf(games + size, sizeof games - size, "%s", ways[i * 7 % 4]);
    struct build_options options = every_game();
    for (size_t plies = 1; plies < 9; plies += 3) {
        options.count.max_plies = plies;
        struct book *book = build(&options, games);
        assert_int_equal(weight_of(book, "e4"), ROUNDS * (2 + 1));
        assert_int_equal(weight_of(book, "Nf3"), ROUNDS * (0 + 2));
        assert_int_equal(weight_of(book, "e4 e5 Nf3"), plies > 2 ? ROUNDS * (2 + 1) : -1);
        assert_int_equal(weight_of(book, "e4 e5 Nf3 Nc6 Bb5"), plies > 4 ? ROUNDS * 2 * 2 : -1);
        assert_int_equal(weight_of(book, "Nf3 Nf6 Ng1 Ng8"), plies > 3 ? ROUNDS * 2 : -1);
        assert_int_equal(report.count.plies, ROUNDS * (plies == 1   ? 4
                                                       : plies == 4 ? 16
                                                                    : 5 + 5 + 4 + 5));
        book_close(book);
    }
}

/* What is left out is right for the games of the first pass alone. */
static void both_passes_bring_the_same_games(void **state)
{
    (void)state;
    struct build_options options = every_game();
    options.min_games = 2;
    options.two_pass_games = 2;
    for (int changes = 0; changes < 2; changes++) {
        struct diag diag = {.text = ""};
        enum caxton_status status;
        struct builder *builder = builder_create(&options, &status);
        assert_non_null(builder);
        struct span memory = span_of(five_games);
        assert_int_equal(builder_read(builder, span_read, &memory, "test", &diag), STATUS_OK);
        assert_int_equal(builder_look_again(builder, &diag), STATUS_OK);
        memory = span_of(five_games);
        memory.size -= changes ? strlen("1. d4 1-0\n\n") + 70 : 0;
        assert_int_equal(builder_read(builder, span_read, &memory, "test", &diag), STATUS_OK);
        FILE *file = tmpfile();
        assert_non_null(file);
        assert_int_equal(builder_write(builder, file, NULL, &diag),
                         changes ? STATUS_IO : STATUS_OK);
        if (changes)
            assert_non_null(strstr(diag.text, "changed while they were read"));
        else
            assert_int_equal(builder_report(builder)->weights.entries, 2);
        assert_int_equal(fclose(file), 0);
        builder_destroy(builder);
    }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_passes_bring_the_same_games),
        cmocka_unit_test(a_sum_too_large_is_named),
        cmocka_unit_test(a_source_that_fails_ends_the_work),
        cmocka_unit_test(a_comment_with_games_is_not_cut),
        cmocka_unit_test(scores_are_the_movers),
        cmocka_unit_test(shared_openings_count_every_game),
        cmocka_unit_test(unfinished_games_are_draws_when_wanted),
        cmocka_unit_test(depth_games_and_color_limit),
        cmocka_unit_test(player_means_his_own_moves),
        cmocka_unit_test(a_position_counts_once_a_game),
        cmocka_unit_test(moves_that_only_lose_are_left_out),
        cmocka_unit_test(bad_games_lose_only_themselves),
        cmocka_unit_test(equal_games_count_once),
        cmocka_unit_test(equal_games_count_once_whatever_the_threads),
        cmocka_unit_test(bad_games_count_up_to_their_fault_when_wanted),
        cmocka_unit_test(the_first_bad_game_is_fatal_when_strict),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(weights_keep_their_ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
