/* Training positions in 32 bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "eval/train/sample.h"

static struct position position_of(const char *fen)
{
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    return pos;
}

static move move_of(const struct position *pos, const char *text)
{
    move m;
    assert_int_equal(move_from_uci(pos, span_of(text), &m), STATUS_OK);
    return m;
}

/* Packs, unpacks, and gives back what came of it as text. */
static const char *after_round_trip(const char *fen)
{
    static char text[FEN_MAX];
    uint8_t bytes[SAMPLE_SIZE];
    struct position pos = position_of(fen);
    struct position back;
    struct sample_label label = {.result = 1};
    sample_pack(&pos, &label, bytes);
    assert_int_equal(sample_unpack(bytes, &back, &label), STATUS_OK);
    assert_true(back.key == pos.key);
    fen_format(&back, text);
    return text;
}

static void positions_come_back(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w - - 99 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1",
        "4k3/8/8/8/6pP/8/8/4K3 b - h3 0 1",
        "4k3/4R3/8/8/8/8/8/4K3 b - - 3 1",
        /* Chess960: an inner rook may castle, the outer one may not */
        "1r2k1rr/8/8/8/8/8/8/RR2K1R1 w BGbg - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 1",
        "k7/8/8/8/8/8/8/KR6 w B - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        /* X-FEN as this program writes it, which may spell a right in another way */
        char expected[FEN_MAX];
        struct position pos = position_of(fens[i]);
        fen_format(&pos, expected);
        assert_string_equal(after_round_trip(fens[i]), expected);
    }
}

static void what_is_not_kept(void **state)
{
    (void)state;
    assert_string_equal(after_round_trip("4k3/8/8/8/8/8/8/R3K3 w - - 255 300"),
                        "4k3/8/8/8/8/8/8/R3K3 w - - 255 1");
    assert_string_equal(after_round_trip("4k3/8/8/8/8/8/8/R3K3 w - - 256 300"),
                        "4k3/8/8/8/8/8/8/R3K3 w - - 255 1");
}

/* Written out by hand after the description in sample.h. */
static void the_bytes_are_as_documented(void **state)
{
    (void)state;
    struct position pos = position_of("r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 20");
    struct sample_label label = {
        .score = -300, .result = 2, .best = move_of(&pos, "e5d6"), .first = true};
    static const uint8_t expected[SAMPLE_SIZE] = {
        0x90,   0,    0,    0,    0x18, 0,    0, 0x11, /* e1 h1, d5 e5, a8 e8 */
        0xCA,   0x01, 0xBD, 0,    0,    0,    0, 0, /* K and a castling R, p, P, castling r and k */
        0,      0,    0,    0,    0,    0,    0, 0, /* */
        3 << 1, 0,    0xD4, 0xFE, 0xE4, 0x2A, 2, 5}; /* d6, -300, e5xd6, won; first and noisy */
    uint8_t bytes[SAMPLE_SIZE];
    sample_pack(&pos, &label, bytes);
    assert_memory_equal(bytes, expected, SAMPLE_SIZE);

    static const uint8_t checked[SAMPLE_SIZE] = {
        0x01,       0x10, 0, 0, 0, 0, 0, 0x10, /* a1, e2, e8 */
        0x6A,       0x0B, 0, 0, 0, 0, 0, 0,    /* K, R, k */
        0,          0,    0, 0, 0, 0, 0, 0,    /* */
        1 | 8 << 1, 100,  1, 0, 0, 0, 0, 2};
    pos = position_of("4k3/8/8/8/8/8/4R3/K7 b - - 100 80");
    label = (struct sample_label){.score = 1};
    sample_pack(&pos, &label, bytes);
    assert_memory_equal(bytes, checked, SAMPLE_SIZE);
}

static int flags_of(const char *fen, const char *best)
{
    uint8_t bytes[SAMPLE_SIZE];
    struct position pos = position_of(fen);
    struct sample_label label = {.best = move_of(&pos, best)};
    sample_pack(&pos, &label, bytes);
    return bytes[31];
}

static void flags_tell_of_the_position_and_the_move(void **state)
{
    (void)state;
    assert_int_equal(flags_of(fen_start, "e2e4"), 0);
    assert_int_equal(flags_of("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n"), SAMPLE_NOISY);
    assert_int_equal(flags_of("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2"), SAMPLE_NOISY);
    assert_int_equal(flags_of("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2"),
                     SAMPLE_NOISY | SAMPLE_CHECK);
    assert_int_equal(flags_of("4k3/8/8/8/8/4r3/8/4K3 w - - 0 1", "e1f1"), SAMPLE_CHECK);
    /* Castling is written as king takes rook, and is no capture. */
    assert_int_equal(flags_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), 0);
}

