/* Statistics files looked up where they lie: what is there and what is not, ranges of keys, spoilt
 * blocks, an index that lies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/xxh64.h"
#include "book/statistics/wld_blocks.h"
#include "book/statistics/wld_file.h"
#include "book/statistics/wld_merge.h"
#include "tests/support/find_moves.h"
#include "tests/unit/book/wld_bytes.h"

enum { POSITIONS = 12000, MOVES = 3 };

static uint8_t *bytes; /* of the file that a test looks into */
static size_t size;
static struct tally tallies[POSITIONS * MOVES];
static size_t tally_count;

/* Keys spread as hashes are; every 1000th position has neighbours above and below it. */
static uint64_t key_of(size_t i)
{
    return (i - i % 1000 + (i % 1000 > 2 ? i % 1000 : 0)) * UINT64_C(0x9E3779B97F4A7C15) +
           (i % 1000 > 2 ? 0 : i % 1000);
}

static void write_to(const char *options, const struct tally *from, size_t count)
{
    struct file file = write_file(options, from, count);
    free(bytes);
    bytes = file.bytes;
    size = file.size;
}

static int make_file(void **state)
{
    (void)state;
    tally_count = 0;
    for (size_t i = 0; i < POSITIONS; i++)
        for (uint16_t m = 0; m < 1 + i % MOVES; m++)
            tallies[tally_count++] =
                (struct tally){.key = key_of(i), .move = m, .counts = {i % 7, 1, m}};
    qsort(tallies, tally_count, sizeof *tallies, compare);
    write_to("max-ply 40\n", tallies, tally_count);
    return 0;
}

static struct wld_file *open_file(void)
{
    struct wld_file *file = NULL;
    struct diag diag = {.text = ""};
    assert_int_equal(wld_file_open_memory(bytes, size, "t.wld", &file, &diag), STATUS_OK);
    return file;
}

struct found {
    size_t count;
    struct tally tallies[16];
};

static enum caxton_status take(void *context, const struct tally *tally)
{
    struct found *found = context;
    assert_true(found->count < 16);
    found->tallies[found->count++] = *tally;
    return STATUS_OK;
}

static void every_position_is_found(void **state)
{
    (void)state;
    struct wld_file *file = open_file();
    assert_int_equal(wld_file_records(file), tally_count);
    for (size_t at = 0; at < tally_count;) {
        size_t end = at;
        while (end < tally_count && tallies[end].key == tallies[at].key)
            end++;
        struct found found = {.count = 0};
        struct diag diag;
        assert_int_equal(find_moves(file, tallies[at].key, NULL, take, &found, &diag), STATUS_OK);
        assert_int_equal(found.count, end - at);
        for (size_t i = 0; i < found.count; i++) {
            assert_int_equal(tally_compare(&found.tallies[i], &tallies[at + i]), 0);
            assert_memory_equal(found.tallies[i].counts, tallies[at + i].counts,
                                sizeof found.tallies[i].counts);
        }
        at = end;
    }
    wld_file_close(file);
}

static void others_are_not_found(void **state)
{
    (void)state;
    static const uint64_t edges[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63};
    struct wld_file *file = open_file();
    struct diag diag;
    for (size_t i = 0; i < POSITIONS + 5; i++) {
        uint64_t key = i < POSITIONS ? key_of(i) + 5 : edges[i - POSITIONS];
        const struct tally wanted = {.key = key};
        const struct tally *there =
            bsearch(&wanted, tallies, tally_count, sizeof *tallies, compare);
        struct found found = {.count = 0};
        assert_int_equal(find_moves(file, key, NULL, take, &found, &diag), STATUS_OK);
        assert_int_equal(found.count > 0, there != NULL);
    }
    wld_file_close(file);
}

/* Positions whose moves do not fit one block, keys that are not spread at all, no records. */
static void odd_files_are_looked_up(void **state)
{
    (void)state;
    static struct tally odd[20000];
    struct diag diag;
    for (size_t i = 0; i < 20000; i++)
        odd[i] = (struct tally){
            .key = 7 + i / 5000, .move = (uint16_t)(i % 5000), .counts = {1, 0, 1000000}};
    write_to("", odd, 20000);
    struct wld_file *file = open_file();
    for (uint64_t key = 0; key < 20; key++) {
        size_t count = 0;
        struct wld_reader *reader;
        struct tally tally;
        assert_int_equal(wld_reader_create_range(file, key, key, &reader, &diag), STATUS_OK);
        while (wld_reader_next(reader, &tally, &diag) == STATUS_OK) {
            assert_int_equal(tally.key, key);
            count++;
        }
        assert_int_equal(count, key >= 7 && key < 11 ? 5000 : 0);
        wld_reader_destroy(reader);
    }
    wld_file_close(file);

    write_to("a 1\n", NULL, 0);
    file = open_file();
    struct found found = {.count = 0};
    assert_int_equal(wld_file_records(file), 0);
    assert_int_equal(find_moves(file, 0, NULL, take, &found, &diag), STATUS_OK);
    assert_int_equal(find_moves(file, UINT64_MAX, NULL, take, &found, &diag), STATUS_OK);
    assert_int_equal(found.count, 0);
    wld_file_close(file);
}

