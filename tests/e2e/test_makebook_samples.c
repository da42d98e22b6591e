/* makebook build --samples: which games are kept of a position, compared with a reading of all
 * games; listed, opened, added to and merged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "makebook.h"

#include "base/rng.h"
#include "book/count/filter/game_mark.h"
#include "book/statistics/samples_file.h"
#include "chess/attacks.h"
#include "chess/movegen.h"
#include "chess/notation.h"

/* GAMES of three plies and more by few moves, so that positions come often; some are equal. */
enum { GAMES = 600, FILES = 3, PLIES = 12, KEPT = 3 };

static void write_games(const char *name, uint64_t seed)
{
    FILE *file = fopen(path_of(name), "wb");
    struct rng rng;
    rng_seed(&rng, seed);
    assert_non_null(file);
    for (int i = 0; i < GAMES / FILES; i++) {
        struct position pos;
        position_start(&pos);
        uint64_t number = rng_below(&rng, 100);
        (void)fprintf(file, "[Event \"%s\"]\n[White \"W%d\"]\n[Black \"B\"]\n", name, (int)number);
        if (number % 3)
            (void)fprintf(file, "[WhiteElo \"%d\"]\n", 2000 + (int)number % 7);
        (void)fprintf(file, "[Result \"1-0\"]\n\n");
        struct rng moves;
        rng_seed(&moves, number % 40); /* the same for some */
        for (int ply = 0; ply < PLIES + (int)number % 5; ply++) {
            move legal[MOVES_MAX];
            char san[SAN_MAX];
            int count = movegen_legal(&pos, legal);
            move m = legal[rng_below(&moves, ply < 4 ? 2 : (uint64_t)count)];
            move_to_san(&pos, m, san);
            (void)fprintf(file, "%s ", san);
            position_play(&pos, m);
        }
        (void)fprintf(file, "1-0\n\n");
    }
    assert_int_equal(fclose(file), 0);
}

static const char *const files[FILES] = {"a.pgn", "b.pgn", "c.pgn"};

static int make_folder(void **state)
{
    (void)state;
    if (create_folder() != 0)
        return -1;
    chess_init();
    for (int i = 0; i < FILES; i++)
        write_games(files[i], (uint64_t)i + 1);
    return MAKEBOOK("build", "a.pgn", "b.pgn", "c.pgn", "-o", "all.wld", "--samples", "3",
                    "--max-ply", "12", "--updatable", "-q");
}

/* A reading of all games: for each position its games in the order of preference. */
struct seen {
    uint64_t key;
    struct sample sample;
};

static struct seen seen[GAMES * PLIES];
static size_t seen_count;

static int compare_seen(const void *a, const void *b)
{
    const struct seen *one = a;
    const struct seen *other = b;
    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return sample_compare(&one->sample, &other->sample);
}

static void read_all(void)
{
    static char text[FILE_MAX];
    seen_count = 0;
    for (uint16_t i = 0; i < FILES; i++) {
        struct pgn_reader *reader = pgn_create_memory(text, read_bytes(files[i], text));
        struct pgn_game game;
        while (pgn_next(reader, &game, NULL) == STATUS_OK)
            for (size_t ply = 0; ply < PLIES; ply++) {
                bool again = false;
                for (size_t before = 0; before < ply; before++)
                    again = again || game.keys[before] == game.keys[ply];
                if (!again)
                    seen[seen_count++] = (struct seen){game.keys[ply],
                                                       {.at = game.offset,
                                                        .mark = game_mark(&game, PLIES),
                                                        .elos = game_elos(&game),
                                                        .file = i}};
            }
        pgn_destroy(reader);
    }
    qsort(seen, seen_count, sizeof *seen, compare_seen);
}

/* The next position of the reading, with its first KEPT different games. */
static struct sample_set expected_set(size_t *at)
{
    struct sample_set set = {.key = seen[*at].key};
    for (; *at < seen_count && seen[*at].key == set.key; ++*at) {
        bool is_there = false;
        for (size_t i = 0; i < set.count; i++)
            is_there = is_there || set.games[i].mark == seen[*at].sample.mark;
        if (!is_there && set.count < KEPT)
            set.games[set.count++] = seen[*at].sample;
    }
    return set;
}

static void assert_same_set(const struct sample_set *a, const struct sample_set *b)
{
    assert_true(a->key == b->key);
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_int_equal(sample_compare(&a->games[i], &b->games[i]), 0);
}

