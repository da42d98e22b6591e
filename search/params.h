/* Every tuned number of the search in one table: name, value, least, most, step of a tuner.
 * Scores are centipawns, depths are plies, reductions are 1/1024 ply unless the name says else. */
#ifndef CAXTON_SEARCH_PARAMS_H
#define CAXTON_SEARCH_PARAMS_H

/* clang-format off */
#define SEARCH_PARAMS(P)                                                                           \
    P(ASPIRATION_DEPTH, 4, 2, 8, 1)                                                                \
    P(ASPIRATION_WINDOW, 14, 5, 40, 3)                                                             \
    P(RFP_DEPTH, 8, 4, 12, 1)                                                                      \
    P(RFP_MARGIN, 72, 30, 120, 6)                                                                  \
    P(RFP_IMPROVING, 58, 20, 120, 6)                                                               \
    P(RAZOR_DEPTH, 3, 1, 6, 1)                                                                     \
    P(RAZOR_MARGIN, 240, 100, 400, 20)                                                             \
    P(NULL_DEPTH, 3, 2, 5, 1)                                                                      \
    P(NULL_BASE, 4, 2, 6, 1)                                                                       \
    P(NULL_DIVISOR, 4, 2, 8, 1)                                                                    \
    P(NULL_EVAL_DIVISOR, 200, 100, 300, 15)                                                        \
    P(NULL_VERIFY_DEPTH, 14, 8, 20, 1)                                                             \
    P(IIR_DEPTH, 4, 2, 8, 1)                                                                       \
    P(LMP_BASE, 4, 1, 8, 1)                                                                        \
    P(FUTILITY_DEPTH, 8, 4, 12, 1)                                                                 \
    P(FUTILITY_BASE, 95, 30, 200, 10)                                                              \
    P(FUTILITY_MARGIN, 85, 40, 150, 8)                                                             \
    P(HISTORY_PRUNE_DEPTH, 5, 2, 8, 1)                                                             \
    P(HISTORY_PRUNE_MARGIN, 3500, 1500, 6000, 250)                                                 \
    P(SEE_QUIET_MARGIN, 24, 10, 60, 4)                                                             \
    P(SEE_NOISY_MARGIN, 90, 40, 160, 8)                                                            \
    P(SINGULAR_DEPTH, 7, 5, 10, 1)                                                                 \
    P(SINGULAR_MARGIN, 24, 8, 48, 3)                                                               \
    P(DOUBLE_MARGIN, 18, 5, 50, 3)                                                                 \
    P(LMR_DEPTH, 3, 2, 5, 1)                                                                       \
    P(LMR_BASE, 820, 300, 1300, 60)                                                                \
    P(LMR_SCALE, 450, 300, 700, 25)                                                                \
    P(LMR_NOISY_BASE, 180, 0, 500, 40)                                                             \
    P(LMR_NOISY_SCALE, 330, 150, 500, 25)                                                          \
    P(LMR_PV, 1024, 300, 1600, 80)                                                                 \
    P(LMR_CUT, 1500, 500, 2500, 100)                                                               \
    P(LMR_NOT_IMPROVING, 700, 200, 1400, 70)                                                       \
    P(LMR_KILLER, 900, 300, 1500, 80)                                                              \
    P(LMR_CHECK, 900, 200, 1500, 80)                                                               \
    P(LMR_HISTORY_DIVISOR, 9000, 4000, 16000, 600)                                                 \
    P(DEEPER_MARGIN, 45, 10, 90, 6)                                                                \
    P(QS_FUTILITY, 140, 50, 250, 12)                                                               \
    P(DELTA_SEE, -30, -100, 20, 8)                                                                 \
    P(BONUS_SCALE, 170, 80, 300, 15)                                                               \
    P(BONUS_OFFSET, 90, 0, 300, 20)                                                                \
    P(BONUS_MAX, 1700, 800, 2600, 120)                                                             \
    P(MALUS_SCALE, 170, 80, 300, 15)                                                               \
    P(MALUS_OFFSET, 90, 0, 300, 20)                                                                \
    P(MALUS_MAX, 1300, 600, 2400, 120)
/* clang-format on */

#define PARAM_ENUM(name, value, least, most, step) name = (value),
enum search_param { SEARCH_PARAMS(PARAM_ENUM) };
#undef PARAM_ENUM

#endif
