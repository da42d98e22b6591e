/* Whole books through Thompson's tree and back, and damaged trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/formats/thompson/tree_book.h"
#include "book/formats/thompson/tree_format.h"
#include "book/open/open.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"
#include "tests/support/shared_data.h"
#include "tests/support/tree_writing.h"

enum { EVERY = 1009 }; /* of the positions, those that are asked about one by one */

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

static char *write_tree(struct book_graph *graph, struct tree_options options, size_t *size)
{
    char *bytes = NULL;
    struct diag diag = {.text = ""};
    FILE *file = open_memstream(&bytes, size);
    assert_non_null(file);
    if (tree_write_graph(graph, &options, file, &diag) != STATUS_OK)
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

/* Some positions by the line that leads to them, all by themselves. */
static void assert_same(const struct book_graph *graph, const struct book *tree,
                        enum tree_weights kept)
{
    struct game *game = game_create();
    assert_non_null(game);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (!graph->nodes[i].known)
            continue;
        if (i % EVERY == 0)
            assert_node(graph, i, tree, game, kept);
        assert_node(graph, i, tree, NULL, kept);
    }
    game_destroy(game);
    assert_int_equal(tree->table.count, graph->edge_count);
}

static void expect_no_fault(void *context, enum book_fault fault, const struct diag *diag,
                            const char *offer)
{
    (void)offer;
    (void)context;
    (void)fault;
    fail_msg("%s", diag->text);
}

static struct tree_stats there_and_back(struct book_graph *graph, struct tree_options options)
{
    size_t size;
    char *bytes = write_tree(graph, options, &size);
    assert_true(tree_format.recognises((uint8_t *)bytes, size));
    assert_int_equal(
        tree_format.check(&tree_format, (uint8_t *)bytes, size, NULL, expect_no_fault, NULL),
        STATUS_OK);
    struct book *tree = open_tree(bytes, size);
    const struct tree_book *read = tree->state;
    const struct tree_stats stats = read->stats;
    if (options.non_book_moves)
        assert_same(graph, tree, options.weights);
    book_close(tree);
    free(bytes);
    return stats;
}

static void the_builtin_book(void **state)
{
    (void)state;
    struct book *book = NULL;
    struct book_graph graph = {0};
    assert_int_equal(book_open_builtin(&book), STATUS_OK);
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    for (int i = 0; i < 3; i++) {
        struct tree_stats stats =
            there_and_back(&graph, (struct tree_options){.weights = (enum tree_weights)i,
                                                         .jumps = i < 2,
                                                         .styles = i == 2,
                                                         .non_book_moves = true});
        assert_int_equal(stats.moves, graph.edge_count);
    }
    book_graph_destroy(&graph);
    book_close(book);
}

/* Every position that lines reach, every move and weight; and how few bytes that takes. */
static void the_book_of_gnuchess(void **state)
{
    (void)state;
    struct book *book = NULL;
    struct book_graph graph = {0};
    struct tree_stats stats;
    shared_data_want(SHARED_DATA_DIR "/books/gnuchess.bin");
    assert_int_equal(book_open(SHARED_DATA_DIR "/books/gnuchess.bin", &book, NULL), STATUS_OK);
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    stats = there_and_back(
        &graph, (struct tree_options){.weights = TREE_WEIGHTS_EXACT, .non_book_moves = true});
    assert_int_equal(stats.moves, graph.edge_count);
    assert_true(stats.bytes * 10 <= stats.moves * 17);
    stats = there_and_back(&graph, (struct tree_options){.weights = TREE_WEIGHTS_EXACT,
                                                         .jumps = true,
                                                         .non_book_moves = true});
    assert_true((stats.bytes - stats.packed) * 10 <= stats.moves * 13);
    stats = there_and_back(&graph,
                           (struct tree_options){.weights = TREE_WEIGHTS_CHOICES, .jumps = true});
    assert_int_equal(stats.moves, 142776); /* that moves of the book reach */
    assert_true(stats.bytes * 10 <= stats.moves * 13);
    stats = there_and_back(&graph, (struct tree_options){.weights = TREE_WEIGHTS_NONE});
    assert_true(stats.bytes * 100 <= stats.moves * 115);
    book_graph_destroy(&graph);
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

enum { UNITS = 300, RANDOM_MAX = 8 * UNITS };

/* Any tree of sound structure: moves, most of them legal, with marks, and jumps to anywhere. */
static size_t random_tree(struct rng *rng, uint8_t *out)
{
    size_t starts[UNITS] = {0};
    size_t start_count = 0;
    size_t size = 0;
    for (size_t lines = 1, units = 0; lines > 0; units++) {
        bool more = units < UNITS / 2 && rng_below(rng, 3) == 0;
        bool last = units >= UNITS / 2 || rng_below(rng, 5) == 0;
        if (rng_below(rng, 8) == 0)
            out[size++] = TREE_ESCAPE | TREE_UNPLAYED;
        if (rng_below(rng, 8) == 0) {
            out[size++] = TREE_ESCAPE | TREE_WEIGHT_8;
            out[size++] = (uint8_t)rng_next(rng);
        }
        if (more && last)
            out[size++] = TREE_ESCAPE | TREE_LEAF;
        out[size++] = (uint8_t)((more   ? TREE_MORE
                                 : last ? TREE_LAST
                                        : 0) |
                                (int)rng_below(rng, units % 9 ? 20 : 64));
        lines += more;
        lines -= last;
        if (!last && start_count > 0 && rng_below(rng, 6) == 0) {
            size_t target = starts[rng_below(rng, start_count)];
            out[size++] = TREE_ESCAPE | TREE_JUMP_16;
            out[size++] = (uint8_t)(target >> 8);
            out[size++] = (uint8_t)target;
            lines--;
        } else if (!last) {
            starts[start_count++] = size;
        }
    }
    return size;
}

/* A pure tree without a choice could be any short text. */
static bool has_choice(const uint8_t *bytes, size_t size)
{
    struct tree_unit unit = {.more = false};
    for (size_t at = 0; at < size && !unit.more; at = unit.end)
        assert_null(tree_unit_read(bytes, size, at, &unit));
    return unit.more;
}

/* They open, whatever their moves: what is illegal is left out, and the rest can be written. */
static void random_trees(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 5);
    for (int round = 0; round < 200; round++) {
        uint8_t bytes[RANDOM_MAX];
        struct any_faults faults;
        size_t size = random_tree(&rng, bytes);
        struct book *book = open_tree(bytes, size);
        faults = any_check(&tree_format, bytes, size);
        assert_int_equal(tree_format.recognises(bytes, size),
                         faults.counts[BOOK_FAULT_ILLEGAL] == 0 && has_choice(bytes, size));
        walk(book);
        struct book_graph graph = {0};
        assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
        if (graph.edge_count > 0)
            (void)there_and_back(&graph,
                                 (struct tree_options){.weights = (enum tree_weights)(round % 3),
                                                       .jumps = round / 3 % 2,
                                                       .non_book_moves = true});
        book_graph_destroy(&graph);
        book_close(book);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_builtin_book),
        cmocka_unit_test(the_book_of_gnuchess),
        cmocka_unit_test(random_trees),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
