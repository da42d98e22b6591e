#include "book/statistics/samples_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/xxh64.h"

struct samples_file {
    struct wld_blocks blocks;
    struct samples_info info;
    uint64_t header; /* its checksum */
    uint64_t records;
    uint64_t digest;     /* of the blocks */
    uint64_t statistics; /* samples_digest_of() */
};

/* Opening ---------------------------------------------------------------------------------- */

/* Reads `count` names, which have to fill text[0..size). False: they are not as a writer makes
 * them, or, with *status, there is no memory. */
static bool read_names(struct sample_names *names, const char *text, size_t size, uint64_t count,
                       enum caxton_status *status)
{
    const char *end = text + size;
    const char *last = NULL;
    for (uint64_t i = 0; i < count; i++) {
        const char *name = text;
        const char *zero = memchr(text, '\0', (size_t)(end - text));
        if (!zero || zero == name || (last && strcmp(last, name) >= 0))
            return false;
        *status = sample_names_add(names, name);
        if (*status != STATUS_OK)
            return false;
        last = name;
        text = zero + 1;
    }
    return text == end;
}

static enum caxton_status read_header(struct samples_file *file, struct diag *diag)
{
    uint8_t start[SAMPLES_START_SIZE];
    const struct wld_bytes *bytes = &file->blocks.bytes;
    const char *name = bytes->name;
    size_t begin = bytes->size < SAMPLES_MAGIC_SIZE ? 0 : SAMPLES_MAGIC_SIZE;
    enum caxton_status status = wld_bytes_read(bytes, 0, start, begin, diag);
    if (status == STATUS_OK && (!begin || memcmp(start, SAMPLES_MAGIC, begin) != 0))
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: byte 0: these are no sample games (.games)",
                         name);
    if (status == STATUS_OK)
        status = wld_bytes_read(bytes, 0, start, sizeof start, diag);
    if (status != STATUS_OK)
        return status;
    if (bytes_get_u32le(start + 8) != SAMPLES_VERSION)
        return wld_damaged(name, 8, "another version than 1, which this program reads", diag);
    uint64_t size = bytes_get_u32le(start + 28);
    uint64_t count = bytes_get_u32le(start + 24);
    file->info.most = bytes_get_u32le(start + 12);
    file->info.plies = bytes_get_u64le(start + 16);
    if (size > SAMPLES_NAMES_MAX || count < 1 || count > SAMPLE_FILES_MAX || file->info.most < 1 ||
        file->info.most > SAMPLES_MAX)
        return wld_damaged(name, 12, "a header of impossible sizes: the file is damaged", diag);
    size_t end = sizeof start + (size_t)size;
    uint8_t *header = malloc(end + WLD_CHECKSUM_SIZE);
    if (!header)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", name);
    status = wld_bytes_read(bytes, 0, header, end + WLD_CHECKSUM_SIZE, diag);
    file->header = status == STATUS_OK ? xxh64(header, end, 0) : 0;
    if (status == STATUS_OK && bytes_get_u64le(header + end) != file->header)
        status = wld_damaged(name, end, "the checksum of the header is wrong: the file is damaged",
                             diag);
    else if (status == STATUS_OK && !read_names(&file->info.names, (char *)header + sizeof start,
                                                (size_t)size, count, &status))
        status = status == STATUS_OK
                     ? wld_damaged(name, sizeof start, "names that no writer makes", diag)
                     : diag_fail(status, diag, "%s: out of memory", name);
    free(header);
    file->blocks.start = end + WLD_CHECKSUM_SIZE;
    return status;
}

static enum caxton_status read_foot(struct samples_file *file, struct diag *diag)
{
    uint8_t foot[SAMPLES_FOOT_SIZE];
    const struct wld_bytes *bytes = &file->blocks.bytes;
    if (bytes->size < file->blocks.start + WLD_BLOCK_HEAD + sizeof foot)
        return wld_damaged(bytes->name, bytes->size, "the file is cut short", diag);
    uint64_t at = bytes->size - sizeof foot;
    enum caxton_status status = wld_bytes_read(bytes, at, foot, sizeof foot, diag);
    if (status != STATUS_OK)
        return status;
    if (bytes_get_u64le(foot + 32) != xxh64(foot, 32, file->header) ||
        !wld_blocks_place(&file->blocks, bytes_get_u64le(foot + 8), at))
        return wld_damaged(bytes->name, at,
                           "the end of the file is damaged, or the file is cut short", diag);
    file->records = bytes_get_u64le(foot);
    file->digest = bytes_get_u64le(foot + 16);
    file->statistics = bytes_get_u64le(foot + 24);
    return STATUS_OK;
}

