/* A lock for a file that is read, changed and written again: one program at a time does that. */
#pragma once

/* Waits for the lock of the folder of `path`, a file that may not exist yet, and takes it. The
 * folder is locked because the file itself is replaced by a rename. Where the file system has no
 * locks nothing is locked. Returns the argument of folder_lock_release(). */
int folder_lock_take(const char *path);
/* Releases what folder_lock_take() returned. The end of the program does so, too. */
void folder_lock_release(int lock);
