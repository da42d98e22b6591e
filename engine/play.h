/* `caxton play`: a game of the engine against itself, to be watched in a terminal. */
#ifndef CAXTON_ENGINE_PLAY_H
#define CAXTON_ENGINE_PLAY_H

#include <stdint.h>

/* The arguments are those of main(), argv[1] being "play". Writes to standard output, a fault to
 * standard error. Returns the exit status: 0, 1 when something failed, 2 for bad arguments. */
int play_main(int argc, char **argv, uint64_t seed);

#endif
