/* Rules of the network's arithmetic that hold in every position of games of random moves: however
 * an accumulator came about, whatever computes it, and from whichever side it is seen.
 *
 * With CAXTON_LONG_TESTS in the environment over a million positions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "eval/bare_king.h"
#include "eval/eval_internal.h"
#include "tests/support/network_sample.h"

enum { KINDS_MAX = 4, GAME_PLIES = 150, ASIDE_PLIES = 4 };

struct bench {
    struct network *network;
    const struct infer *kinds[KINDS_MAX];
    struct eval *all[KINDS_MAX]; /* one follows the game with each kind */
    int kind_count;
    struct relation_table table;
    struct rng rng;
    long positions;
};

static long positions_wanted(void)
{
    return getenv("CAXTON_LONG_TESTS") ? 1000000 : 20000;
}

static void bench_open(struct bench *bench, int buckets, bool has_relations)
{
    memset(bench, 0, sizeof *bench);
    rng_seed(&bench->rng, 4);
    relations_init(&bench->table);
    bench->network =
        has_relations ? network_sample_related(buckets, 99) : network_sample(buckets, 99);
    assert_non_null(bench->network);
    for (const struct infer *kind; (kind = infer_kind(bench->kind_count)) != NULL;) {
        struct eval *eval = eval_create();
        assert_non_null(eval);
        assert_true(bench->kind_count < KINDS_MAX);
        eval_set_network(eval, bench->network);
        eval->infer = kind;
        bench->kinds[bench->kind_count] = kind;
        bench->all[bench->kind_count++] = eval;
    }
}

static void bench_close(struct bench *bench)
{
    for (int i = 0; i < bench->kind_count; i++)
        eval_destroy(bench->all[i]);
    network_free(bench->network);
}

static void follow_start(struct bench *bench)
{
    for (int i = 0; i < bench->kind_count; i++)
        eval_reset(bench->all[i]);
}

static void follow_move(struct bench *bench, const struct position *pos, move m)
{
    for (int i = 0; i < bench->kind_count; i++)
        if (m == MOVE_NULL)
            eval_push_null(bench->all[i], pos);
        else
            eval_push(bench->all[i], pos, m);
}

static void follow_back(struct bench *bench)
{
    for (int i = 0; i < bench->kind_count; i++)
        eval_pop(bench->all[i]);
}

static struct position exchanged(const struct position *pos)
{
    struct position out = *pos;
    for (int type = 0; type < PIECE_TYPES; type++)
        out.types[type] = __builtin_bswap64(pos->types[type]);
    out.colors[WHITE] = __builtin_bswap64(pos->colors[BLACK]);
    out.colors[BLACK] = __builtin_bswap64(pos->colors[WHITE]);
    out.turn = !pos->turn;
    for (int square = 0; square < 64; square++) {
        int piece = pos->board[square_flip(square)];
        out.board[square] = (uint8_t)(piece == NO_PIECE ? piece : piece ^ 1);
    }
    return out;
}

static int output_of(const struct bench *bench, int kind, const struct accumulator *accumulator,
                     const struct position *pos)
{
    return accumulator_output(bench->network, bench->kinds[kind], accumulator, pos->turn,
                              network_output(bb_count(position_occupied(pos))));
}

/* Sums of relations are those of the rows that relations_list() names. */
static void check_relations(const struct bench *bench, const struct position *pos,
                            const struct accumulator *accumulator)
{
    for (int perspective = WHITE; perspective <= BLACK; perspective++) {
        struct relations list;
        int sums[NETWORK_RELATED] = {0};
        relations_list(&bench->table, pos, perspective, &list);
        for (int i = 0; i < list.count; i++)
            for (int column = 0; column < NETWORK_RELATED; column++)
                sums[column] += bench->network->relation_weights[list.numbers[i]][column];
        for (int column = 0; column < NETWORK_RELATED; column++)
            assert_int_equal(accumulator->related[perspective][column], sums[column]);
    }
}

