#include "base/memory_stream.h"

bool memory_stream_open(struct memory_stream *stream)
{
    *stream = (struct memory_stream){.file = NULL};
    stream->file = open_memstream(&stream->bytes, &stream->size);
    return stream->file != NULL;
}

bool memory_stream_close(struct memory_stream *stream)
{
    FILE *file = stream->file;
    stream->file = NULL;
    return file && fclose(file) == 0;
}
