/* The C library has no streams on memory. A temporary file, which the system keeps in memory as
 * long as there is room, is read back. */
#include "base/memory_stream.h"

#include <io.h>
#include <stdlib.h>
#include <string.h>

#include "base/system.h"

bool memory_stream_open(struct memory_stream *stream)
{
    *stream = (struct memory_stream){.file = NULL};
    int file = system_open_temporary(system_temp_folder());
    if (file < 0)
        return false;
    stream->file = _fdopen(file, "w+b");
    if (!stream->file)
        system_close(file);
    return stream->file != NULL;
}

static bool read_back(struct memory_stream *stream)
{
    struct system_info info;
    if (fflush(stream->file) != 0 || ferror(stream->file) ||
        !system_look_open(_fileno(stream->file), &info) || info.size >= SIZE_MAX)
        return false;
    size_t size = (size_t)info.size;
    stream->bytes = malloc(size + 1);
    if (!stream->bytes)
        return false;
    stream->bytes[size] = '\0';
    stream->size = size;
    rewind(stream->file);
    return fread(stream->bytes, 1, size, stream->file) == size;
}

bool memory_stream_close(struct memory_stream *stream)
{
    bool good = stream->file && read_back(stream);
    if (stream->file)
        (void)fclose(stream->file); /* what it held is wanted no more */
    stream->file = NULL;
    return good;
}
