#include "base/child_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "base/clock.h"
#include "base/windows/wide.h"

enum {
    NAME_MAX_SHOWN = 60,
    OUT_MAX = 16384,
    PIPE_SIZE = 1 << 16,
    POLL_MS = 1, /* how often a wait looks whether a pipe is ready */
};

struct child {
    HANDLE process; /* NULL = none */
    HANDLE job;     /* the process and all that it starts */
    HANDLE input;   /* of the child: we write; NULL = none */
    HANDLE output;
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

/* Appends a word as a program of Windows takes its command line apart: in quotes, a quote and the
 * backslashes before it with a backslash each. */
static void append_word(struct text_buffer *line, const char *word, size_t size)
{
    text_append(line, "%s\"", line->size ? " " : "");
    size_t slashes = 0;
    for (size_t i = 0; i <= size; i++) {
        bool quote = i == size || word[i] == '"';
        for (; quote && slashes; slashes--)
            text_append(line, "\\");
        if (i == size)
            break;
        slashes = word[i] == '\\' ? slashes + 1 : 0;
        text_append(line, "%s%c", word[i] == '"' ? "\\" : "", word[i]);
    }
    text_append(line, "\"");
}

/* The words of `command`, which stand in blanks or in quotes, as Windows has them; in UTF-16, for
 * free(). NULL with errno set. */
static wchar_t *command_line_of(const char *command)
{
    enum { LINE_MAX_BYTES = 3 * CHILD_COMMAND_MAX };
    char *data = malloc(LINE_MAX_BYTES + CHILD_COMMAND_MAX);
    if (!data)
        return NULL;
    char *word = data + LINE_MAX_BYTES;
    struct text_buffer line = text_buffer_on(data, LINE_MAX_BYTES);
    for (const char *at = command + strspn(command, " "); *at; at += strspn(at, " ")) {
        size_t size = 0;
        for (char quote = 0; *at && (quote || *at != ' '); at++) {
            if (quote ? *at == quote : *at == '"' || *at == '\'')
                quote = quote ? 0 : *at;
            else
                word[size++] = *at;
        }
        append_word(&line, word, size);
    }
    errno = ENOENT;
    wchar_t *wide = line.size && !line.cut ? wide_text(data) : NULL;
    free(data);
    return wide;
}

/* Starts it with these ends and our standard error; no other child inherits the ends. */
static bool create_process(wchar_t *line, HANDLE ends[3], PROCESS_INFORMATION *made)
{
    STARTUPINFOEXW start = {.StartupInfo = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES}};
    SIZE_T size = 0;
    (void)InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    start.lpAttributeList = malloc(size);
    if (!start.lpAttributeList)
        return SetLastError(ERROR_OUTOFMEMORY), false;
    start.StartupInfo.hStdInput = ends[0];
    start.StartupInfo.hStdOutput = ends[1];
    start.StartupInfo.hStdError = ends[2];
    size_t count = ends[2] ? 3 : 2;
    bool good = InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size);
    if (good) {
        good =
            UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                      ends, count * sizeof *ends, NULL, NULL) &&
            CreateProcessW(NULL, line, NULL, NULL, TRUE,
                           CREATE_NEW_PROCESS_GROUP | CREATE_SUSPENDED |
                               EXTENDED_STARTUPINFO_PRESENT,
                           NULL, NULL, &start.StartupInfo, made);
        DWORD error = GetLastError();
        DeleteProcThreadAttributeList(start.lpAttributeList);
        SetLastError(error);
    }
    free(start.lpAttributeList);
    return good;
}

/* What is killed together: the child and all that it starts. Without a job it is the child. */
static HANDLE put_into_job(HANDLE process)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {.BasicLimitInformation.LimitFlags =
                                                       JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
    HANDLE job = CreateJobObjectW(NULL, NULL);
    if (job &&
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits) &&
        AssignProcessToJobObject(job, process))
        return job;
    if (job)
        (void)CloseHandle(job);
    return NULL;
}

static void close_handle(HANDLE *handle)
{
    if (*handle)
        (void)CloseHandle(*handle);
    *handle = NULL;
}

