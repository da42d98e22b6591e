/* Several books in one option. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "book/book.h"
#include "book/book_move.h"
#include "book/open/book_set.h"
#include "chess/attacks.h"
#include "tests/support/book_entries.h"

static char folder[] = "/tmp/caxton-books-XXXXXX";

static void save(const char *name, const struct book_bytes *bytes)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes->bytes, 1, bytes->size, file), bytes->size);
    assert_int_equal(fclose(file), 0);
}

static void forget(const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)remove(path);
}

/* first.bin knows the start (b2b4) and forbids the answer to 1.d4; "second one.bin" knows both and
 * the answers to 1.b4 and 1.e4; bad.bin has no whole entry. */
static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (!mkdtemp(folder))
        return 1;
    struct book_bytes first = {.size = 0};
    put(&first, position_by_moves("").key, "b2b4", 5);
    put(&first, position_by_moves("d2d4").key, "d7d5", 0);
    struct book_bytes second = {.size = 0};
    put(&second, position_by_moves("").key, "e2e4", 7);
    put(&second, position_by_moves("d2d4").key, "g8f6", 7);
    put(&second, position_by_moves("e2e4").key, "e7e5", 3);
    put(&second, position_by_moves("e2e4").key, "c7c5", 1);
    put(&second, position_by_moves("b2b4").key, "a7a5", 3);
    put(&second, position_by_moves("b2b4").key, "c7c6", 4);
    save("first.bin", &first);
    save("second one.bin", &second);
    second.size = 9;
    save("bad.bin", &second);
    /* A tree: 1.e4, marked as open, or else 1.d4, as closed. */
    struct book_bytes tree = {
        .bytes = {0xC8, BOOK_OPEN, 0xC6, 0x80 | 9, 0xC8, BOOK_CLOSED, 0x40 | 7}, .size = 7};
    save("style.tree", &tree);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    forget("first.bin");
    forget("second one.bin");
    forget("bad.bin");
    forget("style.tree");
    return rmdir(folder);
}

/* Opens an option text in which % stands for the folder. */
static struct book_set *open_set(const char *pattern)
{
    char files[1024];
    struct text_buffer text = text_buffer_on(files, sizeof files);
    for (const char *c = pattern; *c; c++)
        if (*c == '%')
            text_append(&text, "%s", folder);
        else
            text_append(&text, "%c", *c);
    struct book_set *set = NULL;
    assert_int_equal(book_set_open(files, &set), STATUS_OK);
    return set;
}

/* The game after moves in UCI notation, to be destroyed. */
static struct game *game_of(const char *moves)
{
    struct game *game = game_create();
    assert_non_null(game);
    struct span rest = span_of(moves);
    for (struct span token; (token = span_token(&rest)).size;) {
        move m;
        assert_int_equal(move_from_uci(game_position(game), token, &m), STATUS_OK);
        assert_int_equal(game_play(game, m), STATUS_OK);
    }
    return game;
}

/* The answer after `moves` is `wanted` and the reply `ponder`; NULL: no answer; ponder "" = none.
 */
static void check(const struct book_set *set, const char *moves, const char *wanted,
                  const char *ponder, int permille)
{
    struct rng rng;
    rng_seed(&rng, 3);
    struct game *game = game_of(moves);
    struct book_answer answer = {.move = MOVE_NULL};
    const struct book_settings settings = {.selection = BOOK_BEST};
    enum caxton_status status = book_set_choose(set, game, &settings, &rng, &answer);
    game_destroy(game);
    if (!wanted) {
        assert_int_equal(status, STATUS_NOT_FOUND);
        assert_int_equal(answer.move, MOVE_NULL);
        return;
    }
    char uci[UCI_MAX];
    assert_int_equal(status, STATUS_OK);
    move_to_uci(answer.move, false, uci);
    assert_string_equal(uci, wanted);
    move_to_uci(answer.ponder, false, uci);
    assert_string_equal(uci, *ponder ? ponder : "0000");
    assert_int_equal(answer.share_permille, permille);
}

static void the_first_that_knows_answers(void **state)
{
    (void)state;
    struct book_set *set = open_set("%/first.bin;%/second one.bin");
    assert_int_equal(book_set_count(set), 2);
    assert_int_equal(book_set_remark_count(set), 1); /* second one.bin is not sorted */
    check(set, "", "b2b4", "c7c6", 1000);
    check(set, "e2e4", "e7e5", "", 750);
    check(set, "c2c4", NULL, NULL, 0);
    book_set_close(set);

    set = open_set(" %/second one.bin ; %/first.bin;");
    check(set, "", "e2e4", "e7e5", 1000);
    book_set_close(set);
}

