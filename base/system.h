/* What the files of this folder need from the operating system, in one place that each system
 * implements for itself: posix/system.c and windows/system.c. Not for other folders: they use
 * file.h, atomic_file.h and their neighbours.
 *
 * Paths are UTF-8 on Windows and bytes elsewhere. A function that fails answers -1, or false where
 * it answers a bool, and sets errno. A file is a descriptor of the C library; what it holds is
 * bytes, whatever the system does with ends of lines. Any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The bytes of a path, its final zero included. */
enum { SYSTEM_PATH_MAX = 4096 };

enum system_mode {
    SYSTEM_READ,         /* what is there; waits for the writer of a pipe */
    SYSTEM_READ_AT_ONCE, /* the same; waits for nobody */
    SYSTEM_WRITE,        /* what is there, from its start */
    SYSTEM_WRITE_NEW,    /* a new file. EEXIST: there is one */
    SYSTEM_JOURNAL       /* reads and writes; made where there is none; waits for nobody */
};

/* None of these is inherited by a child. */
int system_open(const char *path, enum system_mode mode);

/* A file for reading and writing that is gone when it is closed, however the program ends. */
int system_open_temporary(const char *folder);

/* A second descriptor of standard output. */
int system_copy_output(void);

void system_close(int file); /* what was written is safe only after system_sync() */

/* Up to `size` bytes; 0 at the end. Signals do not disturb these four. system_add() writes behind
 * what it has written to a new file, whatever system_read_at() did. A file that is read by
 * system_read() is not read otherwise. */
int64_t system_read(int file, void *bytes, size_t size);
int64_t system_add(int file, const void *bytes, size_t size);
int64_t system_read_at(int file, uint64_t start, void *bytes, size_t size);
int64_t system_write_at(int file, uint64_t start, const void *bytes, size_t size);

bool system_cut(int file, uint64_t size); /* drops what stands behind */
bool system_sync(int file);               /* waits for the disk */

/* Locks an open file for this program until it is closed. False with EWOULDBLOCK: another one has
 * the lock; with anything else: this file system has no locks. */
bool system_lock(int file);

/* Waits for the lock of the folder of `path` and takes it; -1: there are no locks here. Unlocked by
 * the same thread, or by the end of the program. waits: called before the wait when another one has
 * the lock; NULL: nothing is. */
typedef void system_waits(void *context);
int system_lock_folder(const char *path, system_waits *waits, void *context);
void system_unlock_folder(int lock);

enum system_kind {
    SYSTEM_REGULAR,
    SYSTEM_FOLDER,
    SYSTEM_BLOCKS,     /* a device with blocks: a disk */
    SYSTEM_CHARACTERS, /* a device of characters: a terminal, /dev/null */
    SYSTEM_OTHER       /* a pipe, a socket */
};

struct system_info {
    enum system_kind kind;
    uint64_t size;     /* of a regular file; else 0 */
    uint64_t place[2]; /* equal for two paths: both are the same file */
    unsigned mode;     /* permissions, and whose they are: for system_set_rights() */
    unsigned owner;
    unsigned group;
};

/* Are both the same file? */
static inline bool system_is_same(const struct system_info *a, const struct system_info *b)
{
    return a->place[0] == b->place[0] && a->place[1] == b->place[1];
}

/* Links are followed. */
bool system_look(const char *path, struct system_info *out);
bool system_look_open(int file, struct system_info *out);

/* Gives the open file the owner, group and permissions of another one, as far as the system allows.
 */
void system_set_rights(int file, const struct system_info *like);

/* May the existing file be replaced? */
bool system_can_replace(const char *path);

/* Renames `from` to `to` in the same folder, where a file may be; durable when the file system can.
 */
bool system_replace(const char *from, const char *to);

/* Deletes a file. Safe in a signal handler. */
bool system_remove(const char *path);

/* As file_resolve() of base/file.h. */
bool system_resolve(const char *path, char *out, size_t capacity);

bool system_make_folder(const char *path);

/* The part of `path` behind its folder; points into `path`. */
const char *system_file_name(const char *path);

/* Does it begin at a root, whatever the current folder is? */
bool system_is_absolute(const char *path);

bool system_is_terminal(FILE *stream);

/* Is it a terminal that obeys escape sequences? */
bool system_terminal_obeys(FILE *stream);

/* Is what is printed on a terminal UTF-8? */
bool system_terminal_is_utf8(void);

/* As the functions of base/file.h that end the same. */
bool system_own_path(char *out, size_t capacity);
bool system_current_folder(char *out, size_t capacity);
void system_raise_open_max(size_t wanted);
size_t system_open_max(void);

/* The name of this machine, terminated; false also where it does not fit. */
bool system_host_name(char *out, size_t capacity);

/* Where temporary files go. Static storage. */
const char *system_temp_folder(void);
