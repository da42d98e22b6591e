/* Thompson's tree: the example of its paper, every mark, hostile files. It is long because each
 * mark of the format is a case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/formats/thompson/tree_book.h"
#include "book/formats/thompson/tree_format.h"
#include "book/graph/entropy.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "tests/support/any_book.h"
#include "tests/support/tree_writing.h"

enum { BODY_MAX = 4096 };

struct body {
    uint8_t bytes[BODY_MAX];
    size_t size;
};

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static struct book *open_tree(const void *bytes, size_t size)
{
    struct book *book = NULL;
    struct diag diag = {.text = ""};
    if (book_create(&tree_format, bytes, NULL, size, "test", &book, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    return book;
}

static char *write_tree(const struct book *book, struct tree_options options, size_t *size)
{
    char *bytes = NULL;
    struct diag diag = {.text = ""};
    FILE *file = open_memstream(&bytes, size);
    assert_non_null(file);
    if (tree_write_with(book, &options, file, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

static void expect_no_fault(void *context, enum book_fault fault, const struct diag *diag,
                            const char *offer)
{
    (void)offer;
    (void)context;
    (void)fault;
    fail_msg("%s", diag->text);
}

static void check_tree(const char *bytes, size_t size)
{
    assert_true(tree_format.recognises((const uint8_t *)bytes, size));
    assert_int_equal(
        tree_format.check(&tree_format, (const uint8_t *)bytes, size, NULL, expect_no_fault, NULL),
        STATUS_OK);
}

/* The text of a tree as the paper prints it, a byte a move: "(e4 (e5 Nf3) c5)". */
static struct body body_of(const char *text)
{
    struct body body = {.size = 0};
    struct position waiting[64];
    size_t depth = 0;
    struct position pos;
    struct span rest = span_of(text);
    position_start(&pos);
    for (struct span word; (word = span_token(&rest)).size;) {
        struct undo undo;
        move m;
        bool more = word.data[0] == '(';
        bool last = word.data[word.size - 1] == ')';
        word = span_make(word.data + more, word.size - more - last);
        assert_int_equal(move_from_san(&pos, word, &m), STATUS_OK);
        assert_true(body.size < BODY_MAX && depth < 64);
        body.bytes[body.size++] =
            (uint8_t)((more ? TREE_MORE : 0) | (last ? TREE_LAST : 0) | tree_place(&pos, m));
        if (more)
            waiting[depth++] = pos;
        if (!last)
            position_make(&pos, m, &undo);
        else if (depth > 0)
            pos = waiting[--depth];
    }
    assert_int_equal(depth, 0);
    return body;
}

/* "e5 c5 e6": the moves after `moves`, best first. */
static void assert_answers(const struct book *book, const char *moves, const char *answers)
{
    struct position pos = any_position(moves);
    struct book_move found[MOVES_MAX];
    char text[200];
    struct text_buffer buffer = text_buffer_on(text, sizeof text);
    int count = book_probe(book, &pos, found, MOVES_MAX);
    for (int i = 0; i < count; i++) {
        char san[SAN_MAX];
        move_to_san(&pos, found[i].move, san);
        text_append(&buffer, "%s%s", i ? " " : "", san);
    }
    assert_string_equal(count ? text : "", answers);
}

