/* Facets: what games are filed under; counted, written, merged and asked for exactly. */
#include "tests/unit/book/wld_bytes.h"

#include "book/count/counter.h"
#include "book/statistics/wld_merge.h"
#include "tests/support/find_moves.h"

#define OPTIONS "facets rating,speed,month\n"

static void groups_are_those_of_lichess(void **state)
{
    (void)state;
    static const struct {
        unsigned rating;
        unsigned start;
    } rows[] = {{0, 0},       {999, 0},     {1000, 1000}, {1199, 1000}, {1200, 1200}, {1870, 1800},
                {2199, 2000}, {2200, 2200}, {2499, 2200}, {2500, 2500}, {4095, 2500}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int group = rating_group_of(rows[i].rating);
        assert_true(group > 0 && group < RATING_GROUPS);
        assert_int_equal(rating_group_starts[group], rows[i].start);
    }
}

static bool passes(uint32_t since, uint32_t until, uint32_t month)
{
    struct facet_filter filter = facet_filter_all;
    filter.since = since;
    filter.until = until;
    return facet_passes(&filter, facet_make(month, SPEED_BLITZ, 3));
}

static void filters(void **state)
{
    (void)state;
    const uint32_t may = month_make(2025, 5);
    assert_true(passes(may, may, may));
    assert_false(passes(month_make(2025, 6), UINT32_MAX, may));
    assert_false(passes(0, month_make(2025, 4), may));
    /* A year without a month passes where all of the year does. */
    assert_true(passes(month_make(2025, 1), month_make(2025, 12), month_make(2025, 0)));
    assert_true(passes(month_make(2024, 12), month_make(2026, 1), month_make(2025, 0)));
    assert_false(passes(month_make(2025, 2), month_make(2025, 12), month_make(2025, 0)));
    assert_false(passes(month_make(2025, 1), month_make(2025, 11), month_make(2025, 0)));
    assert_false(passes(month_make(1, 1), UINT32_MAX, 0));
    assert_true(passes(0, UINT32_MAX, 0));
    struct facet_filter filter = facet_filter_all;
    assert_true(facet_filter_is_all(&filter));
    filter.groups = 1u << 3;
    assert_false(facet_filter_is_all(&filter));
    assert_true(facet_passes(&filter, facet_make(may, SPEED_UNKNOWN, 3)));
    assert_false(facet_passes(&filter, facet_make(may, SPEED_UNKNOWN, 0)));
    filter = (struct facet_filter){1u << 3, 1u << SPEED_BLITZ, 0, UINT32_MAX};
    assert_true(facet_passes(&filter, facet_make(may, SPEED_BLITZ, 3)));
    assert_false(facet_passes(&filter, facet_make(may, SPEED_RAPID, 3)));
    assert_false(facet_passes(&filter, facet_make(may, SPEED_UNKNOWN, 3)));
}

/* Counting --------------------------------------------------------------------------------- */

enum { PLAYED = 200000 };

static struct counted_move played[PLAYED];
static struct tally sums[PLAYED];
static struct tally expected[PLAYED];
static size_t sum_count;

static enum caxton_status collect(void *context, const struct tally *tally)
{
    (void)context;
    assert_true(sum_count < PLAYED);
    sums[sum_count++] = *tally;
    return STATUS_OK;
}

/* Few frequent positions and many rare ones. */
static void make_played(uint64_t seed, uint32_t amount)
{
    for (size_t i = 0; i < PLAYED; i++) {
        uint64_t r = next_random(&seed) >> 16;
        uint64_t keys = i % 2 ? 20 : 30000;
        int group = (int)(r % RATING_GROUPS);
        played[i] = (struct counted_move){
            .key = (r >> 8) % keys * UINT64_C(0x9E3779B97F4A7C15),
            .move = (uint16_t)(r >> 4 & 3),
            .outcome = (enum outcome)(r % 3),
            .amount = amount,
            .facet =
                facet_make(month_make((unsigned)(2020 + (r >> 30) % 3), (unsigned)((r >> 26) % 13)),
                           (enum speed)((r >> 20) % SPEEDS), group),
            .ratings = {group ? (uint16_t)(r >> 12 & RATING_MAX) : 0,
                        group ? (uint16_t)(r >> 24 & RATING_MAX) : 0}};
    }
}

