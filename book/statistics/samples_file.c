#include "book/statistics/samples_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/xxh64.h"

enum {
    FACET_SIZE = 5,  /* of the facet and the move */
    PLACE_BITS = 49, /* of the byte that a game begins with */
    GAME_MAX = 4 + 2 * 3 + PLACE_BITS / 7 + FACET_SIZE,
    RECORD_MAX = 2 * VARINT_MAX + SAMPLE_SET_MAX * GAME_MAX
};

_Static_assert((int)RECORD_MAX < (int)WLD_BLOCK_MAX, "a record fits a block");

struct samples_file {
    struct wld_blocks blocks; /* its foot.more is digest_of() the statistics */
    struct samples_info info;
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
    uint32_t version = bytes_get_u32le(start + 8);
    file->info.rule.by_facets = version == SAMPLES_VERSION + 1;
    if (version != SAMPLES_VERSION && !file->info.rule.by_facets)
        return wld_damaged(name, 8, "another version than 1 and 2, which this program reads", diag);
    uint64_t size = bytes_get_u32le(start + 28);
    uint64_t count = bytes_get_u32le(start + 24);
    file->info.rule.most = bytes_get_u32le(start + 12);
    file->info.plies = bytes_get_u64le(start + 16);
    if (size > SAMPLES_NAMES_MAX || count < 1 || count > SAMPLE_FILES_MAX ||
        file->info.rule.most < 1 || file->info.rule.most > SAMPLES_MAX)
        return wld_damaged(name, 12, "a header of impossible sizes: the file is damaged", diag);
    size_t end = sizeof start + (size_t)size;
    uint8_t *header = malloc(end + WLD_CHECKSUM_SIZE);
    if (!header)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", name);
    status = wld_bytes_read(bytes, 0, header, end + WLD_CHECKSUM_SIZE, diag);
    file->blocks.header = status == STATUS_OK ? xxh64(header, end, 0) : 0;
    if (status == STATUS_OK && bytes_get_u64le(header + end) != file->blocks.header)
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
        status = wld_blocks_read_end(&file->blocks, SAMPLES_FOOT_SIZE, diag);
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

/* What the end of a file has to say of the statistics that it belongs to. */
static uint64_t digest_of(const struct wld_identity *statistics)
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
    return file->blocks.foot.more == digest_of(statistics);
}

uint16_t *samples_file_numbers(const struct samples_file *file, const struct sample_names *names)
{
    const struct sample_names *own = &file->info.names;
    uint16_t *numbers = calloc(own->count, sizeof *numbers);
    for (size_t i = 0; numbers && i < own->count; i++)
        numbers[i] = (uint16_t)sample_names_find(names, own->list[i]);
    return numbers;
}

/* Records ---------------------------------------------------------------------------------- */

static bool read_game(struct samples_cursor *cursor, struct sample *out)
{
    const struct samples_info *info = &cursor->file->info;
    uint64_t elos;
    uint64_t file;
    *out = (struct sample){.at = 0};
    if (!bytes_get_varint(&cursor->from, cursor->end, &elos) || cursor->end - cursor->from < 4)
        return false;
    out->mark = bytes_get_u32le(cursor->from);
    cursor->from += 4;
    if (!bytes_get_varint(&cursor->from, cursor->end, &file) ||
        !bytes_get_varint(&cursor->from, cursor->end, &out->at) || elos > UINT16_MAX ||
        out->at >> PLACE_BITS || file >= info->names.count)
        return false;
    out->elos = (uint16_t)elos;
    out->file = (uint16_t)file;
    if (!info->rule.by_facets)
        return true;
    if (cursor->end - cursor->from < FACET_SIZE)
        return false;
    out->facet = bytes_get_u32le(cursor->from) & ((1u << FACET_BITS) - 1);
    out->move = bytes_get_u16le(cursor->from + 3);
    cursor->from += FACET_SIZE;
    return facet_is_valid(out->facet);
}

/* The next record of the block; cursor->left is not 0. False: it is none that a writer makes. */
static bool read_record(struct samples_cursor *cursor, bool is_first, struct sample_set *out)
{
    const struct sample_rule *rule = &cursor->file->info.rule;
    uint64_t delta;
    uint64_t count;
    cursor->record = cursor->at - WLD_CHECKSUM_SIZE - (uint64_t)(cursor->end - cursor->from);
    if (!bytes_get_varint(&cursor->from, cursor->end, &delta) || (!is_first && delta == 0) ||
        delta > UINT64_MAX - cursor->key || !bytes_get_varint(&cursor->from, cursor->end, &count) ||
        count < 1 || count > (rule->by_facets ? SAMPLE_SET_MAX : rule->most))
        return false;
    out->key = cursor->key + delta;
    out->count = (size_t)count;
    for (size_t i = 0; i < count; i++)
        if (!read_game(cursor, &out->games[i]) ||
            (i > 0 && sample_compare(&out->games[i - 1], &out->games[i]) >= 0))
            return false;
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
    if (cursor->blocks < blocks->foot.blocks)
        status = wld_blocks_entry(blocks, cursor->blocks++, &entry, diag);
    if (status == STATUS_OK && (entry.key != key || entry.value != at))
        return wld_damaged(blocks->bytes.name, at, "the index does not fit this block", diag);
    return status;
}

