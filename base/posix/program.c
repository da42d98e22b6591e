#include "base/program.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

void program_start(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

void program_outlive_reader(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
}

bool program_read_line(FILE *in, struct program_line *line)
{
    ssize_t size = getline(&line->data, &line->capacity, in);
    line->size = size < 0 ? 0 : (size_t)size;
    return size >= 0;
}
