/* One program at a time for what is read, changed and written again. */
#ifndef CAXTON_BASE_FOLDER_LOCK_H
#define CAXTON_BASE_FOLDER_LOCK_H

/* Locks the folder of the file `path`, there or still to be made, against others that lock it;
 * waits for them. The folder and not the file, for a file is replaced by a rename. A file system
 * that cannot lock is no reason to fail. Returns what folder_lock_release() wants. */
int folder_lock_take(const char *path);
/* Whatever folder_lock_take() returned. The end of the program releases, too. */
void folder_lock_release(int lock);

#endif
