/* Kept answers of searches: there again after any damage that leaves them whole, and nobody
 * else's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "book/scoring/record.h"
#include "book/scoring/score_store.h"
#include "chess/attacks.h"
#include "chess/fen.h"

enum { RECORDS = 5, FILE_SIZE = STORE_HEADER_SIZE + RECORDS * STORE_RECORD_SIZE };

static const struct searcher_identity usual = {
    .name = "Tester 1.0", .network = 0x1234567890ABCDEF, .signature = 77, .hash_mb = 16};

static char path[64];

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/caxton-store.XXXXXX");
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

/* The i-th question of the tests and its answer. */
static struct packed_position question(int i, struct search_limit *limit)
{
    static const char *const fens[RECORDS] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
    };
    *limit = (struct search_limit){i == 4 ? SEARCH_NODES : SEARCH_TO_DEPTH, (uint64_t)(20 + i)};
    return packed(fens[i]);
}

static struct search_answer answer_to(int i)
{
    return (struct search_answer){.best = move_make(i, 60 - i),
                                  .score = i * 7000 - 14000,
                                  .depth = 20 + i,
                                  .nodes = UINT64_C(5000000000) + (uint64_t)i};
}

static bool knows(const struct score_store *store, int i)
{
    struct search_limit limit;
    struct search_answer found;
    const struct search_answer wanted = answer_to(i);
    const struct packed_position pos = question(i, &limit);
    if (!score_store_find(store, &pos, limit, &found))
        return false;
    assert_int_equal(found.best, wanted.best);
    assert_int_equal(found.score, wanted.score);
    assert_int_equal(found.depth, wanted.depth);
    assert_true(found.nodes == wanted.nodes);
    return true;
}

static void add(struct score_store *store, int i)
{
    struct search_limit limit;
    const struct packed_position pos = question(i, &limit);
    const struct search_answer answer = answer_to(i);
    assert_int_equal(score_store_add(store, &pos, limit, &answer, NULL), STATUS_OK);
}

static struct score_store *open_store(void)
{
    struct score_store *store = NULL;
    struct diag diag;
    if (score_store_open(path, &usual, &store, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    return store;
}

static void fill(void)
{
    struct score_store *store = open_store();
    for (int i = 0; i < RECORDS; i++)
        add(store, i);
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
}

static void read_all(uint8_t bytes[FILE_SIZE])
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, FILE_SIZE, file), FILE_SIZE);
    assert_int_equal(fgetc(file), EOF);
    assert_int_equal(fclose(file), 0);
}

