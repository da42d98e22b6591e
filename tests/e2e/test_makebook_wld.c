/* Statistics from games to books: makebook build --stats, merge, convert, show, verify. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "makebook.h"

/* 1.e4: won, drawn, lost; 1.d4: won, won; 1.a3: lost. */
static const char first_games[] = "[Event \"1\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
                                  "[Event \"2\"]\n\n1. e4 c5 1/2-1/2\n\n"
                                  "[Event \"3\"]\n\n1. d4 d5 1-0\n\n";
static const char second_games[] = "[Event \"4\"]\n\n1. e4 e5 0-1\n\n"
                                   "[Event \"5\"]\n\n1. d4 Nf6 1-0\n\n";
static const char third_games[] = "[Event \"6\"]\n\n1. a3 e5 0-1\n\n";

static int make_folder(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    char all[sizeof first_games + sizeof second_games + sizeof third_games];
    (void)snprintf(all, sizeof all, "%s%s%s", first_games, second_games, third_games);
    write_text("1.pgn", first_games);
    write_text("2.pgn", second_games);
    write_text("3.pgn", third_games);
    write_text("all.pgn", all);
    assert_int_equal(MAKEBOOK("build", "1.pgn", "--stats", "1.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--stats", "2.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "3.pgn", "--stats", "3.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "all.pgn", "--stats", "all.wld", "-q"), 0);
    return 0;
}

static void shards_merge_to_the_bytes_of_one_run(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("merge", "1.wld", "2.wld", "3.wld", "-o", "m.wld"), 0);
    assert_says(result.output, "3 files of statistics merged, 9 moves written");
    assert_same_files("m.wld", "all.wld");
    assert_int_equal(MAKEBOOK("merge", "m.wld", "-o", "one.wld"), 0);
    assert_says(result.output, "1 file of statistics merged, 9 moves written");
    assert_int_equal(MAKEBOOK("merge", "3.wld", "1.wld", "-o", "31.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("merge", "2.wld", "31.wld", "-o", "m.wld", "-q"), 0);
    assert_same_files("m.wld", "all.wld");
    assert_int_equal(
        MAKEBOOK("build", "3.pgn", "2.pgn", "1.pgn", "--stats", "m.wld", "-j", "3", "-q"), 0);
    assert_same_files("m.wld", "all.wld");
}

static void converting_equals_building(void **state)
{
    (void)state;
    assert_int_equal(
        MAKEBOOK("build", "all.pgn", "-o", "a.bin", "--stats", "b.wld", "--min-games", "2"), 0);
    assert_says(result.output, "statistics                  9  moves");
    assert_same_files("b.wld", "all.wld"); /* min-games is about books */
    assert_int_equal(MAKEBOOK("convert", "all.wld", "b.bin", "--min-games", "2"), 0);
    assert_same_files("a.bin", "b.bin");
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "a.bin", "--weight", "wilson",
                              "--min-games", "1", "--min-score", "30.5"),
                     0);
    assert_int_equal(MAKEBOOK("convert", "all.wld", "b.bin", "--weight", "wilson", "--min-games",
                              "1", "--min-score", "30.5"),
                     0);
    assert_same_files("a.bin", "b.bin");
}

static void show_knows_the_counts(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("show", "all.wld"), 0);
    assert_says(result.output, "\ne4           3 ");
    assert_says(result.output, "%    33.3%   33.3%   33.3%   50.0%");
    assert_says(result.output, "  50.0%  B00 King's Pawn Game\n");
    assert_says(result.output, "\nd4           2 ");
    assert_says(result.output, "%   100.0%    0.0%    0.0%  100.0%");
    assert_says(result.output, "\na3           1 ");
    assert_says(result.output, "%     0.0%    0.0%  100.0%    0.0%");
    assert_says(result.output, "  0.0%  A00 Anderssen's Opening\n");
    assert_int_equal(MAKEBOOK("show", "all.wld", "--json", "e4"), 0);
    assert_says(result.output, "\"san\": \"e5\", \"uci\": \"e7e5\", \"games\": 2, \"wins\": 1, "
                               "\"draws\": 0, \"losses\": 1, \"share_permille\": 667, "
                               "\"score_permille\": 500");
    assert_int_equal(MAKEBOOK("show", "all.wld", "h4"), 1);
    assert_says(result.errors, "knows no move here");
}

