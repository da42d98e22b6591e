/* makebook explore: sample games that stand on a page. What the page does with them in a browser:
 * tests/clients/explore_page.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "makebook.h"

/* A page, read, and its games; NULL: it has none. */
static char *page;
static char *games;

/* id: of the element that has the games. */
static void read_page(const char *id)
{
    free(page);
    FILE *file = fopen(path_of("page.html"), "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size > 0);
    page = malloc((size_t)size + 1);
    assert_non_null(page);
    rewind(file);
    assert_int_equal(fread(page, 1, (size_t)size, file), size);
    page[size] = '\0';
    assert_int_equal(fclose(file), 0);
    char mark[80];
    (void)snprintf(mark, sizeof mark, "<script type=\"application/json\" id=\"%s\">", id);
    games = strstr(page, mark);
    if (!games)
        return;
    games += strlen(mark);
    char *end = strstr(games, "</script>");
    assert_non_null(end);
    *end = '\0';
}

static void make_page(const char *book)
{
    assert_int_equal(MAKEBOOK("explore", book, "-q", "-o", path_of("page.html")), 0);
    read_page("games");
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

static const char few[] = "[White \"Anna\"]\n[Black \"</script><b>\"]\n[Date \"1999.12.31\"]\n"
                          "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 {well} Nc6 1-0\n\n"
                          "[White \"Cleo\"]\n[Black \"Dan\"]\n[WhiteElo \"2600\"]\n"
                          "[Result \"0-1\"]\n\n1. e4 e5 2. Nc3 0-1\n";

static int make_folder(void **state)
{
    (void)state;
    chess_init();
    return create_folder();
}

static int end_folder(void **state)
{
    free(page);
    return remove_folder(state);
}

static int make_few(void **state)
{
    (void)state;
    write_text("few.pgn", few);
    return MAKEBOOK("build", "few.pgn", "-o", "few.wld", "--samples", "2", "-q");
}

/* Each game once, with its moves; of each position the numbers of its games. */
static void games_stand_on_the_page(void **state)
{
    (void)state;
    make_page("few.wld");
    assert_string_equal(result.errors, "");
    assert_says(games, "{\"about\": {\"white\": {\"name\": \"Cleo\", \"elo\": 2600}, \"black\": "
                       "{\"name\": \"Dan\"}, \"result\": \"0-1\", ");
    assert_says(games, "\"black\": {\"name\": \"\\u003c/script>\\u003cb>\"}");
    assert_says(games, "\"file\": \"few.pgn\", \"byte\": 0}, \"fen\": null, \"moves\": [");
    assert_int_equal(count_of(games, "\"about\""), 2);
    assert_says(games, "\"463b96181691fc9c\": [0, 1]");
    assert_says(games, "\"823c9b50fd114196\": [0, 1]");
    assert_null(strstr(games, folder)); /* pages are given to others */
    make_page("few.pgn");
    assert_null(games);
}

static void each_of_two_books_has_its_own(void **state)
{
    (void)state;
    write_text("lines.pgn", "[Event \"x\"]\n\n1. e4 {[%weight 3]} *\n");
    assert_int_equal(MAKEBOOK("explore", "lines.pgn", "few.wld", "-o", path_of("page.html")), 0);
    read_page("games");
    assert_null(games);
    read_page("rival-games");
    assert_says(games, "\"name\": \"Cleo\"");
    assert_int_equal(MAKEBOOK("explore", "few.wld", "lines.pgn", "-o", path_of("page.html")), 0);
    read_page("rival-games");
    assert_null(games);
    read_page("games");
    assert_says(games, "\"name\": \"Cleo\"");
}

/* Positions that are not on the page have no games there either. */
static void games_end_where_the_page_ends(void **state)
{
    (void)state;
    make_page("few.wld");
    assert_int_equal(count_of(strstr(games, "\"lists\""), ": ["), 4);
    assert_int_equal(
        MAKEBOOK("explore", "few.wld", "--max-ply", "1", "-q", "-o", path_of("page.html")), 0);
    read_page("games");
    assert_int_equal(count_of(strstr(games, "\"lists\""), ": ["), 2);
}

static void packed_games_are_read(void **state)
{
    (void)state;
    static const char *const packed[] = {"gz", "zst", "zip"};
    for (int i = 0; i < 3; i++) {
        char path[400];
        (void)snprintf(path, sizeof path, TEST_DATA_DIR "/packed/games.pgn.%s", packed[i]);
        if (RUN("build", path, "-o", path_of("packed.wld"), "--samples", "2", "-q") != 0) {
            assert_says(result.errors, "built without");
            continue;
        }
        make_page("packed.wld");
        assert_says(games, "Anderssen");
        assert_says(games, "Morphy");
        assert_says(games, "\"463b96181691fc9c\": [0, 1]");
    }
}

/* The page is made in any case. */
static void what_cannot_be_read_is_told(void **state)
{
    (void)state;
    char bytes[FILE_MAX];
    write_text("few.pgn", few + 1);
    make_page("few.wld");
    assert_null(games);
    assert_says(result.errors, "2 sample games cannot be read: ");
    assert_says(result.errors, "few.pgn: the game at byte 0 is another one: the file has changed");
    assert_int_equal(unlink(path_of("few.pgn")), 0);
    make_page("few.wld");
    assert_says(result.errors, "few.pgn is not there any more\n");
    assert_int_equal(make_few(state), 0);
    size_t size = read_bytes("few.wld.games", bytes);
    for (size_t i = 0; i < size; i += size / 10) {
        bytes[i] ^= 1;
        FILE *file = fopen(path_of("few.wld.games"), "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
        bytes[i] ^= 1;
        make_page("few.wld");
        assert_null(games);
        assert_says(result.errors, "warning: no sample games: ");
        assert_says(result.errors, "few.wld.games: byte ");
    }
}

/* More games, each with a line of its own, than a page takes. */
static void a_page_takes_so_many(void **state)
{
    (void)state;
    enum { PAGE_GAMES = 5000 };
    FILE *file = fopen(path_of("many.pgn"), "wb");
    struct position pos;
    move first[MOVES_MAX];
    size_t written = 0;
    assert_non_null(file);
    position_start(&pos);
    int firsts = movegen_legal(&pos, first);
    for (int i = 0; i < firsts; i++) {
        struct position reply_pos = position_after(&pos, first[i]);
        move reply[MOVES_MAX];
        char san[3][SAN_MAX];
        int replies = movegen_legal(&reply_pos, reply);
        move_to_san(&pos, first[i], san[0]);
        for (int j = 0; j < replies; j++) {
            struct position third_pos = position_after(&reply_pos, reply[j]);
            move third[MOVES_MAX];
            int thirds = movegen_legal(&third_pos, third);
            move_to_san(&reply_pos, reply[j], san[1]);
            for (int k = 0; k < thirds; k++, written++) {
                move_to_san(&third_pos, third[k], san[2]);
                (void)fprintf(file,
                              "[White \"W%zu\"]\n[Result \"1-0\"]\n\n1. %s %s 2. %s a6 1-0\n\n",
                              written, san[0], san[1], san[2]);
            }
        }
    }
    assert_int_equal(fclose(file), 0);
    assert_true(written > PAGE_GAMES);
    assert_int_equal(MAKEBOOK("build", "many.pgn", "-o", "many.wld", "--samples", "30", "-q"), 0);
    make_page("many.wld");
    assert_says(result.errors, "5000 sample games are on the page: more are left out\n");
    assert_int_equal(count_of(games, "\"about\""), PAGE_GAMES);
    /* So many of a position. */
    const char *start = strstr(games, "\"463b96181691fc9c\": [");
    assert_non_null(start);
    *strchr(start, ']') = '\0';
    assert_int_equal(count_of(start, ","), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(games_stand_on_the_page, make_few),
        cmocka_unit_test_setup(each_of_two_books_has_its_own, make_few),
        cmocka_unit_test_setup(games_end_where_the_page_ends, make_few),
        cmocka_unit_test(packed_games_are_read),
        cmocka_unit_test_setup(what_cannot_be_read_is_told, make_few),
        cmocka_unit_test(a_page_takes_so_many),
    };
    return cmocka_run_group_tests(tests, make_folder, end_folder);
}