/* Ranges of keys put together are the file. */
static void ranges_are_parts_of_the_whole(void **state)
{
    (void)state;
    struct wld_file *file = open_file();
    size_t at = 0;
    uint64_t step = UINT64_MAX / 7 + 1;
    for (uint64_t first = 0; at < tally_count || first > 0; first += step) {
        uint64_t last = first + step - 1 < first ? UINT64_MAX : first + step - 1;
        struct wld_reader *reader;
        struct diag diag = {.text = ""};
        struct tally tally;
        enum caxton_status status;
        assert_int_equal(wld_reader_create_range(file, first, last, &reader, &diag), STATUS_OK);
        while ((status = wld_reader_next(reader, &tally, &diag)) == STATUS_OK)
            assert_int_equal(tally_compare(&tally, &tallies[at++]), 0);
        assert_int_equal(status, STATUS_END);
        wld_reader_destroy(reader);
        if (last == UINT64_MAX)
            break;
    }
    assert_int_equal(at, tally_count);
    wld_file_close(file);
}

enum { COPIES = 8 };

/* Is what comes the sum of all copies? */
static enum caxton_status take_sum(void *context, const struct tally *tally)
{
    size_t *taken = context;
    assert_true(*taken < tally_count);
    const struct tally *one = &tallies[(*taken)++];
    assert_int_equal(tally_compare(tally, one), 0);
    for (int i = 0; i < OUTCOMES; i++)
        assert_int_equal(tally->counts[i], COPIES * one->counts[i]);
    return STATUS_OK;
}

/* Several ranges of several files, by any number of threads. */
static void ranges_add_up_to_the_whole(void **state)
{
    (void)state;
    const struct wld_file *files[COPIES];
    struct diag diag = {.text = ""};
    size_t taken = 0;
    for (int i = 0; i < COPIES; i++)
        files[i] = open_file();
    for (int jobs = 1; jobs < 6; jobs++) {
        taken = 0;
        assert_int_equal(wld_merge_ranges(files, COPIES, jobs, take_sum, &taken, &diag), STATUS_OK);
        assert_int_equal(taken, tally_count);
    }
    bytes[size / 3] ^= 1;
    taken = 0;
    assert_int_equal(wld_merge_ranges(files, COPIES, 3, take_sum, &taken, &diag), STATUS_FORMAT);
    assert_non_null(strstr(diag.text, "t.wld: byte "));
    assert_int_equal(wld_merge_ranges(files, 0, 3, take_sum, &taken, &diag), STATUS_OK);
    for (int i = 0; i < COPIES; i++)
        wld_file_close((struct wld_file *)files[i]);
}

/* Adding up takes all records or none. */
static void check_sum_of_lies(struct wld_file *file)
{
    struct diag diag = {.text = ""};
    const struct wld_file *files[COPIES];
    size_t taken = 0;
    for (int i = 0; i < COPIES; i++)
        files[i] = file;
    enum caxton_status status = wld_merge_ranges(files, COPIES, 2, take_sum, &taken, &diag);
    assert_true(status == STATUS_OK ? taken == tally_count : status == STATUS_FORMAT);
}

static void count_damage(void *context, const struct diag *diag)
{
    assert_non_null(strstr(diag->text, "t.wld: byte "));
    ++*(size_t *)context;
}

