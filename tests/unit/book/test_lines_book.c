/* White's lines from other books: nothing of them is lost on the way. */
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
#include "book/formats/white/lines_format.h"
#include "book/graph/graph.h"
#include "book/open/open.h"
#include "chess/attacks.h"
#include "chess/movegen.h"
#include "tests/support/any_book.h"
#include "tests/support/book_file.h"
#include "tests/support/shared_data.h"
#include "tests/unit/book/lines_file.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static struct book *book_of(const struct book_line *entries, int count, uint8_t *bytes)
{
    struct book *book = NULL;
    for (int i = 0; i < count; i++)
        assert_true(book_encode(&entries[i], bytes + i * BOOK_ENTRY_SIZE));
    assert_int_equal(book_open_memory(bytes, (size_t)count * BOOK_ENTRY_SIZE, "small", &book, NULL),
                     STATUS_OK);
    return book;
}

static void check_written(const struct book_line *entries, int count, const char *expected)
{
    uint8_t bytes[BOOK_LINES_MAX * BOOK_ENTRY_SIZE];
    struct book *book = book_of(entries, count, bytes);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_int_equal(lines_write_book(book, file, NULL, NULL), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, expected);
    check_round_trip(text);
    free(text);
    book_close(book);
}

static const struct book_line openings[] = {
    {"e2e4", 70},         {"d2d4", 80},          {"c2c4", 0},           {"e2e4 e7e5", 5},
    {"e2e4 c7c5", 65535}, {"d2d4 e7e6", 2},      {"d2d4 e7e6 c2c4", 3}, {"d2d4 e7e6 c2c4 g8f6", 4},
    {"c2c4 e7e6", 6},     {"c2c4 e7e6 d2d4", 7},
};

static void a_small_book(void **state)
{
    (void)state;
    check_written(openings, 10,
                  "lines san\n"
                  "\n"
                  "d4:80 e6:2 c4:3 Nf6:4\n"
                  "e4:70 c5:65535\n"
                  "*1 e5:5\n"
                  "c4:0 e6:6 d4:7\n"
                  "\n"
                  "c4 e6 d4 = d4 e6 c4\n");
}

/* What the book does not play stands in brackets: the moves of the other side, the likelier first.
 */
static void books_of_one_side(void **state)
{
    (void)state;
    static const struct book_line black[] = {
        {"e2e4 e7e5", 5},           {"e2e4 c7c5", 65535}, {"d2d4 d7d5", 3},
        {"d2d4 d7d5 c2c4 e7e6", 2}, {"c2c4 e7e5", 1},     {"g1f3 d7d5 d2d4 g8f6", 0},
    };
    check_written(black, 6,
                  "lines san\n"
                  "\n"
                  "(e4) c5:65535\n"
                  "*1 e5:5\n"
                  "(d4) d5:3 (c4) e6:2\n"
                  "*2 (Nf3) Nf6:0\n"
                  "(c4) e5:1\n");
    /* Two moves of the other side in a row are not guessed. */
    static const struct book_line far[] = {{"e2e4 e7e5 g1f3", 5}};
    uint8_t bytes[BOOK_ENTRY_SIZE];
    struct book *book = book_of(far, 1, bytes);
    struct diag diag;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(lines_write_book(book, file, NULL, &diag), STATUS_ILLEGAL);
    assert_string_equal(diag.text, "no line from the start reaches a move of the book");
    assert_int_equal(fclose(file), 0);
    book_close(book);
}

/* Brackets are walked through when the lines are a book for other formats. */
static void non_book_moves_are_followed(void **state)
{
    (void)state;
    static const char text[] = "lines san\n"
                               "(e4) c5:30 (Nf3) (d6) d4:2\n" /* two in a row, too */
                               "*1 e5:5\n"
                               "(d4) d5:3 (c4) e6:2\n"
                               "*1 Nf6:1\n";
    struct book *book = NULL;
    struct book_graph graph = {0};
    assert_int_equal(book_open_memory(text, strlen(text), "black", &book, NULL), STATUS_OK);
    assert_int_equal(book_entry_count(book), 6);
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(graph.edge_count, 6);
    assert_int_equal(graph.known, 4);
    size_t non_book = 0;
    for (size_t i = 0; i < graph.node_count; i++)
        non_book += graph.nodes[i].non_book;
    assert_int_equal(non_book, 5);
    book_graph_destroy(&graph);
    char *written = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&written, &size);
    assert_non_null(file);
    assert_int_equal(lines_write_book(book, file, NULL, NULL), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(written, "lines san\n"
                                 "\n"
                                 "(e4) c5:30 (Nf3) (d6) d4:2\n"
                                 "*1 e5:5\n"
                                 "(d4) d5:3 (c4) e6:2\n"
                                 "*1 Nf6:1\n");
    free(written);
    book_close(book);
}

