/* Network files that are taken and refused, the built-in one, and the `eval` command's board. It is
 * long because each field of a file is damaged in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/eval_explain.h"
#include "eval/eval_internal.h"
#include "tests/support/network_packing.h"

#define DEFAULT_FILE   TEST_DATA_DIR "/../../eval/default.nnue"
#define DEFAULT_GOLDEN TEST_DATA_DIR "/../../eval/default.golden"

#define SMALL_FILE   TEST_DATA_DIR "/../../eval/small.nnue"
#define SMALL_GOLDEN TEST_DATA_DIR "/../../eval/small.golden"

static uint8_t *bytes;
static size_t size;

static int set_up(void **state)
{
    (void)state;
    bytes = network_sample_bytes(2, 1, &size);
    return bytes ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(bytes);
    return 0;
}

static struct position parse(const char *fen)
{
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    return pos;
}

static int score_of(const struct network *network, const struct position *pos)
{
    struct accumulator accumulator;
    accumulator_make(network, infer_kind(0), pos, &accumulator);
    return accumulator_output(network, infer_kind(0), &accumulator, pos->turn,
                              network_output(bb_count(position_occupied(pos))));
}

static void assert_refused(const char *why)
{
    struct network *network = NULL;
    struct diag diag = {0};
    assert_int_equal(network_parse(bytes, size, &network, &diag), STATUS_FORMAT);
    assert_null(network);
    assert_non_null(strstr(diag.text, why));
    assert_null(strchr(diag.text, '\n'));
}

/* Changes the file as its writer might have, checksum included. */
static void put_and_seal(size_t offset, uint64_t value, int count)
{
    (void)network_sample_put(bytes + offset, value, count);
    network_sample_seal(bytes, size);
}

static void a_good_file_is_taken(void **state)
{
    (void)state;
    struct network *network = NULL;
    assert_int_equal(network_parse(bytes, size, &network, NULL), STATUS_OK);
    assert_string_equal(network->description, "sample");
    assert_int_equal(network->buckets, 2);
    network_free(network);
    network_free(NULL);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    memcpy(bytes, "PNG", 3);
    assert_refused("not a network");
    size = 0;
    assert_refused("not a network");
}

static void other_versions_and_shapes_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t offset;
        uint32_t value;
        const char *why;
    } changes[] = {
        {8, 4, "version 4"},
        {8, 7, "cut"},
        {8, 9, "version 9"},
        {12, NETWORK_HIDDEN + 128, "hidden"},
        {12, UINT32_MAX, "hidden"},
        {16, 0, "king buckets"},
        {16, NETWORK_BUCKETS_MAX + 1, "king buckets"},
        {16, UINT32_MAX, "king buckets"},
        {20, 4, "outputs"},
        {16, 1, "too long"},
        {16, 3, "cut"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t kept[4];
        memcpy(kept, bytes + changes[i].offset, 4);
        put_and_seal(changes[i].offset, changes[i].value, 4);
        assert_refused(changes[i].why);
        memcpy(bytes + changes[i].offset, kept, 4);
    }
}

static void cut_and_longer_files_are_refused(void **state)
{
    (void)state;
    size_t whole = size;
    static const size_t sizes[] = {7, 8, 63, 191, 192, 193, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size = sizes[i];
        assert_refused(size < 8 ? "not a network" : "cut");
    }
    size = whole - 1;
    assert_refused("cut");
    uint8_t *longer = realloc(bytes, whole + 1);
    assert_non_null(longer);
    bytes = longer;
    bytes[whole] = 0;
    size = whole + 1;
    assert_refused("too long");
}

static void packed_weights_are_the_same(void **state)
{
    (void)state;
    static const int large[] = {63, 64, -64, -65, 126, -127, 127, -128};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        put_and_seal(NETWORK_SAMPLE_WEIGHTS_AT + 1000 * i, (uint64_t)(int64_t)large[i], 1);
    struct network *plain = NULL;
    struct network *network = NULL;
    size_t packed_size;
    uint8_t *packed = network_packing(bytes, size, 2, &packed_size);
    assert_non_null(packed);
    assert_int_equal(network_parse(bytes, size, &plain, NULL), STATUS_OK);
    assert_int_equal(network_parse(packed, packed_size, &network, NULL), STATUS_OK);
    assert_memory_equal(plain->feature_weights, network->feature_weights,
                        2 * NETWORK_INPUTS * sizeof plain->feature_weights[0]);
    assert_memory_equal(plain->feature_bias, network->feature_bias, sizeof plain->feature_bias);
    const struct layers *last = &plain->layers[NETWORK_OUTPUTS - 1];
    const struct layers *other = &network->layers[NETWORK_OUTPUTS - 1];
    assert_memory_equal(last->first_weights, other->first_weights, sizeof last->first_weights);
    assert_int_equal(last->third_bias, other->third_bias);
    network_free(plain);
    network_free(network);
    free(packed);
}