/* In polyglot.ini what follows a ';' is a comment. */
static void a_bar_separates_too(void **state)
{
    (void)state;
    struct book_set *set = open_set("%/second one.bin?depth=1 | %/first.bin;<builtin>");
    assert_int_equal(book_set_count(set), 3);
    assert_string_equal(file_name_of(book_name(book_set_book(set, 1))), "first.bin");
    check(set, "", "e2e4", "e7e5", 1000);
    book_set_close(set);
}

static void assert_in_style(const struct book_set *set, uint8_t styles, const char *wanted,
                            int permille)
{
    struct rng rng;
    struct game *game = game_of("");
    const struct book_settings settings = {.selection = BOOK_WEIGHTED, .styles = styles};
    rng_seed(&rng, 3);
    for (int i = 0; i < 20; i++) {
        struct book_answer answer;
        char uci[UCI_MAX];
        assert_int_equal(book_set_choose(set, game, &settings, &rng, &answer), STATUS_OK);
        move_to_uci(answer.move, false, uci);
        assert_string_equal(uci, wanted);
        assert_int_equal(answer.share_permille, permille);
    }
    game_destroy(game);
}

static void a_style_of_opening(void **state)
{
    (void)state;
    struct book_set *set = open_set("%/style.tree");
    check(set, "", "e2e4", "", 667);
    assert_in_style(set, BOOK_OPEN, "e2e4", 667);
    assert_in_style(set, BOOK_CLOSED, "d2d4", 333);
    assert_in_style(set, BOOK_CLOSED | BOOK_GAMBIT, "d2d4", 333);
    book_set_close(set);
    set = open_set("%/first.bin;%/style.tree"); /* does not say what its moves lead to */
    assert_in_style(set, BOOK_CLOSED, "b2b4", 1000);
    book_set_close(set);
}

static void a_book_has_its_own_options(void **state)
{
    (void)state;
    struct book_set *set = open_set("%/first.bin?color=black;%/second one.bin?depth=1&Color=White");
    assert_int_equal(book_set_remark_count(set), 1); /* second one.bin is not sorted */
    check(set, "", "e2e4", "e7e5", 1000);
    check(set, "d2d4", NULL, NULL, 0);
    check(set, "b2b4", NULL, NULL, 0);
    book_set_close(set);
    set = open_set("%/second one.bin ? threshold=600 & selection=uniform");
    struct rng rng;
    struct game *game = game_of("e2e4");
    rng_seed(&rng, 3);
    const struct book_settings settings = {.selection = BOOK_BEST, .is_over = true};
    struct book_answer answer;
    assert_int_equal(book_set_choose(set, game, &settings, &rng, &answer), STATUS_NOT_FOUND);
    book_set_close(set);
    set = open_set("%/second one.bin?depth=2&selection=uniform");
    bool other = false; /* than the best */
    for (int i = 0; i < 40; i++) {
        assert_int_equal(book_set_choose(set, game, &settings, &rng, &answer), STATUS_OK);
        other |= answer.share_permille == 250;
    }
    assert_true(other);
    game_destroy(game);
    book_set_close(set);
}

static void wrong_options_cost_a_remark(void **state)
{
    (void)state;
    static const char *const wrong[] = {"color=red", "depth=256", "mood=open", "depth", "=best"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "%%/first.bin?%s&selection=best", wrong[i]);
        struct book_set *set = open_set(text);
        assert_int_equal(book_set_count(set), 1);
        assert_int_equal(book_set_remark_count(set), 1);
        assert_false(book_set_is_failure(set, 0));
        assert_non_null(strstr(book_set_remark(set, 0), wrong[i]));
        check(set, "", "b2b4", "", 1000);
        book_set_close(set);
    }
}

/* Files that look as if they had options are opened all the same. */
static void a_name_with_a_question_mark(void **state)
{
    (void)state;
    struct book_bytes bytes = {.size = 0};
    put(&bytes, position_by_moves("").key, "h2h4", 5);
    save("odd?color=black", &bytes);
    struct book_set *set = open_set("%/odd?color=black");
    check(set, "", "h2h4", "", 1000);
    book_set_close(set);
    set = open_set("%/odd?color=black?color=white&depth=1");
    check(set, "", "h2h4", "", 1000);
    book_set_close(set);
    set = open_set("%/absent?color=black;%/what?");
    assert_int_equal(book_set_count(set), 0);
    assert_true(book_set_is_failure(set, 0));
    assert_non_null(strstr(book_set_remark(set, 1), "what?"));
    book_set_close(set);
    forget("odd?color=black");
}

