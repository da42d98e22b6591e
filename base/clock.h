/* The monotonic clock. */
#ifndef CAXTON_BASE_CLOCK_H
#define CAXTON_BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds from some fixed moment; never goes back. */
int64_t clock_ms(void);

#endif
