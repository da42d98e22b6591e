/* Samples of programs that never end: a room for them is kept, from which training positions are
 * drawn. New ones join them until the room is full, then take the places of those that were drawn.
 */
#define _DEFAULT_SOURCE /* MAP_ANON, madvise() */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/checksum.h"
#include "eval/train/loader_internal.h"

static const char *read_bytes(int file, uint8_t *to, size_t size)
{
    while (size > 0) {
        ssize_t got = read(file, to, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 ? "has ended" : "cannot be read";
        to += got;
        size -= (size_t)got;
    }
    return NULL;
}

/* The block of the program whose turn it is. */
static const char *read_block(struct stream *stream)
{
    uint8_t header[SAMPLE_HEADER_SIZE];
    const int file = stream->files[stream->turn];
    stream->turn = (stream->turn + 1) % stream->count;
    stream->block_at = stream->block_count = 0;
    const char *fault = read_bytes(file, header, sizeof header);
    if (fault != NULL)
        return fault;
    const size_t count = bytes_get_u32le(header + SAMPLE_COUNT_AT);
    if (memcmp(header, SAMPLE_MAGIC, SAMPLE_MAGIC_SIZE) != 0 || count == 0 ||
        count > SAMPLE_BLOCK_MAX)
        return "does not write samples";
    fault = read_bytes(file, stream->block, count * SAMPLE_SIZE);
    if (fault != NULL)
        return fault;
    if (checksum_add(CHECKSUM_EMPTY, stream->block, count * SAMPLE_SIZE) !=
        bytes_get_u64le(header + SAMPLE_SUM_AT))
        return "writes a damaged block";
    stream->block_count = count;
    return NULL;
}

/* The next sample that the options keep. *for_validation: its game is for validation. */
static const char *next_sample(struct loader *loader, const uint8_t **out, bool *for_validation)
{
    struct stream *stream = &loader->stream;
    struct loader_report *report = stream->report;
    for (;;) {
        if (stream->block_at == stream->block_count) {
            const char *fault = read_block(stream);
            if (fault != NULL)
                return fault;
        }
        const uint8_t *packed = stream->block + stream->block_at++ * SAMPLE_SIZE;
        if (stream->block_at == 1 || (packed[SAMPLE_FLAGS_AT] & SAMPLE_FIRST)) {
            stream->for_validation = loader_is_validation(&loader->options, packed);
            ++report->games;
        }
        ++report->positions;
        uint64_t *counter =
            loader_judge(&loader->options, loader->sources[0].scale, packed, report);
        ++*counter;
        if (counter == &report->kept) {
            *out = packed;
            *for_validation = stream->for_validation;
            return NULL;
        }
    }
}

static uint8_t *place_of(const struct loader *loader, uint32_t unit)
{
    return (uint8_t *)(uintptr_t)loader->sources[0].data + (size_t)unit * UNIT;
}

/* The beginning of the room; the places of the validation positions are behind it. */
static const char *fill(struct loader *loader, const struct loader_streams *streams)
{
    uint32_t validation = 0;
    for (uint32_t unit = 0; unit < streams->begin;) {
        const uint8_t *packed;
        bool for_validation;
        const char *fault = next_sample(loader, &packed, &for_validation);
        if (fault != NULL)
            return fault;
        if (for_validation && validation == streams->validation)
            continue;
        const uint32_t place = for_validation ? streams->room + validation++ : unit++;
        memcpy(place_of(loader, place), packed, SAMPLE_SIZE);
        if (!loader_list_add(for_validation ? &loader->validation : &loader->training, place))
            return "needs more memory than there is";
    }
    return NULL;
}

const char *loader_open_streams(struct loader *loader, const struct loader_streams *streams,
                                struct loader_report *report)
{
    struct source *source = &loader->sources[0];
    const size_t size = ((size_t)streams->room + streams->validation) * UNIT;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (room == MAP_FAILED)
        return "needs more memory than there is";
    (void)madvise(room, size, MADV_HUGEPAGE); /* drawn from at random: fewer misses, if it works */
    *source = (struct source){room, size, 0, streams->lambda, streams->scale};
    loader->source_count = 1;
    memset(report, 0, sizeof *report);
    report->scale = streams->scale;
    loader->stream = (struct stream){
        .files = streams->files,
        .count = streams->count,
        .block = malloc((size_t)SAMPLE_BLOCK_MAX * SAMPLE_SIZE),
        .room = streams->room,
        .reuse = streams->reuse,
        .report = report,
    };
    return loader->stream.block != NULL ? fill(loader, streams) : "needs more memory than there is";
}

const char *loader_stream_replace(struct loader *loader, uint32_t unit)
{
    struct stream *stream = &loader->stream;
    stream->credit += 1;
    if (stream->credit < stream->reuse)
        return NULL;
    stream->credit -= stream->reuse;
    const uint8_t *packed;
    bool for_validation;
    const char *fault = next_sample(loader, &packed, &for_validation);
    if (fault != NULL)
        return fault;
    const bool is_full = loader->training.count == stream->room;
    const uint32_t place = is_full ? unit : (uint32_t)loader->training.count;
    memcpy(place_of(loader, place), packed, SAMPLE_SIZE);
    return is_full || loader_list_add(&loader->training, place) ? NULL
                                                                : "needs more memory than there is";
}
