/* What another kind of file does not hold of a book, counted and said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/open/convert.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"
#include "tests/support/book_entries.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

/* Closes the book. */
static struct book_losses losses_of(struct book *book, const char *kind)
{
    struct book_losses losses = {0};
    struct diag diag = {.text = ""};
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    assert_non_null(file);
    if (book_convert(book, formats_writer(kind), file, &losses, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(fclose(file), 0);
    free(bytes);
    book_close(book);
    return losses;
}

static void assert_said(const struct book_losses *losses, const char *wanted)
{
    char text[BOOK_LOSSES_TEXT_MAX];
    assert_string_equal(book_losses_text(losses, text), wanted);
}

/* A book of the start: e4 of weight 3 with a learn value, d4 of weight 1, f3 of weight 0; and a
 * position that no line reaches. */
static struct book *small_book(struct book_bytes *bytes)
{
    struct position start = position_by_moves("");
    bytes->size = 0;
    put(bytes, 1, "a2a3", 5);
    put(bytes, start.key, "e2e4", 3);
    bytes->bytes[bytes->size - 1] = 7; /* learn */
    put(bytes, start.key, "d2d4", 1);
    put(bytes, start.key, "f2f3", 0);
    return open_bytes(bytes);
}

static void weights_and_learn_values(void **state)
{
    (void)state;
    struct book_bytes bytes;
    struct book_losses losses = losses_of(small_book(&bytes), "fen");
    assert_int_equal(losses.weights, 1);
    assert_int_equal(losses.unplayed, 1);
    assert_int_equal(losses.learn, 1);
    assert_int_equal(losses.unreached, 1);
    assert_said(&losses, "1 of 2 positions left out: no line reaches them, as where rare moves "
                         "were left out; 1 weight not kept; "
                         "1 move of weight 0 left out; 1 learn value not kept");
    losses = losses_of(small_book(&bytes), "epd");
    assert_said(&losses, "1 of 2 positions left out: no line reaches them, as where rare moves "
                         "were left out; "
                         "1 learn value not kept");
    losses = losses_of(small_book(&bytes), "tree-pure");
    assert_int_equal(losses.weights, 1);
    assert_int_equal(losses.unplayed, 0);
    losses = losses_of(small_book(&bytes), "bin");
    assert_said(&losses, "");
    losses.unfollowed = 40000000;
    assert_said(&losses, "40000000 moves are too many to look for illegal ones");
}

static void large_weights(void **state)
{
    (void)state;
    static const char text[] = "[Event \"x\"]\n\n1. e4 {[%weight 70000]} (1. d4 {[%weight 9]}) *\n";
    struct book_losses losses = losses_of(any_open_text(text), "bin");
    assert_said(&losses, "1 weight too large: scaled down or cut");
    losses = losses_of(any_open_text(text), "abk");
    assert_said(&losses, "");
}

/* A book of Black's moves: the small trees follow moves of the book only. */
static void what_other_moves_reach(void **state)
{
    (void)state;
    static const char text[] = "c5 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n"
                               "d6 rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -\n"
                               "e5 rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n"
                               "e4 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"
                               "d4 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    struct book_losses losses = losses_of(any_open_text(text), "tree-small");
    assert_int_equal(losses.unreached, 0);
    assert_int_equal(losses.non_book, 1);
    assert_said(&losses,
                "1 of 4 positions left out: only moves that are not the book's lead to them");
    losses = losses_of(any_open_text(text), "tree");
    assert_said(&losses, "");
}

static void other_starts(void **state)
{
    (void)state;
    static const char text[] = "e4 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"
                               "Kd2 4k3/8/8/8/8/8/8/4K3 w - -\n";
    struct book_losses losses = losses_of(any_open_text(text), "abk");
    assert_said(&losses, "1 of 2 positions left out: only lines from another start reach them");
}

static void comments_and_names(void **state)
{
    (void)state;
    struct book_losses losses =
        losses_of(any_open_text("[Event \"x\"]\n[White \"Me\"]\n[Black \"?\"]\n\n"
                                "1. e4! {best} e5 $2 {[%weight 3]} 2. Nf3 ; so\n *\n"),
                  "bin");
    assert_int_equal(losses.comments, 5);
    assert_said(&losses, "5 comments, names and marks not kept");
    losses = losses_of(any_open_text("# mine\n"
                                     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
                                     "bm e4; c0 \"e4=2\"; c1 \"good\"; id \"start\";\n"),
                       "pgn");
    assert_int_equal(losses.comments, 3);
}

/* A move that stands in a file several times is one move of the book. */
static void moves_are_counted_once(void **state)
{
    (void)state;
    struct book *book =
        any_open_text("[Event \"x\"]\n\n1. e4 e5 *\n\n[Event \"x\"]\n\n1. e4 c5 *\n");
    assert_int_equal(book_entry_count(book), 3);
    assert_int_equal(any_weight(book, "", "e2e4"), 2);
    book_close(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_and_learn_values), cmocka_unit_test(large_weights),
        cmocka_unit_test(what_other_moves_reach),   cmocka_unit_test(other_starts),
        cmocka_unit_test(comments_and_names),       cmocka_unit_test(moves_are_counted_once),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