/* The books' line from the start, with `first` as its first move. */
static void check_line(const struct book_set *set, const char *first, int capacity,
                       const char *wanted)
{
    struct game *game = game_of("");
    move line[8];
    move m;
    assert_int_equal(move_from_uci(game_position(game), span_of(first), &m), STATUS_OK);
    int length = book_set_line(set, game, m, line, capacity);
    char data[64];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    for (int i = 0; i < length; i++) {
        char uci[UCI_MAX];
        move_to_uci(line[i], false, uci);
        text_append(&text, "%s%s", i ? " " : "", uci);
    }
    assert_string_equal(data, wanted);
    assert_int_equal(game_plies(game), 0);
    game_destroy(game);
}

static void a_line_goes_as_far_as_the_books(void **state)
{
    (void)state;
    struct book_set *set = open_set("%/first.bin;%/second one.bin");
    check_line(set, "b2b4", 8, "b2b4 c7c6");
    check_line(set, "e2e4", 8, "e2e4 e7e5");
    check_line(set, "e2e4", 1, "e2e4");
    check_line(set, "h2h4", 8, "h2h4");
    check_line(set, "d2d4", 8, "d2d4 g8f6"); /* not the move of weight 0 */
    book_set_close(set);
    set = open_set("<empty>");
    check_line(set, "e2e4", 8, "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4");
    book_set_close(set);
}

static void forbidden_moves_are_not_played(void **state)
{
    (void)state;
    struct book_set *set = open_set("%/first.bin");
    check(set, "d2d4", NULL, NULL, 0);
    book_set_close(set);
}

static void builtin_stands_alone_or_among_others(void **state)
{
    (void)state;
    static const char *const alone[] = {"", "<empty>", " <EMPTY> ", "<builtin>", "<BuiltIn>;"};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        struct book_set *set = open_set(alone[i]);
        assert_int_equal(book_set_count(set), 1);
        check(set, "", "g1f3", "d7d5", 417);
        book_set_close(set);
    }
    static const char *const among[] = {"%/first.bin;<empty>", "%/first.bin;<builtin>"};
    for (size_t i = 0; i < sizeof among / sizeof *among; i++) {
        struct book_set *set = open_set(among[i]);
        assert_int_equal(book_set_count(set), 2);
        assert_int_equal(book_set_remark_count(set), 0);
        check(set, "", "b2b4", "e7e5", 1000);
        book_set_close(set);
    }
}

static void faults_are_remarks(void **state)
{
    (void)state;
    struct book_set *set = open_set("%/none.bin;%/bad.bin;%/first.bin");
    assert_int_equal(book_set_count(set), 1);
    assert_int_equal(book_set_remark_count(set), 2);
    assert_non_null(strstr(book_set_remark(set, 0), "none.bin: No such file"));
    assert_non_null(strstr(book_set_remark(set, 1), "bad.bin: not a Polyglot book"));
    assert_null(strstr(book_set_remark(set, 0), "looked for")); /* the path says where */
    assert_true(book_set_is_failure(set, 0) && book_set_is_failure(set, 1));
    check(set, "", "b2b4", "", 1000);
    book_set_close(set);

    set = open_set("%/none.bin");
    assert_int_equal(book_set_count(set), 0);
    assert_int_equal(book_set_remark_count(set), 1);
    check(set, "", NULL, NULL, 0);
    book_set_close(set);
    book_set_close(NULL);

    set = open_set("%/second one.bin");
    assert_int_equal(book_set_remark_count(set), 1); /* it is not sorted, but opened */
    assert_false(book_set_is_failure(set, 0));
    book_set_close(set);
}

static void a_relative_path_is_told_with_its_folder(void **state)
{
    (void)state;
    char here[256];
    char wanted[300];
    file_current_folder(here, sizeof here);
    struct text_buffer text = text_buffer_on(wanted, sizeof wanted);
    text_append(&text, "(looked for in %s)", here);
    struct book_set *set = open_set("no such book.bin");
    assert_int_equal(book_set_count(set), 0);
    assert_int_equal(book_set_remark_count(set), 1);
    assert_non_null(strstr(book_set_remark(set, 0), "no such book.bin: No such file"));
    assert_non_null(strstr(book_set_remark(set, 0), wanted));
    book_set_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_that_knows_answers),
        cmocka_unit_test(a_bar_separates_too),
        cmocka_unit_test(a_style_of_opening),
        cmocka_unit_test(a_book_has_its_own_options),
        cmocka_unit_test(wrong_options_cost_a_remark),
        cmocka_unit_test(a_name_with_a_question_mark),
        cmocka_unit_test(a_line_goes_as_far_as_the_books),
        cmocka_unit_test(forbidden_moves_are_not_played),
        cmocka_unit_test(builtin_stands_alone_or_among_others),
        cmocka_unit_test(faults_are_remarks),
        cmocka_unit_test(a_relative_path_is_told_with_its_folder),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
