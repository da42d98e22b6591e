/* Answers of the opening explorer's interface from tallies made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "book/explorer/answer.h"
#include "book/polyglot_entry.h"
#include "chess/attacks.h"
#include "chess/notation.h"

static struct explorer_query query;
static struct explorer_sums sums;
static struct memory_stream answer;

/* A move of the position that `text` asks about: its games of one facet. */
struct counted {
    const char *uci;
    uint64_t counts[OUTCOMES];
    uint64_t ratings[2];
    uint32_t facet;
};

static uint32_t facet_of(unsigned year, unsigned month, enum speed speed, unsigned rating)
{
    return facet_make(month_make(year, month), speed, rating_group_of(rating));
}

static const char *ask(enum explorer_kind kind, const char *text, uint64_t unit,
                       const struct counted *list, size_t count, struct explorer_game *games,
                       size_t game_count)
{
    struct diag diag;
    free(answer.bytes);
    assert_int_equal(explorer_query_parse(span_of(text), kind, &query, &diag), STATUS_OK);
    assert_int_equal(explorer_sums_begin(&query, unit, &sums), STATUS_OK);
    for (size_t i = 0; i < count; i++) {
        move m;
        struct tally tally = {.key = query.pos.key, .facet = list[i].facet};
        assert_int_equal(move_from_uci(&query.pos, span_of(list[i].uci), &m), STATUS_OK);
        tally.move = polyglot_from_move(m);
        memcpy(tally.counts, list[i].counts, sizeof tally.counts);
        memcpy(tally.ratings, list[i].ratings, sizeof tally.ratings);
        assert_int_equal(explorer_sums_take(&sums, &tally), STATUS_OK);
    }
    explorer_sums_sort(&sums);
    assert_true(memory_stream_open(&answer));
    explorer_answer_json(&sums, games, game_count, answer.file);
    explorer_sums_free(&sums);
    assert_true(memory_stream_close(&answer));
    return answer.bytes;
}

static struct explorer_game no_games[1];

#define ASK(kind, text, list) ask(kind, text, 1, list, sizeof(list) / sizeof *(list), no_games, 0)

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no %s in: %s", part, text);
}

static void assert_has_not(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("%s in: %s", part, text);
}

static void counts_are_of_white(void **state)
{
    (void)state;
    const struct counted white[] = {{"d2d4", {2, 1, 0}, {3000, 4500}, facet_of(2025, 1, 3, 1300)},
                                    {"e2e4", {1, 2, 4}, {7001, 7000}, facet_of(2025, 1, 3, 1000)}};
    assert_string_equal(
        ASK(EXPLORER_LICHESS, "", white),
        "{\"white\":3,\"draws\":3,\"black\":4,\"moves\":["
        "{\"uci\":\"e2e4\",\"san\":\"e4\",\"averageRating\":1000,\"white\":1,\"draws\":2,"
        "\"black\":4,\"game\":null,\"opening\":{\"eco\":\"B00\",\"name\":\"King's Pawn "
        "Game\"}},"
        "{\"uci\":\"d2d4\",\"san\":\"d4\",\"averageRating\":1000,\"white\":2,\"draws\":1,"
        "\"black\":0,\"game\":null,\"opening\":{\"eco\":\"A40\",\"name\":\"Queen's Pawn "
        "Game\"}}],\"recentGames\":[],\"topGames\":[],\"opening\":null}");
    const struct counted black[] = {{"e7e5", {5, 1, 2}, {8, 8}, facet_of(2025, 1, 3, 1)}};
    assert_has(ASK(EXPLORER_MASTERS, "play=e2e4", black),
               "{\"white\":2,\"draws\":1,\"black\":5,\"moves\":[{\"uci\":\"e7e5\"");
    assert_has_not(answer.bytes, "recentGames");
    assert_has(answer.bytes, "\"topGames\":[],\"opening\":{\"eco\":\"B00\"");
    assert_null(strchr(answer.bytes, '\n'));
    /* The totals have moves that are cut off. */
    assert_has(ASK(EXPLORER_LICHESS, "moves=1", white), "{\"white\":3,\"draws\":3,\"black\":4");
    assert_has_not(answer.bytes, "d2d4");
    assert_has(ASK(EXPLORER_LICHESS, "moves=0", white),
               "{\"white\":3,\"draws\":3,\"black\":4,\"moves\":[]");
}

