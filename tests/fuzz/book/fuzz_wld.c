/* Any bytes as statistics. The bytes are a file without its checksums, which are put where the
 * sizes in it say, so that what lies behind them is read, too; a first byte that is odd leaves them
 * out.
 */
#include <string.h>

#include "book/formats/statistics/wld_format.h"
#include "tests/support/fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 16, BLOCK = 8, END = 16, CHECKSUM = 8, OPTIONS_AT = 12 };

struct file {
    uint8_t *bytes;
    size_t size;
    const uint8_t *from;
    size_t left;
};

static uint32_t number_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* As many of `count` bytes as there are; were there all? */
static bool take(struct file *file, size_t count)
{
    size_t taken = count < file->left ? count : file->left;
    memcpy(file->bytes + file->size, file->from, taken);
    file->size += taken;
    file->from += taken;
    file->left -= taken;
    return taken == count;
}

static void add_checksum(struct file *file)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < file->size; i++)
        sum = (sum ^ file->bytes[i]) * UINT64_C(0x100000001b3);
    for (int i = 0; i < CHECKSUM; i++)
        file->bytes[file->size++] = (uint8_t)(sum >> 8 * i);
}

static void add_checksums(struct file *file)
{
    if (!take(file, HEADER) || !take(file, number_at(file->bytes + OPTIONS_AT)))
        return;
    add_checksum(file);
    while (file->left >= BLOCK) {
        uint32_t records = number_at(file->from);
        if (!take(file, records ? BLOCK + (size_t)records : END))
            return;
        add_checksum(file);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    struct file file = {.from = data + 1, .left = size - 1};
    file.bytes = malloc(2 * size + CHECKSUM);
    if (!file.bytes)
        return 0;
    if (!(data[0] & 1))
        add_checksums(&file);
    (void)take(&file, file.left);
    (void)fuzz_format(&wld_format, file.bytes, file.size);
    free(file.bytes);
    return 0;
}
