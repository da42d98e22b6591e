/* Commands beyond UCI about the current position and the network. */
#pragma once

#include "engine/session.h"

void command_display(struct session *session);  /* board, FEN, key, opening, state of the game */
void command_eval(struct session *session);     /* the static evaluation and how it comes about */
void command_book(struct session *session);     /* what the book says here */
void command_compiler(struct session *session); /* what built this program; its network */
void command_flip(struct session *session); /* the same with colours exchanged; no moves before */

/* Writes the network in use to `path`, and says so. Errors: STATUS_IO, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status command_export_net(struct session *session, const char *path,
                                                 struct diag *diag);
