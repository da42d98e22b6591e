/* The network inside the program. */
#pragma once

#include "eval/network.h"

/* eval/default.nnue, read at the first call; NULL when there is no memory. Never freed. Any thread.
 */
const struct network *network_builtin(void);
