/* Chessmaster's books. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/formats/chessmaster/obk.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"
#include "tests/support/shared_data.h"

enum { NO_MARK = 1, GOOD, VERY_GOOD, LAST = 64, ENDS = 128 };

static uint8_t file[4096];
static size_t used;

static void put_number(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void begin(const char *magic)
{
    memset(file, 0, sizeof file);
    memcpy(file, magic, 4);
    used = strcmp(magic, "BOO!") == 0 ? 12 : 8;
}

static uint8_t square_of(const char *name)
{
    return (uint8_t)(name[0] - 'a' + 8 * (name[1] - '1'));
}

/* flags: LAST, ENDS. */
static void add(const char *uci, int mark, int flags)
{
    file[used++] = (uint8_t)(square_of(uci) | flags);
    file[used++] = (uint8_t)(square_of(uci + 2) | mark << 6);
    put_number(file + 4, (uint32_t)(file[4] | file[5] << 8) + 1);
}

static void add_note(uint32_t of, int kind, const char *text)
{
    put_number(file + used, of);
    file[used + 4] = (uint8_t)strlen(text);
    file[used + 5] = (uint8_t)kind;
    memcpy(file + used + 6, text, strlen(text));
    used += 6 + strlen(text);
    put_number(file + 8, (uint32_t)file[8] + 1);
}

/* 1. e4!! (e5 2. Nf3, Nc3?) (c5!), 1. d4 */
static void fill_example(const char *magic)
{
    begin(magic);
    add("e2e4", VERY_GOOD, 0);
    add("e7e5", NO_MARK, 0);
    add("g1f3", NO_MARK, ENDS);
    add("b1c3", 0, LAST | ENDS);
    add("c7c5", GOOD, LAST | ENDS);
    add("d2d4", NO_MARK, LAST | ENDS);
}

static void lines_marks_and_both_headers(void **state)
{
    static const char *const magics[] = {"BOO!", "UGWS"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        fill_example(magics[i]);
        assert_int_equal(any_check(&obk_format, file, used).sum, 0);
        struct book *book = any_open(file, used);
        assert_string_equal(book_format_name(book), "Chessmaster");
        assert_int_equal(book_entry_count(book), 6);
        assert_int_equal(any_weight(book, "", "e2e4"), 3);
        assert_int_equal(any_weight(book, "", "d2d4"), 1);
        assert_int_equal(any_weight(book, "e2e4", "e7e5"), 1);
        assert_int_equal(any_weight(book, "e2e4", "c7c5"), 2);
        assert_int_equal(any_weight(book, "e2e4 e7e5", "g1f3"), 1);
        assert_int_equal(any_weight(book, "e2e4 e7e5", "b1c3"), 0); /* "?" */
        book_close(book);
    }
}

/* The first move of CM9000.OBK as it was published: 0C DC. */
static void the_first_move_of_a_real_book(void **state)
{
    (void)state;
    static const uint8_t published[] = {0x0c, 0xdc};
    fill_example("BOO!");
    assert_memory_equal(file + 12, published, sizeof published);
}

static void every_move_counts_where_none_has_a_mark(void **state)
{
    (void)state;
    begin("BOO!");
    add("e2e4", 0, LAST);
    add("e7e5", 0, LAST | ENDS);
    struct book *book = any_open(file, used);
    assert_int_equal(any_weight(book, "", "e2e4"), 1);
    assert_int_equal(any_weight(book, "e2e4", "e7e5"), 1);
    book_close(book);
}

static void castling_and_promotion(void **state)
{
    static const char *const line[] = {"e2e4", "d7d5", "e4d5", "c7c6", "d5c6", "g8f6", "c6b7",
                                       "g7g6", "b7a8", "f8g7", "a8b7", "e8g8", "b7c8", "d8c8"};
    enum { MOVES = sizeof line / sizeof *line };
    (void)state;
    begin("BOO!");
    for (size_t i = 0; i < MOVES; i++)
        add(line[i], NO_MARK, i + 1 < MOVES ? LAST : LAST | ENDS);
    assert_int_equal(any_check(&obk_format, file, used).sum, 0);
    struct book *book = any_open(file, used);
    assert_int_equal(any_weight(book, "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 g7g6", "b7a8q"), 1);
    assert_int_equal(
        any_weight(book, "e2e4 d7d5 e4d5 c7c6 d5c6 g8f6 c6b7 g7g6 b7a8q f8g7 a8b7", "e8g8"), 1);
    book_close(book);
}

static void the_best_mark_of_a_transposition(void **state)
{
    (void)state;
    begin("BOO!");
    add("g1f3", NO_MARK, 0);
    add("d7d5", NO_MARK, LAST);
    add("d2d4", NO_MARK, LAST | ENDS);
    add("d2d4", NO_MARK, LAST);
    add("d7d5", NO_MARK, LAST);
    add("g1f3", NO_MARK, LAST);
    add("g8f6", GOOD, LAST | ENDS);
    put_number(file + 4, 7);
    struct book *book = any_open(file, used);
    assert_int_equal(any_weight(book, "g1f3 d7d5 d2d4", "g8f6"), 2);
    book_close(book);
}

static void notes_are_counted(void **state)
{
    (void)state;
    fill_example("BOO!");
    add_note(0, 80, "King's Pawn");
    add_note(4, 82, "B20");
    assert_int_equal(any_check(&obk_format, file, used).sum, 0);
    assert_int_equal(any_check(&obk_format, file, used - 1).counts[BOOK_FAULT_SIZE], 1);
    struct book *book = any_open(file, used);
    assert_int_equal(book->comment_count, 2);
    book_close(book);
}