enum caxton_status samples_cursor_next(void *context, struct sample_set *out, struct diag *diag)
{
    struct samples_cursor *cursor = context;
    const struct samples_file *file = cursor->file;
    const struct wld_foot *foot = &file->blocks.foot;
    uint64_t last = cursor->key;
    bool is_first = cursor->left == 0;
    bool has_ended = false;
    if (cursor->at == 0)
        cursor->at = file->blocks.start;
    uint64_t at = cursor->at;
    enum caxton_status status = is_first ? load(cursor, &has_ended, diag) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (has_ended && (cursor->records != foot->records || cursor->digest != foot->digest ||
                      cursor->blocks != foot->blocks))
        return wld_damaged(samples_file_name(file), cursor->at, "the end does not fit the blocks",
                           diag);
    if (has_ended)
        return STATUS_END;
    if (!read_record(cursor, is_first, out) ||
        (is_first && cursor->records > 0 && out->key <= last))
        return no_record(cursor, diag);
    size_t count = out->count;
    sample_set_choose(out, &file->info.rule);
    if (out->count != count) /* more than are chosen */
        return no_record(cursor, diag);
    cursor->records++;
    /* Lists of names are sorted, so that the games stay in order. */
    for (size_t i = 0; cursor->numbers && i < out->count; i++)
        out->games[i].file = cursor->numbers[out->games[i].file];
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

/* Writing ---------------------------------------------------------------------------------- */

struct samples_writer {
    struct wld_blocks_writer blocks;
    sample_source next;
    void *context;
    struct sample_set head; /* the next of the source; count 0: not read yet */
    bool has_ended;         /* the source has */
    bool by_facets;
};

static enum caxton_status write_header(struct samples_writer *writer,
                                       const struct samples_info *info)
{
    size_t size = 0;
    for (size_t i = 0; i < info->names.count; i++)
        size += strlen(info->names.list[i]) + 1;
    if (size > SAMPLES_NAMES_MAX)
        return STATUS_RANGE;
    uint8_t *bytes = malloc(SAMPLES_START_SIZE + size + WLD_CHECKSUM_SIZE);
    if (!bytes)
        return STATUS_NO_MEMORY;
    memcpy(bytes, SAMPLES_MAGIC, SAMPLES_MAGIC_SIZE);
    bytes_put_le(bytes + 8, SAMPLES_VERSION + (uint64_t)info->rule.by_facets, 4);
    bytes_put_le(bytes + 12, info->rule.most, 4);
    bytes_put_le(bytes + 16, info->plies, 8);
    bytes_put_le(bytes + 24, info->names.count, 4);
    bytes_put_le(bytes + 28, size, 4);
    uint8_t *to = bytes + SAMPLES_START_SIZE;
    for (size_t i = 0; i < info->names.count; i++) {
        size_t length = strlen(info->names.list[i]) + 1;
        memcpy(to, info->names.list[i], length);
        to += length;
    }
    size_t end = (size_t)(to - bytes);
    enum caxton_status status = wld_blocks_put_header(&writer->blocks, bytes, end);
    free(bytes);
    return status;
}

enum caxton_status samples_writer_create(FILE *out, const struct samples_info *info,
                                         sample_source next, void *context,
                                         struct samples_writer **writer)
{
    struct samples_writer *made = calloc(1, sizeof *made);
    if (!made)
        return STATUS_NO_MEMORY;
    made->blocks.out = out;
    made->next = next;
    made->context = context;
    made->by_facets = info->rule.by_facets;
    enum caxton_status status = write_header(made, info);
    if (status != STATUS_OK) {
        samples_writer_destroy(made);
        return status;
    }
    *writer = made;
    return STATUS_OK;
}

void samples_writer_destroy(struct samples_writer *writer)
{
    if (!writer)
        return;
    wld_blocks_writer_free(&writer->blocks);
    free(writer);
}

static enum caxton_status write_set(struct samples_writer *writer, const struct sample_set *set)
{
    uint8_t rest[RECORD_MAX];
    uint8_t *to = bytes_put_varint(rest, set->count);
    for (size_t i = 0; i < set->count; i++) {
        const struct sample *game = &set->games[i];
        to = bytes_put_varint(to, game->elos);
        bytes_put_le(to, game->mark, 4);
        to = bytes_put_varint(to + 4, game->file);
        to = bytes_put_varint(to, game->at);
        if (!writer->by_facets)
            continue;
        bytes_put_le(to, game->facet, 3);
        bytes_put_le(to + 3, game->move, 2);
        to += FACET_SIZE;
    }
    return wld_blocks_add(&writer->blocks, set->key, rest, (size_t)(to - rest), 1, false);
}

enum caxton_status samples_writer_follow(struct samples_writer *writer, uint64_t key,
                                         struct diag *diag)
{
    struct sample_set *head = &writer->head;
    while (!writer->has_ended && (head->count == 0 || head->key < key)) {
        enum caxton_status status = writer->next(writer->context, head, diag);
        writer->has_ended = status == STATUS_END;
        if (status != STATUS_OK && status != STATUS_END)
            return status;
    }
    if (writer->has_ended || head->key != key)
        return STATUS_OK;
    enum caxton_status status = write_set(writer, head);
    head->count = 0;
    return status;
}

enum caxton_status samples_writer_finish(struct samples_writer *writer,
                                         const struct wld_identity *statistics)
{
    writer->blocks.foot.more = digest_of(statistics);
    return wld_blocks_finish(&writer->blocks, SAMPLES_FOOT_SIZE);
}

uint64_t samples_writer_records(const struct samples_writer *writer)
{
    return writer->blocks.foot.records;
}
