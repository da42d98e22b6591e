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
    P(ASPIRATION_WINDOW, 17, 5, 40, 3)                                                             \
    P(ASPIRATION_SCORE_DIVISOR, 16384, 4096, 65536, 2048)                                          \
    P(ASPIRATION_MAX, 700, 200, 2000, 100)                                                         \
    P(RFP_DEPTH, 8, 4, 12, 1)                                                                      \
    P(RFP_MARGIN, 48, 30, 120, 6)                                                                  \
    P(RFP_IMPROVING, 53, 20, 120, 6)                                                               \
    P(RFP_RETURN, 646, 0, 1024, 80)                                                                \
    P(TT_SURPLUS_MARGIN, 204, 60, 400, 20)                                                         \
    P(TT_SURPLUS_PLIES, 4, 1, 8, 1)                                                                \
    P(RAZOR_DEPTH, 3, 1, 6, 1)                                                                     \
    P(RAZOR_MARGIN, 242, 100, 400, 20)                                                             \
    P(NULL_DEPTH, 3, 2, 5, 1)                                                                      \
    P(NULL_BASE, 4026, 2048, 6144, 200)                                                            \
    P(NULL_SLOPE, 251, 128, 512, 24)                                                               \
    P(NULL_EVAL_DIVISOR, 197, 40, 300, 15)                                                         \
    P(NULL_EVAL_MAX, 6, 1, 9, 1)                                                                   \
    P(NULL_STATIC_MARGIN, 173, 0, 400, 20)                                                         \
    P(NULL_STATIC_SLOPE, 14, 0, 50, 4)                                                             \
    P(NULL_VERIFY_DEPTH, 14, 8, 20, 1)                                                             \
    P(IIR_DEPTH, 4, 2, 8, 1)                                                                       \
    P(LMP_BASE, 396, 100, 900, 40)                                                                 \
    P(LMP_SLOPE, 118, 50, 200, 8)                                                                  \
    P(LMP_NOT_IMPROVING, 180, 110, 400, 15)                                                        \
    P(PRUNE_REDUCTION, 546, -1024, 2048, 120)                                                      \
    P(PRUNE_NOT_IMPROVING, 542, 0, 1500, 100)                                                      \
    P(FUTILITY_DEPTH, 11, 4, 12, 1)                                                                \
    P(FUTILITY_BASE, 45, 30, 200, 10)                                                              \
    P(FUTILITY_MARGIN, 67, 40, 150, 8)                                                             \
    P(FUTILITY_HISTORY_DIVISOR, 116, 32, 512, 16)                                                  \
    P(HISTORY_PRUNE_DEPTH, 5, 2, 8, 1)                                                             \
    P(HISTORY_PRUNE_MARGIN, 3365, 1500, 6000, 250)                                                 \
    P(SEE_QUIET_MARGIN, 29, 10, 60, 4)                                                             \
    P(SEE_NOISY_MARGIN, 109, 40, 160, 8)                                                           \
    P(SEE_NOISY_HISTORY, 20, -100, 300, 16)                                                        \
    P(SINGULAR_DEPTH, 5, 4, 10, 1)                                                                 \
    P(SINGULAR_TT_PLIES, 3, 1, 6, 1)                                                               \
    P(SINGULAR_MARGIN, 26, 8, 48, 3)                                                               \
    P(SINGULAR_DOUBLE_MARGIN, 17, 5, 50, 3)                                                        \
    P(LMR_DEPTH, 3, 2, 5, 1)                                                                       \
    P(LMR_BASE, 858, 300, 1300, 60)                                                                \
    P(LMR_SCALE, 513, 300, 700, 25)                                                                \
    P(LMR_NOISY_BASE, 134, 0, 500, 40)                                                             \
    P(LMR_NOISY_SCALE, 346, 150, 500, 25)                                                          \
    P(LMR_PV, 1148, 300, 1600, 80)                                                                 \
    P(LMR_ROOT, 367, -300, 1500, 100)                                                              \
    P(LMR_TT_PV, 459, 0, 1200, 80)                                                                 \
    P(LMR_CUT, 1414, 500, 2500, 100)                                                               \
    P(LMR_NOT_IMPROVING, 810, 200, 1400, 70)                                                       \
    P(LMR_KILLER, 819, 300, 1500, 80)                                                              \
    P(LMR_CHECK, 939, 200, 1500, 80)                                                               \
    P(LMR_TT_NOISY, 515, 0, 1200, 80)                                                              \
    P(LMR_CUTOFFS, 723, 0, 1400, 80)                                                               \
    P(LMR_CUTOFF_COUNT, 1, 1, 8, 1)                                                                \
    P(LMR_HISTORY_DIVISOR, 9117, 4000, 16000, 600)                                                 \
    P(DEEPER_MARGIN, 28, 10, 90, 6)                                                                \
    P(DEEPER_SLOPE, 4, 0, 12, 1)                                                                   \
    P(ALPHA_RAISED_DEPTH_MIN, 4, 2, 8, 1)                                                          \
    P(ALPHA_RAISED_DEPTH_MAX, 11, 6, 20, 1)                                                        \
    P(QS_FUTILITY, 180, 50, 250, 12)                                                               \
    P(QS_SEE_MARGIN, 35, -20, 100, 8)                                                              \
    P(NOISY_VICTIM_SCALE, 14, 4, 64, 2)                                                            \
    P(NOISY_HISTORY_DIVISOR, 4, 1, 16, 1)                                                          \
    P(QUIET_HISTORY, 1117, 512, 2048, 80)                                                          \
    P(QUIET_CONTINUATION_1, 1241, 512, 2048, 80)                                                   \
    P(QUIET_CONTINUATION_2, 1072, 512, 2048, 80)                                                   \
    P(QUIET_CONTINUATION_4, 669, 0, 1024, 60)                                                      \
    P(BONUS_SCALE, 184, 80, 300, 15)                                                               \
    P(BONUS_OFFSET, 46, 0, 300, 20)                                                                \
    P(BONUS_MAX, 1781, 800, 2600, 120)                                                             \
    P(MALUS_SCALE, 222, 80, 300, 15)                                                               \
    P(MALUS_OFFSET, 12, 0, 300, 20)                                                                \
    P(MALUS_MAX, 990, 600, 2400, 120)                                                              \
    P(CORRECTION_DIVISOR, 45, 24, 128, 4)                                                          \
    P(CORRECTION_DEPTH_DIVISOR, 8, 2, 32, 1)                                                       \
    P(CORRECTION_STEP_MAX, 230, 64, 512, 24)                                                       \
    P(RULE50_SCALE, 220, 120, 500, 15)                                                             \
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