/* The last kind is the scalar one; made from nothing it says what is right. */
static void check_position(struct bench *bench, const struct position *pos)
{
    static struct accumulator plain, made; /* without relations those stay zero */
    int scalar = bench->kind_count - 1;
    accumulator_make(bench->network, bench->kinds[scalar], pos, &plain);
    if (bench->network->relation_weights)
        check_relations(bench, pos, &plain);
    int score = output_of(bench, scalar, &plain, pos);
    for (int i = 0; i < bench->kind_count; i++) {
        const struct accumulator *followed = eval_accumulator(bench->all[i], pos);
        assert_memory_equal(followed, &plain, sizeof plain);
        accumulator_make(bench->network, bench->kinds[i], pos, &made);
        assert_memory_equal(&made, &plain, sizeof plain);
        assert_int_equal(output_of(bench, i, followed, pos), score);
    }
    struct position other = exchanged(pos);
    int by_rule, by_rule_exchanged;
    bool is_bare = bare_king_score(pos, &by_rule);
    assert_int_equal(bare_king_score(&other, &by_rule_exchanged), is_bare);
    assert_int_equal(eval_score(bench->all[0], pos), is_bare ? by_rule : score);
    if (is_bare)
        assert_int_equal(by_rule, by_rule_exchanged);
    accumulator_make(bench->network, bench->kinds[0], &other, &made);
    assert_int_equal(output_of(bench, 0, &made, &other), score);
    bench->positions++;
}

static void random_start(struct bench *bench, struct position *pos)
{
    static const char *const fens[] = {
        /* many pieces that attack each other, and many pawns on few files */
        "rnbqqbnr/qqqqkqqq/8/8/8/8/QQQQKQQQ/RNBQQBNR w - - 0 1",
        "4QQ2/n1q1Q1K1/Q5Q1/2qqR1r1/bNbQQB1k/1rBR1q1q/n2qq2Q/2Nq1qQ1 w - - 0 1",
        "r3k3/pppppp2/PPPP4/ppP5/PP6/8/8/R3K2R w KQq - 0 1"};
    unsigned white = (unsigned)rng_below(&bench->rng, 960);
    switch (rng_below(&bench->rng, 4)) {
    case 0:
        position_start(pos);
        break;
    case 1:
        fen_chess960(white, pos);
        break;
    case 2:
        assert_int_equal(fen_parse(span_of(fens[white % 3]), pos, NULL), STATUS_OK);
        break;
    default:
        fen_double_chess960(white, (unsigned)rng_below(&bench->rng, 960), pos);
    }
    follow_start(bench);
}

/* Castling and promotions are rare in random play: they are chosen more often. */
static move random_move(struct bench *bench, const struct position *pos)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    move chosen = count ? moves[rng_below(&bench->rng, (uint64_t)count)] : MOVE_NONE;
    for (int i = 0; i < count && rng_below(&bench->rng, 2); i++)
        if (move_kind(moves[i]) != MOVE_NORMAL)
            chosen = moves[i];
    return chosen;
}

/* A side line, which is taken back, with others in it; scored now and then. */
static void look_aside(struct bench *bench, struct position *pos, int plies)
{
    struct undo undo;
    move m = random_move(bench, pos);
    if (m == MOVE_NONE || plies == 0 || rng_below(&bench->rng, 4))
        return;
    follow_move(bench, pos, m);
    position_make(pos, m, &undo);
    look_aside(bench, pos, plies - 1);
    if (rng_below(&bench->rng, 2))
        check_position(bench, pos);
    look_aside(bench, pos, plies - 1);
    position_unmake(pos, m, &undo);
    follow_back(bench);
}

/* One game, with null moves in between, scored now and then only, so that several moves wait; and
 * from each position now and then a look at a side line. */
static void play_game(struct bench *bench)
{
    struct position pos;
    struct undo undo;
    random_start(bench, &pos);
    for (int ply = 0; ply < GAME_PLIES; ply++) {
        move m = random_move(bench, &pos);
        if (m == MOVE_NONE)
            return;
        if (!position_in_check(&pos) && rng_below(&bench->rng, 16) == 0) {
            follow_move(bench, &pos, MOVE_NULL);
            position_make_null(&pos, &undo);
        } else {
            follow_move(bench, &pos, m);
            position_make(&pos, m, &undo);
        }
        if (rng_below(&bench->rng, 3))
            check_position(bench, &pos);
        look_aside(bench, &pos, ASIDE_PLIES);
    }
}

static void check_games(int buckets, bool has_relations)
{
    static struct bench bench;
    bench_open(&bench, buckets, has_relations);
    while (bench.positions < positions_wanted() / 2)
        play_game(&bench);
    bench_close(&bench);
}

static void all_ways_agree_with_one_king_bucket(void **state)
{
    (void)state;
    check_games(1, false);
}

