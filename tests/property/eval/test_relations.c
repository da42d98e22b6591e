/* What relation_changes_find() says of any two positions leads from the relations of the one to
 * those of the other, as relations_list() lists them, for both sides and every place of the kings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "eval/relation_changes.h"

enum { GAMES = 200, GAME_PLIES = 200, KEPT = 8 };

static struct relation_table table;
static struct relation_index relation_index;
static int8_t counts[RELATIONS]; /* of each relation, all 0 between calls */

static void count_list(const struct position *pos, int perspective, int by)
{
    struct relations list;
    relations_list(&table, pos, perspective, &list);
    for (int i = 0; i < list.count; i++)
        counts[list.numbers[i]] = (int8_t)(counts[list.numbers[i]] + by);
}

/* Each relation is there `before` times, and one more or less afterwards. */
static void count_facts(const relation_fact *facts, const relation_fact *end, relation_fact view,
                        int before)
{
    for (; facts < end; facts++) {
        unsigned number = relation_number(&relation_index, *facts ^ view);
        assert_in_range(number, 0, RELATIONS - 1);
        assert_int_equal(counts[number], before);
        counts[number] = (int8_t)(before ? 0 : 1);
    }
}

/* A side's relations are seen mirrored or not as its king stands in `after`; so `before` is only
 * listed when its king stands on the same half. */
static void check_pair(const struct position *before, const struct position *after)
{
    static struct relation_changes changes;
    relation_changes_find(before, after, &changes);
    const relation_fact *come = changes.facts + changes.gone;
    for (int perspective = WHITE; perspective <= BLACK; perspective++) {
        bool mirrored = square_file(position_king(after, perspective)) >= 4;
        if ((square_file(position_king(before, perspective)) >= 4) != mirrored)
            continue;
        relation_fact view = relation_view(perspective, mirrored);
        count_list(before, perspective, 1);
        count_facts(changes.facts, come, view, 1);
        count_facts(come, changes.facts + changes.count, view, 0);
        count_list(after, perspective, -1);
        for (int number = 0; number < RELATIONS; number += 8) {
            static const int8_t zeros[8];
            assert_memory_equal(counts + number, zeros, sizeof zeros);
        }
    }
}

static bool random_move(struct rng *rng, struct position *pos)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    if (!count)
        return false;
    move m = moves[rng_below(rng, (uint64_t)count)];
    for (int i = 0; i < count && rng_below(rng, 2); i++)
        if (move_kind(moves[i]) != MOVE_NORMAL)
            m = moves[i];
    position_play(pos, m);
    return true;
}

/* Positions that a move leads to, and positions of earlier games. */
static void changes_lead_from_any_position_to_any_other(void **state)
{
    (void)state;
    struct rng rng;
    struct position pos, before, kept[KEPT];
    rng_seed(&rng, 50);
    for (int i = 0; i < KEPT; i++)
        position_start(&kept[i]);
    for (int game = 0; game < GAMES; game++) {
        fen_double_chess960((unsigned)rng_below(&rng, 960), (unsigned)rng_below(&rng, 960), &pos);
        before = pos;
        for (int ply = 0; ply < GAME_PLIES && random_move(&rng, &pos); ply++) {
            check_pair(&before, &pos);
            before = pos;
            struct position *other = &kept[rng_below(&rng, KEPT)];
            if (rng_below(&rng, 4))
                continue;
            check_pair(other, &pos);
            if (rng_below(&rng, 4) == 0)
                *other = pos;
        }
    }
}

static void nothing_changes_between_equal_positions(void **state)
{
    (void)state;
    static struct relation_changes changes;
    struct position pos;
    position_start(&pos);
    relation_changes_find(&pos, &pos, &changes);
    assert_int_equal(changes.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_lead_from_any_position_to_any_other),
        cmocka_unit_test(nothing_changes_between_equal_positions),
    };
    chess_init();
    relations_init(&table);
    relation_index_init(&relation_index);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
