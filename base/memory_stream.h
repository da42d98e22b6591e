/* A stdio stream that writes into memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Stays where it is while the stream is open. */
struct memory_stream {
    FILE *file;  /* to write to; NULL: it could not be opened */
    char *bytes; /* what was written, once it is closed, and a zero; for free() */
    size_t size; /* without the zero */
};

/* Sets all of *stream. False: no memory; memory_stream_close() may be called all the same. */
bool memory_stream_open(struct memory_stream *stream);

/* Ends it, once. False: it was not open, or there was not enough memory; `bytes` may be NULL then.
 */
bool memory_stream_close(struct memory_stream *stream);