/* The same by sorting what was played. Returns how many there are. */
static size_t add_up_plainly(struct tally *out)
{
    size_t count = 0;
    for (size_t i = 0; i < PLAYED; i++) {
        const struct counted_move *p = &played[i];
        out[i] = (struct tally){.key = p->key, .move = p->move, .facet = p->facet};
        out[i].counts[p->outcome] = p->amount;
        for (int side = 0; side < 2; side++)
            out[i].ratings[side] = (uint64_t)p->ratings[side] * p->amount;
    }
    qsort(out, PLAYED, sizeof *out, compare);
    for (size_t i = 0; i < PLAYED; i++)
        if (count && tally_compare(&out[count - 1], &out[i]) == 0)
            assert_int_equal(tally_add(&out[count - 1], &out[i], NULL), STATUS_OK);
        else
            out[count++] = out[i];
    return count;
}

static void assert_same_tally(const struct tally *a, const struct tally *b)
{
    assert_int_equal(tally_compare(a, b), 0);
    assert_memory_equal(a->counts, b->counts, sizeof a->counts);
    assert_memory_equal(a->ratings, b->ratings, sizeof a->ratings);
}

static void count_all(size_t memory, uint64_t least, bool spills)
{
    struct diag diag;
    struct counter *counter = counter_create(memory, 1, 1000, true, "/tmp", 64);
    assert_non_null(counter);
    struct counter_worker *worker = counter_worker_create(counter);
    assert_non_null(worker);
    for (size_t i = 0; i < PLAYED; i++)
        assert_int_equal(counter_worker_add(worker, &played[i], &diag), STATUS_OK);
    assert_int_equal(counter_worker_flush(worker, &diag), STATUS_OK);
    assert_int_equal(counter_runs(counter) > 0, spills);
    sum_count = 0;
    assert_int_equal(counter_merge(counter, 2, least, collect, NULL, &diag), STATUS_OK);
    counter_worker_destroy(worker);
    counter_destroy(counter);
}

static void assert_sums_are_expected(size_t count)
{
    assert_int_equal(sum_count, count);
    for (size_t i = 0; i < count; i++)
        assert_same_tally(&sums[i], &expected[i]);
}

static void counting_is_exact(void **state)
{
    (void)state;
    static const uint32_t amounts[] = {1, TALLY_UNIT};
    for (size_t i = 0; i < 2; i++) {
        make_played(7 + i, amounts[i]);
        size_t count = add_up_plainly(expected);
        count_all((size_t)64 << 20, 0, false);
        assert_sums_are_expected(count);
        count_all(0, 0, true);
        assert_sums_are_expected(count);
    }
}

/* How many games a move needs is asked of the move, not of its facets. */
static void rare_moves_are_left_out_whole(void **state)
{
    (void)state;
    enum { LEAST = 9 };
    make_played(3, 1);
    size_t count = add_up_plainly(expected);
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        uint64_t games = 0;
        size_t end = i;
        for (; end < count && tally_is_same_move(&expected[i], &expected[end]); end++)
            games += tally_games(&expected[end]);
        for (; i < end; i++)
            if (games >= LEAST)
                expected[kept++] = expected[i];
    }
    assert_true(kept > 0 && kept < count);
    count_all((size_t)64 << 20, LEAST, false);
    assert_sums_are_expected(kept);
    count_all(0, LEAST, true);
    assert_sums_are_expected(kept);
}

/* Files ------------------------------------------------------------------------------------ */

/* The bytes of a file with the statistics, as write_file(), but for the number of moves. */
static struct file file_of(const char *options, const struct tally *tallies, size_t count,
                           uint64_t *moves)
{
    struct wld_writer *writer;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(wld_writer_create(stream, options, &writer), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(wld_writer_take(writer, &tallies[i]), STATUS_OK);
    assert_int_equal(wld_writer_finish(writer, moves), STATUS_OK);
    wld_writer_destroy(writer);
    struct file file = {.bytes = malloc((size_t)16 << 20)};
    assert_non_null(file.bytes);
    rewind(stream);
    file.size = fread(file.bytes, 1, (size_t)16 << 20, stream);
    assert_int_equal(fclose(stream), 0);
    return file;
}

static struct wld_reader *reader_of(struct file *file)
{
    struct wld_reader *reader;
    struct diag diag;
    file->at = 0;
    assert_int_equal(wld_reader_create(read_file, file, "x", &reader, &diag), STATUS_OK);
    return reader;
}

/* A file gives back each facet, and each move as the sum of those that pass. */
static void assert_reads_back(struct file *file, size_t count, const struct facet_filter *filter)
{
    struct diag diag;
    struct tally tally;
    struct wld_reader *reader = reader_of(file);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(wld_reader_next_facet(reader, &tally, &diag), STATUS_OK);
        assert_same_tally(&tally, &expected[i]);
    }
    assert_int_equal(wld_reader_next_facet(reader, &tally, &diag), STATUS_END);
    wld_reader_destroy(reader);
    reader = reader_of(file);
    wld_reader_filter(reader, filter);
    for (size_t i = 0; i < count;) {
        struct tally sum = {.key = expected[i].key, .move = expected[i].move};
        for (; i < count && tally_is_same_move(&sum, &expected[i]); i++)
            if (!filter || facet_passes(filter, expected[i].facet))
                assert_int_equal(tally_add(&sum, &expected[i], NULL), STATUS_OK);
        if (tally_games(&sum) == 0)
            continue;
        assert_int_equal(wld_reader_next(reader, &tally, &diag), STATUS_OK);
        assert_same_tally(&tally, &sum);
    }
    assert_int_equal(wld_reader_next(reader, &tally, &diag), STATUS_END);
    wld_reader_destroy(reader);
}

