/* A teacher's network: every kind of arithmetic and every way to an accumulator give the same, the
 * layout of the inputs, and files that are none. eval/train/teacher/check.py compares a real one
 * with the engine that it is of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "eval/train/datagen/starts.h"
#include "eval/train/datagen/teacher_search.h"
#include "tests/support/teacher_sample.h"

enum { GAMES = 40, PLIES = 60 };

static uint8_t *bytes;
static size_t size;
static struct teacher_net *net;

static int set_up_sample(enum teacher_sample sample)
{
    chess_init();
    bytes = teacher_sample_bytes(sample, &size);
    return bytes && teacher_net_parse(bytes, size, &net, NULL) == STATUS_OK ? 0 : 1;
}

static int set_up(void **state)
{
    (void)state;
    return set_up_sample(TEACHER_SAMPLE_15);
}

static int set_up_compressed(void **state)
{
    (void)state;
    return set_up_sample(TEACHER_SAMPLE_16);
}

static int set_up_relations(void **state)
{
    (void)state;
    return set_up_sample(TEACHER_SAMPLE_19);
}

static int tear_down(void **state)
{
    (void)state;
    teacher_net_free(net);
    free(bytes);
    return 0;
}

static void assert_equal_accumulators(const struct teacher_accumulator *a,
                                      const struct teacher_accumulator *b)
{
    for (int side = WHITE; side <= BLACK; side++)
        assert_memory_equal(a->values[side], b->values[side],
                            (size_t)net->shape->hidden * sizeof a->values[side][0]);
    assert_memory_equal(a->material, b->material, sizeof a->material);
}

/* Random games from all kinds of starts, castling of Chess960 included. */
static void updates_equal_scalar_arithmetic_from_the_position(void **state)
{
    (void)state;
    struct datagen_starts starts = {.percent = {[START_DOUBLE_CHESS960] = 50, [START_ENDING] = 25}};
    struct rng rng;
    struct teacher *plain = teacher_create(net, &teacher_infer_scalar);
    struct game *game = game_create();
    assert_non_null(plain);
    assert_non_null(game);
    for (int kind = 0; teacher_infer_kind(kind); kind++) {
        struct teacher *teacher = teacher_create(net, teacher_infer_kind(kind));
        assert_non_null(teacher);
        rng_seed(&rng, 7);
        for (int i = 0; i < GAMES; i++) {
            struct teacher_accumulator now;
            struct teacher_accumulator next;
            struct teacher_accumulator expected;
            move moves[MOVES_MAX];
            bool is_ending;
            assert_int_equal(starts_set_up(&starts, &rng, game, &is_ending), STATUS_OK);
            teacher_refresh(teacher, game_position(game), &now);
            for (int ply = 0; ply < PLIES; ply++) {
                struct position before = *game_position(game);
                int count = movegen_legal(&before, moves);
                if (count == 0)
                    break;
                assert_int_equal(game_play(game, moves[rng_below(&rng, (uint64_t)count)]),
                                 STATUS_OK);
                const struct position *pos = game_position(game);
                teacher_update(teacher, &before, &now, pos, &next);
                teacher_refresh(plain, pos, &expected);
                assert_equal_accumulators(&next, &expected);
                assert_int_equal(teacher_value(teacher, pos, &next),
                                 teacher_value(plain, pos, &expected));
                now = next;
            }
        }
        teacher_destroy(teacher);
    }
    game_destroy(game);
    teacher_destroy(plain);
}

/* The board turned and mirrored is the same position, but for castling rights. */
static void colours_and_files_do_not_matter(void **state)
{
    (void)state;
    static const char *const fens[] = {"r1b2k2/pp3p2/2n5/3q4/8/2P5/PP3P1P/R1BQ2K1 w - - 0 1",
                                       "2k2b1r/2p3pp/5n2/4q3/8/5P2/P1P3PP/1K2QB1R w - - 0 1",
                                       "r1bq2k1/pp3p1p/2p5/8/3Q4/2N5/PP3P2/R1B2K2 b - - 0 1"};
    struct teacher *teacher = teacher_create(net, NULL);
    int values[3];
    assert_non_null(teacher);
    for (int i = 0; i < 3; i++) {
        struct position pos;
        struct teacher_accumulator accumulator;
        assert_int_equal(fen_parse(span_of(fens[i]), &pos, NULL), STATUS_OK);
        teacher_refresh(teacher, &pos, &accumulator);
        values[i] = teacher_value(teacher, &pos, &accumulator);
    }
    assert_int_not_equal(values[0], 0);
    assert_int_equal(values[0], values[1]);
    assert_int_equal(values[0], values[2]);
    teacher_destroy(teacher);
}

