#define _DEFAULT_SOURCE /* madvise() */
#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef CAXTON_LEAK_CHECK
#include <sanitizer/lsan_interface.h>
#endif

enum { LINE = 64, LARGE_PAGE = 1 << 21 };

/* Where the memory comes from; stands in front of it. */
struct origin {
    void *start;
    size_t mapped; /* bytes; 0 = from the heap */
};

_Static_assert(sizeof(struct origin) <= LINE, "fits in front of the first boundary");

static void *behind_origin(char *memory, struct origin origin)
{
    memcpy(memory - LINE, &origin, sizeof origin);
    return memory;
}

static void *heap_memory(size_t size)
{
    void *start;
    if (posix_memalign(&start, LINE, LINE + size) != 0)
        return NULL;
    memset(start, 0, LINE + size);
    return behind_origin((char *)start + LINE, (struct origin){start, 0});
}

/* The leak check looks for pointers on the heap; it must be told of those in mapped memory. */
static void leak_check_sees(void *start, size_t length)
{
#ifdef CAXTON_LEAK_CHECK
    __lsan_register_root_region(start, length);
#else
    (void)start;
    (void)length;
#endif
}

static void leak_check_forgets(void *start, size_t length)
{
#ifdef CAXTON_LEAK_CHECK
    __lsan_unregister_root_region(start, length);
#else
    (void)start;
    (void)length;
#endif
}

/* Not from the heap: there the C library leaves holes between large tables that come and go, and
 * the program would grow with each new size of the hash. */
static void *mapped_memory(size_t size)
{
    size_t length = LINE + LARGE_PAGE + size;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    char *start = mmap(NULL, length, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    char *memory = start + LINE;
    memory += -(uintptr_t)memory & (LARGE_PAGE - 1);
#ifdef MADV_HUGEPAGE
    /* The part that whole pages fill; the system may refuse, which costs speed alone. */
    (void)madvise(memory, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    leak_check_sees(start, length);
    return behind_origin(memory, (struct origin){start, length});
}

void *large_memory(size_t size)
{
    if (size > SIZE_MAX - LINE - LARGE_PAGE)
        return NULL;
    return size < LARGE_PAGE ? heap_memory(size) : mapped_memory(size);
}

void large_memory_free(void *memory)
{
    struct origin origin;
    if (!memory)
        return;
    memcpy(&origin, (char *)memory - LINE, sizeof origin);
    if (origin.mapped > 0) {
        leak_check_forgets(origin.start, origin.mapped);
        (void)munmap(origin.start, origin.mapped);
    } else {
        free(origin.start);
    }
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
    char line[128];
    unsigned long long kib = 0;
    /* getrusage() counts what the process had before exec(), which is the parent's. */
    FILE *status = fopen("/proc/self/status", "r");
    while (status && kib == 0 && fgets(line, sizeof line, status))
        (void)sscanf(line, "VmHWM: %llu", &kib);
    if (status)
        (void)fclose(status);
    if (kib > 0)
        return (uint64_t)kib * 1024;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
#ifdef __APPLE__
    return (uint64_t)usage.ru_maxrss;
#else
    return (uint64_t)usage.ru_maxrss * 1024; /* Linux counts in KiB */
#endif
}