/* Takes `bytes`, and closes them when it fails. */
static enum caxton_status start(struct wld_bytes *bytes, struct samples_file **out,
                                struct diag *diag)
{
    struct samples_file *file = calloc(1, sizeof *file);
    if (!file) {
        (void)diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", bytes->name);
        wld_bytes_close(bytes);
        return STATUS_NO_MEMORY;
    }
    file->blocks.bytes = *bytes;
    enum caxton_status status = read_header(file, diag);
    if (status == STATUS_OK)
        status = read_foot(file, diag);
    if (status == STATUS_OK)
        *out = file;
    else
        samples_file_close(file);
    return status;
}

enum caxton_status samples_file_open(const char *path, struct samples_file **out, struct diag *diag)
{
    struct wld_bytes bytes;
    enum caxton_status status = wld_bytes_open(path, &bytes, diag);
    return status == STATUS_OK ? start(&bytes, out, diag) : status;
}

enum caxton_status samples_file_open_memory(const void *memory, size_t size, const char *name,
                                            struct samples_file **out, struct diag *diag)
{
    struct wld_bytes bytes;
    enum caxton_status status = wld_bytes_of_memory(memory, size, name, &bytes, diag);
    return status == STATUS_OK ? start(&bytes, out, diag) : status;
}

void samples_file_close(struct samples_file *file)
{
    if (!file)
        return;
    wld_bytes_close(&file->blocks.bytes);
    sample_names_free(&file->info.names);
    free(file);
}

const struct samples_info *samples_file_info(const struct samples_file *file)
{
    return &file->info;
}

const char *samples_file_name(const struct samples_file *file)
{
    return file->blocks.bytes.name;
}

uint64_t samples_digest_of(const struct wld_identity *statistics)
{
    uint8_t bytes[32];
    bytes_put_le(bytes, statistics->header, 8);
    bytes_put_le(bytes + 8, statistics->foot.records, 8);
    bytes_put_le(bytes + 16, statistics->foot.blocks, 8);
    bytes_put_le(bytes + 24, statistics->foot.digest, 8);
    return xxh64(bytes, sizeof bytes, 0);
}

bool samples_file_belongs_to(const struct samples_file *file, const struct wld_identity *statistics)
{
    return file->statistics == samples_digest_of(statistics);
}

/* Records ---------------------------------------------------------------------------------- */

static bool read_game(struct samples_cursor *cursor, struct sample *out)
{
    uint64_t elos;
    uint64_t file;
    if (!bytes_get_varint(&cursor->from, cursor->end, &elos) || cursor->end - cursor->from < 4)
        return false;
    out->mark = bytes_get_u32le(cursor->from);
    cursor->from += 4;
    if (!bytes_get_varint(&cursor->from, cursor->end, &file) ||
        !bytes_get_varint(&cursor->from, cursor->end, &out->at) || elos > UINT16_MAX ||
        file >= cursor->file->info.names.count)
        return false;
    out->elos = (uint16_t)elos;
    out->file = (uint16_t)file;
    return true;
}

/* The next record of the block; cursor->left is not 0. False: it is none that a writer makes. */
static bool read_record(struct samples_cursor *cursor, bool is_first, struct sample_set *out)
{
    uint64_t delta;
    uint64_t count;
    cursor->record = cursor->at - WLD_CHECKSUM_SIZE - (uint64_t)(cursor->end - cursor->from);
    if (!bytes_get_varint(&cursor->from, cursor->end, &delta) || (!is_first && delta == 0) ||
        delta > UINT64_MAX - cursor->key || !bytes_get_varint(&cursor->from, cursor->end, &count) ||
        count < 1 || count > cursor->file->info.most)
        return false;
    out->key = cursor->key + delta;
    out->count = 0;
    for (size_t i = 0; i < count; i++) {
        struct sample game;
        if (!read_game(cursor, &game) || (i > 0 && sample_compare(&out->games[i - 1], &game) >= 0))
            return false;
        sample_set_add(out, &game, SAMPLES_MAX);
        if (out->count != i + 1) /* its mark is there already */
            return false;
    }
    cursor->key = out->key;
    cursor->left--;
    return (cursor->left == 0) == (cursor->from == cursor->end);
}

