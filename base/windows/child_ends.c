#include "base/child_ends.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "base/child_process.h"
#include "base/windows/wide.h"

enum {
    PIPE_SIZE = 1 << 16,
    PART = 4096, /* a pipe that must not wait takes a part as a whole or not at all */
    POLL_MS = 1, /* how often a wait looks whether a pipe is ready */
};

struct child_ends {
    HANDLE process; /* NULL = none */
    HANDLE job;     /* the process and all that it starts */
    HANDLE input;   /* of the child: we write; NULL = none */
    HANDLE output;
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
static bool start(struct child_ends *ends, const char *command)
{
    DWORD mode = PIPE_READMODE_BYTE | PIPE_NOWAIT;
    wchar_t *line = command_line_of(command);
    HANDLE theirs[3] = {NULL, NULL, copy_errors()};
    PROCESS_INFORMATION made = {.hProcess = NULL};
    bool good = line != NULL;
    if (good) {
        good = make_pipe(0, &ends->input, &theirs[0]) && make_pipe(1, &ends->output, &theirs[1]) &&
               SetNamedPipeHandleState(ends->input, &mode, NULL, NULL) &&
               create_process(line, theirs, &made);
        if (!good)
            (void)wide_fault();
    }
    if (good) {
        ends->process = made.hProcess;
        ends->job = put_into_job(made.hProcess);
        (void)ResumeThread(made.hThread);
        (void)CloseHandle(made.hThread);
    }
    for (int i = 0; i < 3; i++)
        close_handle(&theirs[i]);
    free(line);
    return good;
}

struct child_ends *child_ends_start(const char *command)
{
    struct child_ends *ends = calloc(1, sizeof *ends);
    if (!ends || start(ends, command))
        return ends;
    int error = errno;
    child_ends_kill(ends);
    errno = error;
    return NULL;
}

void child_ends_kill(struct child_ends *ends)
{
    /* It may be in a long search whose answer nobody needs. */
    if (ends->job)
        (void)TerminateJobObject(ends->job, 1);
    if (ends->process) {
        (void)TerminateProcess(ends->process, 1);
        (void)WaitForSingleObject(ends->process, INFINITE);
    }
    close_handle(&ends->job);
    close_handle(&ends->process);
    close_handle(&ends->input);
    close_handle(&ends->output);
    free(ends);
}

enum child_io child_ends_read(struct child_ends *ends, char *to, size_t room, size_t *moved)
{
    DWORD there = 0;
    DWORD got = 0;
    bool good =
        PeekNamedPipe(ends->output, NULL, 0, NULL, &there, NULL) &&
        (!there || ReadFile(ends->output, to, (DWORD)(there < room ? there : room), &got, NULL));
    *moved = got;
    if (!good)
        return CHILD_IO_ENDED;
    return got ? CHILD_IO_DONE : CHILD_IO_LATER;
}

enum child_io child_ends_write(struct child_ends *ends, const char *from, size_t size,
                               size_t *moved)
{
    DWORD written = 0;
    bool good = WriteFile(ends->input, from, (DWORD)(size < PART ? size : PART), &written, NULL);
    *moved = written;
    if (!good)
        return CHILD_IO_ENDED;
    return written ? CHILD_IO_DONE : CHILD_IO_LATER;
}

enum child_io child_ends_wait(struct child_ends *ends, bool reading, bool writing, int most_ms)
{
    DWORD there = 0;
    if (reading && (!PeekNamedPipe(ends->output, NULL, 0, NULL, &there, NULL) || there))
        return CHILD_IO_DONE;
    Sleep(most_ms < POLL_MS ? (DWORD)most_ms : POLL_MS);
    return writing ? CHILD_IO_DONE : CHILD_IO_LATER; /* a pipe does not tell when it has room */
}
