/* Any bytes as sample games. The bytes are a file without its checksums, which are put where the
 * sizes in it say, so that what lies behind them is read, too; a first byte that is odd leaves them
 * out. */
#include <stdlib.h>
#include <string.h>

#include "base/xxh64.h"
#include "book/statistics/samples_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHECKSUM = 8, ENTRY = 16, NAMES_SIZE_AT = 28, FOOT = SAMPLES_FOOT_SIZE - CHECKSUM };

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

/* Of the part that began at byte `start`. */
static uint64_t add_checksum(struct file *file, size_t start, uint64_t seed)
{
    uint64_t sum = xxh64(file->bytes + start, file->size - start, seed);
    for (int i = 0; i < CHECKSUM; i++)
        file->bytes[file->size++] = (uint8_t)(sum >> 8 * i);
    return sum;
}

static void add_checksums(struct file *file)
{
    size_t blocks = 0;
    if (!take(file, SAMPLES_START_SIZE) || !take(file, number_at(file->bytes + NAMES_SIZE_AT)))
        return;
    uint64_t header = add_checksum(file, 0, 0);
    for (; file->left >= WLD_BLOCK_HEAD; blocks++) {
        uint32_t records = number_at(file->from);
        size_t start = file->size;
        if (!take(file, WLD_BLOCK_HEAD + (size_t)records))
            return;
        if (records == 0)
            break;
        (void)add_checksum(file, start, 0);
    }
    for (; blocks > 0; blocks -= blocks < WLD_PAGE_ENTRIES ? blocks : WLD_PAGE_ENTRIES) {
        size_t start = file->size;
        if (!take(file, (blocks < WLD_PAGE_ENTRIES ? blocks : WLD_PAGE_ENTRIES) * ENTRY))
            return;
        (void)add_checksum(file, start, 0);
    }
    size_t start = file->size;
    if (take(file, FOOT))
        (void)add_checksum(file, start, header);
}

/* What comes out is in order and names files that there are. */
static void check(const struct samples_file *file, const struct sample_set *set)
{
    const struct sample_rule *rule = &samples_file_info(file)->rule;
    if (set->count < 1 || set->count > (rule->by_facets ? SAMPLE_SET_MAX : rule->most))
        abort();
    for (size_t i = 0; i < set->count; i++)
        if (set->games[i].file >= samples_file_info(file)->names.count ||
            (i > 0 && sample_compare(&set->games[i - 1], &set->games[i]) >= 0))
            abort();
}

static void read_all(const struct samples_file *file)
{
    struct samples_cursor cursor = {.file = file};
    struct sample_set set;
    struct diag diag = {.text = ""};
    enum caxton_status status;
    uint64_t last = 0;
    for (size_t i = 0; (status = samples_cursor_next(&cursor, &set, &diag)) == STATUS_OK; i++) {
        check(file, &set);
        if (i > 0 && set.key <= last)
            abort();
        last = set.key;
        struct sample_set found;
        if (samples_file_find(file, set.key, &found, &diag) == STATUS_OK && found.key != set.key)
            abort();
    }
    if (status != STATUS_END && !*diag.text)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct samples_file *samples = NULL;
    struct diag diag = {.text = ""};
    if (size < 1)
        return 0;
    struct file file = {.from = data + 1, .left = size - 1};
    file.bytes = malloc(2 * size + 4 * CHECKSUM);
    if (!file.bytes)
        return 0;
    if (!(data[0] & 1))
        add_checksums(&file);
    (void)take(&file, file.left);
    if (samples_file_open_memory(file.bytes, file.size, "fuzz", &samples, &diag) == STATUS_OK) {
        struct sample_set set;
        for (size_t i = 0; i < 16; i++) {
            uint64_t key = i * UINT64_C(0x1111111111111111);
            if (samples_file_find(samples, key, &set, &diag) == STATUS_OK)
                check(samples, &set);
        }
        read_all(samples);
    } else if (!*diag.text) {
        abort();
    }
    samples_file_close(samples);
    free(file.bytes);
    return 0;
}