static void options_must_agree(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "2.pgn", "--stats", "deep.wld", "--max-ply", "60", "-q"), 0);
    assert_int_equal(MAKEBOOK("merge", "1.wld", "deep.wld", "-o", "no.wld"), 1);
    assert_says(result.errors, "were counted with different options (max-ply 40; max-ply 60)");
    assert_false(exists("no.wld"));
    assert_int_equal(MAKEBOOK("merge", "1.wld", "deep.wld", "-o", "x.wld", "--force", "-q"), 0);
    assert_int_equal(MAKEBOOK("merge", "deep.wld", "1.wld", "-o", "y.wld", "--force", "-q"), 0);
    assert_same_files("x.wld", "y.wld");
    assert_int_equal(MAKEBOOK("verify", "x.wld"), 0);
    assert_says(result.output, "max-ply 40\nmax-ply 60\n");
}

static void damage_is_one_clear_line(void **state)
{
    (void)state;
    static char bytes[FILE_MAX];
    size_t size = read_bytes("all.wld", bytes);
    bytes[size - 30] ^= 1;
    FILE *file = fopen(path_of("bad.wld"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(MAKEBOOK("verify", "all.wld"), 0);
    assert_says(result.output, "statistics, 9 moves in 5 positions");
    assert_int_equal(MAKEBOOK("verify", "bad.wld"), 1);
    assert_says(result.errors, "bad.wld: byte ");
    assert_says(result.errors, "the file is damaged\n");
    assert_int_equal(MAKEBOOK("convert", "bad.wld", "no.bin"), 1);
    assert_int_equal(MAKEBOOK("merge", "1.wld", "bad.wld", "-o", "no.wld"), 1);
    assert_int_equal(MAKEBOOK("show", "bad.wld"), 1);
    assert_false(exists("no.bin"));
    assert_false(exists("no.wld"));
}

static void write_bytes(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* The other blocks serve, where it is asked for or does no harm. */
static void a_damaged_block_is_named_and_left_out(void **state)
{
    (void)state;
    static char bytes[FILE_MAX];
    size_t size = read_bytes("all.wld", bytes);
    bytes[16 + 37 + 8 + 8 + 2] ^= 1; /* behind the header and the head of the first block */
    write_bytes("block.wld", bytes, size);
    assert_int_equal(MAKEBOOK("verify", "block.wld"), 1);
    assert_says(result.errors, "block.wld: byte 61: the checksum of a block is wrong");
    assert_says(result.errors, "block.wld: 1 block is damaged\n");
    assert_says(result.output, "block.wld: 1 fault\n");
    assert_int_equal(MAKEBOOK("convert", "block.wld", "no.bin", "--min-games", "1"), 1);
    assert_says(result.errors, "block.wld: byte 61: the checksum of a block is wrong");
    assert_int_equal(MAKEBOOK("merge", "1.wld", "block.wld", "-o", "no.wld"), 1);
    assert_false(exists("no.bin"));
    assert_false(exists("no.wld"));
    assert_int_equal(
        MAKEBOOK("convert", "block.wld", "rest.bin", "--min-games", "1", "--skip-damaged"), 0);
    assert_says(result.errors, "byte 61: ");
    assert_true(exists("rest.bin"));
}

/* The sum decides, not the parts; what is left out is told and is an option of the file. */
static void rare_moves_are_left_out_of_a_sum(void **state)
{
    (void)state;
    assert_int_equal(
        MAKEBOOK("merge", "1.wld", "2.wld", "3.wld", "-o", "two.wld", "--min-games", "2"), 0);
    assert_says(result.output, "3 files of statistics merged, 3 moves written\n");
    assert_says(result.output, "6 moves left out, of fewer than 2 games\n");
    assert_int_equal(MAKEBOOK("verify", "two.wld"), 0);
    assert_says(
        result.output,
        "statistics, 3 moves in 2 positions\nfacets rating,speed,month\nmax-ply 40\nmin-games 2\n");
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "b.wld", "--min-games", "2", "-q"), 0);
    assert_same_files("two.wld", "b.wld");
    assert_int_equal(MAKEBOOK("merge", "two.wld", "1.wld", "-o", "no.wld"), 1);
    assert_says(result.errors, "has no moves of fewer than 2 games");
    assert_int_equal(MAKEBOOK("merge", "1.wld", "-o", "all.wld.new", "--min-games", "x"), 2);
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "b.bin", "--min-games", "1", "-q"), 0);
    assert_int_equal(MAKEBOOK("merge", "b.bin", "-o", "no.bin", "--min-games", "2"), 2);
    assert_says(result.errors, "--min-games is for statistics");
    assert_false(exists("no.wld"));
    assert_false(exists("no.bin"));
}

