#include "book/count/input/zip.h"

#ifdef CAXTON_HAVE_ZLIB
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/text.h"

/* Signatures of the records. */
enum {
    LOCAL = 0x04034B50,   /* stands before a member */
    CENTRAL = 0x02014B50, /* one of the list */
    ZIP64_END = 0x06064B50,
    ZIP64_LOCATOR = 0x07064B50,
    END = 0x06054B50,
    DESCRIPTOR = 0x08074B50,
};

/* A record is `fixed` bytes, and as many as the `lengths` numbers of 16 bits at `lengths_at` say.
 * That of ZIP64 could be longer, by data that PKWARE has reserved. */
static const struct zip_record {
    uint32_t signature;
    uint16_t fixed;
    uint16_t lengths_at;
    uint16_t lengths;
} record_kinds[] = {
    {LOCAL, 30, 26, 2},        {CENTRAL, 46, 28, 3}, {ZIP64_END, 56, 0, 0},
    {ZIP64_LOCATOR, 20, 0, 0}, {END, 22, 20, 1},
};

enum {
    RECORD_MAX = 46 + 3 * UINT16_MAX,
    SIGNATURE_SIZE = 4,
    NAME_SHOWN = 80,
    NOWHERE_SIZE = 1 << 14,
    ENCRYPTED = 1, /* flags of a member */
    SIZES_FOLLOW = 8,
    STORED = 0, /* methods */
    DEFLATED = 8,
    ZIP64_FIELD = 1,
};

enum stage { RECORD, CONTENT, SIZES };
enum content { SKIPPED, COPIED, INFLATED };

struct zip {
    z_stream stream;
    enum stage stage;
    uint8_t record[RECORD_MAX];
    size_t have; /* of the record */
    char refusal[160];
    uint64_t members;
    uint64_t listed;
    uint64_t games; /* members that are read */
    char last;      /* of the bytes given out; 0: none */

    /* The member that is being read. */
    char name[NAME_SHOWN + 1];
    enum content content;
    bool is_games;
    bool sizes_follow;
    bool has_zip64;
    struct member_sums {
        uint32_t crc;
        uint64_t packed;
        uint64_t size;
    } said, seen;
    uint8_t nowhere[NOWHERE_SIZE]; /* what is inflated to find its end */
};

void *zip_create(void)
{
    struct zip *zip = calloc(1, sizeof *zip);
    if (zip && inflateInit2(&zip->stream, -MAX_WBITS) != Z_OK) { /* negative: no wrapping */
        free(zip);
        zip = NULL;
    }
    return zip;
}

void zip_destroy(void *state)
{
    struct zip *zip = state;
    (void)inflateEnd(&zip->stream);
    free(zip);
}

const char *zip_member(const void *state)
{
    const struct zip *zip = state;
    return zip->name;
}

const char *zip_refusal(const void *state)
{
    const struct zip *zip = state;
    return zip->refusal;
}

static size_t least(uint64_t a, uint64_t b)
{
    return (size_t)(a < b ? a : b);
}

/* Fills the record up to `wanted` bytes, as far as there is input. */
static bool fill(struct zip *zip, struct unpack_buffers *b, size_t wanted)
{
    size_t size = least(wanted - zip->have, b->in_left);
    memcpy(zip->record + zip->have, b->in, size);
    unpack_move_marks(b, size, 0);
    zip->have += size;
    return zip->have == wanted;
}

/* The size of the record as far as its bytes tell; 0 for none that is known. */
static size_t record_size(const struct zip *zip)
{
    if (zip->have < SIGNATURE_SIZE)
        return SIGNATURE_SIZE;
    for (size_t i = 0; i < sizeof record_kinds / sizeof *record_kinds; i++) {
        const struct zip_record *kind = &record_kinds[i];
        if (bytes_get_u32le(zip->record) != kind->signature)
            continue;
        size_t size = kind->fixed;
        for (size_t k = 0; zip->have >= kind->fixed && k < kind->lengths; k++)
            size += bytes_get_u16le(zip->record + kind->lengths_at + 2 * k);
        return size;
    }
    return 0;
}

/* Members ------------------------------------------------------------------------------------ */

/* The end of a long name, for messages. */
static void keep_name(struct zip *zip, struct span name)
{
    if (name.size > NAME_SHOWN)
        name = span_from(name, name.size - NAME_SHOWN);
    memcpy(zip->name, name.data, name.size);
    zip->name[name.size] = '\0';
}

