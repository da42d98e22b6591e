/* Walking through books. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/graph/graph_visit.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "tests/support/any_book.h"
#include "tests/support/book_entries.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

/* A book of one line, which answers only who has played it. */
static const char *const line[] = {"e2e4", "e7e5", "g1f3", "b8c6"};

static int probe_line(const void *state, const struct position *pos, const struct game *game,
                      struct book_move *out)
{
    (void)state;
    struct position at;
    struct undo undo;
    size_t plies = game ? game_plies(game) : 0;
    if (!game || plies >= sizeof line / sizeof *line)
        return 0;
    position_start(&at);
    if (game_start(game)->key != at.key)
        return 0;
    for (size_t i = 0; i < plies; i++) {
        move m;
        if (move_from_uci(&at, span_of(line[i]), &m) != STATUS_OK || m != game_move(game, i))
            return 0;
        position_make(&at, m, &undo);
    }
    *out = (struct book_move){.weight = 3};
    return move_from_uci(pos, span_of(line[plies]), &out->move) == STATUS_OK;
}

static void close_line(void *state)
{
    (void)state;
}

static const struct book_format line_of_moves = {.name = "line",
                                                 .extension = "line",
                                                 .is_lines = true,
                                                 .close = close_line,
                                                 .probe = probe_line};

static void books_of_lines_are_asked_with_the_game(void **state)
{
    (void)state;
    struct book *book = book_new(&line_of_moves, "line");
    struct book_move moves[MOVES_MAX];
    struct game *game = game_create();
    assert_non_null(game);
    assert_non_null(book);
    struct position start;
    position_start(&start);
    assert_int_equal(book_probe(book, &start, moves, MOVES_MAX), 0);
    assert_int_equal(book_probe_game(book, game, moves, MOVES_MAX), 1);
    assert_int_equal(game_play(game, moves[0].move), STATUS_OK);
    assert_int_equal(book_probe_game(book, game, moves, MOVES_MAX), 1);
    game_destroy(game);

    struct book_graph graph = {0};
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(graph.edge_count, 4);
    assert_int_equal(graph.known, 4);
    assert_int_equal(graph.deepest, 3);
    book_graph_destroy(&graph);

    size_t size;
    char *bytes = any_write(book, "bin", &size);
    struct book *positions = any_open(bytes, size);
    assert_int_equal(any_weight(positions, "e2e4 e7e5 g1f3", "b8c6"), 3);
    book_close(positions);
    free(bytes);
    book_close(book);
}

static void transpositions_are_one_node(void **state)
{
    (void)state;
    struct book *book = any_open_text("[Event \"x\"]\n\n1. Nf3 Nf6 2. g3 g6 *\n1. g3 Nf6 2. Nf3 *\n"
                                      "1. Nf3 Nf6 2. Ng1 Ng8 *\n");
    struct book_graph graph = {0};
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    struct position pos = any_position("g2g3 g8f6 g1f3");
    uint32_t node = book_graph_find(&graph, pos.key);
    assert_true(node != BOOK_GRAPH_NONE);
    move moves[BOOK_GRAPH_PLIES_MAX];
    struct position reached;
    book_graph_position(&graph, node, &reached, moves);
    assert_int_equal(graph.nodes[node].ply, 3);
    assert_true(reached.key == pos.key);
    assert_int_equal(graph.edge_count, 9);
    assert_int_equal(graph.known, graph.positions);
    /* Back at the start, by a move that leads to the root. */
    pos = any_position("g1f3 g8f6 f3g1");
    node = book_graph_find(&graph, pos.key);
    assert_int_equal(graph.edges[graph.nodes[node].first].to, 0);
    book_graph_destroy(&graph);
    book_close(book);
}

