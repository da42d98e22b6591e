#define _GNU_SOURCE /* O_TMPFILE; realpath */

#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static void folder_of(const char *path, char out[SYSTEM_PATH_MAX])
{
    text_copy(out, SYSTEM_PATH_MAX, span_of(path));
    char *slash = strrchr(out, '/');
    if (slash)
        slash[slash == out] = '\0';
    else
        text_copy(out, SYSTEM_PATH_MAX, span_of("."));
}

/* In a folder like /tmp, where all may write and nobody takes the files of others away, only our
 * own links are followed, and those of the folder's owner: another one could lead what we write
 * anywhere. Source: Linux, fs.protected_symlinks, which not every system sets. */
static bool may_follow(const char *path, uid_t owner)
{
    struct stat info;
    char folder[SYSTEM_PATH_MAX];
    folder_of(path, folder);
    if (owner == geteuid() || stat(folder, &info) != 0 || owner == info.st_uid)
        return true;
    errno = EACCES;
    return (info.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH);
}

static bool copy_path(const char *path, char *out, size_t capacity)
{
    size_t size = strlen(path) + 1;
    if (size > capacity) {
        errno = ENAMETOOLONG;
        return false;
    }
    memmove(out, path, size);
    return true;
}

/* Puts the path that the link at `path` names in its place. Relative ones begin in its folder. */
static bool follow_link(char *path, size_t capacity)
{
    char target[PATH_MAX];
    ssize_t size = readlink(path, target, sizeof target - 1);
    if (size < 0)
        return false;
    target[size] = '\0';
    char *slash = target[0] == '/' ? NULL : strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    return copy_path(target, path + folder, capacity - folder);
}

/* Puts in place of the path what it leads to: itself if it is no link. */
static bool follow_links(char *path, size_t capacity)
{
    int left = 40; /* as Linux follows them */
    struct stat info;
    for (; left && lstat(path, &info) == 0 && S_ISLNK(info.st_mode); left--)
        if (!may_follow(path, info.st_uid) || !follow_link(path, capacity))
            return false;
    errno = ELOOP;
    return left > 0;
}

int system_open(const char *path, enum system_mode mode)
{
    /* Without O_NONBLOCK a pipe would keep us waiting. */
    static const int flags[] = {
        [SYSTEM_READ] = O_RDONLY,
        [SYSTEM_READ_AT_ONCE] = O_RDONLY | O_NONBLOCK | O_NOCTTY,
        [SYSTEM_WRITE] = O_WRONLY,
        [SYSTEM_WRITE_NEW] = O_WRONLY | O_CREAT | O_EXCL,
        [SYSTEM_JOURNAL] = O_RDWR | O_CREAT | O_NONBLOCK,
    };
    char target[SYSTEM_PATH_MAX];
    bool writes = mode == SYSTEM_WRITE || mode == SYSTEM_JOURNAL;
    if (writes && !(copy_path(path, target, sizeof target) && follow_links(target, sizeof target)))
        return -1;
    return open(path, flags[mode] | O_CLOEXEC, 0666); /* less the umask */
}

