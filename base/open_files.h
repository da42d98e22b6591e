/* How many files the system lets this program have open at once. */
#ifndef CAXTON_BASE_OPEN_FILES_H
#define CAXTON_BASE_OPEN_FILES_H

#include <stddef.h>

/* Raises the limit to the most that the system gives without privileges, at most some thousands. To
 * be called once, before files are opened. */
void open_files_raise(void);

/* The limit: how many files may be open, those included that are open now. */
size_t open_files_max(void);

#endif
