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

static const char facets_name[] = "facets";

void wld_facets_option(unsigned facets, char out[WLD_FACETS_OPTION_MAX])
{
    struct text_buffer text = text_buffer_on(out, WLD_FACETS_OPTION_MAX);
    const char *before = " ";
    text_append(&text, "%s", facets_name);
    for (int i = 0; i < FACET_KINDS; i++)
        if (facets >> i & 1) {
            text_append(&text, "%s%s", before, facet_names[i]);
            before = ",";
        }
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
        } else if (span_equal(name, facets_name)) {
            if (!facets_read(value, &info->facets) || !info->facets)
                return "games are told apart by facets unknown here";
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
    if (version != WLD_VERSION && version != WLD_VERSION_FACETS) {
        char what[80];
        (void)snprintf(what, sizeof what, "version %llu; this program reads versions %d and %d",
                       (unsigned long long)version, WLD_VERSION, WLD_VERSION_FACETS);
        return wld_damaged(name, WLD_MAGIC_SIZE, what, diag);
    }
    if (size > WLD_OPTIONS_MAX)
        return wld_damaged(name, WLD_MAGIC_SIZE + 4, "the options are too long", diag);
    out->version = (unsigned)version;
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
    if (!unknown && (header->version == WLD_VERSION_FACETS) != (header->info.facets != 0))
        unknown = "the version does not fit the options";
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

struct wld_records wld_records_of(const uint8_t *records, const struct wld_block_head *head,
                                  const struct wld_info *info)
{
    return (struct wld_records){.info = info,
                                .start = records,
                                .at = records,
                                .end = records + head->size,
                                .left = head->records};
}

static bool read_counts(struct wld_records *records, struct tally *tally)
{
    const uint8_t *at = records->at;
    if (records->end - at >= OUTCOMES && (at[0] | at[1] | at[2]) < 0x80) { /* mostly */
        for (int i = 0; i < OUTCOMES; i++)
            tally->counts[i] = at[i];
        records->at += OUTCOMES;
        return true;
    }
    for (int i = 0; i < OUTCOMES; i++)
        if (!bytes_get_varint(&records->at, records->end, &tally->counts[i]))
            return false;
    return true;
}

enum { CODE_COUNTS = OUTCOMES, ONE_GAME_RATINGS = 3, RATING_BITS = 12 };

static bool read_ratings(struct wld_records *records, bool is_one_game, struct tally *tally)
{
    if (!is_one_game)
        return bytes_get_varint(&records->at, records->end, &tally->ratings[0]) &&
               bytes_get_varint(&records->at, records->end, &tally->ratings[1]);
    if (records->end - records->at < ONE_GAME_RATINGS)
        return false;
    uint64_t both = bytes_get_le(records->at, ONE_GAME_RATINGS);
    tally->ratings[0] = (both & RATING_MAX) * records->info->unit;
    tally->ratings[1] = (both >> RATING_BITS) * records->info->unit;
    records->at += ONE_GAME_RATINGS;
    return true;
}

/* Reads the next facet of the record. */
static bool read_facet(struct wld_records *records, bool is_first, struct tally *tally)
{
    uint64_t head;
    if (!bytes_get_varint(&records->at, records->end, &head))
        return false;
    unsigned code = head & 3;
    uint64_t facet = (head >> 2) + (is_first ? 0 : records->facet);
    if ((head >> 2 == 0 && !is_first) || head >> 2 >> FACET_BITS || !facet_is_valid(facet))
        return false;
    *tally = (struct tally){.key = records->key, .move = records->move, .facet = (uint32_t)facet};
    if (code == CODE_COUNTS && !read_counts(records, tally))
        return false;
    if (code != CODE_COUNTS)
        tally->counts[code] = records->info->unit;
    records->facet = tally->facet;
    records->facets_left--;
    return facet_group(tally->facet) == 0 || read_ratings(records, code != CODE_COUNTS, tally);
}

static bool read_record(struct wld_records *records, struct tally *tally)
{
    uint64_t delta;
    if (!bytes_get_varint(&records->at, records->end, &delta) || records->end - records->at < 2 ||
        delta > UINT64_MAX - records->key)
        return false;
    records->key += delta;
    records->move = bytes_get_u16le(records->at);
    records->at += 2;
    if (!records->info->facets) {
        tally->key = records->key;
        tally->ratings[0] = 0;
        tally->ratings[1] = 0;
        tally->facet = 0;
        tally->move = records->move;
        return read_counts(records, tally);
    }
    if (!bytes_get_varint(&records->at, records->end, &records->facets_left) ||
        records->facets_left == 0 || records->facets_left > records->left)
        return false;
    return read_facet(records, true, tally);
}

bool wld_records_next(struct wld_records *records, struct tally *out)
{
    if (!(records->facets_left ? read_facet(records, false, out) : read_record(records, out)))
        return false;
    records->left--;
    return tally_is_countable(out) && (records->left == 0) == (records->at == records->end);
}

/* Writing ---------------------------------------------------------------------------------- */

/* A facet: its number, three counts and two sums. */
enum {
    FACETS_A_RECORD = 255,
    FACET_MAX = 4 + (OUTCOMES + 2) * VARINT_MAX,
    FACETS_AT = 2 + 1, /* behind the move and their number, which may take a byte more */
    REST_MAX = FACETS_AT + 1 + FACETS_A_RECORD * FACET_MAX
};

_Static_assert(VARINT_MAX + REST_MAX <= WLD_BLOCK_MAX, "a record fits in a block");
_Static_assert(WLD_BLOCK_MAX % WLD_FINGERPRINT_SIZE == 0, "full blocks have no gap");

bool wld_identity_is_equal(const struct wld_identity *a, const struct wld_identity *b)
{
    return a->header == b->header && a->foot.records == b->foot.records &&
           a->foot.blocks == b->foot.blocks && a->foot.digest == b->foot.digest;
}

struct wld_writer {
    struct wld_blocks_writer blocks;
    uint64_t unit;
    bool facets;
    struct tally last;
    uint64_t moves;
    bool in_fingerprints; /* no record has been taken, and fingerprints may come */
    /* The record of `last` that is not complete: its facets. */
    uint64_t open_facets;
    size_t used;
    uint8_t rest[REST_MAX];
    uint64_t range_key; /* of the record before it */
};

static enum caxton_status write_header(struct wld_writer *writer, const char *options, size_t size)
{
    uint8_t bytes[WLD_HEADER_MAX];
    memcpy(bytes, WLD_MAGIC, WLD_MAGIC_SIZE);
    bytes_put_le(bytes + WLD_MAGIC_SIZE, writer->facets ? WLD_VERSION_FACETS : WLD_VERSION, 4);
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
    struct wld_info info = {.options = ""};
    text_copy(info.options, sizeof info.options, span_of(options));
    (void)read_options(&info); /* what is wrong with them is for the reader to say */
    made->unit = info.unit;
    made->facets = info.facets != 0;
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

/* Adds the record writer->rest, of writer->last, with so many facets. */
static enum caxton_status add_record(struct wld_writer *writer, uint64_t records)
{
    uint64_t key = writer->last.key;
    bool apart = range_of(key) != range_of(writer->range_key);
    writer->range_key = key;
    return wld_blocks_add(&writer->blocks, key, writer->rest, writer->used, records, apart);
}

/* Adds the record whose facets are open, if one is. */
static enum caxton_status end_record(struct wld_writer *writer)
{
    uint64_t count = writer->open_facets;
    if (count == 0)
        return STATUS_OK;
    size_t size = writer->used - FACETS_AT;
    bytes_put_le(writer->rest, writer->last.move, 2);
    if (count > 127)
        memmove(writer->rest + FACETS_AT + 1, writer->rest + FACETS_AT, size);
    const uint8_t *to = bytes_put_varint(writer->rest + 2, count);
    writer->used = (size_t)(to - writer->rest) + size;
    writer->open_facets = 0;
    return add_record(writer, count);
}

/* Which outcome has the one game that the tally is, or CODE_COUNTS. */
static unsigned code_of(const struct wld_writer *writer, const struct tally *tally)
{
    if (tally_games(tally) != writer->unit)
        return CODE_COUNTS;
    for (int i = 0; i < 2; i++)
        if (tally->ratings[i] % writer->unit || tally->ratings[i] / writer->unit > RATING_MAX)
            return CODE_COUNTS;
    for (unsigned i = 0; i < OUTCOMES; i++)
        if (tally->counts[i] == writer->unit)
            return i;
    return CODE_COUNTS;
}

static void put_facet(struct wld_writer *writer, const struct tally *tally)
{
    uint8_t *to = writer->rest + writer->used;
    unsigned code = code_of(writer, tally);
    uint32_t before = writer->open_facets ? writer->last.facet : 0;
    to = bytes_put_varint(to, (uint64_t)(tally->facet - before) << 2 | code);
    for (int i = 0; i < OUTCOMES && code == CODE_COUNTS; i++)
        to = bytes_put_varint(to, tally->counts[i]);
    bool is_rated = facet_group(tally->facet) > 0;
    if (is_rated && code != CODE_COUNTS) {
        uint64_t both = tally->ratings[0] / writer->unit | tally->ratings[1] / writer->unit
                                                               << RATING_BITS;
        bytes_put_le(to, both, ONE_GAME_RATINGS);
        to += ONE_GAME_RATINGS;
    } else if (is_rated) {
        to = bytes_put_varint(to, tally->ratings[0]);
        to = bytes_put_varint(to, tally->ratings[1]);
    }
    writer->used = (size_t)(to - writer->rest);
    writer->open_facets++;
}

static enum caxton_status take_facet(struct wld_writer *writer, const struct tally *tally,
                                     bool is_same_move)
{
    enum caxton_status status = STATUS_OK;
    if (!is_same_move || writer->open_facets == FACETS_A_RECORD)
        status = end_record(writer);
    if (writer->open_facets == 0)
        writer->used = FACETS_AT;
    put_facet(writer, tally);
    writer->last = *tally;
    return status;
}

static enum caxton_status take_plain(struct wld_writer *writer, const struct tally *tally)
{
    bytes_put_le(writer->rest, tally->move, 2);
    uint8_t *to = writer->rest + 2;
    for (int i = 0; i < OUTCOMES; i++)
        to = bytes_put_varint(to, tally->counts[i]);
    writer->used = (size_t)(to - writer->rest);
    writer->last = *tally;
    return add_record(writer, 1);
}

enum caxton_status wld_writer_take(void *context, const struct tally *tally)
{
    struct wld_writer *writer = context;
    const struct tally *last = &writer->last;
    bool is_first = writer->moves == 0;
    if (!tally_is_countable(tally))
        return STATUS_RANGE;
    if ((!is_first && tally_compare(last, tally) >= 0) || (!writer->facets && tally->facet))
        return STATUS_FORMAT;
    if (is_first && end_fingerprints(writer) != STATUS_OK)
        return STATUS_IO;
    bool is_same_move = !is_first && tally_is_same_move(last, tally);
    writer->moves += !is_same_move;
    return writer->facets ? take_facet(writer, tally, is_same_move) : take_plain(writer, tally);
}

struct wld_identity wld_writer_identity(const struct wld_writer *writer)
{
    return (struct wld_identity){writer->blocks.header, writer->blocks.foot};
}

enum caxton_status wld_writer_finish(struct wld_writer *writer, uint64_t *moves)
{
    enum caxton_status status = end_fingerprints(writer);
    if (status == STATUS_OK)
        status = end_record(writer);
    writer->blocks.foot.more = writer->moves;
    if (status == STATUS_OK)
        status = wld_blocks_finish(&writer->blocks, writer->facets ? WLD_FOOT_MAX : WLD_FOOT_SIZE);
    *moves = writer->moves;
    return status;
}