/* The tree of Spracklen's tutorial, to where its text says "etc.": 33 moves, 33 bytes. */
static void the_tree_of_the_paper(void **state)
{
    (void)state;
    const struct body body =
        body_of("(e4 (e5 (Nf3 (Nc6 (Bb5 a6) Bc4) Nf6) f4) (c5 Nf3 (d6 d4) Nc6) e6) "
                "d4 (Nf6 c4 (g6 Nc3) e6 (Nc3 Bb4) Nf3) (d5 (c4 (c6 Nf3) (e6 Nc3) dxc4) Nf3) f5)");
    assert_int_equal(body.size, 33);
    assert_int_equal(body.bytes[0], 0x80 | 9); /* another choice; the tenth move */
    assert_true(tree_format.recognises(body.bytes, body.size));
    struct book *book = open_tree(body.bytes, body.size);
    assert_int_equal(book_entry_count(book), 33);
    assert_answers(book, "", "e4 d4");
    assert_answers(book, "e2e4", "e5 c5 e6");
    assert_answers(book, "e2e4 e7e5 g1f3 b8c6", "Bb5 Bc4");
    assert_answers(book, "e2e4 e7e5 g1f3 b8c6 f1b5", "a6");
    assert_answers(book, "e2e4 e7e5 f2f4", "");
    assert_answers(book, "d2d4 d7d5 c2c4", "c6 e6 dxc4");
    assert_answers(book, "d2d4 d7d5", "c4 Nf3");
    assert_answers(book, "d2d4 f7f5", "");
    assert_answers(book, "a2a3", "");
    size_t size;
    char *again = write_tree(book, (struct tree_options){.pure = true}, &size);
    assert_int_equal(size, body.size);
    assert_memory_equal(again, body.bytes, size);
    free(again);
    book_close(book);
}

static void squares_in_order(void **state)
{
    (void)state;
    static const char *const expected[] = {"a3", "a4", "b3",  "b4",  "c3",  "c4", "d3",
                                           "d4", "e3", "e4",  "f3",  "f4",  "g3", "g4",
                                           "h3", "h4", "Na3", "Nc3", "Nf3", "Nh3"};
    struct position pos;
    move moves[MOVES_MAX];
    position_start(&pos);
    assert_int_equal(tree_order(&pos, moves), 20);
    for (int i = 0; i < 20; i++) {
        char san[SAN_MAX];
        move_to_san(&pos, moves[i], san);
        assert_string_equal(san, expected[i]);
        assert_int_equal(tree_place(&pos, moves[i]), i);
    }
}

/* Transpositions, a line that goes round, moves never played, ties, leaves before others. */
static const char lines[] =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 Nf3 d4 Nc3 h3; am f3; "
    "c0 \"e4=65535, Nf3=300, d4=300, Nc3=7, h3=7\";\n"
    "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - bm Nf6 d5; c0 \"Nf6=4, d5=4\";\n"
    "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - bm Ng1 d4; c0 \"Ng1=1, d4=70\";\n"
    "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - bm Ng8;\n"
    "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - bm Nf6 d5; c0 \"Nf6=90000, d5=5\";\n"
    "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - bm Nf3;\n"
    "rnbqkb1r/pppppppp/5n2/8/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - bm e6 g6 d5;\n";

static void any_weights_come_back(void **state)
{
    (void)state;
    struct book *book = any_open_text(lines);
    for (int i = 0; i < 8; i++) {
        const struct tree_options options = {.weights = TREE_WEIGHTS_EXACT,
                                             .jumps = i & 1,
                                             .non_book_moves = i & 2,
                                             .styles = i & 4};
        size_t size;
        char *bytes = write_tree(book, options, &size);
        check_tree(bytes, size);
        struct book *tree = open_tree(bytes, size);
        any_assert_equal(book, tree);
        book_close(tree);
        free(bytes);
    }
    book_close(book);
}

/* Without weights their order stays; "choices" keeps those that matter. */
static void fewer_weights(void **state)
{
    (void)state;
    size_t size;
    struct book *book = any_open_text(lines);
    char *bytes =
        write_tree(book, (struct tree_options){.weights = TREE_WEIGHTS_NONE, .pure = true}, &size);
    struct book *tree = open_tree(bytes, size);
    assert_int_equal(any_weight(tree, "", "e2e4"), 5);
    assert_int_equal(any_weight(tree, "", "f2f3"), 0);
    assert_int_equal(any_weight(tree, "g1f3 g8f6", "d2d4"), 2);
    book_close(tree);
    free(bytes);
    bytes = write_tree(book, (struct tree_options){.weights = TREE_WEIGHTS_CHOICES}, &size);
    check_tree(bytes, size);
    tree = open_tree(bytes, size);
    assert_int_equal(any_weight(tree, "", "e2e4"), 65535);
    assert_int_equal(any_weight(tree, "", "g1f3"), 300);
    assert_int_equal(any_weight(tree, "", "f2f3"), 0);
    assert_int_equal(any_weight(tree, "d2d4", "g8f6"), 90000);
    assert_int_equal(any_weight(tree, "g1f3 g8f6 f3g1", "f6g8"), 1);
    book_close(tree);
    free(bytes);
    book_close(book);
}