static void other_starts(void **state)
{
    (void)state;
    static const char epd[] = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"e4=3\";\n"
                              "4k3/8/8/8/4P3/8/8/4K3 b - - bm Ke7; c0 \"Ke7=2\";\n";
    static const char wanted[] = "lines san\nstart 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n\ne4:3 Ke7:2\n";
    struct book *book = NULL;
    char *written = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&written, &size);
    assert_non_null(file);
    assert_int_equal(book_open_memory(epd, strlen(epd), "epd", &book, NULL), STATUS_OK);
    assert_int_equal(lines_write_book(book, file, NULL, NULL), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(written, wanted);
    book_close(book);
    /* And read as a book, its lines are found from there. */
    struct book_graph graph = {0};
    assert_int_equal(book_open_memory(wanted, strlen(wanted), "lines", &book, NULL), STATUS_OK);
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(graph.edge_count, 2);
    book_graph_destroy(&graph);
    book_close(book);
    free(written);
}

/* A book whose moves lead back to where they began. */
static void loops_end(void **state)
{
    (void)state;
    static const struct book_line loop[] = {
        {"g1f3", 1}, {"g1f3 g8f6", 2}, {"g1f3 g8f6 f3g1", 3}, {"g1f3 g8f6 f3g1 f6g8", 4},
        {"g1h3", 5}, {"g1h3 g8f6", 6}, {"g1h3 g8f6 h3g1", 7},
    };
    check_written(loop, 7,
                  "lines san\n"
                  "\n"
                  "Nh3:5 Nf6:6 Ng1:7 Ng8:4\n"
                  "Nf3:1 Nf6:2 Ng1:3\n"
                  "\n"
                  "Nf3 Nf6 Ng1 = Nh3 Nf6 Ng1\n");
}

/* The whole of a real book ------------------------------------------------------------------ */

enum { PLACES = 1 << 20, GAMES = 3000 };

struct walk {
    uint64_t *keys; /* of positions that were found, PLACES places */
    struct position *queue;
    size_t count;
    size_t capacity;
};

/* Puts a position into the queue when it is new. */
static void find(struct walk *walk, const struct position *pos)
{
    size_t at = (size_t)(pos->key % PLACES);
    while (walk->keys[at] && walk->keys[at] != pos->key)
        at = (at + 1) % PLACES;
    if (walk->keys[at])
        return;
    assert_true(walk->count < PLACES / 2);
    walk->keys[at] = pos->key;
    if (walk->count == walk->capacity) {
        walk->capacity = walk->capacity ? 2 * walk->capacity : 1024;
        walk->queue = realloc(walk->queue, walk->capacity * sizeof *walk->queue);
        assert_non_null(walk->queue);
    }
    walk->queue[walk->count++] = *pos;
}

static void sort_moves(struct book_move *moves, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && moves[j].move < moves[j - 1].move; j--) {
            struct book_move swapped = moves[j];
            moves[j] = moves[j - 1];
            moves[j - 1] = swapped;
        }
}

static int check_same(const struct book *book, const struct lines *lines,
                      const struct position *pos, const struct game *game, struct book_move *moves)
{
    struct book_move found[MOVES_MAX];
    int count = book_probe(book, pos, moves, MOVES_MAX);
    assert_int_equal(lines_probe(lines, pos, game, found), count);
    sort_moves(moves, count);
    sort_moves(found, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(found[i].move, moves[i].move);
        assert_int_equal(found[i].weight, moves[i].weight);
    }
    return count;
}