static void labels_come_back(void **state)
{
    (void)state;
    static const struct {
        int given;
        int kept;
    } scores[] = {{0, 0},         {-1, -1},       {1234, 1234},     {32000, 32000},
                  {32001, 32000}, {99999, 32000}, {-99999, -32000}, {-32000, -32000}};
    struct position pos;
    struct position back;
    uint8_t bytes[SAMPLE_SIZE];
    position_start(&pos);
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++) {
        struct sample_label label = {.score = scores[i].given,
                                     .result = (int)i % 3,
                                     .best = move_of(&pos, "g1f3"),
                                     .first = i % 2 == 1};
        struct sample_label read;
        sample_pack(&pos, &label, bytes);
        assert_int_equal(sample_unpack(bytes, &back, &read), STATUS_OK);
        assert_int_equal(read.score, scores[i].kept);
        assert_int_equal(read.result, label.result);
        assert_int_equal(read.best, label.best);
        assert_int_equal(read.first, label.first);
    }
}

/* Changes one byte of the start position's sample; must that be refused? */
static void refuses(int at, uint8_t value)
{
    struct position pos;
    struct position untouched;
    struct sample_label label = {.result = 1};
    uint8_t bytes[SAMPLE_SIZE];
    position_start(&pos);
    untouched = pos;
    sample_pack(&pos, &label, bytes);
    assert_int_not_equal(bytes[at], value);
    bytes[at] = value;
    assert_int_not_equal(sample_unpack(bytes, &pos, &label), STATUS_OK);
    assert_memory_equal(&pos, &untouched, sizeof pos);
}

static void impossible_positions_are_refused(void **state)
{
    (void)state;
    refuses(9, 0xAA);    /* two kings */
    refuses(8, 0x2E);    /* a piece code without meaning */
    refuses(8, 0x20);    /* a pawn on the first rank */
    refuses(12, 0xC0);   /* a castling rook on the second */
    refuses(2, 0x01);    /* a thirty-third piece */
    refuses(0, 0xFE);    /* one piece less: all that follow it move on */
    refuses(24, 4 << 1); /* en passant without a pawn */
    static const uint8_t empty[SAMPLE_SIZE];
    struct position pos;
    struct sample_label label;
    assert_int_not_equal(sample_unpack(empty, &pos, &label), STATUS_OK);
}

/* Whatever comes out of damaged bytes is a position that the rest of the program can bear. */
static void damage_is_refused_or_harmless(void **state)
{
    (void)state;
    struct rng rng;
    struct sample_label label = {.result = 1};
    const struct position start =
        position_of("r1bqk2r/ppp2ppp/2n2n2/2bpp3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq d6 0 6");
    int refused = 0;
    int accepted = 0;
    rng_seed(&rng, 8);
    for (int i = 0; i < 50000; i++) {
        uint8_t bytes[SAMPLE_SIZE];
        struct position pos;
        sample_pack(&start, &label, bytes);
        int changes = 1 + (int)rng_below(&rng, 4);
        for (int j = 0; j < changes; j++)
            bytes[rng_below(&rng, SAMPLE_SIZE)] ^= (uint8_t)(1 << rng_below(&rng, 8));
        struct sample_label read;
        if (sample_unpack(bytes, &pos, &read) != STATUS_OK) {
            refused++;
            continue;
        }
        char fen[FEN_MAX];
        struct position again;
        accepted++;
        fen_format(&pos, fen);
        assert_int_equal(fen_parse(span_of(fen), &again, NULL), STATUS_OK);
        assert_true(pos.key == again.key && pos.key == position_compute_key(&pos));
    }
    assert_true(refused > 1000);
    assert_true(accepted > 1000);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_come_back),
        cmocka_unit_test(what_is_not_kept),
        cmocka_unit_test(the_bytes_are_as_documented),
        cmocka_unit_test(flags_tell_of_the_position_and_the_move),
        cmocka_unit_test(labels_come_back),
        cmocka_unit_test(impossible_positions_are_refused),
        cmocka_unit_test(damage_is_refused_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