static void both_ways_to_make_statistics_are_one(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "b.wld", "-q"), 0);
    assert_same_files("b.wld", "all.wld");
}

/* A shard that is named twice, or its copy, is refused; small files may be equal by chance. */
static void a_shard_is_added_once(void **state)
{
    (void)state;
    static const char letters[] = "abcdefgh";
    static char bytes[FILE_MAX];
    FILE *file = fopen(path_of("long.pgn"), "wb");
    assert_non_null(file);
    for (int i = 0; i < 512; i++) /* a pawn each for White, Black, White */
        assert_true(fprintf(file, "[Event \"%d\"]\n\n1. %c3 %c6 2. %c4 1-0\n\n", i, letters[i / 64],
                            letters[i / 8 % 8], letters[i % 8]) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(MAKEBOOK("build", "long.pgn", "--stats", "long.wld", "-q"), 0);
    write_bytes("copy.wld", bytes, read_bytes("long.wld", bytes));
    assert_int_equal(MAKEBOOK("merge", "long.wld", "1.wld", "copy.wld", "-o", "no.wld"), 1);
    assert_says(result.errors, "copy.wld holds the same counts as ");
    assert_says(result.errors, "long.wld, which would count twice");
    assert_false(exists("no.wld"));
    assert_int_equal(MAKEBOOK("merge", "long.wld", "copy.wld", "-o", "twice.wld", "--force", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("merge", "1.wld", "1.wld", "-o", "small.wld", "-q"), 1);
    assert_says(result.errors, "1.wld is named twice; ");
    assert_int_equal(MAKEBOOK("merge", "1.wld", "./1.wld", "-o", "small.wld", "-q"), 1);
    assert_says(result.errors, "1.wld is named twice; ");
    write_bytes("copy.wld", bytes, read_bytes("1.wld", bytes));
    assert_int_equal(MAKEBOOK("merge", "1.wld", "copy.wld", "-o", "small.wld", "-q"), 0);
}

static void overrides_win(void **state)
{
    (void)state;
    write_text("tune.txt", "1. e4 : 500\nd4 : never\n1. e4 c5 : always\n");
    assert_int_equal(
        MAKEBOOK("convert", "all.wld", "t.bin", "--min-games", "1", "--override", "tune.txt"), 0);
    assert_int_equal(MAKEBOOK("show", "t.bin", "--json"), 0);
    assert_says(result.output, "\"san\": \"e4\", \"uci\": \"e2e4\", \"weight\": 500, ");
    assert_null(strstr(result.output, "\"d4\""));
    assert_int_equal(MAKEBOOK("show", "t.bin", "--json", "e4"), 0);
    assert_says(result.output, "\"san\": \"c5\", \"uci\": \"c7c5\", \"weight\": 65535, "
                               "\"share_permille\": 1000");
    write_text("bad.txt", "e4 : 5\ne5 : 5\nd4 : lots\n");
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "no.bin", "--override", "bad.txt", "-q"),
                     1);
    assert_says(result.errors, "bad.txt:2:1: e5 is not legal here\n");
    assert_says(result.errors, "bad.txt:3:6: lots is neither a weight");
    assert_false(exists("no.bin"));
    /* A file of weights by hand is no output. */
    const char *tune = path_of("tune.txt");
    assert_int_equal(RUN("convert", path_of("all.wld"), tune, "--to", "bin", "--override", tune),
                     2);
    assert_says(result.errors, "tune.txt is read: it would be lost");
    assert_int_equal(RUN("build", path_of("all.pgn"), "-o", tune, "--override", tune), 2);
    assert_int_equal(RUN("build", path_of("all.pgn"), "--stats", tune, "--override", tune, "-q"),
                     2);
    assert_int_equal(MAKEBOOK("convert", "all.wld", "t.bin", "--override", "tune.txt"), 0);
}

