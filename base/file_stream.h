/* A stdio stream that remembers why a write failed. stdio itself keeps no more than ferror(): when
 * the caller asks, errno may be that of another call. */
#pragma once

#include <stdio.h>

struct file_stream {
    int file;  /* the descriptor */
    int error; /* errno of the first write that failed; 0: none has */
};

/* Opens a stream for reading and writing on the descriptor stream->file, which fclose() closes.
 * *stream stays where it is until then. NULL with errno set: the descriptor stays the caller's.
 * fileno() does not work on it: use stream->file. Where the system has no such streams the reason
 * of every failed write is EIO. */
FILE *file_stream_open(struct file_stream *stream);

/* Writes out what the stream still holds. Returns 0 or the errno of the first failed write since it
 * was opened. */
int file_stream_flush(struct file_stream *stream, FILE *out);
