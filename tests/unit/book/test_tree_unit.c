/* Units of a tree: what is written is what is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "book/formats/thompson/tree_unit.h"

/* Reads what was written for `unit`, at its place behind other bytes, and writes it once more. */
static struct tree_unit there_and_back(const struct tree_unit *unit)
{
    static uint8_t body[1 << 13];
    uint8_t again[TREE_UNIT_MAX];
    struct tree_unit read;
    size_t size = tree_unit_write(unit, body + unit->at);
    assert_in_range(size, 1, TREE_UNIT_MAX);
    const char *fault = tree_unit_read(body, unit->at + size, unit->at, &read);
    if (fault)
        fail_msg("%s", fault);
    assert_int_equal(read.end, unit->at + size);
    assert_int_equal(tree_unit_write(&read, again), size);
    assert_memory_equal(again, body + unit->at, size);
    return read;
}

static void every_move(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1983);
    for (int i = 0; i < 20000; i++) {
        const uint64_t bits = rng_next(&rng);
        const struct tree_unit unit = {
            .kind = TREE_MOVE,
            .place = (int)(bits & 255),
            .more = bits >> 8 & 1,
            .last = bits >> 9 & 1,
            .unplayed = bits >> 10 & 1,
            .non_book = bits >> 11 & 1,
            .styles = (bits >> 13 & 1) ? (uint8_t)(bits >> 24 | 1) : 0,
        };
        const struct tree_unit read = there_and_back(&unit);
        assert_int_equal(read.kind, TREE_MOVE);
        assert_int_equal(read.place, unit.place);
        assert_int_equal(read.more, unit.more);
        assert_int_equal(read.last, unit.last);
        assert_int_equal(read.unplayed, unit.unplayed);
        assert_int_equal(read.non_book, unit.non_book);
        assert_false(read.weighted);
        assert_int_equal(read.styles, unit.styles);
    }
}

static void near_jumps(void **state)
{
    (void)state;
    for (size_t back = 1; back <= TREE_BACK_12_MAX; back++) {
        const struct tree_unit jump = {.kind = TREE_JUMP, .at = 5000, .target = 5000 - back};
        const struct tree_unit read = there_and_back(&jump);
        assert_int_equal(read.kind, TREE_JUMP);
        assert_int_equal(read.target, jump.target);
        assert_int_equal(read.end - read.at, 2);
    }
}

/* Escapes that other writers may use. */
static void jumps_and_weights_of_any_size(void **state)
{
    (void)state;
    static const struct {
        uint8_t bytes[8];
        size_t size;
        enum tree_kind kind;
        uint32_t value; /* target or weight */
    } units[] = {
        {{0xC4, 0x12, 0x34}, 3, TREE_JUMP, 0x1234},
        {{0xC5, 0x12, 0x34, 0x56, 0x78}, 5, TREE_JUMP, 0x12345678},
        {{0xEF, 0xFF, 0xFF}, 3, TREE_JUMP, 0},
        {{0xE0, 0x00, 0x00}, 3, TREE_JUMP, 0xFFFFF},
        {{0xC9, 0xFF, 0x00}, 3, TREE_MOVE, 0xFF},
        {{0xCA, 0xFF, 0xFE, 0x00}, 4, TREE_MOVE, 0xFFFE},
        {{0xCB, 0xFF, 0xFE, 0xFD, 0xFC, 0x00}, 6, TREE_MOVE, 0xFFFEFDFC},
    };
    enum { AT = 1 << 20 };
    static uint8_t body[AT + 8];
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct tree_unit read;
        memcpy(body + AT, units[i].bytes, units[i].size);
        assert_null(tree_unit_read(body, AT + units[i].size, AT, &read));
        assert_int_equal(read.end, AT + units[i].size);
        assert_int_equal(read.kind, units[i].kind);
        assert_int_equal(read.kind == TREE_JUMP ? read.target : read.weight, units[i].value);
        assert_int_equal(read.weighted, units[i].kind == TREE_MOVE);
    }
}

static void a_start(void **state)
{
    (void)state;
    const struct span fen = span_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    const struct tree_unit start = {.kind = TREE_NEW, .at = 7, .fen = fen};
    const struct tree_unit read = there_and_back(&start);
    assert_int_equal(read.kind, TREE_NEW);
    assert_int_equal(read.fen.size, fen.size);
    assert_memory_equal(read.fen.data, fen.data, fen.size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move),
        cmocka_unit_test(near_jumps),
        cmocka_unit_test(jumps_and_weights_of_any_size),
        cmocka_unit_test(a_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
