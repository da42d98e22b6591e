/* The weights of the evaluation: one table, written by eval/train. */
#ifndef CAXTON_EVAL_WEIGHTS_H
#define CAXTON_EVAL_WEIGHTS_H

#include <stdint.h>

/* Every weight is a pair: a middlegame value in the low half, an endgame value in the high half.
 * Sums of pairs are pairs of sums as long as each half stays within 16 bits.
 * Source: https://www.chessprogramming.org/Tapered_Eval */
#define PAIR(mg, eg) ((eg)*65536 + (mg))

static inline int pair_mg(int32_t pair)
{
    return (int16_t)(uint16_t)(uint32_t)pair;
}

static inline int pair_eg(int32_t pair)
{
    return (int16_t)(uint16_t)(((uint32_t)pair + 0x8000) >> 16);
}

/* X(NAME, how many weights). Weight i of NAME is eval_weights[W_NAME + i]. "Own" and "foe" piece
 * square tables hold all six types, a1..h8 as the piece's side sees the board, mirrored so that
 * that side's own king (the enemy king) stands on files e to h. Groups by rank use the relative
 * rank 0..7, groups by type the codes of enum piece_type.
 * All groups up to DANGER_BASE are linear; the rest are summed per king and go through
 * danger_penalty() in terms_king.h. */
#define EVAL_WEIGHT_GROUPS(X)                                                                      \
    X(TEMPO, 1)                                                                                    \
    X(MATERIAL, 5)                                                                                 \
    X(OWN_SQUARE, 384)                                                                             \
    X(FOE_SQUARE, 384)                                                                             \
    X(BISHOP_PAIR, 1)                                                                              \
    X(KNIGHT_PER_PAWN, 1)                                                                          \
    X(ROOK_PER_PAWN, 1)                                                                            \
    X(ISOLATED, 2)                                                                                 \
    X(BACKWARD, 2)                                                                                 \
    X(DOUBLED, 2)                                                                                  \
    X(PHALANX, 8)                                                                                  \
    X(PROTECTED, 8)                                                                                \
    X(CANDIDATE, 8)                                                                                \
    X(PASSED, 8)                                                                                   \
    X(PASSED_FREE, 8)                                                                              \
    X(PASSED_SAFE_STOP, 8)                                                                         \
    X(PASSED_SAFE_PATH, 8)                                                                         \
    X(PASSED_STOP_DEFENDED, 8)                                                                     \
    X(PASSED_OWN_KING, 8)                                                                          \
    X(PASSED_FOE_KING, 8)                                                                          \
    X(PASSED_ROOK_BEHIND, 2)                                                                       \
    X(PASSED_UNSTOPPABLE, 1)                                                                       \
    X(KNIGHT_MOBILITY, 9)                                                                          \
    X(BISHOP_MOBILITY, 14)                                                                         \
    X(ROOK_MOBILITY, 15)                                                                           \
    X(QUEEN_MOBILITY, 28)                                                                          \
    X(KNIGHT_OUTPOST, 3)                                                                           \
    X(BISHOP_OUTPOST, 3)                                                                           \
    X(MINOR_BEHIND_PAWN, 1)                                                                        \
    X(BISHOP_OWN_PAWNS, 1)                                                                         \
    X(BISHOP_RAMMED_PAWNS, 1)                                                                      \
    X(BISHOP_FOE_PAWNS, 1)                                                                         \
    X(BISHOP_LONG_DIAGONAL, 1)                                                                     \
    X(ROOK_FILE, 3)                                                                                \
    X(ROOK_SEVENTH, 1)                                                                             \
    X(SPACE, 1)                                                                                    \
    X(THREAT_BY_PAWN, 6)                                                                           \
    X(THREAT_BY_MINOR, 6)                                                                          \
    X(THREAT_BY_ROOK, 6)                                                                           \
    X(THREAT_BY_QUEEN, 1)                                                                          \
    X(THREAT_BY_KING, 1)                                                                           \
    X(THREAT_BY_PUSH, 1)                                                                           \
    X(HANGING, 1)                                                                                  \
    X(RESTRICTED, 1)                                                                               \
    X(QUEEN_HARASSED, 2)                                                                           \
    X(SHELTER, 32)                                                                                 \
    X(STORM, 32)                                                                                   \
    X(STORM_RAMMED, 8)                                                                             \
    X(DANGER_BASE, 1)                                                                              \
    X(DANGER_ATTACKER, 6)                                                                          \
    X(DANGER_RING_HIT, 6)                                                                          \
    X(DANGER_RING_WEAK, 1)                                                                         \
    X(DANGER_SAFE_CHECK, 12)                                                                       \
    X(DANGER_UNSAFE_CHECK, 6)                                                                      \
    X(DANGER_NO_QUEEN, 1)                                                                          \
    X(DANGER_FLANK_ATTACK, 2)                                                                      \
    X(DANGER_FLANK_DEFENCE, 1)                                                                     \
    X(DANGER_KNIGHT_DEFENDER, 1)                                                                   \
    X(DANGER_PINNED, 1)                                                                            \
    X(DANGER_SHELTER, 8)                                                                           \
    X(DANGER_STORM, 8)

enum {
#define X(name, size) W_##name, W_##name##_LAST = W_##name + (size)-1,
    EVAL_WEIGHT_GROUPS(X)
#undef X
        WEIGHT_COUNT,
};

extern const int32_t eval_weights[WEIGHT_COUNT];

#endif
