/* Leaving moves out of a book: each rule, what falls behind it, reach worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/graph/prune.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"
#include "tests/support/book_entries.h"

/* A book in the making, and what is left of it. */
struct pruned {
    struct book_bytes bytes;
    struct book *book;
    struct prune_options options;
    struct pruning pruning;
};

static void give(struct pruned *pruned, const char *moves, const char *uci, uint16_t weight)
{
    put(&pruned->bytes, position_by_moves(moves).key, uci, weight);
}

static void prune(struct pruned *pruned)
{
    struct diag diag;
    pruned->book = open_bytes(&pruned->bytes);
    assert_int_equal(prune_book(pruned->book, &pruned->options, &pruned->pruning, &diag),
                     STATUS_OK);
}

static void drop(struct pruned *pruned)
{
    pruning_free(&pruned->pruning);
    book_close(pruned->book);
}

/* What became of the move `uci` after `moves`. */
static enum prune_reason fate(const struct pruned *pruned, const char *moves, const char *uci)
{
    const struct book_graph *graph = &pruned->pruning.graph;
    uint32_t at = book_graph_find(graph, position_by_moves(moves).key);
    assert_true(at != BOOK_GRAPH_NONE);
    const struct book_node *node = &graph->nodes[at];
    uint32_t e = node->first;
    while (e < node->first + node->count &&
           polyglot_from_move(graph->edges[e].move) != stored_move(uci))
        e++;
    assert_true(e < node->first + node->count);
    bool kept = false;
    for (size_t i = 0; i < pruned->pruning.list.count; i++)
        kept |= pruned->pruning.list.entries[i].key == node->key &&
                pruned->pruning.list.entries[i].move == stored_move(uci);
    assert_int_equal(kept, pruned->pruning.reasons[e] == PRUNE_KEPT);
    return pruned->pruning.reasons[e];
}

/* 1. e4 (60) d4 (30) Nf3 (10); 1... e5 and c5 to e4; 2. Nf3 to both; d5 to d4. */
static void give_openings(struct pruned *pruned)
{
    give(pruned, "", "e2e4", 60);
    give(pruned, "", "d2d4", 30);
    give(pruned, "", "g1f3", 10);
    give(pruned, "e2e4", "e7e5", 3);
    give(pruned, "e2e4", "c7c5", 1);
    give(pruned, "e2e4 e7e5", "g1f3", 1);
    give(pruned, "e2e4 c7c5", "g1f3", 1);
    give(pruned, "d2d4", "d7d5", 1);
}

static void nothing_falls_without_rules(void **state)
{
    (void)state;
    struct pruned pruned = {.options = {.min_games = 0}};
    give_openings(&pruned);
    prune(&pruned);
    assert_int_equal(pruned.pruning.counts[PRUNE_KEPT], 8);
    assert_int_equal(pruned.pruning.list.count, 8);
    assert_int_equal(pruned.pruning.positions, 5);
    drop(&pruned);
}

static void small_shares_fall_and_what_is_behind_them(void **state)
{
    (void)state;
    struct pruned pruned = {.options = {.min_share_ppm = 300000}};
    give_openings(&pruned);
    prune(&pruned);
    assert_int_equal(fate(&pruned, "", "g1f3"), PRUNE_SHARE);
    assert_int_equal(fate(&pruned, "", "d2d4"), PRUNE_KEPT); /* 30 % is enough */
    assert_int_equal(fate(&pruned, "e2e4", "c7c5"), PRUNE_SHARE);
    assert_int_equal(fate(&pruned, "e2e4 c7c5", "g1f3"), PRUNE_UNREACHED);
    assert_int_equal(pruned.pruning.counts[PRUNE_SHARE], 2);
    assert_int_equal(pruned.pruning.counts[PRUNE_UNREACHED], 1);
    assert_int_equal(pruned.pruning.positions, 4);
    drop(&pruned);
}

