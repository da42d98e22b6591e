#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_stream.h"

enum { PATH_BYTES = PATH_MAX, TEMPORARY_NAMES = 1000 };

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
            (void)unlink(slots[i].path);
    errno = saved;
}

static void on_signal(int number)
{
    atomic_file_remove_all();
    _exit(128 + number);
}

void atomic_file_catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
    struct sigaction action = {.sa_handler = on_signal};
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN)
            continue;
        (void)sigaction(numbers[i], &action, NULL);
    }
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGXFSZ, &action, NULL);
}

static enum caxton_status fail(struct diag *diag, const char *path, int error)
{
    return diag_fail(STATUS_IO, diag, "%s: cannot write: %s",
                     strcmp(path, "-") == 0 ? "standard output" : path, strerror(error));
}

/* Creates the temporary file beside file->target and lists it. Signals wait meanwhile, so that
 * none finds the file without its name. The name is made here and not by mkstemp, so that the
 * system applies the user's umask. Returns the descriptor, or -1 with errno set. */
static int open_temporary(struct atomic_file *file)
{
    struct slot *slot = slot_claim();
    if (!slot) {
        errno = EMFILE;
        return -1;
    }
    sigset_t all, before;
    (void)sigfillset(&all);
    int error = pthread_sigmask(SIG_SETMASK, &all, &before);
    int fd = -1;
    for (int i = 0; !error && fd < 0 && i < TEMPORARY_NAMES; i++) {
        int size = snprintf(slot->path, PATH_BYTES, "%s.%ld-%d", file->target, (long)getpid(), i);
        if (size < 0 || size >= PATH_BYTES) {
            error = ENAMETOOLONG;
            break;
        }
        fd = open(slot->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            error = errno;
    }
    if (fd >= 0) {
        file->slot = slot;
        atomic_store(&slot->state, SLOT_LISTED);
    } else {
        slot_release(slot);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error ? error : EEXIST;
    return fd;
}

/* Opens what `path` names, as the header tells. Returns the descriptor, or -1 with errno set. */
static int open_target(const char *path, struct atomic_file *file)
{
    if (strcmp(path, "-") == 0)
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);

    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (!exists && errno != ENOENT)
        return -1;
    if (exists && S_ISDIR(there.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (exists && !S_ISREG(there.st_mode))
        return open(path, O_WRONLY | O_CLOEXEC);
    /* A rename would replace a file that the user has locked against writing. */
    if (exists && access(path, W_OK) != 0)
        return -1;
    if (!file_resolve(path, file->target, sizeof file->target))
        return -1;
    int fd = open_temporary(file);
    if (fd >= 0 && exists)
        (void)fchmod(fd, there.st_mode & 0777); /* a wish: some file systems have no modes */
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
            (void)close(fd);
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

/* Opens the folder of `path` for reading. Returns the descriptor, or -1. */
static int open_folder(const char path[PATH_BYTES])
{
    char folder[PATH_BYTES];
    memcpy(folder, path, PATH_BYTES);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    return open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Makes a rename in the folder of `path` durable. A file system that cannot do that is no reason
 * to fail: the file itself is complete. */
static void sync_folder(const char path[PATH_BYTES])
{
    int fd = open_folder(path);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
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
    if (!error && file->slot && fsync(file->bytes.file) != 0)
        error = errno;
    if (fclose(file->stream) != 0 && !error)
        error = errno;
    file->stream = NULL;
    return error;
}

enum caxton_status atomic_file_commit(struct atomic_file *file, struct diag *diag)
{
    int error = finish_stream(file);
    if (!error && file->slot) {
        if (rename(file->slot->path, file->target) == 0) {
            slot_release(file->slot);
            file->slot = NULL;
            sync_folder(file->target);
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
        (void)unlink(file->slot->path);
        slot_release(file->slot);
    }
    free(file);
}

enum { NO_LOCK = -1 };

int atomic_file_lock(const char *path)
{
    char target[PATH_BYTES];
    int folder = file_resolve(path, target, sizeof target) ? open_folder(target) : NO_LOCK;
    int status = NO_LOCK;
    while (folder >= 0 && (status = flock(folder, LOCK_EX)) != 0 && errno == EINTR)
        continue;
    if (folder >= 0 && status != 0) {
        (void)close(folder);
        return NO_LOCK;
    }
    return folder;
}

void atomic_file_unlock(int lock)
{
    if (lock >= 0)
        (void)close(lock);
}
