#include "base/child_process.h"

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
    NAME_MAX_SHOWN = 60,
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
    char in[CHILD_LINE_MAX]; /* received; in[taken..in_size) is still unread */
    char out[OUT_MAX];
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

/* Our end of the socket does not block. */
static int start(struct child *child, const char *command)
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

enum caxton_status child_start(const char *command, const atomic_bool *stop, struct child **out,
                               struct diag *diag)
{
    struct child *child = calloc(1, sizeof *child);
    if (!child)
        return STATUS_NO_MEMORY;
    child->socket = -1;
    child->stop = stop;
    text_copy(child->name, sizeof child->name, span_of(command));
    int error = strlen(command) < CHILD_COMMAND_MAX ? start(child, command) : E2BIG;
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
    if (child->pid > 0) {
        (void)kill(-child->pid, SIGKILL);
        (void)kill(child->pid, SIGKILL); /* it may have left its group */
        while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
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
            return diag_fail(STATUS_IO, diag, "%s did not answer within %.3g seconds", child->name,
                             (double)child->timeout_ms / 1000);
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
    ssize_t got = read(child->socket, child->in + child->in_size, CHILD_LINE_MAX - child->in_size);
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
    return child->in_size < CHILD_LINE_MAX;
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
