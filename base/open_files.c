#include "base/open_files.h"

#include <sys/resource.h>

/* WANTED: more than any merge reads side by side. LEAST: POSIX promises 20. */
enum { WANTED = 4096, LEAST = 20 };

void open_files_raise(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= WANTED)
        return;
    limit.rlim_cur = limit.rlim_max < WANTED ? limit.rlim_max : WANTED;
    (void)setrlimit(RLIMIT_NOFILE, &limit); /* what there is must do */
}

size_t open_files_max(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < LEAST)
        return LEAST;
    return limit.rlim_cur < WANTED ? (size_t)limit.rlim_cur : WANTED;
}
