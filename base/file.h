/* Files that are read, and what can be asked about a path. Written files: atomic_file.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Reads a whole file that is at most `max` bytes large into memory, which the caller frees; it is
 * never NULL. A folder, a pipe or a device is refused at once, for it may have no end or keep us
 * waiting. Errors: STATUS_IO, STATUS_RANGE (too large), STATUS_NO_MEMORY; `diag` says "PATH: why".
 */
MUST_CHECK enum caxton_status file_read(const char *path, uint64_t max, uint8_t **bytes,
                                        size_t *size, struct diag *diag);

enum file_kind {
    FILE_ABSENT, /* nothing is there, or it cannot be seen */
    FILE_REGULAR,
    FILE_FOLDER,
    FILE_OTHER /* a pipe, a device .. */
};

/* What is at `path`; symbolic links are followed. *size: the bytes of a regular file, else 0; may
 * be NULL. */
enum file_kind file_kind_of(const char *path, uint64_t *size);

/* Are both paths the same file that exists, or the same place for one that does not exist? */
bool file_is_same(const char *a, const char *b);

/* The path that a file gets which is written to `path`: symbolic links are followed, also to a file
 * that is not there yet. False with errno set: it is too long (ENAMETOOLONG), empty (ENOENT), or
 * its links cannot be followed. */
bool file_resolve(const char *path, char *out, size_t capacity);

/* The part of `path` behind its folder; points into `path`. */
const char *file_name_of(const char *path);

/* Does it begin at a root, whatever the current folder is? */
bool file_is_absolute(const char *path);

/* Opens a file to be read. The caller closes the stream. NULL: errno says why. */
FILE *file_open(const char *path);

/* Is the stream a terminal? */
bool file_is_terminal(FILE *stream);

/* Makes a folder in one that exists. A folder that is there already is fine. Errors: STATUS_IO;
 * `diag` says "PATH: why". */
MUST_CHECK enum caxton_status file_make_folder(const char *path, struct diag *diag);

/* The path of the program that runs. False when the system does not say, or `capacity` is too
 * small. */
bool file_own_path(char *out, size_t capacity);

/* The folder that relative paths begin in, for messages; "." when it is not known. */
void file_current_folder(char *out, size_t capacity);

/* Raises the limit of open files to the most that the system gives without privileges, at most some
 * thousands. To be called once, before files are opened. */
void file_raise_open_max(void);

/* The limit: how many files may be open, those included that are open now. */
size_t file_open_max(void);

/* The type of file that begins with these bytes, as the rest of "this is ...": "a ZIP archive:
 * unpack it first". NULL: not known. Static storage. Sources: the specifications of the formats;
 * file(1) knows the same numbers. */
const char *file_type_name(const uint8_t *bytes, size_t size);

/* The first bytes of what is read in parts, as many as file_type_name() looks at. Begins as {0}. */
enum { FILE_BEGIN_SIZE = 32 };
struct file_begin {
    uint8_t bytes[FILE_BEGIN_SIZE];
    size_t size;
};

/* Adds the next bytes, as far as they belong to the beginning. */
void file_begin_add(struct file_begin *begin, const void *bytes, size_t size);
