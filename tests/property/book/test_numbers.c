/* Books of random moves, counted and compared: what book_stats and book_diff say is what looking at
 * every entry says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "book/book.h"
#include "book/graph/diff.h"
#include "book/graph/stats.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "chess/attacks.h"
#include "chess/movegen.h"

enum { ENTRIES_MAX = 400 };

struct random_book {
    struct polyglot_entry entries[ENTRIES_MAX];
    uint64_t behind[ENTRIES_MAX]; /* the key after the move */
    size_t count;
    uint8_t bytes[ENTRIES_MAX * POLYGLOT_ENTRY_SIZE];
    struct book *book;
    struct book_graph graph;
};

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static void add(struct random_book *out, const struct position *pos, move m, uint16_t weight)
{
    uint16_t stored = polyglot_from_move(m);
    for (size_t i = 0; i < out->count; i++)
        if (out->entries[i].key == pos->key && out->entries[i].move == stored)
            return;
    if (out->count == ENTRIES_MAX)
        return;
    struct position after = *pos;
    struct undo undo;
    position_make(&after, m, &undo);
    out->behind[out->count] = after.key;
    out->entries[out->count++] =
        (struct polyglot_entry){.key = pos->key, .move = stored, .weight = weight};
}

/* Lines of a few of the first legal moves, so that they meet; of some the first entries are left
 * out, so that the rest hangs in the air. */
static void make(struct random_book *out, uint64_t seed, int lines)
{
    struct rng rng;
    rng_seed(&rng, seed);
    out->count = 0;
    for (int line = 0; line < lines; line++) {
        struct position pos;
        uint64_t from = rng_below(&rng, 4) ? 0 : 1 + rng_below(&rng, 4);
        position_start(&pos);
        for (uint64_t ply = 0; ply < 8; ply++) {
            move moves[MOVES_MAX];
            struct undo undo;
            int count = movegen_legal(&pos, moves);
            if (count == 0)
                break;
            move m = moves[rng_below(&rng, (uint64_t)(count < 4 ? count : 4))];
            if (ply >= from)
                add(out, &pos, m, (uint16_t)rng_below(&rng, 4));
            position_make(&pos, m, &undo);
        }
    }
}

static void open_book(struct random_book *out)
{
    struct polyglot_entry sorted[ENTRIES_MAX];
    for (size_t i = 0; i < out->count; i++)
        sorted[i] = out->entries[i];
    qsort(sorted, out->count, sizeof *sorted, polyglot_compare);
    for (size_t i = 0; i < out->count; i++)
        polyglot_encode(&sorted[i], out->bytes + i * POLYGLOT_ENTRY_SIZE);
    assert_int_equal(
        book_open_memory(out->bytes, out->count * POLYGLOT_ENTRY_SIZE, "random", &out->book, NULL),
        STATUS_OK);
    assert_int_equal(book_graph_create(out->book, NULL, &out->graph, NULL), STATUS_OK);
}

static void close_book(struct random_book *book)
{
    book_graph_destroy(&book->graph);
    book_close(book->book);
}

static bool has_key(const struct random_book *book, uint64_t key)
{
    for (size_t i = 0; i < book->count; i++)
        if (book->entries[i].key == key)
            return true;
    return false;
}

static bool is_first_of_key(const struct random_book *book, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (book->entries[i].key == book->entries[at].key)
            return false;
    return true;
}

static bool is_reached(const struct random_book *book, uint64_t key)
{
    uint32_t node = book_graph_find(&book->graph, key);
    return node != BOOK_GRAPH_NONE && book->graph.nodes[node].known;
}

static void stats_count_every_entry(void **state)
{
    (void)state;
    static struct random_book book;
    static struct book_stats stats;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t positions = 0;
        uint64_t unreached = 0;
        uint64_t moves = 0;
        uint64_t leaves = 0;
        uint64_t never = 0;
        make(&book, seed, 1 + (int)(seed % 30));
        open_book(&book);
        for (size_t i = 0; i < book.count; i++) {
            bool reached = is_reached(&book, book.entries[i].key);
            positions += is_first_of_key(&book, i);
            unreached += is_first_of_key(&book, i) && !reached;
            moves += reached;
            leaves += reached && !has_key(&book, book.behind[i]);
            never += reached && book.entries[i].weight == 0;
        }
        assert_int_equal(book_stats_take(&book.graph, &stats), STATUS_OK);
        assert_int_equal(stats.positions, positions);
        assert_int_equal(stats.unreached, unreached);
        assert_int_equal(stats.own + stats.passed, positions - unreached);
        assert_int_equal(stats.moves, moves);
        assert_int_equal(stats.unreached_moves, book.count - moves);
        assert_int_equal(stats.never, never);
        if (!stats.one_side)
            assert_int_equal(stats.leaves, leaves);
        uint64_t sums[3] = {0, 0, 0};
        for (uint32_t ply = 0; ply <= stats.deepest; ply++)
            sums[0] += stats.depths[ply];
        for (int i = 0; i < BOOK_VOLUMES; i++) {
            sums[1] += stats.volume_positions[i];
            sums[2] += stats.volume_moves[i];
        }
        assert_int_equal(sums[0], positions - unreached);
        assert_int_equal(sums[1], positions - unreached);
        assert_int_equal(sums[2], moves);
        close_book(&book);
    }
}

