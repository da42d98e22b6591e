/* Any bytes as the records of a store of scores. The first byte says what is done to them: an odd
 * one leaves them without a header, and with bit 1 each record gets the checksum that it lacks. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "book/grow/score_store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SUM = 8 };

static void put_sum(uint8_t *record, uint64_t header_sum)
{
    uint8_t header[SUM];
    bytes_put_le(header, header_sum, SUM);
    uint64_t sum = checksum_add(CHECKSUM_EMPTY, header, SUM);
    bytes_put_le(record + SCORE_STORE_RECORD - SUM,
                 checksum_add(sum, record, SCORE_STORE_RECORD - SUM), SUM);
}

static void make_header(const struct searcher_identity *identity, uint8_t *out)
{
    memset(out, 0, SCORE_STORE_HEADER);
    memcpy(out, "CXTNSCOR", 8);
    bytes_put_le(out + 8, 1, 4);
    bytes_put_le(out + 12, identity->hash_mb, 4);
    memcpy(out + 32, identity->name, strlen(identity->name));
    bytes_put_le(out + SCORE_STORE_HEADER - SUM,
                 checksum_add(CHECKSUM_EMPTY, out, SCORE_STORE_HEADER - SUM), SUM);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct searcher_identity identity = {.name = "Fuzz", .hash_mb = 1};
    struct score_store *store;
    if (size < 1)
        return 0;
    bool headed = !(data[0] & 1);
    size_t header = headed ? SCORE_STORE_HEADER : 0;
    uint8_t *bytes = malloc(header + size);
    if (!bytes)
        return 0;
    make_header(&identity, headed ? bytes : (uint8_t[SCORE_STORE_HEADER]){0});
    memcpy(bytes + header, data + 1, size - 1);
    size_t all = header + size - 1;
    for (size_t at = header; headed && data[0] & 2 && all - at >= SCORE_STORE_RECORD;
         at += SCORE_STORE_RECORD)
        put_sum(bytes + at, bytes_get_u64le(bytes + SCORE_STORE_HEADER - SUM));
    if (score_store_parse(bytes, all, &identity, &store, NULL) == STATUS_OK) {
        struct packed_position pos = {{0}};
        (void)score_store_find(store, &pos, (struct search_limit){SEARCH_NODES, 0}, NULL);
        if (score_store_close(store, NULL) != STATUS_OK)
            abort(); /* without a file nothing can go wrong */
    } else if (headed) {
        abort(); /* records cannot spoil a sound header */
    }
    free(bytes);
    return 0;
}
