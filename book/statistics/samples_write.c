#include "book/statistics/samples_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/xxh64.h"

enum { GAME_MAX = 4 + 3 * VARINT_MAX, RECORD_MAX = 2 * VARINT_MAX + SAMPLES_MAX * GAME_MAX };

_Static_assert((int)RECORD_MAX < (int)WLD_BLOCK_MAX, "a record fits a block");

struct samples_writer {
    struct wld_blocks_writer blocks;
    uint64_t header; /* its checksum */
    uint64_t records;
    uint64_t last; /* the key of the record before */
    sample_source next;
    void *context;
    struct sample_set head; /* the next of the source; count 0: not read yet */
    bool has_ended;         /* the source has */
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
    bytes_put_le(bytes + 8, SAMPLES_VERSION, 4);
    bytes_put_le(bytes + 12, info->most, 4);
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
    writer->header = xxh64(bytes, end, 0);
    bytes_put_le(to, writer->header, WLD_CHECKSUM_SIZE);
    enum caxton_status status = wld_blocks_put(&writer->blocks, bytes, end + WLD_CHECKSUM_SIZE);
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

static size_t encode(const struct sample_set *set, uint64_t base, uint8_t *out)
{
    uint8_t *to = bytes_put_varint(out, set->key - base);
    to = bytes_put_varint(to, set->count);
    for (size_t i = 0; i < set->count; i++) {
        const struct sample *game = &set->games[i];
        to = bytes_put_varint(to, game->elos);
        bytes_put_le(to, game->mark, 4);
        to = bytes_put_varint(to + 4, game->file);
        to = bytes_put_varint(to, game->at);
    }
    return (size_t)(to - out);
}

static enum caxton_status write_set(struct samples_writer *writer, const struct sample_set *set)
{
    uint8_t record[RECORD_MAX];
    struct wld_blocks_writer *blocks = &writer->blocks;
    size_t size = encode(set, blocks->used ? writer->last : 0, record);
    if (blocks->used + size > WLD_BLOCK_MAX) {
        enum caxton_status status = wld_blocks_seal(blocks, true);
        if (status != STATUS_OK)
            return status;
        size = encode(set, 0, record);
    }
    wld_blocks_add(blocks, set->key, record, size);
    writer->records++;
    writer->last = set->key;
    return STATUS_OK;
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
    uint8_t foot[SAMPLES_FOOT_SIZE];
    enum caxton_status status = wld_blocks_finish(&writer->blocks);
    bytes_put_le(foot, writer->records, 8);
    bytes_put_le(foot + 8, writer->blocks.count, 8);
    bytes_put_le(foot + 16, writer->blocks.digest, 8);
    bytes_put_le(foot + 24, samples_digest_of(statistics), 8);
    bytes_put_le(foot + 32, xxh64(foot, 32, writer->header), 8);
    return status == STATUS_OK ? wld_blocks_put(&writer->blocks, foot, sizeof foot) : status;
}

uint64_t samples_writer_records(const struct samples_writer *writer)
{
    return writer->records;
}