/* Every position that the book leads to from the start. */
static void check_positions(const struct book *book, const struct lines *lines)
{
    struct walk walk = {.keys = calloc(PLACES, sizeof *walk.keys)};
    struct position pos;
    size_t moves_seen = 0;
    assert_non_null(walk.keys);
    position_start(&pos);
    find(&walk, &pos);
    for (size_t i = 0; i < walk.count; i++) {
        struct book_move moves[MOVES_MAX];
        pos = walk.queue[i];
        int count = check_same(book, lines, &pos, NULL, moves);
        for (int k = 0; k < count; k++) {
            struct position next = pos;
            struct undo undo;
            position_make(&next, moves[k].move, &undo);
            find(&walk, &next);
        }
        moves_seen += (size_t)count;
    }
    print_message("%zu positions, %zu moves of %zu entries\n", walk.count, moves_seen,
                  book_entry_count(book));
    free(walk.keys);
    free(walk.queue);
}

/* Games that follow the book by any order of moves. */
static void check_games(const struct book *book, const struct lines *lines)
{
    struct game *game = game_create();
    struct rng rng;
    assert_non_null(game);
    rng_seed(&rng, 7);
    for (int i = 0; i < GAMES; i++) {
        struct position start;
        position_start(&start);
        game_reset(game, &start);
        for (int ply = 0; ply < 60; ply++) {
            struct book_move moves[MOVES_MAX];
            int count = check_same(book, lines, game_position(game), game, moves);
            if (!count)
                break;
            move m = moves[rng_below(&rng, (uint64_t)count)].move;
            assert_int_equal(game_play(game, m), STATUS_OK);
        }
    }
    game_destroy(game);
}

static void nothing_to_say(void *context, enum book_fault fault, const struct diag *diag,
                           const char *offer)
{
    (void)context;
    (void)fault;
    (void)offer;
    fail_msg("%s", diag->text);
}

static void gnuchess_there_and_back(void **state)
{
    (void)state;
    static const char path[] = SHARED_DATA_DIR "/books/gnuchess.bin";
    struct book *book;
    struct lines *lines;
    shared_data_want(path);
    assert_int_equal(book_open(path, &book, NULL), STATUS_OK);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_int_equal(lines_write_book(book, file, NULL, NULL), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(lines_parse(text, size, NULL, NULL, &lines), STATUS_OK);
    assert_int_equal(lines->faults, 0);
    struct lines_size sizes = lines_size(lines);
    print_message("%zu bytes of text, %zu lines, %zu moves written\n", size, sizes.lines,
                  sizes.moves_written);
    char *again = text_of(lines);
    assert_true(strcmp(again, text) == 0);
    free(again);
    check_positions(book, lines);
    check_games(book, lines);
    verify_text(text, size, nothing_to_say, NULL);
    lines_destroy(lines);
    free(text);
    book_close(book);
}

static void check_first(const char *text, const char *line, const char *uci, int64_t weight)
{
    struct book *book = any_open_text(text);
    assert_non_null(strstr(book_warning(book), "line "));
    assert_int_equal(any_weight(book, line, uci), weight);
    book_close(book);
}

/* Nor does what depends on its moves hang on a line with a fault. */
static void a_faulty_line_says_nothing(void **state)
{
    (void)state;
    check_first("lines san\ne4 (e5) Nc3\ne4 e5 Xx9\n", "e2e4", "e7e5", -1);
    check_first("lines san\ne4:30 e5 Xx9\ne4:40 c5\nd4:10 d5\n", "", "e2e4", 40);
    check_first("lines san\ne4:30 e5 Xx9\n*1 c5\nd4:10 d5\n", "", "e2e4", 30);
    /* What follows an unknown start is nowhere. */
    static const char unknown[] = "lines san\nstart rnbqkb1r/8 w KQkq - 0 2\nd4 e6 c4\n";
    struct book *book = NULL;
    assert_int_not_equal(book_open_memory(unknown, sizeof unknown - 1, "x.lines", &book, NULL),
                         STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_book),
        cmocka_unit_test(books_of_one_side),
        cmocka_unit_test(non_book_moves_are_followed),
        cmocka_unit_test(other_starts),
        cmocka_unit_test(loops_end),
        cmocka_unit_test(a_faulty_line_says_nothing),
        cmocka_unit_test(gnuchess_there_and_back),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
