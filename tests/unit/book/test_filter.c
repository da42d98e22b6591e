/* Every filter, on games whose fate is plain to see. It is long because every filter
 * has its own games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "book/count/filter/filter.h"
#include "book/count/filter/filter_table.h"
#include "chess/attacks.h"
#include "tests/support/filters.h"

enum { DEPTH = 6, DEPTH_MAX = 12 };

#define MOVES "\n1. e4 c5 2. Nf3 d6 1-0\n"

/* The filter under test and the last game judged by it. */
static struct filter filter;
static struct verdict verdict;
static struct fingerprint print;
static bool taken[DEPTH_MAX];
static size_t depth;

#define set_flag(name)           assert_int_equal(filters_flag(&filter, name), STATUS_OK)
#define set_choice(name, choice) assert_int_equal(filters_choice(&filter, name, choice), STATUS_OK)
#define set_number(name, number) assert_int_equal(filters_number(&filter, name, number), STATUS_OK)
#define set_text(name, text)     assert_int_equal(filters_text(&filter, name, text), STATUS_OK)

static int fresh(void **state)
{
    (void)state;
    filter = filter_default();
    depth = DEPTH;
    return 0;
}

/* Judges the first game of `text`, read as the book's builder reads it. */
static const char *judge(const char *text)
{
    struct pgn_reader *reader = pgn_create_memory(text, strlen(text));
    struct pgn_game game;
    struct diag fault;
    assert_non_null(reader);
    pgn_set_ply_limit(reader, filter_plies_needed(&filter, depth));
    pgn_set_whole_games(reader, true);
    bool bad = pgn_next(reader, &game, &fault) != STATUS_OK;
    verdict = filter_judge(&filter, &game, bad, depth);
    print = filter_fingerprint(&filter, &game, &verdict, bad ? &fault : NULL, 0);
    for (size_t ply = 0; ply < depth; ply++)
        taken[ply] = verdict.counts && ply >= verdict.first && ply < verdict.end &&
                     filter_takes_ply(&filter, &game, &verdict, ply);
    pgn_destroy(reader);
    return verdict.counts ? "" : filter_reason(verdict.reason)->reason_name;
}

#define assert_counts(text)       assert_string_equal(judge(text), "")
#define assert_left(text, reason) assert_string_equal(judge(text), reason)

/* Which plies are counted, as in "x.x." */
static void assert_plies(const char *expected)
{
    for (size_t ply = 0; expected[ply]; ply++)
        assert_int_equal(taken[ply], expected[ply] == 'x');
}

static void usual_games_count(void **state)
{
    (void)state;
    assert_counts(MOVES);
    assert_plies("xxxx..");
    assert_counts("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 1/2-1/2\n");
    assert_plies("xxxxxx");
    assert_int_equal(verdict.end, DEPTH);
    assert_left("[White \"A\"]\n\n1-0\n", "empty");
}

static void unfinished_games_only_when_wanted(void **state)
{
    (void)state;
    assert_left("1. e4 c5 *\n", "unfinished");
    assert_left("1. e4 c5\n", "unfinished");
    set_flag("unfinished");
    assert_counts("1. e4 c5 *\n");
}

static void games_from_elsewhere_only_when_wanted(void **state)
{
    (void)state;
    static const char kings[] = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 1-0\n";
    assert_left(kings, "set_up");
    /* A tag that gives the usual start position is no other start. */
    assert_counts("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n" MOVES);
    set_flag("fen-games");
    assert_counts(kings);
}

static void variants(void **state)
{
    (void)state;
    static const char chess960[] = "[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/"
                                   "PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n\n1. e4 e5 1-0\n";
    assert_left(chess960, "variant");
    char text[256];
    static const char *const same[] = {"Standard", "From Position", "chess", ""};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        (void)snprintf(text, sizeof text, "[Variant \"%s\"]\n" MOVES, same[i]);
        assert_counts(text);
    }
    set_choice("variant", 1);
    assert_counts(chess960);
    assert_left(MOVES, "variant");
    static const char *const others[] = {"Atomic",       "Crazyhouse",  "Antichess",
                                         "Horde",        "Three-check", "King of the Hill",
                                         "Racing Kings", "3check",      "Xiangqi"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        (void)snprintf(text, sizeof text, "[Variant \"%s\"]\n[FEN \"x\"]\n\n1. N@f3 {} (x) 1-0\n",
                       others[i]);
        assert_left(text, "variant");
        assert_left("[Variant \"Atomic\"]\n\n1. e4 e5 {open\n", "unfinished");
    }
}

