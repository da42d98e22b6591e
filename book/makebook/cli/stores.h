/* Stores of searches: added up and made compact, for makebook merge and makebook convert; read for
 * what they know of moves. */
#pragma once

#include <stdbool.h>

#include "book/makebook/cli/command.h"
#include "book/makebook/cli/source.h"
#include "book/scoring/deepest_answers.h"
#include "book/scoring/record.h"

/* Does the path end in .store? False for NULL. */
bool stores_is_name(const char *path);

/* Writes the first `count` operands, which are stores or experience files of one searcher, as one
 * store, compact and whole or not at all. Returns the exit status after naming a fault. */
enum exit_status stores_write(const struct command_line *line, int count, const char *output,
                              bool quiet);

/* A store of any searcher, or an experience file, to look moves up. Begins as {0}. */
struct store_reading {
    struct source source;
    struct score_store *store;
    struct deepest_answers answers; /* of all positions */
    char name[SEARCHER_TEXT_MAX];   /* who searched */
};

/* path: NULL for none, which knows nothing. False after one line on standard error. */
bool store_reading_open(const struct command_line *line, const char *path,
                        struct store_reading *out);
void store_reading_close(struct store_reading *reading);

/* As struct book_format.facts of a struct store_reading. */
MUST_CHECK enum caxton_status store_reading_facts(const void *reading, uint64_t key,
                                                  const struct position *pos,
                                                  struct book_facts *out, struct diag *diag);
