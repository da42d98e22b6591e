/* Every tuned number of the search in one table: name, default, min, max, step of a tuner.
 * Scores are centipawns, depths are plies, reductions are 1/1024 ply, numbers of moves (LMP_BASE,
 * LMP_SLOPE) are hundredths, LMP_NOT_IMPROVING is percent, weights of histories (QUIET_*,
 * SEE_NOISY_HISTORY) and RFP_RETURN are 1/1024, TIME_* are permille, unless the name says
 * otherwise. TIME_HARD_FACTOR is a factor, TIME_FALL_ITERATION, _TREND and _MOVE are permille for
 * each centipawn, TIME_CHANGE_SLOPE is permille for each change.
 *
 * In a normal build these are compile-time constants. With -DCAXTON_TUNE=ON they are variables, so
 * that the engine can offer each as a UCI option. A new number is one row here. */
#pragma once

/* clang-format off */
#define SEARCH_PARAMS(P)                                                                           \
    P(ASPIRATION_DEPTH, 4, 2, 8, 1)                                                                \
    P(ASPIRATION_WINDOW, 4, 2, 40, 2)                                                              \
    P(ASPIRATION_SCORE_DIVISOR, 6090, 1000, 65536, 500)                                            \
    P(IMPROVEMENT_UNKNOWN, 66, 0, 200, 10)                                                         \
    P(RFP_DEPTH, 7, 4, 12, 1)                                                                      \
    P(RFP_MARGIN, 64, 30, 120, 6)                                                                  \
    P(RFP_HISTORY_DIVISOR, 777, 200, 3000, 80)                                                     \
    P(RAZOR_BASE, 144, 0, 400, 20)                                                                 \
    P(RAZOR_SLOPE, 99, 30, 300, 12)                                                                \
    P(NULL_DEPTH_BASE, 4096, 2048, 6144, 200)                                                      \
    P(NULL_DEPTH_SLOPE, 341, 128, 512, 24)                                                         \
    P(NULL_EVAL_DIVISOR, 65, 30, 300, 6)                                                           \
    P(NULL_EVAL_MAX, 7, 1, 10, 1)                                                                  \
    P(NULL_STATIC_MARGIN, 91, 0, 400, 15)                                                          \
    P(NULL_STATIC_SLOPE, 8, 0, 50, 2)                                                              \
    P(NULL_IMPROVEMENT_DIVISOR, 13, 4, 60, 2)                                                      \
    P(NULL_HISTORY_MAX, 17139, 4000, 40000, 1500)                                                  \
    P(NULL_VERIFY_DEPTH, 14, 8, 20, 1)                                                             \
    P(PROBCUT_DEPTH, 5, 3, 9, 1)                                                                   \
    P(PROBCUT_MARGIN, 74, 30, 200, 10)                                                             \
    P(PROBCUT_IMPROVING, 21, 0, 80, 6)                                                             \
    P(IIR_PV, 3, 0, 4, 1)                                                                          \
    P(IIR_CUT, 2, 0, 4, 1)                                                                         \
    P(IIR_CUT_DEPTH, 9, 3, 14, 1)                                                                  \
    P(LMP_BASE, 3, 1, 9, 1)                                                                        \
    P(FUTILITY_DEPTH, 12, 4, 16, 1)                                                                \
    P(FUTILITY_BASE, 41, 10, 200, 8)                                                               \
    P(FUTILITY_MARGIN, 57, 30, 150, 6)                                                             \
    P(FUTILITY_HISTORY_DIVISOR, 133, 32, 512, 16)                                                  \
    P(FUTILITY_NOISY_DEPTH, 6, 3, 12, 1)                                                           \
    P(FUTILITY_NOISY_BASE, 70, 20, 250, 12)                                                        \
    P(FUTILITY_NOISY_MARGIN, 78, 30, 200, 10)                                                      \
    P(FUTILITY_NOISY_DIVISOR, 15, 4, 60, 2)                                                        \
    P(HISTORY_PRUNE_DEPTH, 4, 2, 8, 1)                                                             \
    P(HISTORY_PRUNE_MARGIN, 3875, 1500, 8000, 300)                                                 \
    P(SEE_QUIET_SQUARE, 150, 40, 400, 16)                                                          \
    P(SEE_QUIET_MARGIN, 94, 0, 400, 16)                                                            \
    P(SEE_NOISY_MARGIN, 87, 40, 160, 8)                                                            \
    P(SINGULAR_DEPTH, 5, 3, 10, 1)                                                                 \
    P(SINGULAR_PV_DEPTH, 2, 0, 5, 1)                                                               \
    P(SINGULAR_TT_PLIES, 3, 1, 6, 1)                                                               \
    P(SINGULAR_MARGIN, 19, 6, 48, 2)                                                               \
    P(SINGULAR_PV_MARGIN, 6, 0, 32, 2)                                                             \
    P(SINGULAR_DOUBLE_MARGIN, 10, 2, 50, 2)                                                        \
    P(SINGULAR_DOUBLE_MAX, 10, 3, 20, 1)                                                           \
    P(CHECK_DEPTH, 10, 5, 20, 1)                                                                   \
    P(CHECK_EVAL, 32, 0, 100, 8)                                                                   \
    P(LMR_DEPTH, 2, 2, 5, 1)                                                                       \
    P(LMR_BASE, 1642, 800, 2500, 80)                                                               \
    P(LMR_SCALE, 410, 200, 700, 20)                                                                \
    P(LMR_WINDOW, 1024, 0, 2000, 80)                                                               \
    P(LMR_NOT_IMPROVING, 1024, 200, 2000, 80)                                                      \
    P(LMR_NOT_IMPROVING_MIN, 916, 0, 2500, 100)                                                    \
    P(LMR_TT_PV, 2048, 500, 3500, 120)                                                             \
    P(LMR_MANY_BEFORE, 1024, 0, 2000, 80)                                                          \
    P(LMR_MANY_COUNT, 7, 2, 20, 1)                                                                 \
    P(LMR_CUT, 2048, 800, 3500, 120)                                                               \
    P(LMR_TT_NOISY, 1024, 0, 2000, 80)                                                             \
    P(LMR_PV, 1024, 0, 2500, 80)                                                                   \
    P(LMR_PV_SHALLOW, 11264, 0, 30000, 800)                                                        \
    P(LMR_SINGULAR, 1024, 0, 2000, 80)                                                             \
    P(LMR_THREATENED, 1024, 0, 2000, 80)                                                           \
    P(LMR_THREATENED_DEPTH, 10, 4, 16, 1)                                                          \
    P(LMR_CUTOFFS, 1024, 0, 2000, 80)                                                              \
    P(LMR_CUTOFF_COUNT, 3, 1, 8, 1)                                                                \
    P(LMR_HISTORY_OFFSET, 4433, 0, 12000, 400)                                                     \
    P(LMR_HISTORY_DIVISOR, 15600, 6000, 40000, 800)                                                \
    P(DEEPER_MARGIN, 25, 5, 90, 4)                                                                 \
    P(DEEPER_SLOPE, 4, 0, 12, 1)                                                                   \
    P(SHALLOWER_DIVISOR, 3, 1, 10, 1)                                                              \
    P(ALPHA_RAISED_DEPTH_MIN, 2, 1, 8, 1)                                                          \
    P(ALPHA_RAISED_DEPTH_MAX, 5, 3, 20, 1)                                                         \
    P(QS_FUTILITY, 60, 20, 250, 6)                                                                 \
    P(NOISY_VICTIM_SCALE, 15, 4, 64, 1)                                                            \
    P(NOISY_SEE_SCALE, 27, 0, 80, 3)                                                               \
    P(ORDER_CHECK, 16384, 0, 40000, 1000)                                                          \
    P(ORDER_SAVE_QUEEN, 50000, 0, 90000, 3000)                                                     \
    P(ORDER_SAVE_ROOK, 25000, 0, 60000, 1500)                                                      \
    P(ORDER_SAVE_MINOR, 15000, 0, 40000, 1000)                                                     \
    P(BONUS_SQUARE, 12, 0, 40, 2)                                                                  \
    P(BONUS_SCALE, 282, 80, 500, 15)                                                               \
    P(BONUS_OFFSET, 349, 0, 700, 25)                                                               \
    P(BONUS_MAX, 1594, 800, 2600, 100)                                                             \
    P(BONUS_MARGIN, 53, 10, 150, 6)                                                                \
    P(EVAL_BONUS_SCALE, 49, 0, 120, 4)                                                             \
    P(EVAL_BONUS_MAX, 1914, 500, 4000, 120)                                                        \
    P(FAIL_LOW_DEPTH, 5, 2, 9, 1)                                                                  \
    P(FAIL_LOW_MARGIN, 24, 5, 80, 3)                                                               \
    P(CORRECTION_DIVISOR, 45, 24, 128, 4)                                                          \
    P(CORRECTION_DEPTH_DIVISOR, 8, 2, 32, 1)                                                       \
    P(CORRECTION_STEP_MAX, 230, 64, 512, 24)                                                       \
    P(RULE50_SCALE, 195, 120, 500, 15)                                                             \
    P(TT_CUT_RULE50, 90, 50, 100, 4)                                                               \
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