static struct game *game_of(const char *moves)
{
    struct game *game = game_create();
    struct span rest = span_of(moves);
    assert_non_null(game);
    for (struct span word; (word = span_token(&rest)).size;) {
        move m;
        assert_int_equal(move_from_uci(game_position(game), word, &m), STATUS_OK);
        assert_int_equal(game_play(game, m), STATUS_OK);
    }
    return game;
}

/* Along a line, by a jump, round the loop, and by an order of moves that the book does not have. */
static void games_are_followed(void **state)
{
    (void)state;
    static const struct {
        const char *moves;
        int answers;
    } games[] = {
        {"", 6},
        {"g1f3 g8f6", 2},
        {"d2d4 g8f6 g1f3", 3},
        {"g1f3 g8f6 d2d4", 3},
        {"g1f3 g8f6 f3g1 f6g8 g1f3 g8f6", 2},
        {"g2g3 g7g6", 0},
        {"d2d4 d7d5", 0},
    };
    for (int jumps = 0; jumps <= 1; jumps++) {
        size_t size;
        struct book *book = any_open_text(lines);
        char *bytes = write_tree(
            book, (struct tree_options){.weights = TREE_WEIGHTS_EXACT, .jumps = jumps}, &size);
        struct book *tree = open_tree(bytes, size);
        for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
            struct book_move moves[MOVES_MAX];
            struct game *game = game_of(games[i].moves);
            assert_int_equal(book_probe_game(tree, game, moves, MOVES_MAX), games[i].answers);
            game_destroy(game);
        }
        book_close(tree);
        free(bytes);
        book_close(book);
    }
}

/* One position by two lines that go on in different ways: a game has its own, nobody's has both. */
static void one_position_in_two_places(void **state)
{
    (void)state;
    const struct body body = body_of("(Nf3 d5 d4 Nf6) d4 d5 Nf3 e6)");
    struct book *book = open_tree(body.bytes, body.size);
    struct game *game = game_of("d2d4 d7d5 g1f3");
    char uci[UCI_MAX];
    struct book_move found[MOVES_MAX];
    assert_int_equal(book_probe_game(book, game, found, MOVES_MAX), 1);
    move_to_uci(found[0].move, false, uci);
    assert_string_equal(uci, "e7e6");
    assert_answers(book, "d2d4 d7d5 g1f3", "e6 Nf6");
    game_destroy(game);
    book_close(book);
}