static void results(void **state)
{
    (void)state;
    assert_int_equal(filters_text(&filter, "result", "1-0,1/2-1/2"), STATUS_OK);
    assert_counts("1. e4 1-0\n");
    assert_counts("1. e4 1/2-1/2\n");
    assert_left("1. e4 0-1\n", "result");
    assert_int_equal(filters_text(&filter, "result", "1-0,"), STATUS_SYNTAX);
    assert_int_equal(filters_text(&filter, "result", "2-0"), STATUS_SYNTAX);
}

#define ALPHA_BETA "[White \"Alpha, A\"]\n[Black \"Beta\"]\n" MOVES
#define BETA_ALPHA "[White \"Beta\"]\n[Black \"Alpha, A\"]\n" MOVES

static void players_and_colors(void **state)
{
    (void)state;
    set_choice("color", 1);
    assert_counts(ALPHA_BETA);
    assert_plies("x.x.");
    set_text("player", "alpha");
    assert_counts(ALPHA_BETA);
    assert_left(BETA_ALPHA, "player");
    filter = filter_default();
    set_text("player", "alpha");
    assert_counts(BETA_ALPHA);
    assert_plies(".x.x");
    assert_left(MOVES, "player");
}

static void players_by_color(void **state)
{
    (void)state;
    set_text("player-white", "alpha");
    assert_counts(ALPHA_BETA);
    assert_plies("x.x.");
    assert_left(BETA_ALPHA, "player");
    set_text("player-black", "beta");
    assert_counts(ALPHA_BETA);
    assert_plies("xxxx");
    filter = filter_default();
    set_text("player-black", "alpha");
    assert_counts(BETA_ALPHA);
    assert_plies(".x.x");
}

static void all_moves_of_games_of_players(void **state)
{
    (void)state;
    set_choice("color", 3);
    set_text("player-white", "alpha");
    assert_counts(ALPHA_BETA);
    assert_plies("xxxx");
    assert_left(BETA_ALPHA, "player");
    set_text("player-result", "loss");
    assert_left(ALPHA_BETA, "player_result");
}

#define GAME(white, black, result)                                                                 \
    "[White \"" white "\"]\n[Black \"" black "\"]\n\n1. e4 c5 2. Nf3 d6 " result "\n"

static void results_of_players(void **state)
{
    (void)state;
    set_text("player", "alpha");
    set_text("player-result", "win");
    assert_counts(GAME("Alpha", "Beta", "1-0"));
    assert_plies("x.x.");
    assert_counts(GAME("Beta", "Alpha", "0-1"));
    assert_plies(".x.x");
    assert_left(GAME("Alpha", "Beta", "0-1"), "player_result");
    assert_left(GAME("Beta", "Alpha", "1-0"), "player_result");
    assert_left(GAME("Beta", "Alpha", "1/2-1/2"), "player_result");
    assert_left(GAME("Beta", "Gamma", "1-0"), "player");
    set_text("player-result", "draw,loss");
    assert_counts(GAME("Beta", "Alpha", "1/2-1/2"));
    assert_counts(GAME("Beta", "Alpha", "1-0"));
    assert_left(GAME("Alpha", "Beta", "1-0"), "player_result");
    set_flag("unfinished");
    assert_left(GAME("Alpha", "Beta", "*"), "player_result"); /* as with --result */
    filter = filter_default();
    set_text("player-white", "alpha");
    set_text("player-black", "beta");
    set_text("player-result", "win");
    assert_counts(GAME("Alpha", "Beta", "1-0"));
    assert_plies("x.x.");
    assert_counts(GAME("Alpha", "Beta", "0-1"));
    assert_plies(".x.x");
    assert_left(GAME("Alpha", "Beta", "1/2-1/2"), "player_result");
    assert_left(GAME("Beta", "Alpha", "1-0"), "player");
    assert_int_equal(filters_text(&filter, "player-result", "1-0"), STATUS_SYNTAX);
    assert_int_equal(filters_text(&filter, "player-result", "win,"), STATUS_SYNTAX);
}

static void results_of_players_need_players(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    set_text("player-result", "win");
    assert_int_equal(filter_check(&filter, &diag), STATUS_RANGE);
    assert_non_null(strstr(diag.text, "--player-result needs --player"));
    set_text("player-black", "beta");
    assert_int_equal(filter_check(&filter, NULL), STATUS_OK);
}

