/* Any bytes as an experience file, as they are and behind the heading of SugaR's: refused, or every
 * move it gives is legal, and it can be written again with all its moves, and as a store. The
 * first byte chooses the heading. */
#include <string.h>

#include "book/formats/experience/experience.h"
#include "book/scoring/score_store.h"
#include "tests/support/fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A store of it is a book, of which an experience file can be made. */
static void as_store(const struct book *book)
{
    struct score_store *store = NULL;
    struct book_losses losses = {0};
    char *bytes = NULL;
    size_t size = 0;
    struct book *again = NULL;
    struct diag diag;
    FILE *out = open_memstream(&bytes, &size);
    if (!out || experience_to_store(book, &store, &losses, &diag) != STATUS_OK ||
        score_store_write(store, out, &diag) != STATUS_OK || fclose(out) != 0 ||
        score_store_close(store, NULL) != STATUS_OK)
        abort();
    if (book_open_memory(bytes, size, "again.store", &again, &diag) == STATUS_OK)
        fuzz_write(again, formats_writer("exp"), NULL, 0);
    book_close(again);
    free(bytes);
}

/* What it knows, and it in the other family. */
static void as_others(const uint8_t *bytes, size_t size)
{
    static struct book_facts facts;
    struct book *book = NULL;
    struct position start;
    position_start(&start);
    if (book_create(&experience_format, bytes, NULL, size, "fuzz", &book, NULL) != STATUS_OK)
        return;
    if (book_look_up(book, &start, &facts, NULL) != STATUS_OK)
        abort();
    fuzz_write(book, formats_writer("exp-sugar"), NULL, 0);
    fuzz_write(book, formats_writer("exp-brainlearn"), NULL, 0);
    as_store(book);
    book_close(book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char heading[] = "SugaR Experience version 2";
    static const size_t headings[] = {0, sizeof heading - 1, sizeof "SugaR" - 1};
    if (size < 1)
        return 0;
    size_t before = headings[data[0] % (sizeof headings / sizeof *headings)];
    uint8_t *file = malloc(before + size);
    if (!file)
        return 0;
    memcpy(file, heading, before);
    memcpy(file + before, data + 1, size - 1);
    (void)fuzz_format(&experience_format, file, before + size - 1);
    as_others(file, before + size - 1);
    free(file);
    return 0;
}
