/* Memory for large tables, and how much the program took.
 *
 * Memory for tables that are read all over. It lies in pages of 2 MB where the system has them: a
 * processor holds the addresses of few pages at once, and each page is fetched by a fault. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* At least `size` bytes of zeros on a boundary of 64; many cost nothing before they are used, for
 * the system gives them so. NULL when there are not so many. To be given to large_memory_free(). */
void *large_memory(size_t size);
void large_memory_free(void *memory); /* NULL is allowed */

/* The memory that the program may have, in bytes: that of the machine, or less where the system has
 * set a limit (ulimit -v); 0 = not known. */
uint64_t memory_limit_bytes(void);

/* The most memory that the program ever had at once, in bytes; 0 = not known. */
uint64_t memory_peak_bytes(void);