/* Changes the packed file as its writer might have, and puts it right again. */
static void assert_misfit(size_t offset, uint64_t value, int count)
{
    uint8_t kept[4];
    memcpy(kept, bytes + offset, sizeof kept);
    put_and_seal(offset, value, count);
    assert_refused("do not fit");
    memcpy(bytes + offset, kept, sizeof kept);
}

/* The checksum is right, and yet the weights end too early, too late, or not at all. */
static void packed_weights_must_fit(void **state)
{
    (void)state;
    size_t rows = 2 * NETWORK_INPUTS;
    size_t high_size_at = NETWORK_SAMPLE_WEIGHTS_AT + rows;
    uint8_t *packed = network_packing(bytes, size, 2, &size);
    assert_non_null(packed);
    free(bytes);
    bytes = packed;
    uint32_t high_size = bytes_get_u32le(bytes + high_size_at);
    assert_misfit(NETWORK_SAMPLE_WEIGHTS_AT, bytes[NETWORK_SAMPLE_WEIGHTS_AT] + 1U, 1);
    assert_misfit(NETWORK_SAMPLE_WEIGHTS_AT + rows - 1, 15, 1);
    assert_misfit(high_size_at, UINT32_MAX, 4);
    assert_misfit(high_size_at, high_size - 1, 4);
    assert_misfit(high_size_at, high_size + 1, 4);
    assert_misfit(high_size_at + 4, 0, 4); /* more than 31 zeros */
    bytes[size] = 0;
    size++;
    network_sample_seal(bytes, size);
    assert_refused("do not fit");
    size -= 2;
    network_sample_seal(bytes, size);
    assert_refused("do not fit");
    memset(bytes + high_size_at + 4, 0, size - high_size_at - 4);
    network_sample_seal(bytes, size);
    assert_refused("do not fit");
    size = NETWORK_SAMPLE_WEIGHTS_AT + 1000;
    network_sample_seal(bytes, size);
    assert_refused("cut");
}

static void any_changed_byte_is_noticed(void **state)
{
    (void)state;
    static const size_t offsets[] = {24, 31, 32, 64, 191, 192, 70000};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        bytes[offsets[i]] ^= 1;
        assert_refused("checksum");
        bytes[offsets[i]] ^= 1;
    }
    bytes[size - 1] ^= 1;
    assert_refused("checksum");
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    size_t bias = NETWORK_SAMPLE_WEIGHTS_AT + 2 * NETWORK_INPUTS * NETWORK_HIDDEN;
    put_and_seal(32 + 9, 2, 1);
    assert_refused("king bucket");
    put_and_seal(32 + 9, 1, 1);
    /* 32 pieces of -128 more would leave 16 bits. */
    put_and_seal(bias + 6, 28672, 2);
    assert_refused("overflow");
    put_and_seal(bias + 6, (uint64_t)-28672, 2);
    assert_refused("overflow");
    put_and_seal(bias + 6, 28671, 2);
    struct network *network = NULL;
    assert_int_equal(network_parse(bytes, size, &network, NULL), STATUS_OK);
    network_free(network);
}

/* Any weight of the first layer is allowed; the others and the biases have limits. */
static void numbers_of_the_layers_have_limits(void **state)
{
    (void)state;
    size_t first = size - (size_t)NETWORK_OUTPUTS * NETWORK_SAMPLE_LAYERS;
    size_t first_bias = first + NETWORK_FIRST * NETWORK_HIDDEN;
    size_t second = first_bias + NETWORK_FIRST * sizeof(int32_t);
    size_t second_bias = second + NETWORK_SECOND * NETWORK_SECOND * sizeof(int16_t);
    size_t third = second_bias + NETWORK_SECOND * sizeof(int32_t);
    const struct {
        size_t at;
        int bytes, limit;
    } numbers[] = {
        {first_bias + 4, 4, NETWORK_BIAS_MAX},    {second + 70, 2, NETWORK_WEIGHT_MAX},
        {second_bias + 124, 4, NETWORK_BIAS_MAX}, {third + 62, 2, NETWORK_WEIGHT_MAX},
        {size - 4, 4, NETWORK_BIAS_MAX}, /* of the last output */
    };
    put_and_seal(first, 0x80, 1);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            struct network *network = NULL;
            int64_t limit = sign * (int64_t)numbers[i].limit;
            put_and_seal(numbers[i].at, (uint64_t)(limit + sign), numbers[i].bytes);
            assert_refused("has a weight beyond");
            put_and_seal(numbers[i].at, (uint64_t)limit, numbers[i].bytes);
            assert_int_equal(network_parse(bytes, size, &network, NULL), STATUS_OK);
            network_free(network);
        }
    }
}