static void filters_choose(void **state)
{
    (void)state;
    const struct counted list[] = {
        {"e2e4", {1, 0, 0}, {1700, 0}, facet_of(2025, 1, 3, 1700)},
        {"e2e4", {0, 1, 0}, {2600, 0}, facet_of(2025, 2, 4, 2600)},
        {"e2e4", {0, 0, 1}, {0, 0}, 0},
        {"d2d4", {2, 0, 0}, {0, 0}, facet_make(month_make(2024, 0), 0, 0)}};
    assert_has(ASK(EXPLORER_LICHESS, "", list), "{\"white\":3,\"draws\":1,\"black\":1");
    assert_has(answer.bytes, "\"averageRating\":2150,\"white\":1,\"draws\":1,\"black\":1");
    assert_has(answer.bytes, "\"averageRating\":0,\"white\":2");
    assert_has(ASK(EXPLORER_LICHESS, "speeds=blitz", list), "{\"white\":1,\"draws\":0,\"black\":0");
    assert_has(ASK(EXPLORER_LICHESS, "ratings=2500", list), "{\"white\":0,\"draws\":1,\"black\":0");
    assert_has(ASK(EXPLORER_LICHESS, "since=2025-02", list),
               "{\"white\":0,\"draws\":1,\"black\":0");
    assert_has(ASK(EXPLORER_LICHESS, "until=2024-12", list),
               "{\"white\":2,\"draws\":0,\"black\":0");
    assert_has(ASK(EXPLORER_LICHESS, "until=2024-11", list),
               "{\"white\":0,\"draws\":0,\"black\":0");
    assert_has(ASK(EXPLORER_MASTERS, "since=2024&until=2024", list),
               "{\"white\":2,\"draws\":0,\"black\":0");
    assert_has(ASK(EXPLORER_LICHESS, "speeds=", list),
               "{\"white\":0,\"draws\":0,\"black\":0,\"moves\":[],");
    assert_has(ASK(EXPLORER_LICHESS, "variant=atomic", list),
               "{\"white\":0,\"draws\":0,\"black\":0,\"moves\":[],");
}

static void castling_takes_the_rook(void **state)
{
    (void)state;
    const struct counted list[] = {{"e1g1", {1, 0, 2}, {4746, 9}, facet_of(2025, 5, 3, 1500)}};
    assert_has(ASK(EXPLORER_LICHESS, "play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5", list),
               "{\"uci\":\"e1h1\",\"san\":\"O-O\",\"averageRating\":1582,");
    assert_has(answer.bytes, "\"opening\":{\"eco\":\"C50\"");
    /* Half up. */
    const struct counted half[] = {{"e2e4", {2, 0, 0}, {2001, 1}, facet_of(2025, 5, 3, 1000)}};
    assert_has(ASK(EXPLORER_LICHESS, "", half), "\"averageRating\":1001,");
}

static void performance_is_of_the_player(void **state)
{
    (void)state;
    const struct counted list[] = {{"e2e4", {3, 0, 1}, {4000, 8002}, facet_of(2025, 5, 3, 1500)}};
    assert_has(ASK(EXPLORER_PLAYER, "player=x&color=white", list),
               "\"averageOpponentRating\":2001,\"performance\":2194,\"white\":3,\"draws\":0,"
               "\"black\":1,");
    assert_has(answer.bytes, "\"recentGames\":[],\"opening\":null,\"queuePosition\":0}");
    assert_has_not(answer.bytes, "topGames");
    assert_has(ASK(EXPLORER_PLAYER, "player=x&color=black", list),
               "\"averageOpponentRating\":1000,\"performance\":807,");
    const struct counted all[] = {{"e2e4", {4, 0, 0}, {4000, 8000}, facet_of(2025, 5, 3, 1500)}};
    assert_has(ASK(EXPLORER_PLAYER, "player=x&color=white", all), "\"performance\":2800,");
    assert_has(ASK(EXPLORER_PLAYER, "player=x&color=black", all), "\"performance\":200,");
    const struct counted third[] = {{"e2e4", {1, 0, 2}, {3000, 6000}, facet_of(2025, 5, 3, 1500)}};
    assert_has(ASK(EXPLORER_PLAYER, "player=x&color=white", third), "\"performance\":1878,");
    const struct counted none[] = {{"e2e4", {1, 0, 0}, {0, 0}, 0}};
    assert_has(ASK(EXPLORER_PLAYER, "player=x&color=white", none),
               "\"averageOpponentRating\":0,\"performance\":0,");
}

