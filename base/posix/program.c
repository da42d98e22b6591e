#include "base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* A file that is opened takes the lowest free number: where the standard ones are closed (`>&-`), a
 * message would go into a file of ours. What is written to these fails, as before. */
static void occupy_standard_files(void)
{
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", file == 0 ? O_WRONLY : O_RDONLY);
}

void program_start(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    occupy_standard_files();
}

void program_outlive_reader(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
}

void program_forget_variable(const char *name)
{
    (void)unsetenv(name);
}

bool program_read_line(FILE *in, struct program_line *line)
{
    return program_read_bytes(in, line);
}
