/* The shortest lines to the positions of a table, and the order in which they are visited. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "book/entry_table.h"
#include "book/graph/graph_visit.h"
#include "chess/attacks.h"
#include "tests/support/book_entries.h"

static int compare_entries(const void *a, const void *b)
{
    return memcmp(a, b, POLYGLOT_ENTRY_SIZE);
}

/* One line of text for each position: the moves to it. */
static void take_line(void *context, const struct book_node *node, const struct position *pos,
                      const move *line)
{
    struct text_buffer *text = context;
    for (uint32_t i = 0; i < node->ply; i++) {
        char uci[UCI_MAX];
        move_to_uci(line[i], false, uci);
        text_append(text, "%s%s", i ? " " : "", uci);
    }
    assert_int_equal(pos->key, node->key);
    text_append(text, "\n");
}

static void assert_lines(struct book_bytes *book, size_t positions, const char *wanted)
{
    char text[500];
    struct text_buffer out = text_buffer_on(text, sizeof text);
    struct book_graph graph;
    struct position start;
    position_start(&start);
    qsort(book->bytes, book->size / POLYGLOT_ENTRY_SIZE, POLYGLOT_ENTRY_SIZE, compare_entries);
    const struct entry_table table = {.bytes = book->bytes,
                                      .count = book->size / POLYGLOT_ENTRY_SIZE};
    assert_int_equal(book_graph_create_shortest(&table, &start, &graph), STATUS_OK);
    assert_int_equal(graph.positions, positions);
    assert_int_equal(book_graph_visit(&graph, take_line, &out), STATUS_OK);
    assert_string_equal(text, wanted);
    book_graph_destroy(&graph);
}

static void the_heaviest_come_first(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    put(&book, position_by_moves("").key, "d2d4", 5);
    put(&book, position_by_moves("").key, "e2e4", 7);
    put(&book, position_by_moves("").key, "e2e5", 9); /* illegal */
    put(&book, position_by_moves("d2d4").key, "d7d5", 1);
    put(&book, position_by_moves("e2e4").key, "e7e5", 1);
    put(&book, position_by_moves("e2e4 e7e5").key, "g1f3", 1);
    put_raw(&book, 5, stored_move("a2a3"), 1); /* nobody knows where that is */
    assert_lines(&book, 5, "\ne2e4\ne2e4 e7e5\nd2d4\n");
}

/* White's moves alone: Black's lead from one to the next. A short line by other moves counts more
 * than a longer one of the table. */
static void other_moves_lead_back(void **state)
{
    (void)state;
    struct book_bytes book = {.size = 0};
    put(&book, position_by_moves("").key, "e2e4", 1);
    put(&book, position_by_moves("e2e4 c7c5").key, "g1f3", 1);
    put(&book, position_by_moves("e2e4 e7e5").key, "g1f3", 1);
    put(&book, position_by_moves("e2e4 e7e5 g1f3 b8c6").key, "f1b5", 1);
    assert_lines(&book, 4, "\ne2e4 c7c5\ne2e4 e7e5\ne2e4 e7e5 g1f3 b8c6\n");
    put(&book, position_by_moves("d2d4").key, "d7d5", 1);
    assert_lines(&book, 5, "\ne2e4 c7c5\ne2e4 e7e5\ne2e4 e7e5 g1f3 b8c6\nd2d4\n");
}

static int start_chess(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heaviest_come_first),
        cmocka_unit_test(other_moves_lead_back),
    };
    return cmocka_run_group_tests(tests, start_chess, NULL);
}
