/* What a store keeps beside answers: chosen moves, games, the graph of a grown book. This file is
 * long because each kind of record is cut and damaged in the same file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/append_file.h"
#include "base/file.h"
#include "book/scoring/deepest_answers.h"
#include "book/scoring/record.h"
#include "chess/attacks.h"
#include "chess/fen.h"

enum { BYTES_MAX = 1 << 20, D2D4 = 11 | 27 << 6, E2E4 = 12 | 28 << 6, G1F3 = 6 | 21 << 6 };

static const struct searcher_identity usual = {.name = "Tester 1.0", .hash_mb = 16};

static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char after_d4[] = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1";
static const char after_e4[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

static char path[64];

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/caxton-facts.XXXXXX");
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static struct packed_position packed(const char *fen)
{
    struct position pos;
    struct packed_position out;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    position_pack(&pos, &out);
    return out;
}

static struct score_store *open_as(const struct searcher_identity *identity)
{
    struct score_store *store = NULL;
    struct diag diag;
    if (score_store_open(path, identity, &store, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    return store;
}

static struct score_store *open_store(void)
{
    return open_as(&usual);
}

static void close_store(struct score_store *store)
{
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
}

static struct score_store *reopen(struct score_store *store)
{
    close_store(store);
    return open_store();
}

static size_t read_file(uint8_t *bytes)
{
    uint8_t *all;
    size_t size;
    assert_int_equal(file_read(path, BYTES_MAX, &all, &size, NULL), STATUS_OK);
    memcpy(bytes, all, size);
    free(all);
    return size;
}

static void write_file(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static size_t file_size(void)
{
    uint64_t size;
    assert_int_equal(file_kind_of(path, &size), FILE_REGULAR);
    return (size_t)size;
}

/* Chosen moves. ------------------------------------------------------------------------------- */

static void assert_chosen(const struct score_store *store, const char *fen, move m, int reason,
                          uint32_t games)
{
    const struct packed_position pos = packed(fen);
    struct chosen_move found = {.move = MOVE_NULL};
    assert_int_equal(score_store_chosen(store, &pos, &found), m != MOVE_NONE);
    if (m == MOVE_NONE)
        return;
    assert_int_equal(found.move, m);
    assert_int_equal(found.reason, reason);
    assert_int_equal(found.games, games);
}

static void choose(struct score_store *store, const char *fen, move m, uint8_t reason,
                   uint32_t games)
{
    const struct packed_position pos = packed(fen);
    assert_int_equal(score_store_choose(store, &pos, m, reason, games, NULL), STATUS_OK);
}

static void the_last_choice_stands(void **state)
{
    (void)state;
    struct score_store *store = open_store();
    assert_chosen(store, start, MOVE_NONE, 0, 0);
    choose(store, start, D2D4, CHOSEN_BY_LOSSES, 1);
    choose(store, after_d4, G1F3, CHOSEN_BY_HAND, 0);
    choose(store, start, E2E4, CHOSEN_BY_WINS, 70000);
    for (int i = 0; i < 2; i++) {
        assert_chosen(store, start, E2E4, CHOSEN_BY_WINS, 70000);
        assert_chosen(store, after_d4, G1F3, CHOSEN_BY_HAND, 0);
        assert_chosen(store, after_e4, MOVE_NONE, 0, 0);
        store = reopen(store);
    }
    choose(store, start, MOVE_NONE, 0, 0);
    for (int i = 0; i < 2; i++) {
        size_t cursor = 0;
        struct packed_position pos;
        struct chosen_move found;
        assert_chosen(store, start, MOVE_NONE, 0, 0);
        assert_true(score_store_next_chosen(store, &cursor, &pos, &found));
        assert_int_equal(found.move, G1F3);
        assert_false(score_store_next_chosen(store, &cursor, &pos, &found));
        store = reopen(store);
    }
    close_store(store);
}

static void a_choice_that_changes_nothing_is_not_written(void **state)
{
    (void)state;
    struct score_store *store = open_store();
    choose(store, start, D2D4, CHOSEN_BY_LOSSES, 1);
    size_t before = file_size();
    choose(store, start, D2D4, CHOSEN_BY_LOSSES, 1);
    choose(store, after_d4, MOVE_NONE, 0, 0);
    assert_int_equal(file_size(), before);
    close_store(store);
}

/* Games. -------------------------------------------------------------------------------------- */

