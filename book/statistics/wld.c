#include "book/statistics/wld.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/xxh64.h"

/* Header ----------------------------------------------------------------------------------- */

static const char mirror_name[] = "mirror";

bool wld_is_magic(const uint8_t *bytes, size_t size)
{
    return size >= WLD_MAGIC_SIZE && memcmp(bytes, WLD_MAGIC, WLD_MAGIC_SIZE) == 0;
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
            info->has_fingerprints = true;
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
    if (version != WLD_VERSION) {
        char what[80];
        (void)snprintf(what, sizeof what, "version %llu; this program reads version %d",
                       (unsigned long long)version, WLD_VERSION);
        return wld_damaged(name, WLD_MAGIC_SIZE, what, diag);
    }
    if (size > WLD_OPTIONS_MAX)
        return wld_damaged(name, WLD_MAGIC_SIZE + 4, "the options are too long", diag);
    out->size = WLD_START_SIZE + (size_t)size + WLD_CHECKSUM_SIZE;
    return STATUS_OK;
}

enum caxton_status wld_header_finish(const uint8_t *bytes, const char *name,
                                     struct wld_header *header, struct diag *diag)
{
    size_t end = header->size - WLD_CHECKSUM_SIZE;
    size_t size = end - WLD_START_SIZE;
    header->checksum = xxh64(bytes, end, 0);
    if (bytes_get_u64le(bytes + end) != header->checksum)
        return wld_damaged(name, end, "the checksum of the header is wrong: the file is damaged",
                           diag);
    header->info = (struct wld_info){.options = ""};
    memcpy(header->info.options, bytes + WLD_START_SIZE, size);
    if (memchr(header->info.options, 0, size))
        return wld_damaged(name, WLD_START_SIZE, "the options are no text", diag);
    const char *unknown = read_options(&header->info);
    return unknown ? wld_damaged(name, WLD_START_SIZE, unknown, diag) : STATUS_OK;
}

/* Options ---------------------------------------------------------------------------------- */

