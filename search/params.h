/* Every tuned number of the search in one table: name, default, min, max, step of a tuner.
 * Scores are centipawns, depths are plies, reductions are 1/1024 ply, numbers of moves (LMP_*) are
 * hundredths, weights of histories (QUIET_*) are 1/1024, TIME_* are permille, unless the name says
 * otherwise. TIME_HARD_FACTOR is a factor, TIME_FALL_ITERATION, _TREND and _MOVE are permille for
 * each centipawn, TIME_CHANGE_SLOPE is permille for each change.
 *
 * In a normal build these are compile-time constants. With -DCAXTON_TUNE=ON they are variables, so
 * that the engine can offer each as a UCI option. A new number is one row here. */
#pragma once

/* clang-format off */
#define SEARCH_PARAMS(P)                                                                           \
    P(ASPIRATION_DEPTH, 4, 2, 8, 1)                                                                \
    P(ASPIRATION_WINDOW, 16, 5, 40, 3)                                                             \
    P(ASPIRATION_SCORE_DIVISOR, 16384, 4096, 65536, 2048)                                          \
    P(ASPIRATION_MAX, 700, 200, 2000, 100)                                                         \
    P(RFP_DEPTH, 8, 4, 12, 1)                                                                      \
    P(RFP_MARGIN, 55, 30, 120, 6)                                                                  \
    P(RFP_IMPROVING, 69, 20, 120, 6)                                                               \
    P(TT_SURPLUS_MARGIN, 173, 60, 400, 20)                                                         \
    P(TT_SURPLUS_PLIES, 4, 1, 8, 1)                                                                \
    P(RAZOR_DEPTH, 3, 1, 6, 1)                                                                     \
    P(RAZOR_MARGIN, 242, 100, 400, 20)                                                             \
    P(NULL_DEPTH, 3, 2, 5, 1)                                                                      \
    P(NULL_BASE, 3918, 2048, 6144, 200)                                                            \
    P(NULL_SLOPE, 281, 128, 512, 24)                                                               \
    P(NULL_EVAL_DIVISOR, 191, 40, 300, 15)                                                         \
    P(NULL_EVAL_MAX, 6, 1, 9, 1)                                                                   \
    P(NULL_STATIC_MARGIN, 159, 0, 400, 20)                                                         \
    P(NULL_STATIC_SLOPE, 17, 0, 50, 4)                                                             \
    P(NULL_VERIFY_DEPTH, 14, 8, 20, 1)                                                             \
    P(IIR_DEPTH, 4, 2, 8, 1)                                                                       \
    P(LMP_BASE, 413, 100, 900, 40)                                                                 \
    P(LMP_SLOPE, 110, 50, 200, 8)                                                                  \
    P(FUTILITY_DEPTH, 8, 4, 12, 1)                                                                 \
    P(FUTILITY_BASE, 91, 30, 200, 10)                                                              \
    P(FUTILITY_MARGIN, 78, 40, 150, 8)                                                             \
    P(FUTILITY_HISTORY_DIVISOR, 138, 32, 512, 16)                                                  \
    P(HISTORY_PRUNE_DEPTH, 5, 2, 8, 1)                                                             \
    P(HISTORY_PRUNE_MARGIN, 3554, 1500, 6000, 250)                                                 \
    P(SEE_QUIET_MARGIN, 21, 10, 60, 4)                                                             \
    P(SEE_NOISY_MARGIN, 102, 40, 160, 8)                                                           \
    P(SINGULAR_DEPTH, 5, 4, 10, 1)                                                                 \
    P(SINGULAR_TT_PLIES, 3, 1, 6, 1)                                                               \
    P(SINGULAR_MARGIN, 24, 8, 48, 3)                                                               \
    P(SINGULAR_DOUBLE_MARGIN, 18, 5, 50, 3)                                                        \
    P(LMR_DEPTH, 3, 2, 5, 1)                                                                       \
    P(LMR_BASE, 875, 300, 1300, 60)                                                                \
    P(LMR_SCALE, 482, 300, 700, 25)                                                                \
    P(LMR_NOISY_BASE, 176, 0, 500, 40)                                                             \
    P(LMR_NOISY_SCALE, 320, 150, 500, 25)                                                          \
    P(LMR_PV, 1038, 300, 1600, 80)                                                                 \
    P(LMR_TT_PV, 553, 0, 1200, 80)                                                                 \
    P(LMR_CUT, 1465, 500, 2500, 100)                                                               \
    P(LMR_NOT_IMPROVING, 739, 200, 1400, 70)                                                       \
    P(LMR_KILLER, 788, 300, 1500, 80)                                                              \
    P(LMR_CHECK, 861, 200, 1500, 80)                                                               \
    P(LMR_TT_NOISY, 633, 0, 1200, 80)                                                              \
    P(LMR_CUTOFFS, 741, 0, 1400, 80)                                                               \
    P(LMR_CUTOFF_COUNT, 2, 1, 8, 1)                                                                \
    P(LMR_HISTORY_DIVISOR, 9385, 4000, 16000, 600)                                                 \
    P(DEEPER_MARGIN, 40, 10, 90, 6)                                                                \
    P(DEEPER_SLOPE, 4, 0, 12, 1)                                                                   \
    P(ALPHA_RAISED_DEPTH_MIN, 4, 2, 8, 1)                                                          \
    P(ALPHA_RAISED_DEPTH_MAX, 11, 6, 20, 1)                                                        \
    P(QS_FUTILITY, 162, 50, 250, 12)                                                               \
    P(QS_SEE_MARGIN, 25, -20, 100, 8)                                                              \
    P(NOISY_VICTIM_SCALE, 14, 4, 64, 2)                                                            \
    P(NOISY_HISTORY_DIVISOR, 4, 1, 16, 1)                                                          \
    P(QUIET_HISTORY, 1047, 512, 2048, 80)                                                          \
    P(QUIET_CONTINUATION_1, 1095, 512, 2048, 80)                                                   \
    P(QUIET_CONTINUATION_2, 965, 512, 2048, 80)                                                    \
    P(QUIET_CONTINUATION_4, 517, 0, 1024, 60)                                                      \
    P(BONUS_SCALE, 165, 80, 300, 15)                                                               \
    P(BONUS_OFFSET, 65, 0, 300, 20)                                                                \
    P(BONUS_MAX, 1871, 800, 2600, 120)                                                             \
    P(MALUS_SCALE, 197, 80, 300, 15)                                                               \
    P(MALUS_OFFSET, 57, 0, 300, 20)                                                                \
    P(MALUS_MAX, 1251, 600, 2400, 120)                                                             \
    P(CORRECTION_DIVISOR, 48, 24, 128, 4)                                                          \
    P(CORRECTION_DEPTH_DIVISOR, 8, 2, 32, 1)                                                       \
    P(CORRECTION_STEP_MAX, 224, 64, 512, 24)                                                       \
    P(RULE50_SCALE, 220, 120, 500, 15)                                                             \
    P(TT_CUT_RULE50, 90, 50, 100, 4)                                                               \
    P(TT_AGE_PLIES, 8, 1, 32, 1)                                                                   \
    P(TT_KEEP_PLIES, 4, 0, 12, 1)                                                                  \
    P(TIME_SOFT_PERMILLE, 46, 20, 80, 2)                                                           \
    P(TIME_INCREMENT_PERMILLE, 500, 200, 900, 40)                                                  \
    P(TIME_HARD_FACTOR, 6, 2, 8, 1)                                                                \
    P(TIME_HARD_PERMILLE, 400, 200, 700, 25)                                                       \
    P(TIME_MOVES_PERMILLE, 900, 600, 1000, 25)                                                     \
    P(TIME_MOVES_HARD_PERMILLE, 600, 300, 800, 25)                                                 \
    P(TIME_LAST_HARD_PERMILLE, 900, 700, 950, 20)                                                  \
    P(TIME_STABLE_0, 1400, 1000, 2000, 50)                                                         \
    P(TIME_STABLE_1, 1150, 900, 1600, 40)                                                          \
    P(TIME_STABLE_2, 1000, 800, 1300, 30)                                                          \
    P(TIME_STABLE_3, 920, 700, 1200, 30)                                                           \
    P(TIME_STABLE_4, 860, 600, 1100, 30)                                                           \
    P(TIME_STABLE_5, 820, 500, 1100, 30)                                                           \
    P(TIME_STABLE_6, 790, 400, 1100, 30)                                                           \
    P(TIME_FALL_BASE, 900, 500, 1300, 40)                                                          \
    P(TIME_FALL_ITERATION, 8, 0, 40, 2)                                                            \
    P(TIME_FALL_TREND, 10, 0, 40, 2)                                                               \
    P(TIME_FALL_MOVE, 20, 0, 60, 3)                                                                \
    P(TIME_FALL_MIN, 600, 300, 1000, 40)                                                           \
    P(TIME_FALL_MAX, 1600, 1000, 2500, 80)                                                         \
    P(TIME_CHANGE_BASE, 850, 600, 1100, 30)                                                        \
    P(TIME_CHANGE_SLOPE, 500, 0, 2000, 80)                                                         \
    P(TIME_EFFORT_BASE, 1650, 1200, 2200, 60)
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
