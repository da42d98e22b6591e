/* The `setoption` command. */
#pragma once

#include "engine/session.h"

/* Reads what follows `setoption` and puts it into force: in the session's options, and in its
 * search and books where the option concerns them. What is not understood, or had to be changed,
 * costs one `info string`; then the old value stays, or the nearest allowed one is taken. `echo`:
 * also confirm what was set. Ends the search in progress first. */
void setoption_command(struct session *session, struct span arguments, bool echo);
