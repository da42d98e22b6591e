/* Any bytes as the records of an .abk file; the header, which means nothing, is put before them. */
#include <string.h>

#include "book/formats/arena/abk.h"
#include "tests/support/fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEADER = ABK_FIRST_RECORD * ABK_RECORD_SIZE };
    uint8_t *file = calloc(HEADER + size, 1);
    if (!file)
        return 0;
    memcpy(file, "\3ABK", 4);
    if (size)
        memcpy(file + HEADER, data, size);
    (void)fuzz_format(&abk_format, file, HEADER + size);
    free(file);
    return 0;
}
