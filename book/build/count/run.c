#include "book/build/count/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/temp_file.h"

enum { WRITE_SIZE = 1 << 16 };

/* A record is key, move, and three counts of one byte below NARROW_END; or NARROW_END + width - 2,
 * and three counts of `width` bytes, 2..8. */
enum { COUNTS_AT = 8 + 2, NARROW_END = 249, RECORD_MAX = COUNTS_AT + 1 + OUTCOMES * 8 };

struct run_file {
    int file;
    const char *folder; /* borrowed */
    uint64_t start;     /* of the run being written */
    uint64_t written;
    size_t at; /* in the buffer */
    uint8_t buffer[WRITE_SIZE];
};

enum caxton_status run_file_create(const char *folder, struct run_file **out, struct diag *diag)
{
    struct run_file *file = calloc(1, sizeof *file);
    if (!file)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    enum caxton_status status = temp_file_open(folder, &file->file, diag);
    if (status != STATUS_OK) {
        free(file);
        return status;
    }
    file->folder = folder;
    *out = file;
    return STATUS_OK;
}

void run_file_destroy(struct run_file *file)
{
    if (!file)
        return;
    temp_file_close(file->file);
    free(file);
}

static enum caxton_status flush(struct run_file *file, struct diag *diag)
{
    enum caxton_status status =
        temp_file_write(file->file, file->buffer, file->at, file->folder, diag);
    if (status == STATUS_OK) {
        file->written += file->at;
        file->at = 0;
    }
    return status;
}

enum caxton_status run_file_write(struct run_file *file, const struct tally *tally,
                                  struct diag *diag)
{
    if (file->at + RECORD_MAX > WRITE_SIZE) {
        enum caxton_status status = flush(file, diag);
        if (status != STATUS_OK)
            return status;
    }
    uint64_t all = tally->counts[0] | tally->counts[1] | tally->counts[2];
    int width = 1;
    for (int i = 0; i < OUTCOMES; i++)
        if (tally->counts[i] >= NARROW_END)
            width = 2;
    while (width > 1 && width < 8 && all >> 8 * width)
        width++;
    uint8_t *to = file->buffer + file->at;
    bytes_put_le(to, tally->key, 8);
    bytes_put_le(to + 8, tally->move, 2);
    to += COUNTS_AT;
    if (width > 1)
        *to++ = (uint8_t)(NARROW_END + width - 2);
    for (int i = 0; i < OUTCOMES; i++, to += width)
        bytes_put_le(to, tally->counts[i], width);
    file->at = (size_t)(to - file->buffer);
    return STATUS_OK;
}

enum caxton_status run_file_end(struct run_file *file, struct run *out, struct diag *diag)
{
    enum caxton_status status = flush(file, diag);
    *out = (struct run){file->start, file->written};
    file->start = file->written;
    return status;
}

/* Makes sure that a whole record lies in the buffer, unless the run ends before. */
static enum caxton_status refill(struct run_reader *reader, struct diag *diag)
{
    size_t left = reader->size - reader->at;
    memmove(reader->buffer, reader->buffer + reader->at, left);
    reader->at = 0;
    reader->size = left;
    size_t room = RUN_READER_SIZE - left;
    if (room > reader->run.end - reader->run.start)
        room = (size_t)(reader->run.end - reader->run.start);
    enum caxton_status status =
        temp_file_read(reader->file->file, reader->run.start, reader->buffer + left, room,
                       reader->file->folder, diag);
    if (status == STATUS_OK) {
        reader->size += room;
        reader->run.start += room;
    }
    return status;
}

enum caxton_status run_reader_next(void *context, struct tally *out, struct diag *diag)
{
    struct run_reader *reader = context;
    if (reader->size - reader->at < RECORD_MAX) {
        enum caxton_status status = refill(reader, diag);
        if (status != STATUS_OK)
            return status;
        if (reader->size == 0)
            return STATUS_END;
    }
    const uint8_t *from = reader->buffer + reader->at;
    const uint8_t *counts = from + COUNTS_AT;
    int width = *counts < NARROW_END ? 1 : *counts++ - NARROW_END + 2;
    out->key = bytes_get_u64le(from);
    out->move = bytes_get_u16le(from + 8);
    for (int i = 0; i < OUTCOMES; i++)
        out->counts[i] = bytes_get_le(counts + width * i, width);
    reader->at = (size_t)(counts + OUTCOMES * width - reader->buffer);
    return STATUS_OK;
}