static void history_has_all_months(void **state)
{
    (void)state;
    const struct counted list[] = {
        {"e7e5", {1, 0, 0}, {0, 0}, facet_of(2024, 11, 3, 1500)},
        {"e7e5", {0, 2, 0}, {0, 0}, facet_of(2025, 2, 3, 1500)},
        {"c7c5", {0, 0, 4}, {0, 0}, facet_of(2025, 2, 4, 1500)},
        {"c7c5", {0, 0, 1}, {0, 0}, facet_make(month_make(2026, 0), 3, 5)}};
    assert_has(ASK(EXPLORER_HISTORY, "play=e2e4", list),
               "\"history\":["
               "{\"month\":\"2024-11\",\"white\":0,\"draws\":0,\"black\":1},"
               "{\"month\":\"2024-12\",\"white\":0,\"draws\":0,\"black\":0},"
               "{\"month\":\"2025-01\",\"white\":0,\"draws\":0,\"black\":0},"
               "{\"month\":\"2025-02\",\"white\":4,\"draws\":2,\"black\":0}]}");
    assert_has(ASK(EXPLORER_LICHESS, "play=e2e4&history=yes&since=2025-1&until=2025-12", list),
               "\"history\":["
               "{\"month\":\"2025-01\",\"white\":0,\"draws\":0,\"black\":0},"
               "{\"month\":\"2025-02\",\"white\":4,\"draws\":2,\"black\":0}]}");
    assert_has(ASK(EXPLORER_HISTORY, "play=e2e4&since=2025-3", list), "\"history\":[]}");
    assert_has_not(ASK(EXPLORER_LICHESS, "play=e2e4", list), "history");
}

static void parts_of_games_are_rounded(void **state)
{
    (void)state;
    const struct counted list[] = {{"e2e4", {TALLY_UNIT * 5 / 2, TALLY_UNIT / 4, 0}, {0, 0}, 0}};
    assert_has(ask(EXPLORER_LICHESS, "", TALLY_UNIT, list, 1, no_games, 0),
               "{\"white\":3,\"draws\":0,\"black\":0");
}

/* Games ---------------------------------------------------------------------------------------- */

static struct explorer_game game_of(const char *id, const char *uci, unsigned rating,
                                    enum speed speed, unsigned month, unsigned day)
{
    struct explorer_game game = {
        .result = PGN_BLACK_WINS,
        .facet = facet_make(month_make(2025, month), speed, rating_group_of(rating)),
        .names = {"W", "B"},
        .ratings = {rating, rating},
        .day = day};
    struct position pos;
    position_start(&pos);
    assert_int_equal(move_from_uci(&pos, span_of(uci), &game.move), STATUS_OK);
    text_copy(game.id, sizeof game.id, span_of(id));
    return game;
}