static void write_all(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void answers_are_there_again(void **state)
{
    (void)state;
    fill();
    struct score_store *store = open_store();
    assert_string_equal(score_store_remark(store), "");
    assert_int_equal(score_store_count(store), RECORDS);
    for (int i = 0; i < RECORDS; i++)
        assert_true(knows(store, i));
    struct search_limit limit;
    struct packed_position pos = question(0, &limit);
    limit.value = 19; /* another depth */
    assert_false(score_store_find(store, &pos, limit, NULL));
    limit = (struct search_limit){SEARCH_NODES, 20};
    assert_false(score_store_find(store, &pos, limit, NULL));
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
}

/* The first answer stays, and the file does not grow by a second one. */
static void nothing_is_kept_twice(void **state)
{
    (void)state;
    fill();
    struct score_store *store = open_store();
    struct search_limit limit;
    const struct packed_position pos = question(2, &limit);
    const struct search_answer other = {.best = 1, .depth = 3};
    assert_int_equal(score_store_add(store, &pos, limit, &other, NULL), STATUS_OK);
    assert_true(knows(store, 2));
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
    uint8_t bytes[FILE_SIZE];
    read_all(bytes);
}

static void many_without_a_file(void **state)
{
    (void)state;
    struct score_store *store;
    struct search_limit limit;
    enum { MANY = 5000 };
    const struct packed_position pos = question(0, &limit);
    assert_int_equal(score_store_open(NULL, &usual, &store, NULL), STATUS_OK);
    for (uint64_t i = 0; i < MANY; i++) {
        const struct search_answer answer = {.nodes = i};
        limit.value = i;
        assert_int_equal(score_store_add(store, &pos, limit, &answer, NULL), STATUS_OK);
    }
    assert_int_equal(score_store_count(store), MANY);
    for (uint64_t i = 0; i < MANY; i++) {
        struct search_answer answer;
        limit.value = i;
        assert_true(score_store_find(store, &pos, limit, &answer));
        assert_true(answer.nodes == i);
    }
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
}

/* Whole records survive any cut, and new ones are added behind them. */
static void cut_at_every_byte(void **state)
{
    (void)state;
    uint8_t whole[FILE_SIZE];
    uint8_t again[FILE_SIZE];
    fill();
    read_all(whole);
    for (size_t size = 0; size <= FILE_SIZE; size++) {
        write_all(whole, size);
        struct score_store *store = open_store();
        size_t records =
            size < STORE_HEADER_SIZE ? 0 : (size - STORE_HEADER_SIZE) / STORE_RECORD_SIZE;
        bool cut = size > STORE_HEADER_SIZE && (size - STORE_HEADER_SIZE) % STORE_RECORD_SIZE != 0;
        assert_int_equal(score_store_count(store), records);
        assert_int_equal(*score_store_remark(store) != '\0', cut);
        for (int i = 0; i < RECORDS; i++) {
            assert_int_equal(knows(store, i), (size_t)i < records);
            add(store, i);
        }
        assert_int_equal(score_store_close(store, NULL), STATUS_OK);
        read_all(again);
        assert_memory_equal(again, whole, FILE_SIZE);
    }
}

static void flipped_bits(void **state)
{
    (void)state;
    uint8_t bytes[FILE_SIZE];
    fill();
    read_all(bytes);
    for (size_t bit = 0; bit < (size_t)8 * FILE_SIZE; bit++) {
        struct score_store *store = NULL;
        struct diag diag;
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        enum caxton_status status = score_store_parse(bytes, sizeof bytes, &usual, &store, &diag);
        if (bit / 8 < STORE_HEADER_SIZE) {
            assert_int_equal(status, STATUS_FORMAT);
        } else {
            size_t hit = (bit / 8 - STORE_HEADER_SIZE) / STORE_RECORD_SIZE;
            assert_int_equal(status, STATUS_OK);
            for (int i = 0; i < RECORDS; i++)
                assert_int_equal(knows(store, i), (size_t)i != hit);
            assert_string_equal(score_store_remark(store),
                                "1 damaged record left out: run again what made it");
            assert_int_equal(score_store_close(store, NULL), STATUS_OK);
        }
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void refused(const struct searcher_identity *identity, const char *why)
{
    struct score_store *store;
    struct diag diag = {.text = ""};
    assert_int_equal(score_store_open(path, identity, &store, &diag), STATUS_FORMAT);
    if (!strstr(diag.text, why))
        fail_msg("no \"%s\" in: %s", why, diag.text);
    assert_non_null(strstr(diag.text, path));
}

/* The line names both searchers, and the file stays as it is. */
static void answers_of_others_are_refused(void **state)
{
    (void)state;
    uint8_t before[FILE_SIZE];
    uint8_t after[FILE_SIZE];
    fill();
    read_all(before);
    struct searcher_identity other = usual;
    (void)snprintf(other.name, sizeof other.name, "Tester 1.1");
    refused(&other, "scores of Tester 1.0 (network 12345678, signature 77, 16 MB), not of Tester "
                    "1.1 (network 12345678, signature 77, 16 MB)");
    other = usual;
    other.network = 5;
    refused(&other, "not of Tester 1.0 (network 00000000");
    other = usual;
    other.signature = 78;
    refused(&other, "signature 78");
    other = usual;
    other.hash_mb = 32;
    refused(&other, "32 MB");
    read_all(after);
    assert_memory_equal(before, after, FILE_SIZE);
    before[8] = 9; /* the version of the format */
    write_all(before, FILE_SIZE);
    refused(&usual, "of version 9, known are 1 to 2");
    write_all((const uint8_t *)"1. e4 e5\n", 9);
    refused(&usual, "is no store of scores");
}

static void one_writer_at_a_time(void **state)
{
    (void)state;
    struct diag diag;
    struct score_store *store = open_store();
    struct score_store *second;
    add(store, 0);
    assert_int_equal(score_store_open(path, &usual, &second, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "is in use by another program"));
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
    store = open_store();
    assert_true(knows(store, 0));
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
}

static void assert_unpacks(const char *fen)
{
    char text[FEN_MAX];
    struct position pos;
    struct packed_position bytes = packed(fen);
    assert_true(position_unpack(&bytes, &pos));
    fen_format(&pos, text);
    assert_string_equal(text, fen);
    assert_true(packed_position_key(&bytes) == pos.key);
    assert_int_equal(packed_position_turn(&bytes), pos.turn);
}

static void positions_unpack(void **state)
{
    (void)state;
    assert_unpacks("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_unpacks("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1");
    assert_unpacks("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    assert_unpacks("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1");
    assert_unpacks("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1");
    /* No bytes but those of a position: whatever one byte becomes, it is another one or none. */
    const struct packed_position good = packed("r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1");
    for (size_t at = 0; at < sizeof good; at++)
        for (int byte = 0; byte < 256; byte++) {
            struct position pos;
            struct packed_position other = good;
            struct packed_position again;
            other.bytes[at] = (uint8_t)byte;
            if (!position_unpack(&other, &pos))
                continue;
            position_pack(&pos, &again);
            assert_memory_equal(&again, &other, sizeof again);
        }
}

/* What tells positions apart, and what does not. */
static void packed_positions(void **state)
{
    (void)state;
    static const char *const different[] = {
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",  "r3k2r/8/8/8/8/8/8/R3KR2 w Qkq - 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",    "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/RR2K3 w A - 0 1",      "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1",
    };
    enum { COUNT = sizeof different / sizeof *different };
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            struct packed_position a = packed(different[i]);
            struct packed_position b = packed(different[j]);
            assert_int_equal(memcmp(&a, &b, sizeof a) == 0, i == j);
        }
    struct packed_position a = packed("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    struct packed_position b = packed("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 40 70");
    assert_memory_equal(&a, &b, sizeof a);
    /* A right that was lost, and its rook elsewhere since. */
    a = packed("4k3/8/8/8/8/8/8/1R2K2R w K - 0 1");
    struct position pos;
    struct undo undo;
    assert_int_equal(fen_parse(span_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), &pos, NULL), STATUS_OK);
    position_make(&pos, move_make(A1, B1), &undo);
    position_make(&pos, move_make(60, 52), &undo);
    position_make(&pos, move_make(B1, B1 + 8), &undo);
    position_make(&pos, move_make(52, 60), &undo);
    position_make(&pos, move_make(B1 + 8, B1), &undo);
    pos.turn = WHITE;
    position_pack(&pos, &b);
    assert_memory_equal(&a, &b, sizeof a);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_are_there_again, set_up, remove_file),
        cmocka_unit_test_setup_teardown(nothing_is_kept_twice, set_up, remove_file),
        cmocka_unit_test(many_without_a_file),
        cmocka_unit_test_setup_teardown(cut_at_every_byte, set_up, remove_file),
        cmocka_unit_test_setup_teardown(flipped_bits, set_up, remove_file),
        cmocka_unit_test_setup_teardown(answers_of_others_are_refused, set_up, remove_file),
        cmocka_unit_test_setup_teardown(one_writer_at_a_time, set_up, remove_file),
        cmocka_unit_test(packed_positions),
        cmocka_unit_test(positions_unpack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
