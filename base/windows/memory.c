#include "base/memory.h"

#include <stdbool.h>
#include <windows.h>

#include <psapi.h>

enum { LARGE_PAGE = 1 << 21 };

/* Large pages need a privilege that an administrator gives ("Lock pages in memory"), and that a
 * program must switch on. */
static bool may_lock_pages(void)
{
    HANDLE token;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &token))
        return false;
    TOKEN_PRIVILEGES wanted = {.PrivilegeCount = 1,
                               .Privileges[0].Attributes = SE_PRIVILEGE_ENABLED};
    bool good = LookupPrivilegeValueW(NULL, L"SeLockMemoryPrivilege", &wanted.Privileges[0].Luid) &&
                AdjustTokenPrivileges(token, FALSE, &wanted, 0, NULL, NULL) &&
                GetLastError() == NO_ERROR;
    (void)CloseHandle(token);
    return good;
}

void *large_memory(size_t size)
{
    void *memory = NULL;
    size_t page = GetLargePageMinimum();
    if (size >= LARGE_PAGE && page && size <= SIZE_MAX - page && may_lock_pages())
        memory = VirtualAlloc(NULL, (size + page - 1) / page * page,
                              MEM_COMMIT | MEM_RESERVE | MEM_LARGE_PAGES, PAGE_READWRITE);
    if (!memory) /* small pages cost speed alone */
        memory = VirtualAlloc(NULL, size, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    return memory;
}

void large_memory_free(void *memory)
{
    if (memory)
        (void)VirtualFree(memory, 0, MEM_RELEASE);
}

uint64_t memory_limit_bytes(void)
{
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}

uint64_t memory_peak_bytes(void)
{
    PROCESS_MEMORY_COUNTERS counters = {.cb = sizeof counters};
    if (!K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters))
        return 0;
    return counters.PeakWorkingSetSize;
}