/* Inputs are numbered as the file has them, however memory does. */
static void layers_are_read_in_their_order(void **state)
{
    (void)state;
    struct network *network = NULL;
    size_t last = size - NETWORK_SAMPLE_LAYERS;
    put_and_seal(last + 5 * NETWORK_HIDDEN + 91, 77, 1);
    size_t second = last + NETWORK_FIRST * (NETWORK_HIDDEN + 4);
    put_and_seal(second + (7 * NETWORK_SECOND + 11) * 2, 777, 2);
    assert_int_equal(network_parse(bytes, size, &network, NULL), STATUS_OK);
    const struct layers *layers = &network->layers[NETWORK_OUTPUTS - 1];
    assert_int_equal(layers->first_weights[22][5][3], 77);
    assert_int_equal(layers->second_weights[5][7][1], 777);
    network_free(network);
}

static void descriptions_are_printable(void **state)
{
    (void)state;
    memset(bytes + 64, 'x', NETWORK_DESCRIPTION_MAX);
    put_and_seal(65, '\n', 1);
    struct network *network = NULL;
    assert_int_equal(network_parse(bytes, size, &network, NULL), STATUS_OK);
    assert_int_equal(strlen(network->description), NETWORK_DESCRIPTION_MAX);
    assert_memory_equal(network->description, "x?x", 3);
    network_free(network);
}

static void files_are_read(void **state)
{
    (void)state;
    char path[] = "/tmp/caxton-network-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, size), (ssize_t)size);
    struct network *network = NULL;
    struct diag diag;
    assert_int_equal(network_load(path, &network, &diag), STATUS_OK);
    network_free(network);
    network = NULL;
    assert_int_equal(write(descriptor, "x", 1), 1);
    assert_int_equal(network_load(path, &network, &diag), STATUS_FORMAT);
    assert_int_equal(ftruncate(descriptor, 100), 0);
    assert_int_equal(network_load(path, &network, &diag), STATUS_FORMAT);
    assert_int_equal(ftruncate(descriptor, (off_t)100 << 30), 0); /* takes no room */
    assert_int_equal(network_load(path, &network, &diag), STATUS_RANGE);
    assert_int_equal(close(descriptor), 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(network_load(path, &network, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, path));
    assert_int_equal(network_load("/", &network, &diag), STATUS_IO);
    assert_int_equal(network_load("/dev/zero", &network, &diag), STATUS_IO);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(network_load(path, &network, &diag), STATUS_IO); /* and does not wait */
    assert_int_equal(unlink(path), 0);
    assert_null(network);
}

static void scores_stay_below_mates(void **state)
{
    (void)state;
    struct eval *eval = eval_create();
    assert_non_null(eval);
    static const int extremes[][2] = {{-NETWORK_BIAS_MAX, 1 - EVAL_MAX},
                                      {NETWORK_BIAS_MAX, EVAL_MAX - 1}};
    for (int round = 0; round < 2; round++) {
        put_and_seal(size - 4, (uint64_t)(int64_t)extremes[round][0], 4); /* of 30 to 32 pieces */
        struct network *network = NULL;
        assert_int_equal(network_parse(bytes, size, &network, NULL), STATUS_OK);
        eval_set_network(eval, network);
        struct position pos = parse(fen_start);
        eval_reset(eval);
        assert_int_equal(eval_score(eval, &pos), extremes[round][1]);
        network_free(network);
    }
    eval_destroy(eval);
}

static void the_table_agrees_with_the_score(void **state)
{
    (void)state;
    struct network *network = network_sample(1, 3);
    assert_non_null(network);
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/8/8/3k4/3p4/8/2BNK3/8 w - - 0 1",
    };
    for (size_t i = 0; i < 2; i++) {
        char data[8192];
        struct text_buffer out = text_buffer_on(data, sizeof data);
        struct position pos = parse(fens[i]);
        eval_explain(network, &pos, &out);
        assert_false(out.cut);
        int used = 0, score = 0;
        const char *mark = strstr(data, "<- used");
        const char *last = strstr(data, "\nscore ");
        assert_non_null(mark);
        assert_null(strstr(mark + 1, "<- used"));
        assert_int_equal(sscanf(mark - 9, "%d", &used), 1);
        assert_int_equal(sscanf(last, "\nscore %d", &score), 1);
        assert_int_equal(used, score);
        assert_int_equal(pos.turn == WHITE ? score : -score,
                         eval_centipawns(score_of(network, &pos)));
    }
    /* What the lone knight is worth: the score with it less the score without. */
    struct position with = parse(fens[1]);
    struct position without = parse("8/8/8/3k4/3p4/8/2B1K3/8 w - - 0 1");
    char data[8192], expected[16];
    struct text_buffer out = text_buffer_on(data, sizeof data);
    eval_explain(network, &with, &out);
    (void)snprintf(expected, sizeof expected, " %+d",
                   eval_centipawns(score_of(network, &with)) -
                       eval_centipawns(score_of(network, &without)));
    assert_non_null(strstr(data, expected));
    network_free(network);
}

