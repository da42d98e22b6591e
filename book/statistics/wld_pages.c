#include "book/statistics/wld_pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/xxh64.h"
#include "book/statistics/wld_header.h"

/* Neighbours that are tried before the search goes on by halves. */
enum { NEIGHBOURS = 4 };

__extension__ typedef unsigned __int128 wide;

enum caxton_status wld_bytes_of_memory(const void *memory, size_t size, const char *name,
                                       struct wld_bytes *out, struct diag *diag)
{
    struct wld_bytes bytes = {.name = strdup(name), .memory = memory, .size = size};
    if (!bytes.name)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", name);
    *out = bytes;
    return STATUS_OK;
}

enum caxton_status wld_bytes_open(const char *path, struct wld_bytes *out, struct diag *diag)
{
    struct wld_bytes bytes = {.name = NULL};
    struct diag reason = {.text = ""};
    enum file_kind kind = file_kind_of(path, NULL);
    if (kind == FILE_FOLDER || kind == FILE_OTHER)
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: is a %s, not a file", path,
                         kind == FILE_FOLDER ? "folder" : "pipe or a device");
    if (raw_file_open(path, &bytes.file, &reason) != STATUS_OK)
        return diag_fail(kind == FILE_ABSENT ? STATUS_NOT_FOUND : STATUS_IO, diag, "%s: %s", path,
                         reason.text);
    bytes.size = bytes.file.size;
    bytes.name = strdup(path);
    if (!bytes.name) {
        raw_file_close(&bytes.file);
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", path);
    }
    *out = bytes;
    return STATUS_OK;
}

void wld_bytes_close(struct wld_bytes *bytes)
{
    if (!bytes->memory)
        raw_file_close(&bytes->file);
    free(bytes->name);
}

enum caxton_status wld_bytes_read(const struct wld_bytes *bytes, uint64_t start, void *out,
                                  size_t size, struct diag *diag)
{
    if (start > bytes->size || size > bytes->size - start)
        return wld_damaged(bytes->name, start, "the file is cut short", diag);
    if (bytes->memory) {
        memcpy(out, bytes->memory + start, size);
        return STATUS_OK;
    }
    struct diag reason = {.text = ""};
    enum caxton_status status = raw_file_read_at(&bytes->file, start, out, size, &reason);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", bytes->name, reason.text);
    return status;
}

uint64_t wld_pages_size(uint64_t count)
{
    uint64_t pages = (count + WLD_PAGE_ENTRIES - 1) / WLD_PAGE_ENTRIES;
    return count * WLD_ENTRY_SIZE + pages * WLD_CHECKSUM_SIZE;
}

size_t wld_page_encode(const struct wld_entry *entries, size_t count, uint8_t *page)
{
    uint8_t *to = page;
    for (size_t i = 0; i < count; i++, to += WLD_ENTRY_SIZE) {
        bytes_put_le(to, entries[i].key, 8);
        bytes_put_le(to + 8, entries[i].value, 8);
    }
    bytes_put_le(to, xxh64(page, count * WLD_ENTRY_SIZE, 0), WLD_CHECKSUM_SIZE);
    return count * WLD_ENTRY_SIZE + WLD_CHECKSUM_SIZE;
}

bool wld_page_decode(const uint8_t *page, size_t count, struct wld_entry *entries)
{
    size_t size = count * WLD_ENTRY_SIZE;
    if (bytes_get_u64le(page + size) != xxh64(page, size, 0))
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *from = page + i * WLD_ENTRY_SIZE;
        entries[i] = (struct wld_entry){bytes_get_u64le(from), bytes_get_u64le(from + 8)};
    }
    return true;
}

struct page {
    size_t count;
    struct wld_entry entries[WLD_PAGE_ENTRIES];
};

static enum caxton_status load(const struct wld_bytes *bytes, const struct wld_pages *pages,
                               uint64_t number, struct page *out, struct diag *diag)
{
    uint8_t page[WLD_PAGE_BYTES];
    uint64_t at = pages->at + number * WLD_PAGE_BYTES;
    uint64_t left = pages->count - number * WLD_PAGE_ENTRIES;
    out->count = left < WLD_PAGE_ENTRIES ? (size_t)left : WLD_PAGE_ENTRIES;
    size_t size = out->count * WLD_ENTRY_SIZE + WLD_CHECKSUM_SIZE;
    enum caxton_status status = wld_bytes_read(bytes, at, page, size, diag);
    if (status == STATUS_OK && !wld_page_decode(page, out->count, out->entries))
        return wld_damaged(bytes->name, at, "the checksum of a page of the index is wrong", diag);
    return status;
}

enum caxton_status wld_pages_at(const struct wld_bytes *bytes, const struct wld_pages *pages,
                                uint64_t index, struct wld_entry *out, struct diag *diag)
{
    struct page page;
    enum caxton_status status = load(bytes, pages, index / WLD_PAGE_ENTRIES, &page, diag);
    if (status == STATUS_OK)
        *out = page.entries[index % WLD_PAGE_ENTRIES];
    return status;
}

/* How many entries of the page are not above `entry`. */
static size_t rank_in(const struct page *page, struct wld_entry entry)
{
    size_t low = 0;
    for (size_t high = page->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (wld_entry_compare(page->entries[middle], entry) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum caxton_status wld_pages_rank(const struct wld_bytes *bytes, const struct wld_pages *pages,
                                  struct wld_entry entry, uint64_t *rank, struct wld_entry *last,
                                  struct diag *diag)
{
    uint64_t low = 0; /* pages before this one have no entry above `entry`, */
    uint64_t high = (pages->count + WLD_PAGE_ENTRIES - 1) / WLD_PAGE_ENTRIES; /* from here on all */
    uint64_t next = (uint64_t)((wide)entry.key * high >> 64);
    uint64_t below = 0;
    struct page page;
    for (int tries = 0; low < high; tries++) {
        enum caxton_status status = load(bytes, pages, next, &page, diag);
        if (status != STATUS_OK)
            return status;
        size_t in_page = rank_in(&page, entry);
        if (in_page > 0) {
            below = next * WLD_PAGE_ENTRIES + in_page;
            *last = page.entries[in_page - 1];
            low = next + 1;
        }
        if (in_page < page.count)
            high = next;
        next = tries >= NEIGHBOURS ? low + (high - low) / 2 : in_page > 0 ? low : high - 1;
    }
    *rank = below;
    return STATUS_OK;
}
