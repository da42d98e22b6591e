/* The network inside the program. */
#ifndef CAXTON_EVAL_NETWORK_BUILTIN_H
#define CAXTON_EVAL_NETWORK_BUILTIN_H

#include "eval/network.h"

/* eval/default.nnue, read at the first call; NULL when there is no memory. Never freed. Any thread.
 */
const struct network *network_builtin(void);

#endif
