/* Parameters of the opening explorer's interface: forms, defaults, bounds, faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "book/explorer/query.h"
#include "chess/attacks.h"
#include "chess/fen.h"

static struct explorer_query query;
static struct diag diag;

static enum caxton_status parse(enum explorer_kind kind, const char *text)
{
    diag.text[0] = '\0';
    return explorer_query_parse(span_of(text), kind, &query, &diag);
}

static void assert_fen(const char *text, const char *fen)
{
    char found[FEN_MAX];
    assert_int_equal(parse(EXPLORER_LICHESS, text), STATUS_OK);
    fen_format(&query.pos, found);
    assert_string_equal(found, fen);
}

static void defaults(void **state)
{
    (void)state;
    assert_fen("", fen_start);
    assert_true(facet_filter_is_all(&query.filter));
    assert_true(query.is_chess);
    assert_null(query.opening);
    assert_int_equal(query.moves, 12);
    assert_int_equal(query.top_games, 4);
    assert_int_equal(query.recent_games, 8);
    assert_false(query.history);
    assert_int_equal(parse(EXPLORER_MASTERS, ""), STATUS_OK);
    assert_int_equal(query.top_games, 15);
    assert_int_equal(parse(EXPLORER_PLAYER, "player=A-b_9&color=black"), STATUS_OK);
    assert_int_equal(query.moves, UINT32_MAX);
    assert_string_equal(query.player, "a-b_9");
    assert_int_equal(query.color, BLACK);
    assert_int_equal(parse(EXPLORER_HISTORY, "moves=5&history=no"), STATUS_OK);
    assert_true(query.history);
    assert_int_equal(query.moves + query.top_games + query.recent_games, 0);
}

static void positions(void **state)
{
    (void)state;
    static const char after[] = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_fen("play=e2e4,c7c5", after);
    assert_string_equal(query.opening->code, "B20");
    assert_fen("fen=rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-_0_2", after);
    assert_string_equal(query.opening->code, "B20");
    assert_fen("fen=rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR%20w+KQkq+-+0+2", after);
    assert_fen("fen=rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR",
               "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 1");
    assert_fen("fen=4k3/8/8/8/8/8/8/4K2R+b+KQkq+e6", "4k3/8/8/8/8/8/8/4K2R b K - 0 1");
    assert_fen("play=", fen_start);
    assert_fen("play=e2e4&fen=8/4k3/8/8/8/8/4P3/4K3", "8/4k3/8/8/4P3/8/8/4K3 b - - 0 1");
    static const char castled[] =
        "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4";
    assert_fen("play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5,e1g1", castled);
    assert_fen("play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5,e1h1", castled);
    /* The name on the way stays. */
    assert_int_equal(parse(EXPLORER_LICHESS, "play=e2e4,c7c5,a2a3,a7a6,a3a4,a6a5"), STATUS_OK);
    assert_string_equal(query.opening->code, "B20");
}

static void long_lines(void **state)
{
    (void)state;
    static const char *const round[] = {"g1f3,", "g8f6,", "f3g1,", "f6g8,"};
    char text[3000] = "play=";
    for (int i = 0; i < 300; i++)
        (void)strncat(text, round[i % 4], sizeof text - strlen(text) - 1);
    size_t size = strlen(text);
    text[size - 1] = '\0';
    assert_int_equal(parse(EXPLORER_LICHESS, text), STATUS_OK);
    assert_int_equal(query.pos.fullmove, 151);
    (void)strncat(text, ",e2e5", sizeof text - strlen(text) - 1);
    assert_int_equal(parse(EXPLORER_LICHESS, text), STATUS_ILLEGAL);
    assert_string_equal(diag.text, "bad request: illegal uci");
}

static void filters(void **state)
{
    (void)state;
    assert_int_equal(parse(EXPLORER_LICHESS, "speeds=blitz,rapid&ratings=1790,2500,0"), STATUS_OK);
    assert_int_equal(query.filter.speeds, 1 << SPEED_BLITZ | 1 << SPEED_RAPID);
    assert_int_equal(query.filter.groups, 1 << 1 | 1 << 5 | 1 << 9);
    assert_int_equal(parse(EXPLORER_LICHESS, "speeds=&ratings="), STATUS_OK);
    assert_int_equal(query.filter.speeds | query.filter.groups, 0);
    assert_int_equal(parse(EXPLORER_LICHESS, "ratings=2800,65535"), STATUS_OK);
    assert_int_equal(query.filter.groups, 0);
    /* More lenient than the reference: lists given twice, and in the form of 2021. */
    assert_int_equal(parse(EXPLORER_LICHESS, "speeds=blitz&speeds=rapid"), STATUS_OK);
    assert_int_equal(query.filter.speeds, 1 << SPEED_BLITZ | 1 << SPEED_RAPID);
    assert_int_equal(parse(EXPLORER_LICHESS, "speeds%5B%5D=blitz&speeds[]=x&speeds[]=bullet"),
                     STATUS_OK);
    assert_int_equal(query.filter.speeds, 1 << SPEED_BLITZ | 1 << SPEED_BULLET);
    assert_int_equal(parse(EXPLORER_LICHESS, "ratings[]=x&moves[]=x&history[]=1"), STATUS_OK);
    assert_true(facet_filter_is_all(&query.filter));
    assert_int_equal(parse(EXPLORER_LICHESS, "since=2025-5&until=2025/05"), STATUS_OK);
    assert_int_equal(query.filter.since, month_make(2025, 5));
    assert_int_equal(query.filter.until, month_make(2025, 5));
    assert_int_equal(parse(EXPLORER_MASTERS, "since=1952&until=3000&speeds=x&ratings=y&history=z"),
                     STATUS_OK);
    assert_int_equal(query.filter.since, month_make(1952, 0));
    assert_int_equal(query.filter.until, month_make(3000, 12));
    assert_int_equal(parse(EXPLORER_PLAYER, "player=x&color=white&modes=casual"), STATUS_OK);
    assert_int_equal(query.filter.groups, 0);
    assert_int_equal(parse(EXPLORER_PLAYER, "player=x&color=white&modes=casual,rated"), STATUS_OK);
    assert_true(facet_filter_is_all(&query.filter));
    assert_int_equal(parse(EXPLORER_LICHESS, "variant=antichess&fen=8/8/8/8/8/8/8/8"), STATUS_OK);
    assert_false(query.is_chess);
    assert_int_equal(parse(EXPLORER_LICHESS, "moves=0&topGames=99&recentGames=%2B5"), STATUS_OK);
    assert_int_equal(query.moves, 0);
    assert_int_equal(query.top_games, 4);
    assert_int_equal(query.recent_games, 5);
    assert_int_equal(parse(EXPLORER_LICHESS, "history=True&&a&=&b=1&b=2&source=a+b"), STATUS_OK);
    assert_true(query.history);
}

