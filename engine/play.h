/* `caxton play`: the engine plays a game against itself in a terminal, and saves it. */
#pragma once

#include <stdint.h>

#include "base/program.h"

/* The arguments are those of main(), argv[1] being "play". Writes to standard output, a fault to
 * standard error. `seed`: of the choice of book moves, unless --seed names one. */
enum exit_status play_main(int argc, char **argv, uint64_t seed);
