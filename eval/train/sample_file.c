#include "eval/train/sample_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file_stream.h"

struct sample_file {
    struct file_stream bytes;
    FILE *stream;
    uint8_t header[SAMPLE_HEADER_SIZE]; /* of the block that is checked */
    uint8_t samples[SAMPLE_BLOCK_MAX * SAMPLE_SIZE];
};

/* Fewer samples follow than the header counts: is the count wrong, rather than the block cut? Then
 * another block follows, or the checksum is right for the samples that are there. */
static bool count_is_wrong(const uint8_t *samples, size_t size, uint64_t sum)
{
    for (size_t at = 0; at + SAMPLE_MAGIC_SIZE <= size; at += SAMPLE_SIZE)
        if (memcmp(samples + at, SAMPLE_MAGIC, SAMPLE_MAGIC_SIZE) == 0)
            return true;
    return size > 0 && checksum_add(CHECKSUM_EMPTY, samples, size) == sum;
}

/* Reads one block. STATUS_END at the end of the file and before a torn block, STATUS_FORMAT for
 * anything else that is none. */
static enum caxton_status check_block(struct sample_file *file, size_t *count)
{
    static const uint8_t zeros[12];
    size_t got = fread(file->header, 1, SAMPLE_HEADER_SIZE, file->stream);
    if (ferror(file->stream))
        return STATUS_IO;
    if (memcmp(file->header, SAMPLE_MAGIC, got < SAMPLE_MAGIC_SIZE ? got : SAMPLE_MAGIC_SIZE) != 0)
        return STATUS_FORMAT; /* however short: another kind of file, not a cut block */
    if (got < SAMPLE_HEADER_SIZE)
        return STATUS_END;
    *count = bytes_get_u32le(file->header + SAMPLE_COUNT_AT);
    if (!*count || *count > SAMPLE_BLOCK_MAX || memcmp(file->header + 12, zeros, sizeof zeros) != 0)
        return STATUS_FORMAT;
    size_t size = *count * SAMPLE_SIZE;
    uint64_t sum = bytes_get_u64le(file->header + SAMPLE_SUM_AT);
    got = fread(file->samples, 1, size, file->stream);
    if (ferror(file->stream))
        return STATUS_IO;
    if (got < size)
        return count_is_wrong(file->samples, got, sum) ? STATUS_FORMAT : STATUS_END;
    return checksum_add(CHECKSUM_EMPTY, file->samples, size) == sum ? STATUS_OK : STATUS_FORMAT;
}

/* Counts the samples, cuts off a torn end and leaves the file ready to append. */
static enum caxton_status check_file(struct sample_file *file, const char *path, uint64_t *samples,
                                     struct diag *diag)
{
    off_t end = 0;
    size_t count;
    enum caxton_status status;
    *samples = 0;
    while ((status = check_block(file, &count)) == STATUS_OK) {
        *samples += count;
        end += (off_t)(SAMPLE_HEADER_SIZE + count * SAMPLE_SIZE);
    }
    if (status == STATUS_FORMAT) {
        diag_set(diag, 0, 0, "%s: not a block of samples at offset %lld", path, (long long)end);
        return status;
    }
    if (status == STATUS_IO || ftruncate(file->bytes.file, end) != 0 ||
        fseeko(file->stream, end, SEEK_SET) != 0) {
        diag_set(diag, 0, 0, "%s: %s", path, strerror(errno));
        return STATUS_IO;
    }
    return STATUS_OK;
}

enum caxton_status sample_file_open(const char *path, struct sample_file **out, uint64_t *samples,
                                    struct diag *diag)
{
    struct sample_file *file = malloc(sizeof *file);
    if (!file)
        return STATUS_NO_MEMORY;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool locked = fd >= 0 && fcntl(fd, F_SETLK, &whole) == 0;
    file->bytes.file = fd;
    file->stream = locked ? file_stream_open(&file->bytes) : NULL;
    enum caxton_status status = STATUS_IO;
    if (file->stream) {
        status = check_file(file, path, samples, diag);
    } else {
        bool busy = fd >= 0 && (errno == EACCES || errno == EAGAIN);
        diag_set(diag, 0, 0, "%s: %s", path,
                 busy ? "another program is writing to it" : strerror(errno));
    }
    if (status == STATUS_OK) {
        *out = file;
        return status;
    }
    if (file->stream)
        (void)fclose(file->stream);
    else if (fd >= 0)
        (void)close(fd);
    free(file);
    return status;
}

enum caxton_status sample_file_stdout(struct sample_file **out, struct diag *diag)
{
    struct sample_file *file = malloc(sizeof *file);
    if (!file)
        return STATUS_NO_MEMORY;
    file->bytes.file = dup(STDOUT_FILENO);
    file->stream = file->bytes.file >= 0 ? file_stream_open(&file->bytes) : NULL;
    if (!file->stream) {
        diag_set(diag, 0, 0, "standard output: %s", strerror(errno));
        if (file->bytes.file >= 0)
            (void)close(file->bytes.file);
        free(file);
        return STATUS_IO;
    }
    *out = file;
    return STATUS_OK;
}

static enum caxton_status name_failure(int error, struct diag *diag)
{
    if (!error)
        return STATUS_OK;
    if (error == EPIPE)
        return STATUS_END;
    diag_set(diag, 0, 0, "the samples cannot be written: %s", strerror(error));
    return STATUS_IO;
}

enum caxton_status sample_file_append(struct sample_file *file, const uint8_t *samples,
                                      size_t count, struct diag *diag)
{
    uint8_t header[SAMPLE_HEADER_SIZE] = SAMPLE_MAGIC;
    size_t size = count * SAMPLE_SIZE;
    bytes_put_le(header + SAMPLE_COUNT_AT, count, 4);
    bytes_put_le(header + SAMPLE_SUM_AT, checksum_add(CHECKSUM_EMPTY, samples, size), 8);
    if (!file->bytes.error) {
        (void)fwrite(header, sizeof header, 1, file->stream);
        (void)fwrite(samples, size, 1, file->stream);
    }
    return name_failure(file_stream_flush(&file->bytes, file->stream), diag);
}

enum caxton_status sample_file_close(struct sample_file *file, struct diag *diag)
{
    int error = fsync(file->bytes.file) == 0 || errno == EINVAL ? 0 : errno;
    if (fclose(file->stream) != 0 && !error)
        error = errno;
    free(file);
    return name_failure(error, diag);
}
