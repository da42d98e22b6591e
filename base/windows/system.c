/* It is long because it is all that files need of Windows, as posix/system.c is of POSIX. */
#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include "base/windows/wide.h"

enum { SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };
enum { BLOCK_MAX = 1 << 30 }; /* what one call reads or writes at most */
/* Who has made a pipe that is opened by its name may not act as the user who opens it. */
enum { AS_NOBODY = SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION };

static HANDLE handle_of(int file)
{
    return (HANDLE)_get_osfhandle(file);
}

/* A descriptor that owns the handle; -1: it is none, or there are too many. */
static int descriptor_of(HANDLE handle)
{
    if (handle == INVALID_HANDLE_VALUE) {
        (void)wide_fault();
        return -1;
    }
    int file = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
    if (file < 0) {
        (void)CloseHandle(handle);
        errno = EMFILE;
    }
    return file;
}

static bool is_folder(const wchar_t *path)
{
    DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY;
}

int system_open(const char *path, enum system_mode mode)
{
    static const struct {
        DWORD access;
        DWORD disposition;
        DWORD flags; /* a folder can be opened for reading, as elsewhere; then it is looked at */
    } modes[] = {
        [SYSTEM_READ] = {GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS},
        [SYSTEM_READ_AT_ONCE] = {GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS},
        [SYSTEM_WRITE] = {GENERIC_WRITE, OPEN_EXISTING, 0},
        [SYSTEM_WRITE_NEW] = {GENERIC_WRITE, CREATE_NEW, 0},
        [SYSTEM_JOURNAL] = {GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, 0},
    };
    wchar_t *wide = wide_path(path);
    if (!wide)
        return -1;
    int file = descriptor_of(
        CreateFileW(wide, modes[mode].access, SHARE_ALL, NULL, modes[mode].disposition,
                    FILE_ATTRIBUTE_NORMAL | AS_NOBODY | modes[mode].flags, NULL));
    if (file < 0 && errno == EACCES && is_folder(wide))
        errno = EISDIR;
    free(wide);
    return file;
}

int system_open_temporary(const char *folder)
{
    enum { NAMES = 100 };
    char path[SYSTEM_PATH_MAX];
    LARGE_INTEGER ticks = {0};
    (void)QueryPerformanceCounter(&ticks);
    int file = -1;
    errno = EEXIST;
    for (int i = 0; i < NAMES && file < 0 && errno == EEXIST; i++) {
        int size = snprintf(path, sizeof path, "%s/makebook.%lx-%llx.tmp", folder,
                            (unsigned long)GetCurrentProcessId(),
                            (unsigned long long)ticks.QuadPart + (unsigned)i);
        if (size < 0 || (size_t)size >= sizeof path) {
            errno = ENAMETOOLONG;
            return -1;
        }
        wchar_t *wide = wide_path(path);
        if (!wide)
            return -1;
        file = descriptor_of(CreateFileW(
            wide, GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
            CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL));
        free(wide);
    }
    return file;
}

int system_copy_output(void)
{
    int file = _dup(_fileno(stdout));
    if (file >= 0)
        (void)_setmode(file, _O_BINARY);
    return file;
}

void system_close(int file)
{
    (void)_close(file);
}

int64_t system_read(int file, void *bytes, size_t size)
{
    return _read(file, bytes, (unsigned)(size < BLOCK_MAX ? size : BLOCK_MAX));
}

static OVERLAPPED at_offset(uint64_t start)
{
    return (OVERLAPPED){.Offset = (DWORD)start, .OffsetHigh = (DWORD)(start >> 32)};
}

int64_t system_read_at(int file, uint64_t start, void *bytes, size_t size)
{
    OVERLAPPED from = at_offset(start);
    DWORD got = 0;
    DWORD wanted = (DWORD)(size < BLOCK_MAX ? size : BLOCK_MAX);
    if (ReadFile(handle_of(file), bytes, wanted, &got, &from))
        return got;
    if (GetLastError() == ERROR_HANDLE_EOF)
        return 0;
    (void)wide_fault();
    return -1;
}

int64_t system_write_at(int file, uint64_t start, const void *bytes, size_t size)
{
    OVERLAPPED to = at_offset(start);
    DWORD written = 0;
    DWORD wanted = (DWORD)(size < BLOCK_MAX ? size : BLOCK_MAX);
    if (WriteFile(handle_of(file), bytes, wanted, &written, &to))
        return written;
    (void)wide_fault();
    return -1;
}

int64_t system_add(int file, const void *bytes, size_t size)
{
    return system_write_at(file, UINT64_MAX, bytes, size); /* which means: at the end */
}

bool system_cut(int file, uint64_t size)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = (LONGLONG)size};
    return SetFileInformationByHandle(handle_of(file), FileEndOfFileInfo, &end, sizeof end) ||
           wide_fault();
}

bool system_sync(int file)
{
    return FlushFileBuffers(handle_of(file)) || wide_fault();
}

