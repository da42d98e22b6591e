#include "book/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct atomic_file {
    FILE *stream;
    char *path;      /* NULL: the standard stream */
    char *temporary; /* beside it */
    int slot;        /* in `pending` */
};

/* The names that a signal handler must remove. Atomic pointers, set and cleared by the owner of the
 * file, read by the handler. */
enum { PENDING_MAX = 8 };
static _Atomic(char *) pending[PENDING_MAX];

static int remember(char *temporary)
{
    for (int i = 0; i < PENDING_MAX; i++) {
        char *free_slot = NULL;
        if (atomic_compare_exchange_strong(&pending[i], &free_slot, temporary))
            return i;
    }
    return -1;
}

static void forget(int slot)
{
    if (slot >= 0)
        atomic_store(&pending[slot], NULL);
}

void atomic_file_remove_all(void)
{
    for (int i = 0; i < PENDING_MAX; i++) {
        const char *name = atomic_load(&pending[i]);
        if (name)
            (void)unlink(name);
    }
}

static enum caxton_status io_fault(const char *path, struct diag *diag)
{
    diag_set(diag, 0, 0, "%s: %s", path, strerror(errno));
    return STATUS_IO;
}

static void release(struct atomic_file *file)
{
    forget(file->slot);
    free(file->path);
    free(file->temporary);
    free(file);
}

/* mkstemp() makes files private; an output has the rights that any new file would have. */
static void give_usual_rights(int descriptor)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    (void)fchmod(descriptor, 0666 & ~mask);
}

static enum caxton_status open_beside(struct atomic_file *file, struct diag *diag)
{
    struct stat info;
    if (stat(file->path, &info) == 0 && S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return io_fault(file->path, diag);
    }
    file->slot = remember(file->temporary);
    int descriptor = mkstemp(file->temporary);
    if (descriptor < 0)
        return io_fault(file->path, diag);
    give_usual_rights(descriptor);
    file->stream = fdopen(descriptor, "wb");
    if (!file->stream) {
        enum caxton_status status = io_fault(file->path, diag);
        (void)close(descriptor);
        (void)unlink(file->temporary);
        return status;
    }
    return STATUS_OK;
}

enum caxton_status atomic_file_create(const char *path, FILE *standard, struct atomic_file **out,
                                      struct diag *diag)
{
    struct atomic_file *file = calloc(1, sizeof *file);
    size_t size = strlen(path) + sizeof ".XXXXXX";
    if (file) {
        file->slot = -1;
        if (standard && strcmp(path, "-") == 0) {
            file->stream = standard;
            *out = file;
            return STATUS_OK;
        }
        file->path = strdup(path);
        file->temporary = malloc(size);
    }
    if (!file || !file->path || !file->temporary) {
        if (file)
            release(file);
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    (void)snprintf(file->temporary, size, "%s.XXXXXX", path);
    enum caxton_status status = open_beside(file, diag);
    if (status != STATUS_OK) {
        release(file);
        return status;
    }
    *out = file;
    return STATUS_OK;
}

FILE *atomic_file_stream(struct atomic_file *file)
{
    return file->stream;
}

/* The rename itself must survive a crash too: the folder is synced, where it can be. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int descriptor = folder ? open(folder, O_RDONLY) : -1;
    if (descriptor >= 0) {
        (void)fsync(descriptor); /* some file systems refuse it; the data is safe already */
        (void)close(descriptor);
    }
    free(folder);
}

enum caxton_status atomic_file_commit(struct atomic_file *file, struct diag *diag)
{
    if (!file->path) {
        bool failed = fflush(file->stream) != 0 || ferror(file->stream);
        release(file);
        return failed ? io_fault("standard output", diag) : STATUS_OK;
    }
    errno = EIO; /* for a write that failed long ago */
    bool good =
        !ferror(file->stream) && fflush(file->stream) == 0 && fsync(fileno(file->stream)) == 0;
    enum caxton_status status = good ? STATUS_OK : io_fault(file->path, diag);
    if (fclose(file->stream) != 0 && good)
        status = io_fault(file->path, diag);
    if (status == STATUS_OK && rename(file->temporary, file->path) != 0)
        status = io_fault(file->path, diag);
    if (status == STATUS_OK)
        sync_folder(file->path);
    else
        (void)unlink(file->temporary);
    release(file);
    return status;
}

void atomic_file_abort(struct atomic_file *file)
{
    if (!file)
        return;
    if (file->path) {
        (void)fclose(file->stream);
        (void)unlink(file->temporary);
    }
    release(file);
}
