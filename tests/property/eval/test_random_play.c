/* What must hold of the hand-written score in every position of games of random moves, Chess960
 * included. */
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
#include "chess/rng.h"
#include "eval/eval.h"
#include "eval/terms_king.h"
#include "eval/trace.h"

/* The position with every piece moved to square ^ flip, colours exchanged if asked; built as text,
 * without castling rights, which the score does not know. */
static struct position transformed(const struct position *pos, int flip, bool exchange)
{
    static const char letters[] = "PpNnBbRrQqKk";
    char fen[FEN_MAX];
    size_t size = 0;
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            int piece = pos->board[square_make(file, rank) ^ flip];
            empty += piece == NO_PIECE;
            if (empty && (piece != NO_PIECE || file == 7)) {
                fen[size++] = (char)('0' + empty);
                empty = 0;
            }
            if (piece != NO_PIECE)
                fen[size++] = letters[exchange ? piece ^ 1 : piece];
        }
        fen[size++] = rank ? '/' : ' ';
    }
    bool white = (pos->turn == WHITE) != exchange;
    memcpy(fen + size, white ? "w - - 0 1" : "b - - 0 1", sizeof "w - - 0 1");
    struct position out;
    assert_int_equal(fen_parse(span_of(fen), &out, NULL), STATUS_OK);
    return out;
}

/* The counted weights must add up to what the terms added. */
static void check_trace(const struct position *pos, int score)
{
    static struct eval_trace trace;
    eval_trace(pos, &trace);
    assert_int_equal(pos->turn == WHITE ? trace.score : -trace.score, score);
    int32_t sum = 0;
    int32_t danger[2] = {0, 0};
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        int32_t white = eval_weights[i] * trace.counts[WHITE][i];
        int32_t black = eval_weights[i] * trace.counts[BLACK][i];
        sum += i < W_DANGER_BASE ? white - black : 0;
        danger[WHITE] += i < W_DANGER_BASE ? 0 : white;
        danger[BLACK] += i < W_DANGER_BASE ? 0 : black;
    }
    assert_int_equal(danger[WHITE], trace.danger[WHITE]);
    assert_int_equal(danger[BLACK], trace.danger[BLACK]);
    sum += danger_penalty(danger[BLACK]) - danger_penalty(danger[WHITE]);
    assert_int_equal(pair_mg(sum), trace.mg);
    assert_int_equal(pair_eg(sum) + trace.extra, trace.eg);
}

static void check_position(struct eval *used, struct eval *fresh, const struct position *pos)
{
    int score = eval_score(used, pos);
    assert_true(abs(score) < EVAL_MAX);
    assert_int_equal(eval_score(used, pos), score);
    assert_int_equal(eval_score(fresh, pos), score);
    struct position other = transformed(pos, 56, true);
    assert_int_equal(eval_score(used, &other), score);
    other = transformed(pos, 7, false);
    assert_int_equal(eval_score(used, &other), score);
    other = transformed(pos, 63, true);
    assert_int_equal(eval_score(used, &other), score);
    check_trace(pos, score);
}

static void random_games(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 20);
    struct eval *used = eval_create();
    assert_non_null(used);
    eval_set_network(used, NULL);
    for (int game = 0; game < 150; game++) {
        struct position pos;
        struct undo undo;
        move moves[MOVES_MAX];
        struct eval *fresh = eval_create();
        assert_non_null(fresh);
        eval_set_network(fresh, NULL);
        fen_chess960((unsigned)rng_below(&rng, 960), &pos);
        for (int ply = 0; ply < 200; ply++) {
            int count = movegen_legal(&pos, moves);
            if (!count)
                break;
            position_make(&pos, moves[rng_below(&rng, (uint64_t)count)], &undo);
            check_position(used, fresh, &pos);
        }
        eval_destroy(fresh);
    }
    eval_destroy(used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games),
    };
    chess_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
