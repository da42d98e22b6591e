/* Network files with weights of relations: those that are taken, those that are refused, and what a
 * relation's row is for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/eval_explain.h"
#include "eval/eval_internal.h"
#include "tests/support/network_packing.h"

enum {
    FEATURES_AT = NETWORK_SAMPLE_RELATED_AT,
    RELATIONS_AT = FEATURES_AT + NETWORK_INPUTS * NETWORK_HIDDEN,
    BIAS_AT = RELATIONS_AT + RELATIONS * NETWORK_RELATED,
};

static uint8_t *plain, *packed; /* the same network */
static size_t plain_size, packed_size;

static int set_up(void **state)
{
    static const int large[] = {63, 64, -64, -65, 126, -127, 127, -128};
    (void)state;
    plain = network_sample_related_bytes(1, 1, &plain_size);
    if (!plain)
        return -1;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        plain[RELATIONS_AT + 100 * i] = (uint8_t)large[i];
    network_sample_seal(plain, plain_size);
    packed = network_packing(plain, plain_size, 1, &packed_size);
    return packed ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(plain);
    free(packed);
    return 0;
}

static struct network *network_of(const uint8_t *bytes, size_t size)
{
    struct network *network = NULL;
    assert_int_equal(network_parse(bytes, size, &network, NULL), STATUS_OK);
    return network;
}

static void assert_refused(const uint8_t *bytes, size_t size, const char *why)
{
    struct network *network = NULL;
    struct diag diag = {0};
    assert_int_equal(network_parse(bytes, size, &network, &diag), STATUS_FORMAT);
    assert_null(network);
    assert_non_null(strstr(diag.text, why));
    assert_null(strchr(diag.text, '\n'));
}

/* The first `size` bytes with a change, as the file's writer might have made them, are refused. */
static void assert_change_refused(const uint8_t *bytes, size_t size, size_t at, uint64_t value,
                                  int count, const char *why)
{
    uint8_t *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    (void)network_sample_put(copy + at, value, count);
    network_sample_seal(copy, size);
    assert_refused(copy, size, why);
    free(copy);
}

static void packed_weights_are_the_same(void **state)
{
    (void)state;
    struct network *one = network_of(plain, plain_size);
    struct network *other = network_of(packed, packed_size);
    assert_string_equal(one->description, "sample");
    assert_memory_equal(one->feature_weights, plain + FEATURES_AT, RELATIONS_AT - FEATURES_AT);
    assert_memory_equal(one->relation_weights, plain + RELATIONS_AT, BIAS_AT - RELATIONS_AT);
    assert_memory_equal(other->feature_weights, plain + FEATURES_AT, RELATIONS_AT - FEATURES_AT);
    assert_memory_equal(other->relation_weights, plain + RELATIONS_AT, BIAS_AT - RELATIONS_AT);
    assert_memory_equal(one->feature_bias, other->feature_bias, sizeof one->feature_bias);
    assert_memory_equal(one->layers, other->layers, sizeof one->layers);
    network_free(one);
    network_free(other);
    struct network *without = network_sample(1, 1);
    assert_non_null(without);
    assert_null(without->relation_weights);
    network_free(without);
}

static void damaged_headers_are_refused(void **state)
{
    (void)state;
    const size_t features = bytes_get_u32le(packed + 196);
    assert_change_refused(plain, plain_size, 8, 5, 4, "too long");
    assert_change_refused(plain, plain_size, 8, 9, 4, "version 9");
    assert_change_refused(plain, plain_size, 16, 2, 4, "cut");
    assert_change_refused(plain, plain_size, 192, 0, 4, "weights of a relation");
    assert_change_refused(plain, plain_size, 192, 128, 4, "weights of a relation");
    assert_change_refused(packed, packed_size, 192, 257, 4, "weights of a relation");
    assert_change_refused(plain, plain_size, 196, features, 4, "do not fit");
    assert_change_refused(plain, plain_size, 196, 0, 4, "do not fit");
    assert_change_refused(packed, packed_size, 196, UINT32_MAX, 4, "do not fit");
    assert_change_refused(packed, packed_size, 196, 0, 4, "do not fit");
    assert_change_refused(packed, packed_size, 196, features - 1, 4, "do not fit");
    assert_change_refused(packed, packed_size, 196, features + 1, 4, "do not fit");
    for (size_t at = 200; at < 256; at += 5)
        assert_change_refused(plain, plain_size, at, 1, 1, "not zero");
    assert_change_refused(packed, packed_size, 255, 1, 1, "not zero");
}

static void cut_and_longer_files_are_refused(void **state)
{
    (void)state;
    static const size_t sizes[] = {192, 200, 255, 256, 257, 400000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_change_refused(plain, sizes[i], 64, 's', 1, "cut");
        assert_change_refused(packed, sizes[i], 64, 's', 1, sizes[i] < 400000 ? "cut" : "fit");
    }
    assert_change_refused(plain, plain_size - 1, 64, 's', 1, "cut");
    assert_change_refused(packed, packed_size - 1, 64, 's', 1, "do not fit");
    uint8_t *longer = realloc(plain, plain_size + 1);
    assert_non_null(longer);
    plain = longer;
    plain[plain_size] = 0;
    assert_change_refused(plain, plain_size + 1, 64, 's', 1, "too long");
}

