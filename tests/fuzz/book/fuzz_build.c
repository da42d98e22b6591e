/* Any bytes as games for a book: chunks, worker pool, filters, duplicates, counting, weighing. The
 * first three choose how the source cuts the rest into pieces, and the options. Every game is
 * accounted for, every ply counted is in the statistics, and neither threads nor pieces change a
 * byte. */
#include <stddef.h>
#include <stdint.h>

#include "book/count/input/chunks.h"
#include "chess/attacks.h"
#include "tests/support/built.h"
#include "tests/support/filters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONG = 255 };

static struct build_options options_of(const uint8_t *bytes)
{
    struct build_options options = build_options_default();
    options.count.max_plies = 1 + (bytes[0] & 63);
    options.min_games = 1 + (bytes[0] >> 6);
    options.count.keep_duplicates = bytes[1] & 1;
    struct filter *filter = &options.count.filter;
    REQUIRE(!(bytes[1] & 2) || filters_flag(filter, "unfinished") == STATUS_OK);
    REQUIRE(!(bytes[1] & 4) || filters_flag(filter, "fen-games") == STATUS_OK);
    REQUIRE(filters_choice(filter, "variant", (bytes[1] & 8) != 0) == STATUS_OK);
    REQUIRE(!(bytes[1] & 16) || filters_flag(filter, "exclude-annotated-blunders") == STATUS_OK);
    REQUIRE(filters_choice(filter, "bad-games", (bytes[1] >> 5 & 3) % 3) == STATUS_OK);
    options.count.memory_bytes = 1 << 20;
    return options;
}

/* The text over and over, until it is longer than a chunk. */
static char *repeat(const char *text, size_t size, size_t *total)
{
    size_t times = CHUNK_SIZE / size + 2;
    *total = times * size;
    char *data = malloc(*total);
    REQUIRE(data != NULL);
    for (size_t i = 0; i < times; i++)
        memcpy(data + i * size, text, size);
    return data;
}

static void compare(const struct built *a, const struct built *b)
{
    REQUIRE(a->wld_size == b->wld_size && memcmp(a->wld, b->wld, a->wld_size) == 0);
    REQUIRE(a->book_size == b->book_size && memcmp(a->book, b->book, a->book_size) == 0);
    REQUIRE(a->report.count.games == b->report.count.games &&
            a->report.count.plies == b->report.count.plies);
    REQUIRE(a->report.count.bad_games == b->report.count.bad_games);
    for (size_t i = 0; i < FILTER_ROWS_MAX; i++)
        REQUIRE(a->report.count.left_out[i] == b->report.count.left_out[i]);
}

static void check_sums(const struct built *built)
{
    size_t count;
    uint64_t sum = 0;
    struct tally *tallies = built_tallies(built, &count);
    for (size_t i = 0; i < count; i++)
        sum += tally_games(&tallies[i]);
    REQUIRE(sum == built->report.count.plies);
    free(tallies);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    chess_init();
    struct build_options options = options_of(data + 1);
    struct pieces text = {span_make((const char *)data + 3, size - 3), SIZE_MAX};
    char *repeated = NULL;
    /* Long text takes its time: few inputs choose it. */
    if (data[0] == LONG && size > 64)
        text.rest.data = repeated = repeat(text.rest.data, text.rest.size, &text.rest.size);
    struct built whole = built_make(&options, text);
    text.piece = (size_t)data[0] + 1;
    if (repeated)
        text.piece *= 1000;
    options.count.jobs = 2;
    struct built pieces = built_make(&options, text);
    compare(&whole, &pieces);
    check_sums(&whole);
    built_free(&pieces);
    built_free(&whole);
    free(repeated);
    return 0;
}
