/* How many files the system lets this program have open at once. */
#ifndef CAXTON_BASE_OPEN_FILES_H
#define CAXTON_BASE_OPEN_FILES_H

#include <stddef.h>

/* Asks the system for as many as it gives to this user without privileges, within reason. For a
 * program to call once, before it opens files. */
void open_files_raise(void);

/* How many there may be, those that are open included. */
size_t open_files_max(void);

#endif