int system_open_temporary(const char *folder)
{
    /* Where the file system can, the file never has a name, so that not even a signal between two
     * calls leaves one behind. */
#ifdef O_TMPFILE
    int nameless = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (nameless >= 0)
        return nameless;
#endif
    char path[SYSTEM_PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/makebook.XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int opened = mkstemp(path);
    if (opened >= 0 && (fcntl(opened, F_SETFD, FD_CLOEXEC) != 0 || unlink(path) != 0)) {
        int error = errno;
        (void)close(opened);
        errno = error;
        return -1;
    }
    return opened;
}

int system_copy_output(void)
{
    return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
}

void system_close(int file)
{
    (void)close(file);
}

int64_t system_read(int file, void *bytes, size_t size)
{
    ssize_t got;
    do
        got = read(file, bytes, size);
    while (got < 0 && errno == EINTR);
    return got;
}

int64_t system_add(int file, const void *bytes, size_t size)
{
    ssize_t written;
    do
        written = write(file, bytes, size);
    while (written < 0 && errno == EINTR);
    return written;
}

int64_t system_read_at(int file, uint64_t start, void *bytes, size_t size)
{
    ssize_t got;
    do
        got = pread(file, bytes, size, (off_t)start);
    while (got < 0 && errno == EINTR);
    return got;
}

int64_t system_write_at(int file, uint64_t start, const void *bytes, size_t size)
{
    ssize_t written;
    do
        written = pwrite(file, bytes, size, (off_t)start);
    while (written < 0 && errno == EINTR);
    return written;
}

bool system_cut(int file, uint64_t size)
{
    return ftruncate(file, (off_t)size) == 0;
}

bool system_sync(int file)
{
#ifdef F_FULLFSYNC /* macOS: fsync() leaves it in the disk's cache */
    if (fcntl(file, F_FULLFSYNC) == 0)
        return true;
#endif
    return fsync(file) == 0;
}

bool system_lock(int file)
{
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

/* Opens the folder of `path` for reading. Returns the descriptor, or -1. */
static int open_folder(const char *path)
{
    char folder[SYSTEM_PATH_MAX];
    folder_of(path, folder);
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int system_lock_folder(const char *path, system_waits *waits, void *context)
{
    int folder = open_folder(path);
    int status = folder < 0 ? -1 : flock(folder, LOCK_EX | LOCK_NB);
    if (folder >= 0 && status == 0)
        return folder;
    if (folder >= 0 && errno == EWOULDBLOCK && waits)
        waits(context);
    while (folder >= 0 && (status = flock(folder, LOCK_EX)) != 0 && errno == EINTR)
        continue;
    if (folder >= 0 && status != 0) {
        (void)close(folder);
        return -1;
    }
    return folder;
}

void system_unlock_folder(int lock)
{
    if (lock >= 0)
        (void)close(lock);
}

static void describe(const struct stat *info, struct system_info *out)
{
    mode_t mode = info->st_mode;
    *out = (struct system_info){
        .kind = S_ISREG(mode)   ? SYSTEM_REGULAR
                : S_ISDIR(mode) ? SYSTEM_FOLDER
                : S_ISBLK(mode) ? SYSTEM_BLOCKS
                : S_ISCHR(mode) ? SYSTEM_CHARACTERS
                                : SYSTEM_OTHER,
        .size = S_ISREG(mode) ? (uint64_t)info->st_size : 0,
        .place = {(uint64_t)info->st_dev, (uint64_t)info->st_ino},
        .mode = mode & 0777,
        .owner = info->st_uid,
        .group = info->st_gid,
    };
}

bool system_look(const char *path, struct system_info *out)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    describe(&info, out);
    return true;
}

bool system_look_open(int file, struct system_info *out)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return false;
    describe(&info, out);
    return true;
}

void system_set_rights(int file, const struct system_info *like)
{
    /* Only root may give a file away; its group can often be kept all the same. */
    bool is_given =
        fchown(file, like->owner, like->group) == 0 || fchown(file, (uid_t)-1, like->group) == 0;
    (void)is_given;
    (void)fchmod(file, (mode_t)like->mode);
}

bool system_can_replace(const char *path)
{
    return access(path, W_OK) == 0;
}

bool system_replace(const char *from, const char *to)
{
    if (rename(from, to) != 0)
        return false;
    /* A file system that cannot sync a folder is no reason to fail: the file itself is complete. */
    int folder = open_folder(to);
    if (folder >= 0) {
        (void)fsync(folder);
        (void)close(folder);
    }
    return true;
}

bool system_remove(const char *path)
{
    return unlink(path) == 0;
}

bool system_resolve(const char *path, char *out, size_t capacity)
{
    char resolved[PATH_MAX];
    if (!*path) {
        errno = ENOENT;
        return false;
    }
    if (!copy_path(path, out, capacity) || !follow_links(out, capacity))
        return false;
    return realpath(out, resolved) ? copy_path(resolved, out, capacity) : errno == ENOENT;
}

bool system_make_folder(const char *path)
{
    return mkdir(path, 0777) == 0;
}

const char *system_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool system_is_absolute(const char *path)
{
    return path[0] == '/';
}

bool system_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

bool system_terminal_obeys(FILE *stream)
{
    const char *kind = getenv("TERM");
    return system_is_terminal(stream) && kind && strcmp(kind, "dumb") != 0;
}

static bool names_utf8(const char *locale)
{
    for (; *locale; locale++)
        if (span_equal_nocase(span_make(locale, strnlen(locale, 5)), "utf-8") ||
            span_equal_nocase(span_make(locale, strnlen(locale, 4)), "utf8"))
            return true;
    return false;
}

bool system_terminal_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return names_utf8(locale);
    }
    return false;
}

bool system_own_path(char *out, size_t capacity)
{
    ssize_t size = readlink("/proc/self/exe", out, capacity); /* Linux; elsewhere it fails */
    if (size <= 0 || (size_t)size >= capacity)
        return false;
    out[size] = '\0';
    return true;
}

bool system_current_folder(char *out, size_t capacity)
{
    return getcwd(out, capacity) != NULL;
}

void system_raise_open_max(size_t wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &limit); /* what there is must do */
}

size_t system_open_max(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    return limit.rlim_cur < SIZE_MAX ? (size_t)limit.rlim_cur : SIZE_MAX;
}

bool system_host_name(char *out, size_t capacity)
{
    out[capacity - 1] = '\0';
    return gethostname(out, capacity - 1) == 0;
}

const char *system_temp_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}