static void misuse_is_told(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "all.pgn"), 2);
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "-", "--stats", "-"), 2);
    assert_int_equal(MAKEBOOK("convert", "all.wld"), 2);
    assert_int_equal(MAKEBOOK("merge", "-", "-", "-o", "none.wld"), 2);
    assert_says(result.errors, "- (standard input) is named twice; ");
    assert_int_equal(MAKEBOOK("diff", "-", "-"), 2);
    assert_says(result.errors, "- (standard input) is named twice; ");
    assert_int_equal(MAKEBOOK("convert", "all.wld", "b.bin", "--min-share", "0.00001"), 2);
    assert_int_equal(MAKEBOOK("convert", "all.wld", "b.bin", "--min-share", "101"), 2);
    assert_int_equal(MAKEBOOK("convert", "all.wld", "a.bin", "--min-share", "5%", "-q"), 0);
    assert_int_equal(MAKEBOOK("convert", "all.wld", "b.bin", "--min-share", "5", "-q"), 0);
    assert_same_files("a.bin", "b.bin");
    assert_int_equal(MAKEBOOK("convert", "all.wld", "b.bin", "--weight", "luck"), 2);
    assert_int_equal(MAKEBOOK("build", "all.pgn", "-o", "book.bin", "-q", "--min-games", "1"), 0);
    assert_int_equal(MAKEBOOK("convert", "book.bin", "b.bin"), 0);
    assert_same_files("book.bin", "b.bin");
    assert_int_equal(MAKEBOOK("merge", "all.wld", "book.bin", "-o", "no.wld"), 1);
    assert_int_equal(MAKEBOOK("merge", "book.bin", "all.wld", "-o", "no.bin"), 1);
    assert_int_equal(MAKEBOOK("merge", "book.bin", "-o", "no.wld"), 2);
    assert_int_equal(MAKEBOOK("merge", "all.wld", "-o", "no.bin"), 2);
    assert_int_equal(MAKEBOOK("dump", "all.wld"), 1);
    assert_says(result.errors, "makebook convert makes a book of them");
    assert_int_equal(MAKEBOOK("add", "all.wld", "startpos", "Na3", "5"), 1);
    assert_says(result.errors, "these are statistics (.wld); makebook convert makes a book");
    assert_int_equal(MAKEBOOK("verify", "all.wld", "--repair", "-o", "no.wld"), 1);
    assert_false(exists("no.wld"));
}

