/* Stands before main() of a program and runs it again and again, so that valgrind starts once for
 * many runs. Standard input has a run a line, its words between tabs: the folder, then the
 * program's arguments from its name on. A run is a child in that folder; the files stdin (if it is
 * there), stdout and stderr there are its standard streams. Standard output gets "PID" when it
 * starts, then "STATUS KIB": its exit status, or minus the signal that ended it, and its largest
 * memory.
 *
 * A line that begins with + starts a copy of this process that calls main() itself, without a
 * child, answers "warm", and takes the lines that follow up to an empty one: what valgrind has
 * translated, and what the program makes once, is there for all of its runs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* It is not POSIX, but where valgrind is, it is. */
pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage);
int __real_main(int argc, char **argv); /* by the linker: --wrap=main */
int __wrap_main(int argc, char **argv);

enum { WORDS = 64, LINE = 1 << 16, FROM = 60, TO = 61, COOL = 77 };

static void redirect(const char *path, int flags, int to)
{
    int file = open(path, flags, 0666);
    if (file < 0 && flags == O_RDONLY)
        file = open("/dev/null", flags);
    if (file < 0 || dup2(file, to) < 0)
        _exit(126);
    (void)close(file);
}

static int run(char *line)
{
    char *words[WORDS + 1] = {NULL};
    int count = 0;
    for (char *at = line; at && count < WORDS; count++) {
        words[count] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = '\0';
    }
    if (chdir(words[0]) != 0)
        _exit(126);
    redirect("stdin", O_RDONLY, STDIN_FILENO);
    redirect("stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect("stderr", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    return __real_main(count - 1, words + 1);
}

/* The line and no more: copies read on where it ends. */
static size_t read_line(char *line)
{
    size_t size = 0;
    while (size < LINE - 1 && read(FROM, line + size, 1) == 1 && line[size] != '\n')
        size++;
    line[size] = '\0';
    return size;
}

static void take_lines(void)
{
    static char line[LINE];
    while (read_line(line) > 0) {
        struct rusage usage = {.ru_maxrss = 0};
        int status = 0;
        pid_t child = fork();
        if (child == 0 && *line != '+')
            exit(run(line));
        if (child == 0) {
            (void)run(line + 1);
            (void)fflush(NULL);
            __fpurge(stdin);
            clearerr(stdin);
            (void)dprintf(TO, "warm\n");
            take_lines();
            _exit(COOL);
        }
        if (*line != '+' && dprintf(TO, "%d\n", (int)child) < 0)
            return;
        if (child < 0 || wait4(child, &status, 0, &usage) < 0)
            return;
        int result = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        if (*line != '+')
            (void)dprintf(TO, "%d %ld\n", result, usage.ru_maxrss);
        else if (result != COOL)
            (void)dprintf(TO, "main() did not return\n");
    }
}

int __wrap_main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (dup2(STDIN_FILENO, FROM) < 0 || dup2(STDOUT_FILENO, TO) < 0)
        return 1;
    (void)fcntl(FROM, F_SETFD, FD_CLOEXEC);
    (void)fcntl(TO, F_SETFD, FD_CLOEXEC);
    take_lines();
    return 0;
}