/* A pipe whose end number `theirs` (0: it reads, 1: it writes) the child inherits. */
static bool make_pipe(int theirs, HANDLE *our_end, HANDLE *their_end)
{
    SECURITY_ATTRIBUTES security = {.nLength = sizeof security};
    HANDLE ends[2];
    if (!CreatePipe(&ends[0], &ends[1], &security, PIPE_SIZE))
        return false;
    *our_end = ends[!theirs];
    *their_end = ends[theirs];
    return SetHandleInformation(*their_end, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
}

/* A copy of our standard error that can be inherited; NULL: there is none. */
static HANDLE copy_errors(void)
{
    HANDLE copy = NULL;
    HANDLE self = GetCurrentProcess();
    if (!DuplicateHandle(self, GetStdHandle(STD_ERROR_HANDLE), self, &copy, 0, TRUE,
                         DUPLICATE_SAME_ACCESS))
        return NULL;
    return copy;
}

/* Our end of its input does not block. Sets errno on failure. */
static bool start(struct child *child, const char *command)
{
    DWORD mode = PIPE_READMODE_BYTE | PIPE_NOWAIT;
    wchar_t *line = command_line_of(command);
    HANDLE theirs[3] = {NULL, NULL, copy_errors()};
    PROCESS_INFORMATION made = {.hProcess = NULL};
    bool good = line != NULL;
    if (good) {
        good = make_pipe(0, &child->input, &theirs[0]) &&
               make_pipe(1, &child->output, &theirs[1]) &&
               SetNamedPipeHandleState(child->input, &mode, NULL, NULL) &&
               create_process(line, theirs, &made);
        if (!good)
            (void)wide_fault();
    }
    if (good) {
        child->process = made.hProcess;
        child->job = put_into_job(made.hProcess);
        (void)ResumeThread(made.hThread);
        (void)CloseHandle(made.hThread);
    }
    for (int i = 0; i < 3; i++)
        close_handle(&theirs[i]);
    free(line);
    return good;
}

enum caxton_status child_start(const char *command, const atomic_bool *stop, struct child **out,
                               struct diag *diag)
{
    struct child *child = calloc(1, sizeof *child);
    if (!child)
        return STATUS_NO_MEMORY;
    child->stop = stop;
    text_copy(child->name, sizeof child->name, span_of(command));
    errno = E2BIG;
    if (strlen(command) >= CHILD_COMMAND_MAX || !start(child, command)) {
        diag_set(diag, 0, 0, "%s cannot be started: %s", child->name, strerror(errno));
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
    /* It may be in a long search whose answer nobody needs. */
    if (child->job)
        (void)TerminateJobObject(child->job, 1);
    if (child->process) {
        (void)TerminateProcess(child->process, 1);
        (void)WaitForSingleObject(child->process, INFINITE);
    }
    close_handle(&child->job);
    close_handle(&child->process);
    close_handle(&child->input);
    close_handle(&child->output);
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

/* Lets a moment pass. */
static enum caxton_status wait_a_moment(const struct child *child, struct diag *diag)
{
    if (atomic_load(child->stop))
        return STATUS_END;
    if (clock_ms() >= child->deadline_ms)
        return diag_fail(STATUS_IO, diag, "%s did not answer within %.3g seconds", child->name,
                         (double)child->timeout_ms / 1000);
    Sleep(POLL_MS);
    return STATUS_OK;
}

/* Reads what is there and has room. Returns how much; 0 also at the end. */
static size_t receive(struct child *child)
{
    DWORD there = 0;
    DWORD got = 0;
    size_t room = CHILD_LINE_MAX - child->in_size;
    if (child->ended || !room)
        return 0;
    if (!PeekNamedPipe(child->output, NULL, 0, NULL, &there, NULL) ||
        (there && !ReadFile(child->output, child->in + child->in_size,
                            (DWORD)(there < room ? there : room), &got, NULL)))
        child->ended = true;
    child->in_size += got;
    return got;
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
    enum { PART = 4096 }; /* a pipe that must not wait takes a part as a whole or not at all */
    enum caxton_status status = STATUS_OK;
    for (size_t done = 0; status == STATUS_OK && done < child->out_size;) {
        DWORD written = 0;
        size_t left = child->out_size - done;
        if (!WriteFile(child->input, child->out + done, (DWORD)(left < PART ? left : PART),
                       &written, NULL))
            return failed(child, "ended before it answered", diag);
        done += written;
        if (!written && !(room_to_read(child) && receive(child)))
            status = wait_a_moment(child, diag);
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
        if (!receive(child) && !child->ended)
            status = wait_a_moment(child, diag);
    }
    return status;
}
