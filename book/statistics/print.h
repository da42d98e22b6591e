/* Fingerprints of games, as statistics files (wld.h) keep them: what is counted is known by them.
 */
#pragma once

#include "base/bytes.h"
#include "base/fingerprint.h"
#include "base/status.h"

enum { PRINT_SIZE = 16 };

/* Gives the next fingerprint of a sequence in ascending order; STATUS_END at its end. */
typedef enum caxton_status (*print_source)(void *context, struct fingerprint *out,
                                           struct diag *diag);

/* Receives fingerprints in ascending order, each once. */
typedef enum caxton_status (*print_sink)(void *context, struct fingerprint print);

static inline void print_encode(struct fingerprint print, uint8_t bytes[PRINT_SIZE])
{
    bytes_put_le(bytes, print.high, 8);
    bytes_put_le(bytes + 8, print.low, 8);
}

static inline struct fingerprint print_decode(const uint8_t bytes[PRINT_SIZE])
{
    return (struct fingerprint){bytes_get_u64le(bytes), bytes_get_u64le(bytes + 8)};
}
