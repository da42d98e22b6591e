/* Whatever bytes a book has, it is refused or gives legal moves; and building a book forgets the
 * order of its games. */
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
#include "book/count/builder.h"
#include "book/entry_table.h"
#include "book/format.h"
#include "book/graph/graph.h"
#include "book/open/builtin.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "chess/attacks.h"
#include "chess/movegen.h"
#include "chess/notation.h"

enum { BYTES_MAX = 256 * POLYGLOT_ENTRY_SIZE, GAMES = 60, GAME_MAX = 700 };

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

/* Walks a few random games through the book: every move it gives is legal, heaviest first. */
static void check_moves(const struct book *book, struct rng *rng)
{
    struct position pos;
    position_start(&pos);
    for (int ply = 0; ply < 40; ply++) {
        struct book_move moves[MOVES_MAX];
        int count = book_probe(book, &pos, moves, MOVES_MAX);
        for (int i = 0; i < count; i++) {
            assert_true(movegen_is_legal(&pos, moves[i].move));
            assert_true(i == 0 || moves[i - 1].weight >= moves[i].weight);
        }
        int chosen = book_choose(moves, count, BOOK_WEIGHTED, 0, rng);
        assert_true(chosen < count);
        move legal[MOVES_MAX];
        int legal_count = movegen_legal(&pos, legal);
        if (legal_count == 0)
            return;
        move next = chosen >= 0 ? moves[chosen].move : legal[rng_below(rng, (uint64_t)legal_count)];
        struct undo undo;
        position_make(&pos, next, &undo);
    }
}

/* Pieces of the built-in book with bytes changed and the end cut off. */
static void damaged_books(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 42);
    size_t entries = (size_t)(builtin_book_end - builtin_book_start) / POLYGLOT_ENTRY_SIZE;
    int opened = 0;
    for (int round = 0; round < 2000; round++) {
        uint8_t bytes[BYTES_MAX];
        size_t first = (size_t)rng_below(&rng, entries - 256);
        memcpy(bytes, builtin_book_start + first * POLYGLOT_ENTRY_SIZE, sizeof bytes);
        size_t size = (size_t)rng_below(&rng, sizeof bytes + 1);
        if (rng_below(&rng, 4))
            size -= size % POLYGLOT_ENTRY_SIZE;
        for (uint64_t i = rng_below(&rng, 200); i > 0; i--)
            bytes[rng_below(&rng, sizeof bytes)] = (uint8_t)rng_next(&rng);
        struct book *book = NULL;
        struct diag diag;
        enum caxton_status status = book_open_memory(bytes, size, "damaged", &book, &diag);
        if (status != STATUS_OK) {
            assert_int_equal(status, STATUS_FORMAT);
            assert_null(book);
            continue;
        }
        opened++;
        assert_int_equal(book_entry_count(book), size / POLYGLOT_ENTRY_SIZE);
        check_moves(book, &rng);
        book_close(book);
    }
    assert_true(opened > 500);
}

static void builtin_book_is_sound(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 5);
    struct book *book = NULL;
    assert_int_equal(book_open_builtin(&book), STATUS_OK);
    for (int i = 0; i < 500; i++)
        check_moves(book, &rng);
    const struct entry_table *table = book_table(book);
    for (size_t i = 0; i < book_entry_count(book); i++) {
        struct book_entry entry = entry_table_at(table, i);
        assert_true(entry.weight > 0);
        assert_true(polyglot_is_conceivable(entry.move));
    }
    book_close(book);
}

/* A random game of the built-in book's openings, with a result. */
static void make_game(const struct book *book, struct rng *rng, char out[GAME_MAX])
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    struct position pos;
    struct text_buffer text = text_buffer_on(out, GAME_MAX);
    position_start(&pos);
    text_append(&text, "[Event \"random\"]\n\n");
    for (int ply = 0; ply < 24; ply++) {
        struct book_move moves[MOVES_MAX];
        int count = book_probe(book, &pos, moves, MOVES_MAX);
        int chosen = book_choose(moves, count, BOOK_WEIGHTED, 0, rng);
        if (chosen < 0)
            break;
        char san[SAN_MAX];
        struct undo undo;
        move_to_san(&pos, moves[chosen].move, san);
        text_append(&text, "%s ", san);
        position_make(&pos, moves[chosen].move, &undo);
    }
    text_append(&text, "%s\n\n", results[rng_below(rng, 4)]);
    assert_false(text.cut);
}

/* Builds from the games in this order; returns the size of the book in `out`. */
static size_t build(char games[GAMES][GAME_MAX], const int order[GAMES], uint8_t *out)
{
    struct build_options options = build_options_default();
    options.min_games = 2;
    options.count.memory_bytes = 1 << 20;
    enum caxton_status status;
    struct builder *builder = builder_create(&options, &status);
    assert_non_null(builder);
    struct diag diag;
    for (int i = 0; i < GAMES; i++) {
        struct span memory = {games[order[i]], strlen(games[order[i]])};
        assert_int_equal(builder_read(builder, span_read, &memory, "game", &diag), STATUS_OK);
    }
    assert_int_equal(builder_report(builder)->count.games, GAMES);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(builder_write(builder, file, NULL, &diag), STATUS_OK);
    rewind(file);
    size_t size = fread(out, 1, BYTES_MAX, file);
    assert_int_equal(fclose(file), 0);
    builder_destroy(builder);
    return size;
}

static void order_does_not_matter(void **state)
{
    (void)state;
    static char games[GAMES][GAME_MAX];
    static uint8_t first[BYTES_MAX];
    static uint8_t again[BYTES_MAX];
    struct rng rng;
    rng_seed(&rng, 11);
    struct book *book = NULL;
    assert_int_equal(book_open_builtin(&book), STATUS_OK);
    int order[GAMES];
    for (int i = 0; i < GAMES; i++) {
        make_game(book, &rng, games[i]);
        order[i] = i;
    }
    book_close(book);
    size_t size = build(games, order, first);
    assert_true(size >= 20 * POLYGLOT_ENTRY_SIZE);
    for (int round = 0; round < 10; round++) {
        for (int i = GAMES - 1; i > 0; i--) {
            int j = (int)rng_below(&rng, (uint64_t)i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        assert_int_equal(build(games, order, again), size);
        assert_memory_equal(again, first, size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_books),
        cmocka_unit_test(builtin_book_is_sound),
        cmocka_unit_test(order_does_not_matter),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