static bool is_named_games(struct span name)
{
    static const char end[] = ".pgn";
    size_t start = name.size; /* behind the folders */
    while (start > 0 && name.data[start - 1] != '/' && name.data[start - 1] != '\\')
        start--;
    name = span_from(name, start);
    if (name.size < sizeof end - 1 || (name.data[0] == '.' && name.data[1] == '_'))
        return false;
    struct span last = span_from(name, name.size - (sizeof end - 1));
    for (size_t i = 0; i < last.size; i++)
        if ((last.data[i] | (i ? 0x20 : 0)) != end[i])
            return false;
    return true;
}

/* Takes the sizes that do not fit 32 bits from their extra field. False when it is cut. */
static bool read_zip64(struct zip *zip, const uint8_t *extra, size_t left)
{
    uint64_t *const sizes[] = {&zip->said.size, &zip->said.packed};
    zip->has_zip64 = false;
    while (left >= 4 && bytes_get_u16le(extra) != ZIP64_FIELD) {
        size_t size = least(4 + (uint64_t)bytes_get_u16le(extra + 2), left);
        extra += size;
        left -= size;
    }
    if (left >= 4) {
        zip->has_zip64 = true;
        left = least(bytes_get_u16le(extra + 2), left - 4);
        extra += 4;
    }
    for (size_t i = 0; i < 2; i++) {
        if (*sizes[i] != UINT32_MAX)
            continue;
        if (!zip->has_zip64 || left < 8)
            return false;
        *sizes[i] = bytes_get_u64le(extra);
        extra += 8;
        left -= 8;
    }
    return true;
}

#define REFUSE(zip, ...)                                                                           \
    ((void)snprintf((zip)->refusal, sizeof(zip)->refusal, __VA_ARGS__), STATUS_FORMAT)

static enum caxton_status refuse_member(struct zip *zip, bool is_encrypted, unsigned method)
{
    if (zip->is_games && is_encrypted)
        return REFUSE(zip, "%s is encrypted: unpack the archive first", zip->name);
    if (zip->is_games && method != STORED && method != DEFLATED)
        return REFUSE(zip, "%s is packed by method %u, not by deflate: unpack the archive first",
                      zip->name, method);
    if (zip->sizes_follow && (is_encrypted || method != DEFLATED))
        return REFUSE(zip, "the size of %s is not given before it: unpack the archive first",
                      zip->name);
    return STATUS_OK;
}

static enum caxton_status begin_member(struct zip *zip)
{
    const uint8_t *record = zip->record;
    unsigned flags = bytes_get_u16le(record + 6);
    unsigned method = bytes_get_u16le(record + 8);
    size_t name_size = bytes_get_u16le(record + 26);
    struct span name = span_make((const char *)record + 30, name_size);
    zip->said = (struct member_sums){bytes_get_u32le(record + 14), bytes_get_u32le(record + 18),
                                     bytes_get_u32le(record + 22)};
    zip->seen = (struct member_sums){0};
    zip->members++;
    zip->is_games = is_named_games(name);
    zip->games += zip->is_games;
    zip->sizes_follow = flags & SIZES_FOLLOW;
    keep_name(zip, name);
    enum caxton_status status = refuse_member(zip, flags & ENCRYPTED, method);
    if (status != STATUS_OK)
        return status;
    if (!read_zip64(zip, record + 30 + name_size, bytes_get_u16le(record + 28)) ||
        inflateReset(&zip->stream) != Z_OK)
        return STATUS_FORMAT;
    bool is_read = zip->is_games || zip->sizes_follow;
    zip->content = !is_read ? SKIPPED : method == DEFLATED ? INFLATED : COPIED;
    zip->stage = CONTENT;
    return STATUS_OK;
}

static enum caxton_status end_member(struct zip *zip, const struct member_sums *said)
{
    const struct member_sums *seen = &zip->seen;
    if (zip->content != SKIPPED &&
        (said->crc != seen->crc || said->packed != seen->packed || said->size != seen->size))
        return STATUS_FORMAT;
    zip->name[0] = '\0';
    zip->stage = RECORD;
    return STATUS_OK;
}

/* Data --------------------------------------------------------------------------------------- */

/* What was read of a member, and came out of it. */
static void add_up(struct zip *zip, size_t taken, const uint8_t *given, size_t size)
{
    zip->seen.packed += taken;
    zip->seen.size += size;
    zip->seen.crc = (uint32_t)crc32(zip->seen.crc, given, (uInt)size);
    if (zip->is_games && size)
        zip->last = (char)given[size - 1];
}

