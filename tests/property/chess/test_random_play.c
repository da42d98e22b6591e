/* What must hold in every position of games of random moves, Chess960 included. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/san_plain.h"

static bool contains(const move *moves, int count, move m)
{
    for (int i = 0; i < count; i++)
        if (moves[i] == m)
            return true;
    return false;
}

/* noisy and quiet divide the legal moves; counting agrees with listing; so does asking one by one.
 */
static void check_generation(const struct position *pos)
{
    move legal[MOVES_MAX];
    move part[2 * MOVES_MAX];
    int count = movegen_legal(pos, legal);
    int noisy = movegen_noisy(pos, part);
    int quiet = movegen_quiet(pos, part + noisy);
    assert_int_equal(noisy + quiet, count);
    assert_int_equal(movegen_count(pos), count);
    for (int i = 0; i < count; i++)
        assert_true(contains(part, noisy + quiet, legal[i]));
    for (int i = 0; i < noisy; i++)
        assert_true(position_is_capture(pos, part[i]) || move_promotion(part[i]) == QUEEN);
    for (int i = noisy; i < noisy + quiet; i++)
        assert_false(position_is_capture(pos, part[i]));
}

static void check_every_16_bits(const struct position *pos)
{
    move legal[MOVES_MAX];
    int count = movegen_legal(pos, legal);
    int found = 0;
    for (uint32_t bits = 0; bits <= UINT16_MAX; bits++)
        if (movegen_is_legal(pos, (move)bits)) {
            assert_true(contains(legal, count, (move)bits));
            found++;
        }
    assert_int_equal(found, count);
}

static void check_make(const struct position *pos, move m)
{
    struct position work = *pos;
    struct undo undo;
    bool check = movegen_gives_check(pos, m);
    position_make(&work, m, &undo);
    assert_true(work.key == position_compute_key(&work));
    assert_int_equal(check, position_in_check(&work));
    assert_false(
        position_attackers(&work, position_king(&work, pos->turn), position_occupied(&work)) &
        work.colors[work.turn]);
    position_unmake(&work, m, &undo);
    assert_memory_equal(&work, pos, sizeof work);
}

/* The text as it stands in a game, with more behind it; where a letter follows it is no move. */
static void check_plain_text(const struct position *pos, move m, const char *san)
{
    char text[SAN_MAX + SAN_PLAIN_AHEAD] = "";
    move read = MOVE_NONE;
    size_t size = strlen(san);
    memcpy(text, san, size);
    const char *end = san_plain(pos, text, &read);
    /* From both file and rank it goes to the other reader. */
    assert_true(end ? end == text + size && read == m : size >= 5);
    text[size] = ' ';
    assert_true(san_plain(pos, text, &read) == end);
    text[size] = 'e';
    assert_null(san_plain(pos, text, &read));
}

static void check_text(const struct position *pos, move m)
{
    char text[SAN_MAX];
    move read = MOVE_NONE;
    move_to_san(pos, m, text);
    assert_int_equal(move_from_san(pos, span_of(text), &read), STATUS_OK);
    assert_int_equal(read, m);
    check_plain_text(pos, m, text);
    for (int chess960 = 0; chess960 < 2; chess960++) {
        /* e1g1 may be a plain king move of Chess960: only king takes rook is always clear. */
        if (!chess960 && (fen_is_chess960(pos) && move_kind(m) == MOVE_CASTLING))
            continue;
        move_to_uci(m, chess960, text);
        assert_int_equal(move_from_uci(pos, span_of(text), &read), STATUS_OK);
        assert_int_equal(read, m);
    }
}

static void check_fen(const struct position *pos)
{
    char fen[FEN_MAX];
    char again[FEN_MAX];
    struct position read;
    fen_format(pos, fen);
    assert_int_equal(fen_parse(span_of(fen), &read, NULL), STATUS_OK);
    fen_format(&read, again);
    assert_string_equal(fen, again);
    assert_true(read.key == pos->key);
    assert_true(read.checkers == pos->checkers);
}

static void play_random_game(struct position pos, struct rng *rng, bool thorough)
{
    for (int ply = 0; ply < 200; ply++) {
        move legal[MOVES_MAX];
        int count = movegen_legal(&pos, legal);
        check_generation(&pos);
        check_fen(&pos);
        if (thorough && ply % 16 == 0)
            check_every_16_bits(&pos);
        for (int i = 0; i < count; i++) {
            check_make(&pos, legal[i]);
            check_text(&pos, legal[i]);
        }
        if (count == 0)
            return;
        struct undo undo;
        position_make(&pos, legal[rng_below(rng, (uint64_t)count)], &undo);
    }
}

static void standard_games(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1);
    for (int game = 0; game < 60; game++) {
        struct position pos;
        position_start(&pos);
        play_random_game(pos, &rng, game % 8 == 0);
    }
}

static void chess960_games(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 2);
    for (unsigned start = 0; start < 960; start += 16) {
        struct position pos;
        fen_chess960(start, &pos);
        play_random_game(pos, &rng, start % 128 == 0);
    }
}

/* Games where each side has its own start: kings and rooks of the two sides on different files. */
static void double_chess960_games(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 3);
    for (unsigned i = 0; i < 40; i++) {
        struct position white;
        struct position black;
        char fen_white[FEN_MAX];
        char fen_black[FEN_MAX];
        fen_chess960(i * 23, &white);
        fen_chess960(i * 37 + 11, &black);
        fen_format(&white, fen_white);
        fen_format(&black, fen_black);
        memcpy(fen_white, fen_black, 8); /* Black's back rank comes first */
        struct position pos;
        assert_int_equal(fen_parse(span_of(fen_white), &pos, NULL), STATUS_OK);
        play_random_game(pos, &rng, false);
    }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_games),
        cmocka_unit_test(chess960_games),
        cmocka_unit_test(double_chess960_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