static void mates_and_hanging_pieces_are_seen(void **state)
{
    (void)state;
    struct teacher_search *search = teacher_search_create(net);
    struct game *game = game_create();
    struct position pos;
    assert_non_null(search);
    assert_non_null(game);
    assert_int_equal(fen_parse(span_of("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"), &pos, NULL),
                     STATUS_OK);
    game_reset(game, &pos);
    const struct teacher_scores *scores = teacher_search_run(search, game);
    assert_int_equal(scores->best, move_make(square_make(3, 0), square_make(3, 7)));
    int mates = 0;
    for (int i = 0; i < scores->count; i++)
        mates += scores->scores[i] == LABEL_MATE;
    assert_int_equal(mates, 1);
    assert_int_equal(scores->count, movegen_count(&pos));
    /* What is to be won cannot make the score of a position smaller. */
    assert_int_equal(fen_parse(span_of("6k1/8/8/3q4/4P3/8/8/6K1 w - - 0 1"), &pos, NULL),
                     STATUS_OK);
    game_reset(game, &pos);
    scores = teacher_search_run(search, game);
    for (int i = 0; i < scores->count; i++)
        if (scores->moves[i] == move_make(square_make(4, 3), square_make(3, 4)))
            assert_true(scores->score >= scores->scores[i]);
    game_destroy(game);
    teacher_search_destroy(search);
}

static void assert_refused(size_t cut, const char *what)
{
    struct diag diag = {0};
    struct teacher_net *none = NULL;
    assert_int_equal(teacher_net_parse(bytes, cut, &none, &diag), STATUS_FORMAT);
    assert_non_null(strstr(diag.text, what));
    assert_null(none);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    assert_refused(0, "not a network of Stockfish");
    assert_refused(11, "not a network of Stockfish");
    assert_refused(12, "the description has no end");
    assert_refused(size - 1, "cut off");
    bytes[4] ^= 1;
    assert_refused(size, "of kind 1c102ef3");
    bytes[4] ^= 1;
    bytes[0] ^= 1;
    assert_refused(size, "not a network of Stockfish");
    bytes[0] ^= 1;
    bytes[size - 1 - 32] = 0x7F; /* the last bias, now beyond what sums can carry */
    assert_refused(size, "too large");
}

static void related_pieces_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int count;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0},
        {"4k3/8/8/3n4/8/8/3R4/3RK3 w - - 0 1", 2},    /* two rooks, one of which attacks a knight */
        {"4k3/8/4q3/8/8/1B6/8/4K3 w - - 0 1", 1},     /* the queen attacks the bishop only */
        {"4k3/7p/8/3p4/2P5/1P6/P7/4K3 w - - 0 1", 3}, /* pawns beside each other */
        {"4k3/8/8/8/3n4/2P5/8/4K3 w - - 0 1", 1},     /* a pawn attacks a knight */
        {"7k/8/8/8/8/2b5/1P6/K7 w - - 0 1", 1},       /* pawns do not attack bishops here */
    };
    struct relation_table *table = calloc(1, sizeof *table);
    assert_non_null(table);
    relations_init(table);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct position pos;
        assert_int_equal(fen_parse(span_of(cases[i].fen), &pos, NULL), STATUS_OK);
        for (int side = WHITE; side <= BLACK; side++) {
            struct relations list;
            relations_list(table, &pos, side, &list);
            assert_int_equal(list.count, cases[i].count);
        }
    }
    free(table);
}

/* The bytes of one number that has too many, and those of an array whose size is not true. */
static void damaged_compression_is_refused(void **state)
{
    (void)state;
    enum { FIRST = 12 + 5 + 4, NUMBERS = FIRST + 17 + 4 };
    assert_int_equal(net->shape->hidden, 1536);
    assert_refused(size - 1, "cut off");
    bytes[FIRST + 17] ^= 1;
    assert_refused(size, "cut off");
    bytes[FIRST + 17] ^= 1;
    memset(bytes + NUMBERS, 0xFF, 8);
    assert_refused(size, "cut off");
}

int main(void)
{
    const struct CMUnitTest compressed[] = {
        cmocka_unit_test(updates_equal_scalar_arithmetic_from_the_position),
        cmocka_unit_test(damaged_compression_is_refused),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_equal_scalar_arithmetic_from_the_position),
        cmocka_unit_test(colours_and_files_do_not_matter),
        cmocka_unit_test(mates_and_hanging_pieces_are_seen),
        cmocka_unit_test(other_files_are_refused),
    };
    const struct CMUnitTest relations[] = {
        cmocka_unit_test(updates_equal_scalar_arithmetic_from_the_position),
        cmocka_unit_test(colours_and_files_do_not_matter),
        cmocka_unit_test(related_pieces_are_counted),
    };
    int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    failed += cmocka_run_group_tests(compressed, set_up_compressed, tear_down);
    return failed + cmocka_run_group_tests(relations, set_up_relations, tear_down);
}