static void lists_of_games(void **state)
{
    (void)state;
    struct explorer_game games[16];
    size_t count = 0;
    const struct counted list[] = {{"e2e4", {9, 0, 0}, {0, 0}, facet_of(2025, 5, 3, 2100)},
                                   {"a2a4", {0, 0, 1}, {0, 0}, facet_of(2025, 5, 3, 2100)}};
    games[count++] = game_of("low", "e2e4", 1500, SPEED_BLITZ, 5, 3);
    games[count++] = game_of("rapid", "e2e4", 2100, SPEED_RAPID, 5, 2);
    games[count++] = game_of("classic", "a2a4", 2100, SPEED_CLASSICAL, 5, 1);
    games[count++] = game_of("blitz28", "e2e4", 2850, SPEED_BLITZ, 4, 1);
    games[count++] = game_of("blitz25", "e2e4", 2799, SPEED_BLITZ, 4, 9);
    assert_string_equal(
        strstr(ask(EXPLORER_LICHESS, "moves=2", 1, list, 2, games, count), "\"game\":{"),
        "\"game\":{\"id\":\"classic\",\"winner\":\"black\",\"speed\":\"classical\","
        "\"mode\":\"rated\",\"black\":{\"name\":\"B\",\"rating\":2100},\"white\":"
        "{\"name\":"
        "\"W\",\"rating\":2100},\"year\":2025,\"month\":\"2025-05\"},\"opening\":{\"eco\":"
        "\"A00\",\"name\":\"Ware Opening\"}}],\"recentGames\":[{\"uci\":\"e2e4\",\"id\":"
        "\"low\",\"winner\":\"black\",\"speed\":\"blitz\",\"mode\":\"rated\",\"black\":"
        "{\"name\":\"B\",\"rating\":1500},\"white\":{\"name\":\"W\",\"rating\":1500},"
        "\"year\":2025,\"month\":\"2025-05\"}],\"topGames\":[{\"uci\":\"e2e4\",\"id\":"
        "\"blitz28\",\"winner\":\"black\",\"speed\":\"blitz\",\"mode\":\"rated\",\"black\":"
        "{\"name\":\"B\",\"rating\":2850},\"white\":{\"name\":\"W\",\"rating\":2850},"
        "\"year\":2025,\"month\":\"2025-04\"},{\"uci\":\"e2e4\",\"id\":\"blitz25\","
        "\"winner\":\"black\",\"speed\":\"blitz\",\"mode\":\"rated\",\"black\":{\"name\":"
        "\"B\",\"rating\":2799},\"white\":{\"name\":\"W\",\"rating\":2799},\"year\":2025,"
        "\"month\":\"2025-04\"},{\"uci\":\"a2a4\",\"id\":\"classic\",\"winner\":\"black\","
        "\"speed\":\"classical\",\"mode\":\"rated\",\"black\":{\"name\":\"B\",\"rating\":"
        "2100},\"white\":{\"name\":\"W\",\"rating\":2100},\"year\":2025,\"month\":"
        "\"2025-05\"},{\"uci\":\"e2e4\",\"id\":\"rapid\",\"winner\":\"black\",\"speed\":"
        "\"rapid\",\"mode\":\"rated\",\"black\":{\"name\":\"B\",\"rating\":2100},"
        "\"white\":"
        "{\"name\":\"W\",\"rating\":2100},\"year\":2025,\"month\":\"2025-05\"}],"
        "\"opening\":null}");
    /* Without the strongest group there are no best games. */
    assert_has(ask(EXPLORER_LICHESS, "ratings=2000,2200", 1, list, 2, games, count),
               "\"topGames\":[]");
    /* Of masters those with the highest ratings, without speed and mode. */
    assert_has(ask(EXPLORER_MASTERS, "topGames=1", 1, list, 2, games, count),
               "\"topGames\":[{\"uci\":\"e2e4\",\"id\":\"blitz28\",\"winner\":\"black\","
               "\"black\":{\"name\":\"B\",\"rating\":2850},");
    assert_has(ask(EXPLORER_PLAYER, "player=x&color=white&recentGames=1", 1, list, 2, games, count),
               "\"recentGames\":[{\"uci\":\"e2e4\",\"id\":\"low\",");
    assert_has_not(answer.bytes, "\"id\":\"rapid\"");
}

