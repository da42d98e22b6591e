#define _DEFAULT_SOURCE /* madvise() */
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LINE = 64, LARGE_PAGE = 1 << 21 };

void *large_memory(size_t size)
{
    void *memory;
    if (posix_memalign(&memory, size < LARGE_PAGE ? LINE : LARGE_PAGE, size) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    /* The part that whole pages fill; the system may refuse, which costs speed alone. */
    if (size >= LARGE_PAGE)
        (void)madvise(memory, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    return memory;
}

void large_memory_free(void *memory)
{
    free(memory);
}

uint64_t memory_limit_bytes(void)
{
    struct rlimit limit;
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return is_limited && (bytes == 0 || limit.rlim_cur < bytes) ? (uint64_t)limit.rlim_cur : bytes;
}

uint64_t memory_peak_bytes(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return (uint64_t)usage.ru_maxrss * 1024; /* Linux counts in KiB */
}
