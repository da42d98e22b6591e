/* Files that are no trees, or try to be endless. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/format.h"
#include "book/formats/thompson/tree_book.h"
#include "book/formats/thompson/tree_format.h"
#include "book/formats/thompson/tree_write.h"
#include "book/open/convert.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"

enum {
    E4 = 9,   /* places of moves */
    E5 = 8,   /* after 1. e4 */
    NF3 = 18, /* at the start */
    NF6 = 18, /* after 1. Nf3 */
    NG1 = 16, /* after 1. Nf3 Nf6 */
    NG8 = 18, /* after 1. Nf3 Nf6 2. Ng1 */
};

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static void take_fault(void *context, enum book_fault fault, const struct diag *diag,
                       const char *offer)
{
    (void)offer;
    struct any_faults *faults = context;
    any_take_fault(faults, fault, diag, NULL);
}

/* What opening says; the check must find it, too. */
static struct diag refusal(const void *bytes, size_t size)
{
    struct diag diag = {.text = ""};
    struct any_faults faults = {.sum = 0};
    struct book *book = NULL;
    assert_int_equal(book_create(&tree_format, bytes, NULL, size, "x.tree", &book, &diag),
                     STATUS_FORMAT);
    assert_false(tree_format.recognises(bytes, size) && !tree_has_header(bytes, size));
    assert_int_equal(tree_format.check(&tree_format, bytes, size, NULL, take_fault, &faults),
                     STATUS_OK);
    assert_int_equal(faults.sum, 1);
    assert_int_equal(faults.first.offset, diag.offset);
    return diag;
}

static void each_fault_by_name(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        size_t offset;
        uint8_t bytes[12];
        const char *text;
    } files[] = {
        {0, 0, {0}, "no move in it"},
        {1, 1, {E4}, "the file ends within a line"},
        {1, 1, {TREE_MORE | E4}, "the file ends within a line"},
        {3, 3, {TREE_MORE | E4, TREE_LAST | E5}, "the file ends within a line"},
        {2, 1, {TREE_LAST | E4, TREE_LAST | E4}, "moves behind the tree's end"},
        {4, 1, {E4, 0xC4, 0, 1}, "a jump leads to itself"},
        {3, 1, {E4, 0xC4, 0}, "the file ends within an escape"},
        {4, 1, {E4, 0xC4, 0, 9}, "a jump leads out of the tree"},
        {6, 1, {E4, 0xC5, 255, 255, 255, 255}, "a jump leads out of the tree"},
        {3, 1, {E4, 0xD5, 255}, "a jump leads out of the tree"},
        {7, 1, {TREE_MORE | E4, 0xC4, 0, 5, E4, 0xC4, 0}, "the file ends within an escape"},
        {8, 1, {TREE_MORE | E4, 0xC4, 0, 5, E4, 0xC4, 0, 0}, "a jump leads to no position"},
        {8, 1, {TREE_MORE | E4, 0xC4, 0, 6, E4, 0xC4, 0, 1}, "a jump leads to no position"},
        {3, 0, {0xC4, 0, 0}, "a jump without a move before it"},
        {4, 0, {0xC3, 0xC4, 0, 0}, "marks stand before a jump"},
        {2, 0, {0xCD, TREE_LAST | E4}, "an escape that is not defined"},
        {2, 0, {0xFF, TREE_LAST | E4}, "an escape that is not defined"},
        {3, 0, {0xC3, 0xC3, TREE_LAST | E4}, "the same mark stands twice before a move"},
        {4, 0, {0xC0, 0xC2, TREE_LAST, 0}, "the same mark stands twice before a move"},
        {5, 0, {0xC9, 1, 0xC9, 1, TREE_LAST}, "the same mark stands twice before a move"},
        {2, 0, {0xC6, TREE_LAST}, "the last move of a position is marked as if another"},
        {4, 0, {0xCC, 2, '8', '/'}, "the board has missing squares"},
        {3, 0, {0xCC, 9, '8'}, "the file ends within a start position"},
        {5, 1, {E4, 0xCC, 1, '8', 1}, "a start position within a line"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct diag diag = refusal(files[i].bytes, files[i].size);
        if (!strstr(diag.text, files[i].text))
            fail_msg("file %zu: %s", i, diag.text);
        assert_int_equal(strncmp(diag.text, "x.tree: byte ", 13), 0);
    }
}