static void packed_relations_must_fit(void **state)
{
    (void)state;
    const size_t at = FEATURES_AT + bytes_get_u32le(packed + 196);
    const size_t high_size_at = at + RELATIONS;
    const uint32_t high_size = bytes_get_u32le(packed + high_size_at);
    assert_change_refused(packed, packed_size, at, packed[at] + 1U, 1, "do not fit");
    assert_change_refused(packed, packed_size, high_size_at - 1, 15, 1, "do not fit");
    assert_change_refused(packed, packed_size, high_size_at, high_size - 1, 4, "do not fit");
    assert_change_refused(packed, packed_size, high_size_at, high_size + 1, 4, "do not fit");
    assert_change_refused(packed, packed_size, high_size_at, UINT32_MAX, 4, "do not fit");
    assert_change_refused(packed, packed_size, high_size_at + 4, 0, 8, "do not fit");
}

static void any_changed_byte_is_noticed(void **state)
{
    (void)state;
    static const size_t offsets[] = {32, 192, 196, 255, 256, RELATIONS_AT, BIAS_AT - 1, BIAS_AT};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        plain[offsets[i]] ^= 1;
        assert_refused(plain, plain_size, offsets[i] < 192 || offsets[i] > 255 ? "checksum" : "");
        plain[offsets[i]] ^= 1;
    }
    packed[packed_size / 2] ^= 1;
    assert_refused(packed, packed_size, "checksum");
    packed[packed_size / 2] ^= 1;
    /* Any weights of relations are allowed; a bias has its limit, as without them. */
    assert_change_refused(plain, plain_size, BIAS_AT + 6, 28672, 2, "overflow");
}

/* A network in which one relation has weights. */
static struct network *network_with(int number, int first, int last)
{
    uint8_t *copy = malloc(plain_size);
    assert_non_null(copy);
    memcpy(copy, plain, plain_size);
    memset(copy + RELATIONS_AT, 0, BIAS_AT - RELATIONS_AT);
    uint8_t *row = copy + RELATIONS_AT + (size_t)number * NETWORK_RELATED;
    row[0] = (uint8_t)first;
    row[NETWORK_RELATED - 1] = (uint8_t)last;
    network_sample_seal(copy, plain_size);
    struct network *network = network_of(copy, plain_size);
    free(copy);
    return network;
}

/* The knight attacks the pawn, which White and Black know by numbers of their own. */
static void a_row_counts_where_its_relation_is(void **state)
{
    (void)state;
    static const char *const fens[] = {"4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1",
                                       "4k3/8/8/3p4/8/5N2/8/4K3 w - - 0 1"};
    struct relation_table table;
    struct relations list;
    struct position pos;
    static struct accumulator accumulator;
    relations_init(&table);
    for (int perspective = WHITE; perspective <= BLACK; perspective++) {
        assert_int_equal(fen_parse(span_of(fens[0]), &pos, NULL), STATUS_OK);
        relations_list(&table, &pos, perspective, &list);
        assert_int_equal(list.count, 1);
        struct network *network = network_with(list.numbers[0], 5, -7);
        accumulator_make(network, infer_kind(0), &pos, &accumulator);
        assert_int_equal(accumulator.related[perspective][0], 5);
        assert_int_equal(accumulator.related[perspective][NETWORK_RELATED - 1], -7);
        assert_int_equal(accumulator.related[!perspective][0], 0);
        assert_int_equal(fen_parse(span_of(fens[1]), &pos, NULL), STATUS_OK);
        accumulator_make(network, infer_kind(0), &pos, &accumulator);
        assert_int_equal(accumulator.related[perspective][0], 0);
        network_free(network);
    }
}

static int score_of(const struct network *network, const struct position *pos)
{
    struct accumulator accumulator;
    accumulator_make(network, infer_kind(0), pos, &accumulator);
    return accumulator_output(network, infer_kind(0), &accumulator, pos->turn,
                              network_output(bb_count(position_occupied(pos))));
}

/* The same eval with one kind of network, then with the other, and what `eval` prints. */
static void networks_of_both_kinds_take_turns(void **state)
{
    (void)state;
    static const char fen[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq -";
    struct network *related = network_of(packed, packed_size);
    struct network *nothing = network_with(0, 0, 0);
    struct eval *eval = eval_create();
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    assert_non_null(eval);
    assert_int_not_equal(score_of(related, &pos), score_of(nothing, &pos));
    const struct network *const turns[] = {related, network_builtin(), nothing, related};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        char data[8192], expected[32];
        struct text_buffer out = text_buffer_on(data, sizeof data);
        int score = score_of(turns[i], &pos);
        eval_set_network(eval, turns[i]);
        eval_reset(eval);
        assert_int_equal(eval_score(eval, &pos), score);
        eval_explain(turns[i], &pos, &out);
        (void)snprintf(expected, sizeof expected, "\nscore %d (", eval_centipawns(-score));
        assert_non_null(strstr(data, expected));
    }
    eval_destroy(eval);
    network_free(related);
    network_free(nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_weights_are_the_same),
        cmocka_unit_test(damaged_headers_are_refused),
        cmocka_unit_test(cut_and_longer_files_are_refused),
        cmocka_unit_test(packed_relations_must_fit),
        cmocka_unit_test(any_changed_byte_is_noticed),
        cmocka_unit_test(a_row_counts_where_its_relation_is),
        cmocka_unit_test(networks_of_both_kinds_take_turns),
    };
    chess_init();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