bool system_lock(int file)
{
    /* A lock keeps others from reading what it locks: it is far behind the end. */
    OVERLAPPED place = at_offset(UINT64_C(1) << 62);
    return LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                      &place) ||
           wide_fault();
}

int system_lock_folder(const char *path, system_waits *waits, void *context)
{
    /* A folder has no lock here: a mutex of the system that is named after it stands in. */
    char folder[SYSTEM_PATH_MAX];
    char name[64];
    struct system_info info;
    size_t size = (size_t)(system_file_name(path) - path);
    if (size >= sizeof folder)
        return -1;
    memcpy(folder, path, size);
    folder[size] = '\0';
    if (!system_look(size ? folder : ".", &info))
        return -1;
    (void)snprintf(name, sizeof name, "Local\\caxton-%016llx%016llx",
                   (unsigned long long)info.place[0], (unsigned long long)info.place[1]);
    HANDLE mutex = CreateMutexA(NULL, FALSE, name);
    if (!mutex)
        return -1;
    DWORD result = WaitForSingleObject(mutex, 0);
    if (result == WAIT_TIMEOUT) {
        if (waits)
            waits(context);
        result = WaitForSingleObject(mutex, INFINITE);
    }
    if (result == WAIT_OBJECT_0 || result == WAIT_ABANDONED)
        return (int)(intptr_t)mutex; /* handles have 32 bits that count */
    (void)CloseHandle(mutex);
    return -1;
}

void system_unlock_folder(int lock)
{
    if (lock == -1)
        return;
    (void)ReleaseMutex((HANDLE)(intptr_t)lock);
    (void)CloseHandle((HANDLE)(intptr_t)lock);
}

static bool describe(HANDLE handle, struct system_info *out)
{
    BY_HANDLE_FILE_INFORMATION info;
    struct system_info found = {.kind = SYSTEM_OTHER};
    DWORD type = GetFileType(handle);
    if (type == FILE_TYPE_CHAR) {
        found.kind = SYSTEM_CHARACTERS;
    } else if (type == FILE_TYPE_DISK) {
        if (!GetFileInformationByHandle(handle, &info))
            return wide_fault();
        found.kind =
            info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? SYSTEM_FOLDER : SYSTEM_REGULAR;
        if (found.kind == SYSTEM_REGULAR)
            found.size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
        found.place[0] = info.dwVolumeSerialNumber;
        found.place[1] = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    } else if (type == FILE_TYPE_UNKNOWN && GetLastError() != NO_ERROR) {
        return wide_fault();
    }
    *out = found;
    return true;
}

static HANDLE open_to_look(const wchar_t *path)
{
    return CreateFileW(path, FILE_READ_ATTRIBUTES, SHARE_ALL, NULL, OPEN_EXISTING,
                       FILE_FLAG_BACKUP_SEMANTICS | AS_NOBODY, NULL);
}

bool system_look(const char *path, struct system_info *out)
{
    wchar_t *wide = wide_path(path);
    if (!wide)
        return false;
    HANDLE handle = open_to_look(wide);
    bool good = handle != INVALID_HANDLE_VALUE;
    if (good) {
        good = describe(handle, out);
        (void)CloseHandle(handle);
    } else {
        (void)wide_fault();
    }
    free(wide);
    return good;
}

bool system_look_open(int file, struct system_info *out)
{
    return describe(handle_of(file), out);
}

void system_set_rights(int file, const struct system_info *like)
{
    (void)file; /* a new file has the permissions of its folder */
    (void)like;
}

bool system_can_replace(const char *path)
{
    wchar_t *wide = wide_path(path);
    if (!wide)
        return false;
    DWORD attributes = GetFileAttributesW(wide);
    free(wide);
    if (attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_READONLY))
        return true;
    errno = EACCES;
    return false;
}

/* Renames a file to a name that nothing has, which is written to `aside`. */
static bool move_aside(const wchar_t *path, wchar_t *aside, size_t room)
{
    enum { NAMES = 100 };
    for (int i = 0; i < NAMES; i++) {
        if (swprintf(aside, room, L"%ls.%lu-%d.old", path, GetCurrentProcessId(), i) < 0)
            return false;
        if (MoveFileExW(path, aside, 0))
            return true;
        if (GetLastError() != ERROR_ALREADY_EXISTS && GetLastError() != ERROR_FILE_EXISTS)
            return false;
    }
    return false;
}

/* Puts `from` in the place of a file that is open, in this program or another: it is renamed first,
 * and is gone when it is closed. That needs FILE_SHARE_DELETE, which system_open() gives. */
static bool replace_open(const wchar_t *from, const wchar_t *to)
{
    enum { ENDING_MAX = 32 };
    size_t room = wcslen(to) + ENDING_MAX;
    wchar_t *aside = malloc(room * sizeof *aside);
    if (!aside)
        return false;
    bool good = move_aside(to, aside, room);
    if (good) {
        good = MoveFileExW(from, to, MOVEFILE_WRITE_THROUGH);
        if (good)
            (void)DeleteFileW(aside);
        else
            (void)MoveFileExW(aside, to, MOVEFILE_WRITE_THROUGH);
    }
    free(aside);
    return good;
}

