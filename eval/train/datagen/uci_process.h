/* Another UCI engine as a child process that scores positions. */
#ifndef CAXTON_EVAL_TRAIN_DATAGEN_UCI_PROCESS_H
#define CAXTON_EVAL_TRAIN_DATAGEN_UCI_PROCESS_H

#include "eval/train/datagen/teacher.h"

struct uci_process;

/* Starts the engine that setup->command names, without waiting for it. One thread at a time may
 * start engines. Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says why. */
MUST_CHECK enum caxton_status uci_process_start(const struct teacher_setup *setup,
                                                struct uci_process **out, struct diag *diag);
void uci_process_end(struct uci_process *engine); /* NULL is allowed */

/* The first thing to do after the start: waits for uciok and sets the options.
 * Errors, here and below: STATUS_END (asked to stop), STATUS_IO (the engine is gone, silent for
 * too long, or answers nonsense; `diag` says which). */
MUST_CHECK enum caxton_status uci_process_greet(struct uci_process *engine, struct diag *diag);

/* Puts a question, about the move `only` if that is not MOVE_NONE; so many may be open that the
 * engine's pipe holds their answers (64 at least). */
MUST_CHECK enum caxton_status uci_process_ask(struct uci_process *engine,
                                              const struct position *pos, move only,
                                              struct diag *diag);
/* The oldest answer that was not taken yet, which was to `pos`. */
MUST_CHECK enum caxton_status uci_process_answer(struct uci_process *engine,
                                                 const struct position *pos, struct lesson *out,
                                                 struct diag *diag);

#endif
