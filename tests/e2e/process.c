#define _XOPEN_SOURCE 700 /* posix_openpt */

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "spawn.h"

enum { TIMEOUT_MS = 300000, SHOWN_MAX = 2000 };

/* What came through one pipe. */
struct stream {
    int fd;       /* -1 = closed */
    char *data;   /* terminated; NULL until something came */
    size_t size;  /* bytes received */
    size_t taken; /* bytes handed out */
    size_t capacity;
};

struct process {
    pid_t pid;
    bool ended;
    int status;
    int input; /* -1 = closed */
    struct stream output;
    struct stream errors;
    char *line; /* the line or text last handed out */
    size_t line_capacity;
};

static void require(bool condition, const char *what)
{
    if (!condition)
        fail_msg("%s: %s", what, strerror(errno));
}

static void reserve(char **data, size_t *capacity, size_t wanted)
{
    if (wanted <= *capacity)
        return;
    size_t grown = wanted * 2 + 4096;
    char *moved = realloc(*data, grown);
    require(moved != NULL, "realloc");
    *data = moved;
    *capacity = grown;
}

static void close_stream(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

const char *process_binary(const char *variable)
{
    const char *path = getenv(variable);
    if (!path)
        fail_msg("the environment variable %s is not set: run through ctest", variable);
    return path;
}

/* Neither end reaches the child: it gets duplicates under the standard numbers. */
static void make_pipe(int ends[2])
{
    require(pipe(ends) == 0, "pipe");
    for (int i = 0; i < 2; i++)
        require(fcntl(ends[i], F_SETFD, FD_CLOEXEC) == 0, "fcntl");
}

static struct process *start(const char *const *arguments, const int ends[3])
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    require(sigaction(SIGPIPE, &ignore, NULL) == 0, "sigaction");
    struct process *process = calloc(1, sizeof *process);
    require(process != NULL, "calloc");
    int error = spawn(arguments, ends, &process->pid);
    if (error)
        fail_msg("%s does not start: %s", arguments[0], strerror(error));
    return process;
}

struct process *process_start(const char *const *arguments)
{
    int pipes[3][2];
    for (int i = 0; i < 3; i++)
        make_pipe(pipes[i]);
    struct process *process =
        start(arguments, (const int[3]){pipes[0][0], pipes[1][1], pipes[2][1]});
    for (int i = 0; i < 3; i++)
        (void)close(pipes[i][i > 0]);
    process->input = pipes[0][1];
    process->output.fd = pipes[1][0];
    process->errors.fd = pipes[2][0];
    require(fcntl(process->input, F_SETFL, O_NONBLOCK) == 0, "fcntl");
    return process;
}

struct process *process_start_on_terminal(const char *const *arguments)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    require(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0, "posix_openpt");
    int end = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
    require(end >= 0, "the pseudo terminal");
    require(fcntl(terminal, F_SETFD, FD_CLOEXEC) == 0, "fcntl");
    struct process *process = start(arguments, (const int[3]){end, end, end});
    (void)close(end);
    process->output.fd = terminal;
    process->errors.fd = -1; /* they come with the output */
    process->input = fcntl(terminal, F_DUPFD_CLOEXEC, 0);
    require(process->input >= 0 && fcntl(terminal, F_SETFL, O_NONBLOCK) == 0, "fcntl");
    return process;
}

