/* Any bytes as the records of a store. The first byte says what is done to them: an odd one leaves
 * them without a header, with bit 1 each record gets the checksum that it lacks, and bit 2 makes
 * the version 1. What is read is asked for everything, written compact, read again, and opened as a
 * book. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "book/book.h"
#include "book/format.h"
#include "book/open/open.h"
#include "book/scoring/record.h"
#include "book/scoring/score_store.h"
#include "chess/attacks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SUM = 8, NO_HEADER = 1, WITH_SUMS = 2, VERSION_1 = 4 };

static const struct searcher_identity identity = {.name = "Fuzz", .hash_mb = 1};

static void put_sum(uint8_t *record, uint64_t header_sum)
{
    uint8_t header[SUM];
    bytes_put_le(header, header_sum, SUM);
    uint64_t sum = checksum_add(CHECKSUM_EMPTY, header, SUM);
    bytes_put_le(record + STORE_RECORD_SIZE - SUM,
                 checksum_add(sum, record, STORE_RECORD_SIZE - SUM), SUM);
}

static void make_header(uint8_t version, uint8_t *out)
{
    memset(out, 0, STORE_HEADER_SIZE);
    memcpy(out, "CXTNSCOR", 8);
    bytes_put_le(out + 8, version, 4);
    bytes_put_le(out + 12, identity.hash_mb, 4);
    memcpy(out + 32, identity.name, strlen(identity.name));
    bytes_put_le(out + STORE_HEADER_SIZE - SUM,
                 checksum_add(CHECKSUM_EMPTY, out, STORE_HEADER_SIZE - SUM), SUM);
}

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void close_store(struct score_store *store)
{
    must(score_store_close(store, NULL) == STATUS_OK); /* without a file nothing can go wrong */
}

/* Whatever an iterator gives is found. */
static void ask(const struct score_store *store)
{
    static struct store_node node;
    static struct store_node again;
    struct packed_position pos;
    struct search_limit limit;
    struct search_answer answer;
    struct chosen_move chosen;
    struct played_games games;
    move m;
    size_t count = 0;
    for (size_t at = 0; score_store_next_answer(store, &at, &pos, &limit, &answer); count++)
        must(score_store_find(store, &pos, limit, NULL));
    must(count == score_store_count(store));
    for (size_t at = 0; score_store_next_chosen(store, &at, &pos, &chosen);)
        must(score_store_chosen(store, &pos, NULL));
    for (size_t at = 0; score_store_next_played(store, &at, &pos, &m, &games);)
        must(score_store_played(store, &pos, m, &games));
    for (size_t at = 0; score_store_next_node(store, &at, &node);) {
        must(node.probability >= 0 && node.probability <= 1 && node.count <= MOVES_MAX);
        (void)score_store_find_node(store, &node.pos, node.side, &again);
    }
    for (size_t at = 0; score_store_next_root(store, &at, &pos);)
        (void)packed_position_key(&pos);
}

/* The same contents, written compact and once more. */
static char *write_compact(const struct score_store *store, size_t *size)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size);
    must(out != NULL);
    must(score_store_write(store, out, NULL) == STATUS_OK);
    must(fclose(out) == 0);
    return bytes;
}

static void write_twice(const struct score_store *store)
{
    struct score_store *compact;
    size_t sizes[2];
    char *first = write_compact(store, &sizes[0]);
    must(score_store_parse((const uint8_t *)first, sizes[0], &identity, &compact, NULL) ==
         STATUS_OK);
    must(*score_store_remark(compact) == '\0');
    must(score_store_count(compact) == score_store_count(store));
    must(score_store_use(compact).records == score_store_use(compact).live);
    ask(compact);
    char *second = write_compact(compact, &sizes[1]);
    must(sizes[0] == sizes[1] && memcmp(first, second, sizes[0]) == 0);
    close_store(compact);
    free(first);
    free(second);
}

static void take_fault(void *context, enum book_fault fault, const struct diag *diag,
                       const char *offer)
{
    (void)context;
    (void)offer;
    must(fault < BOOK_FAULTS && *diag->text);
}

static void read_as_book(const uint8_t *bytes, size_t size)
{
    static struct book_facts facts;
    struct book *book;
    struct position pos;
    if (book_open_memory(bytes, size, "fuzz", &book, NULL) != STATUS_OK)
        return;
    position_start(&pos);
    must(book_look_up(book, &pos, &facts, NULL) == STATUS_OK);
    must(book->format->check(book->format, bytes, size, NULL, take_fault, NULL) == STATUS_OK);
    book_close(book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct score_store *store;
    if (size < 1)
        return 0;
    chess_init();
    bool headed = !(data[0] & NO_HEADER);
    size_t header = headed ? STORE_HEADER_SIZE : 0;
    uint8_t *bytes = malloc(header + size);
    if (!bytes)
        return 0;
    make_header(data[0] & VERSION_1 ? 1 : 2, headed ? bytes : (uint8_t[STORE_HEADER_SIZE]){0});
    memcpy(bytes + header, data + 1, size - 1);
    size_t all = header + size - 1;
    for (size_t at = header; headed && data[0] & WITH_SUMS && all - at >= STORE_RECORD_SIZE;
         at += STORE_RECORD_SIZE)
        put_sum(bytes + at, bytes_get_u64le(bytes + STORE_HEADER_SIZE - SUM));
    if (score_store_parse(bytes, all, &identity, &store, NULL) == STATUS_OK) {
        ask(store);
        write_twice(store);
        close_store(store);
        read_as_book(bytes, all);
    } else if (headed) {
        abort(); /* records cannot spoil a sound header */
    }
    free(bytes);
    return 0;
}
