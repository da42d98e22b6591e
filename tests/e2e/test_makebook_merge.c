/* makebook merge: policies, and a repertoire with the replies of a database. Plain sums stand in
 * test_makebook.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/graph/graph.h"
#include "entries.h"
#include "tests/support/any_book.h"

#define BOOKS TEST_DATA_DIR "/../../books/"

/* A patch: another first move, 1.e4 e5 never, nothing but that after 1.e4. */
static const char *write_patch(void)
{
    struct book_bytes patch = {.size = 0};
    add(&patch, "", "d2d4", 4);
    add(&patch, "", "c2c4", 1);
    add(&patch, "e2e4", "e7e5", 0);
    add(&patch, "d2d4", "d7d5", 8);
    return write_sorted("patch.bin", &patch);
}

static void the_first_book_wins(void **state)
{
    (void)state;
    struct book_bytes small = small_book();
    const char *patch = write_patch();
    const char *main_book = write_sorted("main.bin", &small);
    RUNS(0, "merge", "--policy", "priority", patch, main_book, "-o", path_of("out.bin"));
    struct book_bytes out = read_book(path_of("out.bin"));
    assert_int_equal(weight_of(&out, "", "e2e4"), -1);
    assert_int_equal(weight_of(&out, "", "d2d4"), 4);
    assert_int_equal(weight_of(&out, "", "c2c4"), 1);
    assert_int_equal(weight_of(&out, "e2e4", "e7e5"), 0);
    assert_int_equal(weight_of(&out, "e2e4", "c7c5"), 2);
    assert_int_equal(weight_of(&out, "d2d4", "d7d5"), 8);
    assert_int_equal(weight_of(&out, "e2e4 e7e5", "g1f3"), 5);
    RUNS(0, "merge", "--policy", "priority", main_book, patch, "-o", path_of("back.bin"));
    out = read_book(path_of("back.bin"));
    assert_int_equal(weight_of(&out, "", "e2e4"), 30);
    assert_int_equal(weight_of(&out, "", "c2c4"), -1);
    assert_int_equal(weight_of(&out, "e2e4", "e7e5"), 2);
    assert_int_equal(weight_of(&out, "d2d4", "d7d5"), 8);
}

