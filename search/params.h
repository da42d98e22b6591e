/* Every tuned number of the search in one table: name, default, min, max, step of a tuner.
 * Scores are centipawns, depths are plies, reductions (LMR_*) are 1/1024 ply; RFP_BASE, _SLOPE,
 * _MAX and _UNKNOWN are 1/16 centipawn, SEE_QUIET_SQUARE and HISTORY_VICTIM 1/16, singular margins
 * of a ply 1/64; weights of histories, bonuses and returned scores are 1/1024 unless their use says
 * otherwise; *_CORRECTION divide corrections in 1/CORRECTION_ONE centipawn; TIME_* are permille.
 * TIME_HARD_FACTOR is a factor, TIME_FALL_ITERATION, _TREND and _MOVE are permille for each
 * centipawn, TIME_CHANGE_SLOPE is permille for each change; ASPIRATION_GROWTH and BONUS_SEARCHED
 * (for each move searched) are 1/1024.
 *
 * What is not tuned stands at its use: sizes, see_values (the unit of many rows), log_table (it is
 * computed), shares that are part of a formula (half of the depth), and what games at short time
 * controls do not measure: the reserves of the clock and endgame tables.
 *
 * In a normal build these are compile-time constants. With -DCAXTON_TUNE=ON they are variables, so
 * that the engine can offer each as a UCI option. A new number is one row here. */
#pragma once

