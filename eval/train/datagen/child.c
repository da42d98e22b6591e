#include "eval/train/datagen/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum {
    WORDS_MAX = 32,
    COMMAND_MAX = 1024,
    NAME_MAX_SHOWN = 60,
    IN_MAX = 65536, /* also the longest line */
    OUT_MAX = 16384,
    SLICE_MS = 50, /* how often a wait checks `stop` */
};

struct child {
    pid_t pid;
    int to;   /* -1 = closed; does not block */
    int from; /* likewise */
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

/* Splits `command` in place at blanks. Returns how many words there are, WORDS_MAX + 1 if more. */
static int split(char *command, char *words[WORDS_MAX + 1])
{
    int count = 0;
    for (char *at = command + strspn(command, " "); *at; at += strspn(at, " ")) {
        if (count == WORDS_MAX)
            return WORDS_MAX + 1;
        words[count++] = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    words[count] = NULL;
    return count;
}

extern char **environ;

/* Default signal handling, whatever we block and ignore, and a process group of its own. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t defaults;
    (void)sigemptyset(&none);
    (void)sigemptyset(&defaults);
    (void)sigaddset(&defaults, SIGPIPE);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error)
        error = posix_spawnattr_setsigdefault(attributes, &defaults);
    if (!error)
        error = posix_spawnattr_setpgroup(attributes, 0);
    if (!error)
        error = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    return error;
}

static int spawn_with(const char *command, const posix_spawn_file_actions_t *actions, pid_t *pid)
{
    char copy[COMMAND_MAX];
    char *words[WORDS_MAX + 1];
    posix_spawnattr_t attributes;
    text_copy(copy, sizeof copy, span_of(command));
    int count = split(copy, words);
    if (count == 0)
        return ENOENT;
    if (count > WORDS_MAX)
        return E2BIG;
    int error = posix_spawnattr_init(&attributes);
    if (error)
        return error;
    error = set_attributes(&attributes);
    if (!error)
        error = posix_spawnp(pid, words[0], actions, &attributes, words, environ);
    (void)posix_spawnattr_destroy(&attributes);
    return error;
}

static int spawn(const char *command, const int in[2], const int out[2], pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (!error)
        error = spawn_with(command, &actions, pid);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

static void close_pipe(const int ends[2])
{
    (void)close(ends[0]);
    (void)close(ends[1]);
}

/* A pipe whose ends no other child inherits. The end number `ours` does not block. */
static int open_pipe(int ends[2], int ours)
{
    if (pipe(ends) != 0)
        return errno;
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 &&
        fcntl(ends[ours], F_SETFL, O_NONBLOCK) == 0)
        return 0;
    int error = errno;
    close_pipe(ends);
    return error;
}

static int start(struct child *child, const char *command)
{
    int in[2];
    int out[2];
    int error = open_pipe(in, 1);
    if (error)
        return error;
    error = open_pipe(out, 0);
    if (error) {
        close_pipe(in);
        return error;
    }
    error = spawn(command, in, out, &child->pid);
    if (error) {
        child->pid = 0;
        close_pipe(in);
        close_pipe(out);
        return error;
    }
    (void)close(in[0]);
    (void)close(out[1]);
    child->to = in[1];
    child->from = out[0];
    return 0;
}

enum caxton_status child_start(const char *command, const atomic_bool *stop, struct child **out,
                               struct diag *diag)
{
    struct child *child = calloc(1, sizeof *child);
    if (!child)
        return STATUS_NO_MEMORY;
    child->to = child->from = -1;
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
    if (child->to >= 0)
        (void)close(child->to);
    if (child->from >= 0)
        (void)close(child->from);
    /* It may be in a long search whose answer nobody needs. */
    if (child->pid > 0 && kill(-child->pid, SIGKILL) == 0)
        while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
            ;
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

/* STATUS_OK: we may go on waiting. */
static enum caxton_status check_deadline(const struct child *child, struct diag *diag)
{
    if (atomic_load(child->stop))
        return STATUS_END;
    if (clock_ms() < child->deadline_ms)
        return STATUS_OK;
    diag_set(diag, 0, 0, "%s did not answer within %lld seconds", child->name,
             (long long)(child->timeout_ms / 1000));
    return STATUS_IO;
}

/* Sleeps until there is something to read, or room to write if that is wanted. */
static enum caxton_status wait_for(struct child *child, bool reading, bool writing,
                                   struct diag *diag)
{
    for (;;) {
        enum caxton_status status = check_deadline(child, diag);
        if (status != STATUS_OK)
            return status;
        struct pollfd ends[2] = {{reading ? child->from : -1, POLLIN, 0},
                                 {writing ? child->to : -1, POLLOUT, 0}};
        int64_t left = child->deadline_ms - clock_ms();
        int ready = poll(ends, 2, left < SLICE_MS ? (left > 0 ? (int)left : 0) : SLICE_MS);
        if (ready > 0)
            return STATUS_OK;
        if (ready < 0 && errno != EINTR)
            return failed(child, strerror(errno), diag);
    }
}

/* Reads what is there, perhaps nothing. There must be room: room_to_read(). */
static enum caxton_status receive(struct child *child, struct diag *diag)
{
    ssize_t got = read(child->from, child->in + child->in_size, IN_MAX - child->in_size);
    if (got > 0)
        child->in_size += (size_t)got;
    else if (got == 0)
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
        ssize_t written = write(child->to, child->out + done, child->out_size - done);
        if (written > 0) {
            done += (size_t)written;
            continue;
        }
        if (errno == EPIPE)
            return failed(child, "ended before it answered", diag);
        if (errno != EAGAIN && errno != EINTR)
            return failed(child, strerror(errno), diag);
        bool reading = !child->ended && room_to_read(child);
        status = wait_for(child, reading, true, diag);
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
    if (size > OUT_MAX)
        return failed(child, "gets a line that is too long", diag);
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
        size_t before = child->in_size;
        status = check_deadline(child, diag);
        if (status == STATUS_OK)
            status = receive(child, diag);
        if (status == STATUS_OK && child->in_size == before && !child->ended)
            status = wait_for(child, true, false, diag);
    }
    return status;
}