/* Of 40 and of 5, so 3 : 1 and 4 : 1 become the sum of their shares. */
static void books_weigh_alike(void **state)
{
    (void)state;
    struct book_bytes small = small_book();
    const char *patch = write_patch();
    const char *main_book = write_sorted("main.bin", &small);
    RUNS(0, "merge", "--policy", "normalised", patch, main_book, "-o", path_of("out.bin"));
    struct book_bytes out = read_book(path_of("out.bin"));
    assert_int_equal(weight_of(&out, "", "e2e4"), 7500);
    assert_int_equal(weight_of(&out, "", "d2d4"), 2500 + 8000);
    assert_int_equal(weight_of(&out, "", "c2c4"), 2000);
    assert_int_equal(weight_of(&out, "e2e4", "e7e5"), 5000);
    assert_int_equal(weight_of(&out, "d2d4", "d7d5"), 10000);
    RUNS(0, "merge", "--policy", "normalised", main_book, patch, "-o", path_of("back.bin"));
    assert_same_files("out.bin", "back.bin");
    /* Any kind of book, statistics among them. */
    write_text("games.pgn", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. f4 1-0\n");
    RUNS(0, "build", path_of("games.pgn"), "--stats", path_of("s.wld"), "-q");
    RUNS(0, "merge", "--policy", "normalised", main_book, path_of("s.wld"), "-o",
         path_of("out.pgn"));
    assert_says(result.output, "PGN");
    RUNS(0, "show", path_of("out.pgn"), "1. e4 e5");
    assert_says(result.output, "Nf3           10000");
    assert_says(result.output, "f4            10000");
}

/* 1. e4 of a patch makes what lies behind 1. d4 unreachable. */
static void only_what_is_reachable(void **state)
{
    (void)state;
    struct book_bytes small = small_book();
    struct book_bytes patch = {.size = 0};
    add(&patch, "", "e2e4", 1);
    add(&small, "d2d4", "d7d5", 1);
    RUNS(0, "merge", "--policy", "priority", "--reachable", write_sorted("patch.bin", &patch),
         write_sorted("main.bin", &small), "-o", path_of("out.bin"));
    struct book_bytes out = read_book(path_of("out.bin"));
    assert_int_equal(out.size, 5 * ENTRY);
    assert_int_equal(weight_of(&out, "d2d4", "d7d5"), -1);
    assert_int_equal(weight_of(&out, "e2e4 e7e5 g1f3", "b8c6"), 7);
}

static void wrong_use(void **state)
{
    (void)state;
    struct book_bytes small = small_book();
    const char *book = write_sorted("main.bin", &small);
    const char *out = path_of("out.bin");
    FAILS(2, "--repertoire needs --replies", "merge", "--repertoire", book, "-o", out);
    FAILS(2, "no others", "merge", "--repertoire", book, "--replies", "builtin", book, "-o", out);
    FAILS(2, "is read: it would be lost", "merge", "--repertoire", book, "--replies", "builtin",
          "-o", book);
    FAILS(2, "--force is for statistics (.wld), in a plain sum", "merge", book, book, "-o", out,
          "--force");
    FAILS(2, "--force is for statistics (.wld), in a plain sum", "merge", "a.store", "-o",
          path_of("b.store"), "--force");
    FAILS(2, "--skip-damaged is for statistics", "convert", book, path_of("out.epd"),
          "--skip-damaged");
    FAILS(2, "--color needs --repertoire", "merge", book, "--color", "white", "-o", out);
    FAILS(2, "plays moves of both sides", "merge", "--repertoire", book, "--replies", "builtin",
          "-o", out);
    FAILS(2, "--policy", "merge", "--repertoire", book, "--replies", "builtin", "-o", out,
          "--policy", "priority");
    write_text("w.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n");
    FAILS(1, "no move of Black", "merge", "--repertoire", path_of("w.epd"), "--replies", "builtin",
          "--color", "black", "-o", out);
    assert_false(exists("out.bin"));
}

/* Preparation against a move that the database does not know, and no way to a refused own move. */
static void a_small_repertoire(void **state)
{
    (void)state;
    struct book_bytes mine = {.size = 0};
    struct book_bytes database = small_book();
    add(&mine, "", "e2e4", 3);
    add(&mine, "", "d2d4", 0);
    add(&mine, "e2e4 e7e5", "f2f4", 1);
    add(&mine, "e2e4 b7b6", "d2d4", 1);
    add(&mine, "d2d4 d7d5", "c2c4", 1);
    add(&database, "e2e4", "a7a6", 0);
    add(&database, "d2d4", "d7d5", 6);
    add(&database, "e2e4 e7e5 f2f4", "e5f4", 6);
    RUNS(0, "merge", "--repertoire", write_sorted("mine.bin", &mine), "--replies",
         write_sorted("base.bin", &database), "-o", path_of("out.bin"));
    assert_says(result.output, "own moves                   4\n"
                               "  left out                  1  positions that no line reaches\n"
                               "replies                     3\n"
                               "  of them                   2  to which");
    struct book_bytes out = read_book(path_of("out.bin"));
    assert_int_equal(out.size, 7 * ENTRY);
    assert_int_equal(weight_of(&out, "", "e2e4"), 3);
    assert_int_equal(weight_of(&out, "", "d2d4"), 0);
    assert_int_equal(weight_of(&out, "e2e4", "e7e5"), 2);
    assert_int_equal(weight_of(&out, "e2e4", "c7c5"), 2);
    assert_int_equal(weight_of(&out, "e2e4 e7e5", "f2f4"), 1);
    assert_int_equal(weight_of(&out, "e2e4 b7b6", "d2d4"), 1);
    assert_int_equal(weight_of(&out, "e2e4 e7e5 f2f4", "e5f4"), 6);
}

static uint32_t weight_in(const struct book *book, const struct position *pos, move m)
{
    struct book_move moves[MOVES_MAX];
    int count = book_probe(book, pos, moves, MOVES_MAX);
    for (int i = 0; i < count; i++)
        if (moves[i].move == m)
            return moves[i].weight;
    return 0;
}

/* Every own move is Kasparov's and every reply the database's, with their weights, and lines lead
 * to all of them. */
static void kasparov(void **state)
{
    (void)state;
    struct book *mine = any_open_file(BOOKS "kasparov.bin");
    struct book *database = any_open_file(BOOKS "default.bin");
    static const char *const sides[] = {"white", "black"};
    for (int own = 0; own < 2; own++) {
        RUNS(0, "merge", "--repertoire", BOOKS "kasparov.bin", "--replies", BOOKS "default.bin",
             "--color", sides[own], "-o", path_of("out.bin"));
        struct book *out = any_open_file(path_of("out.bin"));
        struct book_graph graph = {0};
        assert_int_equal(book_graph_create(out, NULL, &graph, NULL), STATUS_OK);
        assert_int_equal(graph.unreached_moves, 0);
        assert_int_equal(graph.positions, graph.known);
        assert_int_equal(graph.edge_count, book_entry_count(out));
        assert_true(graph.edge_count > 1000);
        for (uint32_t i = 0; i < graph.node_count; i++) {
            const struct book_node *node = &graph.nodes[i];
            struct position pos;
            book_graph_position(&graph, i, &pos, NULL);
            const struct book *of = pos.turn == own ? mine : database;
            for (uint32_t e = node->first; e < node->first + node->count; e++)
                assert_int_equal(graph.edges[e].weight, weight_in(of, &pos, graph.edges[e].move));
            struct book_move all[MOVES_MAX];
            if (pos.turn == own)
                assert_int_equal(node->count, book_probe(mine, &pos, all, MOVES_MAX));
        }
        book_graph_destroy(&graph);
        book_close(out);
    }
    book_close(mine);
    book_close(database);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_first_book_wins),    TEST(books_weigh_alike),  TEST(wrong_use),
        TEST(only_what_is_reachable), TEST(a_small_repertoire), TEST(kasparov),
    };
    return RUN_TESTS(tests);
}
