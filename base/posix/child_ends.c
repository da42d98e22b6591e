#include "base/child_ends.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"

struct child_ends {
    pid_t pid;
    int socket; /* its input and output; -1 = none */
};

/* Splits `command` in place into words, which `words` has room for; NULL follows the last one. */
static void split(char *command, char **words)
{
    char *to = command; /* quotes are taken out: words move to the front */
    for (char *at = command + strspn(command, " "); *at; at += strspn(at, " ")) {
        *words++ = to;
        for (char quote = 0; *at && (quote || *at != ' '); at++) {
            if (quote ? *at == quote : *at == '"' || *at == '\'')
                quote = quote ? 0 : *at;
            else
                *to++ = *at;
        }
        at += *at == ' ';
        *to++ = '\0';
    }
    *words = NULL;
}

extern char **environ;

/* The attributes of a child: a process group of its own, and the signals that a program expects,
 * whatever the thread that starts it has blocked. Returns an error number. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t defaults;
    (void)sigemptyset(&none);
    (void)sigemptyset(&defaults);
    (void)sigaddset(&defaults, SIGPIPE);
    (void)sigaddset(&defaults, SIGXFSZ);
    int error = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!error)
        error = posix_spawnattr_setsigmask(attributes, &none);
    return error ? error : posix_spawnattr_setsigdefault(attributes, &defaults);
}

static int spawn_words(char **words, int socket, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = set_attributes(&attributes);
        if (!error)
            error = posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
        if (!error)
            error = posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
        if (!error)
            error = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Starts the program with the socket for input and output. Returns an error number. */
static int spawn(const char *command, int socket, pid_t *pid)
{
    enum { WORDS_MAX = CHILD_COMMAND_MAX / 2 + 1 };
    char *copy = malloc(CHILD_COMMAND_MAX);
    char **words = malloc(WORDS_MAX * sizeof *words);
    int error = ENOMEM;
    if (copy && words) {
        text_copy(copy, CHILD_COMMAND_MAX, span_of(command));
        split(copy, words);
        error = words[0] && *words[0] ? spawn_words(words, socket, pid) : ENOENT;
    }
    free(words);
    free(copy);
    return error;
}

/* Two ends that no other child inherits: it would keep them open. */
static int open_ends(int ends[2])
{
#ifdef SOCK_CLOEXEC
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return errno;
    for (int i = 0; i < 2; i++)
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

/* Our end of the socket does not block. Returns an error number. */
static int start(struct child_ends *child, const char *command)
{
    int ends[2];
    int error = open_ends(ends);
    if (error)
        return error;
    child->socket = ends[0];
    error = fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? spawn(command, ends[1], &child->pid) : errno;
    child->pid = error ? 0 : child->pid;
    (void)close(ends[1]);
    return error;
}

struct child_ends *child_ends_start(const char *command)
{
    struct child_ends *child = malloc(sizeof *child);
    if (!child)
        return NULL;
    *child = (struct child_ends){.socket = -1};
    int error = start(child, command);
    if (!error)
        return child;
    child_ends_kill(child);
    errno = error;
    return NULL;
}

void child_ends_kill(struct child_ends *ends)
{
    /* It may be in a long search whose answer nobody needs. The socket stays open until then, so
     * that no program of the group lives to complain about its end. */
    if (ends->pid > 0) {
        (void)kill(-ends->pid, SIGKILL);
        (void)kill(ends->pid, SIGKILL); /* it may have left its group */
        while (waitpid(ends->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (ends->socket >= 0)
        (void)close(ends->socket);
    free(ends);
}

/* Of a call that moved nothing. */
static enum child_io why_not(void)
{
    if (errno == EAGAIN || errno == EINTR)
        return CHILD_IO_LATER;
    /* ECONNRESET: it had not read everything when it ended. */
    return errno == EPIPE || errno == ECONNRESET ? CHILD_IO_ENDED : CHILD_IO_FAILED;
}

enum child_io child_ends_read(struct child_ends *ends, char *to, size_t room, size_t *moved)
{
    ssize_t got = read(ends->socket, to, room);
    *moved = got > 0 ? (size_t)got : 0;
    if (got > 0)
        return CHILD_IO_DONE;
    return got == 0 ? CHILD_IO_ENDED : why_not();
}

enum child_io child_ends_write(struct child_ends *ends, const char *from, size_t size,
                               size_t *moved)
{
    ssize_t written = send(ends->socket, from, size, MSG_NOSIGNAL);
    *moved = written > 0 ? (size_t)written : 0;
    return written > 0 ? CHILD_IO_DONE : why_not();
}

enum child_io child_ends_wait(struct child_ends *ends, bool reading, bool writing, int most_ms)
{
    short events = (short)((reading ? POLLIN : 0) | (writing ? POLLOUT : 0));
    struct pollfd end = {ends->socket, events, 0};
    int ready = poll(&end, 1, most_ms);
    if (ready > 0)
        return CHILD_IO_DONE;
    return ready < 0 && errno != EINTR ? CHILD_IO_FAILED : CHILD_IO_LATER;
}