static const struct facet_filter some = {.groups = 1u << 2 | 1u << 5,
                                         .speeds = 1u << SPEED_BLITZ | 1u << SPEED_RAPID,
                                         .since = 2021 * MONTHS_A_YEAR + 3,
                                         .until = UINT32_MAX};

static void files_keep_every_facet(void **state)
{
    (void)state;
    static const char *const options[] = {OPTIONS, OPTIONS "unit 65536\n"};
    static const uint32_t amounts[] = {1, TALLY_UNIT};
    for (size_t i = 0; i < 2; i++) {
        make_played(11 + i, amounts[i]);
        size_t count = add_up_plainly(expected);
        uint64_t moves = 0;
        uint64_t right = 0;
        for (size_t j = 0; j < count; j++)
            right += j == 0 || !tally_is_same_move(&expected[j - 1], &expected[j]);
        struct file file = file_of(options[i], expected, count, &moves);
        assert_int_equal(moves, right);
        assert_reads_back(&file, count, NULL);
        assert_reads_back(&file, count, &some);
        free(file.bytes);
    }
}

/* The moves of a position are found with all their facets, also of a position that fills blocks. */
static void positions_are_found(void **state)
{
    (void)state;
    make_played(5, 1);
    size_t count = add_up_plainly(expected);
    uint64_t moves;
    struct diag diag;
    struct file bytes = file_of(OPTIONS, expected, count, &moves);
    struct wld_file *file;
    assert_int_equal(wld_file_open_memory(bytes.bytes, bytes.size, "x", &file, &diag), STATUS_OK);
    assert_int_equal(wld_file_moves(file), moves);
    assert_int_equal(wld_file_records(file), count);
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && expected[end].key == expected[i].key)
            end++;
        sum_count = 0;
        assert_int_equal(wld_file_find_facets(file, expected[i].key, collect, NULL, &diag),
                         STATUS_OK);
        assert_int_equal(sum_count, end - i);
        for (size_t j = i; j < end; j++)
            assert_same_tally(&sums[j - i], &expected[j]);
        sum_count = 0;
        assert_int_equal(find_moves(file, expected[i].key, &some, collect, NULL, &diag), STATUS_OK);
        size_t found = 0;
        for (size_t j = i; j < end;) {
            struct tally sum = {.key = expected[j].key, .move = expected[j].move};
            for (; j < end && tally_is_same_move(&sum, &expected[j]); j++)
                if (facet_passes(&some, expected[j].facet))
                    assert_int_equal(tally_add(&sum, &expected[j], NULL), STATUS_OK);
            if (tally_games(&sum))
                assert_same_tally(&sums[found++], &sum);
        }
        assert_int_equal(sum_count, found);
        i = end;
    }
    wld_file_close(file);
    free(bytes.bytes);
}

