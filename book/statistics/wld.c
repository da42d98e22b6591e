#include "book/statistics/wld.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/text.h"

enum { RECORD_MIN = 6, NAME_MAX_BYTES = 120 };

static const char mirror_name[] = "mirror";

enum caxton_status wld_read_stream(void *stream, char *buffer, size_t capacity, size_t *size)
{
    *size = fread(buffer, 1, capacity, stream);
    return ferror((FILE *)stream) ? STATUS_IO : STATUS_OK;
}

bool wld_is_magic(const uint8_t *bytes, size_t size)
{
    return size >= WLD_MAGIC_SIZE && memcmp(bytes, WLD_MAGIC, WLD_MAGIC_SIZE) == 0;
}

struct wld_reader {
    wld_source source;
    void *context;
    uint64_t checksum;
    uint64_t offset;     /* of the next byte to be read */
    uint64_t block_at;   /* offset of the records in `block` */
    uint64_t records;    /* given out */
    uint64_t block_left; /* records in `block` still to be given out */
    struct tally last;
    bool ended;
    const uint8_t *at; /* in `block` */
    const uint8_t *end;
    char name[NAME_MAX_BYTES];
    struct wld_info info;
    uint8_t block[WLD_BLOCK_MAX];
};

static enum caxton_status damaged(const struct wld_reader *reader, uint64_t offset,
                                  const char *what, struct diag *diag)
{
    diag_set(diag, 0, 0, "%s: byte %llu: %s", reader->name, (unsigned long long)offset, what);
    if (diag)
        diag->offset = (size_t)offset;
    return STATUS_FORMAT;
}

/* Reads what it can of `size` bytes; *got is less only at the end of the file. */
static enum caxton_status read_some(struct wld_reader *reader, uint8_t *to, size_t size,
                                    size_t *got, struct diag *diag)
{
    *got = 0;
    while (*got < size) {
        size_t more;
        enum caxton_status status =
            reader->source(reader->context, (char *)to + *got, size - *got, &more);
        if (status != STATUS_OK)
            return diag_fail(status, diag, "%s: %s", reader->name, status_name(status));
        if (more == 0)
            break;
        *got += more;
    }
    reader->offset += *got;
    reader->checksum = checksum_add(reader->checksum, to, *got);
    return STATUS_OK;
}

static enum caxton_status read_exactly(struct wld_reader *reader, uint8_t *to, size_t size,
                                       struct diag *diag)
{
    size_t got;
    enum caxton_status status = read_some(reader, to, size, &got, diag);
    if (status == STATUS_OK && got < size)
        return damaged(reader, reader->offset, "the file is cut short", diag);
    return status;
}

static enum caxton_status read_checksum(struct wld_reader *reader, const char *of,
                                        struct diag *diag)
{
    uint8_t bytes[WLD_CHECKSUM_SIZE];
    uint64_t expected = reader->checksum;
    enum caxton_status status = read_exactly(reader, bytes, sizeof bytes, diag);
    if (status == STATUS_OK && bytes_get_le(bytes, WLD_CHECKSUM_SIZE) != expected) {
        char what[80];
        (void)snprintf(what, sizeof what, "the checksum of %s is wrong: the file is damaged", of);
        return damaged(reader, reader->offset - WLD_CHECKSUM_SIZE, what, diag);
    }
    return status;
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
static const char *read_options(struct wld_reader *reader)
{
    struct span rest = span_of(reader->info.options);
    struct span name;
    struct span value;
    reader->info.unit = 1;
    while (next_option(&rest, &name, &value)) {
        int64_t number = 0;
        if (span_equal(name, "unit")) {
            if (reader->info.unit != 1 ||
                span_to_int(value, TALLY_UNIT, TALLY_UNIT, &number) != STATUS_OK)
                return "games are counted in a unit unknown here";
            reader->info.unit = (uint64_t)number;
        } else if (span_equal(name, mirror_name)) {
            if (!span_equal(value, "white"))
                return "colours are mirrored in a way unknown here";
            reader->info.mirrored = true;
        } else if (span_equal(name, "min-games")) {
            if (span_to_int(value, 0, INT64_MAX, &number) != STATUS_OK)
                return "the least number of games is no number";
            if ((uint64_t)number > reader->info.min_games)
                reader->info.min_games = (uint64_t)number;
        }
    }
    return NULL;
}

bool wld_is_mirrored(const uint8_t *bytes, size_t size)
{
    if (!wld_is_magic(bytes, size) || size < WLD_HEADER_SIZE)
        return false;
    uint64_t options_size = bytes_get_le(bytes + WLD_MAGIC_SIZE + 4, 4);
    size_t left = size - WLD_HEADER_SIZE;
    struct span rest = span_make((const char *)bytes + WLD_HEADER_SIZE,
                                 options_size < left ? (size_t)options_size : left);
    struct span name;
    struct span value;
    while (next_option(&rest, &name, &value))
        if (span_equal(name, mirror_name))
            return true;
    return false;
}

static enum caxton_status read_header(struct wld_reader *reader, struct diag *diag)
{
    uint8_t head[WLD_HEADER_SIZE];
    size_t got;
    enum caxton_status status = read_some(reader, head, WLD_MAGIC_SIZE, &got, diag);
    if (status == STATUS_OK && !wld_is_magic(head, got))
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: this is no statistics file (.wld)",
                         reader->name);
    if (status == STATUS_OK)
        status = read_exactly(reader, head, 8, diag);
    if (status != STATUS_OK)
        return status;
    uint64_t version = bytes_get_le(head, 4);
    uint64_t size = bytes_get_le(head + 4, 4);
    if (version != WLD_VERSION) {
        char what[80];
        (void)snprintf(what, sizeof what, "version %llu; this program reads version %d",
                       (unsigned long long)version, WLD_VERSION);
        return damaged(reader, WLD_MAGIC_SIZE, what, diag);
    }
    if (size > WLD_OPTIONS_MAX)
        return damaged(reader, WLD_MAGIC_SIZE + 4, "the options are too long", diag);
    status = read_exactly(reader, (uint8_t *)reader->info.options, size, diag);
    if (status == STATUS_OK)
        status = read_checksum(reader, "the header", diag);
    if (status == STATUS_OK && memchr(reader->info.options, 0, size))
        return damaged(reader, WLD_HEADER_SIZE, "the options are no text", diag);
    const char *unknown = status == STATUS_OK ? read_options(reader) : NULL;
    return unknown ? damaged(reader, WLD_HEADER_SIZE, unknown, diag) : status;
}