/* One pass over the files says the same as walking through them. */
static void counts_need_no_lines(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("stats", "all.wld", "--counts"), 0);
    assert_says(result.output, "all.wld: statistics\n\n"
                               "positions                     5\n"
                               "moves                         9\n");
    assert_says(result.output, "at least         1            5            9\n"
                               "at least         2            2            3\n"
                               "at least         3            1            1\n"
                               "at least         5            0            0\n");
    assert_int_equal(MAKEBOOK("stats", "all.wld", "--counts", "--json"), 0);
    assert_says(result.output, "\"positions\": 5, \"moves\": 9, \"counts\": [{\"min_games\": 1, "
                               "\"positions\": 5, \"moves\": 9}");
    assert_int_equal(MAKEBOOK("merge", "all.wld", "--min-games", "2", "-o", "two.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("stats", "two.wld"), 0);
    assert_says(result.output, "positions                     2\n");
    assert_int_equal(MAKEBOOK("stats", "book.bin", "--counts"), 2);
    assert_says(result.errors, "book.bin: --counts is for statistics (.wld)");
}

/* The table of `diff`, from its first line on. */
static void take_table(char out[400])
{
    const char *table = strstr(result.output, "positions");
    assert_non_null(table);
    (void)snprintf(out, 400, "%.150s", table);
    char *end = strstr(out, "\n\n");
    if (end)
        end[1] = '\0';
}

static void differences_are_counted_in_one_pass(void **state)
{
    (void)state;
    char lines[400];
    char counts[400];
    assert_int_equal(MAKEBOOK("diff", "1.wld", "all.wld", "--counts"), 1);
    take_table(counts);
    assert_int_equal(MAKEBOOK("diff", "1.wld", "all.wld"), 1);
    take_table(lines);
    assert_string_equal(counts, lines);
    assert_int_equal(MAKEBOOK("diff", "3.wld", "1.wld", "--counts"), 1);
    take_table(counts);
    assert_int_equal(MAKEBOOK("diff", "3.wld", "1.wld"), 1);
    take_table(lines);
    assert_string_equal(counts, lines);
    assert_int_equal(MAKEBOOK("diff", "all.wld", "all.wld", "--counts"), 0);
    assert_int_equal(MAKEBOOK("diff", "all.wld", "book.bin", "--counts"), 2);
    assert_says(result.errors, "book.bin: --counts is for statistics (.wld)");
}

#define START_BOARD "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
#define TABLE_COLUMNS                                                                              \
    "key,fen,turn,uci,san,games,wins,draws,losses,rated,ratings,opponent_ratings,speed,"           \
    "rating_group,month\n"

static void statistics_are_a_table(void **state)
{
    (void)state;
    char text[1000];
    assert_int_equal(MAKEBOOK("dump", "--csv", "2.wld"), 0);
    assert_string_equal(
        result.output, TABLE_COLUMNS
        "463b96181691fc9c," START_BOARD " w KQkq - 0 1,white,d2d4,d4,1,1,0,0,0,0,0,,,\n"
        "463b96181691fc9c," START_BOARD " w KQkq - 0 1,white,e2e4,e4,1,0,0,1,0,0,0,,,\n"
        "823c9b50fd114196,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1,black,e7e5,"
        "e5,1,1,0,0,0,0,0,,,\n"
        "830eb9b20758d1de,rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1,black,g8f6,"
        "Nf6,1,0,0,1,0,0,0,,,\n");
    (void)snprintf(text, sizeof text, "%s", result.output);
    for (char *c = text; *c; c++)
        if (*c == ',')
            *c = '\t';
    assert_int_equal(MAKEBOOK("dump", "2.wld", "--tsv"), 0);
    assert_string_equal(result.output, text);
    /* Positions of two games, to which moves of one game lead. */
    write_text("odd.pgn", "1. e4 c5 2. Nf3 d6 3. d4 1-0\n\n1. Nf3 c5 2. e4 d6 3. d4 0-1\n");
    assert_int_equal(MAKEBOOK("build", "odd.pgn", "-o", "odd.wld", "--min-games", "2", "-q"), 0);
    assert_int_equal(MAKEBOOK("dump", "--csv", "odd.wld"), 0);
    assert_string_equal(result.output, TABLE_COLUMNS "86933069b8c862bb,,,d2d4,,2,1,0,1,0,0,0,,,\n"
                                                     "bf29a6086ab02bd6,,,d7d6,,2,1,0,1,0,0,0,,,\n");
}

static void tables_of_other_statistics(void **state)
{
    (void)state;
    write_text("castle.pgn",
               "[Date \"2020.01.01\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O 1-0\n");
    assert_int_equal(MAKEBOOK("build", "castle.pgn", "-o", "odd.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("dump", "--csv", "odd.wld"), 0);
    assert_says(result.output, " w KQkq - 4 4,white,e1h1,O-O,1,1,0,0,0,0,0,,,2020-01\n");
    assert_int_equal(MAKEBOOK("build", "castle.pgn", "-o", "odd.wld", "-q", "--half-life", "2",
                              "--as-of", "2024.01.01"),
                     0);
    assert_int_equal(MAKEBOOK("dump", "--csv", "odd.wld"), 0);
    assert_says(result.output, ",e2e4,e4,0.2499847412109375,0.2499847412109375,0,0,0,0,0,");
    write_text("facets.pgn", "[Date \"2024.??.??\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1701\"]\n"
                             "[TimeControl \"15+0\"]\n\n1. e4 e5 0-1\n\n"
                             "[Date \"2024.05.01\"]\n[WhiteElo \"900\"]\n[BlackElo \"800\"]\n"
                             "[TimeControl \"-\"]\n\n1. e4 1/2-1/2\n\n1. e4 1-0\n");
    assert_int_equal(MAKEBOOK("build", "facets.pgn", "-o", "odd.wld", "-q"), 0);
    assert_int_equal(MAKEBOOK("dump", "--csv", "odd.wld"), 0);
    assert_string_equal(
        result.output, TABLE_COLUMNS
        "463b96181691fc9c," START_BOARD " w KQkq - 0 1,white,e2e4,e4,1,1,0,0,0,0,0,,,\n"
        "463b96181691fc9c," START_BOARD
        " w KQkq - 0 1,white,e2e4,e4,1,0,0,1,1,1500,1701,ultraBullet,1600,2024\n"
        "463b96181691fc9c," START_BOARD
        " w KQkq - 0 1,white,e2e4,e4,1,0,1,0,1,900,800,correspondence,0,2024-05\n"
        "823c9b50fd114196,rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1,black,e7e5,"
        "e5,1,1,0,0,1,1701,1500,ultraBullet,1600,2024\n");
    /* White is to move in mirrored statistics. */
    assert_int_equal(MAKEBOOK("build", "2.pgn", "-o", "odd.wld", "-q", "--mirror"), 0);
    assert_int_equal(MAKEBOOK("dump", "--csv", "odd.wld"), 0);
    assert_says(result.output, ",rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,white,"
                               "e2e4,e4,1,1,0,0,");
    assert_null(strstr(result.output, ",black,"));
    static char bytes[FILE_MAX];
    const char *const words[] = {process_binary("MAKEBOOK_BINARY"), "dump", "-", "--csv", NULL};
    struct process *reader = process_start(words);
    process_write_bytes(reader, bytes, read_bytes("2.wld", bytes));
    process_close_input(reader);
    assert_says(process_read_all(reader), "\n463b96181691fc9c,,,d2d4,,1,1,0,0,0,0,0,,,\n");
    assert_int_equal(process_wait(reader), 0);
    assert_says(process_errors(reader), "the columns fen, turn and san stay empty");
    process_destroy(reader);
}

static void tables_misused(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("dump", "2.wld"), 1);
    assert_says(result.errors, "2.wld: these are statistics (.wld): --csv or --tsv writes them");
    assert_int_equal(MAKEBOOK("dump", "builtin", "--csv"), 2);
    assert_says(result.errors, "--csv and --tsv are for statistics (.wld)");
    assert_int_equal(MAKEBOOK("dump", "2.wld", "--csv", "--tsv"), 2);
    assert_int_equal(MAKEBOOK("dump", "--csv"), 2);
    assert_says(result.errors, "wanted: BOOK");
    assert_int_equal(MAKEBOOK("dump", "bad.wld", "--csv"), 1);
    assert_says(result.errors, "bad.wld: byte ");
    static const char *const databases[] = {"duckdb", "clickhouse", "sqlite"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(MAKEBOOK("dump", "--schema", databases[i]), 0);
        assert_says(result.output, "CREATE TABLE moves (\n");
        assert_says(result.output, "\nFROM moves\n");
    }
}

/* The peak of memory is that of makebook, not what this process had when it started it. */
static void memory_of_the_caller_is_not_counted(void **state)
{
    (void)state;
    const size_t size = (size_t)600 << 20;
    char *large = malloc(size);
    assert_non_null(large);
    memset(large, 1, size);
    write_text("peak.pgn", "[Event \"1\"]\n\n1. e4 e5 1-0\n");
    assert_int_equal(MAKEBOOK("build", "peak.pgn", "-o", "peak.bin", "--min-games", "1"), 0);
    assert_int_equal(large[size - 1], 1);
    free(large);
    const char *peak = strstr(result.output, "peak memory");
    assert_non_null(peak);
    assert_true(strtod(peak + strlen("peak memory"), NULL) < 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_the_caller_is_not_counted),
        cmocka_unit_test(shards_merge_to_the_bytes_of_one_run),
        cmocka_unit_test(converting_equals_building),
        cmocka_unit_test(show_knows_the_counts),
        cmocka_unit_test(options_must_agree),
        cmocka_unit_test(damage_is_one_clear_line),
        cmocka_unit_test(a_damaged_block_is_named_and_left_out),
        cmocka_unit_test(rare_moves_are_left_out_of_a_sum),
        cmocka_unit_test(both_ways_to_make_statistics_are_one),
        cmocka_unit_test(a_shard_is_added_once),
        cmocka_unit_test(overrides_win),
        cmocka_unit_test(misuse_is_told),
        cmocka_unit_test(counts_need_no_lines),
        cmocka_unit_test(differences_are_counted_in_one_pass),
        cmocka_unit_test(statistics_are_a_table),
        cmocka_unit_test(tables_of_other_statistics),
        cmocka_unit_test(tables_misused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