/* The parts of what was played add up to the bytes of the whole, in any order. */
static void parts_add_up_to_the_whole(void **state)
{
    (void)state;
    enum { PARTS = 3 };
    struct file parts[PARTS];
    struct wld_reader *readers[PARTS];
    uint64_t moves;
    struct diag diag;
    make_played(9, 1);
    size_t count = add_up_plainly(expected);
    struct file whole = file_of(OPTIONS, expected, count, &moves);
    for (size_t part = 0; part < PARTS; part++) {
        size_t taken = 0;
        for (size_t i = 0; i < count; i++) {
            struct tally share = expected[i];
            for (int j = 0; j < OUTCOMES; j++)
                share.counts[j] = share.counts[j] / PARTS + (share.counts[j] % PARTS > part);
            for (int j = 0; j < 2; j++)
                share.ratings[j] = part ? 0 : share.ratings[j];
            if (tally_games(&share))
                sums[taken++] = share;
            else if (share.ratings[0] + share.ratings[1])
                fail();
        }
        parts[part] = file_of(OPTIONS, sums, taken, &moves);
    }
    for (size_t first = 0; first < PARTS; first++) {
        struct wld_writer *writer;
        FILE *stream = tmpfile();
        assert_non_null(stream);
        assert_int_equal(wld_writer_create(stream, OPTIONS, &writer), STATUS_OK);
        for (size_t i = 0; i < PARTS; i++)
            readers[i] = reader_of(&parts[(first + i) % PARTS]);
        assert_int_equal(wld_merge(readers, PARTS, wld_writer_take, writer, &diag), STATUS_OK);
        assert_int_equal(wld_writer_finish(writer, &moves), STATUS_OK);
        wld_writer_destroy(writer);
        for (size_t i = 0; i < PARTS; i++)
            wld_reader_destroy(readers[i]);
        uint8_t *bytes = malloc(whole.size + 1);
        assert_non_null(bytes);
        rewind(stream);
        assert_int_equal(fread(bytes, 1, whole.size + 1, stream), whole.size);
        assert_memory_equal(bytes, whole.bytes, whole.size);
        assert_int_equal(fclose(stream), 0);
        free(bytes);
    }
    for (size_t part = 0; part < PARTS; part++)
        free(parts[part].bytes);
    free(whole.bytes);
}

/* A facet in a file that keeps none, and one that does not ascend. */
static void disorder_is_refused(void **state)
{
    (void)state;
    struct wld_writer *writer;
    const struct tally one = {.key = 1, .counts = {1, 0, 0}, .facet = facet_make(9, 0, 0)};
    struct tally next = one;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(wld_writer_create(stream, "", &writer), STATUS_OK);
    assert_int_equal(wld_writer_take(writer, &one), STATUS_FORMAT);
    wld_writer_destroy(writer);
    assert_int_equal(wld_writer_create(stream, OPTIONS, &writer), STATUS_OK);
    assert_int_equal(wld_writer_take(writer, &one), STATUS_OK);
    assert_int_equal(wld_writer_take(writer, &next), STATUS_FORMAT);
    next.facet--;
    assert_int_equal(wld_writer_take(writer, &next), STATUS_FORMAT);
    next.facet += 2;
    assert_int_equal(wld_writer_take(writer, &next), STATUS_OK);
    wld_writer_destroy(writer);
    assert_int_equal(fclose(stream), 0);
}

static void bytes_are_as_documented(void **state)
{
    (void)state;
    enum { MONTH = 2025 * 13 + 5 };
    const uint32_t first = facet_make(MONTH, SPEED_BLITZ, 6);
    const struct tally tallies[] = {
        {.key = 3, .move = 0x0102, .counts = {0, 0, 1}, .ratings = {1801, 1799}, .facet = first},
        {.key = 3, .move = 0x0102, .counts = {2, 0, 0}, .facet = first + 10}};
    assert_int_equal(facet_group(first + 10), 0);
    uint64_t moves;
    struct file file = file_of(OPTIONS, tallies, 2, &moves);
    assert_int_equal(moves, 1);
    uint64_t head = (uint64_t)first << 2 | 2;
    uint64_t both = 1801 | 1799 << 12;
    const uint8_t record[] = {3,
                              0x02,
                              0x01,
                              2,
                              (uint8_t)(head & 127) | 128,
                              (uint8_t)(head >> 7 & 127) | 128,
                              (uint8_t)(head >> 14 & 127) | 128,
                              (uint8_t)(head >> 21),
                              (uint8_t)both,
                              (uint8_t)(both >> 8),
                              (uint8_t)(both >> 16),
                              10 << 2 | 3,
                              2,
                              0,
                              0};
    size_t at = WLD_START_SIZE + strlen(OPTIONS) + WLD_CHECKSUM_SIZE;
    assert_int_equal(file.bytes[WLD_MAGIC_SIZE], WLD_VERSION_FACETS);
    assert_int_equal(file.bytes[at], sizeof record);
    assert_int_equal(file.bytes[at + 4], 2);
    assert_memory_equal(file.bytes + at + WLD_BLOCK_HEAD, record, sizeof record);
    free(file.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_those_of_lichess),
        cmocka_unit_test(filters),
        cmocka_unit_test(counting_is_exact),
        cmocka_unit_test(rare_moves_are_left_out_whole),
        cmocka_unit_test(files_keep_every_facet),
        cmocka_unit_test(positions_are_found),
        cmocka_unit_test(parts_add_up_to_the_whole),
        cmocka_unit_test(disorder_is_refused),
        cmocka_unit_test(bytes_are_as_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