static void all_ways_agree_with_many_king_buckets(void **state)
{
    (void)state;
    check_games(NETWORK_BUCKETS_MAX, false);
}

static void all_ways_agree_with_relations(void **state)
{
    (void)state;
    check_games(2, true);
}

static void set_shorts(struct rng *rng, int16_t *out, size_t count, int bound, int choice)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (int16_t)(choice == 0   ? bound
                           : choice == 1 ? -bound
                                         : (int)rng_below(rng, 2 * (uint64_t)bound + 1) - bound);
}

static void set_biases(struct rng *rng, int32_t *out, size_t count, int choice)
{
    for (size_t i = 0; i < count; i++)
        out[i] = choice == 0   ? NETWORK_BIAS_MAX
                 : choice == 1 ? -NETWORK_BIAS_MAX
                               : (int)rng_below(rng, 20000) - 10000;
}

/* Weights and biases at their limits, one sign for each layer, or at random. */
static void set_layers(struct rng *rng, struct layers *layers, const int *choices)
{
    int8_t *first = &layers->first_weights[0][0][0];
    for (size_t i = 0; i < sizeof layers->first_weights; i++)
        first[i] = (int8_t)(choices[0] == 0   ? INT8_MAX
                            : choices[0] == 1 ? INT8_MIN
                                              : (int)rng_below(rng, 256) - 128);
    set_shorts(rng, layers->second_weights[0][0], (size_t)NETWORK_SECOND * NETWORK_SECOND,
               NETWORK_WEIGHT_MAX, choices[1]);
    set_shorts(rng, layers->third_weights, NETWORK_SECOND, NETWORK_WEIGHT_MAX, choices[2]);
    set_biases(rng, layers->first_bias, NETWORK_FIRST, choices[0]);
    set_biases(rng, layers->second_bias, NETWORK_SECOND, choices[1]);
    set_biases(rng, &layers->third_bias, 1, choices[2]);
}

/* The limits of the file format: nothing may overflow on the way. */
static void extreme_values_agree(void **state)
{
    (void)state;
    enum { EXTREMES = 8, ROUNDS = 2000 };
    alignas(64) static int16_t sides[2][NETWORK_HIDDEN], related[2][NETWORK_RELATED];
    static struct layers layers;
    static const int16_t values[] = {INT16_MIN, -128, -1, 0, 1, 11, 12, 126, 127, 128, INT16_MAX};
    struct rng rng;
    rng_seed(&rng, 8);
    for (int round = 0; round < ROUNDS; round++) {
        bool is_extreme = round < EXTREMES;
        int choices[3] = {2, 2, 2};
        for (int i = 0; i < 3; i++)
            choices[i] = is_extreme ? round >> i & 1 : (int)rng_below(&rng, 8);
        set_layers(&rng, &layers, choices);
        int share = (int)rng_below(&rng, 12); /* of the values that are not negative */
        for (int i = 0; i < 2 * NETWORK_HIDDEN; i++) {
            bool is_set = is_extreme || (int)rng_below(&rng, 11) < share;
            int16_t value = is_extreme ? INT16_MAX : values[rng_below(&rng, 11)];
            sides[i / NETWORK_HIDDEN][i % NETWORK_HIDDEN] = is_set ? value : INT16_MIN;
        }
        int32_t wanted = infer_scalar.output(sides[0], sides[1], &layers);
        for (int i = 0; infer_kind(i); i++)
            assert_int_equal(infer_kind(i)->output(sides[0], sides[1], &layers), wanted);
        for (int i = 0; i < 2 * NETWORK_RELATED; i++)
            related[i / NETWORK_RELATED][i % NETWORK_RELATED] = values[rng_below(&rng, 11)];
        wanted = infer_scalar.output_related(sides[0], sides[1], related[0], related[1], &layers);
        for (int i = 0; infer_kind(i); i++)
            assert_int_equal(
                infer_kind(i)->output_related(sides[0], sides[1], related[0], related[1], &layers),
                wanted);
    }
}