static int compare_spans(struct span a, struct span b)
{
    size_t size = a.size < b.size ? a.size : b.size;
    int order = size ? memcmp(a.data, b.data, size) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* Puts `line` where it belongs among the lines of united[]. */
static enum caxton_status insert_line(char *united, struct span line)
{
    size_t size = strlen(united);
    struct span rest = span_make(united, size);
    size_t at = 0;
    for (struct span other; span_line(&rest, &other);) {
        int order = compare_spans(line, other);
        if (order == 0)
            return STATUS_OK;
        if (order < 0)
            break;
        at = size - rest.size;
    }
    if (size + line.size + 1 > WLD_OPTIONS_MAX)
        return STATUS_RANGE;
    memmove(united + at + line.size + 1, united + at, size - at + 1);
    memcpy(united + at, line.data, line.size);
    united[at + line.size] = '\n';
    return STATUS_OK;
}

enum caxton_status wld_unite_options(char *united, const char *more)
{
    char result[WLD_OPTIONS_MAX + 1];
    enum caxton_status status = STATUS_OK;
    (void)snprintf(result, sizeof result, "%s", united);
    struct span rest = span_of(more);
    for (struct span line; status == STATUS_OK && span_line(&rest, &line);)
        if (line.size)
            status = insert_line(result, line);
    if (status == STATUS_OK)
        memcpy(united, result, strlen(result) + 1);
    return status;
}

static bool have(const char *options, struct span line)
{
    struct span rest = span_of(options);
    for (struct span other; span_line(&rest, &other);)
        if (compare_spans(line, other) == 0)
            return true;
    return false;
}

bool wld_options_have(const char *options, const char *line)
{
    return have(options, span_of(line));
}

void wld_options_drop(char *options, const char *line)
{
    struct span rest = span_of(options);
    for (struct span other; span_line(&rest, &other);) {
        if (!span_equal(other, line))
            continue;
        memmove(options + (other.data - options), rest.data, rest.size + 1);
        return;
    }
}

static struct span first_line_without(const char *options, const char *others)
{
    struct span rest = span_of(options);
    for (struct span line; span_line(&rest, &line);)
        if (line.size && !have(others, line))
            return line;
    return span_make(NULL, 0);
}

bool wld_options_differ(const char *one, const char *other, struct span *only_one,
                        struct span *only_other)
{
    *only_one = first_line_without(one, other);
    *only_other = first_line_without(other, one);
    return only_one->size > 0 || only_other->size > 0;
}

/* Records ---------------------------------------------------------------------------------- */

struct wld_records wld_records_of(const uint8_t *records, const struct wld_block_head *head)
{
    return (struct wld_records){
        .start = records, .at = records, .end = records + head->size, .left = head->records};
}

bool wld_records_next(struct wld_records *records, struct tally *out)
{
    uint64_t delta;
    struct tally tally = {.facet = 0};
    if (!bytes_get_varint(&records->at, records->end, &delta) || records->end - records->at < 2 ||
        delta > UINT64_MAX - records->key)
        return false;
    tally.key = records->key + delta;
    tally.move = bytes_get_u16le(records->at);
    records->at += 2;
    for (int i = 0; i < OUTCOMES; i++)
        if (!bytes_get_varint(&records->at, records->end, &tally.counts[i]))
            return false;
    records->left--;
    records->key = tally.key;
    *out = tally;
    return tally_is_countable(&tally) && (records->left == 0) == (records->at == records->end);
}

/* Writing ---------------------------------------------------------------------------------- */

enum { REST_MAX = 2 + OUTCOMES * VARINT_MAX };

_Static_assert(WLD_BLOCK_MAX % WLD_FINGERPRINT_SIZE == 0, "full blocks have no gap");

bool wld_identity_is_equal(const struct wld_identity *a, const struct wld_identity *b)
{
    return a->header == b->header && a->foot.records == b->foot.records &&
           a->foot.blocks == b->foot.blocks && a->foot.digest == b->foot.digest;
}

struct wld_writer {
    struct wld_blocks_writer blocks;
    struct tally last;
    bool in_fingerprints; /* no record has been taken, and fingerprints may come */
};

static enum caxton_status write_header(struct wld_writer *writer, const char *options, size_t size)
{
    uint8_t bytes[WLD_HEADER_MAX];
    memcpy(bytes, WLD_MAGIC, WLD_MAGIC_SIZE);
    bytes_put_le(bytes + WLD_MAGIC_SIZE, WLD_VERSION, 4);
    bytes_put_le(bytes + WLD_MAGIC_SIZE + 4, size, 4);
    memcpy(bytes + WLD_START_SIZE, options, size);
    return wld_blocks_put_header(&writer->blocks, bytes, WLD_START_SIZE + size);
}

enum caxton_status wld_writer_create(FILE *out, const char *options, struct wld_writer **writer)
{
    size_t size = strlen(options);
    if (size > WLD_OPTIONS_MAX)
        return STATUS_RANGE;
    struct wld_writer *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    made->blocks.out = out;
    made->in_fingerprints = wld_options_have(options, WLD_FINGERPRINTS_OPTION);
    enum caxton_status status = write_header(made, options, size);
    if (status != STATUS_OK) {
        wld_writer_destroy(made);
        return status;
    }
    *writer = made;
    return STATUS_OK;
}

void wld_writer_destroy(struct wld_writer *writer)
{
    if (!writer)
        return;
    wld_blocks_writer_free(&writer->blocks);
    free(writer);
}

enum caxton_status wld_writer_take_fingerprint(void *context, struct fingerprint print)
{
    struct wld_writer *writer = context;
    uint8_t bytes[WLD_FINGERPRINT_SIZE];
    if (!writer->in_fingerprints)
        return STATUS_FORMAT;
    bytes_put_le(bytes, print.high, 8);
    bytes_put_le(bytes + 8, print.low, 8);
    return wld_blocks_put(&writer->blocks, bytes, sizeof bytes);
}

/* Where there may be fingerprints, ends them. */
static enum caxton_status end_fingerprints(struct wld_writer *writer)
{
    bool are_open = writer->in_fingerprints;
    writer->in_fingerprints = false;
    return are_open ? wld_blocks_end_put(&writer->blocks) : STATUS_OK;
}

/* In which of 2^WLD_RANGE_BITS equal parts of all keys is this one? */
static unsigned range_of(uint64_t key)
{
    return (unsigned)(key >> (64 - WLD_RANGE_BITS));
}

enum caxton_status wld_writer_take(void *context, const struct tally *tally)
{
    struct wld_writer *writer = context;
    const struct tally *last = &writer->last;
    if (!tally_is_countable(tally))
        return STATUS_RANGE;
    if (writer->blocks.foot.records > 0 && tally_compare(last, tally) >= 0)
        return STATUS_FORMAT;
    if (end_fingerprints(writer) != STATUS_OK)
        return STATUS_IO;
    uint8_t rest[REST_MAX];
    bytes_put_le(rest, tally->move, 2);
    uint8_t *to = rest + 2;
    for (int i = 0; i < OUTCOMES; i++)
        to = bytes_put_varint(to, tally->counts[i]);
    enum caxton_status status =
        wld_blocks_add(&writer->blocks, tally->key, rest, (size_t)(to - rest),
                       range_of(tally->key) != range_of(last->key));
    writer->last = *tally;
    return status;
}

struct wld_identity wld_writer_identity(const struct wld_writer *writer)
{
    return (struct wld_identity){writer->blocks.header, writer->blocks.foot};
}

enum caxton_status wld_writer_finish(struct wld_writer *writer, uint64_t *records)
{
    enum caxton_status status = end_fingerprints(writer);
    if (status == STATUS_OK)
        status = wld_blocks_finish(&writer->blocks, WLD_FOOT_SIZE);
    if (status == STATUS_OK)
        *records = writer->blocks.foot.records;
    return status;
}
