/* What time it is. */
#pragma once

#include <stdint.h>

/* Milliseconds from some fixed moment; never goes back. */
int64_t clock_ms(void);

/* The same in nanoseconds, for measuring. */
int64_t clock_ns(void);

/* Today's date in Greenwich as YYYYMMDD; 0 = unknown. */
int64_t clock_today(void);

/* That of `seconds` after the start of 1970. */
int64_t clock_date(int64_t seconds);

struct clock_moment {
    int year;
    int month; /* 1 .. 12 */
    int day;
    int hour;
    int minute;
    int second;
};

/* Now, as a clock on the wall shows it; all 0 = unknown. */
struct clock_moment clock_local(void);

/* A number that is another one for each run of the program: a seed where chance is wanted. */
uint64_t clock_seed(void);

/* Sleeps for so long, or less when a signal comes. */
void clock_sleep_ms(int64_t milliseconds);