static void an_illegal_move_costs_what_follows_it(void **state)
{
    (void)state;
    begin("BOO!");
    add("e2e4", NO_MARK, 0);
    add("e7e4", NO_MARK, 0); /* illegal, with two answers */
    add("g1f3", NO_MARK, ENDS);
    add("b1c3", NO_MARK, LAST | ENDS);
    add("c7c5", NO_MARK, LAST | ENDS);
    add("d2d4", NO_MARK, LAST | ENDS);
    const struct any_faults faults = any_check(&obk_format, file, used);
    assert_int_equal(faults.sum, 1);
    assert_int_equal(faults.counts[BOOK_FAULT_ILLEGAL], 1);
    assert_int_equal(faults.first.offset, 14);
    assert_non_null(strstr(faults.first.text, "move 1: e7e4 is illegal"));
    struct book *book = any_open(file, used);
    assert_int_equal(book_entry_count(book), 3);
    assert_int_equal(any_weight(book, "e2e4", "c7c5"), 1);
    assert_int_equal(any_weight(book, "", "d2d4"), 1);
    book_close(book);
}

static void damaged_files(void **state)
{
    (void)state;
    fill_example("BOO!");
    size_t whole = used;
    for (size_t size = 4; size < whole; size++)
        assert_true(any_check(&obk_format, file, size).counts[BOOK_FAULT_SIZE] > 0);
    file[12 + 2 * 5] &= (uint8_t)~ENDS; /* the last line goes on */
    assert_int_equal(any_check(&obk_format, file, whole).counts[BOOK_FAULT_SIZE], 1);
    fill_example("BOO!");
    file[12 + 2 * 4] |= ENDS;
    file[12] |= LAST; /* now 1. d4 comes after the end of all lines */
    assert_int_equal(any_check(&obk_format, file, whole).counts[BOOK_FAULT_CUT_OFF], 1);
    begin("BOO!");
    for (size_t i = 0; i < 1000; i++) { /* choices without an end */
        static const char *const round[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
        add(round[i % 4], NO_MARK, 0);
    }
    put_number(file + 4, 1000);
    const struct any_faults faults = any_check(&obk_format, file, used);
    assert_int_equal(faults.counts[BOOK_FAULT_LOOP], 2); /* the line, and its choices */
}

/* A book as Chessmaster's: its lines, each position once. */
static void put_lines(const struct book_graph *graph, uint32_t at, uint8_t *out, size_t *size)
{
    const struct book_node *node = &graph->nodes[at];
    for (uint32_t i = 0; i < node->count; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        bool goes_on = edge->to != BOOK_GRAPH_NONE && graph->nodes[edge->to].parent == at &&
                       graph->nodes[edge->to].via == edge->move && graph->nodes[edge->to].count;
        int to = move_to(edge->move);
        if (move_kind(edge->move) == MOVE_CASTLING) /* the king's journey */
            to = move_from(edge->move) + (square_file(to) > 4 ? 2 : -2);
        out[(*size)++] = (uint8_t)(move_from(edge->move) | (i + 1 == node->count ? LAST : 0) |
                                   (goes_on ? 0 : ENDS));
        out[(*size)++] = (uint8_t)(to | NO_MARK << 6);
        if (goes_on)
            put_lines(graph, edge->to, out, size);
    }
}

/* The lines of a real book, written in this way, are read as its moves. */
static void the_lines_of_a_real_book(void **state)
{
    (void)state;
    static const char path[] = SHARED_DATA_DIR "/books/gnuchess.bin";
    struct book *bin = NULL;
    struct book_graph graph = {0};
    shared_data_want(path);
    assert_int_equal(book_open(path, &bin, NULL), STATUS_OK);
    assert_int_equal(book_graph_create_own(bin, NULL, &graph, NULL), STATUS_OK);
    uint8_t *bytes = calloc(12 + 2 * graph.edge_count, 1);
    assert_non_null(bytes);
    memcpy(bytes, "BOO!", 4);
    put_number(bytes + 4, (uint32_t)graph.edge_count);
    size_t size = 12;
    put_lines(&graph, 0, bytes, &size);
    assert_int_equal(size, 12 + 2 * graph.edge_count);
    assert_int_equal(any_check(&obk_format, bytes, size).sum, 0);
    struct book *obk = any_open(bytes, size);
    assert_int_equal(book_entry_count(obk), graph.edge_count);
    for (size_t n = 0; n < graph.node_count; n++) {
        struct position pos;
        struct book_move moves[MOVES_MAX];
        book_graph_position(&graph, (uint32_t)n, &pos, NULL);
        int count = book_probe(obk, &pos, moves, MOVES_MAX);
        assert_int_equal(count, graph.nodes[n].count);
        for (int i = 0; i < count; i++)
            assert_true(graph_has_move(&graph, (uint32_t)n, moves[i].move));
    }
    book_close(obk);
    free(bytes);
    book_graph_destroy(&graph);
    book_close(bin);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_marks_and_both_headers),
        cmocka_unit_test(the_first_move_of_a_real_book),
        cmocka_unit_test(every_move_counts_where_none_has_a_mark),
        cmocka_unit_test(castling_and_promotion),
        cmocka_unit_test(the_best_mark_of_a_transposition),
        cmocka_unit_test(notes_are_counted),
        cmocka_unit_test(an_illegal_move_costs_what_follows_it),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(the_lines_of_a_real_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
