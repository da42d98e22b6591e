/* Builds statistics and a book in memory, and takes them apart. For tests that compare whole runs;
 * what cannot happen ends the program. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/count/builder.h"
#include "tests/support/pieces.h"

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

struct built {
    struct build_report report;
    char *wld;
    size_t wld_size;
    char *book;
    size_t book_size;
};

/* Builds from `text`; every game must be accounted for. Freed by built_free(). */
static inline struct built built_make(const struct build_options *options, struct pieces text)
{
    struct built built = {.wld = NULL};
    struct diag diag = {.text = ""};
    enum caxton_status status;
    struct builder *builder = builder_create(options, &status);
    REQUIRE(builder != NULL);
    REQUIRE(builder_read(builder, read_piece, &text, "games", &diag) == STATUS_OK);
    FILE *wld = open_memstream(&built.wld, &built.wld_size);
    FILE *book = open_memstream(&built.book, &built.book_size);
    REQUIRE(wld && book);
    REQUIRE(builder_write(builder, book, wld, &diag) == STATUS_OK);
    REQUIRE(fclose(wld) == 0 && fclose(book) == 0);
    built.report = *builder_report(builder);
    builder_destroy(builder);

    uint64_t sum = built.report.count.used;
    for (size_t i = 0; i < FILTER_ROWS_MAX; i++)
        sum += built.report.count.left_out[i];
    REQUIRE(sum == built.report.count.games);
    REQUIRE(built.report.count.bad_used <= built.report.count.bad_games &&
            built.report.count.bad_games <= built.report.count.games);
    REQUIRE(built.report.count.bad_used + built.report.count.left_out[0] <=
            built.report.count.bad_games);
    return built;
}

static inline void built_free(struct built *built)
{
    free(built->wld);
    free(built->book);
}

/* All records of the statistics; *count of them, freed by the caller. */
static inline struct tally *built_tallies(const struct built *built, size_t *count)
{
    struct pieces text = {span_make(built->wld, built->wld_size), SIZE_MAX};
    struct wld_reader *reader = NULL;
    struct diag diag;
    struct tally *tallies = calloc((size_t)built->report.records + 1, sizeof *tallies);
    REQUIRE(tallies != NULL);
    REQUIRE(wld_reader_create(read_piece, &text, "statistics", &reader, &diag) == STATUS_OK);
    enum caxton_status status;
    for (*count = 0; (status = wld_reader_next(reader, &tallies[*count], &diag)) == STATUS_OK;
         ++*count)
        REQUIRE(*count < built->report.records);
    REQUIRE(status == STATUS_END && *count == built->report.records);
    wld_reader_destroy(reader);
    return tallies;
}