static void samples_are_those_of_a_reading(void **state)
{
    (void)state;
    struct samples_file *file;
    struct diag diag = {.text = ""};
    struct sample_set set;
    size_t shared = 0;
    read_all();
    assert_int_equal(MAKEBOOK("build", "a.pgn", "b.pgn", "c.pgn", "-o", "plain.wld", "--samples",
                              "3", "--max-ply", "12", "--facets", "none", "-q"),
                     0);
    assert_int_equal(samples_file_open(path_of("plain.wld.games"), &file, &diag), STATUS_OK);
    assert_int_equal(samples_file_info(file)->rule.most, KEPT);
    assert_int_equal(samples_file_info(file)->plies, PLIES);
    assert_int_equal(samples_file_info(file)->names.count, FILES);
    struct samples_cursor cursor = {.file = file};
    for (size_t at = 0; at < seen_count;) {
        const struct sample_set expected = expected_set(&at);
        assert_int_equal(samples_cursor_next(&cursor, &set, &diag), STATUS_OK);
        assert_same_set(&set, &expected);
        assert_int_equal(samples_file_find(file, expected.key, &set, &diag), STATUS_OK);
        assert_same_set(&set, &expected);
        shared += expected.count > 1;
    }
    assert_int_equal(samples_cursor_next(&cursor, &set, &diag), STATUS_END);
    assert_int_equal(samples_file_find(file, 1, &set, &diag), STATUS_NOT_FOUND);
    assert_true(shared > 20);
    samples_file_close(file);
}