static enum caxton_status inflate_some(struct zip *zip, struct unpack_buffers *b, bool *is_whole)
{
    uint64_t left = zip->sizes_follow ? b->in_left : zip->said.packed - zip->seen.packed;
    z_stream *stream = &zip->stream;
    uint8_t *out = zip->is_games ? b->out : zip->nowhere;
    size_t in_size = least(left, b->in_left);
    size_t out_size = zip->is_games ? b->out_left : NOWHERE_SIZE;
    stream->next_in = (z_const Bytef *)b->in;
    stream->avail_in = (uInt)in_size;
    stream->next_out = out;
    stream->avail_out = (uInt)out_size;
    int result = inflate(stream, Z_NO_FLUSH);
    size_t taken = in_size - stream->avail_in;
    size_t given = out_size - stream->avail_out;
    add_up(zip, taken, out, given);
    unpack_move_marks(b, taken, zip->is_games ? given : 0);
    *is_whole = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR)
        return STATUS_NO_MEMORY;
    return result == Z_OK || result == Z_STREAM_END ? STATUS_OK : STATUS_FORMAT;
}

static void copy_some(struct zip *zip, struct unpack_buffers *b, bool *is_whole)
{
    size_t size = least(zip->said.packed - zip->seen.packed, b->in_left);
    bool is_copied = zip->content == COPIED;
    if (is_copied) {
        size = least(size, b->out_left);
        memcpy(b->out, b->in, size);
        add_up(zip, size, b->out, size);
    } else {
        zip->seen.packed += size;
    }
    unpack_move_marks(b, size, is_copied ? size : 0);
    *is_whole = zip->seen.packed == zip->said.packed;
}

static enum caxton_status read_content(struct zip *zip, struct unpack_buffers *b)
{
    bool is_whole = false;
    enum caxton_status status = STATUS_OK;
    if (zip->is_games && zip->seen.packed == 0 && zip->last && zip->last != '\n') {
        *b->out = '\n';
        zip->last = '\n';
        unpack_move_marks(b, 0, 1);
        return STATUS_OK;
    }
    if (zip->content == INFLATED)
        status = inflate_some(zip, b, &is_whole);
    else
        copy_some(zip, b, &is_whole);
    if (status != STATUS_OK || !is_whole)
        return status;
    if (!zip->sizes_follow)
        return end_member(zip, &zip->said);
    zip->stage = SIZES;
    return STATUS_OK;
}

/* CRC-32 and sizes behind a member. Their signature may be missing. Sizes have 8 bytes in a member
 * with the field of ZIP64; some programs leave that out where they cannot know yet. */
static enum caxton_status read_sizes(struct zip *zip, struct unpack_buffers *b)
{
    bool is_large = zip->has_zip64 || (zip->seen.packed | zip->seen.size) > UINT32_MAX;
    size_t width = is_large ? 8 : 4;
    if (zip->have < SIGNATURE_SIZE && !fill(zip, b, SIGNATURE_SIZE))
        return STATUS_OK;
    size_t start = bytes_get_u32le(zip->record) == DESCRIPTOR ? SIGNATURE_SIZE : 0;
    if (!fill(zip, b, start + 4 + 2 * width))
        return STATUS_OK;
    const uint8_t *at = zip->record + start;
    const struct member_sums said = {bytes_get_u32le(at), bytes_get_le(at + 4, (int)width),
                                     bytes_get_le(at + 4 + width, (int)width)};
    zip->have = 0;
    return end_member(zip, &said);
}

/* The archive -------------------------------------------------------------------------------- */

static enum caxton_status end_archive(struct zip *zip)
{
    if (zip->listed != zip->members)
        return REFUSE(zip, "it has %llu members, but its list %llu: unpack the archive first",
                      (unsigned long long)zip->members, (unsigned long long)zip->listed);
    if (!zip->games)
        return REFUSE(zip, "this ZIP archive has no member whose name ends in .pgn");
    zip->members = zip->listed = zip->games = 0;
    return STATUS_OK;
}

static enum caxton_status read_record(struct zip *zip, struct unpack_buffers *b, bool *frame_end)
{
    size_t size = record_size(zip);
    if (!size)
        return STATUS_FORMAT;
    if (!fill(zip, b, size) || record_size(zip) != size)
        return STATUS_OK;
    uint32_t signature = bytes_get_u32le(zip->record);
    zip->have = 0;
    zip->listed += signature == CENTRAL;
    *frame_end = signature == END;
    return signature == LOCAL ? begin_member(zip) : *frame_end ? end_archive(zip) : STATUS_OK;
}

enum caxton_status zip_step(void *state, struct unpack_buffers *b, bool *frame_end)
{
    struct zip *zip = state;
    enum caxton_status status = STATUS_OK;
    *frame_end = false;
    while (status == STATUS_OK && b->in_left > 0 && b->out_left > 0 && !*frame_end)
        if (zip->stage == RECORD)
            status = read_record(zip, b, frame_end);
        else if (zip->stage == CONTENT)
            status = read_content(zip, b);
        else
            status = read_sizes(zip, b);
    return status;
}
#endif
