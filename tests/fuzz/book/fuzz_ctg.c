/* Any bytes as the pages of a .ctg file; the header page, which says little, is put before them. */
#include <string.h>

#include "book/formats/chessbase/ctg.h"
#include "tests/support/fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t header[] = {0, 0x20, 0x10, 0, 0, 1, 0, 1};
    uint8_t *file = calloc(CTG_PAGE + size, 1);
    if (!file)
        return 0;
    memcpy(file, header, sizeof header);
    if (size)
        memcpy(file + CTG_PAGE, data, size);
    (void)fuzz_format(&ctg_format, file, CTG_PAGE + size);
    free(file);
    return 0;
}