static void bytes_depend_on_the_games_alone(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "c.pgn", "a.pgn", "b.pgn", "-o", "jobs.wld", "--samples",
                              "3", "--max-ply", "12", "--updatable", "-q", "-j", "3"),
                     0);
    assert_same_files("all.wld", "jobs.wld");
    assert_same_files("all.wld.games", "jobs.wld.games");
    assert_int_equal(MAKEBOOK("build", "b.pgn", "c.pgn", "a.pgn", "-o", "small.wld", "--samples",
                              "3", "--max-ply", "12", "--updatable", "-q", "--memory", "1"),
                     0);
    assert_same_files("all.wld.games", "small.wld.games");
    /* Without duplicates being known, too: marks tell them apart. */
    assert_int_equal(MAKEBOOK("build", "a.pgn", "-o", "1.wld", "--samples", "3", "--max-ply", "12",
                              "--keep-duplicates", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("build", "b.pgn", "-o", "2.wld", "--samples", "3", "--max-ply", "12",
                              "--keep-duplicates", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("build", "c.pgn", "-o", "3.wld", "--samples", "5", "--max-ply", "12",
                              "--keep-duplicates", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("build", "a.pgn", "b.pgn", "c.pgn", "-o", "one.wld", "--samples", "3",
                              "--max-ply", "12", "--keep-duplicates", "-q"),
                     0);
    assert_int_equal(MAKEBOOK("merge", "3.wld", "1.wld", "2.wld", "-o", "sum.wld", "-q"), 0);
    assert_same_files("one.wld", "sum.wld");
    assert_same_files("one.wld.games", "sum.wld.games");
    /* Games added later. */
    assert_int_equal(MAKEBOOK("build", "a.pgn", "-o", "later.wld", "--samples", "3", "--max-ply",
                              "12", "--updatable", "-q"),
                     0);
    assert_int_equal(
        MAKEBOOK("build", "c.pgn", "b.pgn", "--add-to", "later.wld", "--max-ply", "12", "-q"), 0);
    assert_same_files("all.wld", "later.wld");
    assert_same_files("all.wld.games", "later.wld.games");
}

static void only_positions_of_the_statistics_have_games(void **state)
{
    (void)state;
    struct samples_file *file;
    struct sample_set set;
    struct diag diag = {.text = ""};
    assert_int_equal(MAKEBOOK("merge", "all.wld", "--min-games", "20", "-o", "rare.wld", "-q"), 0);
    assert_int_equal(samples_file_open(path_of("rare.wld.games"), &file, &diag), STATUS_OK);
    struct samples_cursor cursor = {.file = file};
    size_t count = 0;
    while (samples_cursor_next(&cursor, &set, &diag) == STATUS_OK)
        count++;
    samples_file_close(file);
    assert_true(count > 0 && count < 100);
}

static void games_are_listed_and_opened(void **state)
{
    (void)state;
    static const char games[] =
        "[White \"Anna\"]\n[Black \"Ben\"]\n[Date \"1999.12.31\"]\n[WhiteElo \"2500\"]\n"
        "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 {well} Nc6 1-0\n\n"
        "[White \"Cleo\"]\n[Black \"Dan\"]\n[WhiteElo \"2600\"]\n[Result \"0-1\"]\n\n"
        "1. e4 e5 2. Nc3 0-1\n";
    write_text("few.pgn", games);
    assert_int_equal(MAKEBOOK("build", "few.pgn", "-o", "few.wld", "--samples", "2", "-q"), 0);
    assert_int_equal(MAKEBOOK("show", "few.wld", "1. e4"), 0);
    assert_says(result.output, "\nsample games:\n  1 Cleo (2600) - Dan 0-1   ");
    assert_says(result.output, "few.pgn byte 115\n  2 Anna (2500) - Ben 1-0 1999.12.31  ");
    assert_says(result.output, "few.pgn byte 0\n");
    assert_int_equal(MAKEBOOK("show", "few.wld", "1. e4", "--samples", "1", "--json"), 0);
    assert_says(result.output, "\"samples\": [\n  {\"white\": {\"name\": \"Cleo\", \"elo\": 2600}, "
                               "\"black\": {\"name\": \"Dan\"}, \"result\": \"0-1\"");
    assert_null(strstr(result.output, "Anna"));
    assert_int_equal(MAKEBOOK("show", "few.wld", "1. e4 e5", "--game", "2"), 0);
    assert_string_equal(result.output, "[White \"Anna\"]\n[Black \"Ben\"]\n[Date \"1999.12.31\"]\n"
                                       "[WhiteElo \"2500\"]\n[Result \"1-0\"]\n\n"
                                       "1. e4 e5 2. Nf3 {well} Nc6 1-0\n");
    assert_int_equal(MAKEBOOK("show", "few.wld", "1. e4 e5 2. Nc3", "--game", "1"), 1);
    assert_int_equal(MAKEBOOK("show", "few.wld", "1. e4", "--game", "3"), 1);
    assert_says(result.errors, "there are 2 sample games here");
    /* Text is in front of the first game now, and then the file is gone. */
    write_text("few.pgn", games + 1);
    assert_int_equal(MAKEBOOK("show", "few.wld", "1. e4"), 0);
    assert_says(result.output,
                "few.pgn: the game at byte 115 is another one: the file has changed\n");
    assert_int_equal(MAKEBOOK("show", "few.wld", "1. e4", "--game", "1"), 1);
    assert_says(result.errors, "the file has changed");
    assert_int_equal(unlink(path_of("few.pgn")), 0);
    assert_int_equal(MAKEBOOK("show", "few.wld", "1. e4"), 0);
    assert_says(result.output, "few.pgn is not there any more\n");
}

static void games_are_found_beside_the_statistics(void **state)
{
    (void)state;
    static char bytes[FILE_MAX];
    assert_int_equal(mkdir(path_of("moved"), 0777), 0);
    static const char *const names[] = {"all.wld", "all.wld.games", "a.pgn", "b.pgn", "c.pgn"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char to[100];
        size_t size = read_bytes(names[i], bytes);
        (void)snprintf(to, sizeof to, "moved/%s", names[i]);
        FILE *file = fopen(path_of(to), "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
    }
    for (int i = 0; i < FILES; i++) {
        char hidden[100];
        (void)snprintf(hidden, sizeof hidden, "%s.hidden", files[i]);
        assert_int_equal(rename(path_of(files[i]), path_of(hidden)), 0);
    }
    assert_int_equal(MAKEBOOK("show", "moved/all.wld"), 0);
    assert_says(result.output, "/moved/");
    assert_null(strstr(result.output, "not there"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char moved[100];
        (void)snprintf(moved, sizeof moved, "moved/%s", names[i]);
        assert_int_equal(unlink(path_of(moved)), 0);
    }
    assert_int_equal(rmdir(path_of("moved")), 0);
    for (int i = 0; i < FILES; i++) {
        char hidden[100];
        (void)snprintf(hidden, sizeof hidden, "%s.hidden", files[i]);
        assert_int_equal(rename(path_of(hidden), path_of(files[i])), 0);
    }
}

static void misuse_is_told(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("build", "a.pgn", "-o", "x.bin", "--samples", "2"), 2);
    assert_int_equal(MAKEBOOK("build", "a.pgn", "--stats", "-", "--samples", "2"), 2);
    assert_int_equal(MAKEBOOK("build", "-", "-o", "x.wld", "--samples", "2"), 2);
    assert_says(result.errors, "--samples wants files");
    assert_int_equal(MAKEBOOK("build", "a.pgn", "-o", "x.wld", "--samples", "101"), 2);
    assert_int_equal(
        MAKEBOOK("build", "a.pgn", "--add-to", "all.wld", "--max-ply", "12", "--samples", "4"), 1);
    assert_says(result.errors, "all.wld.games has 3 games of a position, not 4");
    assert_int_equal(
        MAKEBOOK("build", "a.pgn", "-o", "none.wld", "--max-ply", "12", "--updatable", "-q"), 0);
    assert_int_equal(
        MAKEBOOK("build", "b.pgn", "--add-to", "none.wld", "--max-ply", "12", "--samples", "3"), 1);
    assert_says(result.errors, "none.wld has no sample games");
    assert_int_equal(MAKEBOOK("show", "none.wld", "--game", "1"), 2);
    assert_int_equal(MAKEBOOK("merge", "none.wld", "2.wld", "--force", "-o", "part.wld", "-q"), 0);
    assert_says(result.errors, "warning: no sample games in the sum: ");
    assert_says(result.errors, "none.wld has none\n");
    assert_false(exists("part.wld.games"));
    assert_int_equal(mkdir(path_of("folder.wld.games"), 0777), 0);
    assert_int_equal(MAKEBOOK("build", "a.pgn", "-o", "folder.wld", "--samples", "2", "-q"), 1);
    assert_says(result.errors, "folder.wld.games: ");
    assert_false(exists("folder.wld"));
    assert_int_equal(rmdir(path_of("folder.wld.games")), 0);
}

/* Sample games of other statistics, damaged or cut are one warning. */
static void damage_is_told(void **state)
{
    (void)state;
    static char bytes[FILE_MAX];
    size_t size = read_bytes("all.wld.games", bytes);
    assert_int_equal(MAKEBOOK("build", "a.pgn", "-o", "all2.wld", "--samples", "3", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "b.pgn", "-o", "all2.wld", "-q"), 0);
    assert_says(result.errors, "all2.wld.games stays as it is, for other statistics\n");
    assert_int_equal(MAKEBOOK("show", "all2.wld"), 0);
    assert_says(result.errors, "all2.wld.games belongs to other statistics\n");
    assert_null(strstr(result.output, "sample games"));
    for (size_t cut = 0; cut < size; cut += 1 + size / 40) {
        FILE *file = fopen(path_of("all.wld.games"), "wb");
        assert_non_null(file);
        bytes[cut] ^= 1;
        size_t end = cut % 2 ? cut : size; /* cut, or one bit another one */
        assert_int_equal(fwrite(bytes, 1, end, file), end);
        assert_int_equal(fclose(file), 0);
        bytes[cut] ^= 1;
        int status = MAKEBOOK("merge", "all.wld", "-o", "copy.wld", "-q");
        assert_in_range(status, 0, 1);
        assert_says(result.errors, "all.wld.games");
        (void)unlink(path_of("copy.wld.games"));
        assert_int_equal(MAKEBOOK("show", "all.wld"), 0);
    }
}

/* Two slashes lead to another machine on Windows, which would be told who asks. */
static void other_machines_are_not_asked_for_games(void **state)
{
    (void)state;
    char games[420];
    (void)snprintf(games, sizeof games, "/%s", path_of("a.pgn"));
    assert_int_equal(mkdir(path_of("far"), 0777), 0);
    const char *stats = path_of("far/x.wld");
    assert_int_equal(RUN("build", games, "-o", stats, "--samples", "1", "-q"), 0);
    assert_int_equal(RUN("show", stats), 0);
    assert_says(result.output, "a.pgn is not beside the sample games: other machines are not ask");
    assert_int_equal(rename(path_of("a.pgn"), path_of("far/a.pgn")), 0);
    assert_int_equal(RUN("show", stats), 0);
    assert_null(strstr(result.output, "other machines"));
    assert_int_equal(rename(path_of("far/a.pgn"), path_of("a.pgn")), 0);
    assert_int_equal(unlink(stats), 0);
    assert_int_equal(unlink(path_of("far/x.wld.games")), 0);
    assert_int_equal(rmdir(path_of("far")), 0);
}

/* Games that belong to no more are known before the new games are read. */
static void stale_samples_stop_before_reading(void **state)
{
    (void)state;
    FILE *file = fopen(path_of("bad.pgn"), "wb");
    assert_non_null(file);
    assert_true(fputs("[Event \"x\"]\n\n1. e5 1-0\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(MAKEBOOK("build", "a.pgn", "-o", "old.wld", "--samples", "3", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "b.pgn", "-o", "old.wld", "--updatable", "-q"), 0);
    assert_int_equal(MAKEBOOK("build", "bad.pgn", "--add-to", "old.wld", "--samples", "3"), 1);
    assert_says(result.errors, "old.wld.games belongs to other statistics: remove it ");
    assert_null(strstr(result.errors, "bad.pgn"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_those_of_a_reading),
        cmocka_unit_test(bytes_depend_on_the_games_alone),
        cmocka_unit_test(only_positions_of_the_statistics_have_games),
        cmocka_unit_test(games_are_listed_and_opened),
        cmocka_unit_test(games_are_found_beside_the_statistics),
        cmocka_unit_test(other_machines_are_not_asked_for_games),
        cmocka_unit_test(misuse_is_told),
        cmocka_unit_test(stale_samples_stop_before_reading),
        cmocka_unit_test(damage_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
