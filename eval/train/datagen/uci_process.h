/* Another UCI engine as a child process that scores positions. */
#pragma once

#include "base/status.h"
#include "eval/train/datagen/label.h"

struct uci_process;

/* Starts the engine that setup->command names, without waiting for it. One thread at a time may
 * start engines. Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says why. */
MUST_CHECK enum caxton_status uci_process_start(const struct labeller_setup *setup,
                                                struct uci_process **out, struct diag *diag);
void uci_process_end(struct uci_process *engine); /* NULL is allowed */

/* Call it first: waits for "uciok" and sets the options.
 * Errors, here and below: STATUS_END (asked to stop), STATUS_IO (the engine is gone, silent for
 * too long, or its answer is wrong; `diag` says which). */
MUST_CHECK enum caxton_status uci_process_handshake(struct uci_process *engine, struct diag *diag);

/* Asks for a label, with only that move to search unless it is MOVE_NONE. As many questions may be
 * open as the engine's pipe holds answers (64 at least). */
MUST_CHECK enum caxton_status uci_process_ask(struct uci_process *engine,
                                              const struct position *pos, move only,
                                              struct diag *diag);
/* Waits for the answer to the oldest open question, which was about `pos`. */
MUST_CHECK enum caxton_status uci_process_answer(struct uci_process *engine,
                                                 const struct position *pos, struct label *out,
                                                 struct diag *diag);