/* As many rows as there can be, of the largest weights. */
static void extreme_relations_agree(void **state)
{
    (void)state;
    alignas(64) static int8_t weights[2][NETWORK_RELATED];
    alignas(64) static int16_t zeros[NETWORK_RELATED], out[NETWORK_RELATED];
    static struct related_rows rows;
    memset(weights[0], INT8_MIN, sizeof weights[0]);
    memset(weights[1], INT8_MAX, sizeof weights[1]);
    for (int row = 0; row < 2 * RELATED_MAX; row++)
        rows.rows[row] = weights[row < RELATED_MAX];
    for (int i = 0; infer_kind(i); i++) {
        rows.subs = RELATED_MAX;
        rows.count = 2 * RELATED_MAX - 3;
        infer_kind(i)->relate(out, zeros, &rows);
        assert_int_equal((uint16_t)out[NETWORK_RELATED - 1],
                         (uint16_t)((RELATED_MAX - 3) * INT8_MIN - RELATED_MAX * INT8_MAX));
        rows.count = RELATED_MAX;
        infer_kind(i)->relate(out, zeros, &rows);
        assert_int_equal(out[7], -RELATED_MAX * INT8_MAX);
        rows.subs = 0;
        rows.count = 1;
        infer_kind(i)->relate(out, out, &rows);
        assert_int_equal(out[0], (1 - RELATED_MAX) * INT8_MAX);
    }
}

/* By hand: the sum of a value and its relations is what is clamped. */
static void relations_are_added_before_clamping(void **state)
{
    (void)state;
    enum { PAIR = NETWORK_RELATED_FROM + 70, SECOND = NETWORK_HIDDEN / 2 + PAIR };
    static const struct {
        int16_t value, related, other, other_related;
        int product;
    } cases[] = {
        {50, 0, 127, 0, 49},         {40, 10, 300, -100, 49},      {-10, 60, 27, 100, 49},
        {100, -100, 127, 0, 0},      {0, 127, 0, 127, 126},        {32767, 30720, 1, 127, 126},
        {-32768, -30720, 127, 0, 0}, {32767, -30720, 127, 0, 126}, {28671, -28621, 127, 0, 49}};
    alignas(64) static int16_t sides[2][NETWORK_HIDDEN], related[2][NETWORK_RELATED];
    static struct layers layers;
    int input = NETWORK_HIDDEN / 2 + PAIR; /* of the other side */
    layers.first_weights[input / 4][0][input % 4] = 1;
    layers.second_weights[0][0][0] = NETWORK_QC;
    layers.third_weights[0] = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sides[1][PAIR] = cases[i].value;
        sides[1][SECOND] = cases[i].other;
        related[1][70] = cases[i].related;
        related[1][NETWORK_RELATED / 2 + 70] = cases[i].other_related;
        for (int kind = 0; infer_kind(kind); kind++)
            assert_int_equal(infer_kind(kind)->output_related(sides[0], sides[1], related[0],
                                                              related[1], &layers),
                             cases[i].product);
    }
}

/* By hand: one pair, one weight in each layer. */
static void layers_compute_what_they_say(void **state)
{
    (void)state;
    alignas(64) static int16_t sides[2][NETWORK_HIDDEN];
    static struct layers layers;
    int pair = 70;
    int input = NETWORK_HIDDEN / 2 + pair; /* of the other side */
    sides[1][pair] = 50;
    sides[1][NETWORK_HIDDEN / 2 + pair] = 300;            /* 127 */
    layers.first_weights[input / 4][3][input % 4] = -100; /* 50 * 127 / 128 = 49 */
    layers.first_bias[3] = 1000;                          /* -3900: its square is 1856 */
    layers.second_weights[(NETWORK_FIRST + 3) / 2][20][(NETWORK_FIRST + 3) % 2] = 1024;
    layers.second_weights[3 / 2][21][3 % 2] = 1024; /* of nothing: it is below 0 */
    layers.second_bias[20] = -512 * 12 + 511;       /* 3712 - 12 + 0 */
    layers.second_bias[21] = 512 * 9000;            /* 8064 */
    layers.third_weights[20] = -7;
    layers.third_weights[21] = 2;
    layers.third_bias = 5;
    for (int i = 0; infer_kind(i); i++)
        assert_int_equal(infer_kind(i)->output(sides[0], sides[1], &layers),
                         -7 * 3700 + 2 * 8064 + 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_agree_with_one_king_bucket),
        cmocka_unit_test(all_ways_agree_with_many_king_buckets),
        cmocka_unit_test(all_ways_agree_with_relations),
        cmocka_unit_test(extreme_values_agree),
        cmocka_unit_test(extreme_relations_agree),
        cmocka_unit_test(relations_are_added_before_clamping),
        cmocka_unit_test(layers_compute_what_they_say),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
