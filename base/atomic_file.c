#include "base/atomic_file.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/end_signals.h"
#include "base/file.h"
#include "base/file_stream.h"
#include "base/system.h"

enum { PATH_BYTES = SYSTEM_PATH_MAX, TEMPORARY_NAMES = 1000 };

/* The temporary files that exist, where a signal handler can see them: it can neither lock nor
 * allocate. A slot goes FREE -> CLAIMED -> LISTED -> FREE; `path` is read only while LISTED. */
enum slot_state { SLOT_FREE, SLOT_CLAIMED, SLOT_LISTED };
struct slot {
    atomic_int state; /* sequentially consistent; orders the accesses to path */
    char path[PATH_BYTES];
};
static struct slot slots[ATOMIC_FILES_MAX];

struct atomic_file {
    FILE *stream;
    struct file_stream bytes; /* below `stream` */
    struct slot *slot;        /* NULL when written directly */
    char target[PATH_BYTES];
};

static struct slot *slot_claim(void)
{
    for (int i = 0; i < ATOMIC_FILES_MAX; i++) {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&slots[i].state, &expected, SLOT_CLAIMED))
            return &slots[i];
    }
    return NULL;
}

static void slot_release(struct slot *slot)
{
    atomic_store(&slot->state, SLOT_FREE);
}

void atomic_file_remove_all(void)
{
    int saved = errno;
    for (int i = 0; i < ATOMIC_FILES_MAX; i++)
        if (atomic_load(&slots[i].state) == SLOT_LISTED)
            (void)system_remove(slots[i].path);
    errno = saved;
}

void atomic_file_catch_signals(void)
{
    end_signals_catch(atomic_file_remove_all);
}

static enum caxton_status fail(struct diag *diag, const char *path, int error)
{
    return diag_fail(STATUS_IO, diag, "%s: cannot write: %s",
                     strcmp(path, "-") == 0 ? "standard output" : path, strerror(error));
}

/* A temporary file that is to be created. */
struct temporary {
    const char *target;
    struct slot *slot; /* claimed */
    int file;          /* the descriptor; -1: not created */
};

/* The name is made here and not by mkstemp, so that the system applies the user's umask. Returns
 * an errno. */
static int create_temporary(void *context)
{
    struct temporary *made = context;
    for (int i = 0; i < TEMPORARY_NAMES; i++) {
        int size =
            snprintf(made->slot->path, PATH_BYTES, "%s.%ld-%d", made->target, (long)getpid(), i);
        if (size < 0 || size >= PATH_BYTES)
            return ENAMETOOLONG;
        made->file = system_open(made->slot->path, SYSTEM_WRITE_NEW);
        if (made->file >= 0) {
            atomic_store(&made->slot->state, SLOT_LISTED);
            return 0;
        }
        if (errno != EEXIST)
            return errno;
    }
    return EEXIST;
}

/* Creates the temporary file beside file->target and lists it. Signals wait meanwhile, so that
 * none finds the file without its name. Returns the descriptor, or -1 with errno set. */
static int open_temporary(struct atomic_file *file)
{
    struct temporary made = {.target = file->target, .slot = slot_claim(), .file = -1};
    if (!made.slot) {
        errno = EMFILE;
        return -1;
    }
    int error = end_signals_hold(create_temporary, &made);
    if (error) {
        slot_release(made.slot);
        errno = error;
        return -1;
    }
    file->slot = made.slot;
    return made.file;
}

/* Opens what `path` names, as the header tells. Returns the descriptor, or -1 with errno set. */
static int open_target(const char *path, struct atomic_file *file)
{
    if (strcmp(path, "-") == 0)
        return system_copy_output();

    struct system_info there;
    bool exists = system_look(path, &there);
    if (!exists && errno != ENOENT)
        return -1;
    if (exists && there.kind == SYSTEM_FOLDER) {
        errno = EISDIR;
        return -1;
    }
    if (exists && there.kind != SYSTEM_REGULAR)
        return system_open(path, SYSTEM_WRITE);
    /* A rename would replace a file that the user has locked against writing. */
    if (exists && !system_can_replace(path))
        return -1;
    if (!file_resolve(path, file->target, sizeof file->target))
        return -1;
    int fd = open_temporary(file);
    if (fd >= 0 && exists)
        system_set_rights(fd, &there);
    return fd;
}

enum caxton_status atomic_file_create(const char *path, struct atomic_file **out, struct diag *diag)
{
    size_t size = strlen(path) + 1;
    if (size > PATH_BYTES)
        return fail(diag, path, ENAMETOOLONG);
    struct atomic_file *file = calloc(1, sizeof *file);
    if (!file)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", path);
    memcpy(file->target, path, size);
    int fd = open_target(path, file);
    int error = errno;
    if (fd >= 0) {
        file->bytes.file = fd;
        file->stream = file_stream_open(&file->bytes);
        error = errno;
        if (!file->stream)
            system_close(fd);
    }
    if (!file->stream) {
        atomic_file_abort(file);
        return fail(diag, path, error);
    }
    *out = file;
    return STATUS_OK;
}

enum caxton_status atomic_file_try(const char *path, struct diag *diag)
{
    struct atomic_file *file = NULL;
    if (strcmp(path, "-") == 0 || file_kind_of(path, NULL) == FILE_OTHER)
        return STATUS_OK;
    enum caxton_status status = atomic_file_create(path, &file, diag);
    atomic_file_abort(file);
    return status;
}

FILE *atomic_file_stream(struct atomic_file *file)
{
    return file->stream;
}

bool atomic_file_has_failed(struct atomic_file *file, struct diag *diag)
{
    if (!file || !ferror(file->stream))
        return false;
    (void)fail(diag, file->target, file_stream_flush(&file->bytes, file->stream));
    return true;
}

/* Everything up to the rename. Returns 0 or an errno. */
static int finish_stream(struct atomic_file *file)
{
    int error = file_stream_flush(&file->bytes, file->stream);
    /* Pipes and devices cannot be synced. */
    if (!error && file->slot && !system_sync(file->bytes.file))
        error = errno;
    if (fclose(file->stream) != 0 && !error)
        error = errno;
    file->stream = NULL;
    return error;
}

enum caxton_status atomic_file_finish(struct atomic_file *file, struct diag *diag)
{
    int error = finish_stream(file);
    return error ? fail(diag, file->target, error) : STATUS_OK;
}

enum caxton_status atomic_file_commit(struct atomic_file *file, struct diag *diag)
{
    int error = file->stream ? finish_stream(file) : 0;
    if (!error && file->slot) {
        if (system_replace(file->slot->path, file->target)) {
            slot_release(file->slot);
            file->slot = NULL;
        } else {
            error = errno;
        }
    }
    enum caxton_status status = error ? fail(diag, file->target, error) : STATUS_OK;
    atomic_file_abort(file);
    return status;
}

void atomic_file_abort(struct atomic_file *file)
{
    if (!file)
        return;
    if (file->stream)
        (void)fclose(file->stream); /* what it still holds is not wanted */
    if (file->slot) {
        (void)system_remove(file->slot->path);
        slot_release(file->slot);
    }
    free(file);
}

int atomic_file_lock(const char *path, atomic_file_waits *waits, void *context)
{
    char target[PATH_BYTES];
    return file_resolve(path, target, sizeof target) ? system_lock_folder(target, waits, context)
                                                     : -1;
}

void atomic_file_unlock(int lock)
{
    system_unlock_folder(lock);
}