static void reap(struct process *process)
{
    int status = 0;
    while (waitpid(process->pid, &status, 0) < 0)
        require(errno == EINTR, "waitpid");
    process->ended = true;
    process->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void process_destroy(struct process *process)
{
    if (!process)
        return;
    close_stream(&process->input);
    close_stream(&process->output.fd);
    close_stream(&process->errors.fd);
    if (!process->ended) {
        (void)kill(process->pid, SIGKILL);
        reap(process);
    }
    free(process->output.data);
    free(process->errors.data);
    free(process->line);
    free(process);
}

/* Fails the test; the child is ended first, so that nothing is left running. */
static void give_up(struct process *process, const char *why, const char *detail)
{
    (void)kill(process->pid, SIGKILL);
    const struct stream *out = &process->output;
    size_t shown = out->size < SHOWN_MAX ? out->size : SHOWN_MAX;
    fail_msg("%s%s; standard output ends:\n%s\nstandard error: %s", why, detail,
             out->size ? out->data + out->size - shown : "(nothing)",
             process->errors.size ? process->errors.data : "(nothing)");
}

static void receive(struct stream *stream)
{
    reserve(&stream->data, &stream->capacity, stream->size + 65536 + 1);
    ssize_t got = read(stream->fd, stream->data + stream->size, 65536);
    if (got < 0 && errno == EINTR)
        return;
    if (got < 0 && errno == EIO) /* a pseudo terminal whose program has ended */
        got = 0;
    require(got >= 0, "read");
    if (got == 0)
        close_stream(&stream->fd);
    stream->size += (size_t)got;
    stream->data[stream->size] = '\0';
}

static int64_t now_ms(void)
{
    struct timespec now;
    require(clock_gettime(CLOCK_MONOTONIC, &now) == 0, "clock_gettime");
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until something arrived, a stream ended or, when `writing`, input is wanted. False after
 * `milliseconds` without any of it. */
static bool step(struct process *process, bool writing, int milliseconds)
{
    struct pollfd wait[3] = {{process->output.fd, POLLIN, 0},
                             {process->errors.fd, POLLIN, 0},
                             {writing ? process->input : -1, POLLOUT, 0}};
    int ready = poll(wait, 3, milliseconds);
    if (ready < 0 && errno == EINTR)
        return true;
    require(ready >= 0, "poll");
    if (wait[0].revents)
        receive(&process->output);
    if (wait[1].revents)
        receive(&process->errors);
    return ready > 0;
}

/* Writes it all; false when the program closed its input first. */
static bool write_all(struct process *process, const char *data, size_t size)
{
    while (size) {
        ssize_t written = write(process->input, data, size);
        if (written > 0) {
            data += written;
            size -= (size_t)written;
        } else if (written < 0 && errno == EPIPE) {
            return false;
        } else if (written < 0 && (errno == EAGAIN || errno == EINTR)) {
            if (!step(process, true, TIMEOUT_MS))
                give_up(process, "the program reads no input", "");
        } else {
            give_up(process, "cannot write to the program: ", strerror(errno));
        }
    }
    return true;
}

void process_write_bytes(struct process *process, const void *bytes, size_t size)
{
    if (!write_all(process, bytes, size))
        give_up(process, "the program reads no more input", "");
}

void process_write(struct process *process, const char *line)
{
    process_write_bytes(process, line, strlen(line));
    process_write_bytes(process, "\n", 1);
}

void process_close_input(struct process *process)
{
    close_stream(&process->input);
}

static const char *hand_out(struct process *process, size_t size)
{
    struct stream *out = &process->output;
    reserve(&process->line, &process->line_capacity, size + 1);
    if (size)
        memcpy(process->line, out->data + out->taken, size);
    process->line[size] = '\0';
    out->taken += size;
    return process->line;
}

/* The next line if all of it is here. */
static const char *take_line(struct process *process)
{
    struct stream *out = &process->output;
    size_t left = out->size - out->taken;
    const char *end = left ? memchr(out->data + out->taken, '\n', left) : NULL;
    if (!end && (out->fd >= 0 || !left))
        return NULL;
    size_t size = end ? (size_t)(end - (out->data + out->taken)) : left;
    const char *line = hand_out(process, size);
    if (end)
        out->taken++;
    if (size && line[size - 1] == '\r')
        process->line[size - 1] = '\0';
    return line;
}

const char *process_read_line(struct process *process)
{
    for (;;) {
        const char *line = take_line(process);
        if (line || process->output.fd < 0)
            return line;
        if (!step(process, false, TIMEOUT_MS))
            give_up(process, "no line for five minutes", "");
    }
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

size_t process_count_until(struct process *process, const char *counted, const char *prefix)
{
    size_t count = 0;
    for (;;) {
        const char *line = process_read_line(process);
        if (!line)
            give_up(process, "the output ended before a line that starts with ", prefix);
        if (starts_with(line, prefix))
            return count;
        count += counted && starts_with(line, counted);
    }
}

const char *process_read_until(struct process *process, const char *prefix)
{
    (void)process_count_until(process, NULL, prefix);
    return process->line;
}

bool process_is_silent(struct process *process, const char *prefix, int milliseconds)
{
    int64_t end = now_ms() + milliseconds;
    for (;;) {
        const char *line = take_line(process);
        if (line && starts_with(line, prefix))
            return false;
        if (line)
            continue;
        if (process->output.fd < 0)
            return true;
        int64_t left = end - now_ms();
        if (left <= 0)
            return true;
        (void)step(process, false, (int)left);
    }
}

const char *process_read_all(struct process *process)
{
    while (process->output.fd >= 0)
        if (!step(process, false, TIMEOUT_MS))
            give_up(process, "no end of the output for five minutes", "");
    return hand_out(process, process->output.size - process->output.taken);
}

const char *process_errors(struct process *process)
{
    return process->errors.size ? process->errors.data : "";
}

void process_wait_for_error(struct process *process, const char *part)
{
    while (!strstr(process_errors(process), part)) {
        if (process->errors.fd < 0)
            give_up(process, "standard error ended before it said ", part);
        if (!step(process, false, TIMEOUT_MS))
            give_up(process, "for five minutes standard error did not say ", part);
    }
}

void process_signal(struct process *process, int signal)
{
    require(!process->ended && kill(process->pid, signal) == 0, "kill");
}

int process_wait(struct process *process)
{
    if (process->ended)
        return process->status;
    close_stream(&process->input);
    while (process->output.fd >= 0 || process->errors.fd >= 0)
        if (!step(process, false, TIMEOUT_MS))
            give_up(process, "the program does not end", "");
    reap(process);
    return process->status;
}

int64_t process_cpu_us(struct process *process)
{
    clockid_t clock;
    struct timespec used = {0};
    require(clock_getcpuclockid(process->pid, &clock) == 0, "clock_getcpuclockid");
    require(clock_gettime(clock, &used) == 0, "clock_gettime");
    return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    require(copy != NULL, "malloc");
    memcpy(copy, text, size);
    return copy;
}

struct process_result process_run(const char *const *arguments, const char *input)
{
    struct process *process = process_start(arguments);
    if (input) /* a program may end without reading all of it */
        (void)write_all(process, input, strlen(input));
    process_close_input(process);
    struct process_result result = {.output = copy_text(process_read_all(process))};
    result.status = process_wait(process);
    result.errors = copy_text(process_errors(process));
    process_destroy(process);
    return result;
}

void process_result_free(struct process_result *result)
{
    free(result->output);
    free(result->errors);
    *result = (struct process_result){0};
}
