#include "book/statistics/wld_header.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/text.h"
#include "base/xxh64.h"
#include "book/statistics/tally.h"

static const char mirror_name[] = "mirror";

bool wld_is_magic(const uint8_t *bytes, size_t size)
{
    return size >= WLD_MAGIC_SIZE && memcmp(bytes, WLD_MAGIC, WLD_MAGIC_SIZE) == 0;
}

enum caxton_status wld_damaged(const char *name, uint64_t offset, const char *what,
                               struct diag *diag)
{
    diag_set(diag, 0, 0, "%s: byte %llu: %s", name, (unsigned long long)offset, what);
    if (diag)
        diag->offset = (size_t)offset;
    return STATUS_FORMAT;
}

/* Takes the next line "NAME VALUE" off the front of *options; false at the end. */
static bool next_option(struct span *options, struct span *name, struct span *value)
{
    struct span line;
    if (!span_line(options, &line))
        return false;
    const char *blank = line.size ? memchr(line.data, ' ', line.size) : NULL;
    size_t name_size = blank ? (size_t)(blank - line.data) : line.size;
    *name = span_make(line.data, name_size);
    *value = blank ? span_from(line, name_size + 1) : span_make(NULL, 0);
    return true;
}

/* What the options say about the counts; NULL, or what is not known here. */
static const char *read_options(struct wld_info *info)
{
    struct span rest = span_of(info->options);
    struct span name;
    struct span value;
    info->unit = 1;
    while (next_option(&rest, &name, &value)) {
        int64_t number = 0;
        if (span_equal(name, "unit")) {
            if (info->unit != 1 || span_to_int(value, TALLY_UNIT, TALLY_UNIT, &number) != STATUS_OK)
                return "games are counted in a unit unknown here";
            info->unit = (uint64_t)number;
        } else if (span_equal(name, mirror_name)) {
            if (!span_equal(value, "white"))
                return "colours are mirrored in a way unknown here";
            info->mirrored = true;
        } else if (span_equal(name, "fingerprints")) {
            if (!span_equal(value, "2"))
                return "games are told apart in a way unknown here";
            info->has_prints = true;
        } else if (span_equal(name, "min-games")) {
            if (span_to_int(value, 0, INT64_MAX, &number) != STATUS_OK)
                return "the least number of games is no number";
            if ((uint64_t)number > info->min_games)
                info->min_games = (uint64_t)number;
        }
    }
    return NULL;
}

bool wld_is_mirrored(const uint8_t *bytes, size_t size)
{
    if (!wld_is_magic(bytes, size) || size < WLD_START_SIZE)
        return false;
    uint64_t options_size = bytes_get_le(bytes + WLD_MAGIC_SIZE + 4, 4);
    size_t left = size - WLD_START_SIZE;
    struct span rest = span_make((const char *)bytes + WLD_START_SIZE,
                                 options_size < left ? (size_t)options_size : left);
    struct span name;
    struct span value;
    while (next_option(&rest, &name, &value))
        if (span_equal(name, mirror_name))
            return true;
    return false;
}

enum caxton_status wld_header_start(const uint8_t *bytes, const char *name, struct wld_header *out,
                                    struct diag *diag)
{
    uint64_t version = bytes_get_le(bytes + WLD_MAGIC_SIZE, 4);
    uint64_t size = bytes_get_le(bytes + WLD_MAGIC_SIZE + 4, 4);
    if (version < 1 || version > WLD_VERSION) {
        char what[80];
        (void)snprintf(what, sizeof what, "version %llu; this program reads versions 1 to %d",
                       (unsigned long long)version, WLD_VERSION);
        return wld_damaged(name, WLD_MAGIC_SIZE, what, diag);
    }
    if (size > WLD_OPTIONS_MAX)
        return wld_damaged(name, WLD_MAGIC_SIZE + 4, "the options are too long", diag);
    out->version = (int)version;
    out->size = WLD_START_SIZE + (size_t)size + WLD_CHECKSUM_SIZE;
    return STATUS_OK;
}

enum caxton_status wld_header_finish(const uint8_t *bytes, const char *name,
                                     struct wld_header *header, struct diag *diag)
{
    size_t end = header->size - WLD_CHECKSUM_SIZE;
    size_t size = end - WLD_START_SIZE;
    header->checksum =
        header->version == 1 ? checksum_add(CHECKSUM_EMPTY, bytes, end) : xxh64(bytes, end, 0);
    if (bytes_get_u64le(bytes + end) != header->checksum)
        return wld_damaged(name, end, "the checksum of the header is wrong: the file is damaged",
                           diag);
    header->info = (struct wld_info){.options = ""};
    memcpy(header->info.options, bytes + WLD_START_SIZE, size);
    if (memchr(header->info.options, 0, size))
        return wld_damaged(name, WLD_START_SIZE, "the options are no text", diag);
    const char *unknown = read_options(&header->info);
    header->info.has_prints = header->info.has_prints && header->version > 1;
    return unknown ? wld_damaged(name, WLD_START_SIZE, unknown, diag) : STATUS_OK;
}

void wld_foot_encode(const struct wld_foot *foot, uint64_t header, uint8_t bytes[WLD_FOOT_SIZE])
{
    bytes_put_le(bytes, foot->records, 8);
    bytes_put_le(bytes + 8, foot->blocks, 8);
    bytes_put_le(bytes + 16, foot->digest, 8);
    bytes_put_le(bytes + 24, xxh64(bytes, 24, header), 8);
}

bool wld_foot_decode(const uint8_t bytes[WLD_FOOT_SIZE], uint64_t header, struct wld_foot *out)
{
    if (bytes_get_u64le(bytes + 24) != xxh64(bytes, 24, header))
        return false;
    *out = (struct wld_foot){bytes_get_u64le(bytes), bytes_get_u64le(bytes + 8),
                             bytes_get_u64le(bytes + 16)};
    return true;
}

uint64_t wld_digest_add(uint64_t digest, uint64_t block_checksum)
{
    uint8_t bytes[8];
    bytes_put_le(bytes, block_checksum, 8);
    return xxh64(bytes, sizeof bytes, digest);
}
