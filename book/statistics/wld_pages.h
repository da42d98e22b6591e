/* A sorted table at the end of a statistics file (wld.h), looked up where it lies. */
#pragma once

#include "base/raw_file.h"

enum {
    WLD_ENTRY_SIZE = 16,
    WLD_PAGE_ENTRIES = 256,
    WLD_PAGE_BYTES = WLD_PAGE_ENTRIES * WLD_ENTRY_SIZE + 8 /* with the checksum */
};

/* The bytes of a file, on disk or in memory. */
struct wld_bytes {
    char *name;            /* for messages */
    const uint8_t *memory; /* NULL: they are in `file` */
    struct raw_file file;
    uint64_t size;
};

/* Of a regular file. To be closed. Errors: STATUS_NOT_FOUND (no regular file), STATUS_IO,
 * STATUS_NO_MEMORY; `diag` (may be NULL) names the file. */
MUST_CHECK enum caxton_status wld_bytes_open(const char *path, struct wld_bytes *out,
                                             struct diag *diag);

/* Of memory, which stays valid and unchanged until they are closed. `name` is copied. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status wld_bytes_of_memory(const void *memory, size_t size, const char *name,
                                                  struct wld_bytes *out, struct diag *diag);

void wld_bytes_close(struct wld_bytes *bytes);

/* Exactly `size` bytes from `start` on; any thread. Errors: STATUS_IO, STATUS_FORMAT (there are not
 * so many); `diag` names the file. */
MUST_CHECK enum caxton_status wld_bytes_read(const struct wld_bytes *bytes, uint64_t start,
                                             void *out, size_t size, struct diag *diag);

/* Entries ascend by key, then by value. Keys are hashes: they are spread evenly. */
struct wld_entry {
    uint64_t key;
    uint64_t value;
};

struct wld_pages {
    uint64_t at; /* where in the file the first page begins */
    uint64_t count;
};

static inline int wld_entry_compare(struct wld_entry a, struct wld_entry b)
{
    if (a.key != b.key)
        return a.key < b.key ? -1 : 1;
    return (a.value > b.value) - (a.value < b.value);
}

/* What the bytes are of so many entries, whose pages have a checksum each. At most 2^59 entries. */
uint64_t wld_pages_size(uint64_t count);

/* Puts `count` entries (at most WLD_PAGE_ENTRIES) and their checksum into page[]; returns its size.
 */
size_t wld_page_encode(const struct wld_entry *entries, size_t count, uint8_t *page);

/* Reads a page of `count` entries. False: its checksum is wrong. */
bool wld_page_decode(const uint8_t *page, size_t count, struct wld_entry *entries);

/* The entry of this index < pages->count. Errors: as wld_bytes_read(), STATUS_FORMAT (its page is
 * damaged). Any thread. */
MUST_CHECK enum caxton_status wld_pages_at(const struct wld_bytes *bytes,
                                           const struct wld_pages *pages, uint64_t index,
                                           struct wld_entry *out, struct diag *diag);

/* How many entries are not above `entry`: *rank; the last of them: *last, if there is one. Mostly
 * reads one page, that where evenly spread keys would have it. Errors and threads: as above. */
MUST_CHECK enum caxton_status wld_pages_rank(const struct wld_bytes *bytes,
                                             const struct wld_pages *pages, struct wld_entry entry,
                                             uint64_t *rank, struct wld_entry *last,
                                             struct diag *diag);
