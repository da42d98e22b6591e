#include "engine/play.h"
int play_main(int argc, char **argv, uint64_t seed)
{
    (void)argc;
    (void)argv;
    (void)seed;
    return 1;
}