#define ELO(white, black) "[WhiteElo \"" white "\"]\n[BlackElo \"" black "\"]\n" MOVES

static void elo(void **state)
{
    (void)state;
    set_number("min-elo", 2500);
    assert_counts(ELO("2500", "2800"));
    assert_left(ELO("2499", "2800"), "elo");
    assert_left(ELO("2800", "2499"), "elo");
    assert_left(ELO("2800", "?"), "elo_unknown");
    assert_left("[WhiteElo \"2800\"]\n" MOVES, "elo_unknown");
    assert_left(MOVES, "elo_unknown");
    assert_left(ELO("2499", "?"), "elo"); /* whatever the other one has */
    assert_left(ELO("", "2499"), "elo");
}

static void elo_band(void **state)
{
    (void)state;
    set_number("max-elo", 1800);
    assert_counts(ELO("1800", "1500"));
    assert_left(ELO("1801", "1500"), "max_elo");
    assert_left(ELO("1500", "1801"), "max_elo");
    assert_left(ELO("1500", "?"), "elo_unknown");
    assert_left(ELO("1801", "?"), "max_elo");
    set_number("min-elo", 1600);
    assert_counts(ELO("1800", "1600"));
    assert_left(ELO("1800", "1500"), "elo");
}

static void elo_difference(void **state)
{
    (void)state;
    set_text("max-elo-diff", "100");
    assert_counts(ELO("2500", "2600"));
    assert_counts(ELO("2600", "2500"));
    assert_left(ELO("2500", "2601"), "elo_diff");
    assert_left(MOVES, "elo_unknown");
    assert_left(ELO("?", "50"), "elo_unknown");
    set_text("max-elo-diff", "0");
    assert_counts(ELO("2500", "2500"));
}

#define DATE(date) "[Date \"" date "\"]\n" MOVES

static void dates(void **state)
{
    (void)state;
    assert_int_equal(filters_text(&filter, "since", "1999.05"), STATUS_OK);
    assert_counts(DATE("1999.05.01"));
    assert_left(DATE("1999.04.30"), "date");
    assert_counts(DATE("1999.05.??"));
    assert_left(DATE("1999.??.??"), "date"); /* could be April */
    assert_counts(DATE("2000.??.??"));
    assert_left(DATE("????.??.??"), "date");
    assert_left(MOVES, "date");
    assert_left(DATE("yesterday"), "date");
    assert_counts("[UTCDate \"1999.05.01\"]\n" MOVES);
    assert_counts("[UTCDate \"1999.05.01\"]\n" DATE("????.??.??"));
    assert_left("[UTCDate \"1999.05.01\"]\n" DATE("1998.??.??"), "date");
    assert_int_equal(filters_text(&filter, "until", "2001"), STATUS_OK);
    assert_counts(DATE("2001.12.31"));
    assert_counts(DATE("2001.??.??"));
    assert_left(DATE("2002.01.01"), "date");
    assert_left(DATE("200?.??.??"), "date"); /* could be 2002 */
    assert_int_equal(filters_text(&filter, "until", "2000.02.29"), STATUS_OK);
    assert_counts(DATE("2000.02.??")); /* all of it, for February has no more days */
    assert_left(DATE("2000.03.??"), "date");
}

/* Without leading zeros, with other separators, with a time, and with zeros for what is unknown. */
static void dates_in_other_forms(void **state)
{
    (void)state;
    assert_int_equal(filters_text(&filter, "since", "2017.4.5"), STATUS_OK);
    assert_int_equal(filters_text(&filter, "until", "2017/12/1"), STATUS_OK);
    static const char *const inside[] = {
        DATE("2017.4.14"),        DATE("2017.12.1"),           DATE("2017/4/14"),
        DATE("2017-4-5"),         DATE("2017.5.??"),           DATE("2017.5.?"),
        DATE("2017.5"),           DATE("2017.6.00"),           DATE("2017.6.0"),
        DATE("2017.04.14 18:00"), DATE("2017-04-14T18:00:00Z")};
    static const char *const outside[] = {
        DATE("2017.4.4"), DATE("2017.12.2"),  DATE("2017.4.??"), DATE("2017.00.00"),
        DATE("2017.?.?"), DATE("2017.13.1"),  DATE("2017.4.31"), DATE("2017.004.14"),
        DATE("17.4.14"),  DATE("2017.4.14x"), DATE("2017.5.")};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        assert_counts(inside[i]);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_left(outside[i], "date");
    assert_int_equal(filters_text(&filter, "since", "2017"), STATUS_OK);
    assert_int_equal(filters_text(&filter, "until", "2017"), STATUS_OK);
    assert_counts(DATE("2017.00.00"));
    assert_counts(DATE("2017.?.?"));
}