/* The weight of a move, -1 when the book does not have it; the sum of its position. */
static int weight_of(const struct random_book *book, const struct polyglot_entry *entry,
                     uint64_t *sum)
{
    int weight = -1;
    *sum = 0;
    for (size_t i = 0; i < book->count; i++) {
        if (book->entries[i].key != entry->key)
            continue;
        *sum += book->entries[i].weight;
        if (book->entries[i].move == entry->move)
            weight = book->entries[i].weight;
    }
    return weight;
}

static void expect(const struct random_book *a, const struct random_book *b,
                   const struct book_diff *diff, int which)
{
    uint64_t both = 0;
    uint64_t only = 0;
    uint64_t same = 0;
    uint64_t changed = 0;
    uint64_t moves_only = 0;
    for (size_t i = 0; i < a->count; i++) {
        uint64_t sum_a;
        uint64_t sum_b;
        int weight = weight_of(b, &a->entries[i], &sum_b);
        (void)weight_of(a, &a->entries[i], &sum_a);
        if (is_first_of_key(a, i)) {
            both += has_key(b, a->entries[i].key);
            only += !has_key(b, a->entries[i].key);
        }
        if (weight < 0) {
            moves_only++;
            continue;
        }
        /* Fractions, in which 0 of 0 is 0. */
        bool alike =
            a->entries[i].weight * (sum_b ? sum_b : 1) == (uint64_t)weight * (sum_a ? sum_a : 1);
        same += alike;
        changed += !alike;
    }
    assert_int_equal(diff->positions_both, both);
    assert_int_equal(diff->positions_only[which], only);
    assert_int_equal(diff->moves_same, same);
    assert_int_equal(diff->moves_changed, changed);
    assert_int_equal(diff->moves_only[which], moves_only);
}

static void differences_are_those_of_the_entries(void **state)
{
    (void)state;
    static struct random_book a;
    static struct random_book b;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct book_diff diff = {0};
        struct book_diff back = {0};
        make(&a, seed, 12);
        make(&b, seed + (seed % 3), 12 + (int)(seed % 5));
        open_book(&a);
        open_book(&b);
        assert_int_equal(book_diff_create(&a.graph, &b.graph, 0, &diff), STATUS_OK);
        assert_int_equal(book_diff_create(&b.graph, &a.graph, 0, &back), STATUS_OK);
        expect(&a, &b, &diff, 0);
        expect(&b, &a, &diff, 1);
        expect(&b, &a, &back, 0);
        assert_int_equal(diff.unreached[0], back.unreached[1]);
        /* Every position that only one has and a line leads to is in the list, once. */
        uint64_t behind[2] = {0, 0};
        for (size_t i = 0; i < diff.count; i++) {
            behind[diff.list[i].owner] += diff.list[i].behind;
            assert_true(i == 0 || diff.list[i - 1].rank >= diff.list[i].rank);
        }
        for (int which = 0; which < 2; which++) {
            const struct random_book *mine = which == 0 ? &a : &b;
            const struct random_book *other = which == 0 ? &b : &a;
            uint64_t wanted = 0;
            for (size_t i = 0; i < mine->count; i++)
                wanted += is_first_of_key(mine, i) && !has_key(other, mine->entries[i].key) &&
                          is_reached(mine, mine->entries[i].key);
            assert_int_equal(behind[which], wanted);
        }
        book_diff_destroy(&diff);
        book_diff_destroy(&back);
        assert_int_equal(book_diff_create(&a.graph, &a.graph, 0, &diff), STATUS_OK);
        assert_true(book_diff_is_empty(&diff));
        assert_int_equal(diff.count, 0);
        book_diff_destroy(&diff);
        close_book(&a);
        close_book(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stats_count_every_entry),
        cmocka_unit_test(differences_are_those_of_the_entries),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
