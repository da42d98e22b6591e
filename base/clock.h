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

enum { CLOCK_TEXT_MAX = 16 };

/* Now, as a clock on the wall shows it: "20261231-235959"; only zeros = unknown. */
void clock_local(char out[CLOCK_TEXT_MAX]);

/* A number that is another one for each run of the program: a seed where chance is wanted. */
uint64_t clock_seed(void);

/* Sleeps for so long, or less when a signal comes. */
void clock_sleep_ms(int64_t milliseconds);