static void the_default_network_is_built_in(void **state)
{
    (void)state;
    assert_non_null(network_builtin());
    assert_ptr_equal(network_builtin(), network_builtin());
    struct network *network = NULL;
    assert_int_equal(network_load(DEFAULT_FILE, &network, NULL), STATUS_OK);
    assert_memory_equal(network_builtin()->layers, network->layers, sizeof network->layers);
    size_t rows = (size_t)network->buckets * NETWORK_INPUTS;
    assert_memory_equal(network_builtin()->feature_weights, network->feature_weights,
                        rows * NETWORK_HIDDEN);
    struct position pos = parse(fen_start);
    struct eval *eval = eval_create();
    assert_non_null(eval);
    assert_int_equal(eval_score(eval, &pos), score_of(network, &pos));
    eval_destroy(eval);
    network_free(network);
}

/* Scores that the trainer computed: lines "FEN;centipawns", side to move's view. */
static void assert_scores(const struct network *network, const char *golden)
{
    FILE *file = fopen(golden, "r");
    assert_non_null(file);
    char line[FEN_MAX + 32];
    int count = 0;
    for (; fgets(line, sizeof line, file); count++) {
        char *separator = strchr(line, ';');
        assert_non_null(separator);
        int64_t score;
        assert_int_equal(
            span_to_int(span_trim(span_of(separator + 1)), INT32_MIN, INT32_MAX, &score),
            STATUS_OK);
        *separator = '\0';
        struct position pos = parse(line);
        assert_int_equal(score_of(network, &pos), (int)score);
    }
    assert_true(count > 0);
    assert_int_equal(fclose(file), 0);
}

static void the_networks_score_as_their_trainer_says(void **state)
{
    (void)state;
    struct network *small;
    assert_non_null(network_builtin()->relation_weights);
    assert_scores(network_builtin(), DEFAULT_GOLDEN);
    assert_int_equal(network_load(SMALL_FILE, &small, NULL), STATUS_OK);
    assert_null(small->relation_weights);
    assert_scores(small, SMALL_GOLDEN);
    network_free(small);
}

int main(void)
{
#define WITH_FILE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        WITH_FILE(a_good_file_is_taken),
        WITH_FILE(other_files_are_refused),
        WITH_FILE(other_versions_and_shapes_are_refused),
        WITH_FILE(cut_and_longer_files_are_refused),
        WITH_FILE(packed_weights_are_the_same),
        WITH_FILE(packed_weights_must_fit),
        WITH_FILE(any_changed_byte_is_noticed),
        WITH_FILE(numbers_out_of_range_are_refused),
        WITH_FILE(numbers_of_the_layers_have_limits),
        WITH_FILE(layers_are_read_in_their_order),
        WITH_FILE(descriptions_are_printable),
        WITH_FILE(files_are_read),
        WITH_FILE(scores_stay_below_mates),
        cmocka_unit_test(the_table_agrees_with_the_score),
        cmocka_unit_test(the_default_network_is_built_in),
        cmocka_unit_test(the_networks_score_as_their_trainer_says),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
