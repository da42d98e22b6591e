/* Another UCI engine as a child process that scores positions. */
#ifndef CAXTON_ENGINE_DATAGEN_UCI_PROCESS_H
#define CAXTON_ENGINE_DATAGEN_UCI_PROCESS_H

#include "engine/datagen/teacher.h"

struct uci_process;

/* One thread at a time may start engines. Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says why. */
MUST_CHECK enum caxton_status uci_process_start(const char *command, struct uci_process **out,
                                                struct diag *diag);
void uci_process_end(struct uci_process *engine); /* NULL is allowed */

/* Sends a question; so many may be open that both pipes hold them (64 at least). */
MUST_CHECK enum caxton_status uci_process_ask(struct uci_process *engine,
                                              const struct position *pos, uint64_t nodes,
                                              struct diag *diag);
/* The oldest answer that was not taken yet, which was to `pos`. */
MUST_CHECK enum caxton_status uci_process_answer(struct uci_process *engine,
                                                 const struct position *pos, struct lesson *out,
                                                 struct diag *diag);

#endif
