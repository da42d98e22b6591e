#include "base/child_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/child_ends.h"
#include "base/clock.h"

enum {
    NAME_MAX_SHOWN = 60,
    OUT_MAX = 16384,
    SLICE_MS = 50, /* how often a wait checks `stop` */
};

struct child {
    struct child_ends *ends; /* NULL = not started */
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

enum caxton_status child_start(const char *command, const atomic_bool *stop, struct child **out,
                               struct diag *diag)
{
    struct child *child = calloc(1, sizeof *child);
    if (!child)
        return STATUS_NO_MEMORY;
    child->stop = stop;
    text_copy(child->name, sizeof child->name, span_of(command));
    errno = E2BIG;
    if (strlen(command) < CHILD_COMMAND_MAX)
        child->ends = child_ends_start(command);
    if (!child->ends) {
        diag_set(diag, 0, 0, "%s cannot be started: %s", child->name, strerror(errno));
        child_kill(child);
        return STATUS_IO;
    }
    *out = child;
    return STATUS_OK;
}

void child_kill(struct child *child)
{
    if (child && child->ends)
        child_ends_kill(child->ends);
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

/* Waits until `deadline_ms`. Errors: STATUS_NOT_FOUND (it has come), STATUS_END, STATUS_IO. */
static enum caxton_status wait_until(const struct child *child, bool reading, bool writing,
                                     int64_t deadline_ms, struct diag *diag)
{
    while (!atomic_load(child->stop)) {
        int64_t left = deadline_ms - clock_ms();
        if (left <= 0)
            return STATUS_NOT_FOUND;
        int slice = left < SLICE_MS ? (int)left : SLICE_MS;
        enum child_io ready = child_ends_wait(child->ends, reading, writing, slice);
        if (ready == CHILD_IO_DONE)
            return STATUS_OK;
        if (ready == CHILD_IO_FAILED)
            return failed(child, strerror(errno), diag);
    }
    return STATUS_END;
}

static enum caxton_status too_late(const struct child *child, int64_t timeout_ms, struct diag *diag)
{
    return diag_fail(STATUS_IO, diag, "%s did not answer within %.15g seconds", child->name,
                     (double)timeout_ms / 1000);
}

static enum caxton_status wait_for(const struct child *child, bool reading, bool writing,
                                   struct diag *diag)
{
    enum caxton_status status = wait_until(child, reading, writing, child->deadline_ms, diag);
    return status == STATUS_NOT_FOUND ? too_late(child, child->timeout_ms, diag) : status;
}

/* Reads what is there, perhaps nothing. There must be room: room_to_read(). */
static enum caxton_status receive(struct child *child, struct diag *diag)
{
    size_t got;
    enum child_io done = child_ends_read(child->ends, child->in + child->in_size,
                                         CHILD_LINE_MAX - child->in_size, &got);
    child->in_size += got;
    child->ended = done == CHILD_IO_ENDED;
    return done == CHILD_IO_FAILED ? failed(child, strerror(errno), diag) : STATUS_OK;
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

/* Waits until more can be sent, and reads meanwhile, because the child may write before it reads
 * on. */
static enum caxton_status wait_to_send(struct child *child, struct diag *diag)
{
    bool reading = !child->ended && room_to_read(child);
    enum caxton_status status = wait_for(child, reading, true, diag);
    return status == STATUS_OK && reading ? receive(child, diag) : status;
}

static enum caxton_status send_all(struct child *child, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (size_t done = 0; status == STATUS_OK && done < child->out_size;) {
        size_t written;
        enum child_io sent =
            child_ends_write(child->ends, child->out + done, child->out_size - done, &written);
        done += written;
        if (sent == CHILD_IO_ENDED)
            status = failed(child, "ended before it answered", diag);
        else if (sent == CHILD_IO_FAILED)
            status = failed(child, strerror(errno), diag);
        else if (sent == CHILD_IO_LATER)
            status = wait_to_send(child, diag);
    }
    if (status == STATUS_OK)
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

/* The next line, when nothing is to be sent. Errors: those of wait_until(). */
static enum caxton_status next_line(struct child *child, int64_t deadline_ms, struct span *line,
                                    struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && !take_line(child, line)) {
        if (child->ended)
            return failed(child, "ended before it answered", diag);
        if (!room_to_read(child))
            return failed(child, "writes a line without an end", diag);
        status = wait_until(child, true, false, deadline_ms, diag);
        if (status == STATUS_OK)
            status = receive(child, diag);
    }
    return status;
}

enum caxton_status child_read_line(struct child *child, struct span *line, struct diag *diag)
{
    enum caxton_status status = child->out_size ? send_all(child, diag) : STATUS_OK;
    if (status == STATUS_OK)
        status = next_line(child, child->deadline_ms, line, diag);
    return status == STATUS_NOT_FOUND ? too_late(child, child->timeout_ms, diag) : status;
}

enum caxton_status child_read_line_within(struct child *child, int64_t most_ms, struct span *line,
                                          struct diag *diag)
{
    return next_line(child, clock_ms() + most_ms, line, diag);
}

enum caxton_status child_send(struct child *child, struct span text, int64_t most_ms,
                              struct diag *diag)
{
    int64_t deadline_ms = clock_ms() + most_ms;
    while (text.size) {
        size_t written;
        enum child_io sent = child_ends_write(child->ends, text.data, text.size, &written);
        enum caxton_status status = STATUS_OK;
        text = span_from(text, written);
        if (sent == CHILD_IO_ENDED)
            return failed(child, "has ended", diag);
        if (sent == CHILD_IO_FAILED)
            return failed(child, strerror(errno), diag);
        if (sent == CHILD_IO_LATER)
            status = wait_until(child, false, true, deadline_ms, diag);
        if (status == STATUS_NOT_FOUND)
            return failed(child, "reads nothing", diag);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
