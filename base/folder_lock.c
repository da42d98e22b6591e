#include "base/folder_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"

enum { NO_LOCK = -1 };

/* Opens the folder that a rename to `path` takes place in: symbolic links are followed. */
static int open_folder(const char *path)
{
    char resolved[PATH_MAX];
    if (!file_resolve(path, resolved, sizeof resolved))
        return NO_LOCK;
    char *slash = strrchr(resolved, '/');
    if (slash)
        slash[slash == resolved] = '\0';
    return open(slash ? resolved : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int folder_lock_take(const char *path)
{
    int folder = open_folder(path);
    int status = NO_LOCK;
    while (folder >= 0 && (status = flock(folder, LOCK_EX)) != 0 && errno == EINTR)
        continue;
    if (folder >= 0 && status != 0) {
        (void)close(folder);
        return NO_LOCK;
    }
    return folder;
}

void folder_lock_release(int lock)
{
    if (lock >= 0)
        (void)close(lock);
}