static void unreached_ones_stay_on_request(void **state)
{
    (void)state;
    struct pruned pruned = {.options = {.min_share_ppm = 300000, .keep_unreached = true}};
    give_openings(&pruned);
    give(&pruned, "a2a3 a7a6 a3a4 a6a5", "b2b3", 9); /* never had a line */
    prune(&pruned);
    assert_int_equal(fate(&pruned, "e2e4 c7c5", "g1f3"), PRUNE_KEPT);
    assert_int_equal(pruned.pruning.counts[PRUNE_KEPT], 7);
    assert_int_equal(pruned.pruning.unreached.count, 0);
    drop(&pruned);
    struct pruned without = {.options = {.best = 1}};
    give_openings(&without);
    give(&without, "a2a3 a7a6 a3a4 a6a5", "b2b3", 9);
    give(&without, "a2a3 a7a6 a3a4 a6a5", "c2c3", 10);
    prune(&without);
    assert_int_equal(without.pruning.unreached.count, 2);
    assert_int_equal(without.pruning.unreached.entries[0].place, PRUNE_UNREACHED);
    assert_int_equal(without.pruning.unreached.entries[0].move, stored_move("c2c3"));
    assert_int_equal(without.pruning.unreached.entries[1].place, PRUNE_BEST);
    drop(&without);
}

static void the_best_stay(void **state)
{
    (void)state;
    struct pruned pruned = {.options = {.best = 2}};
    give_openings(&pruned);
    prune(&pruned);
    assert_int_equal(fate(&pruned, "", "d2d4"), PRUNE_KEPT);
    assert_int_equal(fate(&pruned, "", "g1f3"), PRUNE_BEST);
    assert_int_equal(pruned.pruning.counts[PRUNE_KEPT], 7);
    drop(&pruned);
}

/* A position counts by the shortest line that is left. */
static void lines_end_where_they_should(void **state)
{
    (void)state;
    struct pruned pruned = {.options = {.max_plies = 2}};
    give_openings(&pruned);
    prune(&pruned);
    assert_int_equal(fate(&pruned, "e2e4 e7e5", "g1f3"), PRUNE_DEPTH);
    assert_int_equal(fate(&pruned, "d2d4", "d7d5"), PRUNE_KEPT);
    assert_int_equal(pruned.pruning.counts[PRUNE_DEPTH], 2);
    drop(&pruned);

    /* 1. e4 e5 2. Nf3 comes by 1. Nf3 e5 2. e4, too; and by e3 and e4 later. Without 1. e3 and
     * 1. e4 the short way is gone. */
    struct pruned longer = {.options = {.max_plies = 4, .min_share_ppm = 100000}};
    give(&longer, "", "e2e4", 1);
    give(&longer, "", "e2e3", 99);
    give(&longer, "e2e4", "e7e5", 1);
    give(&longer, "e2e3", "e7e6", 1);
    give(&longer, "e2e3 e7e6", "e3e4", 1);
    give(&longer, "e2e3 e7e6 e3e4", "e6e5", 1);
    give(&longer, "e2e4 e7e5", "g1f3", 1); /* ply 2 before, ply 4 now */
    prune(&longer);
    assert_int_equal(fate(&longer, "", "e2e4"), PRUNE_SHARE);
    assert_int_equal(fate(&longer, "e2e4", "e7e5"), PRUNE_UNREACHED);
    assert_int_equal(fate(&longer, "e2e3 e7e6 e3e4", "e6e5"), PRUNE_KEPT);
    assert_int_equal(fate(&longer, "e2e4 e7e5", "g1f3"), PRUNE_DEPTH);
    drop(&longer);
}

/* After 1. e4: 0.6; e5: 0.45, c5: 0.15. After 1. d4: 0.3. After 1. Nf3 e5 and 1. e4 e5 2. Nf3 the
 * same position, which gets 0.05 + 0.45: each alone would do for 0.04 and 0.4. */