/* All that is not in the block can be read and looked up. */
static void a_spoilt_block_is_named_and_the_rest_serves(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct tally tally;
    struct wld_reader *reader;
    size_t damaged = 0;
    size_t read = 0;
    enum caxton_status status;
    bytes[size / 3] ^= 1;
    struct wld_file *file = open_file();
    assert_int_equal(wld_reader_create_range(file, 0, UINT64_MAX, &reader, &diag), STATUS_OK);
    wld_reader_forgive(reader, count_damage, &damaged);
    while ((status = wld_reader_next(reader, &tally, &diag)) == STATUS_OK)
        read++;
    assert_int_equal(status, STATUS_END);
    wld_reader_destroy(reader);
    assert_int_equal(damaged, 1);
    assert_true(read < tally_count && read > tally_count - 4000);
    size_t found_all = 0;
    size_t lost = 0;
    for (size_t i = 0; i < tally_count; i++) {
        struct found found = {.count = 0};
        status = find_moves(file, tallies[i].key, NULL, take, &found, &diag);
        found_all += status == STATUS_OK;
        lost += status == STATUS_FORMAT;
    }
    assert_int_equal(found_all + lost, tally_count);
    assert_true(lost >= tally_count - read && lost < 4000);
    wld_file_close(file);

    /* Without leave it is an error. */
    file = open_file();
    assert_int_equal(wld_reader_create_range(file, 0, UINT64_MAX, &reader, &diag), STATUS_OK);
    while ((status = wld_reader_next(reader, &tally, &diag)) == STATUS_OK)
        continue;
    assert_int_equal(status, STATUS_FORMAT);
    assert_non_null(strstr(diag.text, "the checksum of a block is wrong"));
    wld_reader_destroy(reader);
    wld_file_close(file);
}

static uint64_t index_at(void)
{
    return size - WLD_FOOT_SIZE - wld_pages_size(bytes_get_u64le(bytes + size - 24));
}

/* An index with right checksums and wrong entries: an error or the right answer, and it is named by
 * reading all of the file. */
static void an_index_that_lies_is_found(void **state)
{
    (void)state;
    static const uint64_t lies[] = {0, 1, 30, 1 << 20, UINT64_MAX, UINT64_MAX - 8};
    uint8_t *page = bytes + index_at();
    size_t entries = (size_t)bytes_get_u64le(bytes + size - 24) * WLD_ENTRY_SIZE; /* one page */
    uint8_t entry[WLD_ENTRY_SIZE];
    assert_true(entries <= WLD_PAGE_ENTRIES * WLD_ENTRY_SIZE);
    memcpy(entry, page + 16 * 5, sizeof entry);
    for (size_t i = 0; i < 2 * sizeof lies / sizeof *lies; i++) {
        struct diag diag = {.text = ""};
        struct wld_reader *reader;
        struct tally tally;
        enum caxton_status status;
        bytes_put_le(page + 16 * 5 + i % 2 * 8, lies[i / 2], 8);
        bytes_put_le(page + entries, xxh64(page, entries, 0), 8);
        struct wld_file *file = open_file();
        check_sum_of_lies(file);
        for (size_t j = 0; j < tally_count; j += 7) {
            struct found found = {.count = 0};
            status = find_moves(file, tallies[j].key, NULL, take, &found, &diag);
            assert_true(status == STATUS_OK || status == STATUS_FORMAT);
        }
        assert_int_equal(wld_reader_create_range(file, 0, UINT64_MAX, &reader, &diag), STATUS_OK);
        while ((status = wld_reader_next(reader, &tally, &diag)) == STATUS_OK)
            continue;
        assert_int_equal(status, STATUS_FORMAT);
        assert_non_null(strstr(diag.text, "the index does not fit the blocks"));
        wld_reader_destroy(reader);
        wld_file_close(file);
        memcpy(page + 16 * 5, entry, sizeof entry);
    }
}

static enum caxton_status count_tally(void *context, const struct tally *tally)
{
    (void)tally;
    ++*(size_t *)context;
    return STATUS_OK;
}

/* Records that do not ascend, within a block and from one to the next, with right checksums: a file
 * of nothing but one key would be read to its end by every look-up. */