/* clang-format off */
#define SEARCH_PARAMS(P)                                                                           \
    P(ASPIRATION_DEPTH, 4, 2, 8, 1)                                                                \
    P(ASPIRATION_WINDOW, 9, 1, 40, 2)                                                              \
    P(ASPIRATION_SCORE_DIVISOR, 4110, 500, 20000, 400)                                             \
    P(ASPIRATION_MORE_MAX, 68, 10, 400, 10)                                                        \
    P(ASPIRATION_GROWTH, 384, 100, 1500, 40)                                                       \
    P(HINDSIGHT_MARGIN, 59, 0, 200, 8)                                                             \
    P(HINDSIGHT_DEEPER, 3, 1, 8, 1)                                                                \
    P(HINDSIGHT_SHALLOWER, 2, 1, 8, 1)                                                             \
    P(RFP_DEPTH, 18, 4, 30, 1)                                                                     \
    P(RFP_BASE, 278, 80, 600, 24)                                                                  \
    P(RFP_SLOPE, 26, 0, 80, 5)                                                                     \
    P(RFP_MAX, 502, 200, 1200, 32)                                                                 \
    P(RFP_UNKNOWN, 123, 0, 300, 16)                                                                \
    P(RFP_IMPROVING, 2880, 500, 6000, 180)                                                         \
    P(RFP_WORSENING, 235, 0, 2000, 80)                                                             \
    P(RFP_CORRECTION, 445242, 100000, 2000000, 60000)                                              \
    P(RFP_RETURN, 433, 0, 1024, 50)                                                                \
    P(RAZOR_BASE, 173, 0, 500, 20)                                                                 \
    P(RAZOR_SLOPE, 116, 30, 300, 12)                                                               \
    P(NULL_STATIC_MARGIN, 147, 0, 400, 12)                                                         \
    P(NULL_STATIC_SLOPE, 7, 0, 50, 1)                                                              \
    P(NULL_IMPROVING, 22, 0, 100, 6)                                                               \
    P(NULL_DEPTH_BASE, 7, 4, 10, 1)                                                                \
    P(NULL_DEPTH_DIVISOR, 3, 2, 8, 1)                                                              \
    P(NULL_EVAL_DIVISOR, 85, 30, 400, 10)                                                          \
    P(NULL_VERIFY_DEPTH, 16, 8, 24, 1)                                                             \
    P(IIR_DEPTH, 6, 3, 12, 1)                                                                      \
    P(PROBCUT_DEPTH, 3, 2, 9, 1)                                                                   \
    P(PROBCUT_MARGIN, 86, 30, 200, 8)                                                              \
    P(PROBCUT_IMPROVING, 24, 0, 80, 5)                                                             \
    P(PROBCUT_REDUCTION, 3, 1, 6, 1)                                                               \
    P(PROBCUT_REDUCTION_IMPROVING, 2, 0, 4, 1)                                                     \
    P(TT_SURPLUS_MARGIN, 170, 40, 400, 12)                                                         \
    P(TT_SURPLUS_PLIES, 4, 0, 8, 1)                                                                \
    P(LMP_BASE, 3, 1, 9, 1)                                                                        \
    P(FUTILITY_DEPTH, 12, 4, 20, 1)                                                                \
    P(FUTILITY_BASE, 59, 10, 200, 6)                                                               \
    P(FUTILITY_MARGIN, 37, 15, 150, 4)                                                             \
    P(FUTILITY_ABOVE, 33, 0, 120, 5)                                                               \
    P(FUTILITY_QUIET, 68, 0, 200, 6)                                                               \
    P(FUTILITY_HISTORY_DIVISOR, 3105, 1000, 9000, 150)                                             \
    P(FUTILITY_NOISY_DEPTH, 8, 3, 14, 1)                                                           \
    P(FUTILITY_NOISY_BASE, 81, 20, 250, 10)                                                        \
    P(FUTILITY_NOISY_MARGIN, 88, 30, 200, 8)                                                       \
    P(FUTILITY_NOISY_HISTORY, 42, 0, 200, 6)                                                       \
    P(HISTORY_PRUNE_MARGIN, 4386, 1500, 9000, 250)                                                 \
    P(SEE_QUIET_SQUARE, 140, 40, 400, 10)                                                          \
    P(SEE_NOISY_MARGIN, 66, 20, 160, 5)                                                            \
    P(SEE_NOISY_HISTORY, 13, -40, 60, 3)                                                           \
    P(SINGULAR_DEPTH, 6, 4, 10, 1)                                                                 \
    P(SINGULAR_TT_PLIES, 3, 1, 6, 1)                                                               \
    P(SHUFFLE_RULE50, 10, 2, 40, 2)                                                                \
    P(SHUFFLE_PLY, 20, 4, 60, 3)                                                                   \
    P(SINGULAR_MARGIN, 22, 4, 80, 3)                                                               \
    P(SINGULAR_PV_MARGIN, 24, 0, 80, 3)                                                            \
    P(SINGULAR_DOUBLE, 5, -40, 60, 4)                                                              \
    P(SINGULAR_DOUBLE_PV, 65, 0, 300, 10)                                                          \
    P(SINGULAR_DOUBLE_QUIET, 57, 0, 200, 8)                                                        \
    P(SINGULAR_DOUBLE_HISTORY, 243, 0, 2000, 40)                                                   \
    P(SINGULAR_DOUBLE_DEEP, 15, 0, 80, 4)                                                          \
    P(SINGULAR_TRIPLE, 31, -40, 120, 6)                                                            \
    P(SINGULAR_TRIPLE_PV, 96, 0, 400, 12)                                                          \
    P(SINGULAR_TRIPLE_QUIET, 68, 0, 300, 8)                                                        \
    P(SINGULAR_TRIPLE_TT_PV, 32, 0, 200, 6)                                                        \
    P(SINGULAR_TRIPLE_DEEP, 13, 0, 80, 4)                                                          \
    P(SINGULAR_CORRECTION, 541364, 100000, 3000000, 60000)                                         \
    P(MULTICUT_MALUS_BASE, 392, 0, 1500, 40)                                                       \
    P(MULTICUT_MALUS_SLOPE, 115, 0, 400, 10)                                                       \
    P(SINGULAR_NEGATIVE, 3, 0, 4, 1)                                                                   \
    P(LMR_BASE, 1014, 0, 2500, 60)                                                                 \
    P(LMR_SCALE, 507, 200, 900, 20)                                                                \
    P(LMR_WINDOW, 575, 0, 2000, 50)                                                                \
    P(LMR_NOT_IMPROVING, 210, 0, 500, 15)                                                          \
    P(LMR_TT_PV_BASE, 982, 0, 2500, 60)                                                            \
    P(LMR_OFFSET, 624, -1000, 2500, 60)                                                            \
    P(LMR_MOVE, 64, 0, 200, 6)                                                                     \
    P(LMR_TT_PV, 3063, 1000, 5000, 100)                                                            \
    P(LMR_PV, 876, 0, 2500, 60)                                                                    \
    P(LMR_TT_ABOVE, 831, 0, 2500, 60)                                                              \
    P(LMR_TT_DEEP, 859, 0, 2500, 60)                                                               \
    P(LMR_TT_DEEP_CUT, 925, 0, 2500, 60)                                                           \
    P(LMR_CORRECTION, 26129, 5000, 200000, 3000)                                                   \
    P(LMR_CUT, 4113, 1000, 7000, 120)                                                              \
    P(LMR_CUT_UNKNOWN, 984, 0, 2500, 60)                                                           \
    P(LMR_TT_NOISY, 1034, 0, 2500, 60)                                                             \
    P(LMR_CUTOFFS_2, 273, 0, 2500, 60)                                                             \
    P(LMR_CUTOFFS_3, 1146, 0, 2500, 60)                                                            \
    P(LMR_CUTOFFS_ALL, 1178, 0, 2500, 60)                                                          \
    P(LMR_TT_MOVE, 2198, 0, 4000, 80)                                                              \
    P(LMR_HISTORY, 421, 100, 1200, 24)                                                             \
    P(LMR_ALL, 250, 0, 1000, 20)                                                                   \
    P(LMR_FULL_UNKNOWN, 1104, 0, 2500, 60)                                                         \
    P(LMR_FULL_1, 5220, 2000, 9000, 150)                                                           \
    P(LMR_FULL_2, 5442, 2000, 9000, 150)                                                           \
    P(HISTORY_QUIET, 2115, 500, 5000, 100)                                                         \
    P(HISTORY_LAST, 1140, 300, 3000, 60)                                                           \
    P(HISTORY_BEFORE, 1129, 300, 3000, 60)                                                         \
    P(HISTORY_VICTIM, 297, 50, 1200, 16)                                                           \
    P(DEEPER_MARGIN, 19, 0, 90, 3)                                                                 \
    P(SHALLOWER_MARGIN, 3, 0, 20, 1)                                                               \
    P(ALPHA_RAISED_DEPTH_MIN, 4, 2, 8, 1)                                                          \
    P(ALPHA_RAISED_DEPTH_MAX, 11, 6, 20, 1)                                                        \
    P(ALPHA_RAISED_REDUCTION, 3, 0, 4, 1)                                                               \
    P(QS_FUTILITY, 112, 20, 250, 8)                                                                \
    P(QS_SEE_MARGIN, 24, -20, 100, 4)                                                              \
    P(QS_MOVES, 2, 1, 8, 1)                                                                        \
    P(QS_STAND_WEIGHT, 454, 0, 1024, 50)                                                           \
    P(QS_CUT_WEIGHT, 454, 0, 1024, 50)                                                             \
    P(NOISY_VICTIM_SCALE, 18, 4, 64, 1)                                                            \
    P(NOISY_SEE_DIVISOR, 50, 15, 200, 4)                                                           \
    P(NOISY_UNDERPROMOTION, -20000, -60000, 0, 2000)                                               \
    P(ORDER_CHECK, 15575, 0, 40000, 800)                                                           \
    P(ORDER_CHECK_LOSS, 33, 0, 120, 5)                                                             \
    P(ORDER_THREAT, 57, 0, 150, 5)                                                                 \
    P(ORDER_LOW_PLY, 7, 0, 20, 1)                                                                  \
    P(ORDER_GOOD_QUIET, -14620, -40000, 0, 800)                                                    \
    P(QUIET_AGE_SCALE, 731, 0, 1024, 50)                                                           \
    P(QUIET_LIMIT, 7183, 2000, 16000, 400)                                                         \
    P(NOISY_LIMIT, 10692, 3000, 20000, 500)                                                        \
    P(CONTINUATION_LIMIT, 30000, 8000, 32000, 1000)                                                \
    P(PAWN_LIMIT, 8192, 2000, 16000, 400)                                                          \
    P(TT_MOVE_LIMIT, 8192, 2000, 16000, 400)                                                       \
    P(QUIET_START, -5, -1000, 1000, 60)                                                            \
    P(LOW_PLY_START, 102, -1000, 1000, 60)                                                         \
    P(NOISY_START, -742, -2000, 1000, 80)                                                          \
    P(PAWN_START, -1338, -2000, 1000, 80)                                                          \
    P(CONTINUATION_START, -586, -2000, 1000, 80)                                                   \
    P(CONTINUATION_PLIES, 6, 4, 6, 1)                                                              \
    P(CONTINUATION_1, 1060, 0, 2000, 50)                                                           \
    P(CONTINUATION_2, 702, 0, 2000, 50)                                                            \
    P(CONTINUATION_3, 277, 0, 2000, 50)                                                            \
    P(CONTINUATION_4, 519, 0, 2000, 50)                                                            \
    P(CONTINUATION_5, 140, 0, 2000, 50)                                                            \
    P(CONTINUATION_6, 449, 0, 2000, 50)                                                            \
    P(CONTINUATION_OFFSET, 81, 0, 200, 12)                                                         \
    P(BONUS_SCALE, 142, 50, 300, 8)                                                                \
    P(BONUS_OFFSET, 77, 0, 400, 20)                                                                \
    P(BONUS_MAX, 1461, 600, 3000, 80)                                                              \
    P(BONUS_TT_MOVE, 372, 0, 1000, 30)                                                             \
    P(BONUS_HISTORY_DIVISOR, 30, 8, 200, 3)                                                        \
    P(BONUS_SEARCHED, 4, 0, 16, 1)                                                                 \
    P(BONUS_LOW_PLY, 608, 200, 2000, 50)                                                           \
    P(BONUS_CONTINUATION, 759, 200, 2000, 50)                                                      \
    P(BONUS_PAWN, 1108, 200, 2000, 60)                                                             \
    P(BONUS_QUIET, 940, 300, 2000, 50)                                                             \
    P(BONUS_NOISY, 1370, 300, 3000, 80)                                                            \
    P(BONUS_REDUCED, 1262, 200, 3000, 80)                                                          \
    P(MALUS_SCALE, 946, 200, 1500, 50)                                                             \
    P(MALUS_OFFSET, 217, 0, 700, 25)                                                               \
    P(MALUS_MAX, 2212, 800, 4000, 120)                                                             \
    P(MALUS_PAWN, 485, 100, 1500, 40)                                                              \
    P(MALUS_QUIET, 1144, 300, 2000, 60)                                                            \
    P(MALUS_DECAY, 925, 600, 1024, 15)                                                             \
    P(MALUS_BEFORE, 742, 0, 2000, 50)                                                              \
    P(MALUS_NOISY, 1491, 300, 3000, 80)                                                            \
    P(TT_BONUS_SCALE, 128, 30, 400, 8)                                                             \
    P(TT_BONUS_MAX, 718, 200, 2500, 50)                                                            \
    P(TT_MALUS_BEFORE, 2238, 0, 4000, 120)                                                         \
    P(TT_MALUS_MOVES, 5, 1, 20, 1)                                                                 \
    P(TT_MOVE_BONUS, 838, 200, 2000, 60)                                                           \
    P(TT_MOVE_MALUS, 786, 200, 2000, 60)                                                           \
    P(EVAL_BONUS_MAX, 74, 20, 200, 5)                                                              \
    P(EVAL_BONUS_OFFSET, 21, 0, 80, 3)                                                             \
    P(EVAL_BONUS_QUIET, 28, 0, 100, 3)                                                             \
    P(EVAL_BONUS_PAWN, 36, 0, 100, 4)                                                              \
    P(FAIL_LOW_SCALE, 148, 30, 400, 10)                                                            \
    P(FAIL_LOW_OFFSET, 94, 0, 400, 20)                                                             \
    P(FAIL_LOW_MAX, 1393, 400, 3000, 80)                                                           \
    P(FAIL_LOW_BASE, -260, -800, 300, 25)                                                          \
    P(FAIL_LOW_HISTORY_DIVISOR, 105, 20, 400, 8)                                                   \
    P(FAIL_LOW_DEPTH, 56, 0, 200, 6)                                                               \
    P(FAIL_LOW_DEPTH_MAX, 438, 100, 1000, 30)                                                      \
    P(FAIL_LOW_LATE, 189, 0, 600, 18)                                                              \
    P(FAIL_LOW_LATE_MOVES, 9, 2, 30, 1)                                                            \
    P(FAIL_LOW_WORSE, 137, 0, 600, 16)                                                             \
    P(FAIL_LOW_MARGIN, 45, 0, 150, 6)                                                              \
    P(FAIL_LOW_WORSE_BEFORE, 156, 0, 600, 16)                                                      \
    P(FAIL_LOW_MARGIN_BEFORE, 20, 0, 150, 5)                                                       \
    P(FAIL_LOW_CONTINUATION, 264, 0, 900, 24)                                                      \
    P(FAIL_LOW_QUIET, 211, 0, 900, 20)                                                             \
    P(FAIL_LOW_PAWN, 297, 0, 900, 28)                                                              \
    P(FAIL_LOW_NOISY, 913, 0, 2500, 80)                                                            \
    P(CORRECTION_ONE, 351081, 100000, 2000000, 30000)                                              \
    P(CORRECTION_LIMIT, 1024, 256, 2048, 60)                                                       \
    P(CORRECTION_PAWNS, 14833, 3000, 40000, 900)                                                   \
    P(CORRECTION_MINORS, 11338, 0, 40000, 900)                                                     \
    P(CORRECTION_PIECES, 11677, 3000, 40000, 900)                                                  \
    P(CORRECTION_MOVES, 8690, 0, 40000, 700)                                                       \
    P(CORRECTION_RAISED, 249, 60, 900, 20)                                                         \
    P(CORRECTION_FAILED, 406, 60, 1200, 30)                                                        \
    P(CORRECTION_MULTICUT, 506, 0, 1500, 40)                                                       \
    P(CORRECTION_STEP_MINORS, 157, 30, 400, 10)                                                    \
    P(CORRECTION_STEP_PIECES, 186, 30, 400, 10)                                                    \
    P(CORRECTION_STEP_LAST, 121, 0, 400, 10)                                                       \
    P(CORRECTION_STEP_BEFORE, 70, 0, 400, 8)                                                       \
    P(RULE50_SCALE, 204, 120, 500, 15)                                                             \
    P(TT_CUT_RULE50, 96, 50, 100, 4)                                                               \
    P(TT_CUT_ANY_DEPTH, 5, 1, 12, 1)                                                               \
    P(TT_CUT_VERIFY_DEPTH, 7, 3, 14, 1)                                                            \
    P(TT_AGE_PLIES, 8, 1, 32, 1)                                                                   \
    P(TT_KEEP_PLIES, 4, 0, 12, 1)                                                                  \
    P(TT_KEEP_PV, 2, 0, 8, 1)                                                                      \
    P(TT_DECISIVE_DEPTH, 5, 2, 14, 1)                                                              \
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
