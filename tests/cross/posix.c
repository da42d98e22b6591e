#include "posix.h"

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>

#include "base/system.h"

/* These are for the tests: here the library is meant. */
#undef fclose
#undef fflush

enum { STREAMS = 16 };

/* The streams that write into memory and are open. */
static struct {
    FILE *file; /* NULL: free */
    char **text;
    size_t *size;
} streams[STREAMS];

FILE *cross_tmpfile(void)
{
    int file = system_open_temporary(system_temp_folder());
    return file < 0 ? NULL : _fdopen(file, "w+b");
}

FILE *cross_open_memstream(char **text, size_t *size)
{
    for (int i = 0; i < STREAMS; i++) {
        if (streams[i].file)
            continue;
        *text = NULL;
        *size = 0;
        streams[i].file = cross_tmpfile();
        streams[i].text = text;
        streams[i].size = size;
        return streams[i].file;
    }
    return NULL;
}

int cross_fflush(FILE *file)
{
    if (fflush(file) != 0)
        return EOF;
    for (int i = 0; file && i < STREAMS; i++) {
        struct system_info info;
        if (streams[i].file != file || !system_look_open(_fileno(file), &info))
            continue;
        char *text = realloc(*streams[i].text, (size_t)info.size + 1);
        if (!text)
            return EOF;
        *streams[i].text = text;
        *streams[i].size = (size_t)info.size;
        text[info.size] = '\0';
        rewind(file);
        if (fread(text, 1, (size_t)info.size, file) != info.size)
            return EOF;
        return fseek(file, 0, SEEK_END);
    }
    return 0;
}

int cross_fclose(FILE *file)
{
    int good = cross_fflush(file);
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].file == file)
            streams[i].file = NULL;
    return fclose(file) == 0 ? good : EOF;
}

/* The C library has names of at most 26 letters for this, so that they are made here. "/tmp" is the
 * folder of the system. Returns false: there is no such name left. */
static int make(char *path, int (*create)(const char *path))
{
    size_t size = strlen(path);
    for (unsigned i = 0; i < 1000000; i++) {
        (void)snprintf(path + size - 6, 7, "%06u", i);
        int made = create(path);
        if (made >= 0)
            return made;
    }
    return -1;
}

static int make_folder(const char *path)
{
    return _mkdir(path);
}

static int make_file(const char *path)
{
    return _open(path, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY, 0600);
}

char *cross_mkdtemp(char *path)
{
    return make(path, make_folder) < 0 ? NULL : path;
}

int cross_mkstemp(char *path)
{
    return make(path, make_file);
}
