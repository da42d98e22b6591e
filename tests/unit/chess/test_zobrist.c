/* The Polyglot key: published reference keys, from FEN and from play. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"

static const struct {
    const char *moves;
    uint64_t key;
} reference[] = {
    {"", 0x463b96181691fc9c},
    {"e2e4", 0x823c9b50fd114196},
    {"e2e4 d7d5", 0x0756b94461c50fb0},
    {"e2e4 d7d5 e4e5", 0x662fafb965db29d4},
    {"e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78},
    {"e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1},
    {"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9},
    {"a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637},
    {"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560},
};

static void reference_keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof reference / sizeof *reference; i++) {
        struct position pos;
        struct undo undo;
        position_start(&pos);
        struct span rest = span_of(reference[i].moves);
        for (struct span text; (text = span_token(&rest)).size;) {
            move m;
            assert_int_equal(move_from_uci(&pos, text, &m), STATUS_OK);
            position_make(&pos, m, &undo);
        }
        assert_true(pos.key == reference[i].key);
        assert_true(position_compute_key(&pos) == reference[i].key);

        /* The same position read from text has the same key. */
        char fen[FEN_MAX];
        fen_format(&pos, fen);
        struct position again;
        assert_int_equal(fen_parse(span_of(fen), &again, NULL), STATUS_OK);
        assert_true(again.key == reference[i].key);
    }
}

/* The pawn beside may not take, for its king would stand in check: hashed all the same. */
static void en_passant_counts_when_illegal(void **state)
{
    (void)state;
    struct position pos;
    assert_int_equal(fen_parse(span_of("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"), &pos, NULL),
                     STATUS_OK);
    assert_true(pos.key == 0xecba303cd610b817);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_keys),
        cmocka_unit_test(en_passant_counts_when_illegal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
