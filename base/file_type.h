/* What a file is that is not what was wanted. */
#ifndef CAXTON_BASE_FILE_TYPE_H
#define CAXTON_BASE_FILE_TYPE_H

#include <stddef.h>
#include <stdint.h>

/* The type of file that begins with these bytes, as the rest of "this is ...": "a ZIP archive:
 * unpack it first". NULL: not known. Static storage. Sources: the specifications of the formats;
 * file(1) knows the same numbers. */
const char *file_type_name(const uint8_t *bytes, size_t size);

#endif