/* A book that knows White's moves only: the moves between them become non-book moves. */
static void a_book_of_one_side(void **state)
{
    (void)state;
    static const char white[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n"
                                "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3;\n"
                                "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm f4;\n";
    size_t size;
    struct book_move moves[MOVES_MAX];
    struct book *book = any_open_text(white);
    char *bytes = write_tree(
        book, (struct tree_options){.weights = TREE_WEIGHTS_EXACT, .non_book_moves = true}, &size);
    check_tree(bytes, size);
    struct book *tree = open_tree(bytes, size);
    assert_int_equal(book_entry_count(tree), 3);
    assert_answers(tree, "e2e4", "");
    assert_answers(tree, "e2e4 c7c5", "Nf3");
    struct game *game = game_of("e2e4 e7e5");
    assert_int_equal(book_probe_game(tree, game, moves, MOVES_MAX), 1);
    game_destroy(game);
    any_assert_equal(book, tree);
    book_close(tree);
    free(bytes);
    book_close(book);
}

/* 218 legal moves; another start position, further than six bits reach. */
static void many_moves(void **state)
{
    (void)state;
    static const char fen[] = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    struct position pos;
    move moves[MOVES_MAX];
    char text[4096];
    struct text_buffer buffer = text_buffer_on(text, sizeof text);
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    int count = movegen_legal(&pos, moves);
    assert_int_equal(count, 218);
    text_append(&buffer, "%s bm", fen);
    for (int i = 0; i < count; i++) {
        char san[SAN_MAX];
        move_to_san(&pos, moves[i], san);
        text_append(&buffer, " %s", san);
    }
    text_append(&buffer, ";\n");
    size_t size;
    struct book_move found[MOVES_MAX];
    struct book *book = any_open_text(text);
    assert_int_equal(book_probe(book, &pos, found, MOVES_MAX), 218);
    char *bytes = write_tree(book, (struct tree_options){.weights = TREE_WEIGHTS_EXACT}, &size);
    check_tree(bytes, size);
    struct book *tree = open_tree(bytes, size);
    assert_int_equal(book_probe(tree, &pos, found, MOVES_MAX), 218);
    book_close(tree);
    free(bytes);
    book_close(book);
}

/* What a user in a mood is offered. */
static void styles_to_choose(void **state)
{
    (void)state;
    const struct body body =
        body_of("(e4 (e5 (Nf3 Nc6 Bb5) f4) c5 Nf3) (d4 (d5 c4) Nf6 c4) c4 e5)");
    size_t size;
    struct book *plain = open_tree(body.bytes, body.size);
    char *bytes = write_tree(plain, (struct tree_options){.styles = true}, &size);
    check_tree(bytes, size);
    struct book *book = open_tree(bytes, size);
    static const struct {
        enum book_style style;
        const char *moves;
        unsigned played; /* a bit each, best first */
    } wishes[] = {
        {BOOK_GAMBIT, "", 3},      {BOOK_OPEN, "", 1},
        {BOOK_HALF_OPEN, "", 1},   {BOOK_CLOSED, "", 2},
        {BOOK_HALF_CLOSED, "", 2}, {BOOK_FLANK, "", 4},
        {BOOK_CLOSED, "e2e4", 3},  {BOOK_GAMBIT, "e2e4 e7e5", 2},
    };
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        struct book_move moves[MOVES_MAX];
        struct position pos = any_position(wishes[i].moves);
        int count = book_probe(book, &pos, moves, MOVES_MAX);
        unsigned played = 0;
        book_prefer(moves, count, (uint8_t)wishes[i].style);
        for (int j = 0; j < count; j++)
            played |= (unsigned)(moves[j].weight > 0) << j;
        assert_int_equal(played, wishes[i].played);
    }
    book_close(book);
    free(bytes);
    book_close(plain);
}

static void numbers_of_a_tree(void **state)
{
    (void)state;
    size_t size;
    struct book_entropy entropy;
    struct book_graph graph = {0};
    struct book *book = any_open_text(lines);
    char *bytes = write_tree(
        book, (struct tree_options){.weights = TREE_WEIGHTS_EXACT, .jumps = true}, &size);
    struct book *tree = open_tree(bytes, size);
    const struct tree_book *read = tree->state;
    const struct tree_stats stats = read->stats;
    assert_int_equal(stats.bytes, size);
    assert_int_equal(stats.bytes, read->size + stats.packed + TREE_HEADER_SIZE);
    assert_int_equal(stats.moves, 17);
    assert_int_equal(stats.jumps, 2); /* the loop, and d4 Nf6 Nf3 */
    assert_int_equal(read->start_count, 1);
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(book_entropy(&graph, &entropy), STATUS_OK);
    assert_int_equal(entropy.moves, 17);
    assert_int_equal(entropy.positions, 7);
    assert_true(entropy.subsets > 17 * 3 && entropy.subsets < 17 * 5);
    assert_true(entropy.counts > 0 && entropy.orders > 0 && entropy.weights > 0);
    book_graph_destroy(&graph);
    book_close(tree);
    free(bytes);
    book_close(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_of_the_paper), cmocka_unit_test(squares_in_order),
        cmocka_unit_test(any_weights_come_back), cmocka_unit_test(fewer_weights),
        cmocka_unit_test(games_are_followed),    cmocka_unit_test(one_position_in_two_places),
        cmocka_unit_test(a_book_of_one_side),    cmocka_unit_test(many_moves),
        cmocka_unit_test(styles_to_choose),      cmocka_unit_test(numbers_of_a_tree),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
