/* makebook suite: openings for matches of engines, and what matches say of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "makebook.h"

/* Two lines of four plies that transpose, a longer one, and a move that is never played. */
static const char lines[] = "[Event \"x\"]\n\n1. Nf3 {[%weight 9]} d5 2. d4 Nf6 3. c4 e6 *\n\n"
                            "1. d4 {[%weight 5]} Nf6 {[%weight 2]} 2. Nf3 d5 *\n\n"
                            "1. d4 d5 {[%weight 1]} 2. c4 e6 *\n\n"
                            "1. e4 {[%weight 0]} e5 2. Nf3 Nc6 *\n";

static const char both[] =
    "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 3; "
    "id \"D30 Queen's Gambit Declined\";\n"
    "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - hmvc 1; fmvn 3; "
    "id \"D02 Queen's Pawn Game: Symmetrical Variation\";\n";

static int set_up(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    write_text("book.pgn", lines);
    return MAKEBOOK("convert", "book.pgn", "book.bin", "-q");
}

static int suite(const char *source, const char *output, const char *option, const char *value)
{
    return RUN("suite", path_of(source), "-o", path_of(output), option, value);
}

/* How many lines the file has. */
static int lines_of(const char *name)
{
    static char text[FILE_MAX];
    int count = 0;
    text[read_bytes(name, text)] = '\0';
    for (const char *at = text; *at; at++)
        count += *at == '\n';
    return count;
}

static void each_position_stands_once(void **state)
{
    (void)state;
    assert_int_equal(suite("book.bin", "suite.epd", "--plies", "4"), 0);
    assert_says(result.output, "suite.epd: 2 positions\n");
    assert_file("suite.epd", both);
    /* Lines that are shorter are left out. */
    assert_int_equal(suite("book.bin", "suite.epd", "--plies", "6"), 0);
    assert_says(result.output, "suite.epd: 1 position\n");
    assert_int_equal(suite("book.bin", "suite.epd", "--plies", "2..6"), 0);
    assert_int_equal(lines_of("suite.epd"), 10);
    assert_int_equal(suite("book.bin", "suite.epd", "--plies", "7"), 1);
    assert_says(result.errors, "no line has 7 plies");
}

static void seeds_mix_and_repeat(void **state)
{
    (void)state;
    assert_int_equal(suite("book.bin", "one.epd", "--plies", "1..6"), 0);
    assert_int_equal(suite("book.bin", "again.epd", "--plies", "1..6"), 0);
    assert_same_files("one.epd", "again.epd");
    assert_int_equal(RUN("suite", path_of("book.bin"), "-o", path_of("other.epd"), "--plies",
                         "1..6", "--seed", "2"),
                     0);
    static char a[FILE_MAX];
    static char b[FILE_MAX];
    size_t size = read_bytes("one.epd", a);
    assert_int_equal(read_bytes("other.epd", b), size);
    assert_memory_not_equal(a, b, size);
    /* A part of them is the beginning of all. */
    assert_int_equal(RUN("suite", path_of("book.bin"), "-o", path_of("part.epd"), "--plies", "1..6",
                         "--count", "3"),
                     0);
    size_t part = read_bytes("part.epd", b);
    assert_int_equal(lines_of("part.epd"), 3);
    assert_memory_equal(a, b, part);
}

static void every_kind_is_read_back(void **state)
{
    (void)state;
    assert_int_equal(suite("book.bin", "suite.pgn", "--plies", "4"), 0);
    char text[FILE_MAX];
    text[read_bytes("suite.pgn", text)] = '\0';
    assert_says(text, "[Event \"Opening suite\"]");
    assert_says(text, "[ECO \"D02\"]");
    assert_says(text, "\n1. Nf3 d5 2. d4 Nf6 *\n");
    assert_says(text, "\n1. d4 d5 2. c4 e6 *\n");
    assert_null(strstr(text, "e4"));
    assert_int_equal(suite("suite.pgn", "suite.epd", "-q", NULL), 0);
    assert_file("suite.epd", both);
    assert_string_equal(result.output, "");
    assert_int_equal(suite("suite.epd", "suite.fen", "-q", NULL), 0);
    assert_file("suite.fen", "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3\n"
                             "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 1 3\n");
    assert_int_equal(suite("suite.fen", "again.epd", "-q", NULL), 0);
    assert_file("again.epd", both);
    /* The other commands say what it is. */
    assert_int_equal(RUN("stats", path_of("suite.epd")), 1);
    assert_says(result.errors, "no move (bm): a list of positions, such as makebook suite writes");
}