static void records_out_of_order_are_damage(void **state)
{
    (void)state;
    static struct tally one_key[20000];
    for (size_t i = 0; i < 20000; i++)
        one_key[i] = (struct tally){.key = 7, .move = (uint16_t)(i + 1), .counts = {1, 0, 1000000}};
    for (int in_second = 0; in_second < 2; in_second++) {
        write_to("", one_key, 20000);
        struct wld_file *file = open_file();
        struct diag diag = {.text = ""};
        size_t count = 0;
        assert_int_equal(wld_file_find_facets(file, 7, count_tally, &count, &diag), STATUS_OK);
        assert_int_equal(count, 20000);
        uint8_t *block = bytes + wld_file_header(file)->size;
        size_t block_size = bytes_get_u32le(block);
        size_t before = bytes_get_u32le(block + 4);
        if (in_second) {
            block += WLD_BLOCK_HEAD + block_size + WLD_CHECKSUM_SIZE;
            block_size = bytes_get_u32le(block);
        }
        /* The move of the second record, or of the first: behind the key, 1 byte. */
        bytes_put_le(block + WLD_BLOCK_HEAD + (in_second ? 1 : 9), 1, 2);
        bytes_put_le(block + WLD_BLOCK_HEAD + block_size,
                     xxh64(block, WLD_BLOCK_HEAD + block_size, 0), 8);
        count = 0;
        assert_int_equal(wld_file_find_facets(file, 7, count_tally, &count, &diag), STATUS_FORMAT);
        assert_string_equal(diag.text, "t.wld: a record that no writer makes");
        assert_int_equal(count, in_second ? before : 1);
        wld_file_close(file);
    }
}

/* However many blocks before the next one are damaged, too: no key is known of them. */
static void the_next_block_is_found_by_the_index(void **state)
{
    (void)state;
    struct wld_file *file = open_file();
    struct diag diag = {.text = ""};
    size_t blocks = 0;
    uint64_t at = wld_file_header(file)->size;
    struct wld_blocks all = {.start = at, .header = wld_file_header(file)->checksum};
    assert_int_equal(wld_bytes_of_memory(bytes, size, "t.wld", &all.bytes, &diag), STATUS_OK);
    assert_int_equal(wld_blocks_read_end(&all, WLD_FOOT_SIZE, &diag), STATUS_OK);
    for (;;) {
        size_t block_size = bytes_get_u32le(bytes + at);
        if (block_size == 0)
            break;
        uint64_t next = 0;
        assert_int_equal(wld_blocks_skip(&all, 0, at, &next, &diag), STATUS_OK);
        at += WLD_BLOCK_HEAD + block_size + WLD_CHECKSUM_SIZE;
        assert_int_equal(next, at);
        blocks++;
    }
    assert_true(blocks > 20);
    wld_bytes_close(&all.bytes);
    wld_file_close(file);
}

/* A page of the index that is spoilt costs one line. */
static void a_spoilt_index_is_named(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct found found = {.count = 0};
    bytes[index_at() + 100] ^= 1;
    struct wld_file *file = open_file();
    assert_int_equal(find_moves(file, tallies[3].key, NULL, take, &found, &diag), STATUS_FORMAT);
    assert_non_null(strstr(diag.text, "the checksum of a page of the index is wrong"));
    wld_file_close(file);
}

static void what_cannot_be_looked_up_is_refused(void **state)
{
    (void)state;
    struct wld_file *file = NULL;
    struct diag diag = {.text = ""};
    for (size_t cut = 0; cut < size; cut += cut < 100 || cut > size - 100 ? 1 : 999)
        assert_int_equal(wld_file_open_memory(bytes, cut, "t.wld", &file, &diag),
                         cut < WLD_MAGIC_SIZE ? STATUS_NOT_FOUND : STATUS_FORMAT);
    bytes[0] ^= 1;
    assert_int_equal(wld_file_open_memory(bytes, size, "t.wld", &file, &diag), STATUS_NOT_FOUND);
    assert_int_equal(wld_file_open("/nowhere/t.wld", &file, &diag), STATUS_NOT_FOUND);
    assert_int_equal(wld_file_open("/", &file, &diag), STATUS_NOT_FOUND);
    assert_null(file);
}

static int free_file(void **state)
{
    (void)state;
    free(bytes);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_position_is_found, make_file),
        cmocka_unit_test_setup(others_are_not_found, make_file),
        cmocka_unit_test(odd_files_are_looked_up),
        cmocka_unit_test_setup(ranges_are_parts_of_the_whole, make_file),
        cmocka_unit_test_setup(ranges_add_up_to_the_whole, make_file),
        cmocka_unit_test_setup(a_spoilt_block_is_named_and_the_rest_serves, make_file),
        cmocka_unit_test_setup(an_index_that_lies_is_found, make_file),
        cmocka_unit_test(records_out_of_order_are_damage),
        cmocka_unit_test_setup(the_next_block_is_found_by_the_index, make_file),
        cmocka_unit_test_setup(a_spoilt_index_is_named, make_file),
        cmocka_unit_test_setup(what_cannot_be_looked_up_is_refused, make_file),
    };
    return cmocka_run_group_tests(tests, NULL, free_file);
}
