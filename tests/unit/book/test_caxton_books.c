/* book/library: the functions of the shared library, as a program of another language calls them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "book/library/caxton_books.h"
#include "chess/fen.h"

/* Files of this test, in the folder that it runs in. */
#define GAMES "caxton_books_test.pgn"
#define BOOK  "caxton_books_test.bin"
#define STATS "caxton_books_test.wld"
#define OTHER "caxton_books_test.epd"

static struct caxton_fault fault;

static void write_games(const char *text)
{
    FILE *file = fopen(GAMES, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int count(const char *path, const char *const *options, caxton_asked asked)
{
    static struct caxton_counted counted;
    const char *const games[] = {GAMES, NULL};
    return caxton_count(games, path, options, asked, &counted, &fault);
}

static struct caxton_move best(const char *path, const char *fen)
{
    struct book *book;
    struct caxton_move moves[CAXTON_MOVES_MAX];
    int32_t found;
    if (caxton_open(path, &book, &fault) != 0)
        fail_msg("%s", fault.text);
    assert_int_equal(caxton_look_up(book, fen, 0, moves, &found, &fault), 0);
    assert_true(found > 0);
    caxton_close(book);
    return moves[0];
}

static int teardown(void **state)
{
    (void)state;
    (void)remove(GAMES);
    (void)remove(BOOK);
    (void)remove(STATS);
    (void)remove(OTHER);
    return 0;
}

static void games_become_a_book_and_statistics(void **state)
{
    (void)state;
    const char *const all[] = {"min-games=1", NULL};
    write_games(
        "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n");
    assert_int_equal(count(BOOK, all, NULL), 0);
    assert_int_equal(count(STATS, NULL, NULL), 0);
    struct caxton_move first = best(BOOK, fen_start);
    assert_string_equal(first.uci, "e2e4");
    assert_string_equal(first.san, "e4");
    assert_int_equal(first.weight, 3);
    first = best(STATS, fen_start);
    assert_int_equal(first.weight, 2);
    assert_int_equal(first.results[0], 1);
    assert_int_equal(first.results[1], 1);
    assert_int_equal(first.results[2], 0);
}

static void statistics_are_weighed_when_converted(void **state)
{
    (void)state;
    char lost[CAXTON_LOST_MAX];
    struct book *book;
    const char *const all[] = {"min-games=1", "weight=games", NULL};
    write_games("[Result \"1-0\"]\n\n1. e4 1-0\n\n[Result \"0-1\"]\n\n1. e4 e5 0-1\n");
    assert_int_equal(count(STATS, NULL, NULL), 0);
    assert_int_equal(caxton_open(STATS, &book, &fault), 0);
    assert_int_equal(caxton_convert(book, OTHER, NULL, all, lost, &fault), 0);
    assert_int_equal(caxton_convert(book, OTHER, NULL, NULL, lost, &fault), 1);
    assert_string_equal(fault.text, STATS ": no move is left"); /* three games are wanted */
    caxton_close(book);
    assert_int_equal(best(OTHER, fen_start).weight, 2); /* the file of before is there */
}

static uint64_t visited;

static int visit_two(uint64_t key, const char *fen, const char *start, const char *line)
{
    (void)key;
    assert_string_equal(start, fen_start);
    assert_int_equal(strcmp(fen, fen_start) == 0, *line == '\0');
    return ++visited == 2;
}

static void the_whole_of_a_book(void **state)
{
    (void)state;
    struct book *book;
    struct caxton_info info;
    struct caxton_entry entry;
    uint64_t last = 0;
    uint64_t entries = 0;
    assert_int_equal(caxton_open(NULL, &book, &fault), 0);
    caxton_describe(book, &info);
    assert_string_equal(info.format, "Polyglot");
    assert_int_equal(info.unit, 0);
    for (; caxton_entry_at(book, entries, &entry); entries++) {
        assert_true(entry.key >= last);
        last = entry.key;
    }
    assert_int_equal(entries, info.moves);
    visited = 0;
    assert_int_equal(caxton_walk(book, visit_two, &fault), 0);
    assert_int_equal(visited, 2); /* the visitor ends the walk */
    caxton_close(book);
    caxton_close(NULL);
}

static int stop(uint64_t bytes, uint64_t games)
{
    (void)bytes;
    (void)games;
    return 1;
}

static void assert_refused(const char *path, const char *option, const char *why)
{
    const char *const options[] = {option, NULL};
    assert_int_equal(count(path, options, NULL), 1);
    assert_string_equal(fault.text, why);
}

static void faults_are_one_line(void **state)
{
    (void)state;
    struct book *book;
    struct caxton_move moves[CAXTON_MOVES_MAX];
    int32_t found;
    write_games("[Result \"1-0\"]\n\n1. e4 1-0\n");
    assert_int_equal(caxton_open("no such file.bin", &book, &fault), 1);
    assert_string_equal(fault.text, "no such file.bin: No such file or directory");
    assert_int_equal(caxton_open(NULL, &book, &fault), 0);
    assert_int_equal(caxton_look_up(book, "8/8 w - -", 0, moves, &found, &fault), 1);
    assert_string_equal(fault.text, "FEN, column 4: the board has missing squares");
    caxton_close(book);
    assert_refused(BOOK, "min-elo=many", "min-elo wants a number from 1 to 9999, not many");
    assert_refused(BOOK, "min-elo", "min-elo wants a value");
    assert_refused(BOOK, "uniform=1", "uniform wants no value");
    assert_refused(BOOK, "minelo=2000", "there is no option minelo here");
    assert_refused(BOOK, "weight=much", "weight: there is no kind much");
    assert_refused(BOOK, "mirror", "mirror and updatable are for statistics (.wld)");
    assert_refused(STATS, "uniform", "statistics are not weighed before they are converted");
    assert_refused(OTHER, "max-ply=9", OTHER ": games are counted into .bin or .wld");
    assert_refused("-", "max-ply=9", "-: games are counted into .bin or .wld");
    assert_refused(BOOK, "uniform",
                   "no move is left: of 1 games 1 were counted; nothing is written");
    assert_int_equal(count(BOOK, NULL, stop), 1);
    assert_string_equal(fault.text, GAMES ": stopped");
    assert_int_equal(file_kind_of(BOOK, NULL), FILE_ABSENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(games_become_a_book_and_statistics, teardown),
        cmocka_unit_test_teardown(statistics_are_weighed_when_converted, teardown),
        cmocka_unit_test(the_whole_of_a_book),
        cmocka_unit_test_teardown(faults_are_one_line, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
