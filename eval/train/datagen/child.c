#include "eval/train/datagen/child.h"

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

#include "base/clock.h"

enum {
    COMMAND_MAX = 1024,
    NAME_MAX_SHOWN = 60,
    IN_MAX = 65536, /* also the longest line */
    OUT_MAX = 16384,
    SLICE_MS = 50, /* how often a wait checks `stop` */
};

struct child {
    pid_t pid;
    int socket; /* its input and output; -1 = none */
    const atomic_bool *stop;
    int64_t timeout_ms;
    int64_t deadline_ms;
    bool ended; /* its output has */
    size_t taken;
    size_t in_size;
    size_t out_size;
    char name[NAME_MAX_SHOWN];
    char in[IN_MAX]; /* received; in[taken..in_size) is still unread */
    char out[OUT_MAX];
};

/* Splits `command` in place at blanks; NULL follows the last word. */
static void split(char *command, char **words)
{
    for (char *at = command + strspn(command, " "); *at; at += strspn(at, " ")) {
        *words++ = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    *words = NULL;
}

extern char **environ;

/* Starts the program with the socket for input and output, in a process group of its own. */
static int spawn(const char *command, int socket, pid_t *pid)
{
    char copy[COMMAND_MAX];
    char *words[COMMAND_MAX / 2 + 1];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    text_copy(copy, sizeof copy, span_of(command));
    split(copy, words);
    if (!words[0])
        return ENOENT;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        bool ready = posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO) == 0 &&
                     posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO) == 0 &&
                     posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) == 0;
        error = ready ? posix_spawnp(pid, words[0], &actions, &attributes, words, environ) : ENOMEM;
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Our end of the socket does not block; no other child inherits any end. */
static int start(struct child *child, const char *command)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return errno;
    child->socket = ends[0];
    bool ready = fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
                 fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 &&
                 fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
    int error = ready ? spawn(command, ends[1], &child->pid) : errno;
    child->pid = error ? 0 : child->pid;
    (void)close(ends[1]);
    return error;
}

enum caxton_status child_start(const char *command, const atomic_bool *stop, struct child **out,
                               struct diag *diag)
{
    struct child *child = calloc(1, sizeof *child);
    if (!child)
        return STATUS_NO_MEMORY;
    child->socket = -1;
    child->stop = stop;
    text_copy(child->name, sizeof child->name, span_of(command));
    int error = strlen(command) < COMMAND_MAX ? start(child, command) : E2BIG;
    if (error) {
        diag_set(diag, 0, 0, "%s cannot be started: %s", child->name, strerror(error));
        child_kill(child);
        return STATUS_IO;
    }
    *out = child;
    return STATUS_OK;
}

void child_kill(struct child *child)
{
    if (!child)
        return;
    /* It may be in a long search whose answer nobody needs. The socket stays open until then, so
     * that no program of the group lives to complain about its end. */
    if (child->pid > 0 && kill(-child->pid, SIGKILL) == 0)
        while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    if (child->socket >= 0)
        (void)close(child->socket);
    free(child);
}

const char *child_name(const struct child *child)
{
    return child->name;
}

void child_set_timeout(struct child *child, int64_t timeout_ms)
{
    child->timeout_ms = timeout_ms;
    child->deadline_ms = clock_ms() + timeout_ms;
}

static enum caxton_status failed(const struct child *child, const char *how, struct diag *diag)
{
    diag_set(diag, 0, 0, "%s %s", child->name, how);
    return STATUS_IO;
}

/* Sleeps until the socket is ready for one of these events of poll(). */
static enum caxton_status wait_for(const struct child *child, short events, struct diag *diag)
{
    while (!atomic_load(child->stop)) {
        int64_t left = child->deadline_ms - clock_ms();
        if (left <= 0) {
            diag_set(diag, 0, 0, "%s did not answer within %lld seconds", child->name,
                     (long long)(child->timeout_ms / 1000));
            return STATUS_IO;
        }
        struct pollfd end = {child->socket, events, 0};
        int ready = poll(&end, 1, left < SLICE_MS ? (int)left : SLICE_MS);
        if (ready > 0)
            return STATUS_OK;
        if (ready < 0 && errno != EINTR)
            return failed(child, strerror(errno), diag);
    }
    return STATUS_END;
}

/* Reads what is there, perhaps nothing. There must be room: room_to_read(). */
static enum caxton_status receive(struct child *child, struct diag *diag)
{
    ssize_t got = read(child->socket, child->in + child->in_size, IN_MAX - child->in_size);
    if (got > 0)
        child->in_size += (size_t)got;
    else if (got == 0 || errno == ECONNRESET) /* it had not read everything when it ended */
        child->ended = true;
    else if (errno != EAGAIN && errno != EINTR)
        return failed(child, strerror(errno), diag);
    return STATUS_OK;
}

/* Moves the unread bytes to the front. Is there room behind them? */
static bool room_to_read(struct child *child)
{
    if (child->taken) {
        child->in_size -= child->taken;
        memmove(child->in, child->in + child->taken, child->in_size);
        child->taken = 0;
    }
    return child->in_size < IN_MAX;
}

/* Sends the queue, and reads meanwhile, because the child may write before it reads on. */
static enum caxton_status send_all(struct child *child, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (size_t done = 0; status == STATUS_OK && done < child->out_size;) {
        ssize_t written =
            send(child->socket, child->out + done, child->out_size - done, MSG_NOSIGNAL);
        if (written > 0) {
            done += (size_t)written;
            continue;
        }
        if (errno == EPIPE || errno == ECONNRESET)
            return failed(child, "ended before it answered", diag);
        if (errno != EAGAIN && errno != EINTR)
            return failed(child, strerror(errno), diag);
        bool reading = !child->ended && room_to_read(child);
        status = wait_for(child, reading ? POLLIN | POLLOUT : POLLOUT, diag);
        if (status == STATUS_OK && reading)
            status = receive(child, diag);
    }
    child->out_size = 0;
    return status;
}

enum caxton_status child_write(struct child *child, const char *text, struct diag *diag)
{
    size_t size = strlen(text);
    enum caxton_status status = STATUS_OK;
    if (size > OUT_MAX - child->out_size)
        status = send_all(child, diag);
    if (status != STATUS_OK)
        return status;
    memcpy(child->out + child->out_size, text, size);
    child->out_size += size;
    return STATUS_OK;
}

/* The next line if all of it is here. */
static bool take_line(struct child *child, struct span *line)
{
    const char *data = child->in + child->taken;
    const char *end = memchr(data, '\n', child->in_size - child->taken);
    if (!end)
        return false;
    size_t size = (size_t)(end - data);
    child->taken += size + 1;
    *line = span_make(data, size && data[size - 1] == '\r' ? size - 1 : size);
    return true;
}

enum caxton_status child_read_line(struct child *child, struct span *line, struct diag *diag)
{
    enum caxton_status status = child->out_size ? send_all(child, diag) : STATUS_OK;
    while (status == STATUS_OK && !take_line(child, line)) {
        if (child->ended)
            return failed(child, "ended before it answered", diag);
        if (!room_to_read(child))
            return failed(child, "writes a line without an end", diag);
        status = wait_for(child, POLLIN, diag);
        if (status == STATUS_OK)
            status = receive(child, diag);
    }
    return status;
}
