#include "engine/debug_log.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/append_file.h"

struct debug_log {
    pthread_mutex_t mutex;
    struct append_file *file; /* under `mutex`; NULL after a failure */
};

enum caxton_status debug_log_open(const char *path, struct debug_log **out, struct diag *diag)
{
    struct debug_log *log = calloc(1, sizeof *log);
    if (!log || pthread_mutex_init(&log->mutex, NULL) != 0) {
        free(log);
        diag_set(diag, 0, 0, "%s: out of memory", path);
        return STATUS_NO_MEMORY;
    }
    enum caxton_status status = append_file_open(path, &log->file, diag);
    if (status == STATUS_OK)
        *out = log;
    else
        debug_log_close(log);
    return status;
}

static bool is_newline(char c)
{
    return c == '\r' || c == '\n';
}

enum caxton_status debug_log_add(struct debug_log *log, const char *mark, struct span line,
                                 struct diag *diag)
{
    enum { PARTS = 3 };
    while (line.size && is_newline(line.data[line.size - 1]))
        line.size--;
    const struct span parts[PARTS] = {span_of(mark), line, span_of("\n")};
    enum caxton_status status = STATUS_OK;
    (void)pthread_mutex_lock(&log->mutex);
    for (int i = 0; i < PARTS && log->file && status == STATUS_OK; i++)
        status = append_file_add(log->file, parts[i].data, parts[i].size, diag);
    if (status != STATUS_OK) {
        append_file_close(log->file);
        log->file = NULL;
    }
    (void)pthread_mutex_unlock(&log->mutex);
    return status;
}

void debug_log_close(struct debug_log *log)
{
    if (!log)
        return;
    append_file_close(log->file);
    (void)pthread_mutex_destroy(&log->mutex);
    free(log);
}
