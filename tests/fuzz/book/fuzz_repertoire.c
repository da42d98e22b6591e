/* Any bytes as games with variations. */
#include "book/formats/games/repertoire.h"
#include "tests/support/fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format(&repertoire_format, data, size);
}