static void play(struct score_store *store, const char *fen, move m, uint64_t source, uint64_t wins,
                 uint64_t draws, uint64_t losses, bool is_new)
{
    const struct packed_position pos = packed(fen);
    const struct played_games games = {wins, draws, losses};
    bool added = !is_new;
    assert_int_equal(score_store_add_played(store, &pos, m, source, &games, &added, NULL),
                     STATUS_OK);
    assert_int_equal(added, is_new);
}

static void assert_played(const struct score_store *store, const char *fen, move m, uint64_t wins,
                          uint64_t draws, uint64_t losses)
{
    const struct packed_position pos = packed(fen);
    struct played_games found;
    assert_int_equal(score_store_played(store, &pos, m, &found), wins + draws + losses > 0);
    assert_int_equal(found.wins, wins);
    assert_int_equal(found.draws, draws);
    assert_int_equal(found.losses, losses);
}

/* The same source is counted once, also when its first time was in another run. */
static void a_game_counts_once(void **state)
{
    (void)state;
    struct score_store *store = open_store();
    play(store, start, D2D4, 7, 1, 0, 0, true);
    play(store, start, D2D4, 7, 1, 0, 0, false);
    play(store, start, D2D4, 8, 0, 0, 1, true);
    play(store, start, E2E4, 7, 0, 1, 0, true);
    play(store, start, E2E4, UINT64_MAX, PLAYED_MAX, PLAYED_MAX, PLAYED_MAX, true);
    store = reopen(store);
    play(store, start, D2D4, 8, 0, 0, 1, false);
    play(store, start, D2D4, 9, 0, 2, 0, true);
    for (int i = 0; i < 2; i++) {
        size_t cursor = 0;
        struct packed_position pos;
        struct played_games games;
        move m;
        assert_played(store, start, D2D4, 1, 2, 1);
        assert_played(store, start, E2E4, PLAYED_MAX, PLAYED_MAX + UINT64_C(1), PLAYED_MAX);
        assert_played(store, start, G1F3, 0, 0, 0);
        assert_played(store, after_d4, D2D4, 0, 0, 0);
        assert_true(score_store_next_played(store, &cursor, &pos, &m, &games));
        assert_int_equal(m, D2D4);
        assert_true(score_store_next_played(store, &cursor, &pos, &m, &games));
        assert_int_equal(m, E2E4);
        assert_false(score_store_next_played(store, &cursor, &pos, &m, &games));
        store = reopen(store);
    }
    const struct packed_position pos = packed(start);
    const struct played_games many = {.draws = PLAYED_MAX + UINT64_C(1)};
    assert_int_equal(score_store_add_played(store, &pos, D2D4, 10, &many, NULL, NULL),
                     STATUS_RANGE);
    close_store(store);
}

/* Graphs. ------------------------------------------------------------------------------------- */

/* White's graph: 1. d4, and all replies but those that are named alike; Black's: 1. e4 or d4. */
static size_t make_nodes(struct store_node nodes[4], int variant)
{
    move legal[MOVES_MAX];
    struct position pos;
    assert_int_equal(fen_parse(span_of(after_d4), &pos, NULL), STATUS_OK);
    int count = movegen_legal(&pos, legal);
    nodes[0] = (struct store_node){.pos = packed(start),
                                   .side = WHITE,
                                   .state = STORE_EXPANDED,
                                   .probability = 1,
                                   .depth = 20,
                                   .score = 31,
                                   .count = 1,
                                   .moves = {{1, D2D4}}};
    nodes[1] = (struct store_node){.pos = packed(after_d4),
                                   .side = WHITE,
                                   .state = STORE_EXPANDED,
                                   .probability = 1,
                                   .ply = 1,
                                   .count = count};
    for (int i = 0; i < count; i++)
        nodes[1].moves[i] = (struct store_move){1 / (double)count, legal[i]};
    nodes[2] = (struct store_node){.pos = packed(start),
                                   .side = BLACK,
                                   .state = STORE_EXPANDED,
                                   .probability = 1,
                                   .count = 3,
                                   .moves = {{0.7, E2E4}, {0.1, D2D4}, {0.2, G1F3}}};
    nodes[3] = (struct store_node){.pos = packed(after_e4),
                                   .side = BLACK,
                                   .state = variant ? STORE_WAITING : STORE_ENDED,
                                   .probability = 0.7,
                                   .ply = 1};
    return variant ? 4 : 3;
}

