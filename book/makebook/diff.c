#include "book/makebook/command.h"
int command_diff(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return EXIT_FAILED;
}
