#include "eval/train/sample_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/checksum.h"

struct sample_file {
    int fd;
    int error; /* errno of a write that failed; 0: none has */
    uint8_t block[SAMPLE_HEADER_SIZE + SAMPLE_BLOCK_MAX * SAMPLE_SIZE];
};

/* As many of `size` bytes as there are; less only at the end of the file. Negative on failure. */
static ssize_t read_fully(int fd, uint8_t *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(fd, bytes + done, size - done);
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)done;
}

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
    ssize_t got = read_fully(file->fd, file->block, SAMPLE_HEADER_SIZE);
    if (got < 0)
        return STATUS_IO;
    size_t start = (size_t)got < SAMPLE_MAGIC_SIZE ? (size_t)got : SAMPLE_MAGIC_SIZE;
    if (memcmp(file->block, SAMPLE_MAGIC, start) != 0)
        return STATUS_FORMAT; /* however short: another kind of file, not a cut block */
    if (got < SAMPLE_HEADER_SIZE)
        return STATUS_END;
    *count = bytes_get_u32le(file->block + SAMPLE_COUNT_AT);
    if (!*count || *count > SAMPLE_BLOCK_MAX || memcmp(file->block + 12, zeros, sizeof zeros) != 0)
        return STATUS_FORMAT;
    size_t size = *count * SAMPLE_SIZE;
    uint64_t sum = bytes_get_u64le(file->block + SAMPLE_SUM_AT);
    got = read_fully(file->fd, file->block + SAMPLE_HEADER_SIZE, size);
    if (got < 0)
        return STATUS_IO;
    if ((size_t)got < size)
        return count_is_wrong(file->block + SAMPLE_HEADER_SIZE, (size_t)got, sum) ? STATUS_FORMAT
                                                                                  : STATUS_END;
    return checksum_add(CHECKSUM_EMPTY, file->block + SAMPLE_HEADER_SIZE, size) == sum
               ? STATUS_OK
               : STATUS_FORMAT;
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
    if (status == STATUS_IO || ftruncate(file->fd, end) != 0 ||
        lseek(file->fd, end, SEEK_SET) != end) {
        diag_set(diag, 0, 0, "%s: %s", path, strerror(errno));
        return STATUS_IO;
    }
    return STATUS_OK;
}

enum caxton_status sample_file_open(const char *path, struct sample_file **out, uint64_t *samples,
                                    struct diag *diag)
{
    struct sample_file *file = calloc(1, sizeof *file);
    if (!file)
        return STATUS_NO_MEMORY;
    file->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (file->fd < 0 || fcntl(file->fd, F_SETLK, &whole) != 0) {
        bool locked = file->fd >= 0 && (errno == EACCES || errno == EAGAIN);
        diag_set(diag, 0, 0, "%s: %s", path,
                 locked ? "another program is writing to it" : strerror(errno));
        if (file->fd >= 0)
            (void)close(file->fd);
        free(file);
        return STATUS_IO;
    }
    enum caxton_status status = check_file(file, path, samples, diag);
    if (status != STATUS_OK) {
        (void)close(file->fd);
        free(file);
        return status;
    }
    *out = file;
    return STATUS_OK;
}

enum caxton_status sample_file_append(struct sample_file *file, const uint8_t *samples,
                                      size_t count, struct diag *diag)
{
    size_t size = count * SAMPLE_SIZE;
    memset(file->block, 0, SAMPLE_HEADER_SIZE);
    memcpy(file->block, SAMPLE_MAGIC, SAMPLE_MAGIC_SIZE);
    bytes_put_le(file->block + SAMPLE_COUNT_AT, count, 4);
    bytes_put_le(file->block + SAMPLE_SUM_AT, checksum_add(CHECKSUM_EMPTY, samples, size), 8);
    memcpy(file->block + SAMPLE_HEADER_SIZE, samples, size);
    size += SAMPLE_HEADER_SIZE;
    for (size_t done = 0; done < size && !file->error;) {
        ssize_t written = write(file->fd, file->block + done, size - done);
        if (written < 0 && errno != EINTR)
            file->error = errno;
        done += written > 0 ? (size_t)written : 0;
    }
    if (!file->error)
        return STATUS_OK;
    diag_set(diag, 0, 0, "the samples cannot be written: %s", strerror(file->error));
    return STATUS_IO;
}

enum caxton_status sample_file_close(struct sample_file *file, struct diag *diag)
{
    bool synced = fsync(file->fd) == 0 || errno == EINVAL;
    bool closed = close(file->fd) == 0;
    free(file);
    if (synced && closed)
        return STATUS_OK;
    diag_set(diag, 0, 0, "the samples cannot be written: %s", strerror(errno));
    return STATUS_IO;
}
