/* Any bytes as statistics. The bytes are a file without its checksums, which are put where the
 * sizes in it say, so that what lies behind them is read, too; a first byte that is odd leaves them
 * out. The same bytes are also looked up, and read around damaged blocks.
 */
#include <string.h>

#include "base/xxh64.h"
#include "book/formats/statistics/wld_format.h"
#include "book/statistics/wld_file.h"
#include "book/statistics/wld_merge.h"
#include "tests/support/find_moves.h"
#include "tests/support/fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 16, BLOCK = 8, CHECKSUM = 8, OPTIONS_AT = 12, ENTRY = 16, PAGE = 256 };

struct file {
    uint8_t *bytes;
    size_t size;
    const uint8_t *from;
    size_t left;
    uint64_t header; /* its checksum */
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

/* The index of so many blocks and the end. */
static void add_end(struct file *file, size_t blocks)
{
    size_t start;
    for (; blocks > 0; blocks -= blocks < PAGE ? blocks : PAGE) {
        start = file->size;
        if (!take(file, (blocks < PAGE ? blocks : PAGE) * ENTRY))
            return;
        (void)add_checksum(file, start, 0);
    }
    start = file->size;
    bool facets = file->bytes[WLD_MAGIC_SIZE] == WLD_VERSION_FACETS;
    if (take(file, (facets ? (size_t)WLD_FOOT_MAX : (size_t)WLD_FOOT_SIZE) - CHECKSUM))
        (void)add_checksum(file, start, file->header);
}

/* The fingerprints, and the mark behind them. */
static bool add_prints(struct file *file)
{
    while (file->left >= BLOCK) {
        uint32_t prints = number_at(file->from);
        size_t start = file->size;
        if (!take(file, BLOCK + (size_t)prints))
            return false;
        if (prints == 0)
            return true;
        (void)add_checksum(file, start, 0);
    }
    return false;
}

static void add_checksums(struct file *file)
{
    static const char prints[] = WLD_FINGERPRINTS_OPTION;
    size_t blocks = 0;
    if (!take(file, HEADER) || !take(file, number_at(file->bytes + OPTIONS_AT)))
        return;
    bool has_fingerprints = file->size > HEADER + sizeof prints - 1 &&
                            memcmp(file->bytes + HEADER, prints, sizeof prints - 1) == 0;
    file->header = add_checksum(file, 0, 0);
    if (has_fingerprints && !add_prints(file))
        return;
    for (; file->left >= BLOCK; blocks++) {
        uint32_t records = number_at(file->from);
        size_t start = file->size;
        if (records == 0) {
            if (take(file, BLOCK))
                add_end(file, blocks);
            return;
        }
        if (!take(file, BLOCK + (size_t)records))
            return;
        (void)add_checksum(file, start, 0);
    }
}

static enum caxton_status take_tally(void *context, const struct tally *tally)
{
    if (tally->key != *(uint64_t *)context)
        abort();
    return STATUS_OK;
}

static void note_damage(void *context, const struct diag *diag)
{
    if (!*diag->text)
        abort();
    ++*(size_t *)context;
}

/* Fingerprints ascend, whatever stands there. */
static void read_prints(const struct wld_file *file)
{
    struct wld_reader *reader = NULL;
    struct fingerprint print;
    struct fingerprint last = {0, 0};
    struct diag diag = {.text = ""};
    enum caxton_status status;
    if (wld_reader_create_range(file, 0, UINT64_MAX, &reader, &diag) != STATUS_OK)
        abort();
    for (size_t i = 0; (status = wld_reader_next_fingerprint(reader, &print, &diag)) == STATUS_OK;
         i++) {
        if (i > 0 && fingerprint_compare(last, print) >= 0)
            abort();
        last = print;
    }
    if (status != STATUS_END && !*diag.text)
        abort();
    wld_reader_destroy(reader);
}

static enum caxton_status count_tally(void *context, const struct tally *tally)
{
    if (tally_games(tally) == 0)
        abort();
    ++*(uint64_t *)context;
    return STATUS_OK;
}

/* The file added to itself, by ranges of keys: all of it, or a reason. */
static void add_up(const struct wld_file *file)
{
    const struct wld_file *files[2] = {file, file};
    struct diag diag = {.text = ""};
    uint64_t count = 0;
    enum caxton_status status = wld_merge_ranges(files, 2, 1, count_tally, &count, &diag);
    if (status == STATUS_OK ? count != wld_file_records(file) : !*diag.text)
        abort();
}

static const struct facet_filter some = {0x155, 0x55, 26000, UINT32_MAX};

/* Whatever the index says: answers or one reason, and an end. */
static void look_up(const uint8_t *bytes, size_t size)
{
    struct wld_file *file = NULL;
    struct wld_reader *reader = NULL;
    struct diag diag = {.text = ""};
    struct tally tally;
    enum caxton_status status;
    size_t damaged = 0;
    if (wld_file_open_memory(bytes, size, "fuzz", &file, &diag) != STATUS_OK) {
        if (!*diag.text)
            abort();
        return;
    }
    read_prints(file);
    add_up(file);
    for (size_t i = 0; i < 16; i++) {
        uint64_t key = i * UINT64_C(0x1111111111111111);
        if (i % 2 && size >= 16 * sizeof key)
            memcpy(&key, bytes + size * i / 16 - 8, sizeof key);
        diag = (struct diag){.text = ""};
        if (find_moves(file, key, i % 2 ? NULL : &some, take_tally, &key, &diag) != STATUS_OK &&
            !*diag.text)
            abort();
        if (wld_reader_create_range(file, key, key + (UINT64_MAX - key) / 2, &reader, &diag) ==
            STATUS_OK) {
            while ((status = wld_reader_next(reader, &tally, &diag)) == STATUS_OK)
                continue;
            wld_reader_destroy(reader);
        }
    }
    if (wld_reader_create_range(file, 0, UINT64_MAX, &reader, &diag) != STATUS_OK)
        abort();
    wld_reader_forgive(reader, note_damage, &damaged);
    while ((status = wld_reader_next(reader, &tally, &diag)) == STATUS_OK)
        continue;
    if (status != STATUS_END && !*diag.text)
        abort();
    wld_reader_destroy(reader);
    wld_file_close(file);
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
    look_up(file.bytes, file.size);
    (void)fuzz_format(&wld_format, file.bytes, file.size);
    free(file.bytes);
    return 0;
}