static void dates_that_are_none(void **state)
{
    (void)state;
    static const char *const texts[] = {"",        "99",          "1999.13",    "1999.5.x",
                                        "1999.5.", "1999.05.32",  "1999.05.1x", "????",
                                        "1999.??", "1999.05.01.", "199905",     "1999.02.29"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(filters_text(&filter, "since", texts[i]), STATUS_SYNTAX);
    char text[64] = "";
    struct text_buffer out = text_buffer_on(text, sizeof text);
    filter_describe(&filter, &out);
    assert_string_equal(text, "");
}

static void speeds(void **state)
{
    (void)state;
    static const struct {
        const char *control;
        enum speed expected;
    } rows[] = {
        {"15+0", SPEED_ULTRABULLET},
        {"29", SPEED_ULTRABULLET},
        {"30+0", SPEED_BULLET},
        {"60+0", SPEED_BULLET},
        {"179", SPEED_BULLET},
        {"180+0", SPEED_BLITZ},
        {"120+1", SPEED_BULLET}, /* 120 + 40 = 160 */
        {"140+1", SPEED_BLITZ},  /* 180 */
        {"479+0", SPEED_BLITZ},
        {"480+0", SPEED_RAPID},
        {"1499+0", SPEED_RAPID},
        {"1500+0", SPEED_CLASSICAL},
        {"900+15", SPEED_CLASSICAL}, /* 900 + 600 */
        {"40/7200", SPEED_CLASSICAL},
        {"40/7200:3600", SPEED_CLASSICAL},
        {"20/60", SPEED_BULLET},             /* 120 for 40 moves */
        {"10800+270", SPEED_CORRESPONDENCE}, /* 6 hours */
        {"10799+270", SPEED_CLASSICAL},
        {"1/86400", SPEED_CORRESPONDENCE},
        {"-", SPEED_CORRESPONDENCE},
        {"?", SPEED_UNKNOWN},
        {"", SPEED_UNKNOWN},
        {"*60", SPEED_UNKNOWN},
        {"0/60", SPEED_UNKNOWN},
        {"60+", SPEED_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(speed_of_time_control(span_of(rows[i].control)), rows[i].expected);
    assert_int_equal(filters_text(&filter, "time-control", "blitz,rapid"), STATUS_OK);
    assert_counts("[TimeControl \"180+2\"]\n" MOVES);
    assert_counts("[TimeControl \"600+0\"]\n" MOVES);
    assert_left("[TimeControl \"60+0\"]\n" MOVES, "time_control");
    assert_left(MOVES, "time_control");
    assert_left("[TimeControl \"15+0\"]\n" MOVES, "time_control");
    assert_int_equal(filters_text(&filter, "time-control", "bullet"), STATUS_OK);
    assert_counts("[TimeControl \"15+0\"]\n" MOVES);
    assert_int_equal(filters_text(&filter, "time-control", "fast"), STATUS_SYNTAX);
}

static void bots(void **state)
{
    (void)state;
    assert_counts("[WhiteTitle \"BOT\"]\n" MOVES);
    assert_int_equal(filters_flag(&filter, "no-bots"), STATUS_OK);
    assert_left("[WhiteTitle \"BOT\"]\n" MOVES, "bot");
    assert_left("[BlackTitle \" bot\"]\n" MOVES, "bot");
    assert_counts("[WhiteTitle \"GM\"]\n" MOVES);
}

static void openings(void **state)
{
    (void)state;
    assert_int_equal(filters_text(&filter, "eco", "B20-B99,C42"), STATUS_OK);
    assert_counts("[ECO \"B20\"]\n" MOVES);
    assert_counts("[ECO \"B99\"]\n" MOVES);
    assert_counts("[ECO \"C42\"]\n" MOVES);
    assert_left("[ECO \"C43\"]\n" MOVES, "eco");
    assert_left("[ECO \"B19\"]\n" MOVES, "eco");
    /* Without a tag the Sicilian is known by its moves. */
    assert_counts("1. e4 c5 2. Nf3 d6 1-0\n");
    assert_left("1. d4 d5 2. c4 c6 1-0\n", "eco");
    assert_left("1. a3 1-0\n", "eco");
    /* The last of the moves that count may be the one that reaches the opening, here ply 6. */
    assert_int_equal(filters_text(&filter, "eco", "C70"), STATUS_OK);
    assert_counts("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 1-0\n");
    assert_counts("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n");
    assert_left("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 1-0\n", "eco");
    static const char *const wrong[] = {"", "F00", "B2", "B99-B20", "B20-", "b20", "B20,"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(filters_text(&filter, "eco", wrong[i]), STATUS_SYNTAX);
}

static void starts(void **state)
{
    (void)state;
    assert_int_equal(filters_text(&filter, "start", "1. e4 c5"), STATUS_OK);
    assert_counts("1. e4 c5 2. Nf3 d6 1-0\n");
    assert_plies("..xx");
    assert_left("1. e4 e5 2. Nf3 1-0\n", "start");
    /* Another order of moves leads there, too. */
    assert_int_equal(filters_text(&filter, "start", "d2d4 d7d5 c2c4"), STATUS_OK);
    assert_counts("1. c4 d5 2. d4 e6 1-0\n");
    assert_plies("...x");
    assert_int_equal(filters_text(&filter, "start", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"), STATUS_OK);
    assert_counts("[FEN \"4k3/8/8/8/8/8/4P3/3K4 w - - 0 1\"]\n\n1. Ke1 Kd7 2. e3 1-0\n");
    assert_plies(".xx");
    assert_int_equal(filters_text(&filter, "start", "e4 e4"), STATUS_ILLEGAL);
    assert_int_equal(filters_text(&filter, "start", "8/8/8/8/8/8/8/8 w - - 0 1"), STATUS_ILLEGAL);
}

static void short_games(void **state)
{
    (void)state;
    set_number("min-plies", 4);
    assert_counts(MOVES);
    assert_left("1. e4 c5 2. Nf3 1-0\n", "short");
    set_number("min-plies", 8); /* beyond the depth */
    assert_left("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 1-0\n", "short");
    assert_counts("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n");
    assert_int_equal(verdict.end, DEPTH);
}

static void blunders(void **state)
{
    (void)state;
    static const char game[] = "1. e4! e5? 2. Nf3 $4 Nc6?! 3. Bb5?? a6!? 1-0\n";
    assert_counts(game);
    assert_plies("xxxxxx");
    set_flag("exclude-annotated-blunders");
    assert_counts(game);
    assert_plies("x..x.x");
}

static void bad_games(void **state)
{
    (void)state;
    static const char early[] = "[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n";
    static const char late[] =
        "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {no end 4. Ba4 1-0\n";
    static const char beyond[] = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ke4 1-0\n";
    assert_left(early, "bad");
    assert_counts(late);
    assert_counts(beyond);
    set_choice("bad-games", BAD_GAMES_DROP);
    assert_left(late, "bad");
    set_choice("bad-games", BAD_GAMES_KEEP_PREFIX);
    assert_counts(early);
    assert_plies("xx..");
    assert_left("[Result \"1-0\"]\n\n1. e5 1-0\n", "bad");
    assert_left("1. e4 e5 2. Ke3 1-0\n", "unfinished"); /* its result was not reached */
}

static struct fingerprint print_of(const char *text)
{
    assert_counts(text);
    return print;
}

static bool same(const char *a, const char *b)
{
    return fingerprint_compare(print_of(a), print_of(b)) == 0;
}

#define LONG "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 "

static void equal_games_have_equal_fingerprints(void **state)
{
    (void)state;
    assert_true(same(LONG "1-0\n", "[Event \"x\"]\n[ECO \"C84\"]\n\n1.e4 e5 2.Nf3 Nc6\n"
                                   "3.Bb5 {Spanish} a6 4.Ba4 (4. Bxc6 dxc6) 4...Nf6!\r\n"
                                   "5.O-O $1 ; castles\nBe7 1-0\n"));
    assert_true(same("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6+ dxc6 1-0\n",
                     "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 1-0\n"));
    assert_false(same(LONG "1-0\n", LONG "0-1\n"));
    assert_false(same(LONG "1-0\n", LONG "6. Re1 1-0\n"));
    assert_false(same(LONG "6. Re1 1-0\n", LONG "6. d3 1-0\n"));
    assert_false(same(LONG "6. Re1 b5 1-0\n", LONG "6. b5 Re1 1-0\n"));
    assert_false(same(MOVES, "1. e4 c5 2. Nf3 Nc6 1-0\n"));
    assert_false(same("[White \"A\"]\n" MOVES, "[Black \"A\"]\n" MOVES));
    assert_false(same(ALPHA_BETA, BETA_ALPHA));
    assert_false(same(DATE("1999.05.01"), DATE("1999.05.02")));
    /* Which moves count must not depend on which of two games comes first. */
    assert_true(same("1. e4 e5? 1-0\n", "1. e4 e5 1-0\n"));
    set_flag("exclude-annotated-blunders");
    assert_false(same("1. e4 e5? 1-0\n", "1. e4 e5 1-0\n"));
}

/* Which games are equal must not depend on how many of their plies count. */
static void the_depth_makes_no_games_equal(void **state)
{
    (void)state;
    static const char *const pairs[][3] = {
        {LONG "6. Re1 b5 1-0\n", LONG "6. Rfe1 b7-b5 1-0\n", "same"},
        {LONG "6. Re1 b5 1-0\n", LONG "6. f1e1 (6. d3) b5 {a} $1 1-0\n", "same"},
        {LONG "6. Re1 b5 1-0\n", LONG "6. Re1 1-0\n", "other"},
        {LONG "6. Zz1 b5 1-0\n", LONG "6. Re1 1-0\n", "other"},
        {LONG "6. Zz1 b5 1-0\n", LONG "1-0\n", "other"},
        {LONG "6. Zz1 b5 1-0\n", "[Event \"x\"]\n" LONG "6. Zz1 b5 1-0\n", "same"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        for (depth = 1; depth <= DEPTH_MAX; depth++) {
            (void)judge(pairs[i][0]);
            struct fingerprint first = print;
            (void)judge(pairs[i][1]);
            assert_int_equal(fingerprint_compare(first, print) == 0,
                             strcmp(pairs[i][2], "same") == 0);
        }
    }
}

static void a_filter_describes_itself(void **state)
{
    (void)state;
    char text[512];
    struct text_buffer out = text_buffer_on(text, sizeof text);
    filter_describe(&filter, &out);
    assert_string_equal(text, "");
    set_text("player", "Alpha\nBeta");
    set_number("min-elo", 2400);
    assert_int_equal(filters_text(&filter, "eco", "C42,B20-B22,B23"), STATUS_OK);
    assert_int_equal(filters_text(&filter, "result", "1/2-1/2,1-0"), STATUS_OK);
    filter_describe(&filter, &out);
    assert_string_equal(text, "result 1-0,1/2-1/2\nplayer Alpha Beta\nmin-elo 2400\n"
                              "eco B20-B23,C42\n");
}

/* Statistics files keep fingerprints: games that were counted by an older makebook are known. When
 * this fails, WLD_FINGERPRINTS_OPTION needs another number. */
static void fingerprints_stay_what_they_are(void **state)
{
    (void)state;
    assert_counts("[White \"A\"]\n[Black \"Bo\"]\n[Date \"2026.01.02\"]\n[Result \"1-0\"]\n\n"
                  "1. e4 c5 2. Nf3 {a comment} d6 3. d4 cxd4 4. Nxd4 Nf6! 5. Nc3 1-0\n");
    assert_int_equal(print.high, UINT64_C(0x11023dc6dbda3b58));
    assert_int_equal(print.low, UINT64_C(0xca6a522ef5ce103));
}

int main(void)
{
    chess_init();
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    const struct CMUnitTest tests[] = {
        TEST(usual_games_count),
        TEST(fingerprints_stay_what_they_are),
        TEST(unfinished_games_only_when_wanted),
        TEST(games_from_elsewhere_only_when_wanted),
        TEST(variants),
        TEST(results),
        TEST(players_and_colors),
        TEST(players_by_color),
        TEST(all_moves_of_games_of_players),
        TEST(results_of_players),
        TEST(results_of_players_need_players),
        TEST(elo),
        TEST(elo_band),
        TEST(elo_difference),
        TEST(dates),
        TEST(dates_in_other_forms),
        TEST(dates_that_are_none),
        TEST(bots),
        TEST(speeds),
        TEST(openings),
        TEST(starts),
        TEST(short_games),
        TEST(blunders),
        TEST(bad_games),
        TEST(equal_games_have_equal_fingerprints),
        TEST(the_depth_makes_no_games_equal),
        TEST(a_filter_describes_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
