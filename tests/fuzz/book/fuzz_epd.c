/* Any bytes as lines of positions. */
#include "book/formats/epd/epd.h"
#include "tests/support/fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&epd_format, data, size);
}
