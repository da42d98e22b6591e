/* The start of a child process. */
#pragma once

#include <sys/types.h>

/* Starts arguments[0] with the arguments up to NULL, and these descriptors as its standard input,
 * output and error; signals are as a shell would leave them. Returns 0, or an errno. */
int spawn(const char *const *arguments, const int ends[3], pid_t *pid);
