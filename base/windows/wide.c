#include "base/windows/wide.h"

#include <errno.h>
#include <stdlib.h>
#include <windows.h>

/* Names that are added to a path, such as ".PID-N", must fit, too. */
enum { SHORT_PATH_MAX = 200 };

static const struct {
    DWORD error;
    int number;
} numbers[] = {
    {ERROR_FILE_NOT_FOUND, ENOENT},
    {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_INVALID_NAME, ENOENT},
    {ERROR_INVALID_DRIVE, ENOENT},
    {ERROR_BAD_NETPATH, ENOENT},
    {ERROR_BAD_NET_NAME, ENOENT},
    {ERROR_BAD_PATHNAME, ENOENT},
    {ERROR_NOT_READY, ENOENT},
    {ERROR_ACCESS_DENIED, EACCES},
    {ERROR_SHARING_VIOLATION, EACCES},
    {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
    {ERROR_IO_PENDING, EWOULDBLOCK},
    {ERROR_FILE_EXISTS, EEXIST},
    {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_DIRECTORY, ENOTDIR},
    {ERROR_DISK_FULL, ENOSPC},
    {ERROR_HANDLE_DISK_FULL, ENOSPC},
    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_OUTOFMEMORY, ENOMEM},
    {ERROR_COMMITMENT_LIMIT, ENOMEM},
    {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
    {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {ERROR_BUFFER_OVERFLOW, ENAMETOOLONG},
    {ERROR_WRITE_PROTECT, EROFS},
    {ERROR_BROKEN_PIPE, EPIPE},
    {ERROR_NO_DATA, EPIPE},
};

bool wide_fault(void)
{
    DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].error == error)
            errno = numbers[i].number;
    return false;
}

wchar_t *wide_text(const char *text)
{
    int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    if (size <= 0) {
        errno = EILSEQ;
        return NULL;
    }
    wchar_t *wide = malloc((size_t)size * sizeof *wide);
    if (!wide)
        errno = ENOMEM;
    else
        (void)MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, size);
    return wide;
}

wchar_t *wide_full_path(const wchar_t *path)
{
    DWORD size = GetFullPathNameW(path, 0, NULL, NULL);
    wchar_t *full = size ? malloc(size * sizeof *full) : NULL;
    if (!size)
        (void)wide_fault();
    else if (!full)
        errno = ENOMEM;
    else
        (void)GetFullPathNameW(path, size, full, NULL);
    return full;
}

/* `path` behind its prefix; `path` is freed. NULL is passed on. */
static wchar_t *lift_limit(wchar_t *path)
{
    static const wchar_t plain[] = L"\\\\?\\";
    static const wchar_t network[] = L"\\\\?\\UNC\\";
    if (!path || wcsncmp(path, L"\\\\?\\", 4) == 0 || wcsncmp(path, L"\\\\.\\", 4) == 0)
        return path;
    bool is_network = wcsncmp(path, L"\\\\", 2) == 0;
    const wchar_t *prefix = is_network ? network : plain;
    const wchar_t *rest = is_network ? path + 2 : path;
    size_t front = wcslen(prefix);
    size_t back = wcslen(rest) + 1;
    wchar_t *lifted = malloc((front + back) * sizeof *lifted);
    if (lifted) {
        wmemcpy(lifted, prefix, front);
        wmemcpy(lifted + front, rest, back);
    } else {
        errno = ENOMEM;
    }
    free(path);
    return lifted;
}

/* Windows before 11 takes nul.bin in any folder for the device NUL: what is written is lost. */
static bool is_device_by_chance(const wchar_t *path, const wchar_t *full)
{
    static const wchar_t devices[] = L"\\\\.\\";
    const wchar_t *slash = wcsrchr(path, L'\\');
    return wcsncmp(full, devices, 4) == 0 && wcsncmp(path, devices, 4) != 0 &&
           wcschr(slash ? slash : path, L'.');
}

wchar_t *wide_path(const char *path)
{
    wchar_t *wide = wide_text(path);
    if (!wide)
        return NULL;
    for (wchar_t *at = wide; *at; at++)
        if (*at == L'/')
            *at = L'\\';
    wchar_t *full = wide_full_path(wide);
    if (full && is_device_by_chance(wide, full)) {
        free(full);
        free(wide);
        errno = EINVAL;
        return NULL;
    }
    if (!full || wcslen(full) <= SHORT_PATH_MAX) {
        free(full);
        return wide; /* short: devices such as NUL keep their names */
    }
    free(wide);
    return lift_limit(full);
}

bool wide_to_text(const wchar_t *wide, char *out, size_t capacity)
{
    int room = capacity < INT_MAX ? (int)capacity : INT_MAX;
    if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, out, room, NULL, NULL) > 0)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

char *wide_duplicate(const wchar_t *wide)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    if (!text)
        errno = ENOMEM;
    else
        (void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}