static enum caxton_status add_nodes(struct score_store *store, const struct store_node *nodes,
                                    size_t count)
{
    enum caxton_status status = score_store_begin_graph(store, NULL);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = score_store_add_node(store, &nodes[i], NULL);
    return status == STATUS_OK ? score_store_end_graph(store, NULL) : status;
}

static void put_graph(struct score_store *store, int variant)
{
    struct store_node nodes[4];
    size_t count = make_nodes(nodes, variant);
    assert_int_equal(add_nodes(store, nodes, count), STATUS_OK);
}

static void assert_node(const struct store_node *found, const struct store_node *wanted)
{
    assert_memory_equal(&found->pos, &wanted->pos, sizeof found->pos);
    assert_int_equal(found->side, wanted->side);
    assert_int_equal(found->state, wanted->state);
    assert_int_equal(found->ply, wanted->ply);
    assert_int_equal(found->depth, wanted->depth);
    assert_int_equal(found->score, wanted->score);
    assert_memory_equal(&found->probability, &wanted->probability, sizeof(double));
    assert_int_equal(found->count, wanted->count);
    for (int i = 0; i < found->count; i++) {
        assert_int_equal(found->moves[i].move, wanted->moves[i].move);
        assert_memory_equal(&found->moves[i].probability, &wanted->moves[i].probability,
                            sizeof(double));
    }
}

static void assert_graph(const struct score_store *store, int variant)
{
    struct store_node nodes[4];
    struct store_node found;
    size_t count = make_nodes(nodes, variant);
    size_t cursor = 0;
    size_t seen = 0;
    assert_true(score_store_has_graph(store));
    while (score_store_next_node(store, &cursor, &found))
        seen++;
    assert_int_equal(seen, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(score_store_find_node(store, &nodes[i].pos, nodes[i].side, &found));
        assert_node(&found, &nodes[i]);
        assert_int_equal(store_node_is_own(&found), i == 0 || i == 3);
    }
    assert_false(score_store_find_node(store, &nodes[1].pos, BLACK, &found));
}

static void a_graph_is_there_again(void **state)
{
    (void)state;
    struct score_store *store = open_store();
    assert_false(score_store_has_graph(store));
    put_graph(store, 0);
    assert_graph(store, 0);
    store = reopen(store);
    assert_graph(store, 0);
    put_graph(store, 1);
    assert_graph(store, 1);
    store = reopen(store);
    assert_graph(store, 1);
    close_store(store);
}

/* A run that is made again, and ends in the same graph. */
static void the_same_graph_is_not_written_again(void **state)
{
    (void)state;
    struct score_store *store = open_store();
    put_graph(store, 1);
    size_t size = file_size();
    put_graph(store, 1);
    store = reopen(store);
    put_graph(store, 1);
    close_store(store);
    assert_int_equal(file_size(), size);
}

static void a_position_is_once_in_a_graph(void **state)
{
    (void)state;
    struct score_store *store = open_store();
    struct store_node nodes[4];
    (void)make_nodes(nodes, 1);
    put_graph(store, 0);
    nodes[2] = nodes[0];
    assert_int_equal(add_nodes(store, nodes, 4), STATUS_RANGE);
    assert_graph(store, 0);
    close_store(store);
}

/* All kinds of record: an old graph, things that were replaced, and what stands. */
static void fill(struct score_store *store)
{
    const struct packed_position pos = packed(start);
    const struct search_answer answer = {.best = D2D4, .score = 31, .depth = 20, .nodes = 12345};
    const struct search_limit limit = {SEARCH_TO_DEPTH, 20};
    put_graph(store, 0);
    choose(store, start, E2E4, CHOSEN_BY_HAND, 0);
    play(store, start, D2D4, 7, 1, 0, 0, true);
    choose(store, start, D2D4, CHOSEN_BY_LOSSES, 3);
    assert_int_equal(score_store_add(store, &pos, limit, &answer, NULL), STATUS_OK);
    play(store, start, D2D4, 8, 0, 0, 1, true);
}

static void assert_filled(const struct score_store *store)
{
    const struct packed_position pos = packed(start);
    struct search_answer answer;
    assert_chosen(store, start, D2D4, CHOSEN_BY_LOSSES, 3);
    assert_played(store, start, D2D4, 1, 0, 1);
    assert_true(score_store_find(store, &pos, (struct search_limit){SEARCH_TO_DEPTH, 20}, &answer));
    assert_int_equal(answer.nodes, 12345);
}