static void give_transposition(struct pruned *pruned)
{
    give_openings(pruned);
    give(pruned, "g1f3", "e7e5", 1);
    give(pruned, "g1f3", "d7d5", 1);
    give(pruned, "g1f3 e7e5", "e2e4", 1);
    give(pruned, "e2e4 e7e5 g1f3", "b8c6", 1);
}

static void improbable_positions_fall(void **state)
{
    (void)state;
    static const struct {
        double min;
        enum prune_reason c5, d4, e5_after_nf3, joined;
    } rows[] = {
        {0.04, PRUNE_KEPT, PRUNE_KEPT, PRUNE_KEPT, PRUNE_KEPT},
        {0.06, PRUNE_KEPT, PRUNE_KEPT, PRUNE_REACH, PRUNE_KEPT},
        {0.16, PRUNE_REACH, PRUNE_KEPT, PRUNE_REACH, PRUNE_KEPT},
        {0.31, PRUNE_REACH, PRUNE_REACH, PRUNE_REACH, PRUNE_KEPT},
        /* 0.5 with the way by 1. Nf3, which is too improbable itself: 0.45. */
        {0.47, PRUNE_REACH, PRUNE_REACH, PRUNE_REACH, PRUNE_UNREACHED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pruned pruned = {.options = {.min_reach = rows[i].min}};
        give_transposition(&pruned);
        prune(&pruned);
        assert_int_equal(fate(&pruned, "e2e4 c7c5", "g1f3"), rows[i].c5);
        assert_int_equal(fate(&pruned, "d2d4", "d7d5"), rows[i].d4);
        enum prune_reason by_nf3 = fate(&pruned, "g1f3 e7e5", "e2e4");
        assert_true(by_nf3 == rows[i].e5_after_nf3 ||
                    (by_nf3 == PRUNE_UNREACHED && rows[i].e5_after_nf3 == PRUNE_REACH));
        assert_int_equal(fate(&pruned, "e2e4 e7e5 g1f3", "b8c6"), rows[i].joined);
        drop(&pruned);
    }
}

/* Black's moves by their weights, White's each for certain: 1. Nf3 e5 is reached by half. */
static void own_moves_are_certain(void **state)
{
    (void)state;
    struct pruned pruned = {.options = {.min_reach = 0.3, .own = {true, false}}};
    give_transposition(&pruned);
    prune(&pruned);
    assert_int_equal(fate(&pruned, "g1f3 e7e5", "e2e4"), PRUNE_KEPT);
    assert_int_equal(fate(&pruned, "d2d4", "d7d5"), PRUNE_KEPT);
    assert_int_equal(fate(&pruned, "e2e4 c7c5", "g1f3"), PRUNE_REACH);
    drop(&pruned);
}

/* A knight goes out and comes back: the circle gives nothing twice, and the search for lines
 * ends. */
static void circles_end(void **state)
{
    (void)state;
    struct pruned pruned = {.options = {.min_reach = 0.5}};
    give(&pruned, "", "g1f3", 1);
    give(&pruned, "g1f3", "g8f6", 1);
    give(&pruned, "g1f3 g8f6", "f3g1", 1);
    give(&pruned, "g1f3 g8f6 f3g1", "f6g8", 3);
    give(&pruned, "g1f3 g8f6 f3g1", "e7e6", 1);
    give(&pruned, "g1f3 g8f6 f3g1 e7e6", "e2e4", 1);
    prune(&pruned);
    assert_int_equal(fate(&pruned, "g1f3 g8f6 f3g1", "f6g8"), PRUNE_KEPT);
    assert_int_equal(fate(&pruned, "g1f3 g8f6 f3g1 e7e6", "e2e4"), PRUNE_REACH);
    assert_int_equal(pruned.pruning.counts[PRUNE_KEPT], 5);
    drop(&pruned);
}

/* White's moves alone: Black plays any of twenty, so each answer is reached by one game in
 * twenty. */
static void a_book_of_one_side_has_lines(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct pruned pruned = {.options = {.min_reach = i == 0 ? 0.05 : 0.051}};
        give(&pruned, "", "e2e4", 3);
        give(&pruned, "", "d2d4", 1);
        give(&pruned, "e2e4 e7e5", "g1f3", 1);
        give(&pruned, "d2d4 d7d5", "c2c4", 1);
        pruned.options.min_share_ppm = 300000; /* d4 falls */
        prune(&pruned);
        assert_int_equal(fate(&pruned, "", "d2d4"), PRUNE_SHARE);
        assert_int_equal(fate(&pruned, "e2e4 e7e5", "g1f3"), i == 0 ? PRUNE_KEPT : PRUNE_REACH);
        assert_int_equal(fate(&pruned, "d2d4 d7d5", "c2c4"), PRUNE_UNREACHED);
        drop(&pruned);
    }
}

