/* Whole stores: files of version 1, compact files, stores that are added up. Whatever is done to a
 * store, it answers all questions as before. It is long because it fills stores with everything
 * that they can hold and asks for all of it. */
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
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/rng.h"
#include "book/scoring/record.h"
#include "book/scoring/score_store.h"
#include "chess/attacks.h"

enum { BYTES_MAX = 1 << 22, GAMES = 30, PLIES = 20, SUM = 8, VERSION_AT = 8 };

static const struct searcher_identity usual = {.name = "Tester 1.0", .hash_mb = 16};
static const struct searcher_identity other = {.name = "Tester 1.1", .hash_mb = 16};

static char path[64];

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/caxton-whole.XXXXXX");
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static struct score_store *open_store(void)
{
    struct score_store *store = NULL;
    struct diag diag;
    if (score_store_open(path, &usual, &store, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    return store;
}

static struct score_store *new_store(const struct searcher_identity *identity)
{
    struct score_store *store = NULL;
    assert_int_equal(score_store_open(NULL, identity, &store, NULL), STATUS_OK);
    return store;
}

static void close_store(struct score_store *store)
{
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
}

static size_t read_file(uint8_t **bytes)
{
    size_t size;
    assert_int_equal(file_read(path, BYTES_MAX, bytes, &size, NULL), STATUS_OK);
    return size;
}

static void write_file(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* What score_store_write() makes of it; to be freed. */
static char *written(const struct score_store *store, size_t *size)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size);
    assert_non_null(out);
    assert_int_equal(score_store_write(store, out, NULL), STATUS_OK);
    assert_int_equal(fclose(out), 0);
    return bytes;
}

/* The same contents, whatever the order of the records: so the compact files are the same. */
static void assert_same(const struct score_store *a, const struct score_store *b)
{
    size_t sizes[2];
    char *x = written(a, &sizes[0]);
    char *y = written(b, &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(x, y, sizes[0]);
    free(x);
    free(y);
}

/* A store full of what random games lead to. ------------------------------------------------- */

/* Things that are put into a store for one position. */
static void add_things(struct score_store *store, const struct packed_position *pos, move m,
                       struct rng *rng)
{
    uint64_t source = rng_below(rng, 5);
    const struct played_games games = {rng_below(rng, 3), source == 1, rng_below(rng, 3)};
    for (uint64_t depth = 4; depth < 4 + rng_below(rng, 4); depth++) {
        struct search_limit limit = {rng_below(rng, 2) ? SEARCH_NODES : SEARCH_TO_DEPTH, depth};
        const struct search_answer answer = {.best = m,
                                             .score = (int)rng_below(rng, 2000) - 1000,
                                             .depth = (int)depth,
                                             .nodes = rng_next(rng)};
        assert_int_equal(score_store_add(store, pos, limit, &answer, NULL), STATUS_OK);
    }
    if (rng_below(rng, 3) == 0)
        assert_int_equal(score_store_choose(store, pos, rng_below(rng, 3) ? m : MOVE_NONE,
                                            CHOSEN_BY_LOSSES, (uint32_t)rng_below(rng, 5), NULL),
                         STATUS_OK);
    assert_int_equal(score_store_add_played(store, pos, m, source, &games, NULL, NULL), STATUS_OK);
}

/* A graph of one line, for both sides. */
static void add_graph(struct score_store *store, struct rng *rng)
{
    struct store_node node = {.state = STORE_EXPANDED, .probability = 1};
    struct position pos;
    move legal[MOVES_MAX];
    position_start(&pos);
    assert_int_equal(score_store_begin_graph(store, NULL), STATUS_OK);
    for (node.ply = 0; node.ply < PLIES; node.ply++) {
        int count = movegen_legal(&pos, legal);
        if (count < 3)
            break;
        position_pack(&pos, &node.pos);
        for (node.side = WHITE; node.side <= BLACK; node.side++) {
            node.count = 1 + (int)rng_below(rng, 3);
            for (int i = 0; i < node.count; i++)
                node.moves[i] = (struct store_move){1 / (double)node.count, legal[i]};
            assert_int_equal(score_store_add_node(store, &node, NULL), STATUS_OK);
        }
        position_play(&pos, legal[rng_below(rng, (uint64_t)count)]);
        node.probability *= 0.7;
    }
    assert_int_equal(score_store_end_graph(store, NULL), STATUS_OK);
}

static void fill(struct score_store *store, uint64_t seed, bool with_graph)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (int game = 0; game < GAMES; game++) {
        struct position pos;
        position_start(&pos);
        for (int ply = 0; ply < PLIES; ply++) {
            move legal[MOVES_MAX];
            struct packed_position packed;
            int count = movegen_legal(&pos, legal);
            if (count == 0)
                break;
            move m = legal[rng_below(&rng, (uint64_t)count)];
            position_pack(&pos, &packed);
            add_things(store, &packed, m, &rng);
            position_play(&pos, m);
        }
        if (with_graph && game % 10 == 0)
            add_graph(store, &rng);
    }
}

/* Asks each store everything that the other one knows. */
static void assert_answers_alike(const struct score_store *a, const struct score_store *b)
{
    struct packed_position pos;
    struct search_limit limit;
    struct search_answer answer;
    struct search_answer found;
    struct chosen_move chosen;
    struct chosen_move again;
    struct played_games games;
    struct played_games sum;
    struct store_node node;
    struct store_node twin;
    move m;
    assert_int_equal(score_store_count(a), score_store_count(b));
    for (size_t cursor = 0; score_store_next_answer(a, &cursor, &pos, &limit, &answer);) {
        assert_true(score_store_find(b, &pos, limit, &found));
        assert_int_equal(found.best, answer.best);
        assert_int_equal(found.score, answer.score);
        assert_int_equal(found.depth, answer.depth);
        assert_true(found.nodes == answer.nodes);
    }
    for (size_t cursor = 0; score_store_next_chosen(a, &cursor, &pos, &chosen);) {
        assert_true(score_store_chosen(b, &pos, &again));
        assert_true(chosen.move == again.move && chosen.reason == again.reason &&
                    chosen.games == again.games);
    }
    for (size_t cursor = 0; score_store_next_played(a, &cursor, &pos, &m, &games);) {
        assert_true(score_store_played(b, &pos, m, &sum));
        assert_memory_equal(&games, &sum, sizeof games);
    }
    assert_int_equal(score_store_has_graph(a), score_store_has_graph(b));
    for (size_t cursor = 0; score_store_next_node(a, &cursor, &node);) {
        assert_true(score_store_find_node(b, &node.pos, node.side, &twin));
        assert_true(node.probability == twin.probability && node.ply == twin.ply);
        assert_int_equal(node.count, twin.count);
        for (int i = 0; i < node.count; i++)
            assert_true(node.moves[i].move == twin.moves[i].move &&
                        node.moves[i].probability == twin.moves[i].probability);
    }
}

/* Compact files. ------------------------------------------------------------------------------ */

static void a_compact_store_answers_alike(void **state)
{
    (void)state;
    struct score_store *store = new_store(&usual);
    struct score_store *compact;
    size_t size;
    fill(store, 1, true);
    char *bytes = written(store, &size);
    assert_int_equal(score_store_parse((const uint8_t *)bytes, size, &usual, &compact, NULL),
                     STATUS_OK);
    assert_string_equal(score_store_remark(compact), "");
    assert_answers_alike(store, compact);
    assert_answers_alike(compact, store);
    const struct store_use use = score_store_use(compact);
    assert_int_equal(use.records, use.live);
    assert_int_equal(size, STORE_HEADER_SIZE + use.live * STORE_RECORD_SIZE);
    assert_true(score_store_use(store).records > use.records);
    assert_same(store, compact); /* compact once more: no other bytes */
    close_store(store);
    close_store(compact);
    free(bytes);
}

/* In what order things came does not matter. */
static void compact_bytes_depend_on_contents_alone(void **state)
{
    (void)state;
    struct score_store *one = new_store(&usual);
    struct score_store *two = new_store(&usual);
    struct store_merge merge = {0};
    fill(one, 1, true);
    assert_int_equal(score_store_merge(two, one, &merge, NULL), STATUS_OK);
    assert_int_equal(merge.differing, 0);
    assert_same(one, two);
    assert_int_equal(score_store_merge(two, one, &merge, NULL), STATUS_OK);
    assert_same(one, two);
    close_store(one);
    close_store(two);
}

/* Graph after graph: the file stays small, and nothing that counts is lost. */
static void closing_makes_a_file_compact(void **state)
{
    (void)state;
    struct score_store *twin = new_store(&usual);
    size_t largest = 0;
    size_t size = 0;
    fill(twin, 3, false);
    for (uint64_t run = 0; run < 8; run++) {
        uint8_t *bytes;
        struct rng rng;
        struct score_store *store = open_store();
        if (run == 0)
            fill(store, 3, false);
        for (int i = 0; i < 40; i++) {
            rng_seed(&rng, run * 100 + (uint64_t)i);
            add_graph(store, &rng);
        }
        rng_seed(&rng, run * 100 + 39);
        add_graph(twin, &rng);
        assert_answers_alike(store, twin);
        const struct store_use use = score_store_use(store);
        close_store(store);
        size = read_file(&bytes);
        free(bytes);
        assert_int_equal(size,
                         STORE_HEADER_SIZE + (use.records > 2 * use.live ? use.live : use.records) *
                                                 STORE_RECORD_SIZE);
        largest = use.records > largest ? use.records : largest;
        store = open_store();
        assert_string_equal(score_store_remark(store), "");
        assert_answers_alike(store, twin);
        assert_answers_alike(twin, store);
        close_store(store);
    }
    assert_true(size < largest * STORE_RECORD_SIZE);
    close_store(twin);
}

/* While a file is made compact nobody else gets in, and the next one gets the new file. */
static void one_writer_at_a_time(void **state)
{
    (void)state;
    struct diag diag;
    struct score_store *second;
    struct score_store *store = open_store();
    fill(store, 4, true);
    assert_int_equal(score_store_open(path, &usual, &second, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "is in use by another program"));
    close_store(store);
    store = open_store();
    assert_int_equal(score_store_open(path, &usual, &second, &diag), STATUS_IO);
    assert_true(score_store_has_graph(store));
    close_store(store);
}

/* Version 1. ---------------------------------------------------------------------------------- */

static uint64_t sum_of(const uint8_t *bytes, size_t size, const uint8_t *before)
{
    return checksum_add(before ? checksum_add(CHECKSUM_EMPTY, before, SUM) : CHECKSUM_EMPTY, bytes,
                        size);
}

/* Makes a file of answers one of version 1. */
static void make_old(uint8_t *bytes, size_t size)
{
    uint8_t *header_sum = bytes + STORE_HEADER_SIZE - SUM;
    bytes_put_le(bytes + VERSION_AT, 1, 4);
    bytes_put_le(header_sum, sum_of(bytes, STORE_HEADER_SIZE - SUM, NULL), SUM);
    for (size_t at = STORE_HEADER_SIZE; at + STORE_RECORD_SIZE <= size; at += STORE_RECORD_SIZE)
        bytes_put_le(bytes + at + STORE_RECORD_SIZE - SUM,
                     sum_of(bytes + at, STORE_RECORD_SIZE - SUM, header_sum), SUM);
}

static void put_answers(struct score_store *store, int count)
{
    struct position pos;
    struct packed_position packed;
    position_start(&pos);
    position_pack(&pos, &packed);
    for (int i = 0; i < count; i++) {
        const struct search_answer answer = {.best = move_make(12, 28), .depth = i, .nodes = 7};
        const struct search_limit limit = {SEARCH_TO_DEPTH, (uint64_t)i};
        assert_int_equal(score_store_add(store, &packed, limit, &answer, NULL), STATUS_OK);
    }
}

/* It is read as it is, and becomes one of version 2 when it is written to. */
static void files_of_version_1(void **state)
{
    (void)state;
    enum { COUNT = 9, CUT = 5 };
    uint8_t *bytes;
    struct score_store *twin = new_store(&usual);
    struct score_store *store = open_store();
    put_answers(store, COUNT);
    put_answers(twin, COUNT);
    close_store(store);
    size_t size = read_file(&bytes);
    make_old(bytes, size);

    assert_int_equal(score_store_parse(bytes, size, &usual, &store, NULL), STATUS_OK);
    assert_string_equal(score_store_remark(store), "");
    assert_answers_alike(twin, store);
    assert_answers_alike(store, twin);
    close_store(store);

    struct diag diag;
    write_file(bytes, size);
    assert_int_equal(score_store_open(path, &other, &store, &diag), STATUS_FORMAT);
    assert_non_null(strstr(diag.text, "scores of Tester 1.0"));
    uint8_t *after;
    assert_int_equal(read_file(&after), size);
    assert_memory_equal(after, bytes, size);
    free(after);

    write_file(bytes, size - CUT); /* and one that was cut */
    store = open_store();
    assert_string_equal(score_store_remark(store),
                        "the last record is cut: run again what made it");
    put_answers(store, COUNT);
    fill(store, 5, true);
    fill(twin, 5, true);
    close_store(store);
    assert_true(read_file(&after) > size);
    assert_int_equal(bytes_get_u32le(after + VERSION_AT), 2);
    free(after);
    store = open_store();
    assert_string_equal(score_store_remark(store), "");
    assert_answers_alike(twin, store);
    assert_answers_alike(store, twin);
    close_store(store);
    close_store(twin);
    free(bytes);
}

/* Sums. --------------------------------------------------------------------------------------- */

static void put_one(struct score_store *store, int score, uint32_t games, uint64_t source)
{
    struct position pos;
    struct packed_position packed;
    move m = move_make(12, 28);
    const struct played_games won = {.wins = 1};
    const struct search_answer answer = {.best = m, .score = score};
    position_start(&pos);
    position_pack(&pos, &packed);
    assert_int_equal(
        score_store_add(store, &packed, (struct search_limit){SEARCH_NODES, 9}, &answer, NULL),
        STATUS_OK);
    assert_int_equal(score_store_choose(store, &packed, m, CHOSEN_BY_HAND, games, NULL), STATUS_OK);
    assert_int_equal(score_store_add_played(store, &packed, m, source, &won, NULL, NULL),
                     STATUS_OK);
    assert_int_equal(score_store_add_played(store, &packed, m, 1, &won, NULL, NULL), STATUS_OK);
}

static void rules_of_a_sum(void **state)
{
    (void)state;
    struct score_store *stores[2] = {new_store(&usual), new_store(&usual)};
    put_one(stores[0], 10, 3, 7);
    put_one(stores[1], 20, 4, 8);
    for (int first = 0; first < 2; first++) {
        struct position pos;
        struct packed_position packed;
        struct search_answer answer;
        struct chosen_move chosen;
        struct played_games games;
        struct store_merge merge = {0};
        struct score_store *sum = new_store(&usual);
        position_start(&pos);
        position_pack(&pos, &packed);
        assert_int_equal(score_store_merge(sum, stores[first], &merge, NULL), STATUS_OK);
        assert_int_equal(score_store_merge(sum, stores[!first], &merge, NULL), STATUS_OK);
        assert_int_equal(merge.differing, 1);
        assert_true(
            score_store_find(sum, &packed, (struct search_limit){SEARCH_NODES, 9}, &answer));
        assert_int_equal(answer.score, first ? 20 : 10); /* the first one's */
        assert_true(score_store_chosen(sum, &packed, &chosen));
        assert_int_equal(chosen.games, 4); /* of more games */
        assert_true(score_store_played(sum, &packed, move_make(12, 28), &games));
        assert_int_equal(games.wins, 3); /* source 1 counts once */
        close_store(sum);
    }
    close_store(stores[0]);
    close_store(stores[1]);
}

static void sums_are_of_one_searcher(void **state)
{
    (void)state;
    struct score_store *one = new_store(&usual);
    struct score_store *two = new_store(&other);
    struct store_merge merge = {0};
    struct diag diag;
    put_one(two, 1, 1, 1);
    assert_int_equal(score_store_merge(one, two, &merge, &diag), STATUS_FORMAT);
    assert_non_null(strstr(diag.text, "scores of Tester 1.1"));
    assert_non_null(strstr(diag.text, "not of Tester 1.0"));
    assert_int_equal(score_store_use(one).records, 0);
    close_store(one);
    close_store(two);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compact_store_answers_alike),
        cmocka_unit_test(compact_bytes_depend_on_contents_alone),
        cmocka_unit_test_setup_teardown(closing_makes_a_file_compact, set_up, remove_file),
        cmocka_unit_test_setup_teardown(one_writer_at_a_time, set_up, remove_file),
        cmocka_unit_test_setup_teardown(files_of_version_1, set_up, remove_file),
        cmocka_unit_test(rules_of_a_sum),
        cmocka_unit_test(sums_are_of_one_searcher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