/* A program that was killed anywhere while it wrote a graph leaves the one before. */
static void cut_anywhere_in_a_graph(void **state)
{
    (void)state;
    enum { STEP = 29 };
    static uint8_t whole[BYTES_MAX];
    struct score_store *store = open_store();
    fill(store);
    size_t before = file_size();
    put_graph(store, 1);
    size_t all = read_file(whole);
    close_store(store);
    for (size_t size = before; size <= all; size++) {
        assert_int_equal(score_store_parse(whole, size, &usual, &store, NULL), STATUS_OK);
        assert_filled(store);
        assert_graph(store, size == all);
        assert_int_equal(*score_store_remark(store) != '\0', size != before && size != all);
        close_store(store);
        if (size % STEP != 0 && size != all)
            continue;
        write_file(whole, size); /* and it goes on there */
        store = open_store();
        put_graph(store, 1);
        store = reopen(store);
        assert_filled(store);
        assert_graph(store, 1);
        close_store(store);
    }
}

/* One flipped bit costs one record at most, or one graph. */
static void flipped_bits(void **state)
{
    (void)state;
    static uint8_t bytes[BYTES_MAX];
    struct score_store *store = open_store();
    fill(store);
    size_t before = file_size();
    put_graph(store, 1);
    size_t all = read_file(bytes);
    close_store(store);
    for (size_t bit = (size_t)8 * STORE_HEADER_SIZE; bit < 8 * all; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(score_store_parse(bytes, all, &usual, &store, NULL), STATUS_OK);
        assert_non_null(strstr(score_store_remark(store), "1 damaged record left out"));
        if (bit / 8 >= before) {
            assert_filled(store);
            assert_graph(store, 0);
        } else {
            assert_graph(store, 1);
        }
        close_store(store);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

/* What moves are worth. ----------------------------------------------------------------------- */

static void answer(struct score_store *store, const char *fen, uint64_t depth, move best, int score)
{
    const struct packed_position pos = packed(fen);
    const struct search_answer found = {best, score, (int)depth, 1000 * depth};
    assert_int_equal(
        score_store_add(store, &pos, (struct search_limit){SEARCH_TO_DEPTH, depth}, &found, NULL),
        STATUS_OK);
}

static void assert_worth(const struct deepest_answers *answers, move m, int score, int depth)
{
    struct position pos;
    struct search_answer found;
    position_start(&pos);
    assert_int_equal(deepest_answers_of_move(answers, &pos, m, &found), depth > 0);
    if (depth == 0)
        return;
    assert_int_equal(found.best, m);
    assert_int_equal(found.score, score);
    assert_int_equal(found.depth, depth);
}

/* The search of the position goes before a deeper one after its move, as grow and vet leave them;
 * and it does not matter which positions are asked for. */
static void the_search_of_the_position_goes_first(void **state)
{
    (void)state;
    struct score_store *store = open_store();
    answer(store, start, 7, D2D4, 50);
    answer(store, start, 9, E2E4, 19);
    answer(store, after_e4, 11, 52 | 36 << 6, -40);
    answer(store, after_d4, 6, 51 | 35 << 6, -10);
    answer(store, after_d4, 5, 51 | 35 << 6, -11);
    for (int all = 0; all < 2; all++) {
        struct packed_position wanted[] = {packed(start), packed(after_e4), packed(after_d4)};
        struct deepest_answers answers;
        assert_int_equal(deepest_answers_take(store, all ? NULL : wanted, 3, &answers), STATUS_OK);
        assert_worth(&answers, E2E4, 19, 9);
        assert_worth(&answers, D2D4, 10, 7);
        assert_worth(&answers, G1F3, 0, 0);
        deepest_answers_free(&answers);
    }
    close_store(store);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_last_choice_stands, set_up, remove_file),
        cmocka_unit_test_setup_teardown(a_choice_that_changes_nothing_is_not_written, set_up,
                                        remove_file),
        cmocka_unit_test_setup_teardown(a_game_counts_once, set_up, remove_file),
        cmocka_unit_test_setup_teardown(a_graph_is_there_again, set_up, remove_file),
        cmocka_unit_test_setup_teardown(the_same_graph_is_not_written_again, set_up, remove_file),
        cmocka_unit_test_setup_teardown(a_position_is_once_in_a_graph, set_up, remove_file),
        cmocka_unit_test_setup_teardown(cut_anywhere_in_a_graph, set_up, remove_file),
        cmocka_unit_test_setup_teardown(flipped_bits, set_up, remove_file),
        cmocka_unit_test_setup_teardown(the_search_of_the_position_goes_first, set_up, remove_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
