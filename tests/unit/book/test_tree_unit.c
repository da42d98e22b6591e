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
    static uint8_t body[1 << 21];
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
            .weighted = bits >> 12 & 1,
            .weight = (bits >> 12 & 1) ? (uint32_t)(bits >> 32) >> (bits >> 16 & 31) : 0,
            .styles = (bits >> 13 & 1) ? (uint8_t)(bits >> 24 | 1) : 0,
        };
        const struct tree_unit read = there_and_back(&unit);
        assert_int_equal(read.kind, TREE_MOVE);
        assert_int_equal(read.place, unit.place);
        assert_int_equal(read.more, unit.more);
        assert_int_equal(read.last, unit.last);
        assert_int_equal(read.unplayed, unit.unplayed);
        assert_int_equal(read.non_book, unit.non_book);
        assert_int_equal(read.weighted, unit.weighted);
        assert_int_equal(read.weight, unit.weight);
        assert_int_equal(read.styles, unit.styles);
    }
}

/* Each length of a jump, at both ends of its range. */
static void every_jump(void **state)
{
    (void)state;
    static const struct {
        size_t back;
        size_t bytes;
    } jumps[] = {
        {1, 2},
        {2, 2},
        {17, 2},
        {TREE_BACK_12_MAX, 2},
        {TREE_BACK_12_MAX + 1, 3},
        {1 << 20, 3},
        {(1 << 20) + 1, 5},
    };
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        const struct tree_unit jump = {
            .kind = TREE_JUMP, .at = 1200000, .target = 1200000 - jumps[i].back};
        const struct tree_unit read = there_and_back(&jump);
        assert_int_equal(read.kind, TREE_JUMP);
        assert_int_equal(read.target, jump.target);
        assert_int_equal(read.end - read.at, jumps[i].bytes);
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
        cmocka_unit_test(every_jump),
        cmocka_unit_test(a_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