static void the_other_side_is_passed_through(void **state)
{
    (void)state;
    struct book *book =
        any_open_text("c5 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n"
                      "d6 rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -\n");
    struct book_graph graph = {0};
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(graph.known, 2);
    assert_int_equal(graph.root_count, 1);
    assert_int_equal(graph.deepest, 3);
    assert_int_equal(graph.nodes[0].count, 0);
    assert_false(graph.nodes[0].known);
    assert_true(graph.nodes[graph.nodes[0].child].non_book);
    book_graph_destroy(&graph);
    book_close(book);
}

/* A book_graph_visitor: the lines, one a row. */
static void note_line(void *context, const struct book_node *node, const struct position *pos,
                      const move *moves)
{
    struct text_buffer *text = context;
    for (uint32_t i = 0; i < node->ply; i++) {
        char uci[UCI_MAX];
        move_to_uci(moves[i], false, uci);
        text_append(text, "%s ", uci);
    }
    text_append(text, "\n");
    assert_true(pos->key == node->key);
}

static void visits_lines_in_their_order(void **state)
{
    (void)state;
    struct book *book = any_open_text("[Event \"x\"]\n\n1. e4 {[%weight 1]} c5 {[%weight 3]} *\n"
                                      "1. d4 {[%weight 2]} d5 2. c4 *\n");
    struct book_graph graph = {0};
    char rows[200];
    struct text_buffer text = text_buffer_on(rows, sizeof rows);
    struct position start = any_position("");
    assert_int_equal(book_graph_create_shortest(book_table(book), &start, &graph), STATUS_OK);
    assert_int_equal(book_graph_visit(&graph, note_line, &text), STATUS_OK);
    assert_string_equal(rows, "\nd2d4 \nd2d4 d7d5 \ne2e4 \n");
    book_graph_destroy(&graph);
    book_close(book);
}

static void put_start(struct book_bytes *bytes, unsigned index, const char *uci)
{
    struct position start;
    fen_chess960(index, &start);
    put(bytes, start.key, uci, 1);
}

/* All starts of Chess960 begin lines, each once; a book without them has the standard one alone. */
static void starts_of_chess960(void **state)
{
    (void)state;
    struct book_bytes bytes = {.size = 0};
    struct position start;
    put_start(&bytes, 518, "e2e4");
    put_start(&bytes, 0, "e2e4");
    put_start(&bytes, 959, "g2g4");
    fen_chess960(959, &start);
    move m;
    assert_int_equal(move_from_uci(&start, span_of("g2g4"), &m), STATUS_OK);
    position_play(&start, m);
    put(&bytes, start.key, "g7g5", 1);
    struct book *book = open_bytes(&bytes);
    struct book_graph graph = {0};
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(graph.root_count, 3);
    assert_int_equal(graph.start_count, 3);
    assert_int_equal(graph.known, 4);
    assert_int_equal(graph.positions, 4);
    assert_true(graph.roots[1].castling != 0);
    book_graph_destroy(&graph);
    assert_int_equal(book_graph_create_shortest(book_table(book), &start, &graph), STATUS_OK);
    assert_int_equal(graph.known, 4);
    book_graph_destroy(&graph);
    book_close(book);
}

static void other_roots(void **state)
{
    (void)state;
    struct book *book = any_open_text("Kd2 4k3/8/8/8/8/8/8/4K3 w - -\n");
    struct book_graph graph = {0};
    struct position root;
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(graph.root_count, 2);
    assert_int_equal(graph.edge_count, 1);
    book_graph_destroy(&graph);
    assert_int_equal(fen_parse(span_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), &root, NULL), STATUS_OK);
    assert_int_equal(book_graph_create(book, &root, &graph, NULL), STATUS_OK);
    assert_int_equal(graph.root_count, 1);
    book_graph_destroy(&graph);
    book_close(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books_of_lines_are_asked_with_the_game),
        cmocka_unit_test(transpositions_are_one_node),
        cmocka_unit_test(the_other_side_is_passed_through),
        cmocka_unit_test(visits_lines_in_their_order),
        cmocka_unit_test(other_roots),
        cmocka_unit_test(starts_of_chess960),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