enum caxton_status wld_reader_create(wld_source source, void *context, const char *name,
                                     struct wld_reader **out, struct diag *diag)
{
    struct wld_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", name);
    reader->source = source;
    reader->context = context;
    reader->checksum = CHECKSUM_EMPTY;
    (void)snprintf(reader->name, sizeof reader->name, "%s", name);
    enum caxton_status status = read_header(reader, diag);
    if (status != STATUS_OK) {
        wld_reader_destroy(reader);
        return status;
    }
    *out = reader;
    return STATUS_OK;
}

void wld_reader_destroy(struct wld_reader *reader)
{
    free(reader);
}

const struct wld_info *wld_reader_info(const struct wld_reader *reader)
{
    return &reader->info;
}

static enum caxton_status read_end(struct wld_reader *reader, struct diag *diag)
{
    uint8_t bytes[8];
    uint8_t more;
    size_t got = 0;
    uint64_t at = reader->offset;
    enum caxton_status status = read_exactly(reader, bytes, sizeof bytes, diag);
    if (status == STATUS_OK)
        status = read_checksum(reader, "the whole file", diag);
    if (status == STATUS_OK && bytes_get_le(bytes, 8) != reader->records)
        return damaged(reader, at, "the number of records is wrong", diag);
    if (status == STATUS_OK)
        status = read_some(reader, &more, 1, &got, diag);
    if (status == STATUS_OK && got > 0)
        return damaged(reader, reader->offset - 1, "more follows after the end", diag);
    reader->ended = status == STATUS_OK;
    return status == STATUS_OK ? STATUS_END : status;
}

/* Reads the next block; STATUS_END when it was the last and the end was right. */
static enum caxton_status read_block(struct wld_reader *reader, struct diag *diag)
{
    uint8_t head[8];
    uint64_t at = reader->offset;
    enum caxton_status status = read_exactly(reader, head, sizeof head, diag);
    if (status != STATUS_OK)
        return status;
    uint64_t size = bytes_get_le(head, 4);
    uint64_t records = bytes_get_le(head + 4, 4);
    if (size == 0 && records == 0)
        return read_end(reader, diag);
    if (size > WLD_BLOCK_MAX || records == 0 || records > size / RECORD_MIN)
        return damaged(reader, at, "a block of an impossible size: the file is damaged", diag);
    reader->block_at = reader->offset;
    status = read_exactly(reader, reader->block, size, diag);
    if (status == STATUS_OK)
        status = read_checksum(reader, "a block", diag);
    if (status == STATUS_OK) {
        reader->at = reader->block;
        reader->end = reader->block + size;
        reader->block_left = records;
    }
    return status;
}

static bool decode(struct wld_reader *reader, struct tally *out)
{
    uint64_t delta;
    bool first = reader->at == reader->block;
    struct tally tally;
    if (!bytes_get_varint(&reader->at, reader->end, &delta) || reader->end - reader->at < 2)
        return false;
    uint64_t base = first ? 0 : reader->last.key;
    if (delta > UINT64_MAX - base)
        return false;
    tally.key = base + delta;
    tally.move = (uint16_t)bytes_get_le(reader->at, 2);
    reader->at += 2;
    for (int i = 0; i < OUTCOMES; i++)
        if (!bytes_get_varint(&reader->at, reader->end, &tally.counts[i]))
            return false;
    if (!wld_is_countable(&tally))
        return false;
    if (reader->records > 0 && tally_compare(&reader->last, &tally) >= 0)
        return false;
    *out = tally;
    return true;
}

enum caxton_status wld_reader_next(void *context, struct tally *out, struct diag *diag)
{
    struct wld_reader *reader = context;
    if (reader->ended)
        return STATUS_END;
    if (reader->block_left == 0) {
        enum caxton_status status = read_block(reader, diag);
        if (status != STATUS_OK)
            return status;
    }
    uint64_t at = reader->block_at + (uint64_t)(reader->at - reader->block);
    bool good = decode(reader, out);
    reader->block_left--;
    if (!good || (reader->block_left == 0) != (reader->at == reader->end))
        return damaged(reader, at, "a record that no writer makes", diag);
    reader->records++;
    reader->last = *out;
    return STATUS_OK;
}
