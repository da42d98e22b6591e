/* Any bytes as an .obk file. */
#include "book/formats/chessmaster/obk.h"
#include "tests/support/fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&obk_format, data, size);
}
