/* Whole books through Thompson's tree and back, and damaged trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/formats/tree.h"
#include "book/formats/tree_body.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"

enum { EVERY = 97 }; /* of the positions, those that are asked about one by one */

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static struct book *open_tree(const void *bytes, size_t size)
{
    void *opened = NULL;
    struct book *book = NULL;
    struct diag diag = {.text = ""};
    if (tree_format.open(bytes, size, "test", &opened, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    assert_int_equal(book_wrap(&tree_format, opened, "test", &book), STATUS_OK);
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

/* Does the tree know the moves of this node, with the weights that it keeps? game: to be used to go
 * there; NULL: the tree is asked about the position alone. */
static void assert_node(const struct book_graph *graph, uint32_t at, const struct book *tree,
                        struct game *game, enum tree_weights kept)
{
    const struct book_node *node = &graph->nodes[at];
    const struct book_edge *edges = graph->edges + node->first;
    struct book_move found[MOVES_MAX];
    struct position pos;
    move line[BOOK_GRAPH_PLIES_MAX];
    book_graph_position(graph, at, &pos, line);
    if (game)
        game_reset(game, &graph->roots[node->root]);
    for (uint32_t i = 0; i < node->ply && game; i++)
        assert_int_equal(game_play(game, line[i]), STATUS_OK);
    int count = game ? book_probe_game(tree, game, found, MOVES_MAX)
                     : book_probe(tree, &pos, found, MOVES_MAX);
    assert_int_equal(count, node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        int j = 0;
        while (j < count && found[j].move != edges[i].move)
            j++;
        assert_true(j < count);
        if (kept == TREE_WEIGHTS_EXACT || (kept == TREE_WEIGHTS_CHOICES && count > 1))
            assert_int_equal(found[j].weight, edges[i].weight);
        else
            assert_int_equal(found[j].weight > 0, edges[i].weight > 0);
    }
}

/* Some positions by the line that leads to them and by themselves, before the tree has them all by
 * key; then all of them. */
static void assert_same(const struct book_graph *graph, const struct book *tree,
                        enum tree_weights kept, uint32_t every)
{
    struct game *game = game_create();
    struct book_graph all = {0};
    assert_non_null(game);
    for (uint32_t i = 0; i < graph->node_count; i += every)
        if (graph->nodes[i].known) {
            assert_node(graph, i, tree, game, kept);
            assert_node(graph, i, tree, NULL, kept);
        }
    game_destroy(game);
    assert_int_equal(book_graph_create(tree, NULL, &all, NULL), STATUS_OK);
    assert_int_equal(all.edge_count, graph->edge_count);
    book_graph_destroy(&all);
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].known)
            assert_node(graph, i, tree, NULL, kept);
}

static void expect_no_fault(void *context, enum book_fault fault, const struct diag *diag)
{
    (void)context;
    (void)fault;
    fail_msg("%s", diag->text);
}

static void there_and_back(const struct book *book, struct tree_options options, uint32_t every,
                           struct tree_stats *stats)
{
    struct book_graph graph = {0};
    size_t size;
    char *bytes = write_tree(book, options, &size);
    assert_true(tree_format.recognises((uint8_t *)bytes, size));
    assert_int_equal(tree_format.check((uint8_t *)bytes, size, expect_no_fault, NULL), STATUS_OK);
    struct book *tree = open_tree(bytes, size);
    tree_stats(book_state(tree), stats);
    if (options.passages) {
        assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
        assert_same(&graph, tree, options.weights, every);
        book_graph_destroy(&graph);
    }
    book_close(tree);
    free(bytes);
}

static void the_builtin_book(void **state)
{
    (void)state;
    struct book *book = NULL;
    struct tree_stats stats;
    assert_int_equal(book_open_builtin(&book), STATUS_OK);
    for (int i = 0; i < 3; i++)
        there_and_back(book,
                       (struct tree_options){.weights = (enum tree_weights)i,
                                             .jumps = (enum tree_jumps)(2 - i),
                                             .styles = i == 2,
                                             .passages = true},
                       20 * EVERY, &stats);
    book_close(book);
}

/* Every position that lines reach, every move and weight; and how few bytes that takes. */
static void the_book_of_gnuchess(void **state)
{
    (void)state;
    struct book *book = NULL;
    struct tree_stats stats;
    if (book_open(SHARED_DATA_DIR "/books/gnuchess.bin", &book, NULL) != STATUS_OK) {
        print_message("gnuchess.bin is not there: skipped\n");
        skip();
    }
    there_and_back(book, (struct tree_options){.weights = TREE_WEIGHTS_EXACT, .passages = true},
                   20 * EVERY, &stats);
    assert_int_equal(stats.moves, 161693);
    there_and_back(book,
                   (struct tree_options){.weights = TREE_WEIGHTS_CHOICES, .jumps = TREE_JUMPS_NEAR},
                   20 * EVERY, &stats);
    assert_int_equal(stats.moves, 142776);
    assert_true(stats.bytes * 10 <= stats.moves * 13);
    there_and_back(book, (struct tree_options){.weights = TREE_WEIGHTS_NONE}, 20 * EVERY, &stats);
    assert_true(stats.bytes * 10 <= stats.moves * 12);
    book_close(book);
}

static void walk(const struct book *tree)
{
    struct book_graph graph = {0};
    assert_int_equal(book_graph_create(tree, NULL, &graph, NULL), STATUS_OK);
    for (uint32_t i = 0; i < graph.node_count; i++) {
        struct position pos;
        book_graph_position(&graph, i, &pos, NULL);
        for (uint32_t j = 0; j < graph.nodes[i].count; j++)
            assert_true(movegen_is_legal(&pos, graph.edges[graph.nodes[i].first + j].move));
    }
    book_graph_destroy(&graph);
}

/* Pure trees, which no checksum guards, cut and with bytes changed: refused or legal throughout. */
static void damaged_trees(void **state)
{
    (void)state;
    struct book *book = NULL;
    struct rng rng;
    size_t size;
    size_t opened_count = 0;
    rng_seed(&rng, 5);
    assert_int_equal(book_open_builtin(&book), STATUS_OK);
    char *bytes = write_tree(
        book, (struct tree_options){.weights = TREE_WEIGHTS_INLINE, .pure = true}, &size);
    book_close(book);
    for (int round = 0; round < 300; round++) {
        uint8_t piece[600];
        size_t used = 1 + (size_t)rng_below(&rng, sizeof piece);
        size_t from = round % 3 ? 0 : (size_t)rng_below(&rng, size - used);
        void *opened = NULL;
        struct diag diag = {.text = ""};
        memcpy(piece, bytes + from, used);
        piece[used - 1] |= round % 2 ? TREE_LAST : 0;
        for (uint64_t i = rng_below(&rng, 6); i > 0; i--)
            piece[rng_below(&rng, used)] = (uint8_t)rng_next(&rng);
        if (round % 2) /* all lines end */
            for (size_t i = 0; i < used; i++)
                piece[i] &= piece[i] < TREE_ESCAPE ? (uint8_t)~TREE_MORE : 255;
        if (tree_format.open(piece, used, "damaged", &opened, &diag) != STATUS_OK) {
            assert_true(strlen(diag.text) > 0);
            continue;
        }
        opened_count++;
        assert_int_equal(book_wrap(&tree_format, opened, "damaged", &book), STATUS_OK);
        walk(book);
        book_close(book);
    }
    print_message("%zu of 300 were trees\n", opened_count);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_builtin_book),
        cmocka_unit_test(the_book_of_gnuchess),
        cmocka_unit_test(damaged_trees),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