static const char *const unreadable[] = {
    "moves=",
    "moves=-1",
    "moves=1.5",
    "moves=99999999999999999999",
    "moves=x",
    "moves=1&moves=1",
    "moves",
    "topGames=",
    "recentGames=a",
    "history=",
    "history=TRUE",
    "history=2",
    "variant=Blitz",
    "variant=",
    "variant=STANDARD",
    "speeds=Blitz",
    "speeds=blitz,",
    "speeds=,blitz",
    "speeds=blitz,%20rapid",
    "ratings=1600,",
    "ratings=65536",
    "ratings=-1",
    "ratings=1600,+1800",
    "ratings=x",
    "since=",
    "since=2025",
    "since=0000-01",
    "since=2025-13",
    "since=2025-0",
    "since=1951-12",
    "since=3001-01",
    "since=2025-05-01",
    "since=2025.05",
    "until=x",
    "until=2025-5&until=2025-6",
    "fen=",
    "fen=x",
    "fen=8/8",
    "fen=%00",
    "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-+0+1+2",
    "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+x",
    "fen=8/8/8/8/8/8/8/8",
    "play=e2",
    "play=e2e4,",
    "play=,e2e4",
    "play=e2e4,%20e7e5",
    "play=e2e4&play=e7e5",
    "fen=8/8&fen=8/8",
    "source=1&source=1",
    "play=e2%65%34x"};

static void faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++) {
        enum caxton_status status = parse(EXPLORER_LICHESS, unreadable[i]);
        if (status != STATUS_SYNTAX && status != STATUS_ILLEGAL)
            fail_msg("%s: %d", unreadable[i], status);
        assert_non_null(strstr(diag.text, status == STATUS_ILLEGAL
                                              ? "bad request: illegal "
                                              : "Failed to deserialize query string: "));
    }
}

static void other_faults(void **state)
{
    (void)state;
    static const char *const illegal[] = {"fen=4k3/8/8/8/8/8/8/8",
                                          "fen=kk6/8/8/8/8/8/8/K7",
                                          "fen=P3k3/8/8/8/8/8/8/4K3",
                                          "fen=4k3/8/8/8/8/8/8/4K2p",
                                          "fen=4k3/4R3/8/8/8/8/8/4K3+w",
                                          "play=e2e5",
                                          "play=e2e4,e2e4"};
    for (size_t i = 0; i < sizeof illegal / sizeof *illegal; i++)
        assert_int_equal(parse(EXPLORER_LICHESS, illegal[i]), STATUS_ILLEGAL);
    static const char *const player[] = {"",
                                         "player=x",
                                         "color=white",
                                         "player=x&color=w",
                                         "player=&color=white",
                                         "player=a%20b&color=white",
                                         "player=1234567890123456789012345678901&color=white",
                                         "player=x&color=white&modes=fast",
                                         "player=x&color=white&modes=rated,"};
    for (size_t i = 0; i < sizeof player / sizeof *player; i++)
        assert_int_equal(parse(EXPLORER_PLAYER, player[i]), STATUS_SYNTAX);
    static const char *const masters[] = {"since=2020-05", "until=1951", "since=3001", "since="};
    for (size_t i = 0; i < sizeof masters / sizeof *masters; i++)
        assert_int_equal(parse(EXPLORER_MASTERS, masters[i]), STATUS_SYNTAX);
}

static void a_megabyte_of_each(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    static const char *const names[] = {"fen",   "play",     "speeds",      "ratings", "since",
                                        "moves", "topGames", "recentGames", "history", "variant"};
    char *text = malloc(SIZE);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size = strlen(names[i]);
        memset(text, i % 2 ? '1' : ',', SIZE);
        memcpy(text, names[i], size);
        text[size] = '=';
        assert_int_equal(
            explorer_query_parse(span_make(text, SIZE), EXPLORER_LICHESS, &query, &diag),
            STATUS_SYNTAX);
    }
    free(text);
}

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(positions),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(filters),
        cmocka_unit_test(faults),
        cmocka_unit_test(other_faults),
        cmocka_unit_test(a_megabyte_of_each),
    };
    return cmocka_run_group_tests_name("explorer query", tests, set_up, NULL);
}