/* The header says how long all is, and a checksum guards every byte. */
static void any_byte_changed(void **state)
{
    (void)state;
    static const uint8_t pure[] = {TREE_MORE | E4, E5, TREE_LAST | NF3, TREE_LAST | NF3};
    struct diag diag;
    struct book_losses losses = {0};
    char *bytes = NULL;
    size_t size;
    struct book *book = NULL;
    FILE *file = open_memstream(&bytes, &size);
    assert_non_null(file);
    assert_int_equal(book_create(&tree_format, pure, NULL, sizeof pure, "x", &book, &diag),
                     STATUS_OK);
    assert_int_equal(book_convert(book, &tree_writers[0], file, &losses, &diag), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    book_close(book);
    for (size_t i = TREE_MAGIC_SIZE; i < size; i++) {
        bytes[i] ^= 0x10;
        (void)refusal(bytes, size);
        bytes[i] ^= 0x10;
    }
    for (size_t cut = TREE_MAGIC_SIZE; cut < size; cut++)
        (void)refusal(bytes, cut);
    assert_int_equal(book_create(&tree_format, (uint8_t *)bytes, NULL, size, "x", &book, &diag),
                     STATUS_OK);
    book_close(book);
    free(bytes);
}

static struct book *open_tree(const uint8_t *bytes, size_t size)
{
    struct diag diag = {.text = ""};
    struct book *book = NULL;
    if (book_create(&tree_format, bytes, NULL, size, "x", &book, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    return book;
}

/* Knights go out and back; a jump leads to the beginning. A game may go round as often as it likes.
 */
static void a_line_that_goes_round(void **state)
{
    (void)state;
    static const uint8_t round[] = {NF3, NF6, NG1, NG8, 0xC4, 0, 0};
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    struct any_faults faults = any_check(&tree_format, round, sizeof round);
    struct book *book = open_tree(round, sizeof round);
    struct book_graph graph = {0};
    struct game *game = game_create();
    assert_non_null(game);
    assert_int_equal(faults.sum, 0);
    for (int i = 0; i < 400; i++) {
        struct book_move found[MOVES_MAX];
        move m;
        assert_int_equal(book_probe_game(book, game, found, MOVES_MAX), 1);
        assert_int_equal(move_from_uci(game_position(game), span_of(moves[i % 4]), &m), STATUS_OK);
        assert_int_equal(found[0].move, m);
        assert_int_equal(game_play(game, m), STATUS_OK);
    }
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(graph.known, 4);
    book_graph_destroy(&graph);
    game_destroy(game);
    book_close(book);
}

/* Sound in structure, wrong in chess. */
static void illegal_moves_are_left_out(void **state)
{
    (void)state;
    static const uint8_t tree[] = {TREE_MORE | 40,
                                   TREE_MORE | 3,
                                   TREE_LAST | 2,
                                   TREE_LAST | 1,
                                   TREE_MORE | E4,
                                   TREE_LAST | 63,
                                   0x80 | NF3,
                                   NF6,
                                   0xC4,
                                   0,
                                   1,
                                   TREE_LAST | NF3};
    struct any_faults faults = any_check(&tree_format, tree, sizeof tree);
    assert_int_equal(faults.counts[BOOK_FAULT_ILLEGAL], 2);
    assert_int_equal(faults.counts[BOOK_FAULT_DUPLICATE], 1);
    assert_int_equal(faults.sum, 3);
    assert_false(tree_format.recognises(tree, sizeof tree));
    struct book *book = open_tree(tree, sizeof tree);
    assert_int_equal(any_weight(book, "", "e2e4"), 2);
    assert_int_equal(any_weight(book, "", "g1f3"), 1);
    assert_int_equal(any_weight(book, "e2e4", "e7e5"), -1);
    book_close(book);
}

/* A jump to choices that belong to another position. */
static void a_jump_that_lies(void **state)
{
    (void)state;
    static const uint8_t tree[] = {TREE_MORE | E4, E5, TREE_LAST | NF3, NF3, 0xC4, 0, 1};
    struct any_faults faults = any_check(&tree_format, tree, sizeof tree);
    assert_int_equal(faults.sum, 1);
    assert_int_equal(faults.counts[BOOK_FAULT_LINK], 1);
    assert_int_equal(faults.first.offset, 4);
}

/* As many choices as there are places, as many plies as a line may have; then one more. */
static void large_and_deep(void **state)
{
    (void)state;
    static const uint8_t round[] = {NF3, NF6, NG1, NG8};
    static uint8_t bytes[TREE_PLIES_MAX + 1];
    for (size_t i = 0; i < TREE_CHOICES_MAX; i++) {
        bytes[2 * i] = 0xC6; /* a choice that ends its line */
        bytes[2 * i + 1] = TREE_MORE | NF3;
    }
    bytes[2 * TREE_CHOICES_MAX] = TREE_LAST | NF3;
    struct diag diag = refusal(bytes, 2 * TREE_CHOICES_MAX + 1);
    assert_non_null(strstr(diag.text, "more choices than there are moves"));
    bytes[2 * TREE_CHOICES_MAX - 2] = TREE_LAST | NF3;
    struct book *book = open_tree(bytes, 2 * TREE_CHOICES_MAX - 1);
    assert_int_equal(book_entry_count(book), TREE_CHOICES_MAX);
    struct position pos = any_position("");
    struct book_move found[MOVES_MAX];
    assert_int_equal(book_probe(book, &pos, found, MOVES_MAX), 1);
    book_close(book);

    for (size_t i = 0; i < TREE_PLIES_MAX; i++)
        bytes[i] = round[i % 4];
    bytes[TREE_PLIES_MAX] = TREE_LAST | round[TREE_PLIES_MAX % 4];
    diag = refusal(bytes, sizeof bytes);
    assert_non_null(strstr(diag.text, "a line of more than 65,535 moves"));
    bytes[TREE_PLIES_MAX - 1] |= TREE_LAST;
    struct any_faults faults = any_check(&tree_format, bytes, TREE_PLIES_MAX);
    assert_int_equal(faults.sum, 0);
    book = open_tree(bytes, TREE_PLIES_MAX);
    assert_int_equal(book->table.count, 4);
    pos = any_position("e2e4");
    assert_int_equal(book_probe(book, &pos, found, MOVES_MAX), 0);
    book_close(book);
}

/* From each position two moves, both of which lead on to the rest: 2^500 lines in 2,504 bytes. */
static void lines_beyond_number(void **state)
{
    (void)state;
    enum { LEVELS = 500, LEVEL_SIZE = 5 };
    static const uint8_t round[] = {NF3, NF6, NG1, NG8};
    static uint8_t bytes[LEVELS * LEVEL_SIZE + 1];
    for (size_t i = 0; i < LEVELS; i++) {
        size_t next = (i + 1) * LEVEL_SIZE;
        const uint8_t level[LEVEL_SIZE] = {TREE_MORE, 0xC4, (uint8_t)(next >> 8), (uint8_t)next,
                                           round[i % 4]};
        memcpy(bytes + i * LEVEL_SIZE, level, LEVEL_SIZE);
    }
    bytes[LEVELS * LEVEL_SIZE] = TREE_LAST;
    struct any_faults faults = any_check(&tree_format, bytes, sizeof bytes);
    assert_int_equal(faults.sum, LEVELS); /* no jump leads to the position it comes from */
    assert_int_equal(faults.counts[BOOK_FAULT_LINK], LEVELS);
    struct book *book = open_tree(bytes, sizeof bytes);
    struct book_graph graph = {0};
    struct game *game = game_create();
    assert_non_null(game);
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(graph.edge_count, 8);
    for (size_t i = 0; i < 50; i++) {
        struct book_move found[MOVES_MAX];
        int count = book_probe_game(book, game, found, MOVES_MAX);
        assert_true(count == 1 || count == 2);
        assert_int_equal(game_play(game, found[count - 1].move), STATUS_OK);
    }
    game_destroy(game);
    book_graph_destroy(&graph);
    book_close(book);
}

static void other_files(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "A",
        "\nA",
        "[Event \"?\"]\n\n1. e4 *\n",
        "e4 e5\n",
        "\n",
        "\n\n",
        "",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n",
        "\xC3\xA9 e4\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(tree_format.recognises((const uint8_t *)texts[i], strlen(texts[i])));
    static const uint8_t entry[] = {0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c,
                                    0x03, 0x1c, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00};
    assert_false(tree_format.recognises(entry, sizeof entry));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_by_name),     cmocka_unit_test(any_byte_changed),
        cmocka_unit_test(a_line_that_goes_round), cmocka_unit_test(illegal_moves_are_left_out),
        cmocka_unit_test(a_jump_that_lies),       cmocka_unit_test(large_and_deep),
        cmocka_unit_test(lines_beyond_number),    cmocka_unit_test(other_files),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
