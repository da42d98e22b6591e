/* Commands beyond UCI about the current position and the network. */
#pragma once

#include "engine/session.h"

void command_display(struct session *session);  /* board, FEN, key, opening, state of the game */
void command_eval(struct session *session);     /* the static evaluation and how it comes about */
void command_book(struct session *session);     /* what the book says here */
void command_compiler(struct session *session); /* what built this program; its network */
