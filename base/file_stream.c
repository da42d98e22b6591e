#define _GNU_SOURCE /* fopencookie, which glibc and musl have */

#include "base/file_stream.h"

#include <errno.h>
#include <unistd.h>

#ifdef __linux__

static ssize_t read_bytes(void *context, char *bytes, size_t size)
{
    const struct file_stream *stream = context;
    ssize_t got;
    do
        got = read(stream->file, bytes, size);
    while (got < 0 && errno == EINTR);
    return got;
}

/* Returns how much was written, 0 for a failure. */
static ssize_t write_bytes(void *context, const char *bytes, size_t size)
{
    struct file_stream *stream = context;
    size_t done = 0;
    while (done < size) {
        ssize_t written = write(stream->file, bytes + done, size - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            if (!stream->error)
                stream->error = written < 0 ? errno : EIO;
            break;
        }
        done += (size_t)written;
    }
    return (ssize_t)done;
}

static int seek(void *context, off64_t *offset, int whence)
{
    const struct file_stream *stream = context;
    off_t at = lseek(stream->file, *offset, whence);
    if (at >= 0)
        *offset = at;
    return at < 0 ? -1 : 0;
}

static int close_file(void *context)
{
    struct file_stream *stream = context;
    return close(stream->file);
}

FILE *file_stream_open(struct file_stream *stream)
{
    stream->error = 0;
    return fopencookie(
        stream, "w+b",
        (cookie_io_functions_t){
            .read = read_bytes, .write = write_bytes, .seek = seek, .close = close_file});
}

#else

FILE *file_stream_open(struct file_stream *stream)
{
    stream->error = 0;
    return fdopen(stream->file, "w+b");
}

#endif

int file_stream_flush(struct file_stream *stream, FILE *out)
{
    if ((fflush(out) != 0 || ferror(out)) && !stream->error)
        stream->error = EIO;
    return stream->error;
}