/* A repertoire of White's moves: Black's replies are those that it has an answer to. */
static void replies_to_a_repertoire_are_followed(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("convert", "book.bin", "white.bin", "--color", "white", "-q"), 0);
    assert_int_equal(suite("white.bin", "white.pgn", "--plies", "5"), 0);
    char text[FILE_MAX];
    text[read_bytes("white.pgn", text)] = '\0';
    assert_says(text, "\n1. Nf3 d5 2. d4 Nf6 3. c4 *\n");
}

static void games_and_statistics(void **state)
{
    (void)state;
    write_text("games.pgn", "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                            "[Result \"0-1\"]\n\n1. e4 e5 2. Nc3 0-1\n\n"
                            "[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 1-0\n");
    assert_int_equal(MAKEBOOK("build", "games.pgn", "--stats", "all.wld", "-q"), 0);
    assert_int_equal(suite("all.wld", "suite.epd", "--plies", "3"), 0);
    assert_int_equal(lines_of("suite.epd"), 3);
    assert_int_equal(RUN("suite", path_of("all.wld"), "-o", path_of("suite.epd"), "--plies", "2",
                         "--min-games", "2"),
                     0);
    assert_int_equal(lines_of("suite.epd"), 1);
    /* Many games are read game by game. */
    FILE *many = fopen(path_of("many.pgn"), "wb");
    assert_non_null(many);
    for (int i = 0; i < 60; i++)
        assert_true(fputs("[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                          "[Event \"x\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n",
                          many) >= 0);
    assert_int_equal(fclose(many), 0);
    assert_int_equal(suite("many.pgn", "suite.epd", "-q", NULL), 1);
    assert_says(result.errors, "many.pgn: games that were played: --plies says where openings end");
    assert_int_equal(suite("many.pgn", "suite.epd", "--plies", "3"), 0);
    assert_int_equal(lines_of("suite.epd"), 1);
    assert_says(result.output, "60  games that end before\n");
}

static const char positions[] =
    "# four positions\n"
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n"
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 3; fmvn 7;\n"
    "rnb1kbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 3\n"
    "rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR w KQkq - 1 3\n"
    "rnbqkbnr/pppp2pp/8/4pp2/4P2P/8/PPPP1PP1/RNBQKBNR w KQ - 0 3\n"
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3\n"
    "8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 40\n";

static void filters_say_what_fell(void **state)
{
    (void)state;
    write_text("list.epd", positions);
    assert_int_equal(RUN("suite", path_of("list.epd"), "-o", path_of("few.epd"), "--queens",
                         "--castling", "--men", "20..32"),
                     0);
    assert_int_equal(lines_of("few.epd"), 2);
    assert_says(result.output, " 7  lines and positions read\n");
    assert_says(result.output, " 1  to a position that was there already\n");
    assert_says(result.output, " 1  finished: mate, stalemate, nothing to mate with\n");
    assert_says(result.output, " 1  other numbers of men\n");
    assert_says(result.output, " 1  without a queen of both sides\n");
    assert_says(result.output, " 1  where a side cannot castle any more\n");
    /* En passant stands where a pawn can really take. */
    assert_int_equal(suite("list.epd", "all.epd", "-q", NULL), 0);
    char text[FILE_MAX];
    text[read_bytes("all.epd", text)] = '\0';
    assert_says(text, "/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 hmvc 0; fmvn 3;");
    assert_says(text, "8/8/8/8/R2pP2k/8/8/4K3 b - - hmvc 0; fmvn 40;\n");
    assert_int_equal(RUN("suite", path_of("list.epd"), "-o", path_of("none.epd"), "--men", "2"), 1);
    assert_says(result.errors, "no position is left");
    assert_false(exists("none.epd"));
}

/* The window holds by the search that is named; any number of threads gives the same bytes. */
static void scores_lie_in_the_window(void **state)
{
    (void)state;
    write_text("odds.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"
                           "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"
                           "rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"
                           "rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR w KQkq -\n"
                           "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -\n"
                           "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq -\n");
    const char *odds = path_of("odds.epd");
    assert_int_equal(RUN("suite", odds, "-o", path_of("any.epd"), "--score", "60..400", "--depth",
                         "8", "--threads", "1", "--color", "any"),
                     0);
    assert_int_equal(lines_of("any.epd"), 3);
    assert_says(result.output, "White is better in 2 and Black in 1\n");
    assert_true(exists("any.epd.store"));
    assert_int_equal(RUN("suite", odds, "-o", path_of("two.epd"), "--score", "60..400", "--depth",
                         "8", "--threads", "2", "--color", "any", "-q"),
                     0);
    assert_same_files("any.epd", "two.epd");
    /* The store knows all of it. */
    assert_int_equal(RUN("suite", odds, "-o", path_of("any.epd"), "--score", "60..400", "--depth",
                         "8", "--color", "any"),
                     0);
    assert_says(result.output, "searches made now: 0, 0 nodes");
    assert_same_files("any.epd", "two.epd");
    assert_int_equal(
        RUN("suite", odds, "-o", path_of("any.epd"), "--score", "60..400", "--depth", "8"), 0);
    assert_says(result.output, "White is better in 1 and Black in 1\n");
    assert_says(result.output, " 1  too many that are better for this side\n");
    assert_int_equal(RUN("suite", odds, "-o", path_of("black.epd"), "--score", "60..400", "--depth",
                         "8", "--color", "black", "--store", path_of("any.epd.store")),
                     0);
    assert_int_equal(lines_of("black.epd"), 1);
    char text[FILE_MAX];
    text[read_bytes("black.epd", text)] = '\0';
    assert_says(text, "PPPPP1PP");
    /* Draws: a queen down nobody draws. */
    assert_int_equal(
        RUN("suite", odds, "-o", path_of("drawn.epd"), "--draw-rate", "30..100", "--nodes", "3000"),
        0);
    text[read_bytes("drawn.epd", text)] = '\0';
    assert_says(text, "PPPPPPPP/RNBQKBNR b");
    assert_null(strstr(text, "RNB1KBNR"));
}

static void chess960_starts(void **state)
{
    (void)state;
    assert_int_equal(RUN("suite", "chess960", "-o", path_of("frc.epd"), "--count", "700"), 0);
    assert_int_equal(lines_of("frc.epd"), 700);
    assert_says(result.output, " 260  not wanted any more");
    assert_string_equal(result.errors, "");
    assert_int_equal(RUN("suite", "double-chess960", "-o", path_of("plain.epd"), "--count", "50"),
                     0);
    assert_int_equal(lines_of("plain.epd"), 50);
    assert_says(result.errors, "play Chess960 only when the name of the file has FRC in it");
    assert_int_equal(suite("book.bin", "x1960.epd", "--plies", "4"), 0);
    assert_says(result.errors, "play Chess960 when the name of the file has FRC, 960 or FISCHER");
}

#define FEN_1 "r1bqk2r/ppp1bpp1/2n1p3/3p3p/3P4/1P3NP1/PBPnPPBP/R2Q1RK1 w kq - 0 9"
#define FEN_2 "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"

/* Games end in another order than they begin; the equal pair of round 3 counts, too. */
static void write_fastchess(void)
{
    static const struct {
        const char *round;
        const char *players; /* White first */
        const char *result;
        const char *fen;
        const char *end;
        const char *moves;
    } games[] = {
        {"1", "AB", "1-0", FEN_1, "normal", "9. Qxd2 {+0.48/8 0.010s, n=20}"},
        {"2", "AB", "0-1", FEN_2, "adjudication", "2. Nf3 {0.00/1 0.000s}"},
        {"1", "BA", "1/2-1/2", FEN_1, "normal", "9. Qxd2 {+M5/19 0.010s}"},
        {"2", "BA", "0-1", FEN_2, "normal", "2. Nf3 {/0 0.000s}"},
        {"3", "AB", "1-0", FEN_1, "normal", "9. Qxd2 {+0.48/8 0.010s, n=20}"},
        {"3", "BA", "1/2-1/2", FEN_1, "normal", "9. Qxd2 {+M5/19 0.010s}"},
        {"4", "AB", "0-1", FEN_1, "time forfeit", "9. Qxd2 {+0.1/1}"},
        {"4", "BA", "1-0", FEN_1, "normal", "9. Qxd2 {+0.1/1}"},
        {"5", "AB", "0-1", FEN_1, "abandoned", "9. Qxd2 {+0.1/1}"},
        {"5", "BA", "0-1", FEN_1, "illegal move", "9. Qxd2 {+0.1/1}"},
        {"6", "BA", "*", FEN_1, "unterminated", "9. Qxd2 {+0.1/1}"},
    };
    FILE *file = fopen(path_of("fast.pgn"), "wb");
    assert_non_null(file);
    for (size_t i = 0; i < sizeof games / sizeof *games; i++)
        assert_true(fprintf(file,
                            "[Event \"Fastchess Tournament\"]\n[Round \"%s\"]\n[White \"%c\"]\n"
                            "[Black \"%c\"]\n[Result \"%s\"]\n[SetUp \"1\"]\n[FEN \"%s\"]\n"
                            "[Termination \"%s\"]\n\n%s %s\n\n",
                            games[i].round, games[i].players[0], games[i].players[1],
                            games[i].result, games[i].fen, games[i].end, games[i].moves,
                            games[i].result) > 0);
    assert_int_equal(fclose(file), 0);
}

static void fastchess_matches_are_judged(void **state)
{
    (void)state;
    write_fastchess();
    assert_int_equal(MAKEBOOK("suite", "--judge", "fast.pgn"), 0);
    assert_says(result.output, " 11  games read\n");
    assert_says(result.output, " 1  games without a result, apart\n");
    assert_says(result.output, " 1  lost on time, apart\n");
    assert_says(result.output, " 1  ended by a crash or a stall, apart\n");
    assert_says(result.output, " 1  ended by an illegal move, apart\n");
    assert_says(result.output, " 1  without a partner: in no pair\n");
    /* A won and drew twice from the first exit, and Black won both games of the second one. */
    assert_says(result.output, "A - B: 3 pairs [0, 0, 1, 0, 2, 0] Elo +120.4");
    assert_says(result.output, "7 games, draws 28.6 % (8.2 to 64.1), White 57.1 %");
    assert_says(result.output, "2 exits, decided pairs 66.7 % (20.8 to 93.9)");
    assert_says(result.output, "0 of them never helped: none of 3 pairs or more was decided\n");
    /* The least useful first. */
    assert_true(strstr(result.output, FEN_2) < strstr(result.output, FEN_1));
    assert_int_equal(RUN("suite", "--judge", path_of("fast.pgn"), "--min-pairs", "1", "-o",
                         path_of("better.epd"), "--json"),
                     0);
    assert_says(result.output, "\"useless\": 1,");
    assert_says(result.output, "\"pairs\": [0, 0, 0, 0, 2, 0]");
    assert_file("better.epd", "r1bqk2r/ppp1bpp1/2n1p3/3p3p/3P4/1P3NP1/PBPnPPBP/R2Q1RK1 w kq - "
                              "hmvc 0; fmvn 9;\n");
}

/* Without Termination and by given moves; numbers from 1, none, or behind the last given move. */
static void every_dialect_is_judged(void **state)
{
    (void)state;
#define AB  "[White \"A\"]\n[Black \"B\"]\n"
#define BA  "[White \"B\"]\n[Black \"A\"]\n"
#define WON "[Round \"1\"]\n[Result \"1-0\"]\n\n"
    write_text("cute.pgn",
               "[Event \"?\"]\n" AB WON "1. e4 {book} c5 {book} 2. Nf3 {+0.72/3 0.25s}\n"
               "d6 {0.00/3 0s} 3. d4 {+M5/19 0.1s, White mates} 1-0\n\n"
               "[Event \"?\"]\n[Round \"1\"]\n" BA "[Result \"0-1\"]\n[SetUp \"1\"]\n[FEN \"" FEN_2
               "\"]\n\n"
               "1. Nf3 {+0.72/3 0.25s} d6 0-1\n");
    write_text("bank.pgn", "[Event \"Computer event\"]\n" AB WON
                           "1. e4 c5 {End of opening} 2. Nf3 {+0.1/17  0.1} d6 1-0\n\n"
                           "[Event \"Computer event\"]\n" BA WON
                           "1. e4 c5 {End of opening} 2. d4 {+0.1/17  0.1} 1-0\n");
    write_text("open.pgn", "[Event \"x\"]\n[Round \"7\"]\n" AB
                           "\ne4 {book} c5 {book} Nf3 {+0.72/3} d6 {unknown} 1/2-1/2\n\n"
                           "[Event \"x\"]\n[Round \"7\"]\n" BA
                           "\ne4 {book} c5 {book} Nf3 {+0.72/3 0.012s, n=20, sd=2} 1/2-1/2\n");
    assert_int_equal(MAKEBOOK("suite", "--judge", "cute.pgn", "bank.pgn", "open.pgn"), 0);
    assert_says(result.output, "A - B: 3 pairs [0, 0, 1, 1, 0, 1]");
    assert_says(result.output, "1 exits, decided pairs 33.3 %");
    assert_says(result.output, FEN_2);
    assert_null(strstr(result.output, "without a partner"));
}

static void faults_are_one_line(void **state)
{
    (void)state;
    write_text("bad.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\n"
                          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR w KQkq -\n");
    write_text("bad.pgn", "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e4 Ke3 *\n");
    static const struct {
        const char *source;
        const char *output;
        const char *option;
        const char *value;
        int status;
        const char *says;
    } faults[] = {
        {"bad.epd", "out.epd", "-q", NULL, 1, "bad.epd:3:"},
        {"bad.pgn", "out.epd", "-q", NULL, 1, "bad.pgn:7:7: game 2: "},
        {"book.bin", "out.epd", "-q", NULL, 1, "a book: --plies says where openings end"},
        {"book.bin", "out.bin", "--plies", "4", 2, "a suite is .epd, .fen (plain FEN) or .pgn"},
        {"book.bin", "out.epd", "--plies", "0", 2, "--plies 0: a number or LOW..HIGH"},
        {"book.bin", "out.epd", "--plies", "9..3", 2, "--plies 9..3: a number or LOW..HIGH"},
        {"book.bin", "out.epd", "--plies", "..", 2, "--plies ..: a number or LOW..HIGH"},
        {"book.bin", "out.epd", "--depth", "4", 2, "nothing is searched without"},
        {"book.bin", "book.bin", "--to", "epd", 2, "book.bin"},
        {"none.epd", "out.epd", "-q", NULL, 1, "none.epd"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        assert_int_equal(
            suite(faults[i].source, faults[i].output, faults[i].option, faults[i].value),
            faults[i].status);
        assert_says(result.errors, faults[i].says);
        assert_ptr_equal(strchr(result.errors, '\n'), strrchr(result.errors, '\n'));
        assert_false(exists("out.epd"));
    }
    write_text("none.pgn", "no game at all\n");
    assert_int_equal(MAKEBOOK("suite", "--judge", "none.pgn"), 1);
    assert_says(result.errors, "none.pgn: no game");
    assert_int_equal(MAKEBOOK("suite", "--judge", "absent.pgn"), 1);
    assert_says(result.errors, "absent.pgn");
    assert_int_equal(MAKEBOOK("suite", "--judge", "bad.pgn", "--plies", "4"), 2);
    assert_int_equal(RUN("suite", path_of("book.bin"), "--plies", "4"), 2);
    assert_says(result.errors, "where to? -o OUT.epd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_position_stands_once),
        cmocka_unit_test(seeds_mix_and_repeat),
        cmocka_unit_test(every_kind_is_read_back),
        cmocka_unit_test(replies_to_a_repertoire_are_followed),
        cmocka_unit_test(games_and_statistics),
        cmocka_unit_test(filters_say_what_fell),
        cmocka_unit_test(scores_lie_in_the_window),
        cmocka_unit_test(chess960_starts),
        cmocka_unit_test(fastchess_matches_are_judged),
        cmocka_unit_test(every_dialect_is_judged),
        cmocka_unit_test(faults_are_one_line),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
