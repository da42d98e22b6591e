/* Threads that leave signals to the program's own thread.
 *
 * A handler that removes half-written files (atomic_file_remove_all()) must not run on one thread
 * while another is between creating such a file and listing it: the one that creates it holds
 * signals back, and these threads never take them. */
#ifndef CAXTON_BASE_THREAD_H
#define CAXTON_BASE_THREAD_H

#include <pthread.h>

#include "base/status.h"

/* As pthread_create() with the usual attributes; what a fault of the program itself raises still
 * ends it. The caller joins. Errors: STATUS_THREAD. */
MUST_CHECK enum caxton_status thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

#endif