/* A virus scanner often has a new file open for a moment. */
static bool replace(const wchar_t *from, const wchar_t *to)
{
    enum { TRIES = 20, PAUSE_MS = 25 };
    for (int i = 0; i < TRIES; i++) {
        if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            return true;
        (void)wide_fault();
        if (errno != EACCES)
            return false;
        if (replace_open(from, to))
            return true;
        Sleep(PAUSE_MS);
    }
    errno = EACCES;
    return false;
}

bool system_replace(const char *from, const char *to)
{
    wchar_t *wide_from = wide_path(from);
    wchar_t *wide_to = wide_from ? wide_path(to) : NULL;
    bool good = wide_to && replace(wide_from, wide_to);
    free(wide_from);
    free(wide_to);
    return good;
}

bool system_remove(const char *path)
{
    wchar_t *wide = wide_path(path);
    bool good = wide && (DeleteFileW(wide) || wide_fault());
    free(wide);
    return good;
}

/* The path with links followed, for free(). NULL: nothing is there, or it cannot be told. */
static wchar_t *final_path(const wchar_t *path)
{
    HANDLE handle = open_to_look(path);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    DWORD size = GetFinalPathNameByHandleW(handle, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *final = size ? malloc((size + 1) * sizeof *final) : NULL;
    DWORD got =
        final ? GetFinalPathNameByHandleW(handle, final, size + 1, FILE_NAME_NORMALIZED) : 0;
    if (final && (got == 0 || got > size)) { /* more: a folder above was renamed meanwhile */
        free(final);
        final = NULL;
    }
    (void)CloseHandle(handle);
    return final;
}

/* Without the prefix \\?\, which wide_path() adds where it is needed. It belongs to what has no
 * letter: \\?\Volume{..}\x. */
static const wchar_t *plain_path(wchar_t *path)
{
    if (wcsncmp(path, L"\\\\?\\UNC\\", 8) == 0) {
        path[6] = L'\\';
        return path + 6;
    }
    return wcsncmp(path, L"\\\\?\\", 4) == 0 && path[4] && path[5] == L':' ? path + 4 : path;
}

bool system_resolve(const char *path, char *out, size_t capacity)
{
    if (!*path) {
        errno = ENOENT;
        return false;
    }
    wchar_t *wide = wide_path(path);
    if (!wide)
        return false;
    wchar_t *full = final_path(wide);
    if (!full)
        full = wide_full_path(wide);
    bool good = full && wide_to_text(plain_path(full), out, capacity);
    free(full);
    free(wide);
    return good;
}

bool system_make_folder(const char *path)
{
    wchar_t *wide = wide_path(path);
    bool good = wide && (CreateDirectoryW(wide, NULL) || wide_fault());
    free(wide);
    return good;
}

const char *system_file_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1))
            name = at + 1;
    return name;
}

bool system_is_absolute(const char *path)
{
    return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

bool system_is_terminal(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode(handle_of(_fileno(stream)), &mode);
}

bool system_terminal_obeys(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode(handle_of(_fileno(stream)), &mode) &&
           (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

bool system_terminal_is_utf8(void)
{
    return GetConsoleOutputCP() == CP_UTF8;
}

bool system_own_path(char *out, size_t capacity)
{
    wchar_t path[SYSTEM_PATH_MAX];
    DWORD size = GetModuleFileNameW(NULL, path, SYSTEM_PATH_MAX);
    return size > 0 && size < SYSTEM_PATH_MAX && wide_to_text(path, out, capacity);
}

bool system_current_folder(char *out, size_t capacity)
{
    wchar_t path[SYSTEM_PATH_MAX];
    DWORD size = GetCurrentDirectoryW(SYSTEM_PATH_MAX, path);
    return size > 0 && size < SYSTEM_PATH_MAX && wide_to_text(path, out, capacity);
}

void system_raise_open_max(size_t wanted)
{
    enum { MOST = 2048 }; /* msvcrt.dll has no more descriptors */
    (void)_setmaxstdio(wanted < MOST ? (int)wanted : MOST);
}

size_t system_open_max(void)
{
    return (size_t)_getmaxstdio();
}

bool system_host_name(char *out, size_t capacity)
{
    wchar_t name[MAX_COMPUTERNAME_LENGTH + 1];
    DWORD size = MAX_COMPUTERNAME_LENGTH + 1;
    return GetComputerNameW(name, &size) && wide_to_text(name, out, capacity);
}

const char *system_temp_folder(void)
{
    static char folder[SYSTEM_PATH_MAX]; /* every call writes the same into it */
    wchar_t path[SYSTEM_PATH_MAX];
    DWORD size = GetEnvironmentVariableW(L"TMPDIR", path, SYSTEM_PATH_MAX);
    if (size == 0 || size >= SYSTEM_PATH_MAX)
        size = GetTempPathW(SYSTEM_PATH_MAX, path);
    if (size == 0 || size >= SYSTEM_PATH_MAX || !wide_to_text(path, folder, sizeof folder))
        return ".";
    return folder;
}
