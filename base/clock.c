#include "base/clock.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

int64_t clock_ns(void)
{
    struct timespec now = {0};
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_ms(void)
{
    return clock_ns() / 1000000;
}

int64_t clock_date(int64_t seconds)
{
    time_t moment = (time_t)seconds;
    struct tm parts;
    if (!gmtime_r(&moment, &parts))
        return 0;
    return (parts.tm_year + INT64_C(1900)) * 10000 + (parts.tm_mon + 1) * 100 + parts.tm_mday;
}

int64_t clock_today(void)
{
    return clock_date((int64_t)time(NULL));
}

void clock_local(char out[CLOCK_TEXT_MAX])
{
    time_t now = time(NULL);
    struct tm parts;
    if (!localtime_r(&now, &parts) || strftime(out, CLOCK_TEXT_MAX, "%Y%m%d-%H%M%S", &parts) == 0)
        memcpy(out, "00000000-000000", CLOCK_TEXT_MAX);
}

uint64_t clock_seed(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000007 ^ (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 32;
}

void clock_sleep_ms(int64_t milliseconds)
{
    const struct timespec pause = {.tv_sec = (time_t)(milliseconds / 1000),
                                   .tv_nsec = (long)(milliseconds % 1000) * 1000000};
    (void)nanosleep(&pause, NULL);
}
