/* Every tuned number of the search in one table: name, default, min, max, step of a tuner.
 * Scores are centipawns, depths are plies, reductions (LMR_*) are 1/1024 ply; RFP_BASE, _SLOPE,
 * _MAX and _UNKNOWN are 1/16 centipawn, SEE_QUIET_SQUARE and HISTORY_VICTIM 1/16, singular margins
 * of a ply 1/64; weights of histories, bonuses and returned scores are 1/1024 unless their use says
 * otherwise; *_CORRECTION divide corrections in 1/CORRECTION_ONE centipawn; TIME_* are permille.
 * TIME_HARD_FACTOR is a factor, TIME_FALL_ITERATION, _TREND and _MOVE are permille for each
 * centipawn, TIME_CHANGE_SLOPE is permille for each change.
 *
 * In a normal build these are compile-time constants. With -DCAXTON_TUNE=ON they are variables, so
 * that the engine can offer each as a UCI option. A new number is one row here. */
#pragma once

/* clang-format off */
#define SEARCH_PARAMS(P)                                                                           \
    P(ASPIRATION_DEPTH, 4, 2, 8, 1)                                                                \
    P(ASPIRATION_WINDOW, 2, 1, 40, 2)                                                              \
    P(ASPIRATION_SCORE_DIVISOR, 3700, 500, 20000, 400)                                             \
    P(ASPIRATION_MORE_MAX, 60, 10, 400, 10)                                                        \
    P(HINDSIGHT_MARGIN, 60, 0, 200, 8)                                                             \
    P(RFP_DEPTH, 18, 4, 30, 1)                                                                     \
    P(RFP_BASE, 262, 80, 600, 24)                                                                  \
    P(RFP_SLOPE, 23, 0, 80, 5)                                                                     \
    P(RFP_MAX, 495, 200, 1200, 32)                                                                 \
    P(RFP_UNKNOWN, 116, 0, 300, 16)                                                                \
    P(RFP_IMPROVING, 2789, 500, 6000, 180)                                                         \
    P(RFP_WORSENING, 335, 0, 2000, 80)                                                             \
    P(RFP_CORRECTION, 545696, 100000, 2000000, 60000)                                              \
    P(RFP_RETURN, 363, 0, 1024, 50)                                                                \
    P(RAZOR_BASE, 176, 0, 500, 20)                                                                 \
    P(RAZOR_SLOPE, 116, 30, 300, 12)                                                               \
    P(NULL_STATIC_MARGIN, 133, 0, 400, 12)                                                         \
    P(NULL_STATIC_SLOPE, 5, 0, 50, 1)                                                              \
    P(NULL_IMPROVING, 17, 0, 100, 6)                                                               \
    P(NULL_DEPTH_BASE, 7, 4, 10, 1)                                                                \
    P(NULL_EVAL_DIVISOR, 93, 30, 400, 10)                                                          \
    P(NULL_VERIFY_DEPTH, 16, 8, 24, 1)                                                             \
    P(IIR_DEPTH, 6, 3, 12, 1)                                                                      \
    P(PROBCUT_DEPTH, 3, 2, 9, 1)                                                                   \
    P(PROBCUT_MARGIN, 88, 30, 200, 8)                                                              \
    P(PROBCUT_IMPROVING, 23, 0, 80, 5)                                                             \
    P(TT_SURPLUS_MARGIN, 156, 40, 400, 12)                                                         \
    P(LMP_BASE, 3, 1, 9, 1)                                                                        \
    P(FUTILITY_DEPTH, 12, 4, 20, 1)                                                                \
    P(FUTILITY_BASE, 60, 10, 200, 6)                                                               \
    P(FUTILITY_MARGIN, 43, 15, 150, 4)                                                             \
    P(FUTILITY_ABOVE, 33, 0, 120, 5)                                                               \
    P(FUTILITY_QUIET, 69, 0, 200, 6)                                                               \
    P(FUTILITY_HISTORY_DIVISOR, 3050, 1000, 9000, 150)                                             \
    P(FUTILITY_NOISY_DEPTH, 8, 3, 14, 1)                                                           \
    P(FUTILITY_NOISY_BASE, 85, 20, 250, 10)                                                        \
    P(FUTILITY_NOISY_MARGIN, 90, 30, 200, 8)                                                       \
    P(FUTILITY_NOISY_HISTORY, 49, 0, 200, 6)                                                       \
    P(HISTORY_PRUNE_MARGIN, 4136, 1500, 9000, 250)                                                 \
    P(SEE_QUIET_SQUARE, 134, 40, 400, 10)                                                          \
    P(SEE_NOISY_MARGIN, 64, 20, 160, 5)                                                            \
    P(SEE_NOISY_HISTORY, 12, -40, 60, 3)                                                           \
    P(SINGULAR_DEPTH, 6, 4, 10, 1)                                                                 \
    P(SINGULAR_TT_PLIES, 3, 1, 6, 1)                                                               \
    P(SINGULAR_MARGIN, 22, 4, 80, 3)                                                               \
    P(SINGULAR_PV_MARGIN, 24, 0, 80, 3)                                                            \
    P(SINGULAR_DOUBLE, -1, -40, 60, 4)                                                             \
    P(SINGULAR_DOUBLE_PV, 74, 0, 300, 10)                                                          \
    P(SINGULAR_DOUBLE_QUIET, 55, 0, 200, 8)                                                        \
    P(SINGULAR_DOUBLE_HISTORY, 267, 0, 2000, 40)                                                   \
    P(SINGULAR_DOUBLE_DEEP, 14, 0, 80, 4)                                                          \
    P(SINGULAR_TRIPLE, 25, -40, 120, 6)                                                            \
    P(SINGULAR_TRIPLE_PV, 101, 0, 400, 12)                                                         \
    P(SINGULAR_TRIPLE_QUIET, 68, 0, 300, 8)                                                        \
    P(SINGULAR_TRIPLE_TT_PV, 29, 0, 200, 6)                                                        \
    P(SINGULAR_TRIPLE_DEEP, 16, 0, 80, 4)                                                          \
    P(SINGULAR_CORRECTION, 545512, 100000, 3000000, 60000)                                         \
    P(MULTICUT_MALUS_BASE, 421, 0, 1500, 40)                                                       \
    P(MULTICUT_MALUS_SLOPE, 110, 0, 400, 10)                                                       \
    P(SINGULAR_LESS, 3, 0, 4, 1)                                                                   \
    P(LMR_BASE, 982, 0, 2500, 60)                                                                  \
    P(LMR_SCALE, 503, 200, 900, 20)                                                                \
    P(LMR_WINDOW, 577, 0, 2000, 50)                                                                \
    P(LMR_NOT_IMPROVING, 197, 0, 500, 15)                                                          \
    P(LMR_TT_PV_BASE, 929, 0, 2500, 60)                                                            \
    P(LMR_OFFSET, 697, -1000, 2500, 60)                                                            \
    P(LMR_MOVE, 65, 0, 200, 6)                                                                     \
    P(LMR_TT_PV, 3023, 1000, 5000, 100)                                                            \
    P(LMR_PV, 1004, 0, 2500, 60)                                                                   \
    P(LMR_TT_ABOVE, 885, 0, 2500, 60)                                                              \
    P(LMR_TT_DEEP, 816, 0, 2500, 60)                                                               \
    P(LMR_TT_DEEP_CUT, 940, 0, 2500, 60)                                                           \
    P(LMR_CORRECTION, 26310, 5000, 200000, 3000)                                                   \
    P(LMR_CUT, 4026, 1000, 7000, 120)                                                              \
    P(LMR_CUT_UNKNOWN, 933, 0, 2500, 60)                                                           \
    P(LMR_TT_NOISY, 1079, 0, 2500, 60)                                                             \
    P(LMR_CUTOFFS_2, 264, 0, 2500, 60)                                                             \
    P(LMR_CUTOFFS_3, 1095, 0, 2500, 60)                                                            \
    P(LMR_CUTOFFS_ALL, 1138, 0, 2500, 60)                                                          \
    P(LMR_TT_MOVE, 2179, 0, 4000, 80)                                                              \
    P(LMR_HISTORY, 439, 100, 1200, 24)                                                             \
    P(LMR_ALL, 276, 0, 1000, 20)                                                                   \
    P(LMR_FULL_UNKNOWN, 1127, 0, 2500, 60)                                                         \
    P(LMR_FULL_1, 5234, 2000, 9000, 150)                                                           \
    P(LMR_FULL_2, 5487, 2000, 9000, 150)                                                           \
    P(HISTORY_QUIET, 2252, 500, 5000, 100)                                                         \
    P(HISTORY_LAST, 1126, 300, 3000, 60)                                                           \
    P(HISTORY_BEFORE, 1093, 300, 3000, 60)                                                         \
    P(HISTORY_VICTIM, 300, 50, 1200, 16)                                                           \
    P(DEEPER_MARGIN, 19, 0, 90, 3)                                                                 \
    P(SHALLOWER_MARGIN, 3, 0, 20, 1)                                                               \
    P(ALPHA_RAISED_DEPTH_MIN, 4, 2, 8, 1)                                                          \
    P(ALPHA_RAISED_DEPTH_MAX, 11, 6, 20, 1)                                                        \
    P(ALPHA_RAISED_LESS, 3, 0, 4, 1)                                                               \
    P(QS_FUTILITY, 111, 20, 250, 8)                                                                \
    P(QS_SEE_MARGIN, 27, -20, 100, 4)                                                              \
    P(QS_STAND_WEIGHT, 441, 0, 1024, 50)                                                           \
    P(QS_CUT_WEIGHT, 462, 0, 1024, 50)                                                             \
    P(NOISY_VICTIM_SCALE, 19, 4, 64, 1)                                                            \
    P(NOISY_SEE_DIVISOR, 50, 15, 200, 4)                                                           \
    P(ORDER_CHECK, 16384, 0, 40000, 800)                                                           \
    P(ORDER_CHECK_LOSS, 27, 0, 120, 5)                                                             \
    P(ORDER_THREAT, 55, 0, 150, 5)                                                                 \
    P(ORDER_LOW_PLY, 8, 0, 20, 1)                                                                  \
    P(ORDER_GOOD_QUIET, -14000, -40000, 0, 800)                                                    \
    P(QUIET_AGE_SCALE, 729, 0, 1024, 50)                                                           \
    P(CONTINUATION_PLIES, 6, 4, 6, 1)                                                              \
    P(CONTINUATION_1, 1040, 0, 2000, 50)                                                           \
    P(CONTINUATION_2, 780, 0, 2000, 50)                                                            \
    P(CONTINUATION_3, 290, 0, 2000, 50)                                                            \
    P(CONTINUATION_4, 502, 0, 2000, 50)                                                            \
    P(CONTINUATION_5, 132, 0, 2000, 50)                                                            \
    P(CONTINUATION_6, 418, 0, 2000, 50)                                                            \
    P(CONTINUATION_OFFSET, 73, 0, 200, 12)                                                         \
    P(BONUS_SCALE, 133, 50, 300, 8)                                                                \
    P(BONUS_OFFSET, 81, 0, 400, 20)                                                                \
    P(BONUS_MAX, 1487, 600, 3000, 80)                                                              \
    P(BONUS_TT_MOVE, 364, 0, 1000, 30)                                                             \
    P(BONUS_HISTORY_DIVISOR, 28, 8, 200, 3)                                                        \
    P(BONUS_LOW_PLY, 712, 200, 2000, 50)                                                           \
    P(BONUS_CONTINUATION, 750, 200, 2000, 50)                                                      \
    P(BONUS_PAWN, 1104, 200, 2000, 60)                                                             \
    P(BONUS_QUIET, 899, 300, 2000, 50)                                                             \
    P(BONUS_NOISY, 1427, 300, 3000, 80)                                                            \
    P(BONUS_REDUCED, 1334, 200, 3000, 80)                                                          \
    P(MALUS_SCALE, 968, 200, 1500, 50)                                                             \
    P(MALUS_OFFSET, 235, 0, 700, 25)                                                               \
    P(MALUS_MAX, 2244, 800, 4000, 120)                                                             \
    P(MALUS_PAWN, 459, 100, 1500, 40)                                                              \
    P(MALUS_QUIET, 1159, 300, 2000, 60)                                                            \
    P(MALUS_DECAY, 921, 600, 1024, 15)                                                             \
    P(MALUS_BEFORE, 713, 0, 2000, 50)                                                              \
    P(MALUS_NOISY, 1489, 300, 3000, 80)                                                            \
    P(TT_BONUS_SCALE, 112, 30, 400, 8)                                                             \
    P(TT_BONUS_MAX, 695, 200, 2500, 50)                                                            \
    P(TT_MALUS_BEFORE, 2210, 0, 4000, 120)                                                         \
    P(TT_MOVE_BONUS, 918, 200, 2000, 60)                                                           \
    P(TT_MOVE_MALUS, 747, 200, 2000, 60)                                                           \
    P(EVAL_BONUS_MAX, 70, 20, 200, 5)                                                              \
    P(EVAL_BONUS_OFFSET, 22, 0, 80, 3)                                                             \
    P(EVAL_BONUS_QUIET, 30, 0, 100, 3)                                                             \
    P(EVAL_BONUS_PAWN, 36, 0, 100, 4)                                                              \
    P(FAIL_LOW_SCALE, 150, 30, 400, 10)                                                            \
    P(FAIL_LOW_OFFSET, 85, 0, 400, 20)                                                             \
    P(FAIL_LOW_MAX, 1337, 400, 3000, 80)                                                           \
    P(FAIL_LOW_BASE, -241, -800, 300, 25)                                                          \
    P(FAIL_LOW_HISTORY_DIVISOR, 98, 20, 400, 8)                                                    \
    P(FAIL_LOW_DEPTH, 59, 0, 200, 6)                                                               \
    P(FAIL_LOW_DEPTH_MAX, 420, 100, 1000, 30)                                                      \
    P(FAIL_LOW_LATE, 186, 0, 600, 18)                                                              \
    P(FAIL_LOW_WORSE, 142, 0, 600, 16)                                                             \
    P(FAIL_LOW_MARGIN, 39, 0, 150, 6)                                                              \
    P(FAIL_LOW_WORSE_BEFORE, 159, 0, 600, 16)                                                      \
    P(FAIL_LOW_MARGIN_BEFORE, 25, 0, 150, 5)                                                       \
    P(FAIL_LOW_CONTINUATION, 263, 0, 900, 24)                                                      \
    P(FAIL_LOW_QUIET, 215, 0, 900, 20)                                                             \
    P(FAIL_LOW_PAWN, 324, 0, 900, 28)                                                              \
    P(FAIL_LOW_NOISY, 892, 0, 2500, 80)                                                            \
    P(CORRECTION_ONE, 360448, 100000, 2000000, 30000)                                              \
    P(CORRECTION_PAWNS, 15341, 3000, 40000, 900)                                                   \
    P(CORRECTION_MINORS, 10569, 0, 40000, 900)                                                     \
    P(CORRECTION_PIECES, 12906, 3000, 40000, 900)                                                  \
    P(CORRECTION_MOVES, 8761, 0, 40000, 700)                                                       \
    P(CORRECTION_RAISED, 274, 60, 900, 20)                                                         \
    P(CORRECTION_FAILED, 410, 60, 1200, 30)                                                        \
    P(CORRECTION_MULTICUT, 487, 0, 1500, 40)                                                       \
    P(CORRECTION_STEP_MINORS, 150, 30, 400, 10)                                                    \
    P(CORRECTION_STEP_PIECES, 186, 30, 400, 10)                                                    \
    P(CORRECTION_STEP_LAST, 130, 0, 400, 10)                                                       \
    P(CORRECTION_STEP_BEFORE, 70, 0, 400, 8)                                                       \
    P(RULE50_SCALE, 199, 120, 500, 15)                                                             \
    P(TT_CUT_RULE50, 96, 50, 100, 4)                                                               \
    P(TT_AGE_PLIES, 8, 1, 32, 1)                                                                   \
    P(TT_KEEP_PLIES, 4, 0, 12, 1)                                                                  \
    P(TIME_SOFT_PERMILLE, 49, 20, 80, 2)                                                           \
    P(TIME_INCREMENT_PERMILLE, 472, 200, 900, 40)                                                  \
    P(TIME_HARD_FACTOR, 6, 2, 8, 1)                                                                \
    P(TIME_HARD_PERMILLE, 400, 200, 700, 25)                                                       \
    P(TIME_MOVES_PERMILLE, 900, 600, 1000, 25)                                                     \
    P(TIME_MOVES_HARD_PERMILLE, 600, 300, 800, 25)                                                 \
    P(TIME_LAST_HARD_PERMILLE, 900, 700, 950, 20)                                                  \
    P(TIME_STABLE_0, 1404, 1000, 2000, 50)                                                         \
    P(TIME_STABLE_1, 1151, 900, 1600, 40)                                                          \
    P(TIME_STABLE_2, 975, 800, 1300, 30)                                                           \
    P(TIME_STABLE_3, 912, 700, 1200, 30)                                                           \
    P(TIME_STABLE_4, 883, 600, 1100, 30)                                                           \
    P(TIME_STABLE_5, 850, 500, 1100, 30)                                                           \
    P(TIME_STABLE_6, 773, 400, 1100, 30)                                                           \
    P(TIME_FALL_BASE, 836, 500, 1300, 40)                                                          \
    P(TIME_FALL_ITERATION, 6, 0, 40, 2)                                                            \
    P(TIME_FALL_TREND, 10, 0, 40, 2)                                                               \
    P(TIME_FALL_MOVE, 18, 0, 60, 3)                                                                \
    P(TIME_FALL_MIN, 587, 300, 1000, 40)                                                           \
    P(TIME_FALL_MAX, 1611, 1000, 2500, 80)                                                         \
    P(TIME_CHANGE_BASE, 839, 600, 1100, 30)                                                        \
    P(TIME_CHANGE_SLOPE, 488, 0, 2000, 80)                                                         \
    P(TIME_EFFORT_BASE, 1697, 1200, 2200, 60)
/* clang-format on */

#ifdef CAXTON_TUNE
#define PARAM_DECLARE(name, value, min, max, step) extern int name;
SEARCH_PARAMS(PARAM_DECLARE)
#else
#define PARAM_DECLARE(name, value, min, max, step) name = (value),
enum search_param { SEARCH_PARAMS(PARAM_DECLARE) };
#endif
#undef PARAM_DECLARE

struct param {
    const char *name; /* static storage */
    int *value; /* for all searches of this program; written only while none runs, in min..max */
    int min;
    int max;
    int step; /* a usual first step of a tuner (SPSA's c) */
};

/* Every number, ended by a row without a name; in a normal build none. */
extern const struct param param_table[];