static void games_are_read(void **state)
{
    (void)state;
    static const char text[] =
        "[Event \"Casual Blitz game\"]\n[Site \"https://lichess.org/Ab3dEf9h\"]\n"
        "[White \"A \\\"x\\\"\"]\n[Black \"B\"]\n[UTCDate \"2025.05.07\"]\n[WhiteElo \"2001\"]\n"
        "[BlackElo \"1600\"]\n[TimeControl \"180+2\"]\n[Result \"1/2-1/2\"]\n\n"
        "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 1/2-1/2\n\n"
        "[Date \"2025.??.??\"]\n[Site \"https://lichess.org/@/abcdefg\"]\n[Result \"1-0\"]\n\n1. "
        "d4 1-0\n";
    struct pgn_reader *reader = pgn_create_memory(text, sizeof text - 1);
    struct pgn_game game;
    struct diag diag;
    struct explorer_game read = {.id = ""};
    char id[EXPLORER_ID_MAX];
    assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
    assert_int_equal(explorer_query_parse(span_of(""), EXPLORER_LICHESS, &query, &diag), STATUS_OK);
    assert_true(explorer_game_of(&query, &game, &read));
    assert_true(explorer_game_id(&game, id));
    assert_string_equal(id, "Ab3dEf9h");
    assert_int_equal(read.move, move_make(G1, F1 + 16)); /* the first one made there */
    assert_int_equal(facet_speed(read.facet), SPEED_BLITZ);
    assert_true(read.is_casual);
    assert_string_equal(read.names[WHITE], "A \"x\"");
    assert_int_equal(read.ratings[WHITE] + read.ratings[BLACK], 3601);
    assert_int_equal(facet_month(read.facet), month_make(2025, 5));
    assert_int_equal(read.day, 7);
    static const struct {
        const char *text;
        bool passes;
    } cases[] = {{"ratings=1800", true},  {"ratings=2000", false},  {"speeds=blitz", true},
                 {"speeds=rapid", false}, {"since=2025-06", false}, {"until=2025-05", true},
                 {"play=g1f3", true},     {"play=d2d4", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            explorer_query_parse(span_of(cases[i].text), EXPLORER_LICHESS, &query, &diag),
            STATUS_OK);
        assert_int_equal(explorer_game_of(&query, &game, &read), cases[i].passes);
    }
    assert_int_equal(pgn_next(reader, &game, NULL), STATUS_OK);
    assert_false(explorer_game_id(&game, id));
    assert_int_equal(explorer_query_parse(span_of(""), EXPLORER_LICHESS, &query, &diag), STATUS_OK);
    assert_true(explorer_game_of(&query, &game, &read));
    assert_int_equal(facet_month(read.facet), month_make(2025, 0));
    assert_int_equal(facet_speed(read.facet), SPEED_UNKNOWN);
    pgn_destroy(reader);
}

static void games_are_read_where_they_are_told(void **state)
{
    (void)state;
    const struct counted one[] = {{"e2e4", {1, 0, 0}, {0, 0}, 0}};
    static const struct {
        enum explorer_kind kind;
        const char *text;
        bool wanted;
    } cases[] = {{EXPLORER_LICHESS, "", true},
                 {EXPLORER_LICHESS, "topGames=0&recentGames=0", false},
                 {EXPLORER_LICHESS, "topGames=0", true},
                 {EXPLORER_MASTERS, "topGames=0", true},
                 {EXPLORER_MASTERS, "topGames=0&moves=0", true},
                 {EXPLORER_PLAYER, "player=x&color=white&recentGames=0", true},
                 {EXPLORER_HISTORY, "", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)ASK(cases[i].kind, cases[i].text, one);
        if (i != 4)
            assert_int_equal(explorer_wants_games(&sums), cases[i].wanted);
    }
}

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(answer.bytes);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_of_white),
        cmocka_unit_test(filters_choose),
        cmocka_unit_test(castling_takes_the_rook),
        cmocka_unit_test(performance_is_of_the_player),
        cmocka_unit_test(history_has_all_months),
        cmocka_unit_test(parts_of_games_are_rounded),
        cmocka_unit_test(lists_of_games),
        cmocka_unit_test(games_are_read),
        cmocka_unit_test(games_are_read_where_they_are_told),
    };
    return cmocka_run_group_tests_name("explorer answer", tests, set_up, tear_down);
}