/* Reads the block at cursor->at. *has_ended: it is the mark. */
static enum caxton_status load(struct samples_cursor *cursor, bool *has_ended, struct diag *diag)
{
    struct wld_block_head head;
    enum caxton_status status =
        wld_blocks_read(&cursor->file->blocks, cursor->at, cursor->block, &head, diag);
    if (status != STATUS_OK)
        return status;
    *has_ended = head.size == 0;
    if (head.size == 0)
        return STATUS_OK;
    size_t end = WLD_BLOCK_HEAD + head.size;
    cursor->digest = wld_digest_add(cursor->digest, bytes_get_u64le(cursor->block + end));
    cursor->at += end + WLD_CHECKSUM_SIZE;
    cursor->from = cursor->block + WLD_BLOCK_HEAD;
    cursor->end = cursor->block + end;
    cursor->left = head.records;
    cursor->key = 0;
    return STATUS_OK;
}

static enum caxton_status no_record(const struct samples_cursor *cursor, struct diag *diag)
{
    return wld_damaged(samples_file_name(cursor->file), cursor->record,
                       "a record that no writer makes", diag);
}

/* Has the index the block that begins at byte `at` with this key as the next one? */
static enum caxton_status check_index(struct samples_cursor *cursor, uint64_t at, uint64_t key,
                                      struct diag *diag)
{
    const struct wld_blocks *blocks = &cursor->file->blocks;
    struct wld_entry entry = {0, 0}; /* no block begins at byte 0 */
    enum caxton_status status = STATUS_OK;
    if (cursor->blocks < blocks->index.count)
        status = wld_pages_at(&blocks->bytes, &blocks->index, cursor->blocks++, &entry, diag);
    if (status == STATUS_OK && (entry.key != key || entry.value != at))
        return wld_damaged(blocks->bytes.name, at, "the index does not fit this block", diag);
    return status;
}

enum caxton_status samples_cursor_next(void *context, struct sample_set *out, struct diag *diag)
{
    struct samples_cursor *cursor = context;
    const struct samples_file *file = cursor->file;
    uint64_t last = cursor->key;
    bool is_first = cursor->left == 0;
    bool has_ended = false;
    if (cursor->at == 0)
        cursor->at = file->blocks.start;
    uint64_t at = cursor->at;
    enum caxton_status status = is_first ? load(cursor, &has_ended, diag) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (has_ended && (cursor->records != file->records || cursor->digest != file->digest ||
                      cursor->blocks != file->blocks.index.count))
        return wld_damaged(samples_file_name(file), cursor->at, "the end does not fit the blocks",
                           diag);
    if (has_ended)
        return STATUS_END;
    if (!read_record(cursor, is_first, out) ||
        (is_first && cursor->records > 0 && out->key <= last))
        return no_record(cursor, diag);
    cursor->records++;
    return is_first ? check_index(cursor, at, out->key, diag) : STATUS_OK;
}

enum caxton_status samples_file_find(const struct samples_file *file, uint64_t key,
                                     struct sample_set *out, struct diag *diag)
{
    struct samples_cursor cursor = {.file = file};
    struct wld_entry entry = {0, 0};
    bool has_ended = false;
    enum caxton_status status = wld_blocks_seek(&file->blocks, key, &entry, diag);
    cursor.at = entry.value;
    while (status == STATUS_OK) {
        bool is_first = cursor.left == 0;
        struct sample_set set;
        if (is_first)
            status = load(&cursor, &has_ended, diag);
        if (status != STATUS_OK || has_ended)
            break;
        if (!read_record(&cursor, is_first, &set))
            return no_record(&cursor, diag);
        if (cursor.records++ == 0 && set.key != entry.key)
            return wld_damaged(samples_file_name(file), entry.value,
                               "the index does not fit this block", diag);
        if (set.key == key) {
            *out = set;
            return STATUS_OK;
        }
        if (set.key > key)
            break;
    }
    return status == STATUS_OK ? STATUS_NOT_FOUND : status;
}