/* By the first letter: a knight's move scored 1 of 4 games, a pawn's 2 of 2, others are unknown. */
static enum caxton_status know(const void *known, uint64_t key, const struct position *pos,
                               struct book_facts *out, struct diag *diag)
{
    (void)known;
    (void)key;
    (void)diag;
    for (int i = 0; i < out->count; i++) {
        struct book_move_facts *facts = &out->moves[i];
        bool knight = piece_type(pos->board[move_from(facts->move)]) == KNIGHT;
        facts->wins = knight ? 1 : 2;
        facts->losses = knight ? 3 : 0;
        facts->searched = knight;
        facts->score = -30;
    }
    return STATUS_OK;
}

static void facts_decide(void **state)
{
    (void)state;
    struct prune_options rows[] = {{.min_score = {250001, false}},
                                   {.min_score = {250000, false}},
                                   {.min_games = 3},
                                   {.has_min_eval = true, .min_eval = -29},
                                   {.has_min_eval = true, .min_eval = -30}};
    static const enum prune_reason fates[][2] = {{PRUNE_SCORE, PRUNE_KEPT},
                                                 {PRUNE_KEPT, PRUNE_KEPT},
                                                 {PRUNE_KEPT, PRUNE_GAMES},
                                                 {PRUNE_EVAL, PRUNE_KEPT},
                                                 {PRUNE_KEPT, PRUNE_KEPT}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pruned pruned = {.options = rows[i]};
        pruned.options.facts = know;
        give_openings(&pruned);
        prune(&pruned);
        assert_int_equal(fate(&pruned, "", "g1f3"), fates[i][0]);
        assert_int_equal(fate(&pruned, "", "e2e4"), fates[i][1]);
        drop(&pruned);
    }
}

/* Books of lines are pruned as books of positions are. */
static void a_book_of_lines(void **state)
{
    (void)state;
    struct diag diag;
    struct book *book = any_open_text("lines san\ne4:3 e5 Nf3\n  c5\nd4 d5\n");
    const struct prune_options options = {.best = 1, .min_reach = 0.9};
    struct pruning pruning;
    assert_int_equal(prune_book(book, &options, &pruning, &diag), STATUS_OK);
    assert_int_equal(pruning.counts[PRUNE_KEPT] + pruning.counts[PRUNE_BEST] +
                         pruning.counts[PRUNE_REACH] + pruning.counts[PRUNE_UNREACHED],
                     pruning.graph.edge_count);
    assert_true(pruning.counts[PRUNE_BEST] > 0);
    assert_int_equal(pruning.list.count, pruning.counts[PRUNE_KEPT]);
    pruning_free(&pruning);
    book_close(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_falls_without_rules),
        cmocka_unit_test(small_shares_fall_and_what_is_behind_them),
        cmocka_unit_test(unreached_ones_stay_on_request),
        cmocka_unit_test(the_best_stay),
        cmocka_unit_test(lines_end_where_they_should),
        cmocka_unit_test(improbable_positions_fall),
        cmocka_unit_test(own_moves_are_certain),
        cmocka_unit_test(circles_end),
        cmocka_unit_test(a_book_of_one_side_has_lines),
        cmocka_unit_test(facts_decide),
        cmocka_unit_test(a_book_of_lines),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
